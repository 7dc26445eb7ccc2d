// SPDX-License-Identifier: MIT

import type { Warning } from '../gltf/scene';

/** Frames per second as the fraction `[numerator, denominator]` in lowest terms, both integers from 1 to 2^26. */
export type FrameRate = readonly [numerator: number, denominator: number];

/** The parts of the root's motion that count: over the ground and about its normal, or all of them. */
export type RootParts = 'xz+yaw' | 'xyz+rotation';

/** `<stem>.bake.json`: what `<stem>.bake.bin` holds and where it comes from. The format's prose: docs/format.md. */
export interface Manifest {
    /** Always that. */
    readonly format: 'poselane-bake';
    /** Of the format: other numbers are other formats. */
    readonly version: 1;
    /** What was baked. */
    readonly source: {
        /** File name without its folder. */
        readonly name: string;
        /** Hex, over the JSON and then every buffer in index order. */
        readonly sha256: string;
        /** Files whose clips were taken as well, in order; only where there are some. */
        readonly animations?: readonly ManifestClipFile[];
    };
    /** What decides the bytes, besides the source. */
    readonly recipe: {
        /** Of clips without a `rate`; with `fps: 'auto'` the highest that was found. */
        readonly fps: FrameRate;
        /** What becomes of a last interval that is no whole frame: `clamp`: it is shortened; `fit`: all are, alike. */
        readonly end: 'clamp' | 'fit';
        /** `scene`: palettes place vertices in scene space; `skin-root`: relative to `skin.root` at rest. */
        readonly space: 'scene' | 'skin-root';
        /** The part of the clips that is baked, seconds; only where it was asked for. */
        readonly from?: number;
        /** The end of that part, seconds; only where it was asked for. */
        readonly to?: number;
        /** Only where attachments were left out. */
        readonly attachments?: 'none';
        /** Root motion; only where it was taken out of the rows, or is baked. */
        readonly root?: ManifestRoot;
        /** Only where rotation keys were brought to unit length. */
        readonly renormalize?: true;
        /** Names of nodes in `source.animations`, and the names that counted instead; only where some were given. */
        readonly rename?: Readonly<Record<string, string>>;
        /** Only where channels of `source.animations` whose node has no counterpart were left out. */
        readonly unmatched?: 'warn';
        /** Only where keys of `source.animations` were changed for another rest pose. */
        readonly retarget?: 'rotation';
        /** Only of half floats: what they may be off by, model units. */
        readonly maxError?: number;
        /** Version of the evaluation's bits, never the name of an implementation. */
        readonly kernel: string;
    };
    /** The file with the arrays. */
    readonly binary: {
        /** Relative to the manifest, percent-encoded; in a GLB, which has the bin itself, what that would be called. */
        readonly uri: string;
        /** Of the whole file. */
        readonly byteLength: number;
        /** Hex, over the whole file. */
        readonly sha256: string;
    };
    /** Whose joints the rows are about; null where the file has no skin: then there are attachments alone. */
    readonly skin: {
        /** Index of the skin in the source: the first of `indices`. */
        readonly index: number;
        /** All skins of the source with these joints and inverse bind matrices, ascending: they share the palette. */
        readonly indices: readonly number[];
        /** Node index of the joints' lowest common ancestor, which may be one of them; -1 where they have none. */
        readonly root: number;
        /** In the source's order, which JOINTS_n refers to. */
        readonly joints: readonly ManifestJoint[];
    } | null;
    /** Meshes without a skin that move, by node: columns of the palette after the joints'. */
    readonly attachments: readonly ManifestAttachment[];
    /**
     * How large the model is at rest, in its units: the greater of the diagonal of its box and the farthest origin of a
     * joint, an attachment, or a node above one.
     */
    readonly extent: number;
    /** In file order, which is the order of their rows. */
    readonly clips: readonly ManifestClip[];
    /** What the bin holds, by name. */
    readonly arrays: {
        /** `[row][column]`: of joints, matrices of skinning (global x inverse bind); of attachments, global matrices. */
        readonly palette?: ManifestArray & {
            /** Only of `qts16`: for each column its pivot in the space that palettes take vertices from, x y z, float32. */
            readonly pivots?: readonly (readonly number[])[];
        };
        /** Where some joints are, `[row][joint][12]`. */
        readonly hit?: ManifestArray & {
            /** Columns: indices into `skin.joints`; without a skin, into `attachments`. */
            readonly joints: readonly number[];
        };
        /** Local transforms of joints, attachments and the nodes above them, `[row][slot][10]`. */
        readonly local?: ManifestArray & { readonly slots: readonly ManifestSlot[] };
        /** Morph weights of the skin's meshes and the attachments, `[row][weight]`. */
        readonly morph?: ManifestArray & { readonly meshes: readonly ManifestMorph[] };
        /** The box around the skinned vertices, `[row][6]`. */
        readonly bounds?: ManifestArray;
        /** Root motion from the first frame of the clip on, `[row][7]`. */
        readonly root?: ManifestArray & {
            /** Column of the joint, without a skin attachment, that carries it; -1 where it is another skin's. */
            readonly joint: number;
        };
        /** For each column, whatever the row, the box of the vertices that it moves, in its own space: `[column][6]`. */
        readonly jointBounds?: ManifestArray;
    };
    /** What the user should know of the source and of the bake. */
    readonly warnings: readonly Warning[];
}

