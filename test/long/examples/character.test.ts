// SPDX-License-Identifier: MIT

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGltf } from '../../../lib/gltf/read';
import type { GltfScene } from '../../../lib/gltf/scene';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');
const CHARACTER = join(ROOT, 'examples/character.glb');

test('examples/character.glb is what its script writes, byte for byte', () => {
    const folder = mkdtempSync(join(tmpdir(), 'poselane-character-'));
    const output = join(folder, 'character.glb');
    const { stderr } = runNode([join(ROOT, 'examples/make-character.mjs'), output]);
    expect(stderr).toBe('');
    const same = readFileSync(output).equals(readFileSync(CHARACTER));
    rmSync(folder, { recursive: true });
    expect(same).toBe(true);
});

describe('examples/character.glb has what an example must show', () => {
    let scene: GltfScene;
    beforeAll(async () => {
        scene = await readGltf(CHARACTER);
    });

    test('no warning, three clips, at least 20 joints', () => {
        expect(scene.warnings).toEqual([]);
        expect(scene.animations.map(({ name }) => name)).toEqual(['Idle', 'Walk', 'Wave']);
        expect(scene.skins.map(({ joints }) => joints.length >= 20)).toEqual([true]);
    });

    test('CUBICSPLINE and STEP channels, and non-uniform scale', () => {
        const channels = scene.animations.flatMap((animation) => animation.channels);
        const kinds = new Set(channels.map(({ interpolation }) => interpolation));
        expect([...kinds].sort()).toEqual(['CUBICSPLINE', 'LINEAR', 'STEP']);
        const uneven = channels.some(({ path, values }) => path === 'scale' && values[0] !== values[1]);
        expect(
            uneven || channels.some(({ path, values }) => path === 'scale' && values.some((v) => v !== values[0])),
        ).toBe(true);
    });

    test('an Armature, turned and scaled by 0.01, above the joints', () => {
        const [skin] = scene.skins;
        const ancestors = new Set<string>();
        for (let node = skin!.joints[0]!; node >= 0; node = scene.nodes[node]!.parent)
            ancestors.add(scene.nodes[node]!.name);
        expect(ancestors).toContain('Armature');
        const armature = scene.nodes.find(({ name }) => name === 'Armature')!;
        expect([...armature.scale]).toEqual(Array(3).fill(Math.fround(0.01)));
        expect(Math.abs(armature.rotation[3]!)).toBeLessThan(0.99);
    });

    test('joints in no helpful order', () => {
        const { joints } = scene.skins[0]!;
        const place = new Map(joints.map((node, index) => [node, index]));
        const late = joints.filter((node, index) => (place.get(scene.nodes[node]!.parent) ?? -1) > index);
        expect(late.length).toBeGreaterThan(0);
    });

    test('smooth weights of up to four influences that add up to 1', () => {
        let four = 0;
        let vertices = 0;
        let worst = 0;
        for (const { influences, weights } of scene.skinnedMeshes.flatMap(({ primitives }) => primitives)) {
            for (let v = 0; v < weights.length; v += influences) {
                const own = weights.subarray(v, v + influences);
                const off = Math.abs(own.reduce((sum, weight) => sum + weight, 0) - 1);
                // NaN stays.
                worst = Math.max(worst, off);
                if (own.filter((weight) => weight > 0).length === 4) four++;
                vertices++;
            }
        }
        // As toBeCloseTo(1, 5).
        expect(worst).toBeLessThan(5e-6);
        expect(vertices).toBeGreaterThan(1000);
        expect(four).toBeGreaterThan(vertices / 20);
    });
});
