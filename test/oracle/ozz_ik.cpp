// SPDX-License-Identifier: MIT
//
// Limbs and aims that ozz-animation 0.16 solves, as JSON for test/rig/ozz-ik.test.ts. Its axis of the middle joint is
// at right angles to both bones, and no target is at an edge of what it defines.
//
//     git clone --depth 1 --branch 0.16.0 https://github.com/guillaumeblanc/ozz-animation ozz
//     g++ -std=c++17 -O2 -w -Iozz/include -Iozz/src -o ozz-ik test/oracle/ozz_ik.cpp ozz/src/base/*.cc
//         ozz/src/base/*/*.cc ozz/src/animation/runtime/{ik_two_bone_job,ik_aim_job}.cc
//     ./ozz-ik > test/oracle/ozz-ik.json
#include <cmath>
#include <cstdio>

#include "ozz/animation/runtime/ik_aim_job.h"
#include "ozz/animation/runtime/ik_two_bone_job.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/simd_quaternion.h"

namespace {

using namespace ozz::math;

float random(float size) {
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return size * (static_cast<float>(state) / 2147483648.0f - 1);
}

SimdFloat4 randomVector(float size) {
    const float x = random(size), y = random(size), z = random(size);
    return simd_float4::Load(x, y, z, 0.0f);
}

SimdQuaternion randomRotation() {
    const float x = random(1), y = random(1), z = random(1);
    return Normalize(SimdQuaternion{simd_float4::Load(x, y, z, random(1))});
}

void print(const char* name, SimdFloat4 v, int count) {
    float numbers[4];
    StorePtrU(v, numbers);
    printf(", \"%s\": [", name);
    for (int i = 0; i < count; i++) {
        printf(i == 0 ? "%.9g" : ", %.9g", numbers[i]);
    }
    printf("]");
}

float lengthOf(SimdFloat4 v) { return std::sqrt(GetX(Length3Sqr(v))); }

struct Joint {
    SimdFloat4 offset;
    SimdQuaternion rotation;

    Joint() : offset(randomVector(0.5f)), rotation(randomRotation()) {}
    Float4x4 below(const Float4x4& parent) const {
        return parent * Float4x4::FromAffine(offset, rotation.xyzw, simd_float4::one());
    }
    /// Translation 3, rotation 4, scale 3.
    void print(bool isFirst) const {
        float numbers[8];
        StorePtrU(offset, numbers);
        StorePtrU(rotation.xyzw, numbers + 3);
        printf(isFirst ? "[" : ", [");
        for (int i = 0; i < 7; i++) {
            printf("%.9g, ", numbers[i]);
        }
        printf("1, 1, 1]");
    }
};

void printLimb() {
    Joint joints[4];
    Float4x4 models[4];
    for (int i = 0; i < 4; i++) {
        models[i] = joints[i].below(i == 0 ? Float4x4::identity() : models[i - 1]);
    }
    const SimdFloat4 upper = models[2].cols[3] - models[1].cols[3], lower = models[3].cols[3] - models[2].cols[3];
    const Float4x4 intoMid = Invert(models[2]);
    ozz::animation::IKTwoBoneJob job;
    job.mid_axis = Normalize3(TransformVector(intoMid, Cross3(lower, upper)));
    if (random(1) < 0) {
        job.mid_axis = -job.mid_axis;
    }
    const float reach = lengthOf(upper) + lengthOf(lower);
    const SimdFloat4 way = Normalize3(randomVector(1));
    job.target = models[1].cols[3] + way * simd_float4::Load1(reach * (0.75f + random(0.7f)));
    job.pole_vector = Normalize3(randomVector(1));
    job.twist_angle = random(1) < 0 ? 0.0f : random(3);
    job.soften = random(1) < 0 ? 1.0f : 0.8f + random(0.15f);
    job.weight = random(1) < 0 ? 1.0f : 0.5f + random(0.5f);
    job.start_joint = models + 1;
    job.mid_joint = models + 2;
    job.end_joint = models + 3;
    SimdQuaternion start, mid;
    job.start_joint_correction = &start;
    job.mid_joint_correction = &mid;
    job.Run();
    printf("{\"joints\": [");
    for (int i = 0; i < 4; i++) {
        joints[i].print(i == 0);
    }
    printf("]");
    print("axis", job.mid_axis, 3);
    print("target", job.target, 3);
    print("pole", job.pole_vector, 3);
    printf(", \"twist\": %.9g, \"soften\": %.9g, \"weight\": %.9g", job.twist_angle, job.soften, job.weight);
    print("start", (joints[1].rotation * start).xyzw, 4);
    print("mid", (joints[2].rotation * mid).xyzw, 4);
    printf("}");
}

void printAim() {
    const Joint joints[2];
    const Float4x4 root = joints[0].below(Float4x4::identity()), model = joints[1].below(root);
    ozz::animation::IKAimJob job;
    job.forward = Normalize3(randomVector(1));
    job.up = Normalize3(randomVector(1));
    job.offset = randomVector(0.2f);
    job.pole_vector = Normalize3(randomVector(1));
    job.target = model.cols[3] + Normalize3(randomVector(1)) * simd_float4::Load1(3 + random(2));
    job.joint = &model;
    SimdQuaternion correction;
    job.joint_correction = &correction;
    job.Run();
    printf("{\"joints\": [");
    joints[0].print(true);
    joints[1].print(false);
    printf("]");
    print("forward", job.forward, 3);
    print("up", job.up, 3);
    print("offset", job.offset, 3);
    print("pole", job.pole_vector, 3);
    print("target", job.target, 3);
    print("rotation", (joints[1].rotation * correction).xyzw, 4);
    printf("}");
}

} // namespace

int main() {
    printf("{\"limbs\": [\n");
    for (int i = 0; i < 60; i++) {
        printf(i == 0 ? "" : ",\n");
        printLimb();
    }
    printf("],\n\"aims\": [\n");
    for (int i = 0; i < 30; i++) {
        printf(i == 0 ? "" : ",\n");
        printAim();
    }
    printf("]}\n");
}
