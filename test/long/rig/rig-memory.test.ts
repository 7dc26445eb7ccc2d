// SPDX-License-Identifier: MIT

/** The memory of a rig and its poses, measured in its own process: V8's heap and all buffers in use. */

import { join } from 'node:path';
import { readGltfFile } from '../../../lib/verify/gltf-file';
import { describeModel, KNIGHT } from '../../support/models';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

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

function measure(code: string, flags: string[] = [], variables: NodeJS.ProcessEnv = {}): Record<string, number> {
    const args = ['--expose-gc', ...flags, '--input-type=module', '-e', MEASURE + code];
    const env = { ...process.env, ...variables };
    const { status, stdout, stderr } = runNode(args, { cwd: ROOT, env });
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Record<string, number>;
}

describeModel(KNIGHT, () => {
    /** Bytes of the accessors that the samplers of all animations name, each counted once. */
    async function animationBytes(): Promise<number> {
        const { json, numbers } = await readGltfFile(KNIGHT.path);
        const samplers = json.animations!.flatMap((animation) => animation.samplers!);
        const accessors = new Set(samplers.flatMap(({ input, output }) => [input, output]));
        // All of them are floats.
        return [...accessors].reduce((sum, index) => sum + numbers.get(index)!.length * 4, 0);
    }

    test('a loaded rig takes at most 3.1 times the bytes of the animation accessors', async () => {
        const { rig, clips } = measure(`
            // Several, because V8's other heap varies.
            const load = () => Rig.load(${JSON.stringify(KNIGHT.path)});
            // Twice before, so that code that is compiled for large files does not count.
            await load();
            await load();
            const { made, bytes } = await bytesOf(async () => [await load(), await load(), await load(), await load()]);
            console.log(JSON.stringify({ rig: bytes / made.length, clips: made[0].clips.length }));
        `);
        expect(clips).toBe(76);
        const bytes = await animationBytes();
        expect(bytes).toBeGreaterThan(1e6);
        // Less than the keys themselves would mean that something was not counted.
        expect(rig).toBeGreaterThan(bytes * 0.5);
        // In the addon and beside it; a tenth for where searches for keys begin, which takes no more than the key times.
        expect(rig).toBeLessThanOrEqual(bytes * 3.1);
    });
});

test('poses take 22 floats for a slot and pose, whatever the clips are like', () => {
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
    expect(floats).toBeCloseTo(22, 0);
});

