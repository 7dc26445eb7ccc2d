// SPDX-License-Identifier: MIT
#include "dispatch.h"

#include <stddef.h>
#include <string.h>

#include "../isa/isa.h"
#include "../papers/papers.h"
#include "chunks.h"
#include "cpu.h"

namespace poselane {

namespace {

using PlainBlend = void (*)(Quaternion*, const Quaternion*, const Quaternion*, float, int);

/// Only Eberly's polynomial comes in several lengths.
template <PlainBlend blend>
void withoutTerms(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int) {
    blend(result, from, to, t, count);
}

/// Adds the edges that the listings have and the papers' C lacks, so that `slerpQuats` and `lerpQuats` of all paper/*
/// behave alike: at or below 0 the result is `from`, at or above 1, or NaN, it is `to`.
template <PlainBlend blend>
void withEdges(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int) {
    if (t > 0.0f && t < 1.0f) {
        blend(result, from, to, t, count);
    } else {
        memmove(result, t <= 0.0f ? from : to, static_cast<size_t>(count) * sizeof(Quaternion));
    }
}

struct Identity {
    int values[kMaxChunk];
    constexpr Identity() : values() {
        for (int i = 0; i < kMaxChunk; i++) {
            values[i] = i;
        }
    }
};

constexpr Identity kIdentity;

/// The listings process only joints that an index names: without an index, each piece of the list gets 0, 1, 2 …
template <BlendJoints::Kernel blend>
void orWithoutIndex(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (index != nullptr) {
        blend(joints, blendJoints, lerp, index, numJoints);
        return;
    }
    while (numJoints > 0) {
        const int chunk = nextChunk(numJoints);
        blend(joints, blendJoints, lerp, kIdentity.values, chunk);
        joints += chunk;
        blendJoints += chunk;
        numJoints -= chunk;
    }
}

template <float (*function)(float)> void overList(float* result, const float* x, int count) {
    for (int i = 0; i < count; i++) {
        result[i] = function(x[i]);
    }
}

void atanPositiveOverList(float* result, const float* y, const float* x, int count) {
    for (int i = 0; i < count; i++) {
        result[i] = paper_c::ATanPositive(y[i], x[i]);
    }
}

constexpr Kernels paperC() {
    Kernels k = {};
    k.name = "paper/c";
    k.slerpJoints = orWithoutIndex<paper_c::SlerpJoints>;
    k.lerpJoints = orWithoutIndex<paper_c::LerpJoints>;
    k.convertJointQuatsToJointMats = paper_c::ConvertJointQuatsToJointMats;
    k.convertJointMatsToJointQuats = paper_c::ConvertJointMatsToJointQuats;
    k.transformSkeleton = paper_c::TransformSkeleton;
    k.untransformSkeleton = paper_c::UntransformSkeleton;
    k.transformJoints = paper_c::TransformJoints;
    k.slerpQuats = withEdges<paper_c::SlerpQuats>;
    k.lerpQuats = withEdges<paper_c::LerpQuats>;
    k.slerp = withoutTerms<paper_c::SlerpQuats>;
    k.slerpTransformed = withoutTerms<paper_c::SlerpTransformedQuats>;
    k.slerpOptimized = withoutTerms<paper_c::SlerpOptimizedQuats>;
    k.slerpOptimizedExact = withoutTerms<paper_c::SlerpOptimizedExactQuats>;
    k.lerp = withoutTerms<paper_c::LerpQuats>;
    k.reciprocalSqrt = overList<paper_c::ReciprocalSqrt>;
    k.sinZeroHalfPI = overList<paper_c::SinZeroHalfPI>;
    k.atanPositive = atanPositiveOverList;
    return k;
}

constexpr Kernels paperCExact() {
    Kernels k = {};
    k.name = "paper/c-exact";
    k.convertJointMatsToJointQuats = paper_c_exact::ConvertJointMatsToJointQuats;
    k.slerpQuats = withEdges<paper_c::SlerpOptimizedExactQuats>;
    return k;
}

constexpr Kernels paperCBlueprint() {
    Kernels k = {};
    k.name = "blueprint/c";
    k.convertJointQuatsToJointMats = paper_c_blueprint::ConvertJointQuatsToJointMats;
    k.convertJointMatsToJointQuats = paper_c_blueprint::ConvertJointMatsToJointQuats;
    return k;
}

constexpr Kernels paperSse() {
    Kernels k = {};
    k.name = "paper/sse";
#ifdef POSELANE_HAVE_SSE2
    k.slerpJoints = orWithoutIndex<paper_sse::SlerpJoints>;
    k.lerpJoints = orWithoutIndex<paper_sse::LerpJoints>;
    k.convertJointQuatsToJointMats = paper_sse::ConvertJointQuatsToJointMats;
    k.convertJointMatsToJointQuats = paper_sse::ConvertJointMatsToJointQuats;
    k.transformSkeleton = paper_sse::TransformSkeleton;
    k.untransformSkeleton = paper_sse::UntransformSkeleton;
    k.transformJoints = paper_sse::TransformJoints;
    k.slerpQuats = withoutTerms<paper_sse::SlerpQuats>;
    k.lerpQuats = withoutTerms<paper_sse::LerpQuats>;
    k.reciprocalSqrt = paper_sse::ReciprocalSqrt;
    k.sinZeroHalfPI = paper_sse::SinZeroHalfPI;
    k.atanPositive = paper_sse::ATanPositive;
#endif
    return k;
}

constexpr Kernels paperSseDivps() {
    Kernels k = {};
    k.name = "paper/sse-divps";
#ifdef POSELANE_HAVE_SSE2
    k.atanPositive = paper_sse::ATanPositiveDivps;
#endif
    return k;
}

constexpr Kernels intelAvx() {
    Kernels k = {};
    k.name = "intel/avx";
#ifdef POSELANE_HAVE_SSE2
    k.slerpQuats = withoutTerms<intel_avx::SlerpQuats>;
#endif
    return k;
}

constexpr Kernels eberly(const char* name, BlendQuats::Kernel slerpQuats, BlendQuatTimes::Kernel slerpQuatTimes) {
    Kernels k = {};
    k.name = name;
    k.slerpQuats = slerpQuats;
    k.slerpQuatTimes = slerpQuatTimes;
    k.maxTerms = 16;
    return k;
}

constexpr Kernels kPaperSse = paperSse();
constexpr Kernels kPaperSseDivps = paperSseDivps();
constexpr Kernels kPaperC = paperC();
constexpr Kernels kPaperCExact = paperCExact();
constexpr Kernels kPaperCBlueprint = paperCBlueprint();
constexpr Kernels kIntelAvx = intelAvx();
constexpr Kernels eberlyFpu() {
    Kernels k = eberly("eberly/fpu", eberly_fpu::SlerpQuats, eberly_fpu::SlerpQuatTimes);
    k.slerp = withoutTerms<eberly_fpu::Slerp>;
    return k;
}

constexpr Kernels kEberlyFpu = eberlyFpu();
#ifdef POSELANE_HAVE_SSE2
constexpr Kernels kEberlySse1 = eberly("eberly/sse1", eberly_sse1::SlerpQuats, eberly_sse1::SlerpQuatTimes);
constexpr Kernels kEberlySse2 = eberly("eberly/sse2", eberly_sse2::SlerpQuats, eberly_sse2::SlerpQuatTimes);
constexpr Kernels kEberlySse4 = eberly("eberly/sse4", eberly_sse4::SlerpQuats, eberly_sse4::SlerpQuatTimes);
constexpr const char* kWithoutX64 = nullptr;
#else
constexpr Kernels kEberlySse1 = eberly("eberly/sse1", nullptr, nullptr);
constexpr Kernels kEberlySse2 = eberly("eberly/sse2", nullptr, nullptr);
constexpr Kernels kEberlySse4 = eberly("eberly/sse4", nullptr, nullptr);
constexpr const char* kWithoutX64 = "needs an x86-64 CPU";
#endif

/// An implementation that this build lacks.
constexpr Kernels named(const char* name) {
    Kernels k = {};
    k.name = name;
    return k;
}

#ifndef POSELANE_HAVE_X64
constexpr Kernels kStrictSse2 = named("strict/sse2");
constexpr Kernels kStrictAvx2 = named("strict/avx2");
constexpr Kernels kStrictAvx512 = named("strict/avx512");
constexpr Kernels kFastAvx2 = named("fast/avx2");
constexpr Kernels kFastAvx512 = named("fast/avx512");
#endif

#ifdef POSELANE_HAVE_ARM64
constexpr const char* kWithoutArm64 = nullptr;
#else
constexpr Kernels kStrictNeon = named("strict/neon");
constexpr const char* kWithoutArm64 = "needs a 64-bit ARM CPU";
#endif

} // namespace

void forEachImplementation(void (*visit)(void* context, const Kernels& kernels, const char* unavailable),
                           void* context) {
    const CpuFeatures cpu = cpuFeatures();
    const char* const withoutAvx = cpu.avx ? nullptr : "needs a CPU, and an operating system, with AVX";
    const char* const withoutAvx2 = cpu.avx2 ? nullptr : "needs a CPU, and an operating system, with AVX2";
    const char* const withoutFma =
        cpu.avx2 && cpu.fma ? nullptr : "needs a CPU, and an operating system, with AVX2 and FMA";
    const char* const withoutAvx512 =
        cpu.avx512 ? nullptr : "needs a CPU, and an operating system, with AVX-512 as from Ice Lake and Zen 4 on";
    // SSE2 is part of x86-64 and NEON of 64-bit ARM, so they need no check.
    visit(context, kStrictAvx512, kWithoutX64 != nullptr ? kWithoutX64 : withoutAvx512);
    visit(context, kStrictAvx2, kWithoutX64 != nullptr ? kWithoutX64 : withoutAvx2);
    visit(context, kStrictSse2, kWithoutX64);
    visit(context, kStrictNeon, kWithoutArm64);
    visit(context, kStrictScalar, nullptr);
    visit(context, kFastAvx512, kWithoutX64 != nullptr ? kWithoutX64 : withoutAvx512);
    visit(context, kFastAvx2, kWithoutX64 != nullptr ? kWithoutX64 : withoutFma);
    visit(context, kPaperSse, kWithoutX64);
    visit(context, kPaperSseDivps, kWithoutX64);
    visit(context, kPaperC, nullptr);
    visit(context, kPaperCExact, nullptr);
    visit(context, kPaperCBlueprint, nullptr);
    visit(context, kIntelAvx, kWithoutX64 != nullptr ? kWithoutX64 : withoutAvx);
    visit(context, kEberlyFpu, nullptr);
    visit(context, kEberlySse1, kWithoutX64);
    visit(context, kEberlySse2, kWithoutX64);
    visit(context, kEberlySse4, kWithoutX64);
}

} // namespace poselane
