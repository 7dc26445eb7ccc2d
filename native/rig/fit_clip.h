// SPDX-License-Identifier: MIT
// Twin: lib/reduce/fit/clip.ts, fit.ts, levers.ts, polish.ts, twin-fitter.ts
//
// Fewer keys for the tracks of a clip: the bits of the twins, all in double precision.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>

#include "clip_bound.h"
#include "fitted_values.h"
#include "kernels.h"
#include "play_track.h"
#include "subtree_errors.h"

namespace poselane {
namespace {

constexpr double kShortStep = 1.0 / 32767, kByteStep = 1.0 / 127;

/// Whether values at this step are stored as normalized integers.
inline bool isInteger(double step) {
    const double shorts = step / kShortStep;
    return step == kByteStep || (step > 0.0 && step < 1.0 && shorts == floor(shorts));
}

/// The largest power of two up to x, from 2^min to 2^max.
inline double powerOfTwo(double x, int min, int max) {
    double power = 1.0;
    for (int e = 0; e > min; e--) {
        power /= 2.0;
    }
    for (int e = min; e < max && power * 2.0 <= x; e++) {
        power *= 2.0;
    }
    return power;
}

inline void normalize(double* q) {
    const double squared = product<4>(q, q);
    if (squared == 0.0) {
        return;
    }
    const double length = sqrt(squared);
    for (int c = 0; c < 4; c++) {
        q[c] = q[c] / length;
    }
}

class ClipFitter {
public:
    explicit ClipFitter(const ClipFit& clip) : clip_(clip), n_(clip.timeCount), samples_(clip.blocks * kSampleBlock) {
        double* next = clip.work;
        const auto take = [&](size_t count) {
            next += count;
            return next - count;
        };
        for (double** list : {&fit_.weight, &fit_.shares, &fit_.firsts, &fit_.seconds}) {
            *list = take(n_);
        }
        fit_.diagonal = take(n_);
        fit_.side = take(n_);
        fit_.right = take(n_ * 4);
        fit_.tried = take(n_ * 4);
        ends_ = take(n_ * 4);
        values_ = take(n_ * 4);
        scaled_ = take(n_);
        small_ = take(64);
        savedLocals_ = take(samples_ * kTrs);
        savedMatrices_ = take(samples_ * kSampleMatrix);
        seen_ = take(clip.nodeCount * n_);
        fit_.times = clip.times;
        fit_.rounds = 2;
    }

    double run() {
        for (size_t t = 0; t < clip_.trackCount; t++) {
            setStep(clip_.tracks[t], clip_.tracks[t].numbers->step);
        }
        switch (clip_.phase) {
        case kFitPlace:
            return place();
        case kFitLevers:
            return setLevers();
        case kFitConstants:
            return setConstants();
        case kFitTracks:
            return fitTracks();
        case kFitAdapt:
            return adapt();
        case kFitRestore:
            return restore();
        case kFitKeepAll:
            return keepAll();
        case kFitCandidates:
            return findCandidates();
        case kFitRemovals:
            return removeKeys();
        case kFitSingles:
            return makeSingles();
        default:
            return coarsen();
        }
    }

private:
    const ClipFit& clip_;
    size_t n_, samples_;
    TrackFit fit_ = {};
    double *ends_, *values_, *scaled_, *small_, *savedLocals_, *savedMatrices_, *seen_;

    static constexpr size_t kMatrices = kSampleMatrix * kSampleBlock;

    size_t matricesAt(int32_t node) const { return static_cast<size_t>(node) * clip_.blocks * kMatrices; }
    double* matricesOf(double* table, int32_t node) const { return table + matricesAt(node); }
    double* localsOf(int32_t node) const { return clip_.locals + static_cast<size_t>(node) * samples_ * kTrs; }
    FitNode& nodeOf(int32_t node) const { return clip_.nodes[static_cast<size_t>(node)]; }

    // Placing.

