// SPDX-License-Identifier: MIT
//
// Ticks (TSC) per element of the blend kernels, every instruction set in turn, beside the paper's SSE listing and plain
// C++ over libm. See README.md for how to build it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <random>
#include <vector>
#include <x86intrin.h>

#include "../../../native/isa/isa.h"
#include "../../../native/papers/papers.h"

using namespace poselane;

namespace {

void slerpJointsLibm(JointQuat* joints, const JointQuat* blendJoints, float t, const int*, int numJoints) {
    for (int i = 0; i < numJoints; i++) {
        const Quaternion a = joints[i].q;
        const Quaternion b = blendJoints[i].q;
        float c = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        float sign = 1.0f;
        if (c < 0.0f) {
            c = -c;
            sign = -1.0f;
        }
        float s0 = 1.0f - t;
        float s1 = t;
        if (1.0f - c > 1e-6f) {
            const float omega = acosf(c);
            const float scale = 1.0f / sqrtf(1.0f - c * c);
            s0 = sinf((1.0f - t) * omega) * scale;
            s1 = sinf(t * omega) * scale;
        }
        s1 *= sign;
        joints[i].q = {s0 * a.x + s1 * b.x, s0 * a.y + s1 * b.y, s0 * a.z + s1 * b.z, s0 * a.w + s1 * b.w};
        const Vec4 p = joints[i].t;
        const Vec4 q = blendJoints[i].t;
        joints[i].t = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z), p.w + t * (q.w - p.w)};
    }
}

struct Data {
    std::vector<float> memory;
    JointQuat* joints;
    JointQuat* blends;
    JointQuat* start;
    float* lerps;
    std::vector<int> index;
};

float* aligned(float*& p, size_t floats) {
    p = reinterpret_cast<float*>((reinterpret_cast<size_t>(p) + 63) & ~size_t(63));
    float* const result = p;
    p += floats;
    return result;
}

void randomJoint(std::mt19937& random, JointQuat& j) {
    std::normal_distribution<float> normal;
    float q[4];
    float n = 0;
    for (float& x : q) {
        x = normal(random);
        n += x * x;
    }
    n = 1.0f / sqrtf(n);
    j.q = {q[0] * n, q[1] * n, q[2] * n, q[3] * n};
    j.t = {normal(random), normal(random), normal(random), 0.0f};
}

Data makeData(int count, int edges) {
    std::mt19937 random(1);
    Data d;
    d.memory.resize(static_cast<size_t>(count) * 26 + 256);
    float* p = d.memory.data();
    d.joints = reinterpret_cast<JointQuat*>(aligned(p, static_cast<size_t>(count) * 8));
    d.blends = reinterpret_cast<JointQuat*>(aligned(p, static_cast<size_t>(count) * 8));
    d.start = reinterpret_cast<JointQuat*>(aligned(p, static_cast<size_t>(count) * 8));
    d.lerps = aligned(p, static_cast<size_t>(count));
    for (int i = 0; i < count; i++) {
        randomJoint(random, d.start[i]);
        randomJoint(random, d.blends[i]);
        d.joints[i] = d.start[i];
        d.index.push_back(i);
        const unsigned kind = random() % 8;
        d.lerps[i] = kind >= static_cast<unsigned>(edges) ? static_cast<float>(random() % 1000 + 1) / 1002.0f
                                                          : static_cast<float>(kind & 1);
    }
    return d;
}

struct Case {
    const char* kernel;
    const char* isa;
    void (*run)(const Kernels& k, Data& d, int count, float t);
    const Kernels* table;
    std::vector<double> samples;
};

const Kernels kPaper = [] {
    Kernels k = {};
    k.name = "paper/sse";
    k.slerpJoints = paper_sse::SlerpJoints;
    k.lerpJoints = paper_sse::LerpJoints;
    return k;
}();
const Kernels kLibm = [] {
    Kernels k = {};
    k.name = "libm";
    k.slerpJoints = slerpJointsLibm;
    return k;
}();

Quaternion* quats(JointQuat* joints) { return reinterpret_cast<Quaternion*>(joints); }

