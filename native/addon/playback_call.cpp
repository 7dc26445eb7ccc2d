// SPDX-License-Identifier: MIT
#include "baker_calls.h"

#include "rig_call.h"

namespace poselane {

napi_value playbackError(napi_env env, napi_callback_info info) {
    Arguments<6, const RigKernels> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    View<double> max;
    View<float> rows, samples;
    View<const uint8_t> nearest;
    View<const double> boxes;
    int joints;
    if (!readView(env, values[0], napi_float64_array, &max) || !readFloats(env, values[1], &rows) ||
        !readFloats(env, values[2], &samples) || !readView(env, values[3], napi_uint8_array, &nearest) ||
        !readInt(env, values[4], 1, &joints) || !readView(env, values[5], napi_float64_array, &boxes)) {
        return refuse(env);
    }
    const size_t row = static_cast<size_t>(joints) * 16;
    const size_t intervals = nearest.length;
    // Divisions, because products of the arguments could overflow.
    if (max.length < 2 || boxes.length / kBoxNumbers < static_cast<size_t>(joints) || rows.length / row <= intervals ||
        samples.length / row / kPlaybackSamples < intervals) {
        return refuse(env);
    }
    const ByteRange written = rangeOf(max, 2);
    if (overlap(written, rangeOf(rows, rows.length)) || overlap(written, rangeOf(samples, samples.length)) ||
        overlap(written, rangeOf(nearest, nearest.length)) || overlap(written, rangeOf(boxes, boxes.length))) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    arguments.data->playbackError(max.data, rows.data, samples.data, nearest.data, intervals,
                                  static_cast<size_t>(joints), boxes.data);
    return done();
}

} // namespace poselane