    NodeSamples samplesOf(int32_t index, double* trial, double* errors, const double* above, size_t from) const {
        const FitNode& node = nodeOf(index);
        const size_t row = from * kSampleBlock, at = from * kMatrices;
        const double* const parent = node.parent < 0 ? nullptr : above + matricesAt(node.parent) + at;
        return {trial + matricesAt(index) + at,
                errors + static_cast<size_t>(index) * samples_ + row,
                clip_.localMatrices + matricesAt(index) + at,
                clip_.source + matricesAt(index) + at,
                parent,
                clip_.weights + static_cast<size_t>(index) * samples_ + row,
                node.points,
                node.count};
    }

    const double* cornersOf(int32_t node) const { return clip_.corners + static_cast<size_t>(node) * 3 * kSampleBlock; }

    /// Places all nodes, and sets their errors.
    void judgeAll() const {
        for (size_t node = 0; node < clip_.nodeCount; node++) {
            const NodeSamples samples =
                samplesOf(static_cast<int32_t>(node), clip_.placed, clip_.errors, clip_.placed, 0);
            nodeErrors(samples, clip_.blocks);
        }
    }

    void placeAll() const {
        for (size_t node = 0; node < clip_.nodeCount; node++) {
            NodeSamples samples = samplesOf(static_cast<int32_t>(node), clip_.placed, clip_.errors, clip_.placed, 0);
            samples.count = 0;
            nodeErrors(samples, clip_.blocks);
        }
    }

    /// Places all nodes until one has an error above 1. Returns whether none has.
    bool keepsAll() const {
        for (size_t node = 0; node < clip_.nodeCount; node++) {
            const int32_t index = static_cast<int32_t>(node);
            if (!nodeKeeps(samplesOf(index, clip_.placed, clip_.errors, clip_.placed, 0), cornersOf(index),
                           clip_.blocks)) {
                return false;
            }
        }
        return true;
    }

    double place() const {
        for (size_t node = 0; node < clip_.nodeCount; node++) {
            const int32_t index = static_cast<int32_t>(node);
            double* const matrices = matricesOf(clip_.localMatrices, index);
            const double* const own = clip_.matrices + node * kSampleMatrix;
            for (size_t s = 0; s < samples_; s++) {
                double* const to = matrices + (s / kSampleBlock) * kMatrices + s % kSampleBlock;
                if (own[0] != own[0]) {
                    compose(to, kSampleBlock, localsOf(index) + s * kTrs);
                    continue;
                }
                for (int e = 0; e < kSampleMatrix; e++) {
                    to[e * kSampleBlock] = own[e];
                }
            }
        }
        placeAll();
        memcpy(clip_.source, clip_.placed, clip_.nodeCount * clip_.blocks * kMatrices * sizeof(double));
        return 0.0;
    }

    void play(const FitTrack& track, const int32_t* knots, size_t count, const double* values, size_t from,
              size_t to) const {
        playTrack({localsOf(track.node), matricesOf(clip_.localMatrices, track.node), clip_.at, knots, values, count,
                   track.place, from, to});
    }

    void playAll(const FitTrack& track) const { play(track, track.knots, track.count, track.values, 0, samples_); }

    // Levers.

    void sourceAt(int32_t node, size_t s, double* matrix) const {
        const double* const from = matricesOf(clip_.source, node) + (s / kSampleBlock) * kMatrices + s % kSampleBlock;
        for (int e = 0; e < kSampleMatrix; e++) {
            matrix[e] = from[e * kSampleBlock];
        }
    }

    static constexpr int kProbes = 13;

    /// One of each pair of opposite directions to the faces, edges and corners of a cube.
    struct Probes {
        double directions[kProbes][3] = {};

        constexpr Probes() {
            for (int i = 0; i < kProbes; i++) {
                const int j = i + 14;
                directions[i][0] = j % 3 - 1;
                directions[i][1] = j / 3 % 3 - 1;
                directions[i][2] = j / 9 - 1;
            }
        }
    };

