// SPDX-License-Identifier: MIT
// Twin: lib/reduce/fit/subtree-errors.ts
//
// Places one node at samples of a clip and judges how far its points are from where the source has them: the bits of
// lib/reduce/fit/subtree-errors.ts, all in double precision. The vectors are as wide as registers are: the compiler
// takes wider ones apart number by number, which takes ten times as long.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "../core/always_inline.h"
#include "kernels.h"

namespace poselane {
namespace {

/// A node at some blocks of samples. Matrices are [block][12][8], errors and weights [block][8].
struct NodeSamples {
    /// Written, as `errors` is.
    double* trial;
    double* errors;
    const double* locals;
    const double* source;
    /// The parent's global matrices; null for a root.
    const double* above;
    const double* weights;
    /// [count][3]
    const double* points;
    size_t count;
};

#if defined(__AVX512F__) && defined(__GNUC__)
using Samples = double __attribute__((vector_size(64)));
using SampleMask = int64_t __attribute__((vector_size(64)));
#elif defined(__AVX__) && defined(__GNUC__)
using Samples = double __attribute__((vector_size(32)));
using SampleMask = int64_t __attribute__((vector_size(32)));
#elif defined(__GNUC__)
using Samples = double __attribute__((vector_size(16)));
using SampleMask = int64_t __attribute__((vector_size(16)));
#else
using Samples = double;
using SampleMask = int64_t;
#endif

constexpr int kSamples = sizeof(Samples) / sizeof(double);
static_assert(kSampleBlock % kSamples == 0, "blocks are whole vectors");

/// Through a variable: GCC 12 fills an array's element by halves, and reading that as a whole stalls.
POSELANE_ALWAYS_INLINE void loadSamples(Samples& samples, const double* p) {
    Samples loaded;
    memcpy(&loaded, p, sizeof loaded);
    samples = loaded;
}

POSELANE_ALWAYS_INLINE void storeSamples(double* p, const Samples& samples) { memcpy(p, &samples, sizeof samples); }

POSELANE_ALWAYS_INLINE void fillSamples(Samples& samples, double value) {
    double numbers[kSamples];
    for (double& number : numbers) {
        number = value;
    }
    loadSamples(samples, numbers);
}

POSELANE_ALWAYS_INLINE void squareRoots(Samples& samples) {
#if defined(__AVX512F__) && defined(__GNUC__)
    samples = _mm512_sqrt_pd(samples);
#elif defined(__AVX__) && defined(__GNUC__)
    samples = _mm256_sqrt_pd(samples);
#elif defined(__SSE2__) && defined(__GNUC__)
    samples = _mm_sqrt_pd(samples);
#else
    double numbers[kSamples];
    storeSamples(numbers, samples);
    for (double& number : numbers) {
        number = sqrt(number);
    }
    loadSamples(samples, numbers);
#endif
}

/// `trial` is the local matrix; `off` the difference from `source`.
POSELANE_ALWAYS_INLINE void placeRoot(Samples* off, double* trial, const double* local, const double* source) {
    for (int e = 0; e < kSampleMatrix; e++) {
        Samples element, wanted;
        loadSamples(element, local + e * kSampleBlock);
        storeSamples(trial + e * kSampleBlock, element);
        loadSamples(wanted, source + e * kSampleBlock);
        off[e] = element - wanted;
    }
}

/// `trial` is `above` x `local`.
POSELANE_ALWAYS_INLINE void place(Samples* off, double* trial, const double* above, const double* local,
                                  const double* source) {
    for (int row = 0; row < kSampleMatrix; row += 4) {
        Samples left[4];
        for (int c = 0; c < 4; c++) {
            loadSamples(left[c], above + (row + c) * kSampleBlock);
        }
        for (int c = 0; c < 4; c++) {
            Samples x, y, z;
            loadSamples(x, local + c * kSampleBlock);
            loadSamples(y, local + (c + 4) * kSampleBlock);
            loadSamples(z, local + (c + 8) * kSampleBlock);
            Samples element = left[0] * x + left[1] * y + left[2] * z;
            if (c == 3) {
                element = element + left[3];
            }
            storeSamples(trial + (row + c) * kSampleBlock, element);
            Samples wanted;
            loadSamples(wanted, source + (row + c) * kSampleBlock);
            off[row + c] = element - wanted;
        }
    }
}

/// The maximum of the squared displacements of some points; NaN where a matrix is not finite.
POSELANE_ALWAYS_INLINE void displacement(Samples& result, const Samples* d, const double* points, size_t count) {
    Samples max = (d[0] + d[1] + d[2] + d[3] + (d[4] + d[5] + d[6] + d[7]) + (d[8] + d[9] + d[10] + d[11])) * 0.0;
    for (size_t i = 0; i < count; i++, points += 3) {
        const double x = points[0], y = points[1], z = points[2];
        const Samples dx = d[0] * x + d[1] * y + d[2] * z + d[3];
        const Samples dy = d[4] * x + d[5] * y + d[6] * z + d[7];
        const Samples dz = d[8] * x + d[9] * y + d[10] * z + d[11];
        const Samples squared = dx * dx + dy * dy + dz * dz;
        max = squared > max ? squared : max;
    }
    result = max;
}

/// Places the node at some samples: sets the differences from the source.
POSELANE_ALWAYS_INLINE void placeNode(Samples* off, const NodeSamples& node, size_t at) {
    if (node.above == nullptr) {
        placeRoot(off, node.trial + at, node.locals + at, node.source + at);
    } else {
        place(off, node.trial + at, node.above + at, node.locals + at, node.source + at);
    }
}

/// Whether the maximum of the squared displacements times the weights is at most `limit` at all samples.
POSELANE_ALWAYS_INLINE bool areWithin(const Samples* off, const double* points, size_t count, const Samples& weights,
                                      double limit) {
    Samples error;
    displacement(error, off, points, count);
    error = error * weights;
    double each[kSamples];
    storeSamples(each, error);
    bool all = true;
    for (const double one : each) {
        all &= one <= limit;
    }
    return all;
}

/// Whether no error of the node is above 1: the decision of `nodeErrors`, without the errors.
/// @param corners The corners of a box around the points, [8][3]. A displacement is a convex function of the point, so
/// no point moves more than the corners. Only if these are close to 1 or above, all points are placed.
inline bool nodeKeeps(const NodeSamples& node, const double* corners, size_t blocks) {
    // Many times the rounding errors of both.
    constexpr double kSurely = 1.0 - 1.0 / 1048576;
    for (size_t block = 0; block < blocks; block++) {
        for (int lane = 0; lane < kSampleBlock; lane += kSamples) {
            Samples off[kSampleMatrix], weights;
            placeNode(off, node, block * kSampleMatrix * kSampleBlock + static_cast<size_t>(lane));
            loadSamples(weights, node.weights + block * kSampleBlock + static_cast<size_t>(lane));
            const size_t box = node.count == 0 ? 0 : kSampleBlock;
            if (!areWithin(off, corners, box, weights, kSurely) &&
                !areWithin(off, node.points, node.count, weights, 1.0)) {
                return false;
            }
        }
    }
    return true;
}

/// Places the node, and sets its errors: NaN where a matrix is not finite.
inline void nodeErrors(const NodeSamples& node, size_t blocks) {
    for (size_t block = 0; block < blocks; block++) {
        for (int lane = 0; lane < kSampleBlock; lane += kSamples) {
            Samples off[kSampleMatrix], error, weights;
            placeNode(off, node, block * kSampleMatrix * kSampleBlock + static_cast<size_t>(lane));
            displacement(error, off, node.points, node.count);
            const size_t first = block * kSampleBlock + static_cast<size_t>(lane);
            loadSamples(weights, node.weights + first);
            storeSamples(node.errors + first, error * weights);
        }
    }
}

} // namespace
} // namespace poselane
