// SPDX-License-Identifier: MIT
#include <initializer_list>

#include "arrays.h"
#include "baker_calls.h"
#include "rig_call.h"

namespace poselane {

namespace {

/// Numbers of a track: node, place, flags, number of keys; the first of its own keys and how many there are (-1 for
/// none); the first number of its targets.
constexpr size_t kTrackInts = 7;
enum TrackFlag : int32_t { kConstant = 1, kMoving = 2, kJoined = 4, kUnit = 8, kExact = 16 };

/// The arguments, and work space. Indices are copied, since another thread may change them.
struct Fitted : ClipFit {
    bool read(napi_env env, const napi_value* values) {
        int does, first, end;
        View<const double> options;
        if (!readInt(env, values[0], 0, &does) || does >= kFitPhases || !readInt(env, values[1], 0, &first) ||
            !readInt(env, values[2], first, &end) || !isNumber(env, values[3], &number) ||
            !readView(env, values[4], napi_float64_array, &options) || options.length < 5) {
            return false;
        }
        phase = static_cast<FitPhase>(does);
        from = static_cast<size_t>(first);
        to = static_cast<size_t>(end);
        bound = options.data[0];
        quantize = options.data[1] != 0.0;
        offUnit = options.data[2];
        offShort = options.data[3];
        offFloat = options.data[4];
        View<double>* const numbers[] = {&times_,      &at_,      &rest_,    &matrices_, &corners_, &points_,
                                         &weights_,    &source_,  &placed_,  &trial_,    &errors_,  &locals_,
                                         &localTable_, &targets_, &allowed_, &numbers_,  &values_};
        size_t next = 5;
        for (View<double>* const view : numbers) {
            if (!readView(env, values[next++], napi_float64_array, view)) {
                return false;
            }
        }
        View<const int32_t> parents, starts, ints, own;
        if (!readInts(env, values[22], &parents) || !readInts(env, values[23], &starts) ||
            !readInts(env, values[24], &ints) || !readInts(env, values[25], &own) ||
            !readView(env, values[26], napi_int32_array, &knots_) ||
            !readView(env, values[27], napi_int32_array, &list_) || !areApart(numbers, {&knots_, &list_})) {
            return false;
        }
        ints_ = const_cast<int32_t*>(ints.data);
        return readSizes(parents.length, ints.length / kTrackInts) && readNodes(parents.data, starts) &&
               readTracks(own) && readList() && allocate();
    }

    /// The indices that the kernel has changed.
    void write() const {
        for (size_t t = 0; t < trackCount; t++) {
            memcpy(knots_.data + t * room(), tracks[t].knots, tracks[t].count * sizeof(int32_t));
            ints_[t * kTrackInts + 3] = static_cast<int32_t>(tracks[t].count);
        }
    }

    void writeCandidates(size_t count) const {
        for (size_t i = 0; i < count; i++) {
            list_.data[i * 2] = candidates[i].track;
            list_.data[i * 2 + 1] = candidates[i].knot;
        }
    }

private:
    HeapMemory memory_;
    Array<FitNode> nodes_;
    Array<FitTrack> tracks_;
    Array<FitCandidate> candidates_;
    Array<int32_t> order_, marks_, ownKnots_, sourceKnots_, chosen_;
    Array<double> work_;
    View<double> times_, at_, rest_, matrices_, corners_, points_, weights_, source_, placed_, trial_, errors_, locals_,
        localTable_, targets_, allowed_, numbers_, values_;
    View<int32_t> knots_, list_;
    int32_t* ints_;