/** A file whose clips were taken: their animation indices follow those of the files before it. */
export interface ManifestClipFile {
    /** File name without its folder. */
    readonly name: string;
    /** Hex, as of the source. */
    readonly sha256: string;
    /** The number of its clips. */
    readonly clips: number;
}

/** What was done about root motion. */
export interface ManifestRoot {
    /** `extract`: taken out of the rows, and baked as `root`; `in-place`: taken out; `keep`: baked as `root`, and still in the rows. */
    readonly mode: 'keep' | 'extract' | 'in-place';
    /** What counts: over the ground and about the y axis of the scene, or all of it. */
    readonly motion: RootParts;
    /** Node index in the source, of the joint or attachment that carries it. */
    readonly node: number;
}

/** A joint of the skin. */
export interface ManifestJoint {
    /** Node index in the source. */
    readonly node: number;
    /** May repeat or be empty. */
    readonly name: string;
    /** The nearest joint above, as an index into this list; -1 where there is none. */
    readonly parent: number;
}

/** A mesh without a skin, on or below a node that moves: all of it moves with its node (glTF 2.0, 3.5.2). */
export interface ManifestAttachment {
    /** Node index in the source. */
    readonly node: number;
    /** Of the node; may repeat or be empty. */
    readonly name: string;
    /** Mesh index in the source. */
    readonly mesh: number;
    /** Column of the nearest joint or attachment at or above the node; -1 where there is none. */
    readonly parent: number;
    /** Column of the palette: the number of joints for the first attachment, and so on. */
    readonly column: number;
}

/** A node of the `local` array. */
export interface ManifestSlot {
    /** Node index in the source. */
    readonly node: number;
    /** May repeat or be empty. */
    readonly name: string;
    /** Index into the list, always a lower one; -1 for a root. */
    readonly parent: number;
    /** Only where the node has a matrix, which is its local transform then: row-major 3x4. The rows have the identity. */
    readonly matrix?: readonly number[];
}

/** A mesh of the `morph` array. */
export interface ManifestMorph {
    /** Node index in the source, of a node with a mesh of this skin, or of an attachment. */
    readonly node: number;
    /** Of the node; may repeat or be empty. */
    readonly name: string;
    /** Its weights are `first` to `first + count - 1` of a row. */
    readonly first: number;
    /** Morph targets. */
    readonly count: number;
}

