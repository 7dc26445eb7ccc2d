// SPDX-License-Identifier: MIT
//
// The kernels of the Rig, and one implementation of them = one table.
//
// POSELANE_RIG_KERNELS lists those that JavaScript calls, each with its signature and the number of arguments of its
// function in the addon. From it come the tables of every instruction set (rig/table.h), the module's entries
// (isa/strict_wasm.cpp), the addon's functions and their closures (addon/rig_calls.h), and the loop of the fuzzer
// (fuzz/rig.cpp). A new kernel is a line there, its signature, and its header at the end of this file.
#pragma once

#include "rig.h"

namespace poselane {

// Signatures. A kernel works on the first `poses` (1 ... 16) of one block. It may write any values to the other poses
// of the block. It must not write past the block, nor list elements of other poses. All arguments are checked.

/// The poses of a block to evaluate, and their times. `clips` and `times` have an element for each pose.
struct BlockTimes {
    int poses;
    int32_t clips[kPoses];
    double times[kPoses];
};

using Evaluate = void(const RigView& rig, const SlotsView& slots, float* block, const BlockTimes& times,
                      Workspace* workspace);

/// `a` and `b` may be `out`.
/// @param weights 16 floats.
/// @param mask One for each slot of the rig, or null.
/// @param reference The block that `additive` takes the difference from, which may be `out`; null: the rest pose.
/// @param each Whether the reference has a pose for each; otherwise its first pose is that of all.
using Blend = void(const RigView& rig, const SlotsView& slots, float* out, const float* a, const float* b, int poses,
                   const float* weights, const float* mask, bool additive, const float* reference, bool each);

/// @param from Computes this place and all places below it; -1: all places.
using ToGlobal = void(const RigView& rig, const SlotsView& slots, float* block, int poses, int from);

/// @param globals Globals of the block, [place][12][16].
/// @param places Place of each joint.
/// @param out [pose][joint][16 or 12]
using GatherPalettes = void(const float* globals, int poses, const int32_t* places, const float* inverseBinds,
                            int joints, float* out, bool mat4);

/// The joints of a skin, and the palettes to make of them.
struct SkinPalettes {
    /// Places of the joints.
    const int32_t* places;
    const float* inverseBinds;
    int32_t joints;
    bool mat4;
    /// Whether to bypass the caches, as `streamPalettes`.
    bool streamed;

