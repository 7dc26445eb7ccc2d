// SPDX-License-Identifier: MIT
#include <math.h>

#include <initializer_list>

#include "arrays.h"
#include "baker_calls.h"
#include "rig_call.h"

namespace poselane {

namespace {

/// Numbers of a track: the node's index times 10 plus its place, then interpolation, number of keys and first number of
/// both curves. Times come first, then values.
constexpr size_t kTrackInts = 7;
/// The same with one curve.
constexpr size_t kPosedInts = 4;

/// The first number of a track among the nodes' tens.
bool readPlace(const int32_t* ints, size_t nodes, BoundTrack* track) {
    const int32_t at = readOnce(ints), place = at % kTrs;
    track->at = static_cast<size_t>(at);
    track->width = place == 3 ? 4 : 3;
    return at >= 0 && static_cast<size_t>(at / kTrs) < nodes && (place == 0 || place == 3 || place == 7);
}

bool readCurve(const View<const double>& list, const int32_t* ints, int width, BoundCurve* curve) {
    const int32_t kind = readOnce(ints), count = readOnce(ints + 1), first = readOnce(ints + 2);
    if (kind < kCurveLinear || kind > kCurveSpline || count < 1 || first < 0 ||
        static_cast<size_t>(first) > list.length) {
        return false;
    }
    const size_t numbers = 1 + static_cast<size_t>(width) * (kind == kCurveSpline ? 3 : 1);
    if ((list.length - static_cast<size_t>(first)) / numbers < static_cast<size_t>(count)) {
        return false;
    }
    curve->interpolation = static_cast<CurveInterpolation>(kind);
    curve->count = count;
    curve->times = list.data + first;
    curve->values = curve->times + count;
    return true;
}

/// The arguments, and work space. Indices are copied, since another thread may change them.
struct Bound : BoundWork {
    bool read(napi_env env, const napi_value* values) {
        View<double> written;
        View<const int32_t> parents, starts, ints;
        View<const double> rest, grid, allowed;
        int first, end;
        if (!readView(env, values[0], napi_float64_array, &written) || !readInts(env, values[1], &parents) ||
            !readView(env, values[2], napi_float64_array, &matrices_) ||
            !readView(env, values[3], napi_float64_array, &rest) || !readInts(env, values[4], &starts) ||
            !readView(env, values[5], napi_float64_array, &points_) ||
            !readView(env, values[6], napi_float64_array, &slack_) ||
            !readView(env, values[7], napi_float64_array, &factors_) || !readInts(env, values[8], &ints) ||
            !readView(env, values[9], napi_float64_array, &numbers_) ||
            !readView(env, values[10], napi_float64_array, &grid) ||
            !readView(env, values[11], napi_float64_array, &allowed) || !readInt(env, values[12], 0, &first) ||
            !readInt(env, values[13], first, &end)) {
            return false;
        }
        nodes = parents.length;
        tracks = ints.length / kTrackInts;
        times = grid.data;
        timeCount = grid.length;
        limits = allowed.data;
        intervals = timeCount == 1 ? 1 : timeCount - 1;
        from = static_cast<size_t>(first);
        to = static_cast<size_t>(end);
        if (written.length < sizeof(BoundFound) / sizeof(double) || to > timeCount || nodes > rest.length / kTrs ||
            nodes > matrices_.length / kSampleMatrix || nodes >= starts.length || nodes > slack_.length ||
            nodes > factors_.length || nodes > allowed.length / intervals) {
            return false;
        }
        found = reinterpret_cast<BoundFound*>(written.data);
        return readNodes(parents.data, starts.data) && readTracks(ints.data) && openStates(rest.data);
    }

private:
    HeapMemory memory_;
    Array<BoundNode> nodes_;
    Array<BoundTrack> tracks_;
    Array<double> corners_, work_;
    View<const double> matrices_, points_, slack_, factors_, numbers_;

    bool readNodes(const int32_t* parents, const int32_t* starts) {
        if (!nodes_.allocate(memory_, nodes) ||
            !corners_.allocate(memory_, (points_.length / 3 + nodes * kSampleBlock) * 3)) {
            return false;
        }
        node = nodes_.data;
        double* next = corners_.data;
        size_t begin = 0;
        for (size_t i = 0; i < nodes; i++) {
            BoundNode& own = node[i];
            own.parent = readOnce(parents + i);
            const int32_t start = readOnce(starts + i), end = readOnce(starts + i + 1);
            if (own.parent < -1 || own.parent >= static_cast<int32_t>(i) || start < 0 ||
                static_cast<size_t>(start) != begin || end < start || static_cast<size_t>(end) > points_.length / 3) {
                return false;
            }
            own.slack = slack_.data[i];
            own.factor = factors_.data[i];
            addPoints(&own, points_.data + begin * 3, static_cast<size_t>(end) - begin, &next);
            begin = static_cast<size_t>(end);
            const double* const matrix = matrices_.data + i * kSampleMatrix;
            if (matrix[0] == matrix[0]) {
                own.matrix = matrix;
                setRates(&own);
            }
        }
        return true;
    }

