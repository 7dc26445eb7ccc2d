// SPDX-License-Identifier: MIT
//
// A rig as its kernels see it: tables that were checked when they were copied, so that a kernel may address memory with
// their contents. lib/rig/kernels/contract.ts defines the tables and the kernels.
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

/// How many floats kernels may read past the end of `Clip::values`: they load four where a track has three.
constexpr size_t kValuesPadding = 4;

/// How often infinity stands behind a group's keys: kernels load four times at once, and no search passes it.
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

/// How many groups are remembered: so many that a first-level cache holds them.
constexpr int kLocatedGroups = 16;

struct Workspace {
    /// One for each group, but at most kLocatedGroups.
    Located* groups;
    /// Runs so far; 64 bits never wrap round.
    uint64_t runs;
};

/// The poses of a block to evaluate, and their times. `clips` and `times` have an element for each pose.
struct BlockTimes {
    int poses;
    int32_t clips[kPoses];
    double times[kPoses];
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
    /// [block][set][16][4]. Offsets of matrices, in floats: at 0 lies a matrix of -0, which adds nothing, and behind it
    /// the first joint's. The matrix of -0 fills up sets with fewer than four influences, with weight 1, so that
    /// kernels need not count them.
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

/// Memory that skinning works in.
struct SkinScratch {
    /// For each of 16 poses: the matrix of -0, then one for each joint.
    float* matrices;
    /// One for each target.
    float* weights;
};

/// Poses of a block that move a mesh.
struct SkinBlock {
    int poses;
    /// Globals of the block, [place][12][16], and its morph weights.
    const float* globals;
    const float* weights;
    /// Places of the mesh's joints.
    const int32_t* places;
    SkinScratch scratch;
};

/// Capsules that are placed at once.
constexpr int kCapsules = 16;

/// Some capsules of a list.
struct CapsuleTile {
    /// Number of the first one. Where it is above 0, hits count that are nearer than those in the lists.
    int32_t first;
    /// 1 ... kCapsules.
    int32_t count;
    /// [capsule][2]: of the slots of both ends.
    const int32_t* places;
    /// [capsule][7]: both ends in the space of their slots, and the radius.
    const float* ends;
};

struct RayCast {
    /// [ray][7]: origin, direction of length 1 or 0, maximum distance.
    const float* rays;
    size_t count;
    /// [ray], `stride` apart: [pose].
    float* distances;
    int32_t* capsules;
    size_t stride;
};

/// Points between two baked rows at which playback is compared with the pose.
constexpr int kPlaybackSamples = 7;
/// Marks an interval whose first row must not be interpolated from; the interval does not count.
constexpr int kPlaybackHeld = 255;
/// A joint's box: centre and half size, negative where the joint moves nothing and does not count.
constexpr int kBoxNumbers = 6;

/// Samples of a clip that lie together, and the numbers of an affine matrix.
constexpr int kSampleBlock = 8;
constexpr int kSampleMatrix = 12;

/// A node at some blocks of samples: lib/reduce/fit/subtree-errors.ts. Matrices are [block][12][8], errors and weights
/// [block][8].
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

/// The kernels of one instruction set. Each works on the first `poses` (1 ... 16) of one block; it may write anything
/// to the block's other poses, but nothing past the block, and nothing to lists for poses that are not asked for.
struct RigKernels {
    const char* name;

    void (*evaluate)(const RigView& rig, const SlotsView& slots, float* block, const BlockTimes& times,
                     Workspace* workspace);
    /// `a` and `b` may be `out`.
    /// @param weights 16 floats.
    /// @param mask One for each slot of the rig, or null.
    void (*blend)(const RigView& rig, const SlotsView& slots, float* out, const float* a, const float* b, int poses,
                  const float* weights, const float* mask, bool additive);
    void (*toGlobal)(const RigView& rig, const SlotsView& slots, float* block, int poses);
    /// @param globals Of the block, [place][12][16].
    /// @param places Of each joint.
    /// @param out [pose][joint][16 or 12]
    void (*palettes)(const float* globals, int poses, const int32_t* places, const float* inverseBinds, int joints,
                     float* out, bool mat4);
    /// @param out [pose], `stride` floats apart: [k][12].
    void (*joints)(const float* globals, int poses, const int32_t* places, int count, float* out, size_t stride);
    /// @param placements [pose][7]: T 3, R 4; or null.
    void (*castRays)(const float* globals, int poses, const CapsuleTile& tile, const float* placements,
                     const RayCast& cast);
    /// As `palettes`, but past the caches: other threads see the matrices only after a store fence.
    void (*streamPalettes)(const float* globals, int poses, const int32_t* places, const float* inverseBinds,
                           int joints, float* out, bool mat4);

    /// Floats of a matrix in `SkinScratch`.
    int matrixFloats;
    /// @param outPositions [pose][vertex][3]
    /// @param outNormals The same, or null.
    void (*skinVertices)(const MeshView& mesh, const SkinBlock& block, float* outPositions, float* outNormals);
    /// @param out [pose][6]
    void (*bounds)(const MeshView& mesh, const SkinBlock& block, float* out);

    /// Works on baked rows, not on poses: see playback_error.h.
    void (*playbackError)(double* max, const float* rows, const float* samples, const uint8_t* nearest,
                          size_t intervals, size_t joints, const double* boxes);
    /// Works on samples of a clip: see subtree_errors.h.
    double (*nodeErrors)(const NodeSamples& node, size_t blocks, double worst);
};

} // namespace poselane
