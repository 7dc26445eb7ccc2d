// SPDX-License-Identifier: MIT
//
// Evaluates poses of mixed clips: key searches and rotations of any poses and joints side by side, into a row for each
// pose; then turns the rows into lanes. Any order of tracks gives the same bits, because tracks do not depend on each
// other.
#pragma once

#include "../core/fetch.h"
#include "../lanes/scalar/rig.h"
#include "row_tracks.h"
#include "run.h"
#include "sample.h"

namespace poselane {
namespace {

/// Searches of some poses in the groups of their clips, one for each pose and group. A search is a lane of a Located.
template <class L> class Searches {
public:
    explicit Searches(Located* to) : to_(to) {}

    int count() const { return count_; }

    /// Adds a search in each group of a clip that has one.
    POSELANE_ALWAYS_INLINE void add(const Clip& clip, const int32_t* searches, const RunTimes& at, int pose) {
        for (int i = 0; i < clip.groupCount; i++) {
            if (searches[i] < 0) {
                continue;
            }
            const KeyGroup& group = clip.groups[i];
            const int lane = count_++ % kPoses;
            keys_[lane] = clip.times + group.firstKey;
            found_[lane] = firstKeyFor(clip, group, at.cells[pose]);
            starts_[lane] = keys_[lane] + found_[lane];
            last_[lane] = group.keys - 1;
            steps_[lane] = group.rowFloats;
            backs_[lane] = 0 - group.rowFloats;
            firsts_[lane] = group.firstFloat;
            floors_[lane] = at.floors[pose];
            times_[lane] = at.times[pose];
            if (lane == kPoses - 1) {
                locate(kPoses);
            }
        }
    }

    void finish() {
        const int count = count_ % kPoses;
        for (int lane = count; lane % L::kWidth != 0; lane++) {
            keys_[lane] = keys_[0];
            found_[lane] = found_[0];
            starts_[lane] = starts_[0];
            last_[lane] = last_[0];
            floors_[lane] = floors_[0];
            times_[lane] = times_[0];
        }
        locate(count);
    }

private:
    void locate(int count) {
        Located& located = to_[(count_ - 1) / kPoses];
        for (int first = 0; first < count; first += L::kWidth) {
            const auto rows = [&](const uint32_t* list) POSELANE_INLINED { return L::loadInts(list + first); };
            locateVector<L>(
                located, first, times_ + first, floors_ + first, found_ + first,
                {rows(steps_), rows(backs_), rows(firsts_)},
                [&](auto quad)
                    POSELANE_INLINED { return typename L::Rows(starts_ + first + quad).template gather<0>(); },
                [&](int i) POSELANE_INLINED {
                    const int lane = first + i;
                    found_[lane] = searchKey(keys_[lane], found_[lane], last_[lane], floors_[lane]);
                    starts_[lane] = keys_[lane] + found_[lane];
                });
        }
    }

    Located* const to_;
    int count_ = 0;
    /// The first keys of the groups, and the keys where searching starts, `found_` later.
    const float* keys_[kPoses];
    const float* starts_[kPoses];
    uint32_t found_[kPoses], last_[kPoses], steps_[kPoses] = {}, backs_[kPoses] = {}, firsts_[kPoses] = {};
    float floors_[kPoses];
    double times_[kPoses];
};

/// A pose's place among the searches.
struct LocatedPose {
    const Located* located;
    /// [group]
    const int32_t* searches;
    int firstSearch;

    POSELANE_ALWAYS_INLINE LocatedPoses<Lanes1> at(int group) const {
        const unsigned search = static_cast<unsigned>(firstSearch + searches[group]);
        return {located[search / kPoses], static_cast<int>(search % kPoses)};
    }
};

/// The rows of a pose in one group.
struct LocatedRows {
    const float* base;
    const float* other;
    float t, swapSign;