    size_t poseFloats() const { return static_cast<size_t>(joints) * (mat4 ? 16 : 12); }
};

/// `evaluate`, `toGlobal` and `palettes` in one, in memory of the workspace.
using BakePalettes = void(const RigView& rig, const SlotsView& slots, const BlockTimes& times, const SkinPalettes& skin,
                          float* out, Workspace* workspace);

/// @param out [pose], `stride` floats apart: [k][12].
using GatherJoints = void(const float* globals, int poses, const int32_t* places, int count, float* out, size_t stride);

/// Capsules that are placed at once.
constexpr int kCapsules = 16;

/// Some capsules of a list.
struct CapsuleTile {
    /// Index of the first one. If it is above 0, only hits nearer than those in the lists are written.
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

/// @param placements [pose][7]: T 3, R 4; or null.
using CastRays = void(const float* globals, int poses, const CapsuleTile& tile, const float* placements,
                      const RayCast& cast);

/// A limb of two bones, and the target of its end: lib/rig/inverse-kinematics.ts. Lists start at the first pose of the
/// block.
struct Limb {
    /// Places of its joints, each below the one before.
    int32_t start, mid, end;
    /// Whether `axis` counts: otherwise the limb bends in the plane that it is in.
    int32_t hinged;
    float softness;
    /// Cosine and sine.
    float twist[2];
    /// In the space of `mid`.
    float axis[3];
    /// [pose][3]
    const float* targets;
    /// The same, or null.
    const float* poles;
    /// 16 floats.
    const float* weights;
    /// [pose], written; or null.
    uint8_t* reached;
};

using TwoBoneIk = void(const RigView& rig, const SlotsView& slots, float* block, int poses, const Limb& limb);

/// Maximum number of joints of an aim.
constexpr int kAimPath = 64;

/// Joints that turn one after another. The last one aims. Lists of poses start at the first pose of the block.
struct Aim {
    /// 1 ... kAimPath.
    int32_t count;
    /// Places, each the parent of the next.
    const int32_t* path;
    /// The part of the turn that each has completed, 0 ... 1, never decreasing; 1 in the end.
    const float* until;
    /// [pose][3]
    const float* targets;
    /// 16 floats.
    const float* weights;
    /// In the space of the last joint.
    float forward[3], up[3], offset[3];
    float pole[3];
};

using AimIk = void(const RigView& rig, const SlotsView& slots, float* block, int poses, const Aim& aim);

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

/// @param outPositions [pose][vertex][3]
/// @param outNormals The same, or null.
using SkinVertices = void(const MeshView& mesh, const SkinBlock& block, float* outPositions, float* outNormals);

/// @param out [pose][6]
using Bounds = void(const MeshView& mesh, const SkinBlock& block, float* out);

#ifdef __wasm__
// lib/rig/webassembly lays these out.
static_assert(sizeof(BlockTimes) == 200 && sizeof(CapsuleTile) == 16 && sizeof(RayCast) == 20 && sizeof(Limb) == 56 &&
              sizeof(Aim) == 68 && sizeof(SkinBlock) == 24);
#endif

/// Points between two baked rows at which playback is compared with the pose.
constexpr int kPlaybackSamples = 7;
/// Marks an interval whose first row must not be interpolated from; the interval does not count.
constexpr int kPlaybackHeld = 255;
/// A joint's box: center and half size, negative where the joint moves nothing and does not count.
constexpr int kBoxNumbers = 6;

/// Number of adjacent samples in a block, and floats of an affine matrix.
constexpr int kSampleBlock = 8;
constexpr int kSampleMatrix = 12;

/// A node's translation, rotation and scale.
constexpr int kTrs = 10;

/// How values are rounded: lib/reduce/fit/rounding.ts.
enum Rounding {
    /// Rotations: `roundToUnitLength` with a step, and without one.
    kRoundUnit,
    kRoundUnitFloat,
    /// Rotations: `roundRotation`.
    kRoundWays,
    /// Numbers: to multiples of the step, and to float32.
    kRoundAll,
    kRoundFloat
};

/// How a track moves points, and the steps of its values.
struct TrackRules {
    /// 4 for rotations, otherwise 3.
    int width;
    bool isScale;
    /// See `Lever`.
    double form[6];
    double reach[3];
    double radius;
    double scale;
    double step;
    /// Maximum deviation of a rotation's length from 1.
    double tolerance;
    /// Steps of a rotation's largest component.
    double coarse;
    double finest;
    Rounding rounding;
    /// Maximum size of a value rounded by `kRoundAll`.
    double most;
    /// Maximum deviation of a fitted rotation's length from 1; infinite if any length will do.
    double allowed;
};

/// The steps of `fitClip`, in the order of PHASES in lib/reduce/fit/native-fitter.ts.
enum FitPhase : int32_t {
    kFitPlace,
    kFitLevers,
    kFitConstants,
    kFitTracks,
    kFitAdapt,
    kFitRestore,
    kFitKeepAll,
    kFitCandidates,
    kFitRemovals,
    kFitSingles,
    kFitCoarsen,
    kFitPhases
};

/// The numbers of a track that calls change.
struct FitNumbers {
    double step;
    /// Index in the list of factors.
    double factor;
    /// See `Lever`.
    double form[6], reach[3], radius, scale;
};

/// `Track` in lib/reduce/fit/clip.ts.
struct FitTrack {
    int32_t node;
    /// 0, 3 for rotations, or 7.
    int32_t place;
    bool constant, moving, joined, unit, exact;
    /// Grid indices of the source's keys; null if they do not reproduce the targets.
    const int32_t* own;
    size_t ownCount;
    /// Keys: room for one more than there are times. `count` is 1 or more.
    int32_t* knots;
    size_t count;
    double* values;
    /// [time][width]
    const double* target;
    double* tolerance;
    FitNumbers* numbers;
    TrackRules rules;

