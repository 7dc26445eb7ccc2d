// SPDX-License-Identifier: MIT
//
// The fuzz target of the Rig: one rig, one block of poses, every implementation that this CPU can run, through every
// function of the table. All must give the bits of strict/scalar, and touch nothing that they were not given.
#include <algorithm>
#include <list>
#include <utility>

#include "../rig/implementations.h"

#include "implementations.h"
#include "rig/calls.h"
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
        // The values of the other poses have no effect.
        times.clips[pose] = pose >= poses ? 0x7fffffff : same ? clips - 1 : input.randomBelow(clips);
        times.times[pose] = pose >= poses ? HUGE_VAL : drawSeconds(input);
    }
    return times;
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
    work.each = input.oneIn(2);
    work.reference = input.choice(4) - 1;
    // A pose for all must not change meanwhile.
    if (!work.each && work.reference == work.blendInto) {
        work.reference = -1;
    }
    const int joints = input.choice(4) == 0 ? 64 : input.choice(40);
    work.places = drawPlaces(input, rig, rig.selected.count == 0 ? 0 : joints);
    work.inverseBinds.resize(work.places.size() * kGlobalFloats);
    drawFloats(input, Numbers::mixed, work.inverseBinds.data(), work.inverseBinds.size());
    work.mat4 = input.oneIn(2);
    work.gap = static_cast<size_t>(input.choice(3));
    work.offset = static_cast<size_t>(input.choice(16));
    return work;
}