    static double quadratic(const double* form, int probe) {
        static constexpr Probes kDirections;
        const double* const direction = kDirections.directions[probe];
        const double x = direction[0], y = direction[1], z = direction[2];
        return form[0] * x * x + form[1] * y * y + form[2] * z * z +
               2.0 * (form[3] * x * y + form[4] * x * z + form[5] * y * z);
    }

    /// Sums the forms of a node's arms.
    struct Arms {
        FitNumbers* lever;
        double squares[kProbes] = {};
        double farthest = 0.0;

        void add(const double* arm) {
            const double x = arm[0], y = arm[1], z = arm[2];
            for (int c = 0; c < 3; c++) {
                lever->reach[c] = most(lever->reach[c], fabs(arm[c]));
            }
            const double own[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
            for (int e = 0; e < 6; e++) {
                lever->form[e] = lever->form[e] + own[e];
            }
            for (int i = 0; i < kProbes; i++) {
                squares[i] = most(squares[i], quadratic(own, i));
            }
            farthest = most(farthest, x * x + y * y + z * z);
        }

        void end() const {
            lever->radius = sqrt(farthest);
            double factor = 0.0;
            for (int i = 0; i < kProbes; i++) {
                const double sum = quadratic(lever->form, i);
                factor = sum > 0.0 ? most(factor, squares[i] / sum) : factor;
            }
            for (double& number : lever->form) {
                number = number * factor;
            }
        }
    };

    /// Inverse of the linear part; zeros if it is singular.
    static void invert(const double* m, double* inverse) {
        const double a = m[0], b = m[1], c = m[2], d = m[4], e = m[5], f = m[6], g = m[8], h = m[9], i = m[10];
        const double det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
        const double k = det == 0.0 ? 0.0 : 1.0 / det;
        const double adjugate[9] = {e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g,
                                    c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d};
        for (int at = 0; at < 9; at++) {
            inverse[at] = adjugate[at] * k;
        }
    }

    void addArms(int32_t node, Arms* arms) const {
        // Nodes below are found in ascending order, in which the twin adds them.
        int32_t* const isBelow = clip_.marks;
        for (size_t below = 0; below < clip_.nodeCount; below++) {
            const int32_t parent = clip_.nodes[below].parent;
            isBelow[below] = static_cast<int32_t>(below) == node || (parent >= 0 && isBelow[parent] != 0) ? 1 : 0;
        }
        const size_t count = 2 * n_ - 1, stride = std::max<size_t>(1, count / 2);
        for (size_t s = 0; s < count; s += stride) {
            double g[kSampleMatrix], b[kSampleMatrix], inverse[9], arm[3];
            sourceAt(node, s, g);
            invert(g, inverse);
            const double* const scale = localsOf(node) + s * kTrs + 7;
            for (size_t below = static_cast<size_t>(node); below < clip_.nodeCount; below++) {
                if (isBelow[below] == 0 || clip_.nodes[below].count == 0) {
                    continue;
                }
                sourceAt(static_cast<int32_t>(below), s, b);
                const double* corner = clip_.corners + below * kSampleBlock * 3;
                for (int p = 0; p < kSampleBlock; p++, corner += 3) {
                    double at[3];
                    for (int r = 0; r < 3; r++) {
                        const double* const row = b + r * 4;
                        at[r] = row[0] * corner[0] + row[1] * corner[1] + row[2] * corner[2] + row[3];
                    }
                    const double x = at[0] - g[3], y = at[1] - g[7], z = at[2] - g[11];
                    for (int r = 0; r < 3; r++) {
                        const double along = inverse[r * 3] * x + inverse[r * 3 + 1] * y + inverse[r * 3 + 2] * z;
                        arm[r] = scale[r] * along;
                    }
                    arms->add(arm);
                }
            }
        }
    }