    /// Whether no table overlaps another.
    template <size_t count>
    static bool areApart(View<double>* const (&tables)[count], std::initializer_list<const View<int32_t>*> lists) {
        for (size_t i = 0; i < count; i++) {
            const ByteRange bytes = rangeOf(*tables[i], tables[i]->length);
            for (size_t other = 0; other < i; other++) {
                if (overlap(bytes, rangeOf(*tables[other], tables[other]->length))) {
                    return false;
                }
            }
            for (const View<int32_t>* const list : lists) {
                if (overlap(bytes, rangeOf(*list, list->length))) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Keys that a track has room for.
    size_t room() const { return timeCount + 1; }

    bool readSizes(size_t nodesGiven, size_t tracksGiven) {
        nodeCount = nodesGiven;
        trackCount = tracksGiven;
        timeCount = times_.length;
        blocks = at_.length / kSampleBlock;
        const size_t samples = blocks * kSampleBlock;
        if (blocks == 0 || timeCount > INT32_MAX / 2 || samples < 2 * timeCount - 1 || trackCount == 0) {
            return false;
        }
        // Divisions, because products of the sizes could overflow.
        for (const View<double>* const table : {&source_, &placed_, &trial_, &localTable_}) {
            if (table->length / kSampleMatrix / samples < nodeCount) {
                return false;
            }
        }
        for (const View<double>* const table : {&weights_, &errors_}) {
            if (table->length / samples < nodeCount) {
                return false;
            }
        }
        if (locals_.length / kTrs / samples < nodeCount || rest_.length / kTrs < nodeCount ||
            matrices_.length / kSampleMatrix < nodeCount || corners_.length / (3 * kSampleBlock) < nodeCount ||
            allowed_.length / timeCount < trackCount ||
            numbers_.length / (sizeof(FitNumbers) / sizeof(double)) < trackCount ||
            values_.length / 4 / room() < trackCount || knots_.length / room() < trackCount) {
            return false;
        }
        times = times_.data;
        at = at_.data;
        rest = rest_.data;
        matrices = matrices_.data;
        corners = corners_.data;
        weights = weights_.data;
        source = source_.data;
        placed = placed_.data;
        trial = trial_.data;
        errors = errors_.data;
        locals = locals_.data;
        localMatrices = localTable_.data;
        return true;
    }

    bool readNodes(const int32_t* parents, const View<const int32_t>& starts) {
        if (starts.length <= nodeCount || !nodes_.allocate(memory_, nodeCount) ||
            !order_.allocate(memory_, nodeCount) || !marks_.allocate(memory_, nodeCount)) {
            return false;
        }
        nodes = nodes_.data;
        marks = marks_.data;
        order = order_.data;
        for (size_t i = 0; i < nodeCount; i++) {
            const int32_t start = readOnce(starts.data + i), end = readOnce(starts.data + i + 1);
            nodes[i].parent = readOnce(parents + i);
            nodes[i].size = 1;
            if (nodes[i].parent < -1 || nodes[i].parent >= static_cast<int32_t>(i) || start < 0 || end < start ||
                static_cast<size_t>(end) > points_.length / 3) {
                return false;
            }
            nodes[i].points = points_.data + static_cast<size_t>(start) * 3;
            nodes[i].count = static_cast<size_t>(end - start);
        }
        for (size_t i = nodeCount; i-- > 0;) {
            if (nodes[i].parent >= 0) {
                nodes[nodes[i].parent].size += nodes[i].size;
            }
        }
        // Children take their places one after another, behind their parent.
        int32_t roots = 0;
        for (size_t i = 0; i < nodeCount; i++) {
            int32_t& next = nodes[i].parent < 0 ? roots : marks[nodes[i].parent];
            nodes[i].place = next;
            next += nodes[i].size;
            marks[i] = nodes[i].place + 1;
            order_.data[nodes[i].place] = static_cast<int32_t>(i);
        }
        return true;
    }

    bool readTracks(const View<const int32_t>& own) {
        if (!tracks_.allocate(memory_, trackCount) || !ownKnots_.allocate(memory_, trackCount * room()) ||
            !sourceKnots_.allocate(memory_, own.length)) {
            return false;
        }
        tracks = tracks_.data;
        size_t copied = 0; // own keys of the tracks before, which stay as they are
        for (size_t t = 0; t < trackCount; t++) {
            FitTrack& track = tracks[t];
            const int32_t* const ints = ints_ + t * kTrackInts;
            const int32_t flags = readOnce(ints + 2), count = readOnce(ints + 3), first = readOnce(ints + 4),
                          sources = readOnce(ints + 5), target = readOnce(ints + 6);
            track.node = readOnce(ints);
            track.place = readOnce(ints + 1);
            track.constant = (flags & kConstant) != 0;
            track.moving = (flags & kMoving) != 0;
            track.joined = (flags & kJoined) != 0;
            track.unit = (flags & kUnit) != 0;
            track.exact = (flags & kExact) != 0;
            track.count = static_cast<size_t>(count);
            track.knots = ownKnots_.data + t * room();
            track.values = values_.data + t * room() * 4;
            track.tolerance = allowed_.data + t * timeCount;
            track.numbers = reinterpret_cast<FitNumbers*>(numbers_.data) + t;
            if (track.node < 0 || static_cast<size_t>(track.node) >= nodeCount ||
                (track.place != 0 && track.place != 3 && track.place != 7) || target < 0 ||
                static_cast<size_t>(target) > targets_.length ||
                (targets_.length - static_cast<size_t>(target)) / track.width() < timeCount || count < 1 ||
                track.count > room() || !copyKnots(knots_.data + t * room(), track.count, track.knots)) {
                return false;
            }
            track.target = targets_.data + target;
            if (sources < 0) {
                continue;
            }
            if (sources < 1 || first < 0 || static_cast<size_t>(first) < copied ||
                static_cast<size_t>(first) > own.length ||
                own.length - static_cast<size_t>(first) < static_cast<size_t>(sources) ||
                !copyKnots(own.data + first, static_cast<size_t>(sources), sourceKnots_.data + first)) {
                return false;
            }
            track.own = sourceKnots_.data + first;
            track.ownCount = static_cast<size_t>(sources);
            copied = static_cast<size_t>(first) + track.ownCount;
        }
        return true;
    }

    /// Indices that ascend and are below the number of times.
    bool copyKnots(const int32_t* from, size_t count, int32_t* to_) const {
        for (size_t k = 0; k < count; k++) {
            to_[k] = readOnce(from + k);
            if (to_[k] < 0 || static_cast<size_t>(to_[k]) >= timeCount || (k > 0 && to_[k] <= to_[k - 1])) {
                return false;
            }
        }
        return true;
    }

    bool readList() {
        size_t keys = 0;
        for (size_t t = 0; t < trackCount; t++) {
            keys += tracks[t].moving ? tracks[t].count : 0;
        }
        const size_t limit = phase == kFitRemovals  ? list_.length / 2
                             : phase == kFitCoarsen ? list_.length
                             : phase == kFitTracks  ? trackCount
                                                    : INT32_MAX;
        if (to > limit || (phase == kFitCandidates && list_.length / 2 < keys) ||
            !candidates_.allocate(memory_, phase == kFitCandidates ? keys
                                           : phase == kFitRemovals ? to
                                                                   : 0) ||
            !chosen_.allocate(memory_, phase == kFitCoarsen ? to : 0)) {
            return false;
        }
        candidates = candidates_.data;
        list = chosen_.data;
        for (size_t i = from; i < to && phase == kFitRemovals; i++) {
            candidates[i] = {0.0, readOnce(list_.data + i * 2), readOnce(list_.data + i * 2 + 1)};
            if (!moves(candidates[i].track)) {
                return false;
            }
        }
        for (size_t i = from; i < to && phase == kFitCoarsen; i++) {
            chosen_.data[i] = readOnce(list_.data + i);
            if (!moves(chosen_.data[i])) {
                return false;
            }
        }
        return true;
    }

    bool moves(int32_t track) const {
        return track >= 0 && static_cast<size_t>(track) < trackCount && tracks[track].moving;
    }

    bool allocate() {
        if (!work_.allocate(memory_, workOf(nodeCount, timeCount, blocks))) {
            return false;
        }
        work = work_.data;
        return true;
    }
};

} // namespace

napi_value fitClip(napi_env env, napi_callback_info info) {
    Arguments<28, const RigKernels> arguments;
    Fitted fitted;
    if (!arguments.read(env, info) || !fitted.read(env, arguments.values)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    const double found = arguments.data->fitClip(fitted);
    fitted.write();
    if (fitted.phase == kFitCandidates) {
        fitted.writeCandidates(static_cast<size_t>(found));
    }
    napi_value result = nullptr;
    napi_create_double(env, found, &result);
    return result;
}

} // namespace poselane
