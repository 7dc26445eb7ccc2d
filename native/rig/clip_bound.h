// SPDX-License-Identifier: MIT
// Twin: lib/reduce/bounds/clip-bound.ts, with derivative-bounds.ts and curve-rates.ts
//
// Bounds the displacement of a clip's vertices between key times: the bits of the twin, all in double precision. The
// twin has the proof.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "../core/always_inline.h"
#include "clip_poses.h"
#include "fitted_values.h"
#include "kernels.h"

namespace poselane {
namespace {

/// Math.max of two numbers: NaN if one is NaN.
inline double most(double a, double b) { return a > b || a != a ? a : b; }

/// Coefficients of squaredArc.
struct ArcSeries {
    static constexpr int kTerms = 40;
    double terms[kTerms] = {};

    constexpr ArcSeries() {
        double c = 2.0;
        for (int n = 1; n <= kTerms; n++) {
            c *= (2.0 * n * n) / (2.0 * n * (2.0 * n - 1.0));
            terms[n - 1] = c / (static_cast<double>(n) * n);
        }
    }
};

inline double squaredArc(double y) {
    static constexpr ArcSeries kArc;
    double sum = 0.0;
    for (int i = ArcSeries::kTerms - 1; i >= 0; i--) {
        sum = (sum + kArc.terms[i]) * y;
    }
    return sum;
}

/// Bounds of a Hermite spline on a part of an interval between keys, from t0 to t1.
inline void splineRates(const double* values, int width, double span, double t0, double t1, CurveRates* rates) {
    double first0 = 0.0, first1 = 0.0, second0 = 0.0, second1 = 0.0, third = 0.0, low0 = 0.0, low1 = 0.0, dot = 0.0;
    for (int c = width; c < 2 * width; c++) {
        const double v0 = values[c], o0 = span * values[c + width];
        const double v1 = values[c + 3 * width], i1 = span * values[c + 2 * width];
        const double c3 = 2.0 * v0 + o0 - 2.0 * v1 + i1, c2 = -3.0 * v0 - 2.0 * o0 + 3.0 * v1 - i1;
        const double f0 = (3.0 * c3 * t0 + 2.0 * c2) * t0 + o0, f1 = (3.0 * c3 * t1 + 2.0 * c2) * t1 + o0;
        const double s0 = 6.0 * c3 * t0 + 2.0 * c2, s1 = 6.0 * c3 * t1 + 2.0 * c2;
        const double p0 = ((c3 * t0 + c2) * t0 + o0) * t0 + v0, p1 = ((c3 * t1 + c2) * t1 + o0) * t1 + v0;
        first0 += f0 * f0;
        first1 += f1 * f1;
        second0 += s0 * s0;
        second1 += s1 * s1;
        third += 36.0 * c3 * c3;
        low0 += p0 * p0;
        low1 += p1 * p1;
        dot += p0 * p1;
    }
    const double part = t1 - t0;
    const double second = sqrt(most(second0, second1));
    const double first = sqrt(most(first0, first1)) + ((part * part) / 8.0) * sqrt(third);
    rates->first = first / span;
    rates->second = second / (span * span);
    rates->turn = -1.0;
    if (width != 4) {
        return;
    }
    const double chord = low0 + low1 - 2.0 * dot;
    const double share = chord > 0.0 ? most(0.0, (low0 - dot) / chord) : 0.0;
    const double along = share > 1.0 ? 1.0 : share;
    const double near = most(0.0, low0 + along * (2.0 * (dot - low0) + along * chord));
    const double low = sqrt(near) - ((part * part) / 8.0) * second;
    if (!(low > 0.0)) {
        rates->first = rates->second = HUGE_VAL;
        return;
    }
    rates->second = second / (span * span) / low + (3.0 * first * first) / (span * span) / (low * low);
    rates->first = first / span / low;
}

/// Bounds of a curve between its key and the next.
inline void rateCurve(BoundCurve& curve, int width, double from, double to) {
    CurveRates& rates = curve.rates;
    rates = {};
    const ptrdiff_t k = curve.key;
    if (k < 0 || k == curve.count - 1 || curve.interpolation == kCurveStep) {
        return;
    }
    const double start = curve.times[k], span = curve.times[k + 1] - start;
    if (curve.interpolation == kCurveSpline) {
        splineRates(curve.values + k * 3 * width, width, span, (from - start) / span, (to - start) / span, &rates);
        return;
    }
    const double* const a = curve.values + k * width;
    const double* const b = a + width;
    if (width == 3) {
        double sum = 0.0;
        for (int c = 0; c < 3; c++) {
            sum += (b[c] - a[c]) * (b[c] - a[c]);
        }
        rates.first = sqrt(sum) / span;
        return;
    }
    double dot = 0.0, aa = 0.0, bb = 0.0;
    for (int c = 0; c < 4; c++) {
        dot += a[c] * b[c];
        aa += a[c] * a[c];
        bb += b[c] * b[c];
    }
    const double cosine = fabs(dot), sine = 1.0 - cosine * cosine;
    if (!(sine > 1e-12)) {
        const double squared = most(0.0, aa + bb - 2.0 * cosine);
        rates.first = sqrt(squared) / span;
        rates.length = (2.0 * squared) / (span * span);
        return;
    }
    const double turn = squaredArc(1.0 - cosine) / (span * span);
    const double energy = turn * ((bb - 2.0 * cosine * cosine + cosine * cosine * aa) / sine + aa);
    const double middle = energy / (2.0 * turn);
    const double lean = (cosine * cosine * (1.0 - aa) * (1.0 - aa)) / sine;
    rates.turn = turn;
    rates.length = 4.0 * turn * sqrt((aa - middle) * (aa - middle) + lean);
    const double least = -most(-aa, -bb) - ((span * span) / 8.0) * rates.length;
    rates.first = sqrt(most(0.0, energy - turn * most(0.0, least)));
    rates.second = turn * sqrt(most(aa, bb) + ((span * span) / 8.0) * rates.length);
}

inline const CurveRates& ratesFor(BoundCurve& curve, int width, double from, double to) {
    if (curve.rated != curve.key || curve.interpolation == kCurveSpline) {
        rateCurve(curve, width, from, to);
        curve.rated = curve.key;
    }
    return curve.rates;
}

inline void multiplyRates(double* result, const double* a, const double* b) {
    result[0] = a[0] * b[0];
    result[1] = a[1] * b[0] + a[0] * b[1];
    result[2] = a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2];
}

inline double normOf3(const double* v) { return sqrt(product<3>(v, v)); }
inline double largestOf3(const double* v) { return most(most(fabs(v[0]), fabs(v[1])), fabs(v[2])); }

/// Bounds for a value of the source, for the reduced one, and for their difference.
struct ComparedRates {
    double of[2][3], difference[3];

