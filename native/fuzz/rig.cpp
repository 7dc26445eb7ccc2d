// SPDX-License-Identifier: MIT
//
// The fuzz target of the Rig: one rig, one block of poses, every implementation that this CPU can run, through every
// function of the table. All must give the bits of strict/scalar, and touch nothing that they were not given.
#include <algorithm>
#include <utility>

#include "../rig/implementations.h"

#include "implementations.h"
#include "rig_case.h"
#include "routine_name.h"
#include "wrong_rig.h"

namespace poselane {

namespace {

struct Available {
    /// strict/scalar first.
    const RigKernels* kernels[8];
    int count;
};

const Available& available() {
    static const Available list = [] {
        Available result = {};
        forEachRigImplementation(
            [](void* context, const RigKernels& kernels, const char* unavailable) {
                Available& to = *static_cast<Available*>(context);
                if (unavailable == nullptr) {
                    to.kernels[to.count++] = &kernels;
                    std::swap(to.kernels[0], to.kernels[to.count - 1]);
                }
            },
            &result);
        if (const RigKernels* const wrong = wrongRigKernels()) {
            result.kernels[result.count++] = wrong;
        }
        sayImplementations(result.kernels, result.count);
        return result;
    }();
    return list;
}

/// What all implementations are asked for.
struct Work {
    int poses;
    BlockTimes times[2];
    std::vector<float> block;
    float weights[kPoses];
    std::vector<float> mask;
    bool additive;
    /// The operand that the blend's result replaces, or none: 2.
    int blendInto;
    std::vector<int32_t> places;
    std::vector<float> inverseBinds;
    bool mat4;
    size_t gap;
    size_t offset;
};

double drawSeconds(Input& input) {
    const int kind = input.randomBelow(16);
    if (kind == 0) {
        return static_cast<double>(specialFloat(input));
    }
    return static_cast<double>(kind < 12 ? input.unit() : input.around0() * 40.0f);
}

BlockTimes drawTimes(Input& input, const RigCase& rig, int poses) {
    BlockTimes times;
    times.poses = poses;
    const int clips = static_cast<int>(rig.clips.size());
    const bool same = input.randomBelow(2) == 0;
    for (int pose = 0; pose < kPoses; pose++) {
        // What is in the others is of no consequence.
        times.clips[pose] = pose >= poses ? 0x7fffffff : same ? clips - 1 : input.randomBelow(clips);
        times.times[pose] = pose >= poses ? HUGE_VAL : drawSeconds(input);
    }
    return times;
}

/// Of the first poses only.
void addPoses(const float* rows, size_t count, int poses, std::vector<float>* results) {
    for (size_t row = 0; row < count; row++) {
        results->insert(results->end(), rows + row * kPoses, rows + row * kPoses + poses);
    }
}

Work drawWork(Input& input, const RigCase& rig) {
    Work work;
    work.poses = 1 + input.choice(kPoses);
    work.times[0] = drawTimes(input, rig, work.poses);
    work.times[1] = drawTimes(input, rig, work.poses);
    work.block.resize(rig.blockFloats());
    drawFloats(input, Numbers::anyBits, work.block.data(), work.block.size());
    drawFloats(input, Numbers::mixed, work.weights, kPoses);
    work.mask.resize(input.oneIn(2) ? static_cast<size_t>(rig.slots) : 0);
    drawFloats(input, Numbers::mixed, work.mask.data(), work.mask.size());
    work.additive = input.oneIn(2);
    work.blendInto = input.choice(3);
    const int joints = input.choice(4) == 0 ? 64 : input.choice(40);
    work.places = drawPlaces(input, rig, rig.selected.count == 0 ? 0 : joints);
    work.inverseBinds.resize(work.places.size() * kGlobalFloats);
    drawFloats(input, Numbers::mixed, work.inverseBinds.data(), work.inverseBinds.size());
    work.mat4 = input.oneIn(2);
    work.gap = static_cast<size_t>(input.choice(3));
    work.offset = static_cast<size_t>(input.choice(16));
    return work;
}

/// A list that a kernel is to fill, all of it compared.
struct Filled {
    Placed<float> list;

