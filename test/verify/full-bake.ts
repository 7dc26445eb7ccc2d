// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { loadBuffers } from '../../lib/gltf/buffers';
import { openContainer } from '../../lib/gltf/container';
import { openInput } from '../../lib/gltf/files';
import { createReport } from '../../lib/gltf/reading';
import { Rig } from '../../lib/rig/rig';
import { type Verification, verifyBake } from '../../lib/verify';
import type { LooseJson } from '../gltf/support/builder';
import { frameTimes } from '../support/frame-times';

/** A bake with every array, made of the Rig's calls: for the verifier to judge, and for tests to spoil. */
export interface FullBake {
    readonly manifest: LooseJson;
    readonly bin: Buffer;
    /** Element `index` of an array, as it lies in the bin. */
    at(array: string, index: number): number;
    /** Changes an element. */
    set(array: string, index: number, value: number): void;
    /** Writes both files, lengths and hashes put right, and returns the manifest's path. */
    write(folder: string): string;
}

export interface FullOptions {
    readonly fps?: number;
    readonly layout?: 'mat4' | 'mat3x4';
    readonly dtype?: 'f32' | 'f16';
    /** Which joints `hit` has; default all. */
    readonly hit?: readonly number[];
}

/**
 * Has a manifest say that it is the bake of another file, because nothing is compared with an input that it was not made of. The
 * file's nodes, skins and clips may be anything.
 */
export async function claimSource(manifest: string, input: string): Promise<string> {
    const json = JSON.parse(readFileSync(manifest, 'utf8'));
    const { load, resolve } = openInput(input);
    const hash = createHash('sha256');
    const container = await openContainer(load, createReport(input), (bytes) => void hash.update(bytes));
    const buffers = await loadBuffers(container.json, container.bin, resolve, createReport(input));
    for (const data of buffers) if (data !== null) hash.update(data);
    json.source.sha256 = hash.digest('hex');
    writeFileSync(manifest, JSON.stringify(json));
    return manifest;
}

let written = 0;

/** One skin, the first. */
export async function fullBake(input: string, options: FullOptions = {}): Promise<FullBake> {
    const { fps = 30, layout = 'mat4', dtype = 'f32' } = options;
    const { outputs } = await bakeFile(input, { fps, skin: 0, dtype });
    const manifest = JSON.parse(outputs[0]!.json) as LooseJson;
    const rig = await Rig.load(input);
    const joints = rig.skins[0]!.joints;
    const rows = manifest.clips.reduce((sum: number, clip: LooseJson) => sum + clip.frameCount, 0);
    const clipOf = new Uint16Array(rows);
    const times = new Float32Array(rows);
    for (const { animation, firstRow, frameCount, duration } of manifest.clips) {
        clipOf.fill(animation, firstRow, firstRow + frameCount);
        times.set(frameTimes(duration, fps), firstRow);
    }
    const poses = rig.createPoses(rows);
    rig.evaluate(poses, clipOf, times);
    rig.toGlobal(poses);

    const arrays: Record<string, { data: Float32Array; dtype: string; [key: string]: unknown }> = {};
    const matrix = layout === 'mat4' ? 16 : 12;
    const width16 = joints.length * 16;
    const palettes = new Float32Array(rows * width16);
    rig.palettes(poses, 0, palettes);
    const palette = new Float32Array(rows * joints.length * matrix);
    rig.palettes(poses, 0, palette, layout);
    arrays.palette = { data: palette, dtype, layout, shape: [rows, joints.length, matrix] };

    const chosen = [...(options.hit ?? joints.keys())];
    const hit = new Float32Array(rows * chosen.length * 12);
    rig.joints(
        poses,
        Uint16Array.from(chosen, (joint) => joints[joint]!),
        hit,
    );
    arrays.hit = { data: hit, dtype: 'f32', layout: 'mat3x4', shape: [rows, chosen.length, 12], joints: chosen };

    const { slots, rest } = rig;
    const local = new Float32Array(rows * slots.length * 10);
    const floatOf = (pose: number, float: number) =>
        poses.data[(pose >> 4) * poses.blockFloats + float * 16 + (pose & 15)]!;
    for (let row = 0; row < rows; row++) {
        for (let k = 0; k < slots.length * 10; k++) local[row * slots.length * 10 + k] = floatOf(row, k);
    }
    arrays.local = {
        data: local,
        dtype: 'f32',
        layout: 'trs',
        shape: [rows, slots.length, 10],
        slots: slots.map(({ node, name, parent, hasMatrix }, slot) => ({
            node,
            name,
            parent,
            ...(hasMatrix ? { matrix: [...rest.matrices.subarray(slot * 12, slot * 12 + 12)] } : {}),
        })),
    };

    const morphing = rig.meshes.filter(({ skin, weightCount }) => skin === 0 && weightCount > 0);
    const width = morphing.reduce((sum, { weightCount }) => sum + weightCount, 0);
    if (width > 0) {
        const morph = new Float32Array(rows * width);
        let first = 0;
        const meshes = morphing.map(({ node, name, firstWeight, weightCount }) => {
            for (let row = 0; row < rows; row++) {
                for (let w = 0; w < weightCount; w++) {
                    const float = poses.weightsOffset / 16 + firstWeight + w;
                    morph[row * width + first + w] = floatOf(row, float);
                }
            }
            first += weightCount;
            return { node, name, first: first - weightCount, count: weightCount };
        });
        arrays.morph = { data: morph, dtype: 'f32', layout: 'weights', shape: [rows, width], meshes };
    }

    const bounds = new Float32Array(rows * 6);
    for (let row = 0; row < rows; row++)
        bounds.set(boxOf(rig, palettes.subarray(row * width16, (row + 1) * width16)), row * 6);
    arrays.bounds = { data: bounds, dtype: 'f32', layout: 'minmax', shape: [rows, 6] };

    const joint = manifest.skin.joints.findIndex(({ parent }: LooseJson) => parent === -1);
    const root = new Float32Array(rows * 7);
    const slot = joints[joint]!;
    const starts = rig.createPoses(rows, { only: [slot] });
    const first = new Float32Array(rows);
    for (const clip of manifest.clips)
        first.fill(times[clip.firstRow]!, clip.firstRow, clip.firstRow + clip.frameCount);
    rig.evaluate(starts, clipOf, first);
    rig.extractRoot(poses, root, { slot, from: starts, inPlace: false });
    manifest.recipe.root = { mode: 'keep', motion: 'xz+yaw', node: manifest.skin.joints[joint].node };
    arrays.root = { data: root, dtype: 'f32', layout: 'tr', shape: [rows, 7], joint };
    return assemble(manifest, arrays);
}