void runAll(const RigKernels& kernels, const RigCase& rig, const Work& work, std::vector<float>* results) {
    RigRun run(kernels, rig, work, results);
#define POSELANE_RUN(kernel, ...) fuzzed::kernel(run);
    POSELANE_RIG_KERNELS(POSELANE_RUN)
#undef POSELANE_RUN
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

void failOtherNumbers(const char* routine, const char* kernels, const std::vector<double>& numbers,
                      const std::vector<double>& reference) {
    for (size_t at = 0; at < numbers.size(); at++) {
        // All NaN are the same.
        if (memcmp(&numbers[at], &reference[at], sizeof(double)) != 0 &&
            (numbers[at] == numbers[at] || reference[at] == reference[at])) {
            fail("%s: %s has %g in place %zu, not %g as strict/scalar", routine, kernels, numbers[at], at,
                 reference[at]);
        }
    }
}

std::vector<double> drawNumbers(Input& input, Numbers numbers, size_t count) {
    std::vector<double> list(count);
    for (double& number : list) {
        number = static_cast<double>(drawFloat(input, numbers));
    }
    return list;
}

/// Not of rigs: a clip through all phases of its fit.
void fuzzFitClip(Input& input) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    const auto drawn = [&](size_t count) { return drawNumbers(input, numbers, count); };
    constexpr size_t kMostPoints = 8;
    ClipFit clip = {};
    clip.nodeCount = 1 + static_cast<size_t>(input.choice(3));
    clip.trackCount = 1 + static_cast<size_t>(input.choice(3));
    clip.timeCount = 1 + static_cast<size_t>(input.choice(9));
    const size_t last = clip.timeCount - 1, room = clip.timeCount + 1;
    clip.blocks = 2 * last / kSampleBlock + 1;
    const size_t rows = clip.nodeCount * clip.blocks * kSampleBlock, elements = rows * kSampleMatrix;
    clip.bound = ldexp(1.0, input.choice(8) - 1);
    clip.quantize = input.oneIn(2);
    clip.offUnit = 0x1p-7;
    clip.offShort = 0x1p-11;
    clip.offFloat = 0x1p-14;
    const bool keepsAll = input.oneIn(2);
    std::vector<FitNode> nodes(clip.nodeCount);
    std::vector<int32_t> order, moving;
    for (FitNode& node : nodes) {
        const int32_t index = static_cast<int32_t>(order.size());
        node = {input.oneIn(3) ? -1 : index - 1, index, 1, nullptr, static_cast<size_t>(input.choice(kMostPoints + 1))};
        order.push_back(index);
    }
    for (size_t i = clip.nodeCount; i-- > 1;) {
        nodes[i - 1].size += nodes[i].parent < 0 ? 0 : nodes[i].size;
    }
    const std::vector<int32_t> own = {0, static_cast<int32_t>(last)};
    std::vector<FitTrack> tracks(clip.trackCount);
    for (FitTrack& track : tracks) {
        constexpr int32_t kPlaces[] = {0, 3, 7};
        track.node = input.choice(static_cast<int>(clip.nodeCount));
        track.place = kPlaces[input.choice(3)];
        track.constant = input.oneIn(4);
        track.moving = !track.constant;
        track.joined = input.oneIn(4);
        track.unit = input.oneIn(2);
        track.exact = track.unit && input.oneIn(2);
        track.own = last > 0 && input.oneIn(4) ? own.data() : nullptr;
        track.ownCount = own.size();
        if (track.moving) {
            moving.push_back(static_cast<int32_t>(&track - tracks.data()));
        }
    }
    enum List {
        kTimes,
        kAt,
        kRest,
        kCorners,
        kWeights,
        kLocals,
        kSource,
        kPlaced,
        kLocalMatrices,
        kErrors,
        kPoints,
        kTargets,
        kTolerances,
        kMatrices,
        kValues,
        kNumbers
    };
    std::vector<std::vector<double>> lists;
    for (const size_t count :
         {clip.timeCount, clip.blocks * kSampleBlock, clip.nodeCount * kTrs, clip.nodeCount * 3 * kSampleBlock, rows,
          rows * kTrs, elements, elements, elements, rows, kMostPoints * 3, clip.trackCount * clip.timeCount * 4,
          clip.trackCount * clip.timeCount}) {
        lists.push_back(drawn(count));
    }
    lists.push_back(std::vector<double>(clip.nodeCount * kSampleMatrix, NAN));
    lists.push_back(std::vector<double>(clip.trackCount * room * 4));
    lists.push_back(std::vector<double>(clip.trackCount * sizeof(FitNumbers) / sizeof(double)));
    // Otherwise hardly any change would stay.
    const double weight = ldexp(1.0, -2 * input.choice(8));
    for (double& number : lists[kWeights]) {
        number = fabs(number) * weight;
    }
    for (double& number : lists[kTolerances]) {
        number = fabs(number) * clip.bound;
    }
    // Boxes around finite points: the decisions of `nodeKeeps` rest on them.
    lists[kPoints] = drawNumbers(input, Numbers::around0, kMostPoints * 3);
    for (size_t i = 0; i < clip.nodeCount * kSampleBlock * 3; i++) {
        const size_t count = nodes[i / (kSampleBlock * 3)].count, axis = i % 3, corner = i / 3 % kSampleBlock;
        double end = count == 0 ? 0.0 : lists[kPoints][(kMostPoints - 1) * 3 + axis];
        for (size_t point = kMostPoints - count; point < kMostPoints; point++) {
            const double x = lists[kPoints][point * 3 + axis];
            end = (corner >> axis & 1) == 0 ? std::min(end, x) : std::max(end, x);
        }
        lists[kCorners][i] = end;
    }
    std::vector<double> reference, results;
    for (int i = 0; i < available().count; i++) {
        std::list<Placed<double>> placed;
        std::vector<double*> at;
        for (const std::vector<double>& list : lists) {
            placed.emplace_back(list.data(), list.size(), at.size() % 4);
            at.push_back(placed.back().data());
        }
        const std::vector<double> nothing(
            std::max(elements, ClipFit::workOf(clip.nodeCount, clip.timeCount, clip.blocks)));
        const std::vector<int32_t> none(std::max(clip.nodeCount, clip.trackCount * room));
        const Placed<double> trial(nothing.data(), elements, 1),
            work(nothing.data(), ClipFit::workOf(clip.nodeCount, clip.timeCount, clip.blocks), 0);
        const Placed<int32_t> knots(none.data(), clip.trackCount * room, 1), marks(none.data(), clip.nodeCount, 0);
        std::vector<FitCandidate> candidates(clip.trackCount * room);
        std::vector<FitTrack> ownTracks = tracks;
        std::vector<FitNode> ownNodes = nodes;
        for (FitNode& node : ownNodes) {
            // The last of them, so that the list ends with them.
            node.points = at[kPoints] + (kMostPoints - node.count) * 3;
        }
        for (size_t t = 0; t < clip.trackCount; t++) {
            FitTrack& track = ownTracks[t];
            track.target = at[kTargets] + t * clip.timeCount * 4;
            track.tolerance = at[kTolerances] + t * clip.timeCount;
            track.values = at[kValues] + t * room * 4;
            track.numbers = reinterpret_cast<FitNumbers*>(at[kNumbers]) + t;
            track.knots = knots.data() + t * room;
            track.count = 1;
        }
        clip.times = at[kTimes];
        clip.at = at[kAt];
        clip.rest = at[kRest];
        clip.corners = at[kCorners];
        clip.weights = at[kWeights];
        clip.locals = at[kLocals];
        clip.source = at[kSource];
        clip.placed = at[kPlaced];
        clip.localMatrices = at[kLocalMatrices];
        clip.errors = at[kErrors];
        clip.matrices = at[kMatrices];
        clip.trial = trial.data();
        clip.nodes = ownNodes.data();
        clip.order = order.data();
        clip.tracks = ownTracks.data();
        clip.candidates = candidates.data();
        clip.list = moving.data();
        clip.marks = marks.data();
        clip.work = work.data();
        std::vector<double>& to = i == 0 ? reference : results;
        to.clear();
        for (int32_t phase = 0; phase < kFitPhases; phase++) {
            if (phase == kFitKeepAll && !keepsAll) {
                continue;
            }
            clip.phase = static_cast<FitPhase>(phase);
            clip.number = phase == kFitTracks ? 1.0 : 2.5;
            clip.to = phase == kFitTracks     ? clip.trackCount
                      : phase == kFitRemovals ? static_cast<size_t>(to.back())
                      : phase == kFitCoarsen  ? moving.size()
                                              : 0;
            to.push_back(available().kernels[i]->fitClip(clip));
        }
        for (const Placed<double>& list : placed) {
            to.insert(to.end(), list.data(), list.data() + list.count());
        }
        for (const FitTrack& track : ownTracks) {
            to.push_back(static_cast<double>(track.count));
        }
        to.insert(to.end(), knots.data(), knots.data() + knots.count());
        failOtherNumbers("fitClip", available().kernels[i]->name, to, reference);
    }
}

