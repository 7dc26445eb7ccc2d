// SPDX-License-Identifier: MIT
//
// Which of the instruction sets that need asking for this machine can run: the CPU has them, and the operating system
// saves their registers. All false where the build is not for x86.
#pragma once

namespace poselane {

struct CpuFeatures {
    bool avx;
    bool avx2;
    bool fma;
    /// F, BW, DQ, VL and VBMI2: from Ice Lake and Zen 4 on. Older parts with AVX-512 clock down when they use it.
    bool avx512;
};

/// Asks the CPU anew at each call (which a hypervisor may make slow): call it once, at load.
CpuFeatures cpuFeatures();

} // namespace poselane
