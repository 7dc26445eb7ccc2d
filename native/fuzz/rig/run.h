// SPDX-License-Identifier: MIT
//
// Runs the kernels of one implementation on a rig: those of POSELANE_RIG_KERNELS, in that order, each by its function
// in calls.h.
#pragma once

#include <vector>

#include "../placed.h"
#include "../rig_case.h"

namespace poselane {

/// The numbers of a case, the same for all implementations.
struct Work {
    int poses;
    BlockTimes times[2];
    std::vector<float> block;
    float weights[kPoses];
    std::vector<float> mask;
    bool additive;
    /// Index of its block; -1 for the rest pose.
    int reference;
    bool each;
    /// The operand that the blend's result replaces, or none: 2.
    int blendInto;
    std::vector<int32_t> places;
    std::vector<float> inverseBinds;
    bool mat4;
    size_t gap;
    size_t offset;
};

/// A list that a kernel fills. All of it is compared.
struct Filled {
    Placed<float> list;

    Filled(const std::vector<float>& pattern, size_t offset) : list(pattern.data(), pattern.size(), offset) {}
    void addTo(std::vector<float>* results) const {
        results->insert(results->end(), list.data(), list.data() + list.count());
    }
};

inline std::vector<float> patternOf(size_t count) { return std::vector<float>(count, 12345.0f); }

struct RigRun {
    const RigKernels& kernels;
    const RigCase& rig;
    const Work& work;
    /// The bits that all implementations must agree on.
    std::vector<float>* results;
    const Filled blocks[3];
    /// The block that `blend` writes and later kernels read.
    float* const block;
    const Placed<int32_t> places;
    const Placed<float> inverseBinds;

    RigRun(const RigKernels& kernels, const RigCase& rig, const Work& work, std::vector<float>* results)
        : kernels(kernels), rig(rig), work(work),
          results(results), blocks{{work.block, work.offset}, {work.block, 3}, {work.block, 0}},
          block(blocks[work.blendInto].list.data()), places(work.places.data(), work.places.size(), 1),
          inverseBinds(work.inverseBinds.data(), work.inverseBinds.size(), 1) {}

    size_t poses() const { return static_cast<size_t>(work.poses); }
    int joints() const { return static_cast<int>(work.places.size()); }
    const float* globals() const { return block + rig.globalsOffset(); }

    /// Adds a block's poses, without those that kernels may write anything to.
    void addPoses(const float* rows) {
        for (size_t row = 0; row < rig.blockFloats() / kPoses; row++) {
            results->insert(results->end(), rows + row * kPoses, rows + row * kPoses + work.poses);
        }
    }
};

} // namespace poselane
