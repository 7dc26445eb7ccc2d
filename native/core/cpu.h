// SPDX-License-Identifier: MIT
//
// The optional instruction sets that this machine can run: the CPU has them, and the operating system saves their
// registers. All are false in a build that is not for x86.
#pragma once

namespace poselane {

struct CpuFeatures {
    bool avx;
    bool avx2;
    bool fma;
    /// F, BW, DQ, VL and VBMI2: from Ice Lake and Zen 4 on. Older parts with AVX-512 clock down when they use it.
    bool avx512;
};

/// Queries the CPU at each call, which is slow under some hypervisors. Call it once, at load.
CpuFeatures cpuFeatures();

} // namespace poselane
