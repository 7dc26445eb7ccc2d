// SPDX-License-Identifier: MIT

/** What every implementation of the joint-list routines does at the edges: of lerp, of ranges and counts, of buffers. */

import * as vm from 'node:vm';
import { bytesOf, expectSameBits, expectSameBytes, firstDifference } from '../support/bytes';
import { describeJointImplementations } from '../support/implementations';
import {
    bones,
    distinctIndex,
    jointMats,
    jointQuatPair,
    jointQuats,
    LERPS,
    random,
    TREE_SHAPES,
    tree,
} from '../support/joint-data';
import { untransformReference } from '../support/joint-reference';

const BLENDS = ['slerpJoints', 'lerpJoints'] as const;
const SKELETONS = ['transformSkeleton', 'untransformSkeleton'] as const;
const COUNTS = [1, 2, 3, 4, 5, 8, 9, 31, 1030];

/** ArrayBuffer's second argument, newer than the library that TypeScript is told to use. */
const Resizable = ArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => ArrayBuffer & { resize(bytes: number): void };
const Growable = SharedArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => SharedArrayBuffer & { grow(bytes: number): void };

class Floats extends Float32Array {
    get label(): string {
        return 'a subclass of Float32Array';
    }
}
class Ints extends Int32Array {}

/** Ways to hold numbers that must not matter to a routine. */
const HOLDERS: readonly [
    what: string,
    floats: (length: number) => Float32Array,
    ints: (length: number) => Int32Array,
][] = [
    [
        'a SharedArrayBuffer',
        (n) => new Float32Array(new SharedArrayBuffer(n * 4)),
        (n) => new Int32Array(new SharedArrayBuffer(n * 4)),
    ],
    [
        'a resizable buffer, from a length-tracking view',
        (n) => new Float32Array(new Resizable(n * 4, { maxByteLength: n * 8 })),
        (n) => new Int32Array(new Resizable(n * 4, { maxByteLength: n * 8 })),
    ],
    [
        'a resizable buffer that has grown under a length-tracking view',
        (n) => {
            const buffer = new Resizable(8, { maxByteLength: n * 8 });
            const view = new Float32Array(buffer);
            buffer.resize(n * 4);
            return view;
        },
        (n) => {
            const buffer = new Resizable(8, { maxByteLength: n * 8 });
            const view = new Int32Array(buffer);
            buffer.resize(n * 4);
            return view;
        },
    ],
    [
        'a resizable buffer that has shrunk to the end of a view of fixed length',
        (n) => {
            const buffer = new Resizable(n * 8, { maxByteLength: n * 8 });
            const view = new Float32Array(buffer, 0, n);
            buffer.resize(n * 4);
            return view;
        },
        (n) => {
            const buffer = new Resizable(n * 8, { maxByteLength: n * 8 });
            const view = new Int32Array(buffer, 0, n);
            buffer.resize(n * 4);
            return view;
        },
    ],
    [
        'a growable SharedArrayBuffer that has grown',
        (n) => {
            const buffer = new Growable(8, { maxByteLength: n * 8 });
            const view = new Float32Array(buffer);
            buffer.grow(n * 4);
            return view;
        },
        (n) => {
            const buffer = new Growable(8, { maxByteLength: n * 8 });
            const view = new Int32Array(buffer);
            buffer.grow(n * 4);
            return view;
        },
    ],
    [
        'an array of another realm',
        (n) => vm.runInNewContext(`new Float32Array(${n})`) as Float32Array,
        (n) => vm.runInNewContext(`new Int32Array(${n})`) as Int32Array,
    ],
    ['a subclass', (n) => new Floats(n), (n) => new Ints(n)],
    [
        'an array with a null prototype and a length of its own',
        (n) => Object.defineProperty(Object.setPrototypeOf(new Float32Array(n), null), 'length', { value: 1e6 }),
        (n) => Object.defineProperty(Object.setPrototypeOf(new Int32Array(n), null), 'length', { value: 1e6 }),
    ],
    [
        'a WebAssembly memory, 4 bytes beside any alignment',
        (n) => new Float32Array(new WebAssembly.Memory({ initial: 1 }).buffer, 4, n),
        (n) => new Int32Array(new WebAssembly.Memory({ initial: 1 }).buffer, 4, n),
    ],
];

