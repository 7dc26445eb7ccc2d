// SPDX-License-Identifier: MIT
//
// Another addon that was built with -ffast-math can leave flush-to-zero, denormals-are-zero or another rounding mode
// switched on for the whole thread. Results must not depend on that, so calls run under the default environment.
#pragma once

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace poselane {

class FloatEnvironment {
public:
#if defined(__SSE2__) || defined(_M_X64)
    FloatEnvironment() : saved_(_mm_getcsr()) {
        if ((saved_ & kControl) != kDefault) {
            _mm_setcsr(kDefault);
        }
#if defined(__GNUC__)
        // Nothing that was read from memory before may be calculated with ahead of this.
        __asm__ volatile("" ::: "memory");
#endif
    }
    ~FloatEnvironment() {
        if ((saved_ & kControl) != kDefault) {
            _mm_setcsr(saved_);
        }
    }
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
    /// All but the sticky exception flags, which nobody reads.
    static constexpr unsigned kControl = 0xFFC0;
    /// Exceptions masked, round to nearest, denormals as IEEE wants them.
    static constexpr unsigned kDefault = 0x1F80;

    unsigned saved_;
#endif
};

} // namespace poselane
