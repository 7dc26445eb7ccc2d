// SPDX-License-Identifier: MIT

/** What a rig and its poses take, measured in a process of its own: all of V8's heap and all buffers that are in use. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { decodeAccessor } from '../../lib/verify/accessors';
import { readGltfFile } from '../../lib/verify/gltf-file';
import { describeModel, KNIGHT } from '../support/models';

const ROOT = join(__dirname, '../..');

/** Bytes that are in use after `make` and were not before. The first rig of a process also loads code. */
const MEASURE = `
import { Rig } from 'poselane';
const used = async () => {
    for (let i = 0; i < 3; i++) {
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
};
async function bytesOf(make) {
    const before = await used();
    const made = await make();
    return { made, bytes: (await used()) - before };
}
await Rig.load('examples/character.glb');
await bytesOf(() => Rig.load('examples/character.glb'));
`;

function measure(code: string): Record<string, number> {
    const args = ['--expose-gc', '--input-type=module', '-e', MEASURE + code];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Record<string, number>;
}

describeModel(KNIGHT, () => {
    /** Bytes of the accessors that the samplers of all animations name, each counted once. */
    function animationBytes(): number {
        const file = readGltfFile(KNIGHT.path);
        const samplers = file.json.animations!.flatMap((animation) => animation.samplers);
        const accessors = new Set(samplers.flatMap(({ input, output }) => [input, output]));
        // All of them are floats.
        return [...accessors].reduce((sum, index) => sum + decodeAccessor(file, index).length * 4, 0);
    }

    test('a loaded rig takes at most three times the bytes of the animation accessors', () => {
        const { rig, clips } = measure(`
            const { made, bytes } = await bytesOf(() => Rig.load(${JSON.stringify(KNIGHT.path)}));
            console.log(JSON.stringify({ rig: bytes, clips: made.clips.length }));
        `);
        expect(clips).toBe(76);
        const bytes = animationBytes();
        expect(bytes).toBeGreaterThan(1e6);
        // Less than the keys themselves would mean that something was not counted.
        expect(rig).toBeGreaterThan(bytes * 0.5);
        expect(rig).toBeLessThanOrEqual(bytes * 3);
    });
});

test('poses take at most 24 floats for a slot and pose, whatever the clips are like', () => {
    // As many groups of keys as there can be: every channel has times of its own.
    const { slots, count, poses } = measure(`
        const nodes = 40;
        const channels = [];
        for (let node = 0; node < nodes; node++) {
            for (const [path, width] of [['translation', 3], ['rotation', 4], ['scale', 3]]) {
                const values = Array.from({ length: 2 * width }, (_, i) => (i % width) + (i < width ? 0 : 1));
                channels.push({ node, path, times: [0, 1 + channels.length / 100], values });
            }
        }
        const rest = Array.from({ length: nodes }, () => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]).flat();
        const parents = Array.from({ length: nodes }, (_, i) => i - 1);
        const rig = Rig.create({ parents, rest, clips: [{ channels }] });
        const count = 16000;
        const { made, bytes } = await bytesOf(() => rig.createPoses(count));
        rig.evaluate(made, 0, new Float32Array(count));
        console.log(JSON.stringify({ slots: rig.slots.length, count: made.count, poses: bytes }));
    `);
    const floats = poses! / 4 / (slots! * count!);
    expect(floats).toBeGreaterThanOrEqual(22);
    expect(floats).toBeLessThanOrEqual(24);
});