    double scaleAbove(int32_t node) const {
        const int32_t parent = nodeOf(node).parent;
        if (parent < 0) {
            return 1.0;
        }
        double max = 0.0;
        for (size_t s = 0; s < 2 * n_ - 1; s++) {
            double m[kSampleMatrix];
            sourceAt(parent, s, m);
            for (int c = 0; c < 3; c++) {
                const double squared = m[c] * m[c] + m[c + 4] * m[c + 4] + m[c + 8] * m[c + 8];
                max = squared > max ? squared : max;
            }
        }
        return sqrt(max);
    }

    double setLevers() const {
        for (size_t t = 0; t < clip_.trackCount; t++) {
            const FitTrack& track = clip_.tracks[t];
            FitNumbers& own = *track.numbers;
            const FitTrack* other = nullptr;
            for (size_t before = 0; before < t && other == nullptr; before++) {
                other = clip_.tracks[before].node == track.node ? clip_.tracks + before : nullptr;
            }
            if (other != nullptr) {
                const FitNumbers before = *other->numbers;
                memcpy(own.form, before.form, sizeof own.form);
                memcpy(own.reach, before.reach, sizeof own.reach);
                own.radius = before.radius;
                own.scale = before.scale;
                continue;
            }
            memset(own.form, 0, sizeof own.form);
            memset(own.reach, 0, sizeof own.reach);
            Arms arms = {&own};
            addArms(track.node, &arms);
            arms.end();
            own.scale = scaleAbove(track.node);
        }
        return 0.0;
    }

    // Rounding.

    /// The largest step whose rounding keeps within a displacement.
    double stepFor(const FitTrack& track, double displacement) const {
        const FitNumbers& lever = *track.numbers;
        const bool turns = track.place == 3;
        const double arm = lever.scale * (turns ? 2.0 * lever.radius : track.place == 7 ? lever.radius : 1.0);
        const double step = displacement / (0.6 * (arm == 0.0 || arm != arm ? 1e-9 : arm));
        if (turns && clip_.quantize && step >= kShortStep) {
            return kShortStep * powerOfTwo(step / kShortStep, 0, 7);
        }
        return powerOfTwo(step, -24, turns ? -8 : 24);
    }

    double nextStep(const FitTrack& track) const {
        const double step = track.numbers->step, next = step * 2.0;
        const bool reaches = step < kShortStep && next > kShortStep / 2.0;
        return track.place == 3 && clip_.quantize && reaches ? kShortStep : next;
    }

    /// Sets the step, and the rules that follow from it.
    void setStep(FitTrack& track, double step) const {
        constexpr double kFinest = 1.0 / 262144, kLargest = 6.0;
        const FitNumbers& own = *track.numbers;
        track.numbers->step = step;
        TrackRules& rules = track.rules;
        rules.width = static_cast<int>(track.width());
        rules.isScale = track.place == 7;
        memcpy(rules.form, own.form, sizeof rules.form);
        memcpy(rules.reach, own.reach, sizeof rules.reach);
        rules.radius = own.radius;
        rules.scale = own.scale;
        rules.step = step;
        const bool turns = track.place == 3, whole = isInteger(step);
        rules.finest = whole ? kShortStep : kFinest;
        rules.tolerance = step == kByteStep ? clip_.offUnit : whole ? clip_.offShort : clip_.offFloat;
        rules.coarse = rules.finest;
        while (rules.coarse * 2.0 <= step && rules.coarse * 2.0 <= kLargest * rules.tolerance) {
            rules.coarse *= 2.0;
        }
        if (turns && track.exact && step != kByteStep) {
            rules.rounding = step > 0.0 ? kRoundUnit : kRoundUnitFloat;
        } else if (turns && step >= 4.0 * kShortStep) {
            rules.rounding = kRoundWays;
        } else {
            rules.rounding = step == 0.0 ? kRoundFloat : kRoundAll;
        }
        rules.most = turns && step > 0.0 ? floor(1.0 / step) * step : HUGE_VAL;
        rules.allowed = !track.unit ? HUGE_VAL : track.exact ? rules.tolerance : clip_.offUnit;
    }

    static void round(const FitTrack& track, double* values, size_t count) {
        track.place == 3 ? roundKeys<4>(track.rules, values, count) : roundKeys<3>(track.rules, values, count);
    }

