// SPDX-License-Identifier: MIT

/** Reads an OpenVAT folder as its consumers do, and compares every vertex of every frame with double precision. */

import { type Document, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import type { BakeFile } from '../../lib/bake';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { readDocument } from '../rig/double-skinning';
import { drawnNodes } from './drawn-nodes';
import { readExr, readPng16, type Texture } from './textures';

export interface Folder {
    // biome-ignore lint/suspicious/noExplicitAny: a file's JSON
    readonly info: any;
    readonly document: Document;
    readonly texture: Texture;
    readonly names: readonly string[];
}

export async function readFolder(files: readonly BakeFile[]): Promise<Folder> {
    const [glb, texture, info] = files.map(({ bytes }) => bytes);
    const names = files.map(({ name }) => name);
    const document = await new WebIO().registerExtensions(ALL_EXTENSIONS).readBinary(new Uint8Array(glb!));
    const read = names[1]!.endsWith('.png') ? readPng16 : readExr;
    return { info: JSON.parse(new TextDecoder().decode(info)), document, texture: read(texture!), names };
}

/** All vertices of the mesh in a frame: rest positions and offsets, axes of Blender undone as the reference shaders do. */
export function decode({ info, document, texture }: Folder, frame: number) {
    const { Min, Max }: { Min: number[]; Max: number[] } = info['os-remap'];
    const positions: number[][] = [];
    const normals: number[][] = [];
    for (const primitive of document.getRoot().listMeshes()[0]!.listPrimitives()) {
        const rest = primitive.getAttribute('POSITION')!;
        const places = primitive.getAttribute('TEXCOORD_1')!;
        for (let v = 0; v < rest.getCount(); v++) {
            const [u, w] = places.getElement(v, [0, 0]) as [number, number];
            const [x, y] = [u * texture.width - 0.5, w * texture.height - 0.5 + frame] as const;
            // At the center of a pixel, so that no filter mixes columns.
            expect(Math.abs(x - Math.round(x)) + Math.abs(y - Math.round(y))).toBeLessThan(2e-3);
            const channels = (line: number): number[] =>
                [0, 1, 2].map((c) => texture.at(Math.round(x), Math.round(line), c));
            const [right, front, up] = channels(y).map((share, c) => Min[c]! + share * (Max[c]! - Min[c]!));
            const from = rest.getElement(v, []);
            positions.push([from[0]! + right!, from[1]! + up!, from[2]! - front!]);
            const [nx, ny, nz] = channels(y + texture.height / 2).map((share) => 2 * share - 1);
            const length = Math.hypot(nx!, ny!, nz!);
            normals.push([nx! / length, nz! / length, -ny! / length]);
        }
    }
    return { positions, normals };
}

/**
 * Compares with the file that was baked: each clip at its frame rate.
 *
 * @returns The max distance, the min cosine of an angle between normals, and the number of frames and vertices.
 */
export async function compareFolder(path: string, folder: Folder, from = 0) {
    const evaluator = await DoubleEvaluator.load(path);
    const source = await readDocument(path);
    const materials = source.getRoot().listMaterials();
    const drawn = drawnNodes(source, evaluator);
    // The new mesh has a primitive for each material, in the order in which these first come.
    const order = new Map<number, [mesh: number, vertex: number][]>();
    for (const [index, { mesh }] of drawn.entries()) {
        let first = 0;
        for (const primitive of mesh.listPrimitives()) {
            const count = primitive.getAttribute('POSITION')!.getCount();
            const key = materials.indexOf(primitive.getMaterial()!);
            const all = order.get(key) ?? [];
            for (let v = 0; v < count; v++) all.push([index, first + v]);
            first += count;
            order.set(key, all);
        }
    }
    const places = [...order.values()].flat();
    let [worst, cosine, frames] = [0, 1, 0];
    for (const [animation, clip] of Object.values<{ startFrame: number; endFrame: number; framerate: number }>(
        folder.info.animations,
    ).entries()) {
        const last = evaluator.duration(animation);
        for (let frame = clip.startFrame; frame <= clip.endFrame; frame++, frames++) {
            const time = Math.fround(Math.min(from + (frame - clip.startFrame) / clip.framerate, last));
            const expected = drawn.map(({ at }) => at(animation, time));
            const { positions, normals } = decode(folder, frame - 1);
            expect(positions.length).toBe(places.length);
            for (const [v, [mesh, vertex]] of places.entries()) {
                const at = (list: readonly number[]) => [0, 1, 2].map((c) => list[vertex * 3 + c]!);
                const place = at(expected[mesh]!.positions);
                worst = Math.max(worst, Math.hypot(...place.map((x, c) => x - positions[v]![c]!)));
                const normal = at(expected[mesh]!.normals);
                const turned = normal.reduce((sum, x, c) => sum + x * normals[v]![c]!, 0);
                if (Number.isFinite(turned)) cosine = Math.min(cosine, turned); // not of a part without size
            }
        }
    }
    return { worst, cosine, frames, vertices: places.length };
}