/// Not of rigs: two lists of keys of a clip.
void fuzzBoundIntervals(Input& input) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    const auto drawn = [&](size_t count) { return drawNumbers(input, numbers, count); };
    BoundWork work = {};
    work.nodes = 1 + static_cast<size_t>(input.choice(3));
    work.tracks = static_cast<size_t>(input.choice(4));
    work.timeCount = 1 + static_cast<size_t>(input.choice(5));
    work.intervals = work.timeCount == 1 ? 1 : work.timeCount - 1;
    work.from = static_cast<size_t>(input.choice(static_cast<int>(work.timeCount)));
    work.to = work.timeCount;
    std::vector<double> times = drawn(work.timeCount);
    std::sort(times.begin(), times.end());
    const std::vector<double> limits = drawn(work.nodes * work.intervals), matrix = drawn(kSampleMatrix),
                              points = drawn(3 * kSampleBlock), rest = drawn(work.nodes * kTrs),
                              keys = drawn(5 * (1 + 3 * 4)), nothing(work.nodes * kSampleMatrix, 7.0);
    std::vector<BoundNode> nodes(work.nodes);
    for (size_t i = 0; i < work.nodes; i++) {
        nodes[i].parent = input.choice(static_cast<int>(i) + 1) - 1;
        nodes[i].points = input.oneIn(4) ? 0 : kSampleBlock;
        nodes[i].slack = nodes[i].factor = nodes[i].size = rest[0];
        nodes[i].matrix = input.oneIn(4) ? matrix.data() : nullptr;
    }
    std::vector<BoundTrack> tracks(work.tracks);
    for (BoundTrack& track : tracks) {
        const size_t node = static_cast<size_t>(input.choice(static_cast<int>(work.nodes)));
        const int place = input.choice(3);
        track.at = node * kTrs + (place == 0 ? 0 : place == 1 ? 3 : 7);
        track.width = place == 1 ? 4 : 3;
        (place == 0 ? nodes[node].translation : place == 1 ? nodes[node].rotation : nodes[node].scale) = &track;
        for (BoundCurve& curve : track.curves) {
            curve.count = 1 + input.choice(5);
            curve.interpolation = static_cast<CurveInterpolation>(input.choice(3));
        }
    }
    std::vector<double> reference, results;
    for (int i = 0; i < available().count; i++) {
        const Placed<double> grid(times.data(), times.size(), 1), allowed(limits.data(), limits.size(), 0),
            own(matrix.data(), matrix.size(), 1), corners(points.data(), points.size(), 1),
            curves(keys.data(), keys.size(), 3), found(nothing.data(), sizeof(BoundFound) / sizeof(double), 0),
            source(nothing.data(), nothing.size(), 1), reduced(nothing.data(), nothing.size(), 0);
        std::vector<BoundNode> ownNodes = nodes;
        std::vector<BoundTrack> ownTracks = tracks;
        for (BoundNode& node : ownNodes) {
            node.matrix = node.matrix == nullptr ? nullptr : own.data();
            node.x = corners.data();
            node.y = node.x + kSampleBlock;
            node.z = node.y + kSampleBlock;
            for (BoundTrack** track : {&node.translation, &node.rotation, &node.scale}) {
                *track = *track == nullptr ? nullptr : ownTracks.data() + (*track - tracks.data());
            }
        }
        for (BoundTrack& track : ownTracks) {
            for (BoundCurve& curve : track.curves) {
                // The last numbers of the list, so that it ends with them.
                curve.times = curves.data() + keys.size() -
                              curve.count * (1 + track.width * (curve.interpolation == kCurveSpline ? 3 : 1));
                curve.values = curve.times + curve.count;
            }
        }
        std::vector<std::vector<double>> lists;
        for (BoundState& state : work.states) {
            for (double*& locals : state.locals) {
                lists.push_back(rest);
                locals = lists.back().data();
            }
            lists.push_back(std::vector<double>(work.nodes));
            state.errors = lists.back().data();
        }
        work.node = ownNodes.data();
        work.track = ownTracks.data();
        work.times = grid.data();
        work.limits = allowed.data();
        work.globals[0] = source.data();
        work.globals[1] = reduced.data();
        work.found = reinterpret_cast<BoundFound*>(found.data());
        *work.found = {0.0, 0.0, 0.0, 0.0, -1.0};
        available().kernels[i]->boundIntervals(work);
        std::vector<double>& to = i == 0 ? reference : results;
        to.assign(found.data(), found.data() + sizeof(BoundFound) / sizeof(double));
        for (BoundTrack& track : ownTracks) {
            track.curves[0].key = -1;
        }
        const std::vector<double> none(work.timeCount * work.nodes * kSampleMatrix);
        const Placed<double> locals(rest.data(), rest.size(), 1), globals(none.data(), none.size(), 0);
        available().kernels[i]->poseClip({ownNodes.data(), work.nodes, ownTracks.data(), work.tracks, grid.data(),
                                          work.timeCount, locals.data(), globals.data()});
        to.insert(to.end(), globals.data(), globals.data() + globals.count());
        failOtherNumbers("boundIntervals", available().kernels[i]->name, to, reference);
    }
}

void fuzz(Input input) {
    static RigCase rig;
    static std::vector<float> reference, results;
    static const char* const names[] = {"rig", "playback", "fitClip", "boundIntervals"};
    // Found, and said, whichever routine it is.
    const Available& implementations = available();
    const int drawn = input.choice(16);
    const int routine = chosenRoutine(drawn < 13 ? 0 : drawn - 12, names, 4);
    if (routine > 0) {
        void (*const others[])(Input&) = {fuzzPlayback, fuzzFitClip, fuzzBoundIntervals};
        others[routine - 1](input);
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
