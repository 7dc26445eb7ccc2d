// SPDX-License-Identifier: MIT

import type { Warning } from '../gltf/scene';
import type { FrameRate } from './fps';

/** `<stem>.bake.json`: what `<stem>.bake.bin` holds and where it comes from. The format's prose: docs/format.md. */
export interface Manifest {
    readonly format: 'poselane-bake';
    readonly version: 1;
    readonly source: {
        /** File name without its folder. */
        readonly name: string;
        /** Hex, over the JSON and then every buffer in index order. */
        readonly sha256: string;
    };
    /** What decides the bytes, besides the source. */
    readonly recipe: {
        readonly fps: FrameRate;
        /** `clamp`: a last interval that is no whole frame is shortened. */
        readonly end: 'clamp';
        /** `scene`: palettes place vertices in scene space. */
        readonly space: 'scene';
        /** Version of the evaluation's bits, never the name of an implementation. */
        readonly kernel: string;
    };
    readonly binary: {
        /** Relative to the manifest, percent-encoded. */
        readonly uri: string;
        readonly byteLength: number;
        readonly sha256: string;
    };
    readonly skin: { readonly index: number; readonly joints: readonly ManifestJoint[] };
    /** In file order, which is the order of their rows. */
    readonly clips: readonly ManifestClip[];
    readonly arrays: { readonly palette: ManifestArray };
    readonly warnings: readonly Warning[];
}

export interface ManifestJoint {
    /** Node index in the source. */
    readonly node: number;
    /** May repeat or be empty. */
    readonly name: string;
    /** The nearest joint above, as an index into this list; -1 where there is none. */
    readonly parent: number;
}

export interface ManifestClip {
    /** May repeat or be empty. */
    readonly name: string;
    /** Animation index in the source. */
    readonly animation: number;
    readonly firstRow: number;
    readonly frameCount: number;
    /** Seconds; a float32, as the key times are. */
    readonly duration: number;
    /** Frames per second; null where the clip has no duration and so only one frame. */
    readonly fps: number | null;
    /** Time of the last frame, where it is nearer to the frame before than the others are to theirs. */
    readonly lastFrameTime?: number;
    /** Whether the first and the last row agree, so that the last one can be left out when the clip repeats. */
    readonly loop: boolean;
    /** False where no channel moves the skin: all rows are the rest pose. */
    readonly animated: boolean;
    /** Frames within the clip that must not be interpolated to from the frame before. */
    readonly discontinuities: readonly number[];
    /**
     * Least and greatest corner, metres, over all rows: of the skinned vertices, or of the joints' origins where the skin
     * has no mesh. Rows interpolated linearly stay inside.
     */
    readonly bounds: readonly number[];
}

export interface ManifestArray {
    /** A multiple of 256. */
    readonly byteOffset: number;
    readonly byteLength: number;
    /** `f32`: little-endian IEEE single precision. */
    readonly dtype: 'f32';
    readonly shape: readonly number[];
    /** `mat4`: column-major 4x4, `[row][joint][16]`. */
    readonly layout: 'mat4';
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
