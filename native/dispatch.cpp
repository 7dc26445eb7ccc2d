// SPDX-License-Identifier: MIT
#include "dispatch.h"

#include "papers/papers.h"

namespace poselane {

namespace {

constexpr JointKernels kPaperC = {
    "paper/c",
    paper_c::SlerpJoints,
    paper_c::LerpJoints,
    paper_c::ConvertJointQuatsToJointMats,
    paper_c::ConvertJointMatsToJointQuats,
    paper_c::TransformSkeleton,
    paper_c::UntransformSkeleton,
    paper_c::TransformJoints,
};

constexpr JointKernels kPaperCExact = {
    "paper/c-exact", nullptr, nullptr, nullptr, paper_c_exact::ConvertJointMatsToJointQuats, nullptr, nullptr, nullptr,
};

#ifdef POSELANE_HAVE_SSE2
constexpr JointKernels kPaperSse = {
    "paper/sse",
    paper_sse::SlerpJoints,
    paper_sse::LerpJoints,
    paper_sse::ConvertJointQuatsToJointMats,
    paper_sse::ConvertJointMatsToJointQuats,
    paper_sse::TransformSkeleton,
    paper_sse::UntransformSkeleton,
    paper_sse::TransformJoints,
};
constexpr const char* kNoSse2 = nullptr;
#else
constexpr JointKernels kPaperSse = {
    "paper/sse", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
};
constexpr const char* kNoSse2 = "needs an x86-64 CPU";
#endif

// SSE2 is part of x86-64, so nothing here has to ask the CPU.
constexpr Implementation kImplementations[] = {
    {kPaperSse, kNoSse2},
    {kPaperC, nullptr},
    {kPaperCExact, nullptr},
};

} // namespace

Implementations implementations() { return {kImplementations, sizeof(kImplementations) / sizeof(kImplementations[0])}; }

} // namespace poselane
