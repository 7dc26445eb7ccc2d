// SPDX-License-Identifier: MIT
//
// The moving tracks of each clip, listed for evaluate_rows.h: those that are evaluated alike, one after another.
#pragma once

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

/// Calls visit(track, components, target) for the moving tracks of a tile: LINEAR rotations, other LINEAR tracks, then
/// the rest.
template <class Visit> void forEachMovingTrack(const SlotsView& slots, const Clip& clip, int tile, Visit visit) {
    const int first = tile * kTileSlots;
    const int end = first + kTileSlots < slots.count ? first + kTileSlots : slots.count;
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

/// Lists the tracks of all clips: [clip][tile] the place of its first TrackRun, and the end of the last; the runs; the
/// lists.
///
/// @param to Null to count only.
/// @returns Number of ints.
inline size_t listTracks(const RigView& rig, const SlotsView& slots, int clips, int32_t* to) {
    const int tiles = countTiles(slots), parts = clips * tiles;
    int runs = 0, tracks = 0;
    const auto forEachTrack = [&](auto visit) {
        for (int i = 0; i < parts; i++) {
            TrackRun last = {-1, 0, 0, 0, 0, 0};
            forEachMovingTrack(slots, rig.clips[i / tiles], i % tiles,
                               [&](const Track& track, int components, int target) {
                                   const bool isNew = track.group != last.group || track.kind != last.kind ||
                                                      components != last.components;
                                   last = {track.group, track.kind, components, isNew ? 1 : last.count + 1, 0, 0};
                                   visit(i, last, track.first, target);
                               });
        }
    };
    forEachTrack([&](int, const TrackRun& run, int32_t, int) {
        runs += run.count == 1 ? 1 : 0;
        tracks++;
    });
    const int firstRun = parts + 1, firsts = firstRun + runs * kTrackRunInts, targets = firsts + tracks + kListPadding;
    const size_t ints = static_cast<size_t>(targets) + static_cast<size_t>(tracks) + kListPadding;
    if (to == nullptr) {
        return ints;
    }
    int run = firstRun - kTrackRunInts, place = 0, part = 0;
    forEachTrack([&](int of, TrackRun made, int32_t first, int target) {
        run += made.count == 1 ? kTrackRunInts : 0;
        for (; part <= of; part++) {
            to[part] = run;
        }
        made.firsts = firsts + place - (made.count - 1);
        made.targets = targets + place - (made.count - 1);
        memcpy(to + run, &made, sizeof(made));
        to[firsts + place] = first;
        to[targets + place] = target;
        place++;
    });
    for (; part <= parts; part++) {
        to[part] = run + kTrackRunInts;
    }
    return ints;
}

} // namespace poselane
