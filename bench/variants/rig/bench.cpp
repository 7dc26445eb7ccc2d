// SPDX-License-Identifier: MIT
//
// Ticks (TSC) per joint and pose of the Rig's kernels, every instruction set in turn: T + R + S tracks on every slot,
// one shared group of key times. See README.md for how to build it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <random>
#include <vector>
#include <x86intrin.h>

#include "../../../native/isa/isa.h"

using namespace poselane;

namespace {

constexpr int kSlots = 64;
constexpr int kKeys = 61;
constexpr int kClips = 8;

template <typename Element> Element* aligned(size_t count, size_t offset = 0) {
    char* memory = static_cast<char*>(aligned_alloc(64, (count * sizeof(Element) + offset + 127) / 64 * 64));
    memset(memory, 0, (count * sizeof(Element) + offset + 127) / 64 * 64);
    return reinterpret_cast<Element*>(memory + offset);
}

struct TestRig {
    std::vector<float> rest = std::vector<float>(kSlots * kLocalFloats), times, inverseBinds;
    std::vector<std::vector<float>> values;
    std::vector<Track> tracks;
    std::vector<int32_t> slots, parents, matrices;
    std::vector<KeyGroup> groups;
    std::vector<Clip> clips;
    RigView view = {};
    SlotsView slotsView = {};
    Workspace workspace = {};

    /// `groupCount`: the tracks take turns.
    explicit TestRig(int groupCount) {
        std::mt19937 engine(1);
        std::uniform_real_distribution<float> number(-1.0f, 1.0f);
        for (int i = 0; i < kSlots; i++) {
            slots.push_back(i);
            // A humanoid's hierarchy is about as deep.
            parents.push_back(i == 0 ? -1 : i % 5 == 0 ? i / 2 : i - 1);
            matrices.push_back(-1);
            rest[static_cast<size_t>(i) * kLocalFloats + 6] = 1.0f;
        }
        std::vector<int> rowFloats(static_cast<size_t>(groupCount));
        for (int i = 0; i < kSlots * kPaths; i++) {
            const int group = i % groupCount;
            tracks.push_back({group, kLinear, rowFloats[static_cast<size_t>(group)]});
            rowFloats[static_cast<size_t>(group)] += i % kPaths == 1 ? 4 : 3;
        }
        uint32_t firstFloat = 0;
        for (int group = 0; group < groupCount; group++) {
            const uint32_t floats = static_cast<uint32_t>(rowFloats[static_cast<size_t>(group)]);
            groups.push_back({static_cast<uint32_t>(group * kKeys), kKeys, firstFloat, floats});
            firstFloat += kKeys * floats;
            for (int key = 0; key < kKeys; key++) {
                times.push_back(static_cast<float>(key) / 30.0f);
            }
        }
        for (int clip = 0; clip < kClips; clip++) {
            std::vector<float> list(firstFloat + kValuesPadding);
            for (float& x : list) {
                x = number(engine);
            }
            values.push_back(list);
        }
        for (int clip = 0; clip < kClips; clip++) {
            clips.push_back({2.0f, groups.data(), times.data(), values[static_cast<size_t>(clip)].data(), tracks.data(),
                             nullptr, rest.data(), nullptr});
        }
        for (int i = 0; i < kSlots * kGlobalFloats; i++) {
            inverseBinds.push_back(number(engine));
        }
        view = {0, 0, rest.data(), nullptr, nullptr, nullptr, clips.data()};
        slotsView = {kSlots, slots.data(), parents.data(), matrices.data(), groupCount};
        workspace = {aligned<Located>(static_cast<size_t>(groupCount)), 0};
    }
};

constexpr size_t kBlockFloats = kSlots * (kLocalFloats + kGlobalFloats) * kPoses;
constexpr size_t kGlobals = kSlots * kLocalFloats * kPoses;

struct Poses {
    int count;
    size_t blocks;
    float* data;
    float* other;
    float* out;
    uint16_t* hints;
    std::vector<BlockTimes> times;