    void setStill(double value) {
        for (int k = 0; k < 3; k++) {
            of[0][k] = of[1][k] = k == 0 ? value : 0.0;
            difference[k] = 0.0;
        }
    }
};

/// Sums of squares of the differences at both ends, and of their change.
template <int width> struct Differences {
    double start = 0.0, end = 0.0, change = 0.0;

    Differences(const double (*from)[width], const double (*to)[width]) {
        for (int c = 0; c < width; c++) {
            const double p = from[0][c] - from[1][c], q = to[0][c] - to[1][c];
            start += p * p;
            end += q * q;
            change += (q - p) * (q - p);
        }
    }
};

/// Copies the values at `at` of source and reduced clip.
template <int width> void copyValues(double (*into)[width], const BoundState& state, size_t at) {
    for (int which = 0; which < 2; which++) {
        for (int c = 0; c < width; c++) {
            into[which][c] = state.locals[which][at + static_cast<size_t>(c)];
        }
    }
}

template <double (*size)(const double*)>
void vectorRates(ComparedRates* result, const BoundState& from, const BoundState& to, size_t at, double h,
                 const CurveRates* const* rates) {
    double starts[2][3], ends[2][3];
    copyValues(starts, from, at);
    copyValues(ends, to, at);
    const double eighth = (h * h) / 8.0;
    for (int which = 0; which < 2; which++) {
        double* const of = result->of[which];
        of[0] = most(size(starts[which]), size(ends[which])) + eighth * rates[which]->second;
        of[1] = rates[which]->first;
        of[2] = rates[which]->second;
    }
    const double second = rates[0]->second + rates[1]->second;
    const Differences<3> sums(starts, ends);
    result->difference[0] = sqrt(most(sums.start, sums.end)) + eighth * second;
    result->difference[1] = sqrt(sums.change) / h + (h / 2.0) * second;
    result->difference[2] = second;
}

/// @returns A bound on the norm of the rotation.
inline double matrixRates(double* result, double la, double lb, double h, const CurveRates& rates) {
    const double high = most(la, lb) + ((h * h) / 8.0) * rates.length;
    const double low = -most(-la, -lb) - ((h * h) / 8.0) * rates.length;
    const double value = sqrt(high);
    result[0] = high + most(fabs(high - 1.0), fabs(low - 1.0));
    result[1] = 2.0 * value * rates.first + fabs(lb - la) / h + (h / 2.0) * rates.length;
    result[2] = 2.0 * value * rates.second + 2.0 * rates.first * rates.first + rates.length;
    return value;
}

inline void rotationRates(ComparedRates* result, const BoundState& from, const BoundState& to, size_t at, double h,
                          const CurveRates* const* rates) {
    double starts[2][4], ends[2][4];
    copyValues(starts, from, at);
    copyValues(ends, to, at);
    if (product<4>(starts[1], starts[0]) < 0.0) {
        for (int c = 0; c < 4; c++) {
            starts[1][c] = -starts[1][c];
            ends[1][c] = -ends[1][c];
        }
    }
    const CurveRates &a = *rates[0], &b = *rates[1];
    const double la = product<4>(starts[0], starts[0]), lb = product<4>(ends[0], ends[0]);
    const double na = product<4>(starts[1], starts[1]), nb = product<4>(ends[1], ends[1]);
    const double m = matrixRates(result->of[0], la, lb, h, a), n = matrixRates(result->of[1], na, nb, h, b);
    const Differences<4> sums(starts, ends);
    const double eighth = (h * h) / 8.0, atEnds = sqrt(most(sums.start, sums.end));
    double d0, d2;
    if (a.turn >= 0.0 && b.turn >= 0.0) {
        const double rest = fabs(a.turn - b.turn) * n;
        d0 = (atEnds + eighth * rest) / (1.0 - eighth * a.turn);
        d2 = a.turn * d0 + rest;
    } else {
        d2 = a.second + b.second;
        d0 = atEnds + eighth * d2;
    }
    const double d1 = sqrt(sums.change) / h + (h / 2.0) * d2;
    const double l2 = a.length + b.length;
    const double l0 = most(fabs(la - na), fabs(lb - nb)) + eighth * l2;
    const double l1 = fabs(lb - nb - la + na) / h + (h / 2.0) * l2;
    result->difference[0] = (m + n) * d0 + l0;
    result->difference[1] = (m + n) * d1 + (a.first + b.first) * d0 + l1;
    result->difference[2] = (m + n) * d2 + 2.0 * (a.first + b.first) * d1 + (a.second + b.second) * d0 + l2;
}

/// Infinity for an error that is not known, or a limit of 0 with an error.
inline double shareOf(double error, double limit) {
    if (error == 0.0 && limit >= 0.0) {
        return 0.0;
    }
    return error >= 0.0 && limit > 0.0 ? error / limit : HUGE_VAL;
}

class ClipBounder {
public:
    explicit ClipBounder(const BoundWork& work) : w_(work) {}