    static bool mayHave(const FitTrack& track, const double* values, size_t count) {
        return track.place != 3 || haveLength<4>(track.rules, values, count);
    }

    static double displacement(const FitTrack& track, const double* from, const double* v) {
        return track.place == 3 ? displacementByRotation(track.rules, from, v)
                                : displacementByVector(track.rules, from, v);
    }

    // Fitting.

    double setConstants() const {
        for (size_t t = 0; t < clip_.trackCount; t++) {
            FitTrack& track = clip_.tracks[t];
            if (!track.constant) {
                continue;
            }
            const size_t width = track.width();
            const double* const rest = restOf(track);
            setStep(track, stepFor(track, clip_.bound * 0.02));
            const bool goes = !track.joined && displacement(track, track.target, rest) <= 0.01 * clip_.bound;
            memcpy(track.values, goes ? rest : track.target, width * sizeof(double));
            if (!goes) {
                round(track, track.values, 1);
            }
            track.knots[0] = 0;
            track.count = 1;
            // Other parts may move.
            if (track.joined) {
                memcpy(track.values + width, track.values, width * sizeof(double));
                track.knots[track.count++] = static_cast<int32_t>(n_ - 1);
            }
            playAll(track);
        }
        placeAll();
        return 0.0;
    }

    const double* restOf(const FitTrack& track) const {
        return clip_.rest + static_cast<size_t>(track.node) * kTrs + track.place;
    }

    double fitTracks() {
        for (size_t t = clip_.from; t < clip_.to; t++) {
            FitTrack& track = clip_.tracks[t];
            if (!track.moving) {
                continue;
            }
            double mean = 0.0;
            for (size_t i = 0; i < n_; i++) {
                scaled_[i] = track.tolerance[i] * clip_.number;
                mean = mean + scaled_[i] / static_cast<double>(n_);
            }
            setStep(track, stepFor(track, 0.7 * mean));
            fitTrack(track);
            playAll(track);
        }
        return clip_.to == clip_.trackCount && keepsAll() ? 1.0 : 0.0;
    }

    /// The center of the box of all targets.
    void findMiddle(const FitTrack& track, double* value) const {
        const size_t width = track.width();
        for (size_t c = 0; c < width; c++) {
            double min = HUGE_VAL, max = -HUGE_VAL;
            for (size_t i = 0; i < n_; i++) {
                const double x = track.target[i * width + c];
                min = x < min ? x : min;
                max = x > max ? x : max;
            }
            value[c] = (min + max) / 2.0;
        }
        if (width == 4) {
            normalize(value);
        }
    }

    void targetsAt(const FitTrack& track, const int32_t* knots, size_t count, double* values) const {
        const size_t width = track.width();
        for (size_t k = 0; k < count; k++) {
            memcpy(values + k * width, track.target + static_cast<size_t>(knots[k]) * width, width * sizeof(double));
        }
    }

    void fitTrack(FitTrack& track) {
        constexpr double kFactors[] = {2.0, 1.7, 1.45, 1.2, 1.0};
        constexpr size_t kCount = sizeof kFactors / sizeof kFactors[0];
        const size_t width = track.width();
        double* const single = small_;
        findMiddle(track, single);
        round(track, single, 1);
        bool holds = true;
        for (size_t i = 0; holds && i < n_; i++) {
            holds = displacement(track, track.target + i * width, single) <= scaled_[i];
        }
        if ((holds && !track.joined) || n_ == 1) {
            track.knots[0] = 0;
            track.count = 1;
            memcpy(track.values, single, width * sizeof(double));
            return;
        }
        fit_.rules = track.rules;
        fit_.target = track.target;
        fit_.tolerance = scaled_;
        const double last = track.numbers->factor;
        for (size_t f = last >= 1.0 && last <= kCount ? static_cast<size_t>(last) - 1 : 0; f < kCount; f++) {
            track.numbers->factor = static_cast<double>(f);
            track.count = greedyKnots(fit_, kFactors[f], n_, track.knots);
            const bool takesOwn = track.own != nullptr && track.ownCount <= track.count;
            if (takesOwn) {
                track.count = track.ownCount;
                memcpy(track.knots, track.own, track.count * sizeof(int32_t));
            }
            if (takesOwn || track.count == n_) {
                targetsAt(track, track.knots, track.count, track.values);
                round(track, track.values, track.count);
                return;
            }
            targetsAt(track, track.knots, track.count, ends_);
            if (fitValues(track.knots, track.count, ends_, track.values) <= 1.0) {
                return;
            }
        }
    }

