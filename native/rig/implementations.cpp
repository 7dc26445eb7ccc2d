// SPDX-License-Identifier: MIT
#include "implementations.h"

#include "../core/cpu.h"
#include "../isa/isa.h"

namespace poselane {

namespace {

/// An implementation that this build lacks.
constexpr RigKernels named(const char* name) {
    RigKernels k = {};
    k.name = name;
    return k;
}

#ifndef POSELANE_HAVE_X64
constexpr RigKernels kStrictSse2Rig = named("strict/sse2");
constexpr RigKernels kStrictAvx2Rig = named("strict/avx2");
constexpr RigKernels kStrictAvx512Rig = named("strict/avx512");
#endif
#ifdef POSELANE_HAVE_ARM64
constexpr const char* kWithoutArm64 = nullptr;
#else
constexpr RigKernels kStrictNeonRig = named("strict/neon");
constexpr const char* kWithoutArm64 = "needs a 64-bit ARM CPU";
#endif

} // namespace

void forEachRigImplementation(void (*visit)(void* context, const RigKernels& kernels, const char* unavailable),
                              void* context) {
#ifdef POSELANE_HAVE_X64
    const CpuFeatures cpu = cpuFeatures();
    const char* const withoutX64 = nullptr;
    const char* const withoutAvx2 = cpu.avx2 ? nullptr : "needs a CPU, and an operating system, with AVX2";
    const char* const withoutAvx512 =
        cpu.avx512 ? nullptr : "needs a CPU, and an operating system, with AVX-512 as from Ice Lake and Zen 4 on";
#else
    const char* const withoutX64 = "needs an x86-64 CPU";
    const char* const withoutAvx2 = withoutX64;
    const char* const withoutAvx512 = withoutX64;
#endif
    visit(context, kStrictAvx512Rig, withoutAvx512);
    visit(context, kStrictAvx2Rig, withoutAvx2);
    visit(context, kStrictSse2Rig, withoutX64);
    visit(context, kStrictNeonRig, kWithoutArm64);
    visit(context, kStrictScalarRig, nullptr);
}

} // namespace poselane
