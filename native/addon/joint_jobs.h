// SPDX-License-Identifier: MIT
//
// The jobs (call.h) of the routines on lists of joints.
#pragma once

#include "call.h"
#include "index_chunks.h"

namespace poselane {

constexpr size_t kJointQuatFloats = sizeof(JointQuat) / sizeof(float);
constexpr size_t kJointMatFloats = sizeof(JointMat) / sizeof(float);

/// (joints, blendJoints, lerp, index | null, numJoints | -1)
template <Kernels::BlendJoints Kernels::*member> class BlendJointsJob {
public:
    static constexpr size_t kArguments = 5;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        double lerp;
        napi_valuetype indexType;
        if (!readFloats(env, values[0], &joints_) || !readFloats(env, values[1], &blendJoints_) ||
            napi_get_value_double(env, values[2], &lerp) != napi_ok ||
            napi_typeof(env, values[3], &indexType) != napi_ok || !readInt(env, values[4], kAll, &numJoints_)) {
            return false;
        }
        kernel_ = kernels.*member;
        lerp_ = static_cast<float>(lerp);
        if (indexType == napi_null) {
            index_ = {nullptr, 0};
            return parseAll();
        }
        return readInts(env, values[3], &index_) && parseIndexed();
    }

    bool run() { return index_.data == nullptr ? runAll() : runIndexed(); }

    bool wouldRun() const { return true; }

    void* destination() const { return joints_.data; }
    size_t destinationBytes() const { return joints_.length * sizeof(float); }

private:
    bool parseAll() {
        if (!resolveCount(joints_.length, kJointQuatFloats, blendJoints_.length, kJointQuatFloats, &numJoints_)) {
            return false;
        }
        const size_t bytes = static_cast<size_t>(numJoints_) * sizeof(JointQuat);
        return !overlapUnlessSameStart({joints_.data, bytes}, {blendJoints_.data, bytes});
    }

    bool parseIndexed() {
        if (numJoints_ == kAll) {
            if (index_.length > INT32_MAX) {
                return false;
            }
            numJoints_ = static_cast<int>(index_.length);
        }
        if (static_cast<size_t>(numJoints_) > index_.length) {
            return false;
        }
        const size_t roomTo = joints_.length / kJointQuatFloats;
        const size_t roomFrom = blendJoints_.length / kJointQuatFloats;
        room_ = roomTo < roomFrom ? roomTo : roomFrom;

        // The whole list is checked before anything is written.
        size_t used = 0;
        if (!scanIndex(index_.data, numJoints_, room_, &used)) {
            return false;
        }
        const ByteRange to(joints_.data, used * sizeof(JointQuat));
        const ByteRange from(blendJoints_.data, used * sizeof(JointQuat));
        const ByteRange indices(index_.data, static_cast<size_t>(numJoints_) * sizeof(int32_t));
        return !overlapUnlessSameStart(to, from) && !overlap(to, indices) && !overlap(from, indices);
    }

    bool runAll() {
        JointQuat* to = reinterpret_cast<JointQuat*>(joints_.data);
        const JointQuat* from = reinterpret_cast<const JointQuat*>(blendJoints_.data);
        for (int rest = numJoints_; rest > 0;) {
            const int chunk = nextChunk(rest);
            kernel_(to, from, lerp_, identityIndex(), chunk);
            to += chunk;
            from += chunk;
            rest -= chunk;
        }
        return true;
    }

    bool runIndexed() {
        JointQuat* const to = reinterpret_cast<JointQuat*>(joints_.data);
        const JointQuat* const from = reinterpret_cast<const JointQuat*>(blendJoints_.data);
        int copy[kMaxChunk];
        for (int first = 0; first < numJoints_;) {
            const int chunk = nextChunk(numJoints_ - first);
            // Checked again, because shared memory may have changed since.
            if (!copyIndex(copy, index_.data + first, chunk, room_)) {
                return false;
            }
            kernel_(to, from, lerp_, copy, chunk);
            first += chunk;
        }
        return true;
    }

    Kernels::BlendJoints kernel_;
    View<float> joints_;
    View<float> blendJoints_;
    View<const int32_t> index_;
    float lerp_;
    int numJoints_;
    /// Joints that both lists hold.
    size_t room_;
};

