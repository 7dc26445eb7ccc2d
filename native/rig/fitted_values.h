// SPDX-License-Identifier: MIT
// Twin: lib/reduce/fit/fit.ts, fitted-values.ts
//
// Chooses keys of a track and fits their values: the bits of lib/reduce/fit/fit.ts and fitted-values.ts, all in double
// precision.
#pragma once

#include <math.h>
#include <stddef.h>

#include "../core/always_inline.h"
#include "../kernels/coefficients.h"
#include "kernels.h"
#include "subtree_errors.h"

namespace poselane {
namespace {

/// Keys of a track.
struct TrackFit {
    TrackRules rules;
    /// Indices of the grid, ascending.
    const int32_t* knots;
    /// 2 or more.
    size_t count;
    /// [count][width]
    const double* ends;
    /// [time][width]
    const double* target;
    /// [time]
    const double* times;
    const double* tolerance;
    int rounds;
    /// Written: [count][width].
    double* into;
    /// Work space: for each time from the first to the last key.
    double *weight, *shares, *firsts, *seconds;
    /// Work space: [count], then [count][width].
    double *diagonal, *side, *right, *tried;
};

/// Math.max(0, x) for a number, NaN for NaN.
inline double above0(double x) { return x < 0.0 ? 0.0 : x; }

/// Math.round
inline double roundHalfUp(double x) {
    const double up = ceil(x);
    return up - 0.5 > x ? up - 1.0 : up;
}

template <int width> double product(const double* a, const double* b) {
    double sum = a[0] * b[0] + a[1] * b[1];
    for (int c = 2; c < width; c++) {
        sum = sum + a[c] * b[c];
    }
    return sum;
}

inline double lengthOf(const double* q) { return sqrt(product<4>(q, q)); }

/// The weights of two keys in the interpolation between them.
template <int width> struct Between {
    double b[4], y, sign;

    Between(const double* from, const double* to) {
        if (width != 4) {
            return;
        }
        const double dot = product<width>(from, to);
        y = above0(1.0 - fabs(dot));
        sign = dot < 0.0 ? -1.0 : 1.0;
        b[0] = b[1] = b[2] = b[3] = 0.0;
        for (int i = y < 1.0 / 64 ? 4 : kSlerpTerms - 1; i >= 0; i--) {
            for (int c = 0; c < 4; c++) {
                b[c] = b[c] * y + kSlerp[i][c];
            }
        }
    }

    double first(double t) const { return width == 4 ? weightAt(1.0 - t) : 1.0 - t; }
    double second(double t) const { return width == 4 ? sign * weightAt(t) : t; }

private:
    double weightAt(double t) const {
        const double T = t * t;
        return t + y * t * (1.0 - t) * (1.0 + t) * (((b[3] * T + b[2]) * T + b[1]) * T + b[0]);
    }
};

POSELANE_ALWAYS_INLINE double displacementByRotation(const TrackRules& rules, const double* from, const double* v) {
    const double ax = -from[0], ay = -from[1], az = -from[2], aw = from[3];
    const double bx = v[0], by = v[1], bz = v[2], bw = v[3];
    const double w = aw * bw - ax * bx - ay * by - az * bz;
    const double k = w < 0.0 ? -2.0 : 2.0;
    const double x = k * (aw * bx + ax * bw + ay * bz - az * by);
    const double y = k * (aw * by - ax * bz + ay * bw + az * bx);
    const double z = k * (aw * bz + ax * by - ay * bx + az * bw);
    const double* const form = rules.form;
    const double squared = form[0] * x * x + form[1] * y * y + form[2] * z * z +
                           2.0 * (form[3] * x * y + form[4] * x * z + form[5] * y * z);
    const double norm = fabs(bx * bx + by * by + bz * bz + bw * bw - 1.0) * rules.radius;
    return (sqrt(above0(squared)) + norm) * rules.scale;
}

POSELANE_ALWAYS_INLINE double displacementByVector(const TrackRules& rules, const double* from, const double* v) {
    double d[3];
    for (int c = 0; c < 3; c++) {
        d[c] = v[c] - from[c];
        if (rules.isScale) {
            d[c] = d[c] * rules.reach[c];
        }
    }
    return sqrt(product<3>(d, d)) * rules.scale;
}

/// By way of rounding, whether each of three components is rounded up.
constexpr int64_t kUp[3][kSampleBlock] = {
    {0, -1, 0, -1, 0, -1, 0, -1}, {0, 0, -1, -1, 0, 0, -1, -1}, {0, 0, 0, 0, -1, -1, -1, -1}};

/// Sums both roundings of three components by way.
POSELANE_ALWAYS_INLINE void sumWays(Samples& sum, const double* roundings, int way) {
    for (int i = 0; i < 3; i++) {
        SampleMask up;
        memcpy(&up, kUp[i] + way, sizeof up);
        Samples low, high;
        fillSamples(low, roundings[2 * i]);
        fillSamples(high, roundings[2 * i + 1]);
        const Samples rounded = up ? high : low;
        sum = i == 0 ? rounded : sum + rounded;
    }
}

/// By way, the largest component that makes the length about 1, and the cosine of the direction: -HUGE_VAL if the
/// length is off by more than the tolerance.
POSELANE_ALWAYS_INLINE void judgeWays(double* ones, double* cosines, int way, const double* squares,
                                      const double* products, double own, double size, double tolerance) {
    Samples squared, along, zero, one, half, step, most, whole, sizes, least, allowed;
    sumWays(squared, squares, way);
    sumWays(along, products, way);
    fillSamples(zero, 0.0);
    fillSamples(one, 1.0);
    fillSamples(half, 0.5);
    fillSamples(step, own);
    fillSamples(most, floor(1.0 / own));
    // Adding it rounds a number to a whole one.
    fillSamples(whole, 4503599627370496.0);
    fillSamples(sizes, size);
    fillSamples(least, -HUGE_VAL);
    fillSamples(allowed, tolerance);
    Samples rest = one - squared;
    rest = rest < zero ? zero : rest;
    squareRoots(rest);
    rest = rest / step;
    // Math.round
    const Samples near = (rest + whole) - whole;
    const Samples up = near < rest ? near + one : near;
    Samples steps = up - half > rest ? up - one : up;
    steps = steps > most ? most : steps;
    const Samples largest = steps * step;
    Samples length = squared + largest * largest;
    squareRoots(length);
    const Samples cosine = (along + largest * sizes) / length;
    const Samples longer = length - one, shorter = one - length;
    const Samples off = longer > shorter ? longer : shorter;
    storeSamples(ones + way, largest);
    storeSamples(cosines + way, off <= allowed ? cosine : least);
}

/// Each of three components of a rotation is rounded up or down; the largest one makes the length 1.
inline void roundToUnitLength(const TrackRules& rules, double* q) {
    const double length = lengthOf(q), unit = length == 0.0 || length != length ? 1.0 : length;
    int largest = 0;
    double sizes[4];
    for (int c = 0; c < 4; c++) {
        if (fabs(q[c]) > fabs(q[largest])) {
            largest = c;
        }
        sizes[c] = fabs(q[c]) / unit;
    }
    double roundings[6], squares[6], products[6];
    int others = 0;
    for (int c = 0; c < 4; c++) {
        if (c == largest) {
            continue;
        }
        const double low = floor(sizes[c] / rules.step);
        for (int up = 0; up < 2; up++, others++) {
            roundings[others] = (low + up) * rules.step;
            squares[others] = roundings[others] * roundings[others];
            products[others] = roundings[others] * sizes[c];
        }
    }
    double best = -HUGE_VAL, large = 0.0;
    int choice = 0;
    for (int attempt = 0; attempt < 2 && !(best > -HUGE_VAL); attempt++) {
        double ones[kSampleBlock], cosines[kSampleBlock];
        for (int way = 0; way < kSampleBlock; way += kSamples) {
            judgeWays(ones, cosines, way, squares, products, attempt == 0 ? rules.coarse : rules.finest, sizes[largest],
                      rules.tolerance);
        }
        // Without branches, which no processor could predict.
        for (const double cosine : cosines) {
            best = cosine > best ? cosine : best;
        }
        for (int way = kSampleBlock - 1; way >= 0; way--) {
            choice = cosines[way] == best ? way : choice;
        }
        large = best > -HUGE_VAL ? ones[choice] : 0.0;
    }
    choice = best > -HUGE_VAL ? choice : 0;
    for (int c = 0, other = 0; c < 4; c++) {
        const double size = c == largest ? large : roundings[2 * other + ((choice >> other) & 1)];
        other += c == largest ? 0 : 1;
        q[c] = q[c] < 0.0 ? -size : size;
    }
}

/// Without a step: only rotations whose length is off are changed before rounding.
inline void roundUnitToFloat(const TrackRules& rules, double* q) {
    const double length = lengthOf(q), unit = length == 0.0 || length != length ? 1.0 : length;
    const double by = fabs(unit - 1.0) <= rules.tolerance ? 1.0 : unit;
    for (int c = 0; c < 4; c++) {
        q[c] = static_cast<double>(static_cast<float>(q[c] / by));
    }
}

/// Rounds each component up or down: the best of the sixteen combinations for direction and length.
inline void roundRotation(const TrackRules& rules, double* q) {
    constexpr double kLength = 32.0;
    const double length = lengthOf(q), unit = length == 0.0 || length != length ? 1.0 : length;
    const double step = rules.step, max = floor(1.0 / step);
    double lows[4], squares[8], products[8];
    for (int c = 0; c < 4; c++) {
        const double one = q[c] / unit, whole = floor(one / step);
        const double least = whole > max - 1.0 ? max - 1.0 : whole;
        lows[c] = (least < -max ? -max : least) * step;
        for (int up = 0; up < 2; up++) {
            const double value = lows[c] + up * step;
            squares[c * 2 + up] = value * value;
            products[c * 2 + up] = value * one;
        }
    }
    double best = HUGE_VAL;
    int choice = 0;
    for (int way = 0; way < 16; way++) {
        double norm = 0.0, dot = 0.0;
        for (int c = 0; c < 4; c++) {
            const int up = (way >> (3 - c)) & 1;
            norm = norm + squares[c * 2 + up];
            dot = dot + products[c * 2 + up];
        }
        const double cost = kLength * (norm - 1.0) * (norm - 1.0) - (4.0 * dot * dot) / norm;
        if (!(dot > 0.0) || cost >= best) {
            continue;
        }
        best = cost;
        choice = way;
    }
    for (int c = 0; c < 4; c++) {
        q[c] = lows[c] + ((choice >> (3 - c)) & 1) * step;
    }
}

inline double roundNumber(const TrackRules& rules, double x) {
    if (rules.rounding == kRoundFloat) {
        return static_cast<double>(static_cast<float>(x));
    }
    const double value = roundHalfUp(x / rules.step) * rules.step;
    return value > rules.most ? rules.most : value < -rules.most ? -rules.most : value;
}

template <int width> void roundKeys(const TrackRules& rules, double* values, size_t count) {
    for (size_t i = 0; i < count * width; i += width) {
        if (width == 4 && rules.rounding == kRoundUnit) {
            roundToUnitLength(rules, values + i);
        } else if (width == 4 && rules.rounding == kRoundUnitFloat) {
            roundUnitToFloat(rules, values + i);
        } else if (width == 4 && rules.rounding == kRoundWays) {
            roundRotation(rules, values + i);
        } else {
            for (size_t c = i; c < i + width; c++) {
                values[c] = roundNumber(rules, values[c]);
            }
        }
    }
}

template <int width> bool haveLength(const TrackRules& rules, const double* values, size_t count) {
    for (size_t k = 0; width == 4 && rules.allowed < HUGE_VAL && k < count; k++) {
        if (!(fabs(lengthOf(values + k * 4) - 1.0) <= rules.allowed)) {
            return false;
        }
    }
    return true;
}

inline size_t knotOf(const TrackFit& fit, size_t k) { return static_cast<size_t>(fit.knots[k]); }

template <int width> double displacementAt(const TrackFit& fit, size_t i, const double* played) {
    const double* const target = fit.target + i * width;
    return width == 4 ? displacementByRotation(fit.rules, target, played)
                      : displacementByVector(fit.rules, target, played);
}

/// Sets `shares`, `firsts` and `seconds`. Returns the maximum share.
template <int width> double sharesOf(const TrackFit& fit, const double* values) {
    double worst = 0.0;
    for (size_t k = 0; k + 1 < fit.count; k++) {
        const size_t a = knotOf(fit, k), b = knotOf(fit, k + 1);
        const double span = fit.times[b] - fit.times[a];
        const double* const from = values + k * width;
        const Between<width> between(from, from + width);
        for (size_t i = k == 0 ? a : a + 1; i <= b; i++) {
            const double t = (fit.times[i] - fit.times[a]) / span;
            const double u = between.first(t), w = between.second(t);
            double played[width];
            for (int c = 0; c < width; c++) {
                played[c] = u * from[c] + w * from[width + c];
            }
            const double share = displacementAt<width>(fit, i, played) / fit.tolerance[i];
            const size_t at = i - knotOf(fit, 0);
            fit.firsts[at] = u;
            fit.seconds[at] = w;
            fit.shares[at] = share;
            if (!(share <= worst)) {
                worst = share;
            }
        }
    }
    return worst;
}

/// Sums the normal equations. They are symmetric and tridiagonal.
template <int width> void sumEquations(const TrackFit& fit) {
    for (size_t k = 0; k < fit.count; k++) {
        fit.diagonal[k] = fit.side[k] = 0.0;
        for (int c = 0; c < width; c++) {
            fit.right[k * width + static_cast<size_t>(c)] = 0.0;
        }
    }
    const size_t first = knotOf(fit, 0);
    for (size_t k = 0; k + 1 < fit.count; k++) {
        double* const right = fit.right + k * width;
        double own = fit.diagonal[k], side = 0.0, next = 0.0;
        const size_t knot = knotOf(fit, k);
        for (size_t i = knot; i < knotOf(fit, k + 1); i++) {
            const double weight = fit.weight[i - first];
            // At a key its own weight is 1 and the other 0.
            const bool isKey = i == knot;
            const double u = isKey ? 1.0 : fit.firsts[i - first], w = isKey ? 0.0 : fit.seconds[i - first];
            const double weightedU = weight * u, weightedW = isKey ? 0.0 : weight * w;
            own = own + weightedU * u;
            if (!isKey) {
                side = side + weightedU * w;
                next = next + weightedW * w;
            }
            for (int c = 0; c < width; c++) {
                right[c] = right[c] + weightedU * fit.target[i * width + static_cast<size_t>(c)];
                right[width + c] = right[width + c] + weightedW * fit.target[i * width + static_cast<size_t>(c)];
            }
        }
        fit.diagonal[k] = own;
        fit.side[k] = side;
        fit.diagonal[k + 1] = next;
    }
}

/// Solves them for all keys but the first and the last one, whose values are in `ends`.
template <int width> void solve(const TrackFit& fit) {
    const size_t m = fit.count;
    double* const right = fit.right;
    const double* const last = fit.ends + (m - 1) * width;
    for (int c = 0; c < width; c++) {
        right[width + c] = right[width + c] - fit.side[0] * fit.ends[c];
        double* const before = right + (m - 2) * width + c;
        *before = *before - fit.side[m - 2] * last[c];
    }
    for (size_t k = 2; k < m - 1; k++) {
        const double f = fit.side[k - 1] / fit.diagonal[k - 1];
        fit.diagonal[k] = fit.diagonal[k] - f * fit.side[k - 1];
        for (size_t c = k * width; c < (k + 1) * width; c++) {
            right[c] = right[c] - f * right[c - width];
        }
    }
    for (size_t k = m - 2; k >= 1; k--) {
        for (size_t c = k * width; c < (k + 1) * width; c++) {
            const double after = k == m - 2 ? 0.0 : fit.side[k] * fit.tried[c + width];
            fit.tried[c] = (right[c] - after) / fit.diagonal[k];
        }
    }
}

template <int width> double fitWidth(const TrackFit& fit) {
    const size_t m = fit.count, length = m * width;
    for (size_t i = 0; i < length; i++) {
        fit.into[i] = fit.ends[i];
    }
    roundKeys<width>(fit.rules, fit.into, m);
    double bestShare = sharesOf<width>(fit, fit.into);
    if (m <= 2) {
        return bestShare;
    }
    const size_t first = knotOf(fit, 0), samples = knotOf(fit, m - 1) - first + 1;
    for (size_t i = 0; i < samples; i++) {
        fit.weight[i] = 1.0 / (fit.tolerance[first + i] * fit.tolerance[first + i]);
    }
    for (int round = 0; round < fit.rounds; round++) {
        sumEquations<width>(fit);
        solve<width>(fit);
        roundKeys<width>(fit.rules, fit.tried + width, m - 2);
        for (size_t c = 0; c < width; c++) {
            fit.tried[c] = fit.into[c];
            fit.tried[length - width + c] = fit.into[length - width + c];
        }
        const double share = sharesOf<width>(fit, fit.tried);
        if (share < bestShare && haveLength<width>(fit.rules, fit.tried, m)) {
            bestShare = share;
            for (size_t i = 0; i < length; i++) {
                fit.into[i] = fit.tried[i];
            }
        }
        for (size_t i = 0; share > 0.0 && i < samples; i++) {
            fit.weight[i] = fit.weight[i] * (0.3 + fit.shares[i] / share);
        }
    }
    return bestShare;
}

/// Whether interpolation between the targets at two times stays within the tolerance times a factor.
template <int width> bool chordFits(const TrackFit& fit, double factor, size_t a, size_t b) {
    const double *const from = fit.target + a * width, *const to = fit.target + b * width;
    const Between<width> between(from, to);
    const double span = fit.times[b] - fit.times[a];
    const size_t middle = (a + b) >> 1;
    // From the middle outward, where the error is mostly largest.
    for (size_t k = 0; k < b - a; k++) {
        const size_t i = k % 2 == 0 ? middle + (k >> 1) : middle - ((k + 1) >> 1);
        if (i <= a || i >= b) {
            continue;
        }
        const double t = (fit.times[i] - fit.times[a]) / span, u = between.first(t), w = between.second(t);
        double played[width];
        for (int c = 0; c < width; c++) {
            played[c] = u * from[c] + w * to[c];
        }
        if (!(displacementAt<width>(fit, i, played) <= fit.tolerance[i] * factor)) {
            return false;
        }
    }
    return true;
}

/// Takes about the longest interval that fits from each key, found by doubling steps.
template <int width> size_t greedyKnotsOf(const TrackFit& fit, double factor, size_t times, int32_t* knots) {
    const size_t last = times - 1;
    size_t count = 0;
    knots[count++] = 0;
    for (size_t a = 0; a < last;) {
        size_t good = a + 1;
        for (size_t step = 1; good < last && step > 0;) {
            const size_t next = good + step < last ? good + step : last, rest = next - good;
            if (chordFits<width>(fit, factor, a, next)) {
                good = next;
                step *= 2;
            } else {
                step = rest <= 1 ? 0 : (step < rest ? step : rest) >> 1;
            }
        }
        a = good;
        knots[count++] = static_cast<int32_t>(a);
    }
    return count;
}

/// @param knots Output: room for all times.
/// @returns Number of keys.
size_t greedyKnots(const TrackFit& fit, double factor, size_t times, int32_t* knots) {
    return fit.rules.width == 4 ? greedyKnotsOf<4>(fit, factor, times, knots)
                                : greedyKnotsOf<3>(fit, factor, times, knots);
}

/// @returns The maximum share of the tolerance that the values in `into` use.
double fittedValues(const TrackFit& fit) { return fit.rules.width == 4 ? fitWidth<4>(fit) : fitWidth<3>(fit); }

} // namespace
} // namespace poselane
