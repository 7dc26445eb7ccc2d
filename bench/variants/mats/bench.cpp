// SPDX-License-Identifier: MIT
//
// Ticks of the time stamp counter per joint, of the routines on matrices: minimum and median over many rounds in which
// all implementations take turns. README.md says how to build it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include <x86intrin.h>

#include "../../../native/isa/isa.h"
#include "../../../native/papers/papers.h"

#ifdef POSELANE_MATS_VARIANTS
#include "variants.h"
#endif

using namespace poselane;

namespace {

const Kernels kPaperSse = [] {
    Kernels k = {};
    k.name = "paper/sse";
    k.convertJointQuatsToJointMats = paper_sse::ConvertJointQuatsToJointMats;
    k.convertJointMatsToJointQuats = paper_sse::ConvertJointMatsToJointQuats;
    k.transformSkeleton = paper_sse::TransformSkeleton;
    k.untransformSkeleton = paper_sse::UntransformSkeleton;
    k.transformJoints = paper_sse::TransformJoints;
    return k;
}();

/// 64 joints, in the usual order: every limb is followed to its end before the next.
std::vector<int> humanoid() {
    std::vector<int> parents = {0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6}; // hips, three of spine, neck, head and what is on it
    const auto chain = [&](int parent, int joints) {
        for (int i = 0; i < joints; i++) {
            parents.push_back(parent);
            parent = static_cast<int>(parents.size()) - 1;
        }
        return parent;
    };
    for (int side = 0; side < 2; side++) {
        const int hand = chain(4, 4);
        chain(hand - 2, 1); // twist
        chain(hand - 1, 1);
        for (int finger = 0; finger < 5; finger++) {
            chain(hand, 3);
        }
        if (side == 1) {
            chain(hand, 1); // what it holds
        }
    }
    chain(1, 5);
    chain(1, 5);
    return parents;
}

struct Lists {
    std::vector<JointQuat> quats;
    std::vector<JointMat> mats, mats2, result;
};

float random(float low, float high) { return low + (high - low) * (rand() / static_cast<float>(RAND_MAX)); }

Lists randomLists(int n) {
    Lists lists;
    lists.quats.resize(n);
    lists.mats.resize(n);
    lists.mats2.resize(n);
    lists.result.resize(n);
    for (JointQuat& joint : lists.quats) {
        float q[4], length = 0;
        for (float& x : q) {
            x = random(-1, 1);
            length += x * x;
        }
        length = __builtin_sqrtf(length);
        joint = {{q[0] / length, q[1] / length, q[2] / length, q[3] / length},
                 {random(-1, 1), random(-1, 1), random(-1, 1), 0}};
    }
    kStrictScalar.convertJointQuatsToJointMats(lists.mats.data(), lists.quats.data(), n, Convention::gltf);
    std::reverse_copy(lists.mats.begin(), lists.mats.end(), lists.mats2.begin());
    return lists;
}

struct Timings {
    std::vector<double> ticks;
    void print(const char* name) {
        if (ticks.empty()) {
            return;
        }
        std::sort(ticks.begin(), ticks.end());
        printf("  %-28s %6.2f %6.2f\n", name, ticks.front(), ticks[ticks.size() / 2]);
    }
};

template <class Prepare, class Call> double ticksOf(int calls, Prepare prepare, Call call) {
    prepare();
    unsigned aux;
    _mm_lfence();
    const unsigned long long start = __rdtsc();
    for (int i = 0; i < calls; i++) {
        call(i);
    }
    return static_cast<double>(__rdtscp(&aux) - start);
}

/// A call for nothing costs this, whatever is measured.
double emptyTicks() {
    double least = 1e9;
    for (int i = 0; i < 1000; i++) {
        least = std::min(least, ticksOf(
                                    0, [] {}, [](int) {}));
    }
    return least;
}

using Implementations = std::vector<const Kernels*>;

template <class Measure>
void compare(const char* title, const Implementations& implementations, int rounds, Measure measure) {
    std::vector<Timings> timings(implementations.size());
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < implementations.size(); i++) {
            const double ticks = measure(*implementations[i]);
            if (ticks > 0) {
                timings[i].ticks.push_back(ticks);
            }
        }
    }
    printf("%s: min, median\n", title);
    for (size_t i = 0; i < implementations.size(); i++) {
        timings[i].print(implementations[i]->name);
    }
}

} // namespace

