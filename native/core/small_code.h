// SPDX-License-Identifier: MIT
//
// Pages download the WebAssembly module, so kernels share code there that processors have several times. It is 11 kB of
// 45 less, gzipped, and takes the same time, but for slerps with a time for each element (up to a tenth more).
#pragma once

#include <type_traits>

#include "always_inline.h"

namespace poselane {
namespace {

#ifdef __wasm__
#define POSELANE_CALLED_IN_WASM __attribute__((noinline))
#define POSELANE_INLINE_BUT_IN_WASM __attribute__((noinline))
constexpr bool kSmallCode = true;
#else
#define POSELANE_CALLED_IN_WASM POSELANE_INLINED
#define POSELANE_INLINE_BUT_IN_WASM POSELANE_ALWAYS_INLINE
constexpr bool kSmallCode = false;
#endif

/// Calls body with a constant, so that each value has code of its own. WebAssembly has one for both, with a bool.
template <class Body> POSELANE_ALWAYS_INLINE void withConstant(bool value, Body&& body) {
    if constexpr (kSmallCode) {
        body(value);
    } else if (value) {
        body(std::true_type());
    } else {
        body(std::false_type());
    }
}

} // namespace
} // namespace poselane