describe('no call allocates: not even a number, which is 16 bytes', () => {
    const CALLS = `
        const nodes = [0, 1, 2];
        const rest = nodes.flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        const turn = [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0];
        const channels = [
            { node: 0, path: 'translation', times: [0, 2], values: [0, 0, 0, 1, 2, 3] },
            { node: 1, path: 'rotation', times: [0, 1, 2], values: turn },
            { node: 1, path: 'scale', times: [0, 2], interpolation: 'CUBICSPLINE', values: turn.concat([1, 2, 3, 4, 5, 6]) },
            { node: 2, path: 'weights', times: [0, 1], interpolation: 'STEP', values: [0.25, 0.5] },
        ];
        const mesh = {
            node: 2, skin: 0, positions: [0, 0, 0, 1, 0, 0], normals: [0, 0, 1, 0, 0, 1],
            joints: [0, 1, 2, 0, 1, 0, 0, 0], weights: [0.5, 0.25, 0.25, 0, 1, 0, 0, 0],
            targets: [{ positions: [1, 1, 1, 1, 1, 1], normals: [0, 1, 0, 0, 1, 0] }],
        };
        const rig = Rig.create({
            parents: [-1, 0, 1], rest, skins: [{ joints: nodes }], clips: [{ channels }, { channels: [] }], meshes: [mesh],
        });
        const [poses, other] = [rig.createPoses(3), rig.createPoses(3)];
        const clips = Uint16Array.from({ length: 3 }, (_, i) => i & 1);
        const [single, double] = [new Float32Array(3).fill(0.4), new Float64Array(3).fill(7.7)];
        const [out, normals] = [new Float32Array(1000), new Float32Array(1000)];
        const trs = Float32Array.from(rest.slice(0, 10));
        const [slots, mask] = [Uint16Array.of(0, 2), new Float32Array(3).fill(0.5)];
        const [wrap, additive, masked] = [{ loop: 'wrap' }, { additive: true, mask }, { mask }];
        const referred = { additive: true, reference: rig.createPoses(1) };
        const loops = { loop: Uint8Array.of(1, 0, 1) };
        const extract = { slot: 1, from: rig.createPoses(1, { only: [1] }) };
        const [walk, clamped] = [{ slot: 0, loop: 'wrap' }, { slot: 1 }];
        const calls = {
            evaluate: () => rig.evaluate(poses, clips, double, wrap),
            'evaluate, a list of loops': () => rig.evaluate(poses, clips, double, loops),
            'evaluate, float32': () => rig.evaluate(poses, 0, single),
            blend: () => rig.blend(other, poses, other, 0.3),
            'blend with a mask': () => rig.blend(other, poses, other, single, masked),
            'blend, additive': () => rig.blend(other, poses, poses, 0.7, additive),
            'blend, additive to a pose': () => rig.blend(other, poses, poses, 0.7, referred),
            toGlobal: () => rig.toGlobal(poses),
            palettes: () => rig.palettes(poses, 0, out, 'mat4'),
            bakePalettes: () => rig.bakePalettes(poses, clips, double, 0, out, 'mat3x4', wrap),
            'bakePalettes without poses': () => rig.bakePalettes(null, clips, double, 0, out, 'mat3x4', wrap),
            joints: () => rig.joints(poses, slots, out),
            skinVertices: () => rig.skinVertices(poses, 0, 0, out, normals),
            bounds: () => rig.bounds(poses, 0, 0, out),
            setLocal: () => rig.setLocal(poses, 2, 1, trs),
            getLocal: () => rig.getLocal(poses, 2, 1, trs),
            extractRoot: () => rig.extractRoot(poses, out, extract),
            rootDelta: () => rig.rootDelta(out, 0, 0.1, 7.3, walk),
            'rootDelta, back': () => rig.rootDelta(out, 0, 7.3, 0.1, walk),
            'rootDelta, clamped': () => rig.rootDelta(out, 0, 0.1, 1.3, clamped),
        };
        let kept;
        calls.control = () => (kept = { kept: 1 });
        calls['control, now and then'] = () => {
            rig.evaluate(poses, clips, double, wrap);
            if (turns++ % 2 === 0) kept = { kept: 1 };
        };
        let turns = 0;
        const N = 20000;
        const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
        /**
         * Memory of the compiler counts as well, so the min of some rounds is what the calls take. On a busy machine its
         * thread runs many rounds later; until then the calls are not optimized, and numbers are objects. Only allocations
         * in every round are the calls' own.
         */
        const bytes = {};
        for (const [name, call] of Object.entries(calls)) {
            for (let i = 0; i < N; i++) call();
            bytes[name] = Infinity;
            // The controls, which never stop, take a few.
            const rounds = name.startsWith('control') ? 8 : 60;
            for (let round = 0; round < rounds && bytes[name] >= 8; round++) {
                if (round >= 4) await pause();
                globalThis.gc();
                const before = process.memoryUsage().heapUsed;
                for (let i = 0; i < N; i++) call();
                bytes[name] = Math.min(bytes[name], (process.memoryUsage().heapUsed - before) / N);
            }
        }
        console.log(JSON.stringify({ bytes, name: rig.implementation }));`;

    test.each(['', 'ts'])('POSELANE_BACKEND=%p', (backend) => {
        // A heap so large that nothing is collected between two measurements. V8 can inline calls, so that numbers between
        // them are not objects, depending on earlier calls: here it never does.
        const flags = ['--min-semi-space-size=256', '--max-semi-space-size=256', '--no-turbo-inlining'];
        const { bytes } = measure(CALLS, flags, { POSELANE_BACKEND: backend }) as unknown as {
            bytes: Record<string, number>;
        };
        expect(bytes.control).toBeGreaterThanOrEqual(12);
        // Proves that it detects allocations of every other call.
        expect(bytes['control, now and then']).toBeGreaterThanOrEqual(8);
        expect(Object.keys(bytes)).toHaveLength(22);
        for (const [name, each] of Object.entries(bytes)) {
            if (!name.startsWith('control')) expect([name, Math.max(0, Math.floor(each / 8))]).toEqual([name, 0]);
        }
    });
});
