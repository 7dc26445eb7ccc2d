// SPDX-License-Identifier: MIT
//
// Loops whose counter is a constant in each turn, so that arrays of vectors stay in registers.
#pragma once

#include "small_code.h"

namespace poselane {
namespace {

template <int i> struct Number {
    static constexpr int value = i;
    constexpr operator int() const { return i; }
};

/// body(0) ... body(count - 1), as Numbers.
template <int count, class Body> POSELANE_ALWAYS_INLINE void each(Body&& body) {
    if constexpr (count > 0) {
        each<count - 1>(body);
        body(Number<count - 1>());
    }
}

} // namespace
} // namespace poselane
