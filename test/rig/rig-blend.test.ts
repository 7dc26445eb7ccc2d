// SPDX-License-Identifier: MIT

import type { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import type { BlendOptions } from '../../lib/rig/rig-options';
import { slerpReference, times } from '../support/joint-reference';
import { random as randomOf, randomRotation, randomVector } from '../support/random';
import { randomScene, worstDifference } from './double-reference';
import { channel, globalsOf, localAt, node, posed, scene, skin } from './scenes';

const random = randomOf(1);
const matrix = [1, 0.25, 0, 0, 0.5, 1, 0, 0, 0, -0.5, 0, 0, 0.5, 1, -1, 1];

/** Three nodes with a rest pose other than the identity; the last has a matrix. */
function threeNodes(): Rig {
    const nodes = [-1, 0].map((parent) =>
        node(parent, {
            translation: randomVector(random, 2),
            rotation: randomRotation(random),
            scale: [0.5 + random(), -0.5 - random(), 1],
        }),
    );
    return new Rig(scene([...nodes, node(1, { matrix })], [skin([2])], []));
}

const randomLocal = () => [
    ...randomVector(random, 3),
    ...randomRotation(random),
    ...randomVector(random, 2).map((x) => x + 0.01),
];

/** Poses with random locals, and those locals. */
function randomPoses(rig: Rig, count: number): { poses: Poses; locals: number[][][] } {
    const poses = rig.createPoses(count);
    const locals = Array.from({ length: count }, (_, pose) =>
        [0, 1].map((slot) => {
            const trs = Float32Array.from(randomLocal());
            rig.setLocal(poses, pose, slot, trs);
            return [...trs];
        }),
    );
    return { poses, locals };
}

type Blend = (a: number[], b: number[], w: number, rest: number[]) => number[];

const lerp = (a: number[], b: number[], w: number) => a.map((x, i) => x + w * (b[i]! - x));

const between: Blend = (a, b, w) => [
    ...lerp(a.slice(0, 3), b.slice(0, 3), w),
    ...slerpReference(a.slice(3, 7), b.slice(3, 7), w)[0]!,
    ...lerp(a.slice(7), b.slice(7), w),
];

const added: Blend = (a, b, w, rest) => {
    const inverse = [-rest[3]!, -rest[4]!, -rest[5]!, rest[6]!];
    const turn = slerpReference([0, 0, 0, 1], times(inverse, b.slice(3, 7)), w)[0]!;
    return [
        ...[0, 1, 2].map((c) => a[c]! + w * (b[c]! - rest[c]!)),
        ...times(a.slice(3, 7), turn),
        ...[7, 8, 9].map((c) => a[c]! * (1 + w * (b[c]! / rest[c]! - 1))),
    ];
};

describe.each([
    { additive: false, oracle: between },
    { additive: true, oracle: added },
])('blend, additive $additive', ({ additive, oracle }) => {
    test('agrees with double precision: one weight for all or one for each, with and without a mask', () => {
        let worst = 0;
        for (let round = 0; round < 60; round++) {
            const rig = threeNodes();
            const count = 1 + Math.floor(random() * 40);
            const a = randomPoses(rig, count);
            const b = randomPoses(rig, count);
            const out = rig.createPoses(count);
            const weights = Float32Array.from({ length: count + 3 }, () => random() * 1.4 - 0.2);
            const mask = round % 3 === 0 ? undefined : Float32Array.of(random() * 1.5, round % 3 === 1 ? 1 : 0, 1);
            const one = Math.fround(random());
            rig.blend(out, a.poses, b.poses, round % 2 ? one : weights, { mask, additive });
            for (let pose = 0; pose < count; pose++) {
                for (const slot of [0, 1]) {
                    const factor = mask === undefined ? 1 : mask[slot]!;
                    const w = Math.min(1, Math.max(0, (round % 2 ? one : weights[pose]!) * factor));
                    const rest = [...rig.rest.locals.subarray(slot * 10, slot * 10 + 10)];
                    const expected = oracle(a.locals[pose]![slot]!, b.locals[pose]![slot]!, w, rest);
                    const actual = localAt(rig, out, pose, slot);
                    const size = Math.max(1, ...expected.map(Math.abs));
                    worst = Math.max(worst, worstDifference(actual, expected) / size);
                }
            }
        }
        expect(worst).toBeGreaterThan(0);
        expect(worst).toBeLessThan(6e-7);
    });

    test('matrix slots stay, and so do globals until toGlobal', () => {
        const rig = threeNodes();
        const a = randomPoses(rig, 3).poses;
        const b = randomPoses(rig, 3).poses;
        rig.toGlobal(a);
        const globals = () => a.data.slice(a.globalsOffset, a.weightsOffset);
        const before = globals();
        rig.blend(a, a, b, 1, { additive });
        expect(globals()).toEqual(before);
        rig.toGlobal(a);
        // The global of 2 is the global of 1 x the given matrix.
        const [parent, child] = globalsOf(rig, a, [1, 2]) as [number[], number[]];
        for (let row = 0; row < 3; row++) {
            const expected = parent[row * 4]! * matrix[4]! + parent[row * 4 + 1]! * matrix[5]!;
            expect(child[row * 4 + 1]).toBeCloseTo(expected, 5);
        }
    });
});

/** The local, with its quaternion on the side of the other one. */
function towards(local: readonly number[], other: readonly number[]): number[] {
    const dot = [3, 4, 5, 6].reduce((sum, c) => sum + local[c]! * other[c]!, 0);
    return local.map((x, c) => (c >= 3 && c < 7 && dot < 0 ? -x : x));
}

test('weight 0 gives a, weight 1 gives b on the shorter path', () => {
    const rig = threeNodes();
    const a = randomPoses(rig, 50);
    const b = randomPoses(rig, 50);
    const out = rig.createPoses(50);
    rig.blend(out, a.poses, b.poses, 0);
    for (let pose = 0; pose < 50; pose++) expect(localAt(rig, out, pose, 1)).toEqual(a.locals[pose]![1]);
    rig.blend(out, a.poses, b.poses, 1);
    for (let pose = 0; pose < 50; pose++) {
        expect(localAt(rig, out, pose, 1)).toEqual(towards(b.locals[pose]![1]!, a.locals[pose]![1]!));
    }
});

test('additive: the rest pose adds nothing; a clip on its own rest pose stays unchanged', () => {
    for (let round = 0; round < 20; round++) {
        const s = randomScene(random);
        const rig = new Rig(s);
        const moving = posed(rig, [0, 0.5, 1, 1.5]);
        const [rest, out] = [rig.createPoses(4), rig.createPoses(4)];
        // Rounding of a quotient and a product: b against rest x (b / rest).
        for (const [a, b, weight, limit] of [
            [moving, rest, 0.7, 1e-6],
            [rest, moving, 1, 3e-6],
        ] as const) {
            rig.blend(out, a, b, weight, { additive: true });
            for (const [slot, { hasMatrix }] of rig.slots.entries()) {
                if (hasMatrix) continue;
                const actual = localAt(rig, out, 1, slot);
                const expected = towards(localAt(rig, moving, 1, slot), actual);
                expect(worstDifference(actual, expected)).toBeLessThan(limit);
            }
        }
    }
});

/** The result of ozz-animation's AdditiveAnimationBuilder and BlendingJob at full weight, in double precision. */
const ozz: Blend = (a, b, _, reference) => {
    const delta = times([-reference[3]!, -reference[4]!, -reference[5]!, reference[6]!], b.slice(3, 7));
    return [
        ...[0, 1, 2].map((c) => a[c]! + (b[c]! - reference[c]!)),
        ...times(a.slice(3, 7), delta),
        ...[7, 8, 9].map((c) => a[c]! * (b[c]! / reference[c]!)),
    ];
};

describe.each(['each', 'one', 'out'])('additive with a reference: %s', (kind) => {
    test('agrees with double precision, and at full weight with ozz-animation', () => {
        let worst = 0;
        for (let round = 0; round < 40; round++) {
            const rig = threeNodes();
            const count = 1 + Math.floor(random() * 40);
            const [a, b] = [randomPoses(rig, count), randomPoses(rig, count)];
            const reference = randomPoses(rig, kind === 'one' ? 1 : count);
            const out = kind === 'out' ? reference.poses : rig.createPoses(count);
            const weights = Float32Array.from({ length: count }, (_, pose) => (pose % 3 === 0 ? 1 : random()));
            rig.blend(out, a.poses, b.poses, weights, { additive: true, reference: reference.poses });
            for (let pose = 0; pose < count; pose++) {
                for (const slot of [0, 1]) {
                    const [x, y] = [a.locals[pose]![slot]!, b.locals[pose]![slot]!];
                    const from = reference.locals[kind === 'one' ? 0 : pose]![slot]!;
                    const oracle = weights[pose] === 1 ? ozz : added;
                    const actual = localAt(rig, out, pose, slot);
                    const expected = towards(oracle(x, y, weights[pose]!, from), actual);
                    const size = Math.max(1, ...expected.map(Math.abs));
                    worst = Math.max(worst, worstDifference(actual, expected) / size);
                }
            }
        }
        expect(worst).toBeGreaterThan(0);
        expect(worst).toBeLessThan(6e-7);
    });
});

test('the rest pose as reference has the bytes of no reference; a pose that is its own reference adds nothing', () => {
    const rig = threeNodes();
    const [a, b, rest] = [randomPoses(rig, 21).poses, randomPoses(rig, 21).poses, rig.createPoses(1)];
    const outs = [undefined, rest].map((reference) => {
        const out = rig.createPoses(21);
        rig.blend(out, a, b, 0.7, { additive: true, ...(reference && { reference }) });
        return out.data;
    });
    expect(outs[1]).toEqual(outs[0]);
    const out = rig.createPoses(21);
    rig.blend(out, a, b, 1, { additive: true, reference: b });
    for (let pose = 0; pose < 21; pose++) {
        expect(worstDifference(localAt(rig, out, pose, 1), localAt(rig, a, pose, 1))).toBeLessThan(2e-6);
    }
});

test.each<[what: string, code: string, options: (rig: Rig) => BlendOptions]>([
    ['another count', 'ERR_COUNT_RANGE', (rig) => ({ additive: true, reference: rig.createPoses(2) })],
    ['other slots', 'ERR_INDEX_RANGE', (rig) => ({ additive: true, reference: rig.createPoses(3, { only: [0] }) })],
    ['no additive', 'ERR_ARGUMENT_TYPE', (rig) => ({ reference: rig.createPoses(3) })],
])('a reference with %s is rejected', (_, code, options) => {
    const rig = threeNodes();
    const out = rig.createPoses(3);
    const before = out.data.slice();
    expect(() => rig.blend(out, out, out, 1, options(rig))).toThrow(expect.objectContaining({ code }));
    expect(out.data).toEqual(before);
});

test('a shared reference inside the written poses is rejected: a later pose would read it', () => {
    const rig = threeNodes();
    const out = rig.createPoses(40, { shared: true });
    const first = rig.createPoses(40, { shared: out.data });
    first.count = 1;
    const code = 'ERR_BUFFER_OVERLAP';
    expect(() => rig.blend(out, out, out, 1, { additive: true, reference: first })).toThrow(
        expect.objectContaining({ code }),
    );
});

describe('additive onto a rest scale without a ratio', () => {
    const scaled = (rig: Rig, x: number): Poses => {
        const poses = rig.createPoses(17);
        const local = Float32Array.of(1, 2, 3, 0, 0, 0, 1, x, 2 * x, 3 * x);
        for (let pose = 0; pose < 17; pose++) for (const slot of [0, 1]) rig.setLocal(poses, pose, slot, local);
        return poses;
    };

    test.each([0, -0, 1e-40, -1e-40, 1e-45])('%s: the scale of a stays, for any b and weight', (rest) => {
        const rig = new Rig(scene([node(-1, { scale: [rest, 1, rest] }), node(0)], [skin([1])], []));
        for (const b of [0, 1, -4, 1e38]) {
            for (const weight of [0, 0.25, 0.5, 1]) {
                const out = rig.createPoses(17);
                rig.blend(out, scaled(rig, 5), scaled(rig, b), weight, { additive: true });
                for (const pose of [0, 16]) {
                    const hidden = localAt(rig, out, pose, 0);
                    expect(hidden.slice(0, 3)).toEqual([1, 2, 3].map((x) => x + weight * x));
                    const quotient = Math.fround(b / Math.fround(rest));
                    if (Number.isFinite(quotient)) continue;
                    expect([hidden[7], hidden[9]]).toEqual([5, 15]);
                    // The other component, and other slots, have a ratio.
                    if (b < 1e37) expect(hidden[8]).toBeCloseTo(10 * (1 + weight * (2 * b - 1)), 4);
                }
            }
        }
    });

    test('a reference scale of 0 gives no NaN', () => {
        const rig = new Rig(scene([node(-1), node(0)], [skin([1])], []));
        for (const zero of [0, -0]) {
            for (const b of [0, -0, 3]) {
                for (const count of [1, 17]) {
                    const [out, reference] = [rig.createPoses(17), scaled(rig, zero)];
                    reference.count = count;
                    rig.blend(out, scaled(rig, 5), scaled(rig, b), 0.5, { additive: true, reference });
                    for (const pose of [0, 16]) expect(localAt(rig, out, pose, 1).slice(7)).toEqual([5, 10, 15]);
                }
            }
        }
    });

    test('finite scales give finite scales', () => {
        for (const rest of [0, 1e-44, 1e-38, 2e-38, 1e-30, 1]) {
            const rig = new Rig(scene([node(-1, { scale: [rest, rest, rest] }), node(0)], [skin([1])], []));
            for (const a of [0, 1e-40, 1, 1e20, 1e38]) {
                for (const b of [0, 1e-40, 1, 1e20, 1e38]) {
                    const out = rig.createPoses(17);
                    rig.blend(out, scaled(rig, a), scaled(rig, b), 0.75, { additive: true });
                    expect(localAt(rig, out, 16, 0).every(Number.isFinite)).toBe(true);
                }
            }
        }
    });
});

test('only the weight blends morph weights, with any mask', () => {
    const morphing = { ...node(-1), weights: Float32Array.of(0.5, 0.25) };
    const weights = channel(0, 'weights', 'LINEAR', [0, 1], [0, 0, 1, 4]);
    const channels = [weights, channel(1, 'scale', 'STEP', [0], [1, 1, 1])];
    const rig = new Rig(scene([morphing, node(-1)], [], [{ name: '', channels }]));
    const [a, b, out] = [posed(rig, [0]), posed(rig, [1]), rig.createPoses(1)];
    const read = () => [0, 1].map((w) => out.data[out.weightsOffset + w * 16]);
    rig.blend(out, a, b, 0.25, { mask: new Float32Array(rig.slots.length) });
    expect(read()).toEqual([0.25, 1]);
    rig.blend(out, a, b, 0.5, { additive: true });
    expect(read()).toEqual([0.25, 1.875]);
});