    static void addPoints(BoundNode* node, const double* points, size_t count, double** next) {
        node->points = (count + kSampleBlock - 1) / kSampleBlock * kSampleBlock;
        const double** const lists[] = {&node->x, &node->y, &node->z};
        for (size_t c = 0; c < 3; c++) {
            *lists[c] = *next;
            for (size_t p = 0; p < node->points; p++) {
                *(*next)++ = points[(p < count ? p : count - 1) * 3 + c];
            }
        }
        double max = 0.0;
        for (size_t p = 0; p < node->points; p++) {
            const double squared = node->x[p] * node->x[p] + node->y[p] * node->y[p] + node->z[p] * node->z[p];
            max = squared > max ? squared : max;
        }
        node->size = sqrt(max) + node->slack;
    }

    static void setRates(BoundNode* node) {
        const double* const m = node->matrix;
        double sum = 0.0;
        for (int e = 0; e < kSampleMatrix; e++) {
            sum = e % 4 < 3 ? sum + m[e] * m[e] : sum;
        }
        node->source[0] = node->reduced[0] = sqrt(sum);
        node->shift[0] = sqrt(m[3] * m[3] + m[7] * m[7] + m[11] * m[11]);
    }

    bool readTracks(const int32_t* ints) {
        if (!tracks_.allocate(memory_, tracks)) {
            return false;
        }
        track = tracks_.data;
        for (size_t t = 0; t < tracks; t++, ints += kTrackInts) {
            BoundTrack& own = track[t];
            if (!readPlace(ints, nodes, &own)) {
                return false;
            }
            const size_t place = own.at % kTrs;
            BoundNode& moved = node[own.at / kTrs];
            (place == 0 ? moved.translation : place == 3 ? moved.rotation : moved.scale) = &own;
            for (int which = 0; which < 2; which++) {
                if (!readCurve(numbers_, ints + 1 + which * 3, own.width, &own.curves[which])) {
                    return false;
                }
            }
        }
        return true;
    }

    bool openStates(const double* rest) {
        const size_t numbers = nodes * kTrs;
        if (!work_.allocate(memory_, kBoundStates * (2 * numbers + nodes) + 2 * nodes * kSampleMatrix)) {
            return false;
        }
        double* next = work_.data;
        for (BoundState& state : states) {
            for (int which = 0; which < 2; which++, next += numbers) {
                state.locals[which] = next;
                memcpy(next, rest, numbers * sizeof(double));
            }
            state.errors = next;
            next += nodes;
        }
        globals[0] = next;
        globals[1] = next + nodes * kSampleMatrix;
        return true;
    }
};

struct Posed : ClipPoses {
    bool read(napi_env env, const napi_value* values) {
        View<double> written;
        View<const int32_t> parents, ints;
        View<const double> matrices, rest, numbers, grid;
        if (!readView(env, values[0], napi_float64_array, &written) || !readInts(env, values[1], &parents) ||
            !readView(env, values[2], napi_float64_array, &matrices) ||
            !readView(env, values[3], napi_float64_array, &rest) || !readInts(env, values[4], &ints) ||
            !readView(env, values[5], napi_float64_array, &numbers) ||
            !readView(env, values[6], napi_float64_array, &grid)) {
            return false;
        }
        nodes = parents.length;
        tracks = ints.length / kPosedInts;
        times = grid.data;
        timeCount = grid.length;
        globals = written.data;
        const ByteRange out = rangeOf(written, written.length);
        if (overlap(out, rangeOf(matrices, matrices.length)) || overlap(out, rangeOf(rest, rest.length)) ||
            overlap(out, rangeOf(numbers, numbers.length)) || overlap(out, rangeOf(grid, grid.length)) || nodes == 0 ||
            written.length / kSampleMatrix / nodes < timeCount || nodes > rest.length / kTrs ||
            nodes > matrices.length / kSampleMatrix || !nodes_.allocate(memory_, nodes) ||
            !tracks_.allocate(memory_, tracks) || !locals_.allocate(memory_, nodes * kTrs)) {
            return false;
        }
        node = nodes_.data;
        track = tracks_.data;
        locals = locals_.data;
        memcpy(locals, rest.data, nodes * kTrs * sizeof(double));
        for (size_t i = 0; i < nodes; i++) {
            const double* const matrix = matrices.data + i * kSampleMatrix;
            nodes_.data[i].parent = readOnce(parents.data + i);
            nodes_.data[i].matrix = matrix[0] == matrix[0] ? matrix : nullptr;
            if (node[i].parent < -1 || node[i].parent >= static_cast<int32_t>(i)) {
                return false;
            }
        }
        for (size_t t = 0; t < tracks; t++) {
            const int32_t* const own = ints.data + t * kPosedInts;
            if (!readPlace(own, nodes, track + t) ||
                !readCurve(numbers, own + 1, track[t].width, &track[t].curves[0])) {
                return false;
            }
        }
        return true;
    }

private:
    HeapMemory memory_;
    Array<BoundNode> nodes_;
    Array<BoundTrack> tracks_;
    Array<double> locals_;
};

} // namespace

napi_value poseClip(napi_env env, napi_callback_info info) {
    Arguments<7, const RigKernels> arguments;
    Posed posed;
    const FloatEnvironment environment;
    if (!arguments.read(env, info) || !posed.read(env, arguments.values)) {
        return refuse(env);
    }
    arguments.data->poseClip(posed);
    return done();
}

napi_value boundIntervals(napi_env env, napi_callback_info info) {
    Arguments<14, const RigKernels> arguments;
    Bound bound;
    const FloatEnvironment environment;
    if (!arguments.read(env, info) || !bound.read(env, arguments.values)) {
        return refuse(env);
    }
    arguments.data->boundIntervals(bound);
    return done();
}

} // namespace poselane
