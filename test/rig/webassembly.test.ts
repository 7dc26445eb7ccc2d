// SPDX-License-Identifier: MIT

/** WebAssembly compared with TypeScript: its own features are poses in its memories, and lists copied in tiles. */

import { implementation } from '../../lib/lists';
import { compiledRigs } from '../../lib/rig/compiled';
import { typescriptRig } from '../../lib/rig/kernels';
import type { RigImplementation } from '../../lib/rig/kernels/table';
import type { Poses } from '../../lib/rig/poses';
import { RigBase } from '../../lib/rig/rig-base';
import { checkedScene } from '../../lib/rig/source/checked-scene';
import { expectSameBits } from '../support/bytes';
import { runNode } from '../support/processes';
import { random } from '../support/random';
import { channel, node, scene, skin } from './scenes';

const wasm = compiledRigs.find(({ name }) => name === 'strict/wasm')!.implementation!;

const JOINTS = 60;

/** A chain whose joints all turn. */
function rigOf(implementation: RigImplementation): RigBase {
    const float = random(7);
    const nodes = Array.from({ length: JOINTS }, (_, i) => node(i - 1, { translation: [0, 0.1, 0.01 * i] }));
    const channels = nodes.map((_, i) => {
        const keys = Array.from({ length: 5 * 4 }, () => float() - 0.5);
        return channel(i, 'rotation', 'LINEAR', [0, 0.25, 0.5, 0.75, 1], keys);
    });
    const one = scene(nodes, [skin(nodes.map((_, i) => i))], [{ name: 'turn', channels }]);
    return new RigBase(checkedScene(one, 'test.glb'), undefined, implementation);
}

/** Poses at their own times, blended with others, and their palettes. */
function work(rig: RigBase, poses: Poses, other: Poses, first = 0): Float32Array {
    other.count = poses.count;
    const times = (step: number) => Float64Array.from({ length: poses.count }, (_, i) => (first + i) * step);
    rig.evaluate(poses, 0, times(0.013), { loop: 'wrap' });
    rig.evaluate(other, 0, times(0.029), { loop: 'wrap' });
    rig.blend(poses, poses, other, 0.3);
    rig.toGlobal(poses);
    const palettes = new Float32Array(poses.count * JOINTS * 16);
    rig.palettes(poses, 0, palettes, 'mat4');
    return palettes;
}

const twin = rigOf(typescriptRig);
const expected = (count: number, first = 0) => work(twin, twin.createPoses(count), twin.createPoses(count), first);

test('poses fill several memories, none is detached, and poses of different memories can be blended', () => {
    const rig = rigOf(wasm);
    const all = Array.from({ length: 120 }, () => rig.createPoses(20));
    const buffers = new Set(all.map(({ data }) => data.buffer));
    expect(buffers.size).toBeGreaterThan(1);
    expect(buffers.size).toBeLessThan(all.length / 10);
    const [first, last] = [all[0]!, all.at(-1)!];
    expect(first.data.buffer).not.toBe(last.data.buffer);
    const bits = expected(20);
    expectSameBits(work(rig, first, last), bits, 16, () => 'of the first memory');
    expectSameBits(work(rig, last, first), bits, 16, () => 'of the last memory');
    for (const { data, blockFloats } of all) expect(data.length).toBe(2 * blockFloats);
});

test('poses larger than the free part of a memory get their own memory', () => {
    const rig = rigOf(wasm);
    const poses = rig.createPoses(5000);
    expect(poses.data.byteLength).toBeGreaterThan(16e6);
    const palettes = work(rig, poses, rig.createPoses(5000));
    for (const first of [0, 4900]) {
        const some = palettes.subarray(first * JOINTS * 16, (first + 100) * JOINTS * 16);
        expectSameBits(some, expected(100, first), 16, () => `from pose ${first} on`);
    }
});

test('shared poses are copied in and out, and blocks outside the call stay unchanged', () => {
    const rig = rigOf(wasm);
    const shared = rig.createPoses(20, { shared: true });
    expect(shared.data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expectSameBits(work(rig, shared, rig.createPoses(20)), expected(20), 16, () => 'shared');
    const before = shared.data.slice();
    shared.count = 3;
    work(rig, shared, rig.createPoses(20));
    const second = shared.blockFloats;
    expect(second).toBe(before.length / 2);
    expectSameBits(shared.data.subarray(second), before.subarray(second), 16, () => 'the second block');
});

test('without WebAssembly the reason is reported, and TypeScript is used', () => {
    const code = `const p = require(${JSON.stringify(require.resolve('../../dist/index.js'))});
        const { available, reason } = p.implementations().find(({ name }) => name === 'strict/wasm');
        console.log(JSON.stringify([p.backend, available, reason]));`;
    const { stdout } = runNode(['--jitless', '-e', code], {
        env: { ...process.env, POSELANE_BACKEND: '', POSELANE_PREBUILD: __dirname },
    });
    const reason = 'this process has no WebAssembly (node --jitless switches it off)';
    expect(JSON.parse(stdout)).toEqual(['ts', false, reason]);
});

test('lists longer than a tile, and few of many joints, have the bits of TypeScript', () => {
    const [own, right] = ['strict/wasm', 'strict/typescript'].map((name) => implementation(name));
    const float = random(3);
    const list = (length: number) => Float32Array.from({ length }, () => float() - 0.5);
    const count = 40_000;
    const [a, b, t] = [list(count * 4), list(count * 4), list(count)];
    const [mine, theirs] = [own, right].map((one) => {
        const result = new Float32Array(count * 4);
        one!.slerpQuatsPerQuat!(result, a, b, t);
        return result;
    });
    expectSameBits(mine!, theirs!, 4, () => 'per quat');
    // The result can overlap the two quaternions, which every tile needs.
    const over = [own, right].map((one) => {
        const result = a.slice();
        one!.slerpQuatTimes!(result, result.subarray(0, 4), result.subarray(4, 8), t);
        return result;
    });
    expectSameBits(over[0]!, over[1]!, 4, () => 'over the quaternions');
    const joints = list(count * 8);
    for (const index of [Int32Array.of(39_990, 5, 39_990), Int32Array.of(3, 9, 3, 1)]) {
        const [x, y] = [own, right].map((one) => {
            const result = joints.slice();
            one!.lerpJoints!(result, joints, 0.4, index);
            return result;
        });
        expectSameBits(x!, y!, 8, () => `joints ${index}`);
    }
});
