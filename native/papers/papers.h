// SPDX-License-Identifier: MIT
//
// The functions that the ports provide to the dispatcher, named as in the papers.
// slerping_clock_cycles.cpp: Slerp/LerpJoints and everything on plain quaternions in paper_c and paper_sse.
// from_quaternion_to_matrix_and_back.cpp: the conversions.
// the_skeleton_assembly_line.cpp: Transform/UntransformSkeleton, TransformJoints.
// benefits_of_avx.cpp: intel_avx. eberly.cpp: eberly_*.
//
// Lists of quaternions: the result may be one of the operands (the same start, no partial overlap), a count <= 0 does
// nothing, every interpolation takes the shorter way round, and nothing but Lerp renormalizes.
#pragma once

#include "../kernels.h"

#if defined(__SSE2__) || defined(_M_X64)
#define POSELANE_HAVE_SSE2 1
#endif

namespace poselane {

/// The scalar C of the papers' text, legible again (docs/papers.md), otherwise as published.
namespace paper_c {
void SlerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void LerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints, Convention);
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints, Convention);
void TransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void UntransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void TransformJoints(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints);

// "Slerping Clock Cycles", sections 3 to 5. `t` is used as the text uses it, without the edges that the joint lists
// have: outside 0...1 these extrapolate, and a NaN gives NaN. Each has a form for one pair and one for lists.

/// Extrapolates along the great circle at constant speed.
void Slerp(const Quaternion& from, const Quaternion& to, float t, Quaternion& result);
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

/// Extrapolates as Slerp does.
void SlerpTransformed(const Quaternion& from, const Quaternion& to, float t, Quaternion& result);
void SlerpTransformedQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

/// As published, with the ReciprocalSqrt that costs it 3.5e-3. Extrapolates only a little:
/// `t` beyond 0...1 leaves the angles that SinZeroHalfPI is made for, which adds 2e-6 at 1.5, 2e-4 at 2, 5e-2 at 3.
void SlerpOptimized(const Quaternion& from, const Quaternion& to, float t, Quaternion& result);
void SlerpOptimizedQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

/// SlerpOptimized with 1 / sqrtf, and nothing else changed: 4.0e-7. Extrapolates as SlerpOptimized does.
void SlerpOptimizedExact(const Quaternion& from, const Quaternion& to, float t, Quaternion& result);
void SlerpOptimizedExactQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

/// Renormalized, so extrapolates along the great circle too, less than a right angle beyond either end.
void Lerp(const Quaternion& from, const Quaternion& to, float t, Quaternion& result);
void LerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

/// 1 / sqrt(x) for x > 0, without a division, to 1.75e-3 (relative): the published single Newton step.
float ReciprocalSqrt(float x);

/// sin(a) for a in 0...pi/2.
float SinZeroHalfPI(float a);

/// atan2(y, x) for x >= 0 and y >= 0, not both 0 (which gives NaN).
float ATanPositive(float y, float x);
} // namespace paper_c

/// The routines whose published C is inaccurate, with the exact reciprocal square root.
namespace paper_c_exact {
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints, Convention);
} // namespace paper_c_exact

/// The second C of either conversion, "a blue print for an SSE optimized version" and slower than the first.
namespace paper_c_blueprint {
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints, Convention);
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints, Convention);
} // namespace paper_c_blueprint

#ifdef POSELANE_HAVE_SSE2
/// The listings, instruction for instruction.
namespace paper_sse {
void SlerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void LerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints, Convention);
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints, Convention);
void TransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void UntransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void TransformJoints(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints);

/// Appendices A and B for quaternions without translations, with their edges: `t` <= 0 copies `from`, >= 1 or NaN
/// copies `to`. As for joints, the last count % 4 elements, and lists of exactly four, go through a loop that rounds
/// differently.
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void LerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

// "Slerping Clock Cycles", section 6: the functions of paper_c, four numbers at a time. `result` may be an operand.

/// 1 / sqrt(x) to 3.5e-7 (relative) by any rsqrtps as good as documented. NaN at 0 and infinity, infinite or NaN below
/// 2^-126.
void ReciprocalSqrt(float* result, const float* x, int count);

void SinZeroHalfPI(float* result, const float* a, int count);

/// By rcpps and a Newton step. NaN, or far off, where the greater operand is below 2^-126 or above 2^126.
void ATanPositive(float* result, const float* y, const float* x, int count);

/// By divps, as paper_c::ATanPositive divides. Where y and x are equal the polynomial is taken away from pi / 2.
void ATanPositiveDivps(float* result, const float* y, const float* x, int count);
} // namespace paper_sse

/// Intel's port of appendix A to AVX. Runs only where cpuFeatures().avx (cpu.h) says so.
namespace intel_avx {
/// No edges: outside 0...1 `t` extrapolates as in paper_c::SlerpOptimized. Where in a list a pair stands does not
/// change its result.
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
} // namespace intel_avx
#endif

// Eberly's polynomial of `terms` = 1...16 factors, the most accurate last: worst error 3.9e-5 for 8, 1.5e-6 for 12,
// 2.4e-7 for 16. `t` outside 0...1 extrapolates as the polynomial does: the errors are 1e-4 (8) and 7e-7 (16) at 2.5,
// 8e-3 and 2e-5 at 5.5, and beyond all use at 10. A NaN gives NaN.
// The four give the same bits, wherever in a list a pair or a time stands. They differ in what shares a register.
// SlerpQuatTimes: one pair at several times. q0 and q1 may be elements of `result`; `t` must not overlap it.

/// One float at a time.
namespace eberly_fpu {
/// The article's section 1, which the polynomial is measured against: by arc cosine and sine, in double as C has them.
/// Where the absolute dot product reaches 1, by rounding or by length, the result is `from`, whatever `t`.
void Slerp(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms);
void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms);
} // namespace eberly_fpu

#ifdef POSELANE_HAVE_SSE2
/// Four coefficients of one pair at one time.
namespace eberly_sse1 {
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms);
void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms);
} // namespace eberly_sse1

/// t and 1 - t of two pairs, or of two times.
namespace eberly_sse2 {
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms);
void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms);
} // namespace eberly_sse2

/// One component each of four pairs, or four times.
namespace eberly_sse4 {
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms);
void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms);
} // namespace eberly_sse4
#endif

} // namespace poselane