    LocatedRows(const LocatedPoses<Lanes1>& pose, const float* values)
        : base(values + pose.at.bases[pose.first]), other(values + pose.at.others[pose.first]),
          t(pose.at.t[pose.first]), swapSign(pose.at.swapSigns[pose.first]) {}
};

/// Begins to load the rows of a pose: with many clips they are not in the caches, and no earlier read tells where they
/// are.
POSELANE_ALWAYS_INLINE void fetchRows(const Clip& clip, const LocatedPose& pose) {
    for (int group = 0; group < clip.groupCount; group++) {
        if (pose.searches[group] >= 0) {
            const LocatedPoses<Lanes1> at = pose.at(group);
            const float* const row = clip.values + at.at.rows[at.first];
            const float* const end = row + 2 * clip.groups[group].rowFloats;
            for (const float* line = row; line < end; line += kLine) {
                POSELANE_FETCH(line);
            }
        }
    }
}

/// Rotations of several joints and poses, to be slerped together.
template <class L> class RotationQueue {
public:
    /// Adds rotations with these first floats within the rows, for these floats of `row`. The lists are read up to
    /// whole vectors.
    POSELANE_ALWAYS_INLINE void add(const LocatedRows& rows, const uint32_t* firsts, const int32_t* targets, int count,
                                    float* row) {
        int i = 0;
        for (; !kSmallCode && count_ == 0 && count - i >= L::kWidth; i += L::kWidth) {
            typename L::Quads bases[L::kQuads], others[L::kQuads];
            each<L::kQuads>([&](auto quad) POSELANE_INLINED {
                bases[quad] = L::gather(rows.base, firsts + i + quad);
                others[quad] = L::gather(rows.other, firsts + i + quad);
            });
            slerpTo(bases, others, L::set1(rows.t), L::set1(rows.swapSign),
                    [&](int lane) POSELANE_INLINED { return row + targets[i + lane]; });
        }
        for (; i < count; i += L::kWidth) {
            for (int lane = 0; lane < L::kWidth; lane++) {
                bases_[count_ + lane] = rows.base + firsts[i + lane];
                others_[count_ + lane] = rows.other + firsts[i + lane];
                to_[count_ + lane] = row + targets[i + lane];
            }
            L::store(t_ + count_, L::set1(rows.t));
            L::store(swapSigns_ + count_, L::set1(rows.swapSign));
            count_ += count - i < L::kWidth ? count - i : L::kWidth;
            if (count_ >= L::kWidth) {
                flush();
                count_ -= L::kWidth;
                for (int lane = 0; lane < L::kWidth; lane++) {
                    bases_[lane] = bases_[lane + L::kWidth];
                    others_[lane] = others_[lane + L::kWidth];
                    to_[lane] = to_[lane + L::kWidth];
                }
                L::store(t_, L::load(t_ + L::kWidth));
                L::store(swapSigns_, L::load(swapSigns_ + L::kWidth));
            }
        }
    }

    void finish() {
        if (count_ == 0) {
            return;
        }
        for (int i = count_; i < L::kWidth; i++) {
            bases_[i] = bases_[0];
            others_[i] = others_[0];
            t_[i] = t_[0];
            swapSigns_[i] = swapSigns_[0];
            to_[i] = to_[0];
        }
        flush();
        count_ = 0;
    }

private:
    void flush() {
        typename L::Quads bases[L::kQuads], others[L::kQuads];
        each<L::kQuads>([&](auto quad) POSELANE_INLINED {
            bases[quad] = typename L::Rows(bases_ + quad).template gather<0>();
            others[quad] = typename L::Rows(others_ + quad).template gather<0>();
        });
        slerpTo(bases, others, L::load(t_), L::load(swapSigns_), [&](int lane) POSELANE_INLINED { return to_[lane]; });
    }

    template <class At>
    static POSELANE_ALWAYS_INLINE void slerpTo(const typename L::Quads (&bases)[L::kQuads],
                                               const typename L::Quads (&others)[L::kQuads], typename L::Floats t,
                                               typename L::Floats swapSigns, At to) {
        using Floats = typename L::Floats;
        Floats base[4], other[4], result[4];
        L::toFloats(bases, base);
        L::toFloats(others, other);
        slerp<L>(base, other, slerpTimesNear<L>(t, swapSigns), result);
        L::template storeQuads<1>(to, [&](auto, Floats(&quad)[4]) POSELANE_INLINED {
            each<4>([&](auto c) POSELANE_INLINED { quad[c] = result[c]; });
        });
    }

    /// Below kWidth between calls.
    int count_ = 0;
    // The lists of a call begin behind those before it.
    const float* bases_[2 * L::kWidth];
    const float* others_[2 * L::kWidth];
    float t_[2 * L::kWidth], swapSigns_[2 * L::kWidth];
    float* to_[2 * L::kWidth];
};

/// A part of a track's value that is not LINEAR: a rotation's 4 components, 3 of a translation or scale, or 1 of
/// `width` weights.
inline void sampleOther(int kind, const LocatedPoses<Lanes1>& at, const float* values, int components, int width,
                        float* to) {
    float floats[4];
    if (kind == kCubicSpline) {
        sampleCubic(at, values, width, floats);
        if (components == 4) {
            normalize<Lanes1>(floats);
        }
    } else {
        sampleStep(at, values, floats);
    }
    for (int i = 0; i < components; i++) {
        to[i] = floats[i];
    }
}

/// Whether the slots are all slots of the rig up to the last of them: they are ascending.
inline bool isFirstSlots(const SlotsView& slots) {
    return slots.count > 0 && slots.slots[slots.count - 1] == slots.count - 1;
}

/// The tracks of one pose in a tile.
template <class Wide, class Narrow>
void evaluateRow(const SlotsView& slots, const Clip& clip, const ClipLists& lists, int tile, const LocatedPose& pose,
                 float* row, RotationQueue<Wide>& rotations) {
    const int first = tile * kTileSlots, count = slotsInTile(slots, tile);
    if (isFirstSlots(slots)) {
        for (int i = 0; i < count * kLocalFloats; i += Wide::kWidth) {
            Wide::store(row + i, Wide::load(clip.base + first * kLocalFloats + i));
        }
    } else {
        for (int i = 0; i < count; i++) {
            memcpy(row + i * kLocalFloats, clip.base + slots.slots[first + i] * kLocalFloats,
                   kLocalFloats * sizeof(float));
        }
    }
    const int32_t* const end = lists.runs(tile + 1);
    for (const int32_t* at = lists.runs(tile); at < end; at += kTrackRunInts) {
        TrackRun run;
        memcpy(&run, at, sizeof(run));
        const auto* const firsts = reinterpret_cast<const uint32_t*>(lists.lists + run.firsts);
        const int32_t* const targets = lists.lists + run.targets;
        const LocatedPoses<Lanes1> located = pose.at(run.group);
        const LocatedRows rows(located, clip.values);
        if (run.kind != kLinear) {
            for (int i = 0; i < run.count; i++) {
                sampleOther(run.kind, located, clip.values + firsts[i], run.components, run.components,
                            row + targets[i]);
            }
        } else if (run.components == 4) {
            rotations.add(rows, firsts, targets, run.count, row);
        } else {
            const auto t = Narrow::set1(rows.t);
            for (int i = 0; i < run.count; i++) {
                Narrow::storeThree(row + targets[i], Narrow::mix(Narrow::loadQuads(rows.base + firsts[i]),
                                                                 Narrow::loadQuads(rows.other + firsts[i]), t));
            }
        }
    }
}

/// The morph weights of one pose; `weights` in its lane.
inline void evaluateWeights(const RigView& rig, const Clip& clip, const LocatedPose& pose, float* weights) {
    for (int morph = 0; morph < rig.morphs; morph++) {
        const Morph range = rig.morphRanges[morph];
        const Track& track = clip.morphTracks[morph];
        for (int i = 0; i < range.weights; i++) {
            float* const to = weights + static_cast<size_t>(range.firstWeight + i) * kPoses;
            if (track.group < 0) {
                *to = clip.baseWeights[range.firstWeight + i];
                continue;
            }
            const LocatedPoses<Lanes1> at = pose.at(track.group);
            const float* const values = clip.values + track.first + i;
            if (track.kind == kLinear) {
                const LocatedRows rows(at, values);
                *to = *rows.base + (rows.t * *rows.other - rows.t * *rows.base);
            } else {
                sampleOther(track.kind, at, values, 1, range.weights, to);
            }
        }
    }
}

/// Turns a part of rows into lanes.
///
/// @param rows The offsets of L's poses.
template <class L> void turnRows(const float* from, const uint32_t* rows, int floats, float* to) {
    typename L::Floats turned[4];
    int i = 0;
    for (; i + 4 <= floats; i += 4) {
        typename L::Quads quads[L::kQuads];
        each<L::kQuads>([&](auto quad) POSELANE_INLINED { quads[quad] = L::gather(from + i, rows + quad); });
        L::toFloats(quads, turned);
        each<4>([&](auto c) POSELANE_INLINED { L::store(to + (i + c) * kPoses, turned[c]); });
    }
    for (; i < floats; i++) {
        for (int pose = 0; pose < L::kWidth; pose++) {
            to[i * kPoses + pose] = from[rows[pose] + static_cast<uint32_t>(i)];
        }
    }
}

/// The same for one pose.
inline void turnRow(const float* row, int floats, float* to) {
    for (int i = 0; i < floats; i += kLocalFloats) {
        each<kLocalFloats>([&](auto c) POSELANE_INLINED { to[(i + c) * kPoses] = row[i + c]; });
    }
}

/// Searches for some poses of a block: where they are, and their numbers, ascending. Returns how many there are.
template <class L>
int searchPoses(const RigView& rig, const SlotsView& slots, const BlockTimes& at, unsigned poses, Located* to,
                int (&pending)[kPoses], LocatedPose (&located)[kPoses]) {
    int count = 0;
    Searches<L> searches(to);
    RunTimes times;
    for (int pose = 0; pose < at.poses; pose++) {
        if ((poses >> pose & 1) == 0) {
            continue;
        }
        const Clip& clip = rig.clips[at.clips[pose]];
        located[count] = {to, ClipLists(slots, at.clips[pose]).searches(), searches.count()};
        setTime(times, clip, pose, at.times[pose]);
        searches.add(clip, located[count].searches, times, pose);
        pending[count++] = pose;
    }
    searches.finish();
    return count;
}

/// Evaluates some poses of a block. Lanes of other poses get any values.
template <class Wide, class Narrow>
void evaluateRows(const RigView& rig, const SlotsView& slots, const BlockTimes& at, unsigned poses, float* block,
                  const Workspace& workspace) {
    int pending[kPoses];
    LocatedPose located[kPoses];
    const auto search = at.poses == 1 ? searchPoses<Narrow> : searchPoses<Wide>;
    const int count = search(rig, slots, at, poses, workspace.groups, pending, located);
    // Rows of poses that are not evaluated here are copies of one that is.
    uint32_t rows[kPoses];
    for (int pose = 0; count > 1 && pose < kPoses; pose++) {
        rows[pose] = static_cast<uint32_t>((poses >> pose & 1) != 0 ? pose : pending[0]) * kRowFloats;
    }
    const int tiles = countTiles(slots);
    RotationQueue<Wide> rotations;
    for (int tile = 0; tile < tiles; tile++) {
        for (int i = 0; i < count; i++) {
            const int clip = at.clips[pending[i]];
            if (tile == 0 && i + 1 < count) {
                fetchRows(rig.clips[at.clips[pending[i + 1]]], located[i + 1]);
            }
            evaluateRow<Wide, Narrow>(slots, rig.clips[clip], ClipLists(slots, clip), tile, located[i],
                                      workspace.rows + pending[i] * kRowFloats, rotations);
        }
        rotations.finish();
        const int floats = slotsInTile(slots, tile) * kLocalFloats;
        float* const to = block + static_cast<size_t>(tile) * kTileSlots * kLocalFloats * kPoses;
        for (int lane = 0; lane < kPoses; lane += Wide::kWidth) {
            const unsigned here = poses >> lane & firstPoses(Wide::kWidth);
            if (count == 1 && here != 0) {
                turnRow(workspace.rows + pending[0] * kRowFloats, floats, to + pending[0]);
            } else if (here >> Narrow::kWidth != 0) {
                turnRows<Wide>(workspace.rows, rows + lane, floats, to + lane);
            } else if (here != 0) {
                turnRows<Narrow>(workspace.rows, rows + lane, floats, to + lane);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        evaluateWeights(rig, rig.clips[at.clips[pending[i]]], located[i],
                        block + static_cast<size_t>(slots.count) * (kLocalFloats + kGlobalFloats) * kPoses +
                            pending[i]);
    }
}

} // namespace
} // namespace poselane
