// SPDX-License-Identifier: MIT
//
// The jobs (job.h) of the routines on lists of joints.
#pragma once

#include "../core/index_chunks.h"
#include "job.h"
#include "selection.h"

namespace poselane {

/// The common part of the jobs on joints that an index may name. Options: (index | null, numJoints | -1).
template <typename Shape, typename Parameter, typename... Operands>
struct SelectionJob : Job<Shape, FloatLists<kFloatsOf<JointQuat>, Operands...>, Parameter> {
    static constexpr size_t kOptions = Selection::kArguments;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels&, int* scratch) {
        return selection.read(env, options) && selection.resolve(this->lists, scratch);
    }

    size_t used() const { return selection.used(); }
    int numbersToKeep() const { return selection.hasIndex() ? selection.count() : 0; }
    bool keep(int* numbers) { return selection.keep(numbers); }

protected:
    Selection selection;
};

using OtherJoints = Operand<kFloatsOf<JointQuat>, Sharing::sameStart>;

/// (joints, blendJoints, lerp, index | null, numJoints | -1)
template <> struct JobOf<BlendJoints> : SelectionJob<BlendJoints, FloatParameter, OtherJoints> {
    bool run() {
        return selection.run([this](const int* index, int numJoints) {
            kernel(lists.at<JointQuat>(0), lists.at<const JointQuat>(1), parameter.value(), index, numJoints);
        });
    }
};

/// (joints, blendJoints, lerps, index | null, numJoints | -1)
template <>
struct JobOf<BlendJointsPerJoint>
    : SelectionJob<BlendJointsPerJoint, NoParameter, OtherJoints, Operand<1, Sharing::none>> {
    bool run() {
        return selection.run([this](const int* index, int numJoints) {
            kernel(lists.at<JointQuat>(0), lists.at<const JointQuat>(1), lists.at<const float>(2), index, numJoints);
        });
    }
};

/// (joints, index | null, numJoints | -1)
template <> struct JobOf<ChangeJoints> : SelectionJob<ChangeJoints, NoParameter> {
    bool run() {
        return selection.run(
            [this](const int* index, int numJoints) { kernel(lists.at<JointQuat>(0), index, numJoints); });
    }
};

/// (to, from, numJoints | -1, gltf)
template <typename To, typename From>
struct JobOf<Convert<To, From>>
    : CountedJob<Convert<To, From>, FloatLists<kFloatsOf<To>, Operand<kFloatsOf<From>, Sharing::none>>, NoParameter> {
    static constexpr size_t kOptions = 2;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels&, int*) {
        bool gltf;
        if (!this->parseCount(env, options[0]) || napi_get_value_bool(env, options[1], &gltf) != napi_ok) {
            return false;
        }
        convention_ = gltf ? Convention::gltf : Convention::id;
        return true;
    }

    bool run() {
        this->kernel(this->lists.template at<To>(0), this->lists.template at<const From>(1), this->count, convention_);
        return true;
    }

private:
    Convention convention_;
};

/// (jointMats, parents, firstJoint, lastJoint | -3)
template <Order order>
struct JobOf<Skeleton<order>> : Job<Skeleton<order>, FloatLists<kFloatsOf<JointMat>>, NoParameter> {
    static constexpr size_t kOptions = 3;

    bool parseOptions(napi_env env, const napi_value* options, const Kernels&, int*) {
        if (!readInts(env, options[0], &parents_) || !readInt(env, options[1], 0, &firstJoint_) ||
            !readInt(env, options[2], kUpToLast, &lastJoint_)) {
            return false;
        }
        copy_ = nullptr;
        if (lastJoint_ == kUpToLast) {
            int joints = kAll;
            if (!this->lists.resolveCount(&joints)) {
                return false;
            }
            lastJoint_ = joints - 1;
        }
        if (lastJoint_ < -1) {
            return false;
        }
        return isEmpty() || (this->lists.haveRoom(used()) && parents_.length >= used() &&
                             this->lists.areSeparateFrom({parents_.data, used() * sizeof(int32_t)}, used()));
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
        const SkeletonRun skeleton = {this->kernel, this->lists.template at<JointMat>(0), parents_.data};
        if (copy_ != nullptr) {
            runSkeletonOn<order>(copy_, copyHasRoots_, skeleton, firstJoint_, lastJoint_);
            return true;
        }
        return runSkeleton<order>(skeleton, firstJoint_, lastJoint_);
    }

    bool wouldRun() const { return isEmpty() || scanParents(parents_.data, firstJoint_, lastJoint_); }

private:
    /// TypeScript passes this for "up to the last joint that the buffer holds"; -1 already means "none".
    static constexpr int kUpToLast = -3;

    bool isEmpty() const { return firstJoint_ > lastJoint_; }

    View<const int32_t> parents_;
    const int* copy_;
    bool copyHasRoots_;
    int firstJoint_;
    int lastJoint_;
};

} // namespace poselane
