// SPDX-License-Identifier: MIT
//
// ozz-animation beside the Rig: skeleton, number of keys, clips and times are those of run.mjs, the values are other
// random ones. Each pose has its own sampling context, as ozz recommends, and clips have snapshots every 0.25 s, which
// help where clips change. Prints JSON for `run.mjs --ozz`.
//
//     git clone --depth 1 --branch 0.16.0 https://github.com/guillaumeblanc/ozz-animation ozz
//     g++ -std=c++17 -O3 -march=native -DNDEBUG -w -Iozz/include -Iozz/src -o ozz-bench bench/rig/ozz.cpp
//         ozz/src/base/*.cc ozz/src/base/*/*.cc ozz/src/animation/runtime/*.cc
//         ozz/src/animation/offline/{raw_animation,raw_animation_utils,raw_skeleton,skeleton_builder,animation_builder}.cc
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "ozz/animation/offline/animation_builder.h"
#include "ozz/animation/offline/raw_animation.h"
#include "ozz/animation/offline/raw_skeleton.h"
#include "ozz/animation/offline/skeleton_builder.h"
#include "ozz/animation/runtime/animation.h"
#include "ozz/animation/runtime/local_to_model_job.h"
#include "ozz/animation/runtime/sampling_job.h"
#include "ozz/animation/runtime/skeleton.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/soa_transform.h"
#include "ozz/base/memory/unique_ptr.h"

namespace {

using namespace ozz;
using namespace ozz::animation;

constexpr int kJoints = 64, kKeys = 61, kClips = 76, kRounds = 200;
constexpr double kDuration = (kKeys - 1) / 30.0;

float random(float size) {
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return size * (static_cast<float>(state) / 2147483648.0f - 1);
}

math::Float3 randomVector(float center, float size) {
    return {center + random(size), center + random(size), center + random(size)};
}

void addChildren(int parent, offline::RawSkeleton::Joint::Children& children) {
    for (int i = parent + 1; i < kJoints; i++) {
        if ((i == 0 ? -1 : i % 5 == 0 ? i / 2 : i - 1) == parent) {
            children.emplace_back();
            children.back().transform = math::Transform::identity();
            addChildren(i, children.back().children);
        }
    }
}

unique_ptr<Animation> createClip() {
    offline::RawAnimation raw;
    raw.duration = static_cast<float>(kDuration);
    raw.tracks.resize(kJoints);
    for (auto& track : raw.tracks) {
        for (int key = 0; key < kKeys; key++) {
            const float time = static_cast<float>(key) / 30;
            const math::Float3 axis = randomVector(0, 1.5f);
            const math::Quaternion rotation(axis.x, axis.y, axis.z, 1);
            track.translations.push_back({time, randomVector(0, 1)});
            track.rotations.push_back({time, math::Normalize(rotation)});
            track.scales.push_back({time, randomVector(1, 0.1f)});
        }
    }
    offline::AnimationBuilder build;
    build.iframe_interval = 0.25f;
    return build(raw);
}

struct Pose {
    SamplingJob::Context context{kJoints};
    std::vector<math::SoaTransform> locals = std::vector<math::SoaTransform>(kJoints / 4);
    std::vector<math::Float4x4> globals = std::vector<math::Float4x4>(kJoints);
};

void check(bool done) {
    if (!done) {
        std::abort();
    }
}

} // namespace

int main() {
    offline::RawSkeleton raw;
    addChildren(-1, raw.roots);
    const unique_ptr<Skeleton> skeleton = offline::SkeletonBuilder()(raw);
    std::vector<unique_ptr<Animation>> clips;
    for (int i = 0; i < kClips; i++) {
        clips.push_back(createClip());
    }
    const std::vector<math::Float4x4> binds(kJoints, math::Float4x4::identity());

    struct Mix {
        const char* poses;
        int count, perPose, perCall;
    };
    const char* separator = "[";
    for (const Mix& mix : {Mix{"1 pose", 1, 0, 0}, Mix{"64 poses", 64, 0, 0}, Mix{"200 poses", 200, 0, 0},
                           Mix{"200 poses, 76 clips", 200, 29, 0}, Mix{"200 poses, 76 clips, jumping", 200, 29, 37}}) {
        std::vector<std::unique_ptr<Pose>> poses;
        for (int i = 0; i < mix.count; i++) {
            poses.push_back(std::make_unique<Pose>());
        }
        std::vector<math::Float4x4> palettes(static_cast<size_t>(mix.count) * kJoints);
        std::vector<double> times;
        const int calls = std::max(1, 400 / mix.count);
        for (int round = 0, call = 0; round < kRounds; round++) {
            const auto start = std::chrono::steady_clock::now();
            for (const int end = call + calls; call < end; call++) {
                for (int i = 0; i < mix.count; i++) {
                    Pose& pose = *poses[i];
                    const double first = std::fmod(i * 0.6180339887, 1) * kDuration;
                    SamplingJob sample;
                    sample.animation = clips[(i * mix.perPose + call * mix.perCall) % kClips].get();
                    sample.context = &pose.context;
                    sample.ratio = static_cast<float>(std::fmod(first + call / 60.0, kDuration) / kDuration);
                    sample.output = make_span(pose.locals);
                    check(sample.Run());
                    LocalToModelJob toGlobal;
                    toGlobal.skeleton = skeleton.get();
                    toGlobal.input = make_span(pose.locals);
                    toGlobal.output = make_span(pose.globals);
                    check(toGlobal.Run());
                    for (int joint = 0; joint < kJoints; joint++) {
                        palettes[i * kJoints + joint] = pose.globals[joint] * binds[joint];
                    }
                }
            }
            const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
            times.push_back(taken.count() / (calls * mix.count * kJoints));
        }
        std::sort(times.begin(), times.end());
        std::printf(
            "%s{\"name\":\"ozz-animation 0.16\",\"poses\":\"%s\",\"nanoseconds\":{\"min\":%.4f,\"median\":%.4f}}",
            separator, mix.poses, times.front(), times[times.size() / 2]);
        separator = ",\n";
    }
    std::puts("]");
}
