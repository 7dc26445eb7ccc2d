// SPDX-License-Identifier: MIT

/**
 * Inputs and results of the Rig's kernels. Every implementation gives the same bytes, except for NaN payloads and for
 * the lanes from `count` on in the last block. `Rig` has checked the arguments. The addon, which could crash, checks
 * again all values that address memory.
 *
 * Everything is float32 with one rounding for each operation, in the orders of docs/tables/rig-orders.md; double precision in
 * two places only, the time and the fraction between two keys.
 *
 * ## Poses: `data`
 * One Float32Array. Pose p is lane `p & 15` of block `p >> 4`. With S slots (those of `SlotTables`, not of the Rig) and
 * W morph weights a block has `(22 * S + W) * 16` floats:
 *
 *     locals   [slot][10][16]   at 0              Tx Ty Tz  Rx Ry Rz Rw  Sx Sy Sz
 *     globals  [slot][12][16]   at 160 * S        row-major 3x4, translation last in each row
 *     weights  [weight][16]     at 352 * S
 *
 * `data` is only 4-byte aligned. Its buffer can be a SharedArrayBuffer.
 *
 * ## Clips: `ClipTables`
 * Channels whose key times are equal byte for byte are one *group*. A group's keys are rows: row k holds the values of
 * all tracks of the group at key k, one track after another, tracks in order of slot, then path (T, R, S), weights
 * last. So a pose at any time reads two neighboring rows from front to back.
 *
 *     groups   [group][6]       first key in `times`, number of keys (2 or more), first float of row 0 in `values`,
 *                               floats of a row, first of its elements of `starts`, `cellShift`
 *     times    [key]            of group 0, then group 1, ...; seconds, ascending within a group, equal neighbors allowed;
 *                               behind each group's keys Infinity three times
 *     starts   [group][cell]    where searching for keys begins, see below
 *     firstTime, cellsPerSecond the float32 numbers that make cells of times
 *     values   [group][key][track]   a rotation has 4 floats, T and S have 3, weights as many as the mesh has targets;
 *                               CUBICSPLINE three times that: in-tangent, value, out-tangent
 *     tracks   [slot][path][3]  path 0 T, 1 R, 2 S; slots of the Rig: group, kind, first float within a row;
 *                               group -1: constant throughout, the value is in `base`
 *     morphTracks [morph][3]    the same for the weights of each mesh that morphs (`RigTables.morphs`)
 *     base     [slot][10]       what of the pose is constant; floats that a track moves are the rest pose's
 *     baseWeights [weight]
 *     duration                  a float32; 0 for a clip without channels
 *
 * Kinds: 0 STEP, 1 LINEAR, 2 CUBICSPLINE. Key k of a track is at
 * `values[groups[g * 6 + 2] + k * groups[g * 6 + 3] + first]`.
 *
 * ## Finding keys
 * For a time t (a double; already wrapped where asked for) and a group: k is the last key with times[k] <= t, or key 0
 * where there is none. From the last key on, and before the first, s is 0; otherwise s = fround((t - times[k]) /
 * (times[k + 1] - times[k])), the fraction in double. A track then reads rows k and k + 1, or row k twice where k is
 * the last. LINEAR always applies its formula, at s = 0 too (-0 becomes +0); CUBICSPLINE copies the value of key k at s
 * = 0.
 *
 * A time's cell is floor((time - firstTime) * cellsPerSecond), each step rounded to float32, within 0 ... 65535. It
 * never decreases as times increase, so that keys in cells before a time's are before the time. `starts` has the last
 * key, at most 65535, whose `cell >> cellShift` is less, or 0. The search for k starts there. A group has 65536 >>
 * cellShift cells, at least one for each key up to 65536, and fewer than two: as a rule there are no more than two keys
 * to look at, and `starts` takes no more memory than `times`.
 */

/** Poses in a block. */
export const LANES = 16;

/** Floats of a local transform: T 3, R 4, S 3. */
export const LOCAL_FLOATS = 10;

/** Floats of a global transform: row-major 3x4. */
export const GLOBAL_FLOATS = 12;

/** Numbers of a row of `ClipTables.groups`: first key, keys, first float, floats of a row, first start, cell shift. */
export const GROUP_NUMBERS = 6;

/** Number of Infinity values after the keys of a group. Kernels load four times at once. */
export const KEYS_PADDING = 3;

/** Maximum number of cells of a group. */
export const CELLS = 65536;

/** Maximum number of slots from the first to the last that `aimIk` turns. */
export const AIM_PATH = 64;

/** Numbers of an entry of `ClipTables.tracks`: group, kind, first float within a row. */
export const TRACK_NUMBERS = 3;

/** Entries of `ClipTables.tracks` for a slot: translation, rotation, scale. */
export const PATHS = 3;

export const STEP = 0;
export const LINEAR = 1;
export const CUBICSPLINE = 2;

/** One animation. */
export interface ClipTables {
    readonly duration: number;
    readonly groups: Uint32Array;
    readonly times: Float32Array;
    readonly starts: Uint16Array;
    readonly firstTime: number;
    readonly cellsPerSecond: number;
    readonly values: Float32Array;
    readonly tracks: Int32Array;
    readonly morphTracks: Int32Array;
    readonly base: Float32Array;
    readonly baseWeights: Float32Array;
}

