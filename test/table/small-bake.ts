// SPDX-License-Identifier: MIT

/** Handmade bakes: a manifest, written from docs/format.md, and its bytes. */

import { glb as glbOf, pad } from '../gltf/support/builder';

export interface SmallClip {
    readonly name?: string;
    readonly frameCount: number;
    readonly duration: number;
    readonly fps?: number | null;
    readonly lastFrameTime?: number;
    readonly loop?: boolean;
    readonly discontinuities?: readonly number[];
    readonly bounds?: readonly number[];
}

export interface SmallArray {
    readonly layout: string;
    /** The shape without the rows. */
    readonly shape: readonly number[];
    /** Float32Array for f32, Uint16Array for f16. */
    readonly data: Float32Array | Uint16Array;
}

export interface SmallBake {
    // biome-ignore lint/suspicious/noExplicitAny: tests make it invalid in many ways
    readonly manifest: any;
    readonly bin: Uint8Array;
}

/** `fps` of the recipe is [10, 1]; that of a clip is 10 by default. */
export function smallBake(clips: readonly SmallClip[], arrays: Record<string, SmallArray>, joints = 1): SmallBake {
    let rows = 0;
    const listed = clips.map(({ name = '', fps = 10, loop = false, discontinuities = [], ...others }, animation) => {
        const clip = { name, animation, firstRow: rows, fps, loop, animated: true, discontinuities, ...others };
        rows += others.frameCount;
        return clip;
    });
    let end = 0;
    const described: Record<string, object> = {};
    for (const [name, { layout, shape, data }] of Object.entries(arrays)) {
        const byteOffset = Math.ceil(end / 256) * 256;
        const dtype = data instanceof Uint16Array ? 'f16' : 'f32';
        described[name] = { byteOffset, byteLength: data.byteLength, dtype, layout, shape: [rows, ...shape] };
        end = byteOffset + data.byteLength;
    }
    const bin = new Uint8Array(end);
    for (const [name, { data }] of Object.entries(arrays)) {
        const { byteOffset } = described[name] as { byteOffset: number };
        bin.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), byteOffset);
    }
    const manifest = {
        format: 'poselane-bake',
        version: 1,
        recipe: { fps: [10, 1], end: 'clamp', space: 'scene', kernel: 'strict@1' },
        binary: { uri: 'small.bake.bin', byteLength: end, sha256: '' },
        skin: {
            index: 0,
            joints: Array.from({ length: joints }, (_, node) => ({ node, name: `joint${node}`, parent: node - 1 })),
        },
        clips: listed,
        arrays: described,
        warnings: [],
    };
    return { manifest, bin };
}

/** One number for each row, the row's index: samples state their position between the rows. */
export function ruler(clips: readonly SmallClip[]): SmallBake {
    const rows = clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    const data = Float32Array.from({ length: rows }, (_, row) => row);
    return smallBake(clips, { morph: { layout: 'weights', shape: [1], data } });
}

/** A GLB of a text and a bin, padded to multiples of 4. */
export function glb(json: string, bin: Uint8Array): Buffer {
    const chunks = [
        [0x4e4f534a, pad(Buffer.from(json), 0x20)],
        [0x004e4942, pad(bin, 0)],
    ] as const;
    return Buffer.from(glbOf(chunks));
}

/** The single file of a bake, with replaced members of its JSON. */
export function bakeInGlb({ manifest, bin }: SmallBake, changes: object = {}): Buffer {
    const json = { asset: { version: '2.0' }, buffers: [{ byteLength: bin.length }], extras: { poselane: manifest } };
    return glb(JSON.stringify({ ...json, ...changes }), bin);
}