    Poses(int count, const TestRig& rig, int clips, size_t misalignment, bool random)
        : count(count), blocks(static_cast<size_t>(count + kPoses - 1) / kPoses),
          data(aligned<float>(blocks * kBlockFloats, misalignment)),
          other(aligned<float>(count <= 1024 ? blocks * kBlockFloats : 1, misalignment)),
          out(aligned<float>(static_cast<size_t>(count) * kSlots * 16, misalignment)),
          hints(aligned<uint16_t>(blocks * static_cast<size_t>(rig.slotsView.hintGroups) * kPoses)) {
        std::mt19937 engine(2);
        std::uniform_real_distribution<double> time(0.0, 2.0);
        for (size_t block = 0; block < blocks; block++) {
            BlockTimes at = {std::min(kPoses, count - static_cast<int>(block) * kPoses), {}, {}};
            for (int i = 0; i < at.poses; i++) {
                const int pose = static_cast<int>(block) * kPoses + i;
                at.clips[i] = pose % clips;
                at.times[i] = random ? time(engine) : 2.0 * pose / count;
            }
            times.push_back(at);
        }
    }
    ~Poses() {}
};

struct Step {
    const char* name;
    void (*run)(const RigKernels&, TestRig&, Poses&);
};

void evaluateAll(const RigKernels& kernels, TestRig& rig, Poses& poses) {
    for (size_t block = 0; block < poses.blocks; block++) {
        kernels.evaluate(rig.view, rig.slotsView, poses.data + block * kBlockFloats,
                         poses.hints + block * static_cast<size_t>(rig.slotsView.hintGroups) * kPoses,
                         poses.times[block], &rig.workspace);
    }
}
void toGlobalAll(const RigKernels& kernels, TestRig& rig, Poses& poses) {
    for (size_t block = 0; block < poses.blocks; block++) {
        kernels.toGlobal(rig.view, rig.slotsView, poses.data + block * kBlockFloats, poses.times[block].poses);
    }
}
template <bool mat4> void palettesAll(const RigKernels& kernels, TestRig& rig, Poses& poses) {
    for (size_t block = 0; block < poses.blocks; block++) {
        kernels.palettes(poses.data + block * kBlockFloats + kGlobals, poses.times[block].poses, rig.slots.data(),
                         rig.inverseBinds.data(), kSlots, poses.out + block * kPoses * kSlots * (mat4 ? 16 : 12), mat4);
    }
}
void jointsAll(const RigKernels& kernels, TestRig& rig, Poses& poses) {
    for (size_t block = 0; block < poses.blocks; block++) {
        kernels.joints(poses.data + block * kBlockFloats + kGlobals, poses.times[block].poses, rig.slots.data(), kSlots,
                       poses.out + block * kPoses * kSlots * 12, kSlots * 12);
    }
}
template <bool additive> void blendAll(const RigKernels& kernels, TestRig& rig, Poses& poses) {
    float weights[kPoses];
    for (int i = 0; i < kPoses; i++) {
        weights[i] = static_cast<float>(i) / kPoses;
    }
    for (size_t block = 0; block < poses.blocks; block++) {
        kernels.blend(rig.view, rig.slotsView, poses.other + block * kBlockFloats, poses.data + block * kBlockFloats,
                      poses.data + block * kBlockFloats, poses.times[block].poses, weights, nullptr, additive);
    }
}
void wholeAll(const RigKernels& kernels, TestRig& rig, Poses& poses) {
    evaluateAll(kernels, rig, poses);
    toGlobalAll(kernels, rig, poses);
    palettesAll<true>(kernels, rig, poses);
}

constexpr Step kSteps[] = {{"evaluate", evaluateAll},      {"toGlobal", toGlobalAll},   {"palettes", palettesAll<true>},
                           {"mat3x4", palettesAll<false>}, {"joints", jointsAll},       {"whole", wholeAll},
                           {"blend", blendAll<false>},     {"additive", blendAll<true>}};
constexpr size_t kStepCount = sizeof(kSteps) / sizeof(kSteps[0]);

void measure(const char* title, const std::vector<const RigKernels*>& tiers, int count, int groups, int clips,
             size_t misalignment, bool random, double seconds) {
    TestRig rig(groups);
    Poses poses(count, rig, clips, misalignment, random);
    const size_t steps = count <= 1024 ? kStepCount : kStepCount - 2;
    std::vector<double> samples[4][kStepCount];
    const uint64_t end = __rdtsc() + static_cast<uint64_t>(seconds * 2.596e9);
    const int repeat = std::max(1, 2048 / count);
    do {
        for (size_t tier = 0; tier < tiers.size(); tier++) {
            for (size_t step = 0; step < steps; step++) {
                const uint64_t start = __rdtsc();
                for (int i = 0; i < repeat; i++) {
                    kSteps[step].run(*tiers[tier], rig, poses);
                }
                samples[tier][step].push_back(static_cast<double>(__rdtsc() - start) / repeat / count / kSlots);
            }
        }
    } while (__rdtsc() < end);
    printf("%s: ticks per joint and pose, minimum (median)\n", title);
    for (size_t tier = 0; tier < tiers.size(); tier++) {
        printf("  %-14s", tiers[tier]->name);
        for (size_t step = 0; step < steps; step++) {
            std::vector<double>& list = samples[tier][step];
            std::sort(list.begin(), list.end());
            printf(" %s %.2f (%.2f)", kSteps[step].name, list[0], list[list.size() / 2]);
        }
        printf("\n");
    }
    free(reinterpret_cast<char*>(poses.data) - misalignment);
    free(reinterpret_cast<char*>(poses.other) - misalignment);
    free(reinterpret_cast<char*>(poses.out) - misalignment);
    free(poses.hints);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<const RigKernels*> tiers = {&kStrictAvx512Rig, &kStrictAvx2Rig, &kStrictSse2Rig, &kStrictScalarRig};
    if (argc > 1) {
        tiers.resize(static_cast<size_t>(atoi(argv[1])));
    }
    const double s = argc > 2 ? atof(argv[2]) : 1.0;
    measure("64 poses", tiers, 64, 1, 1, 0, false, s);
    measure("64 poses, 16 bytes off a line", tiers, 64, 1, 1, 16, false, s);
    measure("1 pose", tiers, 1, 1, 1, 0, false, s);
    measure("200 poses at random times", tiers, 200, 1, 1, 0, true, s);
    measure("200 poses at random times, 8 clips in turn", tiers, 200, 1, kClips, 0, true, s);
    measure("64 poses, 192 groups of keys", tiers, 64, 192, 1, 0, false, s);
    if (argc > 3) {
        for (int count : {16, 32, 64, 128, 256, 512, 1024, 4096, 16384, 64000}) {
            char title[40];
            snprintf(title, sizeof(title), "%d poses", count);
            measure(title, {tiers[0], tiers[1]}, count, 1, 1, 0, false, s);
        }
    }
    return 0;
}
