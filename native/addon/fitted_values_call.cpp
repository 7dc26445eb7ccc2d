// SPDX-License-Identifier: MIT
#include <algorithm>
#include <initializer_list>

#include "arrays.h"
#include "baker_calls.h"
#include "rig_call.h"

namespace poselane {

namespace {

constexpr size_t kRules = sizeof(TrackRules) / sizeof(double);

/// Copies indices that ascend and are below a limit, since another thread may change them.
bool copyKnots(Memory& memory, const int32_t* indices, size_t count, size_t limit, Array<int32_t>* knots) {
    if (!knots->allocate(memory, count)) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        const int32_t knot = readOnce(indices + k);
        if (knot < 0 || static_cast<size_t>(knot) >= limit || (k > 0 && knot <= knots->data[k - 1])) {
            return false;
        }
        knots->data[k] = knot;
    }
    return true;
}

/// The arguments, and work space. Rules are copied, as knots are.
struct Fit : TrackFit {
    bool read(napi_env env, const napi_value* values) {
        View<double> written;
        View<const int32_t> indices;
        View<const double> own, wanted, grid, allowed, numbers;
        int keys;
        if (!readView(env, values[0], napi_float64_array, &written) || !readInts(env, values[1], &indices) ||
            !readView(env, values[2], napi_float64_array, &own) ||
            !readView(env, values[3], napi_float64_array, &wanted) ||
            !readView(env, values[4], napi_float64_array, &grid) ||
            !readView(env, values[5], napi_float64_array, &allowed) ||
            !readView(env, values[6], napi_float64_array, &numbers) || !readInt(env, values[7], 2, &keys) ||
            !readInt(env, values[8], 0, &rounds) || numbers.length < kRules) {
            return false;
        }
        memcpy(&rules, numbers.data, sizeof rules);
        count = static_cast<size_t>(keys);
        const size_t width = rules.width == 4.0 ? 4 : 3;
        if (indices.length < count || written.length / width < count || own.length / width < count) {
            return false;
        }
        into = written.data;
        ends = own.data;
        target = wanted.data;
        times = grid.data;
        tolerance = allowed.data;
        const size_t n = wanted.length / width;
        const size_t limit = std::min(n, std::min(grid.length, allowed.length));
        if (!copyKnots(memory_, indices.data, count, limit, &ownKnots_)) {
            return false;
        }
        knots = ownKnots_.data;
        return allocate(width);
    }

private:
    HeapMemory memory_;
    Array<int32_t> ownKnots_;
    Array<double> work_;

    bool allocate(size_t width) {
        const size_t samples = static_cast<size_t>(knots[count - 1] - knots[0]) + 1;
        if (!work_.allocate(memory_, samples * 4 + count * (2 + 2 * width))) {
            return false;
        }
        double* next = work_.data;
        for (double** list : {&weight, &shares, &firsts, &seconds}) {
            *list = next;
            next += samples;
        }
        diagonal = next;
        side = diagonal + count;
        right = side + count;
        tried = right + count * width;
        return true;
    }
};

} // namespace

napi_value fittedValues(napi_env env, napi_callback_info info) {
    Arguments<9, const RigKernels> arguments;
    Fit fit;
    if (!arguments.read(env, info) || !fit.read(env, arguments.values)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    napi_value result = nullptr;
    napi_create_double(env, arguments.data->fittedValues(fit), &result);
    return result;
}

napi_value greedyKnots(napi_env env, napi_callback_info info) {
    Arguments<6, const RigKernels> arguments;
    View<int32_t> knots;
    View<const double> target, times, tolerance, rules;
    TrackFit fit = {};
    double factor;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    if (!readView(env, values[0], napi_int32_array, &knots) || !readView(env, values[1], napi_float64_array, &target) ||
        !readView(env, values[2], napi_float64_array, &times) ||
        !readView(env, values[3], napi_float64_array, &tolerance) ||
        !readView(env, values[4], napi_float64_array, &rules) || !isNumber(env, values[5], &factor) ||
        rules.length < kRules) {
        return refuse(env);
    }
    memcpy(&fit.rules, rules.data, sizeof fit.rules);
    const size_t width = fit.rules.width == 4.0 ? 4 : 3, count = times.length;
    if (target.length / width < count || tolerance.length < count || knots.length < count || count > INT32_MAX) {
        return refuse(env);
    }
    fit.target = target.data;
    fit.times = times.data;
    fit.tolerance = tolerance.data;
    const FloatEnvironment environment;
    napi_value result = nullptr;
    napi_create_double(env, static_cast<double>(arguments.data->greedyKnots(fit, factor, count, knots.data)), &result);
    return result;
}

napi_value playTrack(napi_env env, napi_callback_info info) {
    Arguments<11, const RigKernels> arguments;
    View<double> locals, matrices;
    View<const double> at, keys;
    View<const int32_t> knots;
    int count, node, blocks, from, to;
    PlayedTrack track = {};
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    if (!readView(env, values[0], napi_float64_array, &locals) ||
        !readView(env, values[1], napi_float64_array, &matrices) ||
        !readView(env, values[2], napi_float64_array, &at) || !readInts(env, values[3], &knots) ||
        !readView(env, values[4], napi_float64_array, &keys) || !readInt(env, values[5], 1, &count) ||
        !readInt(env, values[6], 0, &track.place) || !readInt(env, values[7], 0, &node) ||
        !readInt(env, values[8], 1, &blocks) || !readInt(env, values[9], 0, &from) ||
        !readInt(env, values[10], from, &to)) {
        return refuse(env);
    }
    track.count = static_cast<size_t>(count);
    track.from = static_cast<size_t>(from);
    track.to = static_cast<size_t>(to);
    const size_t width = track.place == 3 ? 4 : 3, first = static_cast<size_t>(node) * static_cast<size_t>(blocks);
    const size_t size = kSampleMatrix * kSampleBlock;
    HeapMemory memory;
    Array<int32_t> own;
    if ((track.place != 0 && track.place != 3 && track.place != 7) || knots.length < track.count ||
        keys.length / width < track.count || locals.length / kTrs < track.to || at.length < track.to ||
        matrices.length / size < first || (matrices.length / size - first) * kSampleBlock < track.to ||
        static_cast<size_t>(blocks) * kSampleBlock < track.to ||
        !copyKnots(memory, knots.data, track.count, (at.length + 1) / 2, &own)) {
        return refuse(env);
    }
    track.locals = locals.data;
    track.matrices = matrices.data + first * size;
    track.at = at.data;
    track.knots = own.data;
    track.values = keys.data;
    const FloatEnvironment environment;
    arguments.data->playTrack(track);
    return done();
}

} // namespace poselane