    void run() {
        for (BoundState& state : w_.states) {
            sampleAll(state, 0.0, false);
        }
        BoundState *from = w_.states, *to = w_.states + 1;
        for (size_t i = w_.from; i < w_.to; i++) {
            if (advance(*from, w_.times[i]) || i == w_.from) {
                evaluate(*from, w_.times[i]);
            }
            if (i + 1 == w_.timeCount) {
                for (size_t node = 0; node < w_.nodes; node++) {
                    const double error = from->errors[node];
                    w_.found->share = most(w_.found->share, shareOf(error, limitOf(node, i == 0 ? 0 : i - 1)));
                    w_.found->error = most(w_.found->error, error);
                }
                return;
            }
            evaluate(*to, w_.times[i + 1]);
            boundInterval(*from, *to, i, 0);
            BoundState* const next = to;
            to = from;
            from = next;
        }
    }

private:
    static constexpr int kDepth = kBoundStates - 2;

    BoundWork w_;

    double limitOf(size_t node, size_t i) const { return w_.limits[node * w_.intervals + i]; }

    /// Samples the curves that move, or those that do not.
    void sampleAll(BoundState& state, double time, bool move) const {
        for (size_t t = 0; t < w_.tracks; t++) {
            for (int which = 0; which < 2; which++) {
                if (w_.track[t].curves[which].count > 1 == move) {
                    sample(w_.track[t], which, time, state.locals[which]);
                }
            }
        }
    }