    double fitValues(const int32_t* knots, size_t count, const double* ends, double* into) {
        fit_.knots = knots;
        fit_.count = count;
        fit_.ends = ends;
        fit_.into = into;
        return fittedValues(fit_);
    }

    double adapt() const {
        judgeAll();
        seeBelow();
        for (size_t t = 0; t < clip_.trackCount; t++) {
            const FitTrack& track = clip_.tracks[t];
            const double* const seen = seen_ + static_cast<size_t>(track.node) * n_;
            for (size_t i = 0; track.moving && i < n_; i++) {
                // The maximum around a time.
                double max = 0.0;
                for (size_t j = i < 2 ? 0 : i - 2; j <= std::min(n_ - 1, i + 2); j++) {
                    max = most(max, seen[j]);
                }
                const double ratio = 0.95 / most(max, 1e-9), root = sqrt(ratio);
                const double change = ratio < 1.0 ? most(0.5, ratio) : root > 1.1 ? 1.1 : root;
                const double tolerance = track.tolerance[i] * change;
                track.tolerance[i] = tolerance > clip_.bound ? clip_.bound : tolerance;
            }
        }
        return 0.0;
    }

    /// For each node and time, the maximum share of the bound that the node or any below it uses.
    void seeBelow() const {
        memset(seen_, 0, clip_.nodeCount * n_ * sizeof(double));
        for (size_t node = clip_.nodeCount; node-- > 0;) {
            double* const own = seen_ + node * n_;
            const double* const errors = clip_.errors + node * samples_;
            const int32_t parent = clip_.nodes[node].parent;
            double* const above = parent < 0 ? nullptr : seen_ + static_cast<size_t>(parent) * n_;
            for (size_t i = 0; i < n_; i++) {
                double max = errors[2 * i];
                max = i > 0 ? most(max, errors[2 * i - 1]) : max;
                max = i + 1 < n_ ? most(max, errors[2 * i + 1]) : max;
                own[i] = most(own[i], sqrt(max));
                if (above != nullptr && own[i] > above[i]) {
                    above[i] = own[i];
                }
            }
        }
    }

    double restore() const {
        for (size_t t = 0; t < clip_.trackCount; t++) {
            if (clip_.tracks[t].moving) {
                playAll(clip_.tracks[t]);
            }
        }
        placeAll();
        return 0.0;
    }

    double keepAll() const {
        for (size_t t = 0; t < clip_.trackCount; t++) {
            FitTrack& track = clip_.tracks[t];
            if (!track.moving) {
                continue;
            }
            setStep(track, 0.0);
            track.count = track.own == nullptr ? n_ : track.ownCount;
            for (size_t k = 0; k < track.count; k++) {
                track.knots[k] = track.own == nullptr ? static_cast<int32_t>(k) : track.own[k];
            }
            targetsAt(track, track.knots, track.count, track.values);
            round(track, track.values, track.count);
        }
        return 0.0;
    }

    // Polishing.

    double removalCost(const FitTrack& track, size_t k) const {
        const size_t width = track.width();
        const double* const key = track.values + k * width;
        const double before = clip_.times[track.knots[k - 1]], after = clip_.times[track.knots[k + 1]];
        const double t = (clip_.times[track.knots[k]] - before) / (after - before);
        double chord[4];
        for (size_t c = 0; c < width; c++) {
            chord[c] = (1.0 - t) * (key - width)[c] + t * (key + width)[c];
        }
        if (width == 4) {
            normalize(chord);
        }
        return displacement(track, key, chord);
    }

