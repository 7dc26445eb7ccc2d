// SPDX-License-Identifier: MIT

import type { Warning } from '../gltf/scene';

/** Frames per second as the fraction `[numerator, denominator]` in lowest terms, both integers from 1 to 2^26. */
export type FrameRate = readonly [numerator: number, denominator: number];

/** The used parts of the root's motion: over the ground and about its normal, or all. */
export type RootParts = 'xz+yaw' | 'xyz+rotation';

/** `<stem>.bake.json`: describes the contents of `<stem>.bake.bin` and its source. Prose: docs/format.md. */
export interface Manifest {
    /** Identifies the format. */
    readonly format: 'poselane-bake';
    /** Version of the format. Other versions are not compatible. */
    readonly version: 1;
    /** The baked file. */
    readonly source: {
        /** File name without its folder. */
        readonly name: string;
        /** Hex, over the JSON and then every buffer in index order. */
        readonly sha256: string;
        /** Files whose clips were taken too, in order. Absent if there are none. */
        readonly animations?: readonly ManifestClipFile[];
    };
    /** Everything besides the source that determines the bytes. */
    readonly recipe: {
        /** Rate of clips without their own `rate`. With `fps: 'auto'`, the highest rate that was found. */
        readonly fps: FrameRate;
        /** A last interval shorter than a frame: `clamp` keeps it short, `fit` makes all intervals equal. */
        readonly end: 'clamp' | 'fit';
        /** `scene`: palettes place vertices in scene space. `skin-root`: relative to `skin.root` at rest. */
        readonly space: 'scene' | 'skin-root';
        /** Start of the baked part of the clips, seconds. Absent for the whole clip. */
        readonly from?: number;
        /** End of the baked part, seconds. Absent for the whole clip. */
        readonly to?: number;
        /** Absent if attachments are included. */
        readonly attachments?: 'none';
        /** Root motion. Absent if it is neither removed from the rows nor baked. */
        readonly root?: ManifestRoot;
        /** Absent if rotation keys were not normalized. */
        readonly renormalize?: true;
        /** Names of nodes in `source.animations`, and the names to use instead. Absent if there are none. */
        readonly rename?: Readonly<Record<string, string>>;
        /** Absent unless channels of `source.animations` without a matching node were left out. */
        readonly unmatched?: 'warn';
        /** Absent unless keys of `source.animations` were changed for another rest pose or skeleton. */
        readonly retarget?: 'rotation' | 'humanoid';
        /** With `humanoid`: absent if feet that stand were held. */
        readonly feet?: 'free';
        /** With `humanoid`: absent if the way over the ground was scaled by the length of the legs. */
        readonly travel?: 'keep';
        /** With `humanoid`: names of joints by role, where they were given. */
        readonly roles?: Readonly<Record<string, string>>;
        /** Maximum error of half floats, model units. Absent for float32. */
        readonly maxError?: number;
        /** Version of the evaluation's bits. It does not name an implementation. */
        readonly kernel: string;
    };
    /** The file with the arrays. */
    readonly binary: {
        /** Relative to the manifest, percent-encoded. In a GLB, the name that the bin would have. */
        readonly uri: string;
        /** Length of the whole file. */
        readonly byteLength: number;
        /** Hex, over the whole file. */
        readonly sha256: string;
    };
    /** The skin of the rows. Null if the file has no skin; then there are only attachments. */
    readonly skin: {
        /** Index of the skin in the source: the first of `indices`. */
        readonly index: number;
        /** All skins of the source with these joints and inverse bind matrices, ascending. They share the palette. */
        readonly indices: readonly number[];
        /**
         * Further skins of the source that share the palette: with the same joints, and inverse bind matrices that
         * differ by a scale and a translation, as tools write for quantized positions. Absent if there are none.
         */
        readonly rescaled?: readonly ManifestRescaled[];
        /** Node index of the joints' lowest common ancestor, which can be one of them; -1 if there is none. */
        readonly root: number;
        /** In the source's order, which JOINTS_n refers to. */
        readonly joints: readonly ManifestJoint[];
    } | null;
    /** Meshes without a skin that move, by node. Their columns of the palette come after the joints'. */
    readonly attachments: readonly ManifestAttachment[];
    /** Size of the model in the baked clips, in its units: docs/format.md. */
    readonly extent: number;
    /** In file order, which is the order of their rows. */
    readonly clips: readonly ManifestClip[];
    /** The arrays in the bin, by name. */
    readonly arrays: {
        /** `[row][column]`: for joints, skinning matrices (global x inverse bind); for attachments, global matrices. */
        readonly palette?: ManifestArray & {
            /** Only for `qts16`: the pivot of each column in the input space of palettes, x y z, float32. */
            readonly pivots?: readonly (readonly number[])[];
        };
        /** Global matrices of some joints, `[row][joint][12]`. */
        readonly hit?: ManifestArray & {
            /** Columns: indices into `skin.joints`, or without a skin into `attachments`. */
            readonly joints: readonly number[];
        };
        /** Local transforms of joints, attachments and their ancestors, `[row][slot][10]`. */
        readonly local?: ManifestArray & { readonly slots: readonly ManifestSlot[] };
        /** Morph weights of the skin's meshes and the attachments, `[row][weight]`. */
        readonly morph?: ManifestArray & { readonly meshes: readonly ManifestMorph[] };
        /** The box around the skinned vertices, `[row][6]`. */
        readonly bounds?: ManifestArray;
        /** Root motion since the clip's first frame, `[row][7]`. */
        readonly root?: ManifestArray & {
            /** Column of the joint that carries it, without a skin of the attachment; -1 for another skin's joint. */
            readonly joint: number;
        };
        /** For each column, the box of the vertices that it moves, in its own space: `[column][6]`. */
        readonly jointBounds?: ManifestArray;
    };
    /** Warnings about the source and the bake. */
    readonly warnings: readonly Warning[];
}

