// SPDX-License-Identifier: MIT

/** A reduced file is baked to rows that keep to its bound: each vertex, skinned by the palettes of both. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebIO } from '@gltf-transform/core';
import { bakeFile } from '../../../lib/bake';
import { reduceFile } from '../../../lib/reduce';
import { CHARACTER, describeModel, FOX, KNIGHT, ROBOT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

/** `[row][slot][16]`, column-major, of the file's first skin. */
async function palettesOf(path: string) {
    const { outputs } = await bakeFile(path, { fps: 30 });
    const { bin, manifest } = outputs[0]!;
    const { byteOffset, byteLength, shape } = manifest.arrays.palette!;
    return { numbers: new Float32Array(bin.slice(byteOffset, byteOffset + byteLength).buffer), rows: shape[0]! };
}

/** Some hundred vertices of a skin: place, slots and weights that add up to 1. */
async function verticesOf(path: string) {
    const root = (await new WebIO().readBinary(readFileSync(path))).getRoot();
    const skin = root.listSkins()[0]!;
    const primitives = root
        .listNodes()
        .flatMap((node) => (node.getSkin() === skin ? (node.getMesh()?.listPrimitives() ?? []) : []));
    return primitives.flatMap((primitive) => {
        const [place, slots, weights] = ['POSITION', 'JOINTS_0', 'WEIGHTS_0'].map(
            (name) => primitive.getAttribute(name)!,
        );
        const every = Math.ceil(place!.getCount() / 50);
        return Array.from({ length: Math.ceil(place!.getCount() / every) }, (_, i) => {
            const [p, joints, w] = [place, slots, weights].map((accessor) => accessor!.getElement(i * every, []));
            const sum = w!.reduce((total, weight) => total + weight, 0);
            return { place: [...p!, 1], joints: joints!, weights: w!.map((weight) => weight / sum) };
        });
    });
}

for (const model of [CHARACTER, FOX, ROBOT, KNIGHT]) {
    describeModel(model, () => {
        test('rows keep to the bound', async () => {
            const { bytes, maxError, extent } = await reduceFile(model.path);
            const path = join(folder(), 'reduced.glb');
            writeFileSync(path, bytes);
            const [source, reduced] = [await palettesOf(model.path), await palettesOf(path)];
            expect(reduced.rows).toBe(source.rows);
            const difference = source.numbers.map((x, i) => reduced.numbers[i]! - x);
            const row = difference.length / source.rows;
            let worst = 0;
            for (const { place, joints, weights } of await verticesOf(model.path)) {
                for (let first = 0; first < difference.length; first += row) {
                    const off = [0, 1, 2].map((axis) =>
                        weights.reduce((total, weight, k) => {
                            const m = first + joints[k]! * 16 + axis;
                            return place.reduce((sum, x, c) => sum + weight * x * difference[m + c * 4]!, total);
                        }, 0),
                    );
                    worst = Math.max(worst, Math.hypot(...off));
                }
            }
            // float32 rows of two bakes.
            expect(worst).toBeLessThanOrEqual(maxError + 2e-6 * extent);
            expect(worst).toBeGreaterThan(0.2 * maxError);
        });
    });
}
