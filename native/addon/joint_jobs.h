// SPDX-License-Identifier: MIT
//
// The jobs (call.h) of the routines on lists of joints.
#pragma once

#include "../kernels.h"
#include "job.h"
#include "selection.h"

namespace poselane {

constexpr size_t kJointQuatFloats = sizeof(JointQuat) / sizeof(float);
constexpr size_t kJointMatFloats = sizeof(JointMat) / sizeof(float);

/// What the jobs on joints that an index may name have in common. Options: (index | null, numJoints | -1).
template <typename Lists_, typename Parameter_> struct SelectionJob : Job<Lists_, Parameter_> {
    static constexpr size_t kOptions = Selection::kArguments;

    size_t used() const { return selection.used(); }
    int numbersToKeep() const { return selection.hasIndex() ? selection.count() : 0; }
    bool keep(int* numbers) { return selection.keep(numbers); }

protected:
    bool parseSelection(napi_env env, const napi_value* options, int* scratch) {
        return selection.read(env, options) && selection.resolve(this->lists, scratch);
    }

    Selection selection;
};

/// (joints, blendJoints, lerp, index | null, numJoints | -1)
template <Kernels::BlendJoints Kernels::*member>
struct BlendJointsJob
    : SelectionJob<FloatLists<kJointQuatFloats, Operand<kJointQuatFloats, Sharing::sameStart>>, FloatParameter> {
    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int* scratch) {
        kernel_ = kernels.*member;
        return this->parseSelection(env, options, scratch);
    }

    bool run() {
        return this->selection.run([this](const int* index, int numJoints) {
            kernel_(this->lists.template at<JointQuat>(0), this->lists.template at<const JointQuat>(1),
                    this->parameter.value(), index, numJoints);
        });
    }

private:
    Kernels::BlendJoints kernel_;
};

/// (joints, blendJoints, lerps, index | null, numJoints | -1)
struct BlendJointsPerJointJob
    : SelectionJob<
          FloatLists<kJointQuatFloats, Operand<kJointQuatFloats, Sharing::sameStart>, Operand<1, Sharing::none>>,
          NoParameter> {
    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int* scratch) {
        kernel_ = kernels.slerpJointsPerJoint;
        return parseSelection(env, options, scratch);
    }

    bool run() {
        return selection.run([this](const int* index, int numJoints) {
            kernel_(lists.at<JointQuat>(0), lists.at<const JointQuat>(1), lists.at<const float>(2), index, numJoints);
        });
    }

private:
    decltype(Kernels::slerpJointsPerJoint) kernel_;
};

/// (joints, index | null, numJoints | -1)
struct NormalizeJointsJob : SelectionJob<FloatLists<kJointQuatFloats>, NoParameter> {
    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int* scratch) {
        kernel_ = kernels.normalizeJoints;
        return parseSelection(env, options, scratch);
    }

    bool run() {
        return selection.run(
            [this](const int* index, int numJoints) { kernel_(lists.at<JointQuat>(0), index, numJoints); });
    }

private:
    decltype(Kernels::normalizeJoints) kernel_;
};

/// (to, from, numJoints | -1, gltf)
template <typename To, typename From, void (*Kernels::*member)(To*, const From*, int, Convention)>
struct ConvertJob
    : CountedJob<FloatLists<sizeof(To) / sizeof(float), Operand<sizeof(From) / sizeof(float), Sharing::none>>,
                 NoParameter> {
    static constexpr size_t kOptions = 2;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        bool gltf;
        if (!this->parseCount(env, options[0]) || napi_get_value_bool(env, options[1], &gltf) != napi_ok) {
            return false;
        }
        kernel_ = kernels.*member;
        convention_ = gltf ? Convention::gltf : Convention::id;
        return true;
    }

    bool run() {
        kernel_(this->lists.template at<To>(0), this->lists.template at<const From>(1), this->count, convention_);
        return true;
    }

private:
    void (*kernel_)(To*, const From*, int, Convention);
    Convention convention_;
};

/// (jointMats, parents, firstJoint, lastJoint | -3)
template <void (*Kernels::*member)(JointMat*, const int*, int, int), Order order>
struct SkeletonJob : Job<FloatLists<kJointMatFloats>, NoParameter> {
    static constexpr size_t kOptions = 3;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        if (!readInts(env, options[0], &parents_) || !readInt(env, options[1], 0, &firstJoint_) ||
            !readInt(env, options[2], kUpToLast, &lastJoint_)) {
            return false;
        }
        kernel_ = kernels.*member;
        copy_ = nullptr;
        if (lastJoint_ == kUpToLast) {
            int joints = kAll;
            if (!lists.resolveCount(&joints)) {
                return false;
            }
            lastJoint_ = joints - 1;
        }
        if (lastJoint_ < -1) {
            return false;
        }
        return isEmpty() || (lists.haveRoom(used()) && parents_.length >= used() &&
                             lists.areSeparateFrom({parents_.data, used() * sizeof(int32_t)}, used()));
    }

    size_t used() const { return isEmpty() ? 0 : static_cast<size_t>(lastJoint_) + 1; }

    int numbersToKeep() const { return isEmpty() ? 0 : lastJoint_ - firstJoint_ + 1; }

    bool keep(int* numbers) {
        copy_ = numbers;
        return isEmpty() || copyParents(numbers, parents_.data, firstJoint_, lastJoint_, &copyHasRoots_);
    }

    bool run() {
        if (isEmpty()) {
            return true;
        }
        const SkeletonRun skeleton = {kernel_, lists.at<JointMat>(0), parents_.data};
        if (copy_ != nullptr) {
            runSkeletonOn<order>(copy_, copyHasRoots_, skeleton, firstJoint_, lastJoint_);
            return true;
        }
        return runSkeleton<order>(skeleton, firstJoint_, lastJoint_);
    }

    bool wouldRun() const { return isEmpty() || scanParents(parents_.data, firstJoint_, lastJoint_); }

private:
    /// What TypeScript passes for "up to the last joint that the buffer holds"; -1 already means "none".
    static constexpr int kUpToLast = -3;

    bool isEmpty() const { return firstJoint_ > lastJoint_; }

    void (*kernel_)(JointMat*, const int*, int, int);
    View<const int32_t> parents_;
    const int* copy_;
    bool copyHasRoots_;
    int firstJoint_;
    int lastJoint_;
};

/// (result, joints1, joints2, numJoints | -1)
struct TransformJointsJob : CountedJob<FloatLists<kJointMatFloats, Operand<kJointMatFloats, Sharing::sameStart>,
                                                  Operand<kJointMatFloats, Sharing::sameStart>>,
                                       NoParameter> {
    static constexpr size_t kOptions = 1;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels& kernels, int*) {
        kernel_ = kernels.transformJoints;
        return parseCount(env, options[0]);
    }

    bool run() {
        kernel_(lists.at<JointMat>(0), lists.at<const JointMat>(1), lists.at<const JointMat>(2), count);
        return true;
    }

private:
    decltype(Kernels::transformJoints) kernel_;
};

} // namespace poselane
