// SPDX-License-Identifier: MIT
//
// Functions of the baker and of `reduce`. Their data is their RigKernels, but for `deflatedSize` and `coverPoints`.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (max, rows, samples, nearest, joints, boxes): lib/bake/playback/playback-error.ts.
napi_value playbackError(napi_env env, napi_callback_info info);

/// (phase, from, to, number, options, times, at, rest, matrices, corners, points, weights, source, placed, trial,
/// errors, trialErrors, locals, localMatrices, targets, tolerances, numbers, values, parents, starts, tracks, own,
/// knots, list): lib/reduce/fit/native-fitter.ts.
napi_value fitClip(napi_env env, napi_callback_info info);

/// (bytes, limit): lib/reduce/write/packed-size.ts.
napi_value deflatedSize(napi_env env, napi_callback_info info);

/// (chosen, slack, points, corners, order, allowed, most): lib/reduce/model/points.ts.
napi_value coverPoints(napi_env env, napi_callback_info info);

/// (found, parents, matrices, rest, starts, points, slack, factors, tracks, numbers, times, limits, from, to):
/// lib/reduce/bounds/choose-clip-bound.ts.
napi_value boundIntervals(napi_env env, napi_callback_info info);

/// (globals, parents, matrices, rest, tracks, numbers, times): lib/reduce/model/choose-poses.ts.
napi_value poseClip(napi_env env, napi_callback_info info);

} // namespace poselane