/// (to, from, numJoints | -1, gltf)
template <typename To, typename From, void (*Kernels::*member)(To*, const From*, int, Convention)> class ConvertJob {
public:
    static constexpr size_t kArguments = 4;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        bool gltf;
        if (!readFloats(env, values[0], &to_) || !readFloats(env, values[1], &from_) ||
            !readInt(env, values[2], kAll, &numJoints_) || napi_get_value_bool(env, values[3], &gltf) != napi_ok ||
            !resolveCount(to_.length, sizeof(To) / sizeof(float), from_.length, sizeof(From) / sizeof(float),
                          &numJoints_)) {
            return false;
        }
        kernel_ = kernels.*member;
        convention_ = gltf ? Convention::gltf : Convention::id;
        const size_t joints = static_cast<size_t>(numJoints_);
        return !overlap({to_.data, joints * sizeof(To)}, {from_.data, joints * sizeof(From)});
    }

    bool run() {
        kernel_(reinterpret_cast<To*>(to_.data), reinterpret_cast<const From*>(from_.data), numJoints_, convention_);
        return true;
    }

    bool wouldRun() const { return true; }

    void* destination() const { return to_.data; }
    size_t destinationBytes() const { return to_.length * sizeof(float); }

private:
    void (*kernel_)(To*, const From*, int, Convention);
    View<float> to_;
    View<float> from_;
    int numJoints_;
    Convention convention_;
};

/// (jointMats, parents, firstJoint, lastJoint | -3)
template <void (*Kernels::*member)(JointMat*, const int*, int, int), Order order> class SkeletonJob {
public:
    static constexpr size_t kArguments = 4;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        if (!readFloats(env, values[0], &jointMats_) || !readInts(env, values[1], &parents_) ||
            !readInt(env, values[2], 0, &firstJoint_) || !readInt(env, values[3], kUpToLast, &lastJoint_)) {
            return false;
        }
        kernel_ = kernels.*member;
        if (lastJoint_ == kUpToLast) {
            const size_t joints = jointMats_.length / kJointMatFloats;
            if (jointMats_.length % kJointMatFloats != 0 || joints > INT32_MAX) {
                return false;
            }
            lastJoint_ = static_cast<int>(joints) - 1;
        }
        if (lastJoint_ < -1) {
            return false;
        }
        const size_t joints = static_cast<size_t>(lastJoint_) + 1;
        return firstJoint_ > lastJoint_ ||
               (jointMats_.length / kJointMatFloats >= joints && parents_.length >= joints &&
                !overlap({jointMats_.data, joints * sizeof(JointMat)}, {parents_.data, joints * sizeof(int32_t)}));
    }

    bool run() {
        if (firstJoint_ > lastJoint_) {
            return true;
        }
        const SkeletonRun skeleton = {kernel_, reinterpret_cast<JointMat*>(jointMats_.data), parents_.data};
        return runSkeleton<order>(skeleton, firstJoint_, lastJoint_);
    }

    bool wouldRun() const { return firstJoint_ > lastJoint_ || scanParents(parents_.data, firstJoint_, lastJoint_); }

    void* destination() const { return jointMats_.data; }
    size_t destinationBytes() const { return jointMats_.length * sizeof(float); }

private:
    /// What TypeScript passes for "up to the last joint that the buffer holds"; -1 already means "none".
    static constexpr int kUpToLast = -3;

    void (*kernel_)(JointMat*, const int*, int, int);
    View<float> jointMats_;
    View<const int32_t> parents_;
    int firstJoint_;
    int lastJoint_;
};

/// (result, joints1, joints2, numJoints | -1)
class TransformJointsJob {
public:
    static constexpr size_t kArguments = 4;

    bool parse(napi_env env, const napi_value* values, const Kernels& kernels) {
        if (!readFloats(env, values[0], &result_) || !readFloats(env, values[1], &joints1_) ||
            !readFloats(env, values[2], &joints2_) || !readInt(env, values[3], kAll, &numJoints_)) {
            return false;
        }
        kernel_ = kernels.transformJoints;
        int numJoints2 = numJoints_;
        if (!resolveCount(result_.length, kJointMatFloats, joints1_.length, kJointMatFloats, &numJoints_) ||
            !resolveCount(result_.length, kJointMatFloats, joints2_.length, kJointMatFloats, &numJoints2)) {
            return false;
        }
        const size_t bytes = static_cast<size_t>(numJoints_) * sizeof(JointMat);
        return !overlapUnlessSameStart({result_.data, bytes}, {joints1_.data, bytes}) &&
               !overlapUnlessSameStart({result_.data, bytes}, {joints2_.data, bytes});
    }

    bool run() {
        kernel_(reinterpret_cast<JointMat*>(result_.data), reinterpret_cast<const JointMat*>(joints1_.data),
                reinterpret_cast<const JointMat*>(joints2_.data), numJoints_);
        return true;
    }

    bool wouldRun() const { return true; }

    void* destination() const { return result_.data; }
    size_t destinationBytes() const { return result_.length * sizeof(float); }

private:
    void (*kernel_)(JointMat*, const JointMat*, const JointMat*, int);
    View<float> result_;
    View<float> joints1_;
    View<float> joints2_;
    int numJoints_;
};

} // namespace poselane