void runSlerp(const Kernels& k, Data& d, int n, float t) { k.slerpJoints(d.joints, d.blends, t, nullptr, n); }
void runSlerpIndex(const Kernels& k, Data& d, int n, float t) {
    k.slerpJoints(d.joints, d.blends, t, d.index.data(), n);
}
void runLerp(const Kernels& k, Data& d, int n, float t) { k.lerpJoints(d.joints, d.blends, t, nullptr, n); }
void runLerpIndex(const Kernels& k, Data& d, int n, float t) { k.lerpJoints(d.joints, d.blends, t, d.index.data(), n); }
void runPerJoint(const Kernels& k, Data& d, int n, float) {
    k.slerpJointsPerJoint(d.joints, d.blends, d.lerps, nullptr, n);
}
void runPerJointIndex(const Kernels& k, Data& d, int n, float) {
    k.slerpJointsPerJoint(d.joints, d.blends, d.lerps, d.index.data(), n);
}
void runNormalize(const Kernels& k, Data& d, int n, float) { k.normalizeJoints(d.joints, nullptr, n); }
void runSlerpQuats(const Kernels& k, Data& d, int n, float t) {
    k.slerpQuats(quats(d.joints), quats(d.start), quats(d.blends), t, n, 0);
}
void runLerpQuats(const Kernels& k, Data& d, int n, float t) {
    k.lerpQuats(quats(d.joints), quats(d.start), quats(d.blends), t, n, 0);
}
void runPerQuat(const Kernels& k, Data& d, int n, float) {
    k.slerpQuatsPerQuat(quats(d.joints), quats(d.start), quats(d.blends), d.lerps, n);
}
void runTimes(const Kernels& k, Data& d, int n, float) {
    k.slerpQuatTimes(quats(d.joints), d.start[0].q, d.blends[0].q, d.lerps, n, 0);
}

} // namespace

/// bench [count] [kernel, or all] [eighths of the lerps that are 0 or 1] [t, or 0 for both halves] [seconds]
int main(int argc, char** argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 1024;
    const char* const only = argc > 2 ? argv[2] : "all";
    const int edges = argc > 3 ? atoi(argv[3]) : 0;
    const double t = argc > 4 ? atof(argv[4]) : 0.0;
    const double seconds = argc > 5 ? atof(argv[5]) : 3.0;

    Data d = makeData(count, edges);
    const Kernels* const tables[] = {&kStrictScalar, &kStrictSse2, &kStrictAvx2,
                                     &kStrictAvx512, &kFastAvx2,   &kFastAvx512};
    const struct {
        const char* name;
        void (*run)(const Kernels&, Data&, int, float);
    } kernels[] = {{"slerpJoints", runSlerp},
                   {"slerpJoints-index", runSlerpIndex},
                   {"slerpJointsPerJoint", runPerJoint},
                   {"slerpJointsPerJoint-index", runPerJointIndex},
                   {"lerpJoints", runLerp},
                   {"lerpJoints-index", runLerpIndex},
                   {"normalizeJoints", runNormalize},
                   {"slerpQuats", runSlerpQuats},
                   {"slerpQuatsPerQuat", runPerQuat},
                   {"slerpQuatTimes", runTimes},
                   {"lerpQuats", runLerpQuats}};
    std::vector<Case> cases;
    for (const auto& kernel : kernels) {
        if (strcmp(only, "all") != 0 && strcmp(only, kernel.name) != 0) {
            continue;
        }
        for (const Kernels* table : tables) {
            cases.push_back({kernel.name, table->name, kernel.run, table, {}});
        }
        if (strcmp(kernel.name, "slerpJoints") == 0) {
            cases.push_back({kernel.name, kPaper.name, runSlerpIndex, &kPaper, {}});
            cases.push_back({kernel.name, kLibm.name, runSlerp, &kLibm, {}});
        }
        if (strcmp(kernel.name, "lerpJoints") == 0) {
            cases.push_back({kernel.name, kPaper.name, runLerpIndex, &kPaper, {}});
        }
    }

    const int repeats = std::max(1, 4096 / std::max(1, count));
    const unsigned long long end = __rdtsc() + static_cast<unsigned long long>(seconds * 2.596e9);
    for (int round = 0; round < 20 || __rdtsc() < end; round++) {
        for (Case& c : cases) {
            memcpy(d.joints, d.start, static_cast<size_t>(count) * sizeof(JointQuat));
            c.run(*c.table, d, count, 0.25f);
            unsigned aux;
            const unsigned long long begin = __rdtscp(&aux);
            for (int i = 0; i < repeats; i++) {
                c.run(*c.table, d, count, t != 0.0 ? static_cast<float>(t) : i & 1 ? 0.3f : 0.7f);
            }
            const unsigned long long ticks = __rdtscp(&aux) - begin;
            c.samples.push_back(static_cast<double>(ticks) / repeats / count);
        }
    }
    for (Case& c : cases) {
        std::sort(c.samples.begin(), c.samples.end());
        const double minimum = c.samples.front();
        printf("%-26s %-14s N=%-5d min %6.2f  median %6.2f ticks an element, min %7.1f ns a call\n", c.kernel, c.isa,
               count, minimum, c.samples[c.samples.size() / 2], minimum * count / 2.596);
    }
}