    Filled(const std::vector<float>& pattern, size_t offset) : list(pattern.data(), pattern.size(), offset) {}
    void addTo(std::vector<float>* results) const {
        results->insert(results->end(), list.data(), list.data() + list.count());
    }
};

std::vector<float> patternOf(size_t count) { return std::vector<float>(count, 12345.0f); }

void runMesh(const RigKernels& kernels, const RigCase& rig, const Work& work, const MeshTables& tables,
             const float* block, std::vector<float>* results) {
    MeshView mesh = tables.view;
    std::vector<uint32_t> matrices = tables.influences;
    for (uint32_t& matrix : matrices) {
        matrix *= static_cast<uint32_t>(kernels.matrixFloats);
    }
    const Placed<uint32_t> influences(matrices.data(), matrices.size(), 0);
    mesh.influenceMatrices = influences.data();
    const size_t scratchFloats =
        (static_cast<size_t>(mesh.joints) + 1) * kPoses * static_cast<size_t>(kernels.matrixFloats);
    const Filled scratch(patternOf(scratchFloats), 0), targets(patternOf(static_cast<size_t>(mesh.targets)), 0);
    const SkinBlock skin = {work.poses,
                            block + rig.globalsOffset(),
                            block + rig.weightsOffset(),
                            tables.places,
                            {scratch.list.data(), targets.list.data()}};
    const size_t floats = static_cast<size_t>(work.poses) * static_cast<size_t>(mesh.vertices) * 3;
    const Filled positions(patternOf(floats), work.offset), normals(patternOf(tables.normals ? floats : 0), 1);
    kernels.skinVertices(mesh, skin, positions.list.data(), tables.normals ? normals.list.data() : nullptr);
    const Filled boxes(patternOf(static_cast<size_t>(work.poses) * 6), work.offset);
    kernels.bounds(mesh, skin, boxes.list.data());
    positions.addTo(results);
    normals.addTo(results);
    boxes.addTo(results);
}

/// Rays, capsules and placements are taken from the inverse binds; both tiles have the same capsules.
void runRays(const RigKernels& kernels, const Work& work, const float* globals, std::vector<float>* results) {
    const size_t poses = static_cast<size_t>(work.poses), count = work.places.size() / 2;
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
        kernels.castRays(globals, work.poses, {first, capsules, places.data(), ends.data()},
                         work.mat4 ? placed.data() : nullptr,
                         {rays.data(), 2, distances.list.data(), numbers.data(), stride});
    }
    distances.addTo(results);
    results->insert(results->end(), numbers.data(), numbers.data() + length);
}

void runAll(const RigKernels& kernels, const RigCase& rig, const Work& work, std::vector<float>* results) {
    const size_t rows = rig.blockFloats() / kPoses;
    const Filled blocks[3] = {{work.block, work.offset}, {work.block, 3}, {work.block, 0}};
    const size_t groups = std::min(rig.groups, static_cast<size_t>(kLocatedGroups));
    Located* const located =
        static_cast<Located*>(aligned_alloc(alignof(Located), (groups == 0 ? 1 : groups) * sizeof(Located)));
    memset(static_cast<void*>(located), 0, groups * sizeof(Located));
    Workspace workspace = {located, 0};
    for (int i = 0; i < 2; i++) {
        kernels.evaluate(rig.rig, rig.selected, blocks[i].list.data(), work.times[i], &workspace);
        addPoses(blocks[i].list.data(), rows, work.poses, results);
    }
    free(located);

    const Placed<float> weights(work.weights, kPoses, 1), mask(work.mask.data(), work.mask.size(), 0);
    float* const block = blocks[work.blendInto].list.data();
    kernels.blend(rig.rig, rig.selected, block, blocks[0].list.data(), blocks[1].list.data(), work.poses,
                  weights.data(), work.mask.empty() ? nullptr : mask.data(), work.additive);
    addPoses(block, rows, work.poses, results);
    kernels.toGlobal(rig.rig, rig.selected, block, work.poses);
    addPoses(block, rows, work.poses, results);

    const float* const globals = block + rig.globalsOffset();
    const Placed<int32_t> places(work.places.data(), work.places.size(), 1);
    const Placed<float> binds(work.inverseBinds.data(), work.inverseBinds.size(), 1);
    const int joints = static_cast<int>(work.places.size());
    const size_t poses = static_cast<size_t>(work.poses);
    const size_t floats = poses * work.places.size() * (work.mat4 ? 16 : 12);
    if (joints > 0) {
        const Filled palettes(patternOf(floats), work.offset), streamed(patternOf(floats), work.offset);
        kernels.palettes(globals, work.poses, places.data(), binds.data(), joints, palettes.list.data(), work.mat4);
        kernels.streamPalettes(globals, work.poses, places.data(), binds.data(), joints, streamed.list.data(),
                               work.mat4);
        if (firstDifference(palettes.list.data(), streamed.list.data(), floats) < floats) {
            fail("%s: streamPalettes and palettes differ", kernels.name);
        }
        palettes.addTo(results);
        const size_t stride = work.places.size() * kGlobalFloats + work.gap;
        // Without the gap behind the last.
        const Filled lists(patternOf(poses * stride - work.gap), work.offset);
        kernels.joints(globals, work.poses, places.data(), joints, lists.list.data(), stride);
        lists.addTo(results);
    }
    if (joints > 1) {
        runRays(kernels, work, globals, results);
    }
    for (const MeshTables& mesh : rig.meshes) {
        runMesh(kernels, rig, work, mesh, block, results);
    }
}

/// Not of rigs: intervals between rows of matrices.
void fuzzPlayback(Input& input) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    const size_t joints = 1 + static_cast<size_t>(input.choice(5)), intervals = static_cast<size_t>(input.choice(6));
    std::vector<float> rows((intervals + 1) * joints * 16), samples(intervals * kPlaybackSamples * joints * 16);
    drawFloats(input, numbers, rows.data(), rows.size());
    drawFloats(input, numbers, samples.data(), samples.size());
    std::vector<uint8_t> nearest(intervals);
    for (uint8_t& interval : nearest) {
        interval = input.randomBelow(4) == 0 ? kPlaybackHeld : static_cast<uint8_t>(input.randomBelow(9));
    }
    std::vector<double> boxes(joints * kBoxNumbers);
    for (double& number : boxes) {
        number = static_cast<double>(drawFloat(input, numbers));
    }
    const double start[2] = {0.0, 0.0};
    uint64_t reference[2];
    for (int i = 0; i < available().count; i++) {
        const Placed<float> placedRows(rows.data(), rows.size(), 1), placedSamples(samples.data(), samples.size(), 3);
        const Placed<uint8_t> placedNearest(nearest.data(), nearest.size(), 1);
        const Placed<double> placedBoxes(boxes.data(), boxes.size(), 0), greatest(start, 2, 0);
        available().kernels[i]->playbackError(greatest.data(), placedRows.data(), placedSamples.data(),
                                              placedNearest.data(), intervals, joints, placedBoxes.data());
        uint64_t bits[2];
        memcpy(bits, greatest.data(), sizeof(bits));
        if (i == 0) {
            memcpy(reference, bits, sizeof(bits));
        } else if (memcmp(reference, bits, sizeof(bits)) != 0) {
            fail("playbackError: %s has %g and %g, not what strict/scalar has", available().kernels[i]->name,
                 greatest.data()[0], greatest.data()[1]);
        }
    }
}