int main(int argc, char** argv) {
    Implementations all = {&kPaperSse,     &kStrictScalar, &kStrictSse2, &kStrictAvx2,
                           &kStrictAvx512, &kFastAvx2,     &kFastAvx512};
#ifdef POSELANE_MATS_VARIANTS
    for (const Kernels& variant : kVariants) {
        all.push_back(&variant);
    }
#endif
    const char* only = argc > 1 ? argv[1] : "";
    const int rounds = argc > 2 ? atoi(argv[2]) : 1000;
    const double empty = emptyTicks();
    char title[100];

    for (const int n : {1, 15, 64, 1024}) {
        Lists lists = randomLists(n);
        const int calls = std::max(1, 1024 / n);
        const auto perJoint = [&](double ticks) { return (ticks - empty) / calls / n; };
        if (strstr("quatsToMats", only) != nullptr) {
            snprintf(title, sizeof(title), "quatsToMats, %d", n);
            compare(title, all, rounds, [&](const Kernels& k) {
                const auto call = [&](int) {
                    k.convertJointQuatsToJointMats(lists.result.data(), lists.quats.data(), n, Convention::gltf);
                };
                return k.convertJointQuatsToJointMats ? perJoint(ticksOf(
                                                            calls, [&] { call(0); }, call))
                                                      : 0.0;
            });
        }
        if (strstr("matsToQuats", only) != nullptr) {
            snprintf(title, sizeof(title), "matsToQuats, %d", n);
            compare(title, all, rounds, [&](const Kernels& k) {
                const auto call = [&](int) {
                    k.convertJointMatsToJointQuats(lists.quats.data(), lists.mats.data(), n, Convention::gltf);
                };
                return k.convertJointMatsToJointQuats ? perJoint(ticksOf(
                                                            calls, [&] { call(0); }, call))
                                                      : 0.0;
            });
        }
        if (strstr("joints", only) != nullptr) {
            snprintf(title, sizeof(title), "joints, %d", n);
            compare(title, all, rounds, [&](const Kernels& k) {
                const auto call = [&](int) {
                    k.transformJoints(lists.result.data(), lists.mats.data(), lists.mats2.data(), n);
                };
                return k.transformJoints ? perJoint(ticksOf(
                                               calls, [&] { call(0); }, call))
                                         : 0.0;
            });
        }
    }

    const std::vector<int> parents = humanoid();
    const int n = static_cast<int>(parents.size());
    constexpr int kSkeletons = 8; // fit into the first cache
    Lists lists = randomLists(kSkeletons * n);
    const auto prepare = [&] { memcpy(lists.result.data(), lists.mats.data(), kSkeletons * n * sizeof(JointMat)); };
    const auto perJoint = [&](double ticks) { return (ticks - empty) / kSkeletons / (n - 1); };
    for (const bool inverse : {false, true}) {
        const char* name = inverse ? "untransformSkeleton" : "transformSkeleton";
        if (strstr(name, only) == nullptr) {
            continue;
        }
        snprintf(title, sizeof(title), "%s, humanoid of %d", name, n);
        compare(title, all, rounds, [&](const Kernels& k) {
            const auto routine = inverse ? k.untransformSkeleton : k.transformSkeleton;
            const auto call = [&](int i) { routine(lists.result.data() + i * n, parents.data(), 1, n - 1); };
            return routine ? perJoint(ticksOf(kSkeletons, prepare, call)) : 0.0;
        });
    }
    return 0;
}
