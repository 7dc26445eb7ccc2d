// SPDX-License-Identifier: MIT
#include "joint_calls.h"

#include "float_environment.h"
#include "index_chunks.h"
#include "views.h"

namespace poselane {

namespace {

/// What TypeScript passes for "as many as the buffers hold".
constexpr int kAllJoints = -1;
/// The same for the last joint of a skeleton, where -1 already means "none".
constexpr int kUpToLast = -3;

constexpr size_t kQuatFloats = sizeof(JointQuat) / sizeof(float);
constexpr size_t kMatFloats = sizeof(JointMat) / sizeof(float);

napi_value done() { return nullptr; }

napi_value refuse(napi_env env) {
    napi_value value = nullptr;
    napi_get_boolean(env, false, &value);
    return value;
}

template <size_t N> struct Arguments {
    napi_value values[N];
    const JointKernels* kernels;

    /// Arguments that were not passed read as undefined.
    Arguments(napi_env env, napi_callback_info info) {
        size_t count = N;
        void* data = nullptr;
        napi_get_cb_info(env, info, &count, values, nullptr, &data);
        kernels = static_cast<const JointKernels*>(data);
    }
};

bool readInt(napi_env env, napi_value value, int least, int* result) {
    return napi_get_value_int32(env, value, result) == napi_ok && *result >= least;
}

/// Without a count every list must hold the same whole number of joints; with one, at least that many.
bool resolveCount(size_t lengthA, size_t floatsA, size_t lengthB, size_t floatsB, int* numJoints) {
    if (*numJoints == kAllJoints) {
        const size_t joints = lengthA / floatsA;
        if (lengthA % floatsA != 0 || lengthB % floatsB != 0 || lengthB / floatsB != joints || joints > INT32_MAX) {
            return false;
        }
        *numJoints = static_cast<int>(joints);
        return true;
    }
    const size_t joints = static_cast<size_t>(*numJoints);
    return lengthA / floatsA >= joints && lengthB / floatsB >= joints;
}

using Blend = void (*)(JointQuat*, const JointQuat*, float, const int*, int);
using BlendMember = Blend JointKernels::*;

bool blendAll(Blend kernel, const View<float>& joints, const View<float>& blendJoints, float lerp, int numJoints) {
    if (!resolveCount(joints.length, kQuatFloats, blendJoints.length, kQuatFloats, &numJoints)) {
        return false;
    }
    const size_t bytes = static_cast<size_t>(numJoints) * sizeof(JointQuat);
    if (overlapUnlessSameStart({joints.data, bytes}, {blendJoints.data, bytes})) {
        return false;
    }
    JointQuat* to = reinterpret_cast<JointQuat*>(joints.data);
    const JointQuat* from = reinterpret_cast<const JointQuat*>(blendJoints.data);
    const FloatEnvironment environment;
    while (numJoints > 0) {
        const int chunk = nextChunk(numJoints);
        kernel(to, from, lerp, identityIndex(), chunk);
        to += chunk;
        from += chunk;
        numJoints -= chunk;
    }
    return true;
}

bool blendIndexed(Blend kernel, const View<float>& joints, const View<float>& blendJoints, float lerp,
                  const View<const int32_t>& index, int numJoints) {
    if (numJoints == kAllJoints) {
        if (index.length > INT32_MAX) {
            return false;
        }
        numJoints = static_cast<int>(index.length);
    }
    if (static_cast<size_t>(numJoints) > index.length) {
        return false;
    }
    const size_t roomTo = joints.length / kQuatFloats;
    const size_t roomFrom = blendJoints.length / kQuatFloats;
    const size_t room = roomTo < roomFrom ? roomTo : roomFrom;

    // One chunk: what is checked is the copy that is used. More: the whole list is checked first, so that a bad
    // element writes nothing, and each copy again, because shared memory may have changed since.
    int chunkIndex[kMaxChunk];
    size_t used = 0;
    int chunk = nextChunk(numJoints);
    const bool single = chunk == numJoints;
    if (single ? !copyIndex(chunkIndex, index.data, chunk, room, &used)
               : !scanIndex(index.data, numJoints, room, &used)) {
        return false;
    }
    const ByteRange to(joints.data, used * sizeof(JointQuat));
    const ByteRange from(blendJoints.data, used * sizeof(JointQuat));
    const ByteRange indices(index.data, static_cast<size_t>(numJoints) * sizeof(int32_t));
    if (overlapUnlessSameStart(to, from) || overlap(to, indices) || overlap(from, indices)) {
        return false;
    }

    JointQuat* toJoints = reinterpret_cast<JointQuat*>(joints.data);
    const JointQuat* fromJoints = reinterpret_cast<const JointQuat*>(blendJoints.data);
    const FloatEnvironment environment;
    if (single) {
        kernel(toJoints, fromJoints, lerp, chunkIndex, chunk);
        return true;
    }
    for (int first = 0; first < numJoints; first += chunk) {
        chunk = nextChunk(numJoints - first);
        if (!copyIndex(chunkIndex, index.data + first, chunk, room, &used)) {
            return false;
        }
        kernel(toJoints, fromJoints, lerp, chunkIndex, chunk);
    }
    return true;
}

/// (joints, blendJoints, lerp, index | null, numJoints | -1)
template <BlendMember member> napi_value blendCall(napi_env env, napi_callback_info info) {
    const Arguments<5> arguments(env, info);
    View<float> joints;
    View<float> blendJoints;
    double lerp;
    int numJoints;
    napi_valuetype indexType;
    if (!readFloats(env, arguments.values[0], &joints) || !readFloats(env, arguments.values[1], &blendJoints) ||
        napi_get_value_double(env, arguments.values[2], &lerp) != napi_ok ||
        napi_typeof(env, arguments.values[3], &indexType) != napi_ok ||
        !readInt(env, arguments.values[4], kAllJoints, &numJoints)) {
        return refuse(env);
    }
    const Blend kernel = arguments.kernels->*member;
    const float t = static_cast<float>(lerp);
    if (indexType == napi_null) {
        return blendAll(kernel, joints, blendJoints, t, numJoints) ? done() : refuse(env);
    }
    View<const int32_t> index;
    if (!readInts(env, arguments.values[3], &index)) {
        return refuse(env);
    }
    return blendIndexed(kernel, joints, blendJoints, t, index, numJoints) ? done() : refuse(env);
}

/// (to, from, numJoints | -1, gltf)
template <typename To, typename From, void (*JointKernels::*member)(To*, const From*, int, Convention)>
napi_value convertCall(napi_env env, napi_callback_info info) {
    const Arguments<4> arguments(env, info);
    View<float> to;
    View<float> from;
    int numJoints;
    bool gltf;
    if (!readFloats(env, arguments.values[0], &to) || !readFloats(env, arguments.values[1], &from) ||
        !readInt(env, arguments.values[2], kAllJoints, &numJoints) ||
        napi_get_value_bool(env, arguments.values[3], &gltf) != napi_ok) {
        return refuse(env);
    }
    if (!resolveCount(to.length, sizeof(To) / sizeof(float), from.length, sizeof(From) / sizeof(float), &numJoints)) {
        return refuse(env);
    }
    const size_t joints = static_cast<size_t>(numJoints);
    if (overlap({to.data, joints * sizeof(To)}, {from.data, joints * sizeof(From)})) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    (arguments.kernels->*member)(reinterpret_cast<To*>(to.data), reinterpret_cast<const From*>(from.data), numJoints,
                                 gltf ? Convention::gltf : Convention::id);
    return done();
}

using SkeletonMember = void (*JointKernels::*)(JointMat*, const int*, int, int);

/// (jointMats, parents, firstJoint, lastJoint | -3)
template <SkeletonMember member, Order order> napi_value skeletonCall(napi_env env, napi_callback_info info) {
    const Arguments<4> arguments(env, info);
    View<float> jointMats;
    View<const int32_t> parents;
    int firstJoint;
    int lastJoint;
    if (!readFloats(env, arguments.values[0], &jointMats) || !readInts(env, arguments.values[1], &parents) ||
        !readInt(env, arguments.values[2], 0, &firstJoint) ||
        !readInt(env, arguments.values[3], kUpToLast, &lastJoint)) {
        return refuse(env);
    }
    if (lastJoint == kUpToLast) {
        const size_t joints = jointMats.length / kMatFloats;
        if (jointMats.length % kMatFloats != 0 || joints > INT32_MAX) {
            return refuse(env);
        }
        lastJoint = static_cast<int>(joints) - 1;
    }
    if (lastJoint < -1) {
        return refuse(env);
    }
    if (firstJoint > lastJoint) {
        return done();
    }
    const size_t joints = static_cast<size_t>(lastJoint) + 1;
    if (jointMats.length / kMatFloats < joints || parents.length < joints ||
        overlap({jointMats.data, joints * sizeof(JointMat)}, {parents.data, joints * sizeof(int32_t)})) {
        return refuse(env);
    }
    const SkeletonRun run = {arguments.kernels->*member, reinterpret_cast<JointMat*>(jointMats.data), parents.data};
    const FloatEnvironment environment;
    return runSkeleton<order>(run, firstJoint, lastJoint) ? done() : refuse(env);
}

/// (result, joints1, joints2, numJoints | -1)
napi_value transformJointsCall(napi_env env, napi_callback_info info) {
    const Arguments<4> arguments(env, info);
    View<float> result;
    View<float> joints1;
    View<float> joints2;
    int numJoints;
    if (!readFloats(env, arguments.values[0], &result) || !readFloats(env, arguments.values[1], &joints1) ||
        !readFloats(env, arguments.values[2], &joints2) || !readInt(env, arguments.values[3], kAllJoints, &numJoints)) {
        return refuse(env);
    }
    int numJoints2 = numJoints;
    if (!resolveCount(result.length, kMatFloats, joints1.length, kMatFloats, &numJoints) ||
        !resolveCount(result.length, kMatFloats, joints2.length, kMatFloats, &numJoints2)) {
        return refuse(env);
    }
    const size_t bytes = static_cast<size_t>(numJoints) * sizeof(JointMat);
    if (overlapUnlessSameStart({result.data, bytes}, {joints1.data, bytes}) ||
        overlapUnlessSameStart({result.data, bytes}, {joints2.data, bytes})) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    arguments.kernels->transformJoints(reinterpret_cast<JointMat*>(result.data),
                                       reinterpret_cast<const JointMat*>(joints1.data),
                                       reinterpret_cast<const JointMat*>(joints2.data), numJoints);
    return done();
}

struct Definition {
    const char* name;
    napi_callback call;
    bool present;
};

} // namespace

napi_status defineJointCalls(napi_env env, napi_value object, const JointKernels* kernels) {
    using K = JointKernels;
    const Definition definitions[] = {
        {"slerpJoints", blendCall<&K::slerpJoints>, kernels->slerpJoints != nullptr},
        {"lerpJoints", blendCall<&K::lerpJoints>, kernels->lerpJoints != nullptr},
        {"convertJointQuatsToJointMats", convertCall<JointMat, JointQuat, &K::convertJointQuatsToJointMats>,
         kernels->convertJointQuatsToJointMats != nullptr},
        {"convertJointMatsToJointQuats", convertCall<JointQuat, JointMat, &K::convertJointMatsToJointQuats>,
         kernels->convertJointMatsToJointQuats != nullptr},
        {"transformSkeleton", skeletonCall<&K::transformSkeleton, Order::parentsFirst>,
         kernels->transformSkeleton != nullptr},
        {"untransformSkeleton", skeletonCall<&K::untransformSkeleton, Order::childrenFirst>,
         kernels->untransformSkeleton != nullptr},
        {"transformJoints", transformJointsCall, kernels->transformJoints != nullptr},
    };
    for (const Definition& definition : definitions) {
        if (!definition.present) {
            continue;
        }
        napi_value function;
        napi_status status = napi_create_function(env, definition.name, NAPI_AUTO_LENGTH, definition.call,
                                                  const_cast<JointKernels*>(kernels), &function);
        if (status == napi_ok) {
            status = napi_set_named_property(env, object, definition.name, function);
        }
        if (status != napi_ok) {
            return status;
        }
    }
    return napi_ok;
}

} // namespace poselane