/// Not of rigs: a node's samples, which a parent above it places or none does.
void fuzzNodeErrors(Input& input) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    const size_t blocks = static_cast<size_t>(input.choice(4)), count = static_cast<size_t>(input.choice(9));
    const bool root = input.oneIn(4);
    const size_t rows = blocks * kSampleBlock, elements = rows * kSampleMatrix;
    std::vector<double> drawn(elements * 3 + rows + count * 3);
    for (double& number : drawn) {
        number = static_cast<double>(drawFloat(input, numbers));
    }
    const double* const all = drawn.data();
    const std::vector<double> nothing(elements, 7.0);
    std::vector<double> reference, results;
    for (int i = 0; i < available().count; i++) {
        const Placed<double> locals(all, elements, 1), source(all + elements, elements, 0),
            above(all + 2 * elements, elements, 3), weights(all + 3 * elements, rows, 1),
            points(all + 3 * elements + rows, count * 3, 1), trial(nothing.data(), elements, 1),
            errors(nothing.data(), rows, 0);
        std::vector<double>& to = i == 0 ? reference : results;
        to.assign(
            1, available().kernels[i]->nodeErrors({trial.data(), errors.data(), locals.data(), source.data(),
                                                   root ? nullptr : above.data(), weights.data(), points.data(), count},
                                                  blocks, 0.0));
        to.insert(to.end(), trial.data(), trial.data() + elements);
        to.insert(to.end(), errors.data(), errors.data() + rows);
        for (size_t at = 0; at < to.size(); at++) {
            // All NaN are the same.
            if (memcmp(&to[at], &reference[at], sizeof(double)) != 0 &&
                (to[at] == to[at] || reference[at] == reference[at])) {
                fail("nodeErrors: %s has %g in place %zu, not %g as strict/scalar", available().kernels[i]->name,
                     to[at], at, reference[at]);
            }
        }
    }
}

void fuzz(Input input) {
    static RigCase rig;
    static std::vector<float> reference, results;
    static const char* const names[] = {"rig", "playback", "nodeErrors"};
    // Found, and said, whichever routine it is.
    const Available& implementations = available();
    const int drawn = input.choice(16);
    const int routine = chosenRoutine(drawn < 14 ? 0 : drawn - 13, names, 3);
    if (routine > 0) {
        (routine == 1 ? fuzzPlayback : fuzzNodeErrors)(input);
        return;
    }
    drawRig(input, &rig);
    if (rig.selected.count == 0) {
        return;
    }
    const Work work = drawWork(input, rig);
    for (int i = 0; i < implementations.count; i++) {
        std::vector<float>& to = i == 0 ? reference : results;
        to.clear();
        runAll(*implementations.kernels[i], rig, work, &to);
        const size_t at = firstDifference(reference.data(), to.data(), reference.size());
        if (to.size() != reference.size() || at < to.size()) {
            fail("%s differs from %s in float %zu of %zu", implementations.kernels[i]->name,
                 implementations.kernels[0]->name, at, to.size());
        }
    }
    if (!rig.tables.areUnchanged()) {
        fail("a table of the rig has changed");
    }
}

} // namespace

} // namespace poselane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    poselane::fuzz(poselane::Input(data, size));
    return 0;
}
