// SPDX-License-Identifier: MIT

/** Vertex weights that are NaN or infinite count as 0 in all outputs; palettes do not depend on them. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, writeBake } from '../../lib/bake';
import { reduceFile } from '../../lib/reduce';
import { verifyBake, verifyReduced } from '../../lib/verify';
import { type GltfBuilder, skinnedModel } from '../gltf/support/builder';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();
const EMIT = ['palette', 'bounds', 'jointBounds', 'pvat'] as const;

/** A skinned model with these weights, and normals that are not finite. */
function modelFile(name: string, weights: readonly number[], change: (model: GltfBuilder) => void = () => {}): string {
    const model = skinnedModel();
    const [{ attributes }] = model.json.meshes[0].primitives;
    attributes.WEIGHTS_0 = model.accessor(Float32Array.from(weights), 'VEC4');
    change(model);
    model.json.scenes = [{ nodes: [0] }];
    const path = join(folder(), `${name}.glb`);
    writeFileSync(path, model.toGlb());
    return path;
}

const sound = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0];

test.each([NaN, Infinity, -Infinity])('%s: all outputs equal those of weight 0, and verify agrees', async (bad) => {
    const odd = sound.map((weight, i) => (i < 8 && weight === 0 ? bad : weight));
    const [a, b] = await Promise.all(
        ['sound', 'odd'].map((name) => bakeFile(modelFile(name, name === 'odd' ? odd : sound), { fps: 4, emit: EMIT })),
    );
    expect(Buffer.from(b!.outputs[0]!.bin).equals(a!.outputs[0]!.bin)).toBe(true);
    const { clips, extent } = a!.outputs[0]!.manifest;
    expect(b!.outputs[0]!.manifest).toMatchObject({ clips, extent });
    expect(a!.warnings.some(({ code }) => code === 'WEIGHTS_NOT_FINITE')).toBe(false);
    expect(b!.warnings.filter(({ code }) => code === 'WEIGHTS_NOT_FINITE')).toEqual([
        {
            code: 'WEIGHTS_NOT_FINITE',
            pointer: '/meshes/0/primitives/0',
            message: expect.stringMatching(/^2 of 3 vertices /),
        },
    ]);
    await writeBake(b!, folder());
    const verdict = await verifyBake(join(folder(), 'odd.glb'), join(folder(), 'odd.bake.json'));
    expect(verdict.problems).toEqual([]);
});

test('with strict the warning is an error', async () => {
    const path = modelFile('strict', [...sound.slice(0, 11), NaN]);
    await expect(bakeFile(path, { strict: true })).rejects.toMatchObject({ code: 'WEIGHTS_NOT_FINITE' });
});

test('normals that are not finite do not affect bakes and reductions', async () => {
    const path = modelFile('normals', [...sound.slice(0, 11), NaN], (model) => {
        const NORMAL = model.accessor(new Float32Array(9).fill(NaN), 'VEC3');
        Object.assign(model.json.meshes[0].primitives[0].attributes, { NORMAL });
    });
    expect((await bakeFile(path, { fps: 4 })).warnings.map(({ code }) => code)).toContain('WEIGHTS_NOT_FINITE');
    const { bytes, warnings } = await reduceFile(path);
    expect(warnings.map(({ code }) => code)).toContain('WEIGHTS_NOT_FINITE');
    const reduced = join(folder(), 'reduced.glb');
    writeFileSync(reduced, bytes);
    const verdict = await verifyReduced(path, reduced);
    expect(verdict.problems).toEqual([]);
});