    /// Cheapest first, and those of equal cost in their order.
    double findCandidates() const {
        FitCandidate* end = clip_.candidates;
        for (size_t t = 0; t < clip_.trackCount; t++) {
            const FitTrack& track = clip_.tracks[t];
            for (size_t k = 1; track.moving && k + 1 < track.count; k++) {
                const double cost = removalCost(track, k);
                if (cost <= clip_.number * clip_.bound) {
                    *end++ = {cost, static_cast<int32_t>(t), track.knots[k]};
                }
            }
        }
        std::sort(clip_.candidates, end, [](const FitCandidate& a, const FitCandidate& b) {
            return a.cost != b.cost ? a.cost < b.cost : a.track != b.track ? a.track < b.track : a.knot < b.knot;
        });
        return static_cast<double>(end - clip_.candidates);
    }

    double removeKeys() {
        size_t removed = 0;
        for (size_t i = clip_.from; i < clip_.to; i++) {
            FitTrack& track = clip_.tracks[clip_.candidates[i].track];
            const int32_t* const knots = track.knots;
            const size_t k =
                static_cast<size_t>(std::lower_bound(knots, knots + track.count, clip_.candidates[i].knot) - knots);
            removed += k > 0 && k + 1 < track.count && removes(track, k) ? 1 : 0;
        }
        return static_cast<double>(removed);
    }

    bool removes(FitTrack& track, size_t k) {
        const size_t width = track.width();
        const size_t from = k < 2 ? 0 : k - 2, to = std::min(track.count - 1, k + 2);
        int32_t near[4];
        double* const old = small_;
        double* const fitted = small_ + 16;
        size_t count = 0;
        for (size_t i = from; i <= to; i++) {
            if (i == k) {
                continue;
            }
            memcpy(old + count * width, track.values + i * width, width * sizeof(double));
            near[count++] = track.knots[i];
        }
        fit_.rules = track.rules;
        fit_.target = track.target;
        fit_.tolerance = track.tolerance;
        fitValues(near, count, old, fitted);
        // The outer two keys stay: the skin beyond them is not judged again. The others get their values on trial.
        const size_t first = static_cast<size_t>(near[0]) * 2, end = static_cast<size_t>(near[count - 1]) * 2 + 1;
        memcpy(fitted, old, width * sizeof(double));
        memcpy(fitted + (count - 1) * width, old + (count - 1) * width, width * sizeof(double));
        if (!mayHave(track, track.values, from) ||
            !mayHave(track, track.values + (to + 1) * width, track.count - to - 1) ||
            !changes(track, near, count, fitted, first, end)) {
            return false;
        }
        const size_t after = track.count - k - 1;
        memmove(track.knots + k, track.knots + k + 1, after * sizeof(int32_t));
        memmove(track.values + k * width, track.values + (k + 1) * width, after * width * sizeof(double));
        memcpy(track.values + from * width, fitted, count * width * sizeof(double));
        track.count--;
        return true;
    }

    double makeSingles() const {
        size_t made = 0;
        for (size_t t = 0; t < clip_.trackCount; t++) {
            FitTrack& track = clip_.tracks[t];
            made += track.moving && track.count == 2 && becomesSingle(track) ? 1 : 0;
        }
        return static_cast<double>(made);
    }

    /// Tries the rest value, then the mean of both keys.
    bool becomesSingle(FitTrack& track) const {
        if (track.joined) {
            return false;
        }
        const size_t width = track.width();
        double* const single = small_;
        const int32_t knot = 0;
        memcpy(single, restOf(track), width * sizeof(double));
        if (!changes(track, &knot, 1, single, 0, samples_)) {
            for (size_t c = 0; c < width; c++) {
                single[c] = (track.values[c] + track.values[width + c]) / 2.0;
            }
            if (width == 4) {
                normalize(single);
            }
            round(track, single, 1);
            if (!changes(track, &knot, 1, single, 0, samples_)) {
                return false;
            }
        }
        track.knots[0] = 0;
        track.count = 1;
        memcpy(track.values, single, width * sizeof(double));
        return true;
    }