/** The box of the skinned vertices, morph targets left aside. */
function boxOf({ meshes }: Rig, palette: Float32Array): number[] {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (const { skin, vertexCount, positions, influences, joints, weights } of meshes) {
        if (skin !== 0) continue;
        for (let v = 0; v < vertexCount; v++) {
            const [x, y, z] = [positions[v * 3]!, positions[v * 3 + 1]!, positions[v * 3 + 2]!];
            for (let axis = 0; axis < 3; axis++) {
                let place = 0;
                for (let i = v * influences; i < (v + 1) * influences; i++) {
                    const m = joints[i]! * 16 + axis;
                    place +=
                        weights[i]! * (palette[m]! * x + palette[m + 4]! * y + palette[m + 8]! * z + palette[m + 12]!);
                }
                box[axis] = Math.min(box[axis]!, place);
                box[axis + 3] = Math.max(box[axis + 3]!, place);
            }
        }
    }
    return box;
}

function assemble(
    manifest: LooseJson,
    arrays: Record<string, { data: Float32Array; dtype: string; [key: string]: unknown }>,
): FullBake {
    const parts: Buffer[] = [];
    let length = 0;
    manifest.arrays = {};
    for (const [name, { data, ...described }] of Object.entries(arrays)) {
        const halves = () => Buffer.from(Uint16Array.from(data, halfOf).buffer);
        const bytes = described.dtype === 'f16' ? halves() : Buffer.from(data.buffer);
        const padding = (256 - (length % 256)) % 256;
        parts.push(Buffer.alloc(padding), bytes);
        manifest.arrays[name] = { ...described, byteOffset: length + padding, byteLength: bytes.length };
        length += padding + bytes.length;
    }
    return bakeOf(manifest, Buffer.concat(parts));
}

/** The same bake once more, to be spoilt by itself. */
export function copyOf({ manifest, bin }: FullBake): FullBake {
    return bakeOf(structuredClone(manifest), Buffer.from(bin));
}

function bakeOf(manifest: LooseJson, bin: Buffer): FullBake {
    return {
        manifest,
        bin,
        at: (array, index) => bin.readFloatLE(manifest.arrays[array].byteOffset + index * 4),
        set: (array, index, value) => bin.writeFloatLE(value, manifest.arrays[array].byteOffset + index * 4),
        write(folder) {
            const stem = `full${written++}`;
            const sha256 = createHash('sha256').update(bin).digest('hex');
            manifest.binary = { uri: `${stem}.bake.bin`, byteLength: bin.length, sha256 };
            writeFileSync(join(folder, `${stem}.bake.bin`), bin);
            writeFileSync(join(folder, `${stem}.bake.json`), JSON.stringify(manifest));
            return join(folder, `${stem}.bake.json`);
        },
    };
}

/** binary16, to nearest even, for numbers that are normal there or small. */
function halfOf(x: number): number {
    const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
    const size = Math.abs(x);
    if (size < 2 ** -14) return sign | roundEven(size * 2 ** 24);
    const exponent = Math.floor(Math.log2(size));
    const fraction = roundEven((size / 2 ** exponent) * 1024) - 1024;
    return sign | (((exponent + 15) << 10) + fraction);
}

function roundEven(x: number): number {
    const low = Math.floor(x);
    const part = x - low;
    return part > 0.5 || (part === 0.5 && low % 2 === 1) ? low + 1 : low;
}

export const ALL = ['palette', 'hit', 'local', 'morph', 'bounds', 'root'];

/** What is wrong with it, in a form that tests can state. */
export function complaints({ problems, clips }: Verification): string[] {
    return [
        ...problems.map(({ code, pointer }) => `${code} ${pointer}`),
        ...clips.flatMap(({ animation, arrays }) =>
            arrays
                .filter(({ ok }) => !ok)
                .map(({ array, joint, frame }) => `${array}: clip ${animation}, frame ${frame}, joint ${joint}`),
        ),
    ];
}

/** What verify says of a bake of the file, with default options but for the rate. */
export async function bakeAndVerify(input: string, folder: string, fps: number | string = 60): Promise<Verification> {
    const { outputs } = await bakeFile(input, { fps });
    const [files] = await writeBake(outputs, folder);
    return verifyBake(input, files!.json);
}
