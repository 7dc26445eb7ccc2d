// SPDX-License-Identifier: MIT

/** `bakePalettes` gives the bytes of the three calls that it replaces, and leaves their poses. */

import { typescriptRig } from '../../../lib/rig/kernels';
import { LANES } from '../../../lib/rig/kernels/contract';
import type { RigImplementation } from '../../../lib/rig/kernels/table';
import type { Poses } from '../../../lib/rig/poses';
import { Rig } from '../../../lib/rig/rig';
import { describeRigs } from '../../rig/native-tiers';
import { channel, node, scene, skin } from '../../rig/scenes';
import { haveSameBytes } from '../../support/bytes';
import { random as randomOf, randomRotation } from '../../support/random';

const GUARD = 12345;

/** A chain of joints, two clips that turn and move them, and weights. */
function chain(joints: number, implementation: RigImplementation): Rig {
    const next = randomOf(joints);
    const numbers = (length: number) => Array.from({ length }, () => Math.fround(next() * 2 - 1));
    const nodes = Array.from({ length: joints }, (_, i) => node(i === 0 ? -1 : i - 1));
    const binds = Array.from({ length: joints }, () => {
        const m = numbers(16);
        for (const i of [3, 7, 11]) m[i] = 0;
        m[15] = 1;
        return m;
    }).flat();
    const clips = [4, 9].map((keys) => ({
        name: '',
        channels: nodes.flatMap((_, i) => {
            const times = Array.from({ length: keys }, (_, key) => key / (3 + (i % 2)));
            const turns = times.flatMap(() => randomRotation(next));
            return [
                channel(i, 'rotation', 'LINEAR', times, turns),
                channel(i, 'translation', i % 3 === 0 ? 'STEP' : 'LINEAR', times, numbers(keys * 3)),
            ];
        }),
    }));
    return new Rig(scene(nodes, [skin([...nodes.keys()], binds)], clips), undefined, implementation);
}

type Times = Float32Array | Float64Array;
type Format = 'mat4' | 'mat3x4';
interface Work {
    readonly clips: number | Uint16Array;
    readonly times: Times;
    readonly format: Format;
    readonly loop: 'clamp' | 'wrap';
}

function randomWork(seed: number, count: number, format: Format): Work {
    const next = randomOf(seed);
    const times = seed % 2 === 0 ? new Float32Array(count) : new Float64Array(count);
    for (let i = 0; i < count; i++) times[i] = next() * 6 - 2;
    const clips = seed % 3 === 0 ? 1 : Uint16Array.from({ length: count }, () => (next() < 0.7 ? 1 : 0));
    return { clips, times, format, loop: seed % 5 < 2 ? 'clamp' : 'wrap' };
}

const floatsOf = (rig: Rig, format: Format) => rig.skins[0]!.joints.length * (format === 'mat4' ? 16 : 12);

/** The three calls, for as many poses at a time as fit. */
function threeCalls(rig: Rig, poses: Poses, { clips, times, format, loop }: Work): Float32Array {
    const floats = floatsOf(rig, format);
    const out = new Float32Array(times.length * floats);
    for (let first = 0; first < times.length; first += poses.capacity) {
        poses.count = Math.min(poses.capacity, times.length - first);
        const end = first + poses.count;
        const here = typeof clips === 'number' ? clips : clips.subarray(first, end);
        rig.evaluate(poses, here, times.subarray(first, end), { loop });
        rig.toGlobal(poses);
        rig.palettes(poses, 0, out.subarray(first * floats, end * floats), format);
    }
    return out;
}

/** All bytes of the first `count` poses, block by block, without the lanes after them. */
function lanesOf(poses: Poses, count: number): Float32Array {
    const { data, blockFloats } = poses;
    const numbers = new Float32Array((blockFloats / LANES) * count);
    let at = 0;
    for (let pose = 0; pose < count; pose++) {
        const block = Math.floor(pose / LANES) * blockFloats;
        for (let i = pose % LANES; i < blockFloats; i += LANES) numbers[at++] = data[block + i]!;
    }
    return numbers;
}

const same = (a: Float32Array, b: Float32Array) => expect(haveSameBytes(a, b)).toBe(true);

/** Calls whose poses have room for fewer times than the call has. */
function testPieces(implementation: RigImplementation): void {
    const [rig, twin] = [chain(7, implementation), chain(7, typescriptRig)];

    test.each([1, 5, 16, 20, 48, 100])('%i poses at a time, for any number of times', (capacity) => {
        const [poses, others] = [rig.createPoses(capacity), twin.createPoses(capacity)];
        for (const [seed, count] of [0, 1, 5, 15, 16, 17, 32, 33, 47, 96, 100, 101, 217].entries()) {
            for (const format of ['mat4', 'mat3x4'] as const) {
                const work = randomWork(seed + capacity, count, format);
                const expected = threeCalls(twin, others, work);
                const out = new Float32Array(expected.length + 8).fill(GUARD);
                poses.count = capacity >> 1;
                rig.bakePalettes(poses, work.clips, work.times, 0, out, format, { loop: work.loop });
                same(out.subarray(0, expected.length), expected);
                expect([...out.subarray(expected.length)]).toEqual(Array(8).fill(GUARD));
                expect(poses.count).toBe(capacity >> 1);
                // The last poses of the call are still there.
                const last = count === 0 ? 0 : ((count - 1) % capacity) + 1;
                same(lanesOf(poses, last), lanesOf(others, last));
            }
        }
    });
}

describe('strict/typescript', () => testPieces(typescriptRig));

describeRigs((implementation) => {
    testPieces(implementation);

    test('poses in shared memory, and the defaults: column-major, clamped', () => {
        const [rig, twin] = [chain(7, implementation), chain(7, typescriptRig)];
        const poses = rig.createPoses(32, { shared: true });
        const work = { clips: 1, times: Float32Array.of(-1, 0.3, 7, 2.1), format: 'mat4', loop: 'clamp' } as const;
        const expected = threeCalls(twin, twin.createPoses(32), work);
        const out = new Float32Array(new SharedArrayBuffer(expected.byteLength));
        rig.bakePalettes(poses, 1, work.times, 0, out);
        same(out.slice(), expected);
    });

    // Long lists are written another way: line by line, and lines start anywhere in a list of floats.
    test.each([1, 2, 5, 16, 17, 35])('lists longer than caches, wherever they start: %i joints', (joints) => {
        const [rig, twin] = [chain(joints, implementation), chain(joints, typescriptRig)];
        const poses = rig.createPoses(16);
        for (const format of ['mat4', 'mat3x4'] as const) {
            const floats = floatsOf(rig, format);
            // More than 2 MiB, and a last block of only a few poses.
            const count = Math.ceil((2 * 2 ** 20) / 4 / floats / 16) * 16 + 3;
            const work = randomWork(joints, count, format);
            const expected = threeCalls(twin, twin.createPoses(1024), work);
            const memory = new Float32Array(expected.length + 32);
            for (let start = 0; start < 16; start++) {
                memory.fill(GUARD);
                const out = memory.subarray(start, start + expected.length);
                rig.bakePalettes(start % 2 ? poses : null, work.clips, work.times, 0, out, format, { loop: work.loop });
                same(out, expected);
                expect(memory.subarray(0, start).every((x) => x === GUARD)).toBe(true);
                expect(memory.subarray(start + expected.length).every((x) => x === GUARD)).toBe(true);
            }
            same(threeCalls(rig, rig.createPoses(count), work), expected);
        }
    });
});
