// SPDX-License-Identifier: MIT
//
// The tables of a rig, as kernels read them. They were checked when copied, so kernels can use their contents as
// offsets. lib/rig/kernels/contract.ts defines them.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace poselane {

/// Poses of a block, side by side.
constexpr int kPoses = 16;
/// Floats of a local transform: T 3, R 4, S 3.
constexpr int kLocalFloats = 10;
/// Floats of a global transform: row-major 3x4.
constexpr int kGlobalFloats = 12;
/// Translation, rotation, scale.
constexpr int kPaths = 3;

/// Vertices of a block, side by side.
constexpr int kVertices = 16;
/// Influences of a set.
constexpr int kInfluences = 4;

/// Number of floats that kernels may read past the end of `Clip::values`: they load four for tracks of three.
constexpr size_t kValuesPadding = 4;
/// The same for `Clip::base`: whole vectors.
constexpr size_t kBasePadding = 16;

/// Number of infinities after the keys of a group. Kernels load four times at once, and searches stop there.
constexpr int kKeysPadding = 3;
/// Maximum number of cells of a group.
constexpr int kCells = 65536;

struct KeyGroup {
    uint32_t firstKey, keys;
    uint32_t firstFloat, rowFloats;
    /// See "Finding keys" in contract.ts.
    uint32_t firstStart, cellShift;
};

enum TrackKind : int32_t { kStep, kLinear, kCubicSpline };

struct Track {
    /// -1: constant.
    int32_t group;
    int32_t kind;
    /// First float within a row.
    int32_t first;
};

struct Clip {
    float duration;
    /// A time's cell is (time - firstTime) * cellsPerSecond, within 0 ... kCells - 1.
    float firstTime, cellsPerSecond;
    int32_t groupCount;
    const float* values;
    const KeyGroup* groups;
    const float* times;
    const uint16_t* starts;
    /// [slot][path]
    const Track* tracks;
    /// [morph]
    const Track* morphTracks;
    const float* base;
    const float* baseWeights;
};

struct Morph {
    int32_t firstWeight, weights;
};

struct RigView {
    int weights;
    int morphs;
    const float* rest;
    const float* restWeights;
    const float* matrices;
    const Morph* morphRanges;
    const Clip* clips;
};

/// The slots that poses have.
struct SlotsView {
    int count;
    const int32_t* slots;
    const int32_t* parents;
    const int32_t* matrices;
    /// The tracks that move, of each clip: row_tracks.h.
    const int32_t* tracks;
};

/// The places of a block's poses between the keys of a group. `evaluate` works in some of these, all zero at first.
struct alignas(64) Located {
    /// The fraction between the two keys, and the seconds between them, named as in TypeScript.
    float fractions[kPoses], intervals[kPoses];
    /// First floats of the two rows.
    uint32_t rows[kPoses], nextRows[kPoses];

    // For LINEAR. The nearer row is the base, the other comes in by t, 0 ... 0.5.
    uint32_t bases[kPoses], others[kPoses];
    float t[kPoses];
    /// -0 where the base is the second row, otherwise 0.
    float swapSigns[kPoses];

    /// The run of poses that these numbers are for, and the group.
    uint64_t run;
    int32_t group;
};

/// Number of groups that are remembered. They fit in a first-level cache.
constexpr int kLocatedGroups = 16;

/// Slots that are evaluated at a time where clips are mixed. The rows of 16 poses fit into a first-level cache.
constexpr int kTileSlots = 64;
/// Floats of a row: an odd number of cache lines, so that the same lines of 16 rows are in sets of their own.
constexpr int kRowFloats = kTileSlots * kLocalFloats / 32 * 32 + 48;

struct Workspace {
    /// kLocatedGroups at least, and one for each group of a clip: enough to search 16 poses in all groups.
    Located* groups;
    /// [16][kRowFloats]
    float* rows;
    /// Runs so far; 64 bits never wrap round.
    uint64_t runs;
    /// For `bakePalettes`: a block, and the globals of a pose, [slot][12], with room for kPoses - 1 more slots.
    float* block;
    float* globals;
};

/// A mesh, repacked for kernels that have vertices in lanes. Its last block is filled up with the last vertex.
struct MeshView {
    int vertices;
    int joints;
    int sets;
    int firstWeight, targets;
    /// [block][3][16]
    const float* positions;
    /// The same; null where the mesh has none.
    const float* normals;
    /// [block][set][16][4]. Offsets of matrices, in floats. At 0 is a matrix of -0, which adds nothing; those of the
    /// joints follow. With weight 1 it pads sets with fewer than four influences, so kernels need not count them.
    const uint32_t* influenceMatrices;
    const float* influenceWeights;
    /// [joint][12]
    const float* inverseBinds;
    /// [vertex], and the end of the last one.
    const uint32_t* morphStarts;
    const uint32_t* morphTargets;
    /// [entry][3]
    const float* morphPositions;
    const float* morphNormals;
};

} // namespace poselane
