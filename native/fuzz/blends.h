// SPDX-License-Identifier: MIT
//
// The routines that blend quaternions and joints.
#pragma once

#include "kernel_case.h"
#include "reference.h"

namespace poselane {

namespace {

constexpr size_t kQuatFloats = 4;

/// How far Eberly's polynomial of 1 ... 16 terms is off slerp, at most: the norm of the difference
/// (docs/tables/eberly.md). Samples stay a little below it, until a fuzzer looks for it.
constexpr double kEberly[] = {4.246e-2, 1.178e-2, 3.908e-3, 1.424e-3, 5.496e-4, 2.208e-4, 9.124e-5, 3.856e-5,
                              1.658e-5, 7.231e-6, 3.191e-6, 1.422e-6, 6.386e-7, 2.89e-7,  1.316e-7, 6.027e-8};
/// Error added by float32: twice the error with 16 terms in docs/numerics.md, which is nearly all rounding.
constexpr double kEberlyRounding = 3.5e-7;

/// Fills a list and its partner with quaternions, `stride` floats apart, and what is between them.
void drawPairs(Input& input, bool sane, float* a, float* b, size_t count, size_t stride) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    const bool rotations = sane || input.oneIn(4);
    const float scale = sane || input.oneIn(2) ? 1.0f : 0.5f + 2.5f * input.unit();
    for (size_t i = 0; i < count; i++) {
        float* const at = a + i * stride;
        float* const partner = b + i * stride;
        if (rotations) {
            drawRotation(input, at);
            drawPartner(input, at, partner);
            for (int k = 0; k < 4; k++) {
                at[k] *= scale;
            }
        } else {
            drawFloats(input, numbers, at, 4);
            drawFloats(input, numbers, partner, 4);
        }
        const Numbers between = sane ? Numbers::around0 : numbers;
        drawFloats(input, between, at + 4, stride - 4);
        drawFloats(input, between, partner + 4, stride - 4);
    }
}

void makeJoints(Input& input, Case& call) {
    call.sane = input.oneIn(3);
    call.t = call.sane ? drawUsualTime(input) : drawTime(input);
    call.count = drawCount(input);
    const size_t joints = static_cast<size_t>(drawIndex(input, call.count, call));
    float* const destination = call.start(0, joints * kJointFloats);
    float* const blend = call.start(1, joints * kJointFloats);
    drawPairs(input, call.sane, destination, blend, joints, kJointFloats);
    if (input.oneIn(8)) {
        call.share(1, 0);
    }
}

void makeJointsPerJoint(Input& input, Case& call) {
    makeJoints(input, call);
    const size_t joints = call.lists[0].values.size() / kJointFloats;
    float* const times = call.start(2, joints);
    for (size_t i = 0; i < joints; i++) {
        times[i] = call.sane ? drawUsualTime(input) : drawTime(input);
    }
}

void makeNormalize(Input& input, Case& call) {
    makeJoints(input, call);
    call.listCount = 1;
    const float scale = 0.5f + 2.5f * input.unit();
    for (size_t i = 0; call.sane && i < call.lists[0].values.size(); i += kJointFloats) {
        for (size_t k = 0; k < 4; k++) {
            *call.lists[0].at(i + k) *= scale;
        }
    }
}

void makeQuats(Input& input, Case& call) {
    call.sane = input.oneIn(3);
    call.hasIndex = false;
    call.t = call.sane ? drawUsualTime(input) : drawTime(input);
    call.terms = 1 + input.choice(16);
    call.count = drawCount(input);
    const size_t floats = static_cast<size_t>(call.count) * kQuatFloats;
    drawFloats(input, Numbers::anyBits, call.start(0, floats), floats);
    float* const from = call.start(1, floats);
    float* const to = call.start(2, floats);
    drawPairs(input, call.sane, from, to, static_cast<size_t>(call.count), kQuatFloats);
    const int shared = input.choice(8);
    if (shared == 1 || shared == 3) {
        call.lists[0].values = call.lists[1].values;
        call.share(1, 0);
    }
    if (shared == 2) {
        call.lists[0].values = call.lists[2].values;
    }
    if (shared == 2 || shared == 3) {
        call.share(2, 0);
    }
}

void makeQuatsPerQuat(Input& input, Case& call) {
    makeQuats(input, call);
    float* const times = call.start(3, static_cast<size_t>(call.count));
    for (int i = 0; i < call.count; i++) {
        times[i] = call.sane ? drawUsualTime(input) : drawTime(input);
    }
}

/// The pair is `from` and `to`, of one quaternion each.
void makeQuatTimes(Input& input, Case& call) {
    makeQuatsPerQuat(input, call);
    const size_t floats = static_cast<size_t>(call.count) * kQuatFloats;
    drawFloats(input, Numbers::anyBits, call.start(0, floats), floats);
    drawPairs(input, call.sane, call.start(1, kQuatFloats), call.start(2, kQuatFloats), 1, kQuatFloats);
}

double blendBound(const Case& call, const Kernels& kernels, const char* routine) {
    if (isOf(kernels.name, "eberly/")) {
        // The arc cosine of a dot product that rounding has made 1 is 0.
        return strcmp(routine, "slerp") == 0 ? 1e-3 : kEberly[call.terms - 1] + kEberlyRounding;
    }
    // As published, with a reciprocal square root that is off by 1.75e-3.
    return strcmp(routine, "slerpOptimized") == 0 ? 3.51e-3 : usualBound(kernels.name);
}

Interpolation kindOf(const char* routine) { return *routine == 'l' ? Interpolation::lerp : Interpolation::slerp; }

void judgeJoints(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    const Interpolation kind = kindOf(routine);
    const bool perJoint = call.listCount == 3;
    for (int i = 0; i < call.count; i++) {
        const size_t joint = static_cast<size_t>(call.indexAt(i));
        const float* const from = call.list(0).at(joint * kJointFloats);
        const float* const to = call.list(1).at(joint * kJointFloats);
        const double t = perJoint ? *call.list(2).at(joint) : call.t;
        const float* const actual = result + joint * kJointFloats;
        expectWithin(blendError(kind, from, to, t, actual), blendBound(call, kernels, routine), kernels.name, routine,
                     static_cast<int>(joint));
        for (int k = 4; k < 7; k++) {
            const double right = (1.0 - t) * static_cast<double>(from[k]) + t * static_cast<double>(to[k]);
            const double size = fmax(fmax(fabs(from[k]), fabs(to[k])), 1e-30);
            expectWithin(greatestOff(actual + k, &right, 1) / size, 1e-6, kernels.name, routine,
                         static_cast<int>(joint));
        }
    }
}

void judgeQuats(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    const Interpolation kind = kindOf(routine);
    const bool perQuat = call.listCount == 4;
    const bool onePair = strcmp(routine, "slerpQuatTimes") == 0;
    for (int i = 0; i < call.count; i++) {
        const size_t element = static_cast<size_t>(i);
        const size_t pair = onePair ? 0 : element * kQuatFloats;
        const double t = perQuat ? *call.list(3).at(element) : call.t;
        const double error =
            blendError(kind, call.list(1).at(pair), call.list(2).at(pair), t, result + element * kQuatFloats);
        expectWithin(error, blendBound(call, kernels, routine), kernels.name, routine, i);
    }
}

void judgeNormalized(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    for (int i = 0; i < call.count; i++) {
        const size_t joint = static_cast<size_t>(call.indexAt(i));
        const float* const q = call.list(0).at(joint * kJointFloats);
        double right[4], square = 0.0;
        for (int k = 0; k < 4; k++) {
            square += static_cast<double>(q[k]) * static_cast<double>(q[k]);
        }
        for (int k = 0; k < 4; k++) {
            right[k] = q[k] / sqrt(square);
        }
        expectWithin(greatestOff(result + joint * kJointFloats, right, 4), usualBound(kernels.name), kernels.name,
                     routine, static_cast<int>(joint));
    }
}

Quaternion* quats(float* list) { return reinterpret_cast<Quaternion*>(list); }

int termsOf(const Kernels& kernels, const Case& call) { return kernels.maxTerms == 0 ? 0 : call.terms; }

} // namespace

