// SPDX-License-Identifier: MIT
//
// Loading ahead of use.
#pragma once

#include <stddef.h>

namespace poselane {

/// Floats of a cache line.
constexpr size_t kLine = 16;

} // namespace poselane

/// Begins to load the cache line at any address. Functions that only do this must be inlined: GCC leaves out calls of
/// them, which have no result.
#if defined(_MSC_VER) && !defined(__clang__)
#define POSELANE_FETCH(address) static_cast<void>(address)
#else
#define POSELANE_FETCH(address) __builtin_prefetch(address)
#endif
