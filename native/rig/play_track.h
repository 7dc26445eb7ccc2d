// SPDX-License-Identifier: MIT
// Twin: lib/reduce/fit/play-track.ts
//
// Writes a track's values at samples of a clip, and the node's matrices: the bits of the twin, in double precision.
#pragma once

#include <stddef.h>

#include "fitted_values.h"
#include "kernels.h"

namespace poselane {
namespace {

/// Keys of a track, played at samples of a clip.
struct PlayedTrack {
    /// Written at samples `from` to `to - 1`: [sample][10], and [block][12][8].
    double *locals, *matrices;
    /// Times of the samples. Grid time i is sample 2 i.
    const double* at;
    /// Indices of the grid, ascending.
    const int32_t* knots;
    const double* values;
    /// 1 or more.
    size_t count;
    /// 0, 3 for rotations, or 7.
    int place;
    size_t from, to;
};

/// Writes translation x rotation x scale: element e to `e * stride`.
inline void compose(double* result, size_t stride, const double* trs) {
    const double x = trs[3], y = trs[4], z = trs[5], w = trs[6], sx = trs[7], sy = trs[8], sz = trs[9];
    result[0] = (1.0 - 2.0 * (y * y + z * z)) * sx;
    result[stride] = 2.0 * (x * y - z * w) * sy;
    result[2 * stride] = 2.0 * (x * z + y * w) * sz;
    result[3 * stride] = trs[0];
    result[4 * stride] = 2.0 * (x * y + z * w) * sx;
    result[5 * stride] = (1.0 - 2.0 * (x * x + z * z)) * sy;
    result[6 * stride] = 2.0 * (y * z - x * w) * sz;
    result[7 * stride] = trs[1];
    result[8 * stride] = 2.0 * (x * z - y * w) * sx;
    result[9 * stride] = 2.0 * (y * z + x * w) * sy;
    result[10 * stride] = (1.0 - 2.0 * (x * x + y * y)) * sz;
    result[11 * stride] = trs[2];
}

template <int width> void playWidth(const PlayedTrack& track) {
    const size_t last = track.count - 1;
    const auto sampleOf = [&](size_t k) { return static_cast<size_t>(track.knots[k]) * 2; };
    size_t k = 0;
    for (size_t s = track.from; s < track.to;) {
        while (k < last && sampleOf(k + 1) <= s) {
            k++;
        }
        const double* const from = track.values + k * width;
        const bool moves = k < last && sampleOf(k) < s;
        const Between<width> between(from, moves ? from + width : from);
        const double start = track.at[sampleOf(k)], span = moves ? track.at[sampleOf(k + 1)] - start : 1.0;
        // All samples before the next key, or the one at this key.
        const size_t end = k == last ? track.to : moves ? sampleOf(k + 1) : s + 1;
        for (; s < end && s < track.to; s++) {
            double* const trs = track.locals + s * kTrs;
            const double t = (track.at[s] - start) / span;
            const double u = moves ? between.first(t) : 1.0, w = moves ? between.second(t) : 0.0;
            for (int c = 0; c < width; c++) {
                trs[track.place + c] = moves ? u * from[c] + w * from[width + c] : from[c];
            }
            compose(track.matrices + (s / kSampleBlock) * kSampleMatrix * kSampleBlock + s % kSampleBlock, kSampleBlock,
                    trs);
        }
    }
}

void playTrack(const PlayedTrack& track) { track.place == 3 ? playWidth<4>(track) : playWidth<3>(track); }

} // namespace
} // namespace poselane