template <> struct Cases<BlendJoints> {
    static void make(const char*, Input& input, Case& call) { makeJoints(input, call); }
    static void run(BlendJoints::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int* numbers) {
        kernel(jointQuats(lists[0]), jointQuats(lists[1]), call.t, numbers, call.count);
    }
    static constexpr auto judge = judgeJoints;
};

template <> struct Cases<BlendJointsPerJoint> {
    static void make(const char*, Input& input, Case& call) { makeJointsPerJoint(input, call); }
    static void run(BlendJointsPerJoint::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int* numbers) {
        kernel(jointQuats(lists[0]), jointQuats(lists[1]), lists[2], numbers, call.count);
    }
    static constexpr auto judge = judgeJoints;
};

template <> struct Cases<ChangeJoints> {
    static void make(const char*, Input& input, Case& call) { makeNormalize(input, call); }
    static void run(ChangeJoints::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int* numbers) {
        kernel(jointQuats(lists[0]), numbers, call.count);
    }
    static constexpr auto judge = judgeNormalized;
};

template <> struct Cases<BlendQuats> {
    static void make(const char*, Input& input, Case& call) { makeQuats(input, call); }
    static void run(BlendQuats::Kernel kernel, const Kernels& kernels, const Case& call, float* const* lists,
                    const int*) {
        kernel(quats(lists[0]), quats(lists[1]), quats(lists[2]), call.t, call.count, termsOf(kernels, call));
    }
    static constexpr auto judge = judgeQuats;
};

template <> struct Cases<BlendQuatsPerQuat> {
    static void make(const char*, Input& input, Case& call) { makeQuatsPerQuat(input, call); }
    static void run(BlendQuatsPerQuat::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int*) {
        kernel(quats(lists[0]), quats(lists[1]), quats(lists[2]), lists[3], call.count);
    }
    static constexpr auto judge = judgeQuats;
};

template <> struct Cases<BlendQuatTimes> {
    static void make(const char*, Input& input, Case& call) { makeQuatTimes(input, call); }
    static void run(BlendQuatTimes::Kernel kernel, const Kernels& kernels, const Case& call, float* const* lists,
                    const int*) {
        kernel(quats(lists[0]), *quats(lists[1]), *quats(lists[2]), lists[3], call.count, termsOf(kernels, call));
    }
    static constexpr auto judge = judgeQuats;
};

} // namespace poselane