/** %TypedArray%.prototype.set, for arrays that have lost theirs. */
function filled<T extends Float32Array | Int32Array>(view: T, values: ArrayLike<number>): T {
    Float32Array.prototype.set.call(view as Float32Array, values);
    return view;
}
/** The elements of a view that may have lost its methods. */
const elements = (view: Float32Array, length: number) => Float32Array.from({ length }, (_, i) => view[i]!);

describeJointImplementations((kernels, routines) => {
    const has = (routine: (typeof routines)[number]) => routines.includes(routine);

    for (const routine of BLENDS.filter(has)) {
        describe(routine, () => {
            it.each([-1, -0, 0, -Infinity, -(2 ** -149), 1e-46])('leaves every byte as it is for lerp %d', (lerp) => {
                for (const n of COUNTS) {
                    const { joints, blendJoints } = jointQuatPair(random(n), n);
                    joints.set([-0, Number.NaN, 2 ** -149, Infinity]);
                    const before = bytesOf(joints);
                    kernels[routine](joints, blendJoints, lerp);
                    kernels[routine](joints, blendJoints, lerp, distinctIndex(random(1), n, n));
                    expectSameBytes(bytesOf(joints), before, () => 'joints');
                }
            });

            // 1 - 1e-9 is nearest to 1 in float32.
            it.each([1, 2, 1e300, Infinity, Number.NaN, 1 - 1e-9])('copies every byte for lerp %d', (lerp) => {
                for (const n of COUNTS) {
                    const { joints, blendJoints } = jointQuatPair(random(n), n);
                    blendJoints.set([-0, Number.NaN, 2 ** -149, Infinity]);
                    const indexed = joints.slice();
                    kernels[routine](joints, blendJoints, lerp);
                    expectSameBytes(bytesOf(joints), bytesOf(blendJoints), () => 'joints');

                    const [left, ...copied] = distinctIndex(random(2), n, n);
                    const expected = indexed.slice();
                    for (const joint of copied) {
                        expected.set(blendJoints.subarray(joint * 8, joint * 8 + 8), joint * 8);
                    }
                    expect(left).toBeDefined();
                    kernels[routine](indexed, blendJoints, lerp, Int32Array.of(...copied, -1), copied.length);
                    expectSameBytes(bytesOf(indexed), bytesOf(expected), () => 'indexed');
                }
            });

            it('rounds lerp to float32 before anything else', () => {
                const { joints, blendJoints } = jointQuatPair(random(3), 9);
                const rounded = joints.slice();
                kernels[routine](joints, blendJoints, 0.1);
                kernels[routine](rounded, blendJoints, Math.fround(0.1));
                expectSameBits(joints, rounded, 8, () => `${routine}, lerp 0.1`);
            });

            it('takes joints for blendJoints too, and leaves unit quaternions where they are', () => {
                for (const n of COUNTS) {
                    for (const lerp of LERPS) {
                        const joints = jointQuats(random(n), n);
                        const before = joints.slice();
                        // Another view of the same bytes is the same list.
                        const other = new Float32Array(joints.buffer, 0, joints.length);
                        const separate = joints.slice();
                        kernels[routine](joints, lerp === 0.5 ? other : joints, lerp);
                        kernels[routine](separate, before, lerp);
                        expectSameBits(joints, separate, 8, () => `${routine} in place, N = ${n}, lerp ${lerp}`);
                        const worst = before.reduce((most, x, i) => {
                            return Math.max(most, Math.abs(joints[i]! - x) / Math.max(1, Math.abs(x)));
                        }, 0);
                        expect(worst).toBeLessThan(1e-6);
                    }
                }
            });

            it('blends as many joints as numJoints says, and no more', () => {
                const { joints: before, blendJoints } = jointQuatPair(random(4), 20);
                const all = before.slice();
                kernels[routine](all, blendJoints, 1);
                for (let n = 0; n <= 20; n++) {
                    const joints = before.slice();
                    kernels[routine](joints, blendJoints, 1, null, n);
                    expectSameBits(joints.subarray(0, n * 8), all.subarray(0, n * 8), 8, () => `first ${n}`);
                    expectSameBits(joints.subarray(n * 8), before.subarray(n * 8), 8, () => `behind ${n}`);
                }
            });

            it('needs only enough room where a count is given: other lengths, no whole joints, an index beyond', () => {
                const { joints: before, blendJoints } = jointQuatPair(random(5), 6);
                const expected = before.slice(0, 16);
                kernels[routine](expected, blendJoints.slice(0, 16), 0.5);
                const joints = before.slice();
                kernels[routine](joints, blendJoints.subarray(0, 19), 0.5, null, 2);
                expectSameBits(joints.subarray(0, 16), expected, 8, () => routine);
                const indexed = before.slice(0, 17);
                kernels[routine](indexed, blendJoints, 0.5, Int32Array.of(0, 1, 2, -7), 2);
                expectSameBits(indexed.subarray(0, 16), expected, 8, () => `${routine} with an index`);
            });

            it('lets lists overlap behind the joints in use', () => {
                const { joints, blendJoints } = jointQuatPair(random(6), 4);
                const expected = joints.slice();
                kernels[routine](expected, blendJoints, 0.5);
                const memory = new Float32Array(64 + 4);
                memory.set(joints);
                memory.set(blendJoints, 32);
                const index = new Int32Array(memory.buffer, 64 * 4, 4);
                index.set([0, 1, 2, 3]);
                // Both lists reach to the end of the buffer, but the joints in use do not.
                kernels[routine](memory, memory.subarray(32), 0.5, index);
                expectSameBits(memory.subarray(0, 32), expected, 8, () => routine);
                expectSameBits(memory.subarray(32, 64), blendJoints, 8, () => 'blendJoints');
            });

            it('takes a missing, a null and a full index for the same', () => {
                const { joints: before, blendJoints } = jointQuatPair(random(7), 13);
                const results = [undefined, null, Int32Array.from({ length: 13 }, (_, i) => i)].map((index) => {
                    const joints = before.slice();
                    kernels[routine](joints, blendJoints, 0.25, index);
                    return joints;
                });
                expectSameBits(results[0]!, results[1]!, 8, () => 'null');
                expectSameBits(results[0]!, results[2]!, 8, () => 'full');
                expect(firstDifference(results[0]!, before)).toBeGreaterThanOrEqual(0);
            });

            it('does nothing for empty lists', () => {
                const none = new Float32Array(0);
                expect(() => kernels[routine](none, none, 0.5)).not.toThrow();
                expect(() => kernels[routine](none, new Float32Array(0), 0.5, null, 0)).not.toThrow();
                expect(() => kernels[routine](none, none, 1, new Int32Array(0))).not.toThrow();
            });

            it('does nothing for an empty index', () => {
                const { joints, blendJoints } = jointQuatPair(random(8), 5);
                const before = bytesOf(joints);
                kernels[routine](joints, blendJoints, 0.5, new Int32Array(0));
                kernels[routine](joints, blendJoints, 1, new Int32Array(0), 0);
                kernels[routine](joints, new Float32Array(0), 1, Int32Array.of(4), 0);
                expectSameBytes(bytesOf(joints), before, () => 'joints');
            });
        });
    }

    if (has('slerpJointsPerJoint')) {
        describe('slerpJointsPerJoint', () => {
            const routine = 'slerpJointsPerJoint';

            it('keeps the edges of slerpJoints for each joint by itself', () => {
                const edges = [-1, -0, 0, -Infinity, -(2 ** -149), 1, 2, Infinity, Number.NaN];
                for (const n of COUNTS) {
                    const { joints, blendJoints } = jointQuatPair(random(n), n);
                    joints.set([-0, Number.NaN, 2 ** -149, Infinity]);
                    blendJoints.set([-0, Number.NaN, 2 ** -149, -Infinity]);
                    const expected = joints.slice();
                    const lerps = Float32Array.from({ length: n }, (_, i) => edges[(i * 5 + n) % edges.length]!);
                    for (let i = 0; i < n; i++) {
                        if (!(lerps[i]! <= 0)) expected.set(blendJoints.subarray(i * 8, i * 8 + 8), i * 8);
                    }
                    const indexed = joints.slice();
                    kernels[routine](joints, blendJoints, lerps);
                    expectSameBytes(bytesOf(joints), bytesOf(expected), () => `N = ${n}`);
                    kernels[routine](indexed, blendJoints, lerps, distinctIndex(random(n), n, n));
                    expectSameBytes(bytesOf(indexed), bytesOf(expected), () => `indexed, N = ${n}`);
                }
            });

            it('goes by the number of the joint, not by the place in the index', () => {
                const n = 21;
                const { joints: before, blendJoints } = jointQuatPair(random(31), n);
                const lerps = Float32Array.from({ length: n }, (_, i) => (i + 0.5) / n);
                const all = before.slice();
                kernels[routine](all, blendJoints, lerps);
                expect(firstDifference(all, before)).toBe(0);
                const [left, ...named] = distinctIndex(random(32), n, n);
                const expected = all.slice();
                expected.set(before.subarray(left! * 8, left! * 8 + 8), left! * 8);
                const indexed = before.slice();
                kernels[routine](indexed, blendJoints, lerps, Int32Array.from(named));
                expectSameBits(indexed, expected, 8, () => routine);
            });

            it('needs only enough room where a count is given, and blends no more', () => {
                const { joints: before, blendJoints } = jointQuatPair(random(33), 9);
                const lerps = new Float32Array(12).fill(0.25);
                const all = before.slice();
                kernels[routine](all, blendJoints, lerps.subarray(0, 9));
                for (let n = 0; n <= 9; n++) {
                    const joints = before.slice();
                    kernels[routine](joints, blendJoints.subarray(0, n * 8 + 3), lerps, null, n);
                    expectSameBits(joints.subarray(0, n * 8), all.subarray(0, n * 8), 8, () => `first ${n}`);
                    expectSameBits(joints.subarray(n * 8), before.subarray(n * 8), 8, () => `behind ${n}`);
                }
            });

            it('may have its times inside of blendJoints, or behind the joints in use', () => {
                const { joints: before, blendJoints } = jointQuatPair(random(34), 4);
                const expected = before.slice();
                kernels[routine](expected, blendJoints, blendJoints.slice(8, 12), null, 4);
                const inside = before.slice();
                kernels[routine](inside, blendJoints, blendJoints.subarray(8, 12));
                expectSameBits(inside, expected, 8, () => 'inside of blendJoints');
                const memory = new Float32Array(36);
                memory.set(before);
                memory.set(blendJoints.subarray(8, 12), 32);
                kernels[routine](memory, blendJoints, memory.subarray(32), null, 4);
                expectSameBits(memory.subarray(0, 32), expected, 8, () => 'behind joints');
            });

            it('does nothing for empty lists', () => {
                const none = new Float32Array(0);
                expect(() => kernels[routine](none, none, none)).not.toThrow();
                expect(() => kernels[routine](none, none, none, new Int32Array(0))).not.toThrow();
                const { joints, blendJoints } = jointQuatPair(random(35), 3);
                const before = bytesOf(joints);
                kernels[routine](joints, blendJoints, none, null, 0);
                expectSameBytes(bytesOf(joints), before, () => 'joints');
            });
        });
    }

    if (has('normalizeJoints')) {
        describe('normalizeJoints', () => {
            it('makes unit quaternions of those that the call is for, and leaves translations and all others alone', () => {
                for (const n of COUNTS) {
                    const before = jointQuats(random(n), n).map((x, i) => (i % 8 < 4 ? x * (0.5 + (i % 5)) : x));
                    const index = distinctIndex(random(n + 1), n, Math.ceil(n / 2));
                    for (const named of [null, index]) {
                        const joints = before.slice();
                        kernels.normalizeJoints(joints, named);
                        for (let i = 0; i < n; i++) {
                            const o = i * 8;
                            const isNamed = named === null || named.includes(i);
                            const behind = isNamed ? 4 : 0;
                            expectSameBits(
                                joints.subarray(o + behind, o + 8),
                                before.subarray(o + behind, o + 8),
                                8,
                                () => `joint ${i} of ${n}`,
                            );
                            if (!isNamed) continue;
                            const length = Math.hypot(...joints.subarray(o, o + 4));
                            expect(Math.abs(length - 1)).toBeLessThan(3e-7);
                        }
                    }
                }
            });

            it('leaves zero quaternions as they are, signs included', () => {
                for (const n of COUNTS) {
                    const joints = jointQuats(random(n), n);
                    for (let i = 0; i < n; i++) joints.set([0, -0, i % 2 ? -0 : 0, -0], i * 8);
                    const before = bytesOf(joints);
                    kernels.normalizeJoints(joints);
                    expectSameBytes(bytesOf(joints), before, () => `N = ${n}`);
                }
            });

            it('normalises as many joints as numJoints says, and needs only enough room', () => {
                const before = jointQuats(random(41), 9).map((x) => x * 2);
                const all = before.slice(0, 72);
                kernels.normalizeJoints(all);
                for (let n = 0; n <= 8; n++) {
                    const joints = before.slice(0, n * 8 + 5);
                    kernels.normalizeJoints(joints, undefined, n);
                    expectSameBits(joints.subarray(0, n * 8), all.subarray(0, n * 8), 8, () => `first ${n}`);
                    expectSameBits(joints.subarray(n * 8), before.subarray(n * 8, n * 8 + 5), 8, () => `behind ${n}`);
                }
            });

            it('does nothing for empty lists', () => {
                expect(() => kernels.normalizeJoints(new Float32Array(0))).not.toThrow();
                expect(() => kernels.normalizeJoints(new Float32Array(0), new Int32Array(0))).not.toThrow();
                expect(() => kernels.normalizeJoints(new Float32Array(3), null, 0)).not.toThrow();
            });
        });
    }

    for (const routine of ['convertJointQuatsToJointMats', 'convertJointMatsToJointQuats'] as const) {
        if (!has(routine)) continue;
        describe(routine, () => {
            const toMats = routine === 'convertJointQuatsToJointMats';
            const source = (n: number) => (toMats ? jointQuats : jointMats)(random(n), n);
            const target = (n: number) => (toMats ? jointMats : jointQuats)(random(n + 99), n);
            const width = toMats ? 12 : 8;

            it("takes missing options, empty ones and undefined ones for all joints and 'id'", () => {
                const expected = target(9);
                kernels[routine](expected, source(9), { numJoints: 9, convention: 'id' });
                expect(firstDifference(expected, target(9))).toBeGreaterThanOrEqual(0);
                for (const options of [undefined, {}, { numJoints: undefined, convention: undefined }]) {
                    const result = target(9);
                    kernels[routine](result, source(9), options);
                    expectSameBits(result, expected, width, () => JSON.stringify(options) ?? 'undefined');
                }
            });

            it("turns the other way in 'gltf'", () => {
                const [id, gltf] = (['id', 'gltf'] as const).map((convention) => {
                    const result = target(9);
                    kernels[routine](result, source(9), { convention });
                    return result;
                });
                expect(firstDifference(id!, gltf!)).toBeGreaterThanOrEqual(0);
                if (toMats) {
                    for (let o = 0; o < id!.length; o += 12) {
                        expect([id![o + 1], id![o + 2], id![o + 6]]).toEqual([
                            gltf![o + 4],
                            gltf![o + 8],
                            gltf![o + 9],
                        ]);
                    }
                }
            });

            it('converts as many joints as numJoints says, and no more', () => {
                const all = target(20);
                kernels[routine](all, source(20));
                for (let n = 0; n <= 20; n++) {
                    const result = target(20);
                    kernels[routine](result, source(20), { numJoints: n });
                    const end = n * width;
                    expectSameBits(result.subarray(end), target(20).subarray(end), width, () => `behind ${n}`);
                    // mats to quats may round the last few in another way: any implementation's groups of four.
                    if (toMats)
                        expectSameBits(result.subarray(0, end), all.subarray(0, end), width, () => `first ${n}`);
                    else if (n > 0) expect(firstDifference(result.subarray(0, end), target(n))).toBe(0);
                }
            });

            it('needs only enough room where a count is given', () => {
                const expected = target(2);
                kernels[routine](expected, source(2));
                const result = target(5);
                kernels[routine](result, source(2).slice(), { numJoints: 2 });
                expectSameBits(result.subarray(0, 2 * width), expected, width, () => routine);
                expectSameBits(result.subarray(2 * width), target(5).subarray(2 * width), width, () => 'behind');
            });

            it('lets lists overlap behind the joints in use', () => {
                const expected = target(2);
                kernels[routine](expected, source(2));
                const memory = new Float32Array(64);
                memory.set(source(2), 2 * width);
                kernels[routine](memory, memory.subarray(2 * width), { numJoints: 2 });
                expectSameBits(memory.subarray(0, 2 * width), expected, width, () => routine);
            });

            it('does nothing for empty lists', () => {
                const none = new Float32Array(0);
                expect(() => kernels[routine](none, none)).not.toThrow();
                expect(() => kernels[routine](none, none, { numJoints: 0, convention: 'gltf' })).not.toThrow();
                const some = source(1);
                expect(() => kernels[routine](none, some, { numJoints: 0 })).not.toThrow();
                expectSameBytes(bytesOf(some), bytesOf(source(1)), () => 'some');
            });
        });
    }

    for (const routine of SKELETONS.filter(has)) {
        describe(routine, () => {
            it('leaves roots (-1) as they are, wherever they are', () => {
                let roots = 0;
                for (const n of COUNTS) {
                    const parents = tree(random(n), n, 'several roots');
                    const mats = bones(random(n), n);
                    const before = mats.slice();
                    kernels[routine](mats, parents, 0, n - 1);
                    for (let i = 0; i < n; i++) {
                        const joint = mats.subarray(i * 12, i * 12 + 12);
                        const was = before.subarray(i * 12, i * 12 + 12);
                        if (parents[i] === -1) {
                            roots++;
                            expectSameBits(joint, was, 12, () => `root ${i} of ${n}`);
                        } else {
                            expect(firstDifference(joint, was)).toBeGreaterThanOrEqual(0);
                        }
                    }
                }
                expect(roots).toBeGreaterThan(100);
            });

            it('leaves all joints as they are where all are roots', () => {
                const mats = bones(random(1), 40);
                const before = bytesOf(mats);
                kernels[routine](mats, new Int32Array(40).fill(-1), 0);
                expectSameBytes(bytesOf(mats), before, () => 'mats');
            });

            it('goes from joint 1 to the last one unless told otherwise, and does not read the parent of joint 0', () => {
                for (const shape of TREE_SHAPES) {
                    const parents = tree(random(2), 30, shape);
                    parents[0] = 12345;
                    const [a, b, c] = [
                        () => kernels[routine](results[0]!, parents),
                        () => kernels[routine](results[1]!, parents, 1),
                        () => kernels[routine](results[2]!, parents, undefined, 29),
                    ];
                    const before = bones(random(3), 30);
                    const expected = before.slice();
                    const results = [before.slice(), before.slice(), before.slice()];
                    kernels[routine](expected, parents, 1, 29);
                    expect(firstDifference(expected, before)).toBeGreaterThanOrEqual(12);
                    for (const run of [a!, b!, c!]) run();
                    for (const result of results) expectSameBits(result, expected, 12, () => shape);
                }
            });

            it('touches the joints of its range and no others', () => {
                const parents = tree(random(4), 25, 'chain');
                const before = bones(random(5), 25);
                for (const [first, last] of [
                    [1, 1],
                    [24, 24],
                    [5, 9],
                    [1, 12],
                    [13, 24],
                ] as const) {
                    const mats = before.slice();
                    kernels[routine](mats, parents, first, last);
                    for (let i = 0; i < 25; i++) {
                        const changed = firstDifference(
                            mats.subarray(i * 12, i * 12 + 12),
                            before.subarray(i * 12, i * 12 + 12),
                        );
                        expect(changed >= 0).toBe(i >= first && i <= last);
                    }
                }
            });

            it.each([
                [5, 4],
                [1, 0],
                [0, -1],
                [1, -1],
                [2 ** 31 - 1, 7],
                [1000, 3],
            ])('does nothing from joint %d to %d, whatever parents holds', (first, last) => {
                const mats = bones(random(6), 8);
                const before = bytesOf(mats);
                kernels[routine](mats, new Int32Array(8).fill(77), first, last);
                // Nor does it need room for what it does not do.
                kernels[routine](mats.subarray(0, 5), new Int32Array(1), first, last);
                expectSameBytes(bytesOf(mats), before, () => 'mats');
            });

            it('does nothing for a root alone and for empty lists', () => {
                const root = bones(random(7), 1);
                const before = bytesOf(root);
                kernels[routine](root, Int32Array.of(-1));
                kernels[routine](root, Int32Array.of(-1), 0);
                expectSameBytes(bytesOf(root), before, () => 'root');
                const none = new Float32Array(0);
                expect(() => kernels[routine](none, new Int32Array(0))).not.toThrow();
                expect(() => kernels[routine](none, new Int32Array(0), 0)).not.toThrow();
                expect(() => kernels[routine](none, new Int32Array(0), 0, -1)).not.toThrow();
            });

            it('does nothing where joint 0 is the only one and parents is empty', () => {
                const root = bones(random(7), 1);
                const before = bytesOf(root);
                kernels[routine](root, new Int32Array(0));
                expectSameBytes(bytesOf(root), before, () => 'root');
            });

            it('needs only as much room as lastJoint says', () => {
                const parents = tree(random(8), 6, 'chain');
                const expected = bones(random(9), 6).subarray(0, 36);
                kernels[routine](expected, parents);
                const long = bones(random(9), 6);
                kernels[routine](long.subarray(0, 36 + 5), parents.subarray(0, 3), 1, 2);
                expectSameBits(long.subarray(0, 36), expected.subarray(0, 36), 12, () => routine);
            });
        });
    }

    if (has('transformSkeleton') && has('untransformSkeleton')) {
        it('untransformSkeleton undoes transformSkeleton', () => {
            for (const shape of TREE_SHAPES) {
                const parents = tree(random(10), 60, shape);
                const mats = bones(random(11), 60);
                const before = mats.slice();
                kernels.transformSkeleton(mats, parents);
                expect(firstDifference(mats, before)).toBeGreaterThanOrEqual(0);
                const right = untransformReference(mats, parents, 1, 59);
                kernels.untransformSkeleton(mats, parents);
                const far = mats.findIndex((x, i) => !(Math.abs(x - right[i]!) < 2e-5));
                expect(far).toBe(-1);
                expect(mats.findIndex((x, i) => !(Math.abs(x - before[i]!) < 1e-4))).toBe(-1);
            }
        });
    }

    if (has('transformJoints')) {
        describe('transformJoints', () => {
            it('gives the same bits in place, on either operand and on both', () => {
                for (const n of COUNTS) {
                    const joints1 = jointMats(random(n), n);
                    const joints2 = jointMats(random(n + 1), n);
                    const expected = new Float32Array(n * 12);
                    kernels.transformJoints(expected, joints1, joints2);
                    expect(firstDifference(expected, joints1)).toBeGreaterThanOrEqual(0);

                    const onFirst = joints1.slice();
                    kernels.transformJoints(onFirst, onFirst, joints2);
                    expectSameBits(onFirst, expected, 12, () => `on joints1, N = ${n}`);
                    const onSecond = joints2.slice();
                    kernels.transformJoints(onSecond, joints1, new Float32Array(onSecond.buffer));
                    expectSameBits(onSecond, expected, 12, () => `on joints2, N = ${n}`);

                    const square = new Float32Array(n * 12);
                    kernels.transformJoints(square, joints1, joints1);
                    kernels.transformJoints(joints1, joints1, joints1);
                    expectSameBits(joints1, square, 12, () => `on both, N = ${n}`);
                }
            });

            it('lets its operands overlap each other in any way', () => {
                const memory = jointMats(random(1), 10);
                const expected = new Float32Array(48);
                kernels.transformJoints(expected, memory.slice(0, 48), memory.slice(5, 53));
                const result = new Float32Array(48);
                kernels.transformJoints(result, memory.subarray(0, 48), memory.subarray(5, 53));
                expectSameBits(result, expected, 12, () => 'transformJoints');
            });

            it('multiplies as many joints as numJoints says, needs only enough room, and lets lists overlap behind', () => {
                const joints1 = jointMats(random(2), 8);
                const joints2 = jointMats(random(3), 8);
                const all = new Float32Array(96);
                kernels.transformJoints(all, joints1, joints2);
                for (let n = 0; n <= 8; n++) {
                    const result = jointMats(random(4), 9);
                    const before = result.slice();
                    kernels.transformJoints(result, joints1, joints2.subarray(0, n * 12 + 3), n);
                    expectSameBits(result.subarray(0, n * 12), all.subarray(0, n * 12), 12, () => `first ${n}`);
                    expectSameBits(result.subarray(n * 12), before.subarray(n * 12), 12, () => `behind ${n}`);
                }
                const memory = new Float32Array(96);
                memory.set(joints1.subarray(0, 24), 24);
                kernels.transformJoints(memory, memory.subarray(24), joints2, 2);
                expectSameBits(memory.subarray(0, 24), all.subarray(0, 24), 12, () => 'overlap behind');
            });

            it('does nothing for empty lists', () => {
                const none = new Float32Array(0);
                expect(() => kernels.transformJoints(none, none, none)).not.toThrow();
                expect(() => kernels.transformJoints(none, new Float32Array(0), none, 0)).not.toThrow();
                const some = jointMats(random(5), 2);
                const before = bytesOf(some);
                kernels.transformJoints(some, none, none, 0);
                expectSameBytes(bytesOf(some), before, () => 'some');
            });
        });
    }

    describe.each(HOLDERS)('gives the same bits in %s', (_, floats, ints) => {
        const n = 13;
        for (const routine of routines) {
            it(routine, () => {
                const next = random(77);
                const quats = jointQuatPair(next, n);
                const mats = bones(next, n);
                const others = jointMats(next, n);
                const index = distinctIndex(next, n, n);
                const parents = tree(next, n, 'several roots');

                type Lists = { to: Float32Array; from: Float32Array; ints: Int32Array };
                const [start, source, numbers, run] = {
                    slerpJoints: () =>
                        [
                            quats.joints,
                            quats.blendJoints,
                            index,
                            (l: Lists) => {
                                kernels.slerpJoints(l.to, l.from, 0.3, l.ints);
                                kernels.slerpJoints(l.to, l.from, 0.3);
                            },
                        ] as const,
                    lerpJoints: () =>
                        [
                            quats.joints,
                            quats.blendJoints,
                            index,
                            (l: Lists) => {
                                kernels.lerpJoints(l.to, l.from, 0.3, l.ints);
                                kernels.lerpJoints(l.to, l.from, 0.3);
                            },
                        ] as const,
                    convertJointQuatsToJointMats: () =>
                        [
                            mats,
                            quats.joints,
                            index,
                            (l: Lists) => kernels.convertJointQuatsToJointMats(l.to, l.from),
                        ] as const,
                    convertJointMatsToJointQuats: () =>
                        [
                            quats.joints,
                            mats,
                            index,
                            (l: Lists) => kernels.convertJointMatsToJointQuats(l.to, l.from),
                        ] as const,
                    transformSkeleton: () =>
                        [mats, others, parents, (l: Lists) => kernels.transformSkeleton(l.to, l.ints, 0)] as const,
                    untransformSkeleton: () =>
                        [mats, others, parents, (l: Lists) => kernels.untransformSkeleton(l.to, l.ints, 0)] as const,
                    transformJoints: () =>
                        [
                            mats,
                            others,
                            index,
                            (l: Lists) => {
                                kernels.transformJoints(l.to, l.to, l.from);
                            },
                        ] as const,
                    slerpJointsPerJoint: () =>
                        [
                            quats.joints,
                            quats.blendJoints,
                            index,
                            (l: Lists) => {
                                // Any floats are times: the other pose's own.
                                kernels.slerpJointsPerJoint(l.to, l.from, quats.blendJoints, l.ints);
                                kernels.slerpJointsPerJoint(l.to, l.from, quats.blendJoints, null, n);
                            },
                        ] as const,
                    normalizeJoints: () =>
                        [
                            quats.joints.map((x) => x * 1.5),
                            quats.blendJoints,
                            index,
                            (l: Lists) => {
                                kernels.normalizeJoints(l.to, l.ints);
                                kernels.normalizeJoints(l.to);
                            },
                        ] as const,
                }[routine]();
                const plain = { to: start.slice(), from: source.slice(), ints: numbers.slice() };
                run(plain);
                expect(firstDifference(plain.to, start)).toBeGreaterThanOrEqual(0);

                const held = {
                    to: filled(floats(start.length), start),
                    from: filled(floats(source.length), source),
                    ints: filled(ints(numbers.length), numbers),
                };
                run(held);
                expectSameBits(elements(held.to, start.length), plain.to, 1, () => 'written');
                expectSameBits(elements(held.from, source.length), source, 1, () => 'read');
            });
        }
    });
});