    /// Samples the curves whose next key is at this time. Returns whether one of them may jump there.
    bool advance(BoundState& state, double time) const {
        bool jumps = false;
        for (size_t t = 0; t < w_.tracks; t++) {
            BoundTrack& track = w_.track[t];
            for (int which = 0; which < 2; which++) {
                BoundCurve& curve = track.curves[which];
                const ptrdiff_t before = curve.key;
                while (curve.key + 1 < curve.count && curve.times[curve.key + 1] <= time) {
                    curve.key++;
                    jumps |= curve.key > 0 && curve.times[curve.key] == curve.times[curve.key - 1];
                }
                if (curve.key != before) {
                    jumps |= curve.interpolation == kCurveStep;
                    sample(track, which, time, state.locals[which]);
                }
            }
        }
        return jumps;
    }

    /// Samples from the keys of the current interval, also at its end.
    void evaluate(BoundState& state, double time) {
        state.time = time;
        sampleAll(state, time, true);
        for (int which = 0; which < 2; which++) {
            placeNodes(w_.node, w_.nodes, state.locals[which], w_.globals[which]);
        }
        for (size_t node = 0; node < w_.nodes; node++) {
            const double error = displacementOf(node);
            state.errors[node] = error;
            if (!(error <= w_.found->seen)) {
                w_.found->seen = error >= 0.0 ? error : HUGE_VAL;
                w_.found->time = time;
                w_.found->node = static_cast<double>(node);
            }
        }
    }

    double displacementOf(size_t node) const {
        const BoundNode& own = w_.node[node];
        double d[kSampleMatrix];
        for (size_t e = 0; e < kSampleMatrix; e++) {
            d[e] = w_.globals[1][node * kSampleMatrix + e] - w_.globals[0][node * kSampleMatrix + e];
        }
        // Times 0: NaN if a number is not finite.
        double max = (d[0] + d[1] + d[2] + d[3] + (d[4] + d[5] + d[6] + d[7]) + (d[8] + d[9] + d[10] + d[11])) * 0.0;
        Samples off[kSampleMatrix], maxima;
        for (int e = 0; e < kSampleMatrix; e++) {
            fillSamples(off[e], d[e]);
        }
        fillSamples(maxima, max);
        for (size_t p = 0; p < own.points; p += kSamples) {
            Samples x, y, z;
            loadSamples(x, own.x + p);
            loadSamples(y, own.y + p);
            loadSamples(z, own.z + p);
            const Samples dx = off[0] * x + off[1] * y + off[2] * z + off[3];
            const Samples dy = off[4] * x + off[5] * y + off[6] * z + off[7];
            const Samples dz = off[8] * x + off[9] * y + off[10] * z + off[11];
            const Samples squared = dx * dx + dy * dy + dz * dz;
            maxima = squared > maxima ? squared : maxima;
        }
        double each[kSamples];
        storeSamples(each, maxima);
        for (const double one : each) {
            max = one > max ? one : max;
        }
        const double linear = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[4] * d[4] + d[5] * d[5] + d[6] * d[6] +
                              d[8] * d[8] + d[9] * d[9] + d[10] * d[10];
        return own.factor * (own.points == 0 ? 0.0 : sqrt(max) + own.slack * sqrt(linear));
    }

    /// @param i The interval of the key times that contains it.
    void boundInterval(const BoundState& from, const BoundState& to, size_t i, int depth) {
        BoundFound& found = *w_.found;
        boundDerivatives(from, to);
        double share = 0.0, seen = 0.0, error = 0.0;
        for (size_t node = 0; node < w_.nodes; node++) {
            const double limit = limitOf(node, i), ends = most(from.errors[node], to.errors[node]);
            const double own = ends + w_.node[node].factor * w_.node[node].bound;
            if (!(own <= error)) {
                error = own >= 0.0 ? own : HUGE_VAL;
            }
            share = most(share, shareOf(own, limit));
            seen = most(seen, shareOf(ends, limit));
        }
        if (depth == kDepth || seen > 1.0 ||
            (share <= 1.0 && (share <= 0.5 || error <= most(1.02 * found.seen, found.error)))) {
            found.share = most(found.share, seen > 1.0 ? seen : share);
            if (error > found.error) {
                found.error = error;
            }
            return;
        }
        BoundState& middle = w_.states[2 + depth];
        evaluate(middle, (from.time + to.time) / 2.0);
        boundInterval(from, middle, i, depth + 1);
        boundInterval(middle, to, i, depth + 1);
    }