/**
 * How far playback of the rows is off between frames, at worst: model units, and shares of `extent`. What leads into a
 * discontinuity, where the row before is held, counts as lateness alone.
 */
export interface ManifestError {
    /** Seconds: the longest time by which a jump is shown later than its key. */
    readonly maxLate: number;
    /** Rows interpolated linearly, element by element; model units. */
    readonly maxLerp: number;
    /** `maxLerp` as a share of `extent`. */
    readonly maxLerpShare: number;
    /**
     * Morph weights interpolated linearly, as what they displace; model units. Only where the clip has weights of the meshes, and the
     * bake has an output with weights.
     */
    readonly maxMorph?: number;
    /** `maxMorph` as a share of `extent`. */
    readonly maxMorphShare?: number;
    /** The nearest row; model units. */
    readonly maxNearest: number;
    /** `maxNearest` as a share of `extent`. */
    readonly maxNearestShare: number;
}

/** A clip, and its rows. */
export interface ManifestClip {
    /** May repeat or be empty. */
    readonly name: string;
    /** Animation index in the source; behind its own the clips of `source.animations` are counted on. */
    readonly animation: number;
    /** Its first frame, as a row of every array. */
    readonly firstRow: number;
    /** Its rows: `firstRow` and those after it. */
    readonly frameCount: number;
    /** Seconds from the first frame to the last one; a float32, as the key times are. */
    readonly duration: number;
    /** Where in the animation the first frame is, seconds; only where that is not 0. */
    readonly start?: number;
    /** Frames per second; null where the clip has no duration and so only one frame. */
    readonly fps: number | null;
    /** The rate that its frames follow, in place of `recipe.fps`; only where it is another one, because of `fps: 'auto'`. */
    readonly rate?: FrameRate;
    /** Time of the last frame, where it is nearer to the frame before than the others are to theirs. */
    readonly lastFrameTime?: number;
    /** Whether the first and the last row and their morph weights agree: the last one can be left out when the clip repeats. */
    readonly loop: boolean;
    /** False where no channel moves joints or attachments: all rows are the rest pose. */
    readonly animated: boolean;
    /** Frames within the clip that must not be interpolated to from the frame before. */
    readonly discontinuities: readonly number[];
    /**
     * Minimum and maximum corner, metres, over all rows: of the vertices of skin and attachments, or of the joints' origins
     * where there are none. Rows interpolated linearly stay inside; those of `qts16` may leave it by `error.maxLerp`.
     */
    readonly bounds: readonly number[];
    /** How far playback between its frames is off. */
    readonly error: ManifestError;
}

/** Where an array is, and what its numbers are. */
export interface ManifestArray {
    /** A multiple of 256. */
    readonly byteOffset: number;
    /** Without what is left to the next array. */
    readonly byteLength: number;
    /** Little-endian IEEE floats: `f32` single, `f16` half precision. */
    readonly dtype: 'f32' | 'f16';
    /** Rows, and what is in a row; of `jointBounds` columns. */
    readonly shape: readonly number[];
    /**
     * `mat4`: column-major 4x4; `mat3x4`: row-major, without the last row, which is 0 0 0 1; `trs`: translation 3,
     * rotation 4 (x y z w), scale 3; `tr`: the first two; `weights`: morph weights; `minmax`: minimum and maximum corner; `qts16`:
     * rotation 4 (x y z w), place of the pivot 3, uniform scale 1.
     */
    readonly layout: 'mat4' | 'mat3x4' | 'qts16' | 'trs' | 'tr' | 'weights' | 'minmax';
}

/**
 * The manifest as JSON text: keys sorted by code units, two spaces, a newline at the end. Numbers are the shortest that
 * read back the same, so equal manifests are equal bytes on every machine.
 */
export function stringifyManifest(manifest: Manifest): string {
    return `${JSON.stringify(sortKeys(manifest), null, 2)}\n`;
}

function sortKeys(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(sortKeys);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}
