// SPDX-License-Identifier: MIT
//
// The moving tracks of each clip, listed for evaluate_rows.h: those that are evaluated alike, one after another.
#pragma once

#include <string.h>

#include "rig.h"

namespace poselane {

/// Some tracks of a clip that share a group and a kind.
struct TrackRun {
    int32_t group, kind;
    /// 4: rotations. 3: translations and scales.
    int32_t components;
    int32_t count;
    /// Places of two lists in the same memory: first floats of the tracks within a row of keys, and of their targets
    /// within a row of the tile.
    int32_t firsts, targets;
};
constexpr int kTrackRunInts = sizeof(TrackRun) / sizeof(int32_t);
/// Kernels read whole vectors of the lists.
constexpr int kListPadding = 16;

inline int countTiles(const SlotsView& slots) { return (slots.count + kTileSlots - 1) / kTileSlots; }

inline int slotsInTile(const SlotsView& slots, int tile) {
    const int left = slots.count - tile * kTileSlots;
    return left < kTileSlots ? left : kTileSlots;
}

/// Calls visit(track, components, target) for the moving tracks of a tile: LINEAR rotations, other LINEAR tracks, then
/// the rest.
template <class Visit> void forEachMovingTrack(const SlotsView& slots, const Clip& clip, int tile, Visit visit) {
    const int first = tile * kTileSlots;
    const int end = first + slotsInTile(slots, tile);
    for (int part = 0; part < 3; part++) {
        for (int i = first * kPaths; i < end * kPaths; i++) {
            const int place = i / kPaths, path = i % kPaths;
            const Track& track = clip.tracks[slots.slots[place] * kPaths + path];
            const int partOf = track.kind != kLinear ? 2 : path == 1 ? 0 : 1;
            if (track.group >= 0 && partOf == part) {
                visit(track, path == 1 ? 4 : 3, (place - first) * kLocalFloats + (path == 0 ? 0 : path == 1 ? 3 : 7));
            }
        }
    }
}

/// The lists of a clip, in memory that starts at `lists`.
struct ClipLists {
    const int32_t* lists;
    const int32_t* row;

    ClipLists(const SlotsView& slots, int clip)
        : lists(slots.tracks), row(slots.tracks + static_cast<size_t>(clip) * rowInts(slots)) {}

    /// The place of the groups' searches, those of the runs of each tile, and the end of the runs.
    static size_t rowInts(const SlotsView& slots) { return static_cast<size_t>(countTiles(slots)) + 2; }

    /// [group] The number of its search among those of a pose; -1 where no track of these slots is in it.
    const int32_t* searches() const { return lists + row[0]; }
    const int32_t* runs(int tile) const { return lists + row[tile + 1]; }
};

/// Makes SlotsView::tracks: the ClipLists of all clips.
///
/// @param to Null to count only.
/// @returns Number of ints; SIZE_MAX for more than 32-bit places can count.
inline size_t listTracks(const RigView& rig, const SlotsView& slots, int clips, int32_t* to) {
    const int tiles = countTiles(slots);
    const size_t rowInts = ClipLists::rowInts(slots);
    // No clip needs as many.
    constexpr int kMaxInts = 1 << 30;
    if (rowInts * static_cast<size_t>(clips) > kMaxInts) {
        return SIZE_MAX;
    }
    int place = static_cast<int>(rowInts) * clips;
    const auto put = [&](int at, int32_t number) {
        if (to != nullptr) {
            to[at] = number;
        }
    };
    for (int i = 0; i < clips; i++) {
        const Clip& clip = rig.clips[i];
        const int row = static_cast<int>(rowInts) * i, searches = place;
        put(row, searches);
        for (int group = 0; group < clip.groupCount; group++) {
            put(place++, -1);
        }
        for (int morph = 0; morph < rig.morphs; morph++) {
            if (clip.morphTracks[morph].group >= 0) {
                put(searches + clip.morphTracks[morph].group, 0);
            }
        }
        int tracks = 0;
        for (int tile = 0; tile < tiles; tile++) {
            put(row + 1 + tile, place);
            TrackRun run = {-1, 0, 0, 0, 0, 0};
            forEachMovingTrack(slots, clip, tile, [&](const Track& track, int components, int) {
                if (track.group != run.group || track.kind != run.kind || components != run.components) {
                    run = {track.group, track.kind, components, 0, tracks, 0};
                    place += kTrackRunInts;
                }
                run.count++;
                tracks++;
                put(searches + track.group, 0);
                if (to != nullptr) {
                    memcpy(to + place - kTrackRunInts, &run, sizeof(run));
                }
            });
        }
        put(row + 1 + tiles, place);
        const int firsts = place, targets = firsts + tracks + kListPadding;
        place = targets + tracks + kListPadding;
        if (place > kMaxInts) {
            return SIZE_MAX;
        }
        if (to == nullptr) {
            continue;
        }
        for (int at = to[row + 1]; at < firsts; at += kTrackRunInts) {
            TrackRun run;
            memcpy(&run, to + at, sizeof(run));
            run.targets = targets + run.firsts;
            run.firsts += firsts;
            memcpy(to + at, &run, sizeof(run));
        }
        int track = 0;
        for (int tile = 0; tile < tiles; tile++) {
            forEachMovingTrack(slots, clip, tile, [&](const Track& moving, int, int target) {
                to[firsts + track] = moving.first;
                to[targets + track] = target;
                track++;
            });
        }
        int search = 0;
        for (int group = 0; group < clip.groupCount; group++) {
            to[searches + group] = to[searches + group] < 0 ? -1 : search++;
        }
    }
    return static_cast<size_t>(place);
}

} // namespace poselane
