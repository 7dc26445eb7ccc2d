// SPDX-License-Identifier: MIT
//
// Another addon that was built with -ffast-math can leave flush-to-zero, denormals-are-zero or another rounding mode
// switched on for the whole thread. Results must not depend on that, so calls run under the default environment.
#pragma once

#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace poselane {

/// The register that says how floats are computed: MXCSR, FPCR.
struct FloatControl {
#if defined(__SSE2__) || defined(_M_X64)
    using Bits = unsigned;
    /// All bits but the sticky exception flags, which no code reads.
    static constexpr Bits kMask = 0xFFC0;
    /// Exceptions masked, round to nearest, denormals as IEEE wants them.
    static constexpr Bits kDefault = 0x1F80;

    static Bits read() { return _mm_getcsr(); }
    static void write(Bits bits) { _mm_setcsr(bits); }
#elif defined(__aarch64__)
    using Bits = uint64_t;
    static constexpr Bits kMask = ~Bits{0};
    /// No traps, round to nearest, denormals and NaNs as IEEE wants them. The exception flags are in FPSR.
    static constexpr Bits kDefault = 0;

    static Bits read() {
        Bits bits;
        __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
        return bits;
    }
    static void write(Bits bits) { __asm__ volatile("msr fpcr, %0" : : "r"(bits) : "memory"); }
#else
    using Bits = unsigned;
    static constexpr Bits kMask = 0;
    static constexpr Bits kDefault = 0;

    static Bits read() { return 0; }
    static void write(Bits) {}
#endif
};

class FloatEnvironment {
public:
    FloatEnvironment() : saved_(FloatControl::read()) {
        if (!isDefault()) {
            FloatControl::write(FloatControl::kDefault);
        }
#if defined(__GNUC__)
        // The compiler may not move a calculation with values loaded earlier ahead of this line.
        __asm__ volatile("" ::: "memory");
#endif
    }
    ~FloatEnvironment() {
        if (!isDefault()) {
            FloatControl::write(saved_);
        }
    }
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
    bool isDefault() const { return (saved_ & FloatControl::kMask) == FloatControl::kDefault; }

    FloatControl::Bits saved_;
};

} // namespace poselane