    size_t width() const { return place == 3 ? 4 : 3; }
};

struct FitNode {
    int32_t parent;
    /// Index in `order`, and number of nodes: of the node and all below it.
    int32_t place, size;
    const double* points;
    size_t count;
};

/// A key that may be removed.
struct FitCandidate {
    double cost;
    int32_t track, knot;
};

/// A clip whose tracks get fewer keys: `Clip` and `Fitter` in lib/reduce/fit.
struct ClipFit {
    FitPhase phase;
    /// Tracks, candidates, or places in `list` to work on.
    size_t from, to;
    /// The factor of `kFitTracks`, the limit of `kFitCandidates`.
    double number;
    double bound;
    bool quantize;
    /// Maximum deviations of a rotation's length from 1: of any, and stored as shorts and floats.
    double offUnit, offShort, offFloat;
    FitNode* nodes;
    size_t nodeCount;
    /// Nodes, each followed by all below it.
    const int32_t* order;
    /// [node][10], [node][12] (NaN for nodes with the ten numbers), [node][8][3].
    const double *rest, *matrices, *corners;
    const double *times, *at;
    size_t timeCount, blocks;
    const double* weights;
    double *source, *placed, *trial, *errors, *locals, *localMatrices;
    FitTrack* tracks;
    size_t trackCount;
    /// Candidates: those that are found, or those to remove.
    FitCandidate* candidates;
    /// Tracks in the order of `kFitCoarsen`.
    const int32_t* list;
    /// Work space: [node]; and numbers by `workOf`.
    int32_t* marks;
    double* work;

