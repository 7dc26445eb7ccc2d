// SPDX-License-Identifier: MIT
#include "kernel_calls.h"

#include "bound.h"
#include "call.h"
#include "joint_jobs.h"
#include "quat_jobs.h"

namespace poselane {

namespace {

struct Definition {
    const char* name;
    napi_callback call;
    napi_callback timed;
    /// Null where the routine has no bound form.
    napi_callback bind;
    napi_callback run;
    bool present;
};

template <typename Job> Definition define(const char* name, bool present) {
    return {name, callOnce<Job>, callTimed<Job>, nullptr, nullptr, present};
}

template <typename Job> Definition defineBindable(const char* name, bool present) {
    return {name, callOnce<Job>, callTimed<Job>, bind<Job>, runBound<Job>, present};
}

template <auto member> Definition defineBlendQuats(const char* name, const Kernels* kernels) {
    return define<BlendQuatsJob<member>>(name, kernels->*member != nullptr);
}

} // namespace

void defineKernelCalls(Builder& builder, napi_value closures, const Functions& functions, const Kernels* kernels) {
    using K = Kernels;
    const Definition definitions[] = {
        defineBindable<BlendJointsJob<&K::slerpJoints>>("slerpJoints", kernels->slerpJoints != nullptr),
        defineBindable<BlendJointsJob<&K::lerpJoints>>("lerpJoints", kernels->lerpJoints != nullptr),
        defineBindable<ConvertJob<JointMat, JointQuat, &K::convertJointQuatsToJointMats>>(
            "convertJointQuatsToJointMats", kernels->convertJointQuatsToJointMats != nullptr),
        defineBindable<ConvertJob<JointQuat, JointMat, &K::convertJointMatsToJointQuats>>(
            "convertJointMatsToJointQuats", kernels->convertJointMatsToJointQuats != nullptr),
        defineBindable<SkeletonJob<&K::transformSkeleton, Order::parentsFirst>>("transformSkeleton",
                                                                                kernels->transformSkeleton != nullptr),
        defineBindable<SkeletonJob<&K::untransformSkeleton, Order::childrenFirst>>(
            "untransformSkeleton", kernels->untransformSkeleton != nullptr),
        defineBindable<TransformJointsJob>("transformJoints", kernels->transformJoints != nullptr),
        defineBindable<BlendJointsPerJointJob>("slerpJointsPerJoint", kernels->slerpJointsPerJoint != nullptr),
        defineBindable<NormalizeJointsJob>("normalizeJoints", kernels->normalizeJoints != nullptr),
        defineBindable<BlendQuatsJob<&K::slerpQuats>>("slerpQuats", kernels->slerpQuats != nullptr),
        defineBindable<BlendQuatsJob<&K::lerpQuats>>("lerpQuats", kernels->lerpQuats != nullptr),
        defineBindable<QuatsPerQuatJob>("slerpQuatsPerQuat", kernels->slerpQuatsPerQuat != nullptr),
        defineBindable<QuatTimesJob>("slerpQuatTimes", kernels->slerpQuatTimes != nullptr),
        defineBlendQuats<&K::slerp>("slerp", kernels),
        defineBlendQuats<&K::slerpTransformed>("slerpTransformed", kernels),
        defineBlendQuats<&K::slerpOptimized>("slerpOptimized", kernels),
        defineBlendQuats<&K::slerpOptimizedExact>("slerpOptimizedExact", kernels),
        defineBlendQuats<&K::lerp>("lerp", kernels),
        define<FunctionJob<&K::reciprocalSqrt>>("reciprocalSqrt", kernels->reciprocalSqrt != nullptr),
        define<FunctionJob<&K::sinZeroHalfPI>>("sinZeroHalfPI", kernels->sinZeroHalfPI != nullptr),
        define<AtanJob>("atanPositive", kernels->atanPositive != nullptr),
    };
    for (const auto& [name, call, timed, bind, run, present] : definitions) {
        if (!present) {
            continue;
        }
        builder.set(functions.kernels, name, builder.function(name, call, kernels));
        builder.set(functions.timed, name, builder.function(name, timed, kernels));
        if (bind != nullptr) {
            const napi_value bound[] = {builder.function(name, bind, kernels), builder.function(name, run)};
            builder.set(functions.bind, name, builder.closure(closures, "bound", bound));
        }
    }
}

} // namespace poselane