    /// Sets each node's bound on the deviation from linear interpolation between two states.
    void boundDerivatives(const BoundState& from, const BoundState& to) const {
        const double span = to.time - from.time;
        for (size_t node = 0; node < w_.nodes; node++) {
            rateLocal(node, from, to, span);
            double* const reach = w_.node[node].reach;
            reach[0] = w_.node[node].size;
            reach[1] = reach[2] = 0.0;
        }
        for (size_t node = w_.nodes; node-- > 0;) {
            const BoundNode& own = w_.node[node];
            if (own.parent < 0) {
                continue;
            }
            const double *const h = own.reach, *const l = own.reduced, *const t = own.shift;
            double* const reach = w_.node[own.parent].reach;
            reach[0] = most(reach[0], t[0] + l[0] * h[0]);
            reach[1] = most(reach[1], t[1] + l[1] * h[0] + l[0] * h[1]);
            reach[2] = most(reach[2], t[2] + l[2] * h[0] + 2.0 * l[1] * h[1] + l[0] * h[2]);
        }
        for (size_t node = 0; node < w_.nodes; node++) {
            BoundNode& own = w_.node[node];
            static constexpr double kRoot[3] = {1.0, 0.0, 0.0};
            const double* const x = own.parent < 0 ? kRoot : w_.node[own.parent].above;
            const double *const e = own.linear, *const t = own.moved, *const h = own.reach;
            const double d0 = e[0] * h[0] + t[0];
            const double d1 = e[1] * h[0] + e[0] * h[1] + t[1];
            const double d2 = e[2] * h[0] + 2.0 * e[1] * h[1] + e[0] * h[2] + t[2];
            const double sum = own.parent < 0 ? 0.0 : w_.node[own.parent].sum;
            own.sum = sum + x[2] * d0 + 2.0 * x[1] * d1 + x[0] * d2;
            multiplyRates(own.above, x, own.source);
            own.bound = own.points == 0 ? 0.0 : ((span * span) / 8.0) * own.sum;
        }
    }

    void rateLocal(size_t node, const BoundState& from, const BoundState& to, double h) const {
        BoundNode& out = w_.node[node];
        if (out.matrix != nullptr) {
            return; // set once
        }
        const size_t at = node * kTrs;
        const CurveRates* rates[2];
        ComparedRates rotation, scale;
        const double* const still = from.locals[0] + at;
        if (!rate(out.rotation, from, to, rates)) {
            const double squared = product<4>(still + 3, still + 3);
            rotation.setStill(squared + fabs(squared - 1.0));
        } else {
            rotationRates(&rotation, from, to, at + 3, h, rates);
        }
        if (!rate(out.scale, from, to, rates)) {
            scale.setStill(largestOf3(still + 7));
        } else {
            vectorRates<largestOf3>(&scale, from, to, at + 7, h, rates);
        }
        multiplyRates(out.source, rotation.of[0], scale.of[0]);
        multiplyRates(out.reduced, rotation.of[1], scale.of[1]);
        const double *const y = rotation.difference, *const g = scale.difference;
        const double *const mr = rotation.of[1], *const sc = scale.of[0];
        out.linear[0] = y[0] * sc[0] + mr[0] * g[0];
        out.linear[1] = y[1] * sc[0] + y[0] * sc[1] + mr[1] * g[0] + mr[0] * g[1];
        out.linear[2] =
            y[2] * sc[0] + 2.0 * y[1] * sc[1] + y[0] * sc[2] + mr[2] * g[0] + 2.0 * mr[1] * g[1] + mr[0] * g[2];
        if (!rate(out.translation, from, to, rates)) {
            out.shift[0] = normOf3(still);
            return; // the others stay 0
        }
        ComparedRates translation;
        vectorRates<normOf3>(&translation, from, to, at, h, rates);
        for (int k = 0; k < 3; k++) {
            out.shift[k] = translation.of[1][k];
            out.moved[k] = translation.difference[k];
        }
    }

    /// False without a track.
    bool rate(BoundTrack* track, const BoundState& from, const BoundState& to, const CurveRates** rates) const {
        if (track == nullptr) {
            return false;
        }
        for (int which = 0; which < 2; which++) {
            rates[which] = &ratesFor(track->curves[which], track->width, from.time, to.time);
        }
        return true;
    }
};

/// Bounds the intervals from key time `from` to `to - 1`. Curves begin before their first key.
void boundIntervals(const BoundWork& work) { ClipBounder(work).run(); }

} // namespace
} // namespace poselane
