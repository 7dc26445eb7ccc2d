// SPDX-License-Identifier: MIT
// Twin: lib/reduce/model/sampler.ts, skeleton.ts
//
// Samples the curves of a clip and places its nodes: the bits of the twin, all in double precision.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>

#include "fitted_values.h"
#include "kernels.h"
#include "play_track.h"

namespace poselane {
namespace {

template <int width> void sampleSpline(const double* from, double span, double t, double* result) {
    const double t2 = t * t, t3 = t * t * t;
    for (int c = 0; c < width; c++) {
        const double* const v = from + width + c;
        result[c] = (2.0 * t3 - 3.0 * t2 + 1.0) * v[0] + span * (t3 - 2.0 * t2 + t) * v[width] +
                    (-2.0 * t3 + 3.0 * t2) * v[3 * width] + span * (t3 - t2) * v[2 * width];
    }
}

template <int width> void sampleCurve(const BoundCurve& curve, double time, double* result) {
    const bool isSpline = curve.interpolation == kCurveSpline;
    const ptrdiff_t part = isSpline ? 3 * width : width, k = curve.key;
    if (k < 0 || k == curve.count - 1 || curve.times[k] == time || curve.interpolation == kCurveStep) {
        const double* const value = curve.values + (k < 0 ? 0 : k) * part + (isSpline ? width : 0);
        for (int c = 0; c < width; c++) {
            result[c] = value[c];
        }
    } else {
        const double span = curve.times[k + 1] - curve.times[k], t = (time - curve.times[k]) / span;
        const double* const a = curve.values + k * part;
        if (isSpline) {
            sampleSpline<width>(a, span, t, result);
        } else {
            const Between<width> between(a, a + width);
            const double u = between.first(t), v = between.second(t);
            for (int c = 0; c < width; c++) {
                result[c] = u * a[c] + v * a[width + c];
            }
        }
    }
    if (isSpline && width == 4) {
        const double squared = product<width>(result, result);
        if (squared != 0.0) {
            const double length = sqrt(squared);
            for (int c = 0; c < width; c++) {
                result[c] = result[c] / length;
            }
        }
    }
}

/// Writes a track's value, from the key of its curve on.
inline void sample(const BoundTrack& track, int which, double time, double* locals) {
    const BoundCurve& curve = track.curves[which];
    double* const result = locals + track.at;
    if (track.width == 4) {
        sampleCurve<4>(curve, time, result);
    } else {
        sampleCurve<3>(curve, time, result);
    }
}

inline void placeNodes(const BoundNode* nodes, size_t count, const double* locals, double* globals) {
    for (size_t node = 0; node < count; node++) {
        const BoundNode& own = nodes[node];
        double* const result = globals + node * kSampleMatrix;
        double composed[kSampleMatrix];
        double* const local = own.parent < 0 ? result : composed;
        if (own.matrix == nullptr) {
            compose(local, 1, locals + node * kTrs);
        } else {
            memcpy(local, own.matrix, sizeof composed);
        }
        if (own.parent >= 0) {
            const double* const above = globals + static_cast<size_t>(own.parent) * kSampleMatrix;
            for (int r = 0; r < kSampleMatrix; r += 4) {
                for (int c = 0; c < 4; c++) {
                    const double sum = above[r] * local[c] + above[r + 1] * local[c + 4] + above[r + 2] * local[c + 8];
                    result[r + c] = c == 3 ? sum + above[r + 3] : sum;
                }
            }
        }
    }
}

void poseClip(const ClipPoses& poses) {
    for (size_t t = 0; t < poses.tracks && poses.timeCount > 0; t++) {
        BoundCurve& curve = poses.track[t].curves[0];
        curve.key = std::upper_bound(curve.times, curve.times + curve.count, poses.times[0]) - curve.times - 1;
    }
    for (size_t i = 0; i < poses.timeCount; i++) {
        for (size_t t = 0; t < poses.tracks; t++) {
            BoundTrack& track = poses.track[t];
            BoundCurve& curve = track.curves[0];
            const double time = poses.times[i];
            while (curve.key + 1 < curve.count && curve.times[curve.key + 1] <= time) {
                curve.key++;
            }
            sample(track, 0, time, poses.locals);
        }
        placeNodes(poses.node, poses.nodes, poses.locals, poses.globals + i * poses.nodes * kSampleMatrix);
    }
}

} // namespace
} // namespace poselane