/** A file whose clips were taken. Their animation indices follow those of the files before it. */
export interface ManifestClipFile {
    /** File name without its folder. */
    readonly name: string;
    /** Hash in hex, as for the source. */
    readonly sha256: string;
    /** Number of its clips. */
    readonly clips: number;
}

/** How root motion was treated. */
export interface ManifestRoot {
    /** `extract`: removed from the rows and baked as `root`. `in-place`: removed. `keep`: only baked as `root`. */
    readonly mode: 'keep' | 'extract' | 'in-place';
    /** The used part: over the ground and about the y axis of the scene, or all of it. */
    readonly motion: RootParts;
    /** Node index in the source of the joint or attachment that carries it. */
    readonly node: number;
}

/** A joint of the skin. */
export interface ManifestJoint {
    /** Node index in the source. */
    readonly node: number;
    /** Can repeat or be empty. */
    readonly name: string;
    /** Index in this list of the nearest joint above; -1 if there is none. */
    readonly parent: number;
}

/**
 * A skin that shares the palette of another one. Its vertices must first become `scale * v + translation`, and the
 * displacements of its morph targets `scale * d`.
 */
export interface ManifestRescaled {
    /** Index of the skin in the source. */
    readonly skin: number;
    /** Greater than 0. Normals and tangents do not change. */
    readonly scale: number;
    /** x y z. */
    readonly translation: readonly number[];
    /** Maximum displacement, over all rows, by rounding in the inverse bind matrices of both skins; model units. */
    readonly error: number;
}

/** A mesh without a skin, at or below a node that moves. All of it moves with its node (glTF 2.0, 3.5.2). */
export interface ManifestAttachment {
    /** Node index in the source. */
    readonly node: number;
    /** Name of the node. Can repeat or be empty. */
    readonly name: string;
    /** Mesh index in the source. */
    readonly mesh: number;
    /** Column of the nearest joint or attachment at or above the node; -1 if there is none. */
    readonly parent: number;
    /** Column of the palette. The first attachment's is the number of joints. */
    readonly column: number;
}

/** A node of the `local` array. */
export interface ManifestSlot {
    /** Node index in the source. */
    readonly node: number;
    /** Can repeat or be empty. */
    readonly name: string;
    /** Index in the list, always a lower one; -1 for a root. */
    readonly parent: number;
    /** Local transform of a node with a matrix, row-major 3x4. Its rows have the identity. Absent otherwise. */
    readonly matrix?: readonly number[];
}

