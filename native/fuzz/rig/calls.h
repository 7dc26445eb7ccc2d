// SPDX-License-Identifier: MIT
//
// One call of each kernel of POSELANE_RIG_KERNELS with the numbers of a case, in a function of its name. It adds what
// the kernel wrote to the results.
#pragma once

#include <algorithm>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "../finding.h"
#include "run.h"

namespace poselane::fuzzed {

/// Memory of its own.
struct OwnWorkspace : Workspace {
    explicit OwnWorkspace(const RigCase& rig)
        : Workspace{}, rows_(size_t{kPoses} * kRowFloats), block_(rig.blockFloats()),
          globals_((static_cast<size_t>(rig.selected.count) + kPoses - 1) * kGlobalFloats) {
        const size_t bytes = std::max(rig.groups, static_cast<size_t>(kLocatedGroups)) * sizeof(Located);
        groups = static_cast<Located*>(aligned_alloc(alignof(Located), bytes));
        memset(static_cast<void*>(groups), 0, bytes);
        rows = rows_.data();
        block = block_.data();
        globals = globals_.data();
    }
    OwnWorkspace(const OwnWorkspace&) = delete;
    OwnWorkspace& operator=(const OwnWorkspace&) = delete;
    ~OwnWorkspace() { free(groups); }

private:
    std::vector<float> rows_, block_, globals_;
};

inline void evaluate(RigRun& run) {
    OwnWorkspace workspace(run.rig);
    for (int i = 0; i < 2; i++) {
        float* const block = run.blocks[i].list.data();
        run.kernels.evaluate(run.rig.rig, run.rig.selected, block, run.work.times[i], &workspace);
        run.addPoses(block);
    }
}

inline void blend(RigRun& run) {
    const Work& work = run.work;
    const Placed<float> weights(work.weights, kPoses, 1), mask(work.mask.data(), work.mask.size(), 0);
    run.kernels.blend(run.rig.rig, run.rig.selected, run.block, run.blocks[0].list.data(), run.blocks[1].list.data(),
                      work.poses, weights.data(), work.mask.empty() ? nullptr : mask.data(), work.additive,
                      work.reference < 0 ? nullptr : run.blocks[work.reference].list.data(), work.each);
    run.addPoses(run.block);
}

/// All places of one block. In another block, whose globals are any bits, the places from one on.
inline void toGlobal(RigRun& run) {
    const auto from = [&](float* block, int place) {
        run.kernels.toGlobal(run.rig.rig, run.rig.selected, block, run.work.poses, place);
        run.addPoses(block);
    };
    from(run.blocks[(run.work.blendInto + 1) % 3].list.data(), run.work.places.empty() ? 0 : run.work.places[0]);
    from(run.block, -1);
}

/// Through the caches and past them.
inline void palettes(RigRun& run) {
    const Work& work = run.work;
    if (run.joints() == 0) {
        return;
    }
    const size_t floats = run.poses() * work.places.size() * (work.mat4 ? 16 : 12);
    const Filled palettes(patternOf(floats), work.offset), streamed(patternOf(floats), work.offset);
    const auto write = [&](GatherPalettes* kernel, const Filled& out) {
        kernel(run.globals(), work.poses, run.places.data(), run.inverseBinds.data(), run.joints(), out.list.data(),
               work.mat4);
    };
    write(run.kernels.palettes, palettes);
    write(run.kernels.streamPalettes, streamed);
    if (firstDifference(palettes.list.data(), streamed.list.data(), floats) < floats) {
        fail("%s: streamPalettes and palettes differ", run.kernels.name);
    }
    palettes.addTo(run.results);
}

/// Past the caches and through them.
inline void bakePalettes(RigRun& run) {
    const Work& work = run.work;
    if (run.joints() == 0) {
        return;
    }
    OwnWorkspace workspace(run.rig);
    for (int i = 0; i < 2; i++) {
        const SkinPalettes skin = {run.places.data(), run.inverseBinds.data(), run.joints(), work.mat4, i == 0};
        const Filled palettes(patternOf(run.poses() * skin.poseFloats()), work.offset);
        run.kernels.bakePalettes(run.rig.rig, run.rig.selected, work.times[i], skin, palettes.list.data(), &workspace);
        palettes.addTo(run.results);
    }
}

inline void joints(RigRun& run) {
    if (run.joints() == 0) {
        return;
    }
    const size_t gap = run.work.gap, stride = run.work.places.size() * kGlobalFloats + gap;
    // Without the gap after the last pose.
    const Filled lists(patternOf(run.poses() * stride - gap), run.work.offset);
    run.kernels.joints(run.globals(), run.work.poses, run.places.data(), run.joints(), lists.list.data(), stride);
    lists.addTo(run.results);
}

/// Rays, capsules and placements are taken from the inverse binds. Both tiles have the same capsules.
inline void castRays(RigRun& run) {
    const Work& work = run.work;
    if (run.joints() < 2) {
        return;
    }
    const size_t poses = run.poses(), count = work.places.size() / 2;
    const int32_t capsules = static_cast<int32_t>(count < kCapsules ? count : kCapsules);
    const std::vector<float>& from = work.inverseBinds;
    const Placed<int32_t> places(work.places.data(), static_cast<size_t>(capsules) * 2, 1);
    const Placed<float> ends(from.data(), static_cast<size_t>(capsules) * 7, work.offset), rays(from.data() + 7, 14, 1);
    std::vector<float> placements(poses * 7);
    for (size_t i = 0; i < placements.size(); i++) {
        placements[i] = from[i % from.size()];
    }
    const Placed<float> placed(placements.data(), placements.size(), 2);
    const size_t stride = poses + work.gap, length = 2 * stride - work.gap;
    const std::vector<int32_t> none(length, -7);
    const Filled distances(patternOf(length), work.offset);
    const Placed<int32_t> numbers(none.data(), length, 3);
    for (int32_t first = 0; first <= kCapsules; first += kCapsules) {
        run.kernels.castRays(run.globals(), work.poses, {first, capsules, places.data(), ends.data()},
                             work.mat4 ? placed.data() : nullptr,
                             {rays.data(), 2, distances.list.data(), numbers.data(), stride});
    }
    distances.addTo(run.results);
    run.results->insert(run.results->end(), numbers.data(), numbers.data() + length);
}

/// Numbers of a case for inverse kinematics, none of them infinite or NaN.
inline std::vector<float> finiteNumbers(const RigRun& run, size_t count) {
    std::vector<float> list(count);
    for (size_t i = 0; i < count; i++) {
        const float number = run.work.inverseBinds[i % run.work.inverseBinds.size()];
        list[i] = isfinite(number) ? number : 1.0f;
    }
    return list;
}

/// The last of the case's places, and the one `steps` above it; -1 where there is none.
inline int above(const RigRun& run, int steps) {
    int place = run.work.places.empty() ? -1 : run.work.places.back();
    while (steps-- > 0 && place >= 0) {
        place = run.rig.selected.parents[place];
    }
    return place;
}

/// A limb with whole bones, in the globals that are there.
inline void twoBoneIk(RigRun& run) {
    const Work& work = run.work;
    const int start = above(run, 2);
    if (start < 0 || run.rig.selected.matrices[start] >= 0 || run.rig.selected.matrices[above(run, 1)] >= 0) {
        return;
    }
    const std::vector<float> numbers = finiteNumbers(run, 6 + 6 * run.poses());
    const Placed<float> targets(numbers.data() + 6, 3 * run.poses(), 1),
        poles(numbers.data() + 6 + 3 * run.poses(), 3 * run.poses(), 3), weights(work.weights, kPoses, 1);
    const std::vector<uint8_t> none(run.poses(), 7);
    const Placed<uint8_t> reached(none.data(), none.size(), work.offset % 4);
    const Limb limb = {start,
                       above(run, 1),
                       above(run, 0),
                       work.mat4,
                       numbers[0],
                       {numbers[1], numbers[2]},
                       {numbers[3], numbers[4], numbers[5]},
                       targets.data(),
                       work.additive ? poles.data() : nullptr,
                       weights.data(),
                       work.each ? reached.data() : nullptr};
    run.kernels.twoBoneIk(run.rig.rig, run.rig.selected, run.block, work.poses, limb);
    run.addPoses(run.block);
    run.results->insert(run.results->end(), reached.data(), reached.data() + none.size());
}

/// A path of up to four places. Those without a matrix turn.
inline void aimIk(RigRun& run) {
    const Work& work = run.work;
    std::vector<int32_t> path;
    std::vector<float> until;
    for (int steps = 3; steps >= 0; steps--) {
        const int place = above(run, steps);
        if (place >= 0) {
            path.push_back(place);
            const bool turns = run.rig.selected.matrices[place] < 0;
            until.push_back(turns ? 1.0f / static_cast<float>(steps + 1) : until.empty() ? 0.0f : until.back());
        }
    }
    if (path.empty()) {
        return;
    }
    const std::vector<float> numbers = finiteNumbers(run, 12 + 3 * run.poses());
    const Placed<int32_t> places(path.data(), path.size(), 1);
    const Placed<float> parts(until.data(), until.size(), 1), targets(numbers.data() + 12, 3 * run.poses(), 1),
        weights(work.weights, kPoses, 3);
    Aim aim = {
        static_cast<int32_t>(path.size()), places.data(), parts.data(), targets.data(), weights.data(), {}, {}, {}, {}};
    float* const vectors[] = {aim.forward, aim.up, aim.offset, aim.pole};
    for (size_t i = 0; i < 12; i++) {
        vectors[i / 3][i % 3] = numbers[i];
    }
    run.kernels.aimIk(run.rig.rig, run.rig.selected, run.block, work.poses, aim);
    run.addPoses(run.block);
}

/// Calls `body(tables, mesh, skin)` for each mesh.
template <class Body> void forEachMesh(RigRun& run, Body body) {
    const size_t matrixFloats = static_cast<size_t>(run.kernels.matrixFloats);
    for (const MeshTables& tables : run.rig.meshes) {
        MeshView mesh = tables.view;
        std::vector<uint32_t> matrices = tables.influences;
        for (uint32_t& matrix : matrices) {
            matrix *= static_cast<uint32_t>(matrixFloats);
        }
        const Placed<uint32_t> influences(matrices.data(), matrices.size(), 0);
        mesh.influenceMatrices = influences.data();
        const Filled scratch(patternOf((static_cast<size_t>(mesh.joints) + 1) * kPoses * matrixFloats), 0);
        const Filled targets(patternOf(static_cast<size_t>(mesh.targets)), 0);
        body(tables, mesh,
             SkinBlock{run.work.poses,
                       run.globals(),
                       run.block + run.rig.weightsOffset(),
                       tables.places,
                       {scratch.list.data(), targets.list.data()}});
    }
}

inline void skinVertices(RigRun& run) {
    forEachMesh(run, [&](const MeshTables& tables, const MeshView& mesh, const SkinBlock& skin) {
        const size_t floats = run.poses() * static_cast<size_t>(mesh.vertices) * 3;
        const Filled positions(patternOf(floats), run.work.offset), normals(patternOf(tables.normals ? floats : 0), 1);
        run.kernels.skinVertices(mesh, skin, positions.list.data(), tables.normals ? normals.list.data() : nullptr);
        positions.addTo(run.results);
        normals.addTo(run.results);
    });
}

inline void bounds(RigRun& run) {
    forEachMesh(run, [&](const MeshTables&, const MeshView& mesh, const SkinBlock& skin) {
        const Filled boxes(patternOf(run.poses() * 6), run.work.offset);
        run.kernels.bounds(mesh, skin, boxes.list.data());
        boxes.addTo(run.results);
    });
}

} // namespace poselane::fuzzed
