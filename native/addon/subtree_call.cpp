// SPDX-License-Identifier: MIT
#include "baker_calls.h"

#include "rig_call.h"

namespace poselane {

namespace {

/// The tables of a clip, and the samples of a call.
struct Subtree {
    View<double> trial, errors;
    View<const double> locals, source, placed, weights, points;
    View<const int32_t> parents, starts, nodes;
    size_t blocks, from, to;

    bool read(napi_env env, const napi_value* values) {
        int all, first, end;
        if (!readView(env, values[0], napi_float64_array, &trial) ||
            !readView(env, values[1], napi_float64_array, &errors) ||
            !readView(env, values[2], napi_float64_array, &locals) ||
            !readView(env, values[3], napi_float64_array, &source) ||
            !readView(env, values[4], napi_float64_array, &placed) ||
            !readView(env, values[5], napi_float64_array, &weights) || !readInts(env, values[6], &parents) ||
            !readView(env, values[7], napi_float64_array, &points) || !readInts(env, values[8], &starts) ||
            !readInts(env, values[9], &nodes) || !readInt(env, values[10], 1, &all) ||
            !readInt(env, values[11], 0, &first) || !readInt(env, values[12], first, &end) || end > all) {
            return false;
        }
        blocks = static_cast<size_t>(all);
        from = static_cast<size_t>(first);
        to = static_cast<size_t>(end);
        return true;
    }

    /// `trial` may be `placed`: a node's matrices are written when those of its parent are read.
    bool overlaps() const {
        const ByteRange placedBytes = rangeOf(placed, placed.length);
        return overlap(rangeOf(trial, trial.length), rangeOf(errors, errors.length)) ||
               overlap(rangeOf(errors, errors.length), placedBytes) ||
               (placed.data != trial.data && overlap(rangeOf(trial, trial.length), placedBytes)) ||
               overlapsTables(rangeOf(trial, trial.length)) || overlapsTables(rangeOf(errors, errors.length));
    }

    /// Reads each index once, since another thread may change it.
    bool find(size_t i, NodeSamples* samples) const {
        const int32_t index = readOnce(nodes.data + i);
        const size_t node = static_cast<size_t>(index);
        if (index < 0 || node >= nodesIn(trial) || node >= nodesIn(locals) || node >= nodesIn(source) ||
            node >= rowsIn(errors) || node >= rowsIn(weights) || node >= parents.length || node + 1 >= starts.length) {
            return false;
        }
        const int32_t parent = readOnce(parents.data + node);
        const int32_t first = readOnce(starts.data + node), end = readOnce(starts.data + node + 1);
        const View<const double> above = i == 0 ? placed : View<const double>{trial.data, trial.length};
        if ((parent >= 0 && static_cast<size_t>(parent) >= nodesIn(above)) || first < 0 || end < first ||
            static_cast<size_t>(end) > points.length / 3) {
            return false;
        }
        const size_t at = matricesOf(node), row = (node * blocks + from) * kSampleBlock;
        *samples = {trial.data + at,
                    errors.data + row,
                    locals.data + at,
                    source.data + at,
                    parent < 0 ? nullptr : above.data + matricesOf(static_cast<size_t>(parent)),
                    weights.data + row,
                    points.data + static_cast<size_t>(first) * 3,
                    static_cast<size_t>(end - first)};
        return true;
    }

private:
    // Divisions, because products of the arguments could overflow.
    template <typename Element> size_t rowsIn(const View<Element>& view) const {
        return view.length / kSampleBlock / blocks;
    }
    template <typename Element> size_t nodesIn(const View<Element>& view) const {
        return view.length / (kSampleMatrix * kSampleBlock) / blocks;
    }
    size_t matricesOf(size_t node) const { return (node * blocks + from) * kSampleMatrix * kSampleBlock; }

    bool overlapsTables(const ByteRange& written) const {
        return overlap(written, rangeOf(locals, locals.length)) || overlap(written, rangeOf(source, source.length)) ||
               overlap(written, rangeOf(weights, weights.length)) || overlap(written, rangeOf(points, points.length)) ||
               overlap(written, rangeOf(parents, parents.length)) || overlap(written, rangeOf(starts, starts.length)) ||
               overlap(written, rangeOf(nodes, nodes.length));
    }
};

} // namespace

napi_value subtreeErrors(napi_env env, napi_callback_info info) {
    Arguments<14, const RigKernels> arguments;
    Subtree subtree;
    double limit;
    if (!arguments.read(env, info) || !subtree.read(env, arguments.values) ||
        !isNumber(env, arguments.values[13], &limit) || subtree.overlaps()) {
        return refuse(env);
    }
    NodeSamples samples;
    for (size_t i = 0; i < subtree.nodes.length; i++) {
        if (!subtree.find(i, &samples)) {
            return refuse(env);
        }
    }
    const FloatEnvironment environment;
    double worst = 0.0;
    for (size_t i = 0; i < subtree.nodes.length && !(worst > limit && i > 0); i++) {
        if (!subtree.find(i, &samples)) {
            return refuse(env);
        }
        worst = arguments.data->nodeErrors(samples, subtree.to - subtree.from, worst);
    }
    napi_value result = nullptr;
    napi_create_double(env, worst, &result);
    return result;
}

} // namespace poselane