    double coarsen() const {
        for (size_t i = clip_.from; i < clip_.to; i++) {
            FitTrack& track = clip_.tracks[clip_.list[i]];
            while (track.numbers->step > 0.0 && !isCoarsest(track) && takesStep(track, nextStep(track))) {
            }
            if (clip_.quantize && isInteger(track.numbers->step)) {
                takesStep(track, kByteStep);
            }
        }
        return 0.0;
    }

    /// Whether a coarser step would make no more values equal, or all are 0.
    static bool isCoarsest(const FitTrack& track) {
        const double step = track.numbers->step;
        if (isInteger(step)) {
            return step > 200.0 * kShortStep;
        }
        bool zero = true;
        for (size_t c = 0; zero && c < track.count * track.width(); c++) {
            zero = track.values[c] == 0.0;
        }
        return zero || (track.place == 3 && step > 0.25);
    }

    bool takesStep(FitTrack& track, double step) const {
        const double before = track.numbers->step;
        const size_t bytes = track.count * track.width() * sizeof(double);
        setStep(track, step);
        memcpy(values_, track.values, bytes);
        round(track, values_, track.count);
        if (keepsLength(track, values_) && changes(track, track.knots, track.count, values_, 0, samples_)) {
            memcpy(track.values, values_, bytes);
            return true;
        }
        setStep(track, before);
        return false;
    }

    /// Whether lengths other than 1 use at most a part of the bound.
    bool keepsLength(const FitTrack& track, const double* values) const {
        const FitNumbers& lever = *track.numbers;
        for (size_t k = 0; track.place == 3 && k < track.count; k++) {
            const double squared = product<4>(values + k * 4, values + k * 4);
            if (!(fabs(squared - 1.0) * lever.radius * lever.scale <= 0.1 * clip_.bound)) {
                return false;
            }
        }
        return true;
    }

    /// Plays other keys at samples `from` to `to - 1`. They stay if the skin keeps the bound.
    bool changes(const FitTrack& track, const int32_t* knots, size_t count, const double* values, size_t from,
                 size_t to) const {
        if (!mayHave(track, values, count)) {
            return false;
        }
        const FitNode& node = nodeOf(track.node);
        const size_t first = from / kSampleBlock, end = (to + kSampleBlock - 1) / kSampleBlock;
        double* const locals = localsOf(track.node) + from * kTrs;
        double* const matrices = matricesOf(clip_.localMatrices, track.node) + first * kMatrices;
        memcpy(savedLocals_, locals, (to - from) * kTrs * sizeof(double));
        memcpy(savedMatrices_, matrices, (end - first) * kMatrices * sizeof(double));
        play(track, knots, count, values, from, to);
        const int32_t* const nodes = clip_.order + node.place;
        const size_t size = static_cast<size_t>(node.size);
        size_t kept = 0;
        while (kept < size && nodeKeeps(samplesOf(nodes[kept], clip_.trial, clip_.errors,
                                                  kept == 0 ? clip_.placed : clip_.trial, first),
                                        cornersOf(nodes[kept]), end - first)) {
            kept++;
        }
        if (kept < size) {
            memcpy(locals, savedLocals_, (to - from) * kTrs * sizeof(double));
            memcpy(matrices, savedMatrices_, (end - first) * kMatrices * sizeof(double));
            return false;
        }
        for (size_t i = 0; i < size; i++) {
            const size_t at = matricesAt(nodes[i]) + first * kMatrices;
            memcpy(clip_.placed + at, clip_.trial + at, (end - first) * kMatrices * sizeof(double));
        }
        return true;
    }
};

double fitClip(const ClipFit& clip) { return ClipFitter(clip).run(); }

} // namespace
} // namespace poselane