    /// Numbers of work space.
    static constexpr size_t workOf(size_t nodes, size_t times, size_t blocks) {
        return times * (4 + 2 + 4 * 4 + 1) + 64 + blocks * kSampleBlock * (kTrs + kSampleMatrix) + nodes * times;
    }
};

enum CurveInterpolation : int32_t { kCurveLinear, kCurveStep, kCurveSpline };

/// `Rates` in lib/reduce/bounds/curve-rates.ts.
struct CurveRates {
    double first, second, turn, length;
};

/// `Curve` in lib/reduce/bounds/derivative-bounds.ts.
struct BoundCurve {
    const double* times;
    const double* values;
    /// 1 or more.
    ptrdiff_t count;
    CurveInterpolation interpolation;
    /// The key that it is sampled from, and the key of `rates`.
    ptrdiff_t key = -1, rated = -2;
    CurveRates rates = {};
};

struct BoundTrack {
    /// Index of its first number in `locals`.
    size_t at;
    /// 4 for rotations, otherwise 3.
    int width;
    /// The curve of the source, and the reduced one.
    BoundCurve curves[2];
};

struct BoundNode {
    /// -1 for a root.
    int32_t parent = -1;
    /// Null for a node that has the ten numbers.
    const double* matrix = nullptr;
    /// A multiple of kSampleBlock: the last point is repeated.
    size_t points = 0;
    const double *x = nullptr, *y = nullptr, *z = nullptr;
    double slack, factor;
    /// Maximum distance of a point from the origin.
    double size;
    BoundTrack *translation = nullptr, *rotation = nullptr, *scale = nullptr;
    /// `LocalRates` in lib/reduce/bounds/derivative-bounds.ts.
    double source[3] = {}, reduced[3] = {}, linear[3] = {}, shift[3] = {}, moved[3] = {};
    double reach[3], above[3], sum, bound;
};

/// All nodes at one time.
struct BoundState {
    double time;
    /// [node][10]: those of the source, and reduced.
    double* locals[2];
    /// [node]
    double* errors;
};

/// `ClipBound` in lib/reduce/bounds/clip-bound.ts.
struct BoundFound {
    double share, error, seen, time, node;
};

/// Both ends of an interval, and the middle at each level of halving.
constexpr int kBoundStates = 2 + 7;

/// Two lists of keys for one clip: lib/reduce/bounds/clip-bound.ts.
struct BoundWork {
    BoundNode* node;
    size_t nodes;
    BoundTrack* track;
    size_t tracks;
    /// All key times, ascending.
    const double* times;
    size_t timeCount;
    /// [node][intervals]
    const double* limits;
    size_t intervals;
    /// Key times to begin intervals at.
    size_t from, to;
    /// At rest.
    BoundState states[kBoundStates];
    /// Work space: [node][12].
    double* globals[2];
    /// Changed.
    BoundFound* found;
};

/// Poses of a clip: lib/reduce/model/choose-poses.ts.
struct ClipPoses {
    /// Their parents and matrices.
    const BoundNode* node;
    size_t nodes;
    /// Their first curves.
    BoundTrack* track;
    size_t tracks;
    /// Ascending.
    const double* times;
    size_t timeCount;
    /// At rest: [node][10]. Changed.
    double* locals;
    /// Written: [time][node][12].
    double* globals;
};

// clang-format off
/// X(name, signature, arguments) for the kernels over lanes of poses.
#define POSELANE_POSE_KERNELS(X) \
    X(evaluate, Evaluate, 5) \
    X(blend, Blend, 9) \
    X(toGlobal, ToGlobal, 3) \
    X(palettes, GatherPalettes, 5) \
    X(joints, GatherJoints, 4) \
    X(castRays, CastRays, 9) \
    X(twoBoneIk, TwoBoneIk, 8) \
    X(aimIk, AimIk, 8)

/// The same for the kernels over lanes of vertices.
#define POSELANE_SKIN_KERNELS(X) \
    X(skinVertices, SkinVertices, 5) \
    X(bounds, Bounds, 4)

/// The same for those that WebAssembly leaves out, because they would make pages larger.
#define POSELANE_ADDON_KERNELS(X) \
    X(bakePalettes, BakePalettes, 9)

#define POSELANE_RIG_KERNELS(X) \
    POSELANE_POSE_KERNELS(X) \
    POSELANE_SKIN_KERNELS(X) \
    POSELANE_ADDON_KERNELS(X)
// clang-format on

/// The kernels of one instruction set.
struct RigKernels {
    const char* name;

#define POSELANE_MEMBER(kernel, Signature, ...) Signature* kernel;
    POSELANE_RIG_KERNELS(POSELANE_MEMBER)
#undef POSELANE_MEMBER

    /// As `palettes`, but bypasses the caches: other threads see the matrices only after a store fence.
    GatherPalettes* streamPalettes;
    /// Floats of a matrix in `SkinScratch`.
    int matrixFloats;

    /// Works on baked rows, not on poses: see playback_error.h.
    void (*playbackError)(double* max, const float* rows, const float* samples, const uint8_t* nearest,
                          size_t intervals, size_t joints, const double* boxes);
    /// Works on a clip: see fit_clip.h.
    double (*fitClip)(const ClipFit& clip);
    /// Works on two lists of keys: see clip_bound.h.
    void (*boundIntervals)(const BoundWork& work);
    /// Works on the keys of a clip: see clip_poses.h.
    void (*poseClip)(const ClipPoses& poses);
};

} // namespace poselane

// Only the units of native/isa have the lanes that kernels are written over.
#ifdef POSELANE_OVER_LANES
#include "aim_ik.h"
#include "bake_palettes.h"
#include "blend.h"
#include "cast_rays.h"
#include "evaluate.h"
#include "gather.h"
#include "skin_bounds.h"
#include "skin_vertices.h"
#include "to_global.h"
#include "two_bone_ik.h"
#endif
