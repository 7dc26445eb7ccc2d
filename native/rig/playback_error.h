// SPDX-License-Identifier: MIT
// Twin: lib/bake/playback/playback-error.ts
//
// The error of playing baked rows back, against the poses between the rows: the bits of
// lib/bake/playback/playback-error.ts. All in double precision. The columns of a matrix are vectors of four; the fourth
// number of each, from the row 0 0 0 1, has no effect.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../core/always_inline.h"
#include "kernels.h"

namespace poselane {
namespace {

#if defined(__GNUC__)

using Column = double __attribute__((vector_size(32)));

POSELANE_ALWAYS_INLINE void loadColumn(Column& column, const float* p) {
    using Floats = float __attribute__((vector_size(16)));
    Floats floats;
    memcpy(&floats, p, sizeof floats);
    column = __builtin_convertvector(floats, Column);
}

POSELANE_ALWAYS_INLINE void absolute(Column& result, const Column& column) {
    using Bits = int64_t __attribute__((vector_size(32)));
    Bits bits;
    memcpy(&bits, &column, sizeof bits);
    bits &= INT64_MAX;
    memcpy(&result, &bits, sizeof bits);
}

#else

struct Column {
    double numbers[4];

    double operator[](int i) const { return numbers[i]; }
    Column operator+(const Column& b) const {
        return {{numbers[0] + b[0], numbers[1] + b[1], numbers[2] + b[2], numbers[3] + b[3]}};
    }
    Column operator-(const Column& b) const {
        return {{numbers[0] - b[0], numbers[1] - b[1], numbers[2] - b[2], numbers[3] - b[3]}};
    }
    Column operator*(const Column& b) const {
        return {{numbers[0] * b[0], numbers[1] * b[1], numbers[2] * b[2], numbers[3] * b[3]}};
    }
    Column operator*(double b) const { return *this * Column{{b, b, b, b}}; }
};

inline void loadColumn(Column& column, const float* p) { column = {{p[0], p[1], p[2], p[3]}}; }

inline void absolute(Column& result, const Column& column) {
    for (int i = 0; i < 4; i++) {
        result.numbers[i] = column[i] < 0.0 ? -column[i] : column[i];
    }
}

#endif

struct Matrix {
    Column columns[4];
};

POSELANE_ALWAYS_INLINE void loadMatrix(Matrix& matrix, const float* p) {
    for (int c = 0; c < 4; c++) {
        loadColumn(matrix.columns[c], p + 4 * c);
    }
}

/// The maximum distance that a difference of matrices moves a corner along each axis.
POSELANE_ALWAYS_INLINE void reachOf(Column& reach, const Matrix& off, const double* box) {
    Column x, y, z, centre;
    absolute(x, off.columns[0]);
    absolute(y, off.columns[1]);
    absolute(z, off.columns[2]);
    const Column moved = off.columns[0] * box[0] + off.columns[1] * box[1] + off.columns[2] * box[2] + off.columns[3];
    absolute(centre, moved);
    reach = centre + (x * box[3] + y * box[4] + z * box[5]);
}

POSELANE_ALWAYS_INLINE double squaredLength(const Column& vector) {
    const Column squares = vector * vector;
    return squares[0] + squares[1] + squares[2];
}

/// `squaredReach` of lib/rig/measure/displacement.ts. Seldom called.
double squaredReach(const Matrix& off, const double* box, double min) {
    Column reach;
    reachOf(reach, off, box);
    if (squaredLength(reach) <= min) {
        return min;
    }
    const Column centre = off.columns[0] * box[0] + off.columns[1] * box[1] + off.columns[2] * box[2] + off.columns[3];
    double max = min;
    for (int corner = 0; corner < 8; corner++) {
        const double hx = corner & 1 ? box[3] : -box[3];
        const double hy = corner & 2 ? box[4] : -box[4];
        const double hz = corner & 4 ? box[5] : -box[5];
        const Column moved = centre + (off.columns[0] * hx + off.columns[1] * hy + off.columns[2] * hz);
        const double squared = squaredLength(moved);
        if (!(squared <= max)) {
            max = squared >= 0.0 ? squared : HUGE_VAL;
        }
    }
    return max;
}

/// See `PlaybackError` there. `rows` has a row more than there are intervals, `samples` kPlaybackSamples for each of
/// them, `boxes` kBoxNumbers for each joint.
void playbackError(double* max, const float* rows, const float* samples, const uint8_t* nearest, size_t intervals,
                   size_t joints, const double* boxes) {
    const size_t row = joints * 16;
    double lerpMax = max[0], nearestMax = max[1];
    for (size_t interval = 0; interval < intervals; interval++) {
        const int nearer = nearest[interval];
        if (nearer == kPlaybackHeld) {
            continue;
        }
        for (size_t joint = 0; joint < joints; joint++) {
            const double* const box = boxes + joint * kBoxNumbers;
            if (box[3] < 0.0) {
                continue; // moves nothing
            }
            const float* const from = rows + interval * row + joint * 16;
            Matrix start, step;
            loadMatrix(start, from);
            loadMatrix(step, from + row);
            for (int c = 0; c < 4; c++) {
                step.columns[c] = step.columns[c] - start.columns[c];
            }
            Column stepReach;
            reachOf(stepReach, step, box);
            const float* at = samples + interval * kPlaybackSamples * row + joint * 16;
            for (int k = 1; k <= kPlaybackSamples; k++, at += row) {
                const double share = k / static_cast<double>(kPlaybackSamples + 1);
                const bool first = k <= nearer;
                Matrix sample, off;
                loadMatrix(sample, at);
                for (int c = 0; c < 4; c++) {
                    off.columns[c] = start.columns[c] + step.columns[c] * share - sample.columns[c];
                }
                Column reach;
                reachOf(reach, off, box);
                if (!(squaredLength(reach) <= lerpMax)) {
                    lerpMax = squaredReach(off, box, lerpMax);
                }
                // Trials of frame rates pass infinity, because they only need the other error.
                if (nearestMax == HUGE_VAL) {
                    continue;
                }
                const Column further = reach + stepReach * (first ? share : 1.0 - share);
                if (!(squaredLength(further) <= nearestMax)) {
                    for (int c = 0; c < 4; c++) {
                        off.columns[c] = start.columns[c] + step.columns[c] * (first ? 0.0 : 1.0) - sample.columns[c];
                    }
                    nearestMax = squaredReach(off, box, nearestMax);
                }
            }
        }
    }
    max[0] = lerpMax;
    max[1] = nearestMax;
}

} // namespace
} // namespace poselane
