// SPDX-License-Identifier: MIT
//
// Forms of the documents' routines that their texts discuss and the addon leaves out. README.md says what each took.
// Lists of quaternions have a multiple of 16, and no edges of `t`.
#pragma once

#include "../../../native/papers/papers.h"

namespace poselane {

namespace paper_sse {
/// Scalars by `movss` and `shufps` where the listings have `pshufd`. The bits of the listings.
void TransformSkeletonMovss(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void UntransformSkeletonMovss(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void TransformJointsMovss(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints);

/// Appendix A put together from section 6's functions: the bits of SlerpQuats, by `rcpps`; then with other functions.
void SlerpQuatsRcpps(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void SlerpQuatsDivps(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void SlerpQuatsACos7(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void SlerpQuatsACos3(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void SlerpQuatsATan9(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void SlerpQuatsATan9Sin4(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);

/// The functions alone, of one list: of the sine or of the cosine, both 0 ... 1.
void ACos7(float* result, const float* cosine, int count);
void ACos3(float* result, const float* cosine, int count);
void ATan9(float* result, const float* y, const float* x, int count);
void Sin4(float* result, const float* a, int count);
} // namespace paper_sse

namespace intel_avx {
/// The loop of sixteen alone, which is what Intel's table counts.
void SlerpQuatsUnrolled(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
void SlerpQuatsNotUnrolled(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
/// Appendix A in registers of 256 bits: both lists transposed, in order, and the result back. The bits of paper_sse.
void SlerpQuatsStraight(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
} // namespace intel_avx

/// Lists aligned to 32 bytes.
namespace intel_avx_aligned {
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
} // namespace intel_avx_aligned

/// Eberly's nested expression in fused multiply-adds, "an implementation for the Xbox360".
namespace eberly_sse4_fma {
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms);
} // namespace eberly_sse4_fma

} // namespace poselane