export interface SkinTables {
    /** Slot of each joint, of the Rig. */
    readonly joints: Int32Array;
    /** [joint][12], row-major 3x4. */
    readonly inverseBinds: Float32Array;
}

/** A whole rig. The kernels keep these tables, and no code changes them afterwards. */
export interface RigTables {
    /** Number of slots. */
    readonly slots: number;
    /** [slot][10]; the identity for slots with a matrix. */
    readonly rest: Float32Array;
    readonly restWeights: Float32Array;
    /** [matrix][12]: the local transforms of the slots whose node has a matrix, row-major 3x4. */
    readonly matrices: Float32Array;
    /** [morph][2]: first weight, number of weights. */
    readonly morphs: Int32Array;
    readonly skins: readonly SkinTables[];
    readonly clips: readonly ClipTables[];
}

/** The slots of the Rig that some poses have: all of them, or chosen ones and their ancestors. Parents come first. */
export interface SlotTables {
    /** The slot of the Rig at each place, ascending. */
    readonly slots: Int32Array;
    /** For each slot of the Rig its place in `slots`, or -1. */
    readonly places: Int32Array;
    /** For each place that of the parent, always a lower one; -1 for a root. */
    readonly parents: Int32Array;
    /** For each place the row of `RigTables.matrices`, or -1. */
    readonly matrices: Int32Array;
}

/**
 * A node with a mesh that a skin moves: the vertices of all its primitives, one after another. The tables leave out
 * data without effect: influences of weight 0, and the vertices that a target adds zeros to.
 */
export interface MeshTables {
    /** Index into `RigTables.skins`; -1 for a mesh that only morphs, which has no vertices here. */
    readonly skin: number;
    readonly vertexCount: number;
    /** [vertex][3]. No -0. */
    readonly positions: Float32Array;
    /** [vertex][3], no -0; empty where the mesh has none. */
    readonly normals: Float32Array;
    /** The joints of the skin that move a vertex, ascending: indices into `SkinTables.joints`. */
    readonly joints: Int32Array;
    /** Sets of influences that a vertex has: one for each pair of JOINTS_n and WEIGHTS_n. */
    readonly sets: number;
    /**
     * Set `s` of vertex `v` has the influences `starts[v * sets + s]` to `starts[v * sets + s + 1] - 1`: 0 to 4 of
     * them.
     */
    readonly starts: Uint32Array;
    /** [influence] Index into `joints`. */
    readonly influenceJoints: Uint16Array;
    /** [influence] Above 0, finite. A vertex has one at least. */
    readonly influenceWeights: Float32Array;
    /** Index of its first weight among those of a pose. */
    readonly firstWeight: number;
    readonly targetCount: number;
    /**
     * Vertex `v` is moved by the entries `morphStarts[v]` to `morphStarts[v + 1] - 1`; empty where there are no
     * targets.
     */
    readonly morphStarts: Uint32Array;
    /** [entry] The target, ascending for each vertex. */
    readonly morphTargets: Uint32Array;
    /** [entry][3]. */
    readonly morphPositions: Float32Array;
    /** [entry][3]; empty where the mesh has no normals. */
    readonly morphNormals: Float32Array;
}

/** The tables of skinning. */
export interface SkinningTables extends RigTables {
    /** In the order of `rig.meshes`. */
    readonly meshes: readonly MeshTables[];
}

/** Capsules between joints, in the order of their numbers. */
export interface CapsuleTables {
    readonly count: number;
    /** [capsule][2]: slots of the Rig, of the one end and the other. */
    readonly slots: Int32Array;
    /** [capsule][7]: the ends, each in the space of its slot, and the radius. Finite. */
    readonly ends: Float32Array;
}

/** Indices into `rig.slots`, for example `rig.skins[i].joints`. */
export type SlotList = Uint16Array | Int32Array;

/**
 * Matrices of a palette. `mat4`: 16 floats, column-major 4x4. `mat3x4`: 12 floats, row-major 3x4, translation last in
 * each row.
 */
export type PaletteFormat = 'mat4' | 'mat3x4';

/**
 * The cell of `times[at]`, an integer: "Finding keys" above. Takes the list and an index, because a double argument
 * would be boxed until V8 inlines the call.
 */
export function cellOf(
    times: Float64Array | Float32Array,
    at: number,
    { firstTime, cellsPerSecond }: Pick<ClipTables, 'firstTime' | 'cellsPerSecond'>,
): number {
    const cell = Math.fround(Math.fround(Math.fround(times[at]!) - firstTime) * cellsPerSecond);
    // A NaN's is 0.
    return cell > 0 ? Math.floor(Math.min(cell, CELLS - 1)) : 0;
}

/** Floats of a block of 16 poses. */
export function blockFloats(slots: number, weights: number): number {
    return ((LOCAL_FLOATS + GLOBAL_FLOATS) * slots + weights) * LANES;
}

/** Where a pose has the locals and globals of places. */
export function poseOffsets(slots: SlotTables, weights: number) {
    const { length } = slots.slots;
    const block = blockFloats(length, weights);
    const globals = length * LOCAL_FLOATS * LANES;
    return {
        localAt: (pose: number, place: number) => (pose >> 4) * block + place * LOCAL_FLOATS * LANES + (pose & 15),
        globalAt: (pose: number, place: number) =>
            (pose >> 4) * block + globals + place * GLOBAL_FLOATS * LANES + (pose & 15),
    };
}