/** A mesh of the `morph` array. */
export interface ManifestMorph {
    /** Node index in the source: a node with a mesh of this skin, or an attachment. */
    readonly node: number;
    /** Name of the node. Can repeat or be empty. */
    readonly name: string;
    /** Its weights are `first` to `first + count - 1` of a row. */
    readonly first: number;
    /** Number of morph targets. */
    readonly count: number;
}

/** Maximum errors between frames. An interval that ends at a discontinuity only adds to `maxLate`: the row is held. */
export interface ManifestError {
    /** Longest time that a jump is shown after its key, seconds. */
    readonly maxLate: number;
    /** Error of linear interpolation, element by element; model units. */
    readonly maxLerp: number;
    /** `maxLerp` as a share of `extent`. */
    readonly maxLerpShare: number;
    /** Displacement by interpolated morph weights; model units. Absent without weights in clip or bake. */
    readonly maxMorph?: number;
    /** `maxMorph` as a share of `extent`. */
    readonly maxMorphShare?: number;
    /** Error of the nearest row; model units. */
    readonly maxNearest: number;
    /** `maxNearest` as a share of `extent`. */
    readonly maxNearestShare: number;
}

/** A clip, and its rows. */
export interface ManifestClip {
    /** May repeat or be empty. */
    readonly name: string;
    /** Animation index in the source. The clips of `source.animations` follow the source's own. */
    readonly animation: number;
    /** Row of its first frame, in every array. */
    readonly firstRow: number;
    /** Number of its rows, from `firstRow` on. */
    readonly frameCount: number;
    /** Seconds from the first frame to the last: a float32, like key times. */
    readonly duration: number;
    /** Time of the first frame in the animation, seconds. Absent for 0. */
    readonly start?: number;
    /** Frames per second; null for a clip without duration, which has one frame. */
    readonly fps: number | null;
    /** The clip's own rate. Absent if it is `recipe.fps`. Only with `fps: 'auto'`. */
    readonly rate?: FrameRate;
    /** Time of the last frame, if its interval is shorter than the others. */
    readonly lastFrameTime?: number;
    /** Whether the first and last row agree, with morph weights. Players that repeat can leave the last row out. */
    readonly loop: boolean;
    /** False if no channel moves joints or attachments: all rows are the rest pose. */
    readonly animated: boolean;
    /** Frames of the clip that must not be interpolated to from the frame before. */
    readonly discontinuities: readonly number[];
    /**
     * Minimum and maximum corner over all rows, meters: of the vertices of skin and attachments, or without vertices of
     * the joints' origins. Linearly interpolated rows stay inside. Those of `qts16` can leave it by `error.maxLerp`.
     */
    readonly bounds: readonly number[];
    /** Playback errors between its frames. */
    readonly error: ManifestError;
}

/** Place, type and meaning of an array. */
export interface ManifestArray {
    /** A multiple of 256. */
    readonly byteOffset: number;
    /** Without padding to the next array. */
    readonly byteLength: number;
    /** Little-endian IEEE floats: `f32` single, `f16` half precision. */
    readonly dtype: 'f32' | 'f16';
    /** Rows, then the shape of a row. For `jointBounds`, columns instead of rows. */
    readonly shape: readonly number[];
    /**
     * `mat4`: column-major 4x4. `mat3x4`: row-major, without the last row 0 0 0 1. `trs`: translation 3, rotation 4 (x
     * y z w), scale 3. `tr`: the first two. `weights`: morph weights. `minmax`: minimum and maximum corner. `qts16`:
     * rotation 4 (x y z w), position of the pivot 3, uniform scale 1.
     */
    readonly layout: 'mat4' | 'mat3x4' | 'qts16' | 'trs' | 'tr' | 'weights' | 'minmax';
}

/** The manifest as JSON: keys sorted by code units, two spaces, a newline. Equal manifests have equal bytes. */
export function stringifyManifest(manifest: Manifest): string {
    return `${JSON.stringify(sortKeys(manifest), null, 2)}\n`;
}

function sortKeys(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(sortKeys);
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Readonly<Record<string, unknown>>;
    const keys = Object.keys(members).filter((key) => members[key] !== undefined);
    // By code units.
    return Object.fromEntries(keys.sort().map((key) => [key, sortKeys(members[key])]));
}
