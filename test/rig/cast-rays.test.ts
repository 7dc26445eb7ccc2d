// SPDX-License-Identifier: MIT

/** Rays against capsules: hits by geometry in double precision, equal bits in all implementations, rejected arguments. */

import { typescriptRig } from '../../lib/rig/kernels';
import { Rig } from '../../lib/rig/rig';
import { sourceOfParts } from '../../lib/rig/source/from-parts';
import { random, randomRotation, randomVector } from '../support/random';
import { rounds } from '../support/rounds';
import { randomFloat } from './native-tables';
import { describeRigs } from './native-tiers';
import { posed, refusal, rested } from './scenes';

type Next = () => number;
type Vector = readonly number[];

const SLOTS = 6;
const PARTS = {
    parents: Array.from({ length: SLOTS }, (_, i) => i - 1),
    rest: rested(SLOTS),
    clips: [{ channels: [] }],
};
const rigOf = (implementation = typescriptRig) =>
    new Rig(sourceOfParts(PARTS), new Uint8Array(SLOTS).fill(1), implementation);

const minus = (a: Vector, b: Vector) => a.map((x, i) => x - b[i]!);
const along = (a: Vector, d: Vector, t: number) => a.map((x, i) => x + t * d[i]!);
const dot = (a: Vector, b: Vector) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const length = (a: Vector) => Math.sqrt(dot(a, a));

/** The first `t` up to `limit` at which a convex function is at most `level`; Infinity if there is none. */
function firstBelow(of: (t: number) => number, level: number, limit: number): number {
    if (of(0) <= level) return 0;
    let [low, high] = [0, limit];
    for (let i = 0; i < 200; i++) {
        const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
        if (of(a) < of(b)) high = b;
        else low = a;
    }
    const nearest = [low, high, limit].reduce((a, b) => (of(a) < of(b) ? a : b));
    if (of(nearest) > level) return Infinity;
    [low, high] = [0, nearest];
    for (let i = 0; i < 100; i++) {
        const middle = (low + high) / 2;
        if (of(middle) > level) low = middle;
        else high = middle;
    }
    return high;
}

/** Distance of a point from the line segment between two ends. */
function distanceFrom(point: Vector, [a, b]: readonly [Vector, Vector]): number {
    const axis = minus(b, a);
    const t = Math.min(1, Math.max(0, dot(minus(point, a), axis) / (dot(axis, axis) || 1)));
    return length(minus(point, along(a, axis, t)));
}

/** One capsule with random ends, and rays from every side: through it, past it, from inside, along it. */
function randomShot(next: Next, far: number) {
    const size = 10 ** (next() * 3 - 2);
    const middle = randomVector(next, 2);
    const axis = randomVector(next, size);
    const ends = [along(middle, axis, -0.5), along(middle, axis, 0.5)] as const;
    const radius = Math.fround(size * (0.05 + next()));
    const target = along(along(ends[0], axis, next() * 1.4 - 0.2), randomVector(next, radius), next() * 1.6);
    const origin = along(target, next() < 0.2 ? axis : randomVector(next, 1), (next() - 0.5) * far * next());
    const direction = along(minus(target, origin), randomVector(next, 1e-6), next());
    return { ends: ends.map((end) => end.map(Math.fround)), radius, origin, direction };
}

test.each([1, 10, 100, 1000])('the hit is that of double precision, within rounding, up to %d units away', (far) => {
    const next = random(far);
    const rig = rigOf();
    const poses = posed(rig, [0]);
    const [distance, hit] = [new Float32Array(1), new Int32Array(1)];
    let [hits, worst] = [0, 0];
    const shots = rounds(300);
    for (let i = 0; i < shots; i++) {
        const { ends, radius, origin, direction } = randomShot(next, far);
        const capsules = rig.createCapsules([{ slot: 2, from: ends[0]!, to: ends[1]!, radius }]);
        const maxDistance = Math.fround(length(direction) * (0.5 + next()));
        const ray = Float32Array.of(...origin, ...direction, maxDistance);
        rig.castRays(poses, capsules, ray, distance, hit);
        const [o, d] = [[...ray.subarray(0, 3)], [...ray.subarray(3, 6)]];
        const unit = d.map((x) => x / (length(d) || 1));
        const off = (t: number) => distanceFrom(along(o, unit, t), [ends[0]!, ends[1]!]);
        const scale = length(minus(o, ends[0]!)) + length(minus(ends[1]!, ends[0]!)) + radius;
        // The rounding error as a change of the radius, as a share of `scale`.
        const error = (by: number) => (worst = Math.max(worst, by / scale));
        if (hit[0] === 0) {
            hits++;
            const at = distance[0]!;
            expect(at).toBeLessThanOrEqual(maxDistance);
            error(off(at) - radius);
            if (at > 0) {
                // The smallest radius with an earlier hit.
                const before = Array.from({ length: 200 }, (_, k) => off((at * k) / 200));
                error(radius - Math.min(off(at), ...before));
            }
        } else {
            expect([hit[0], distance[0]]).toEqual([-1, Infinity]);
            const first = firstBelow(off, radius, maxDistance);
            if (first !== Infinity) {
                // The ray, or its end, only grazes the capsule.
                const nearest = Array.from({ length: 2001 }, (_, k) => off((maxDistance * k) / 2000));
                error(radius - Math.min(off(first), ...nearest));
            }
        }
    }
    expect(hits).toBeGreaterThan(0.35 * shots);
    expect(hits).toBeLessThan(0.95 * shots);
    expect(worst).toBeLessThan(2 ** -22);
});

describe('rules', () => {
    const rig = rigOf();
    const poses = posed(rig, [0]);
    const [distance, hit] = [new Float32Array(1), new Int32Array(1)];
    const UP = { slot: 0, from: [0, -1, 0], to: [0, 1, 0], radius: 0.5 };

    /** The first hit of a ray, and its distance. */
    function cast(parts: Parameters<Rig['createCapsules']>[0], ...ray: number[]): [number, number] {
        rig.castRays(poses, rig.createCapsules(parts), Float32Array.from(ray), distance, hit);
        return [hit[0]!, distance[0]!];
    }

    test.each<[string, number[], [number, number]]>([
        ['the side', [3, 0, 0, -1, 0, 0, 10], [0, 2.5]],
        ['a direction of another length', [3, 0, 0, -8, 0, 0, 10], [0, 2.5]],
        ['an end, along the axis', [0, 5, 0, 0, -1, 0, 10], [0, 3.5]],
        ['the other end', [0, -5, 0, 0, 1, 0, 10], [0, 3.5]],
        ['along the axis, from inside', [0, 0, 0, 0, 1, 0, 10], [0, 0]],
        ['along the axis, beside it, from inside', [0.25, 0.5, 0, 0, 1, 0, 10], [0, 0]],
        ['along the axis, out of reach', [0.75, 5, 0, 0, -1, 0, 10], [-1, Infinity]],
        ['from inside an end', [0, 1.25, 0, 0, 1, 0, 10], [0, 0]],
        ['away from it', [3, 0, 0, 1, 0, 0, 10], [-1, Infinity]],
        ['away, along the axis', [0, 5, 0, 0, 1, 0, 10], [-1, Infinity]],
        ['just far enough', [3, 0, 0, -1, 0, 0, 2.5], [0, 2.5]],
        ['not far enough', [3, 0, 0, -1, 0, 0, 2.4999998], [-1, Infinity]],
        ['a maximum of 0, from inside', [0, 0, 0, 1, 0, 0, 0], [0, 0]],
        ['a negative maximum', [0, 0, 0, 1, 0, 0, -1], [-1, Infinity]],
        ['no direction, inside', [0.25, 0.5, 0.25, 0, 0, 0, 0], [0, 0]],
        ['no direction, outside', [0.75, 0.5, 0, 0, 0, 0, 10], [-1, Infinity]],
        ['no direction, inside an end', [0, 1.4, 0, 0, 0, 0, 0], [0, 0]],
        ['a direction of the smallest length', [3, 0, 0, -1e-45, 0, 0, 10], [0, 2.5]],
        ['a direction of nearly the largest length', [3, 0, 0, -3e38, 0, 0, 10], [0, 2.5]],
    ])('%s', (_, ray, expected) => {
        expect(cast([UP], ...ray)).toEqual(expected);
    });

    test('a capsule with equal ends is a sphere', () => {
        const sphere = { slot: 0, from: [0, 1, 0], radius: 0.5 };
        expect(cast([sphere], 3, 1, 0, -1, 0, 0, 10)).toEqual([0, 2.5]);
        // In the plane of both ends, where a cylinder of length 0 would be.
        expect(cast([sphere], 3, 1, 0.75, -1, 0, 0, 10)).toEqual([-1, Infinity]);
        expect(cast([{ ...sphere, to: [0, 1, 0] }], 0, 5, 0, 0, -1, 0, 10)).toEqual([0, 3.5]);
    });

    test('the nearest capsule is hit, and the first of equally near ones', () => {
        const near = { ...UP, from: [1, -1, 0], to: [1, 1, 0] };
        expect(cast([UP, near, near], 3, 0, 0, -1, 0, 0, 10)).toEqual([1, 1.5]);
        const many = Array.from({ length: 40 }, (_, i) => (i === 20 || i === 33 ? near : UP));
        expect(cast(many, 3, 0, 0, -1, 0, 0, 10)).toEqual([20, 1.5]);
    });

    test('placements move and turn the character, not the ray', () => {
        const half = Math.SQRT1_2;
        // The body is along -x, ten up.
        const placements = Float32Array.of(0, 10, 0, 0, 0, half, half);
        const list = rig.createCapsules([UP]);
        rig.castRays(poses, list, Float32Array.of(-5, 10, 0, 1, 0, 0, 100), distance, hit, { placements });
        expect(hit[0]).toBe(0);
        expect(distance[0]).toBeCloseTo(3.5, 5);
        rig.castRays(poses, list, Float32Array.of(0, 20, 0, 0, -1, 0, 100), distance, hit, { placements });
        expect(distance[0]).toBeCloseTo(9.5, 5);
    });

    test('ends move with their slots: scale moves them, and does not change the radius', () => {
        const own = rig.createPoses(1);
        rig.setLocal(own, 0, 0, Float32Array.of(0, 0, 0, 0, 0, 0, 1, 2, 2, 2));
        rig.setLocal(own, 0, 1, Float32Array.of(0, 3, 0, 0, 0, 0, 1, 1, 1, 1));
        rig.toGlobal(own);
        const bone = rig.createCapsules([{ slot: 0, toSlot: 1, radius: 0.5 }]);
        expect([...bone.slots]).toEqual([0, 1]);
        rig.castRays(own, bone, Float32Array.of(0, 10, 0, 0, -1, 0, 100), distance, hit);
        expect(distance[0]).toBe(3.5);
    });

    test('a NaN is not hit; other values are', () => {
        const own = posed(rig, [0, 0]);
        // An element of the global of the last slot, in pose 0.
        own.data[own.globalsOffset + (SLOTS - 1) * 12 * 16] = Number.NaN;
        const list = rig.createCapsules([{ ...UP, from: [0, 0, 0], to: [1, 0, 0], toSlot: SLOTS - 1 }, UP]);
        const both = [new Float32Array(2), new Int32Array(2)] as const;
        rig.castRays(own, list, Float32Array.of(0, 0, 5, 0, 0, -1, 10), ...both);
        expect([...both[1]]).toEqual([1, 0]);
    });

    test('results are [ray][pose], and nothing else is written', () => {
        const own = rig.createPoses(3);
        for (const pose of [0, 1, 2]) rig.setLocal(own, pose, 0, Float32Array.of(pose * 10, 0, 0, 0, 0, 0, 1, 1, 1, 1));
        rig.toGlobal(own);
        own.count = 2;
        const out = [new Float32Array(5).fill(7), new Int32Array(5).fill(7)] as const;
        const rays = Float32Array.of(0, 0, 5, 0, 0, -1, 10, 10, 0, 4, 0, 0, -1, 10);
        rig.castRays(own, rig.createCapsules([UP]), rays, ...out);
        expect([...out[0]]).toEqual([4.5, Infinity, Infinity, 3.5, 7]);
        expect([...out[1]]).toEqual([0, -1, -1, 0, 7]);
        rig.castRays(own, rig.createCapsules([UP]), new Float32Array(0), ...out);
        expect([...out[1]]).toEqual([0, -1, -1, 0, 7]);
    });
});

describe('the bits of strict/typescript', () => {
    const whole = (next: Next, limit: number) => Math.floor(next() * limit);

    describeRigs((implementation) => {
        const [twin, rig] = [rigOf(), rigOf(implementation)];

        test.each(['usual', 'extreme'] as const)('%s numbers', (values) => {
            const next = random(values.length);
            let hits = 0;
            for (let round = 0; round < 60; round++) {
                const number = () => randomFloat(next, values);
                const point = () => [number(), number(), number()];
                const count = 1 + whole(next, 40);
                const parts = Array.from({ length: 1 + whole(next, 40) }, () => ({
                    slot: whole(next, SLOTS),
                    toSlot: next() < 0.5 ? whole(next, SLOTS) : undefined,
                    from: point(),
                    to: next() < 0.8 ? point() : undefined,
                    radius: next() * 2 + 1e-3,
                }));
                const numRays = round % 20 === 0 ? 300 : whole(next, 6);
                const rays = Array.from({ length: numRays }, () => [
                    ...point().map((x) => x * 4),
                    ...point().map((x) => (next() < 0.1 ? 0 : x)),
                    next() * 30,
                ]);
                const placements =
                    next() < 0.5
                        ? undefined
                        : Float32Array.from(
                              Array.from({ length: count }, () => [...point(), ...randomRotation(next)]).flat(),
                          );
                const locals = Array.from({ length: count * SLOTS }, () =>
                    Float32Array.of(...point(), ...randomRotation(next), 1, 1 + next(), 1),
                );
                const [expected, got] = [twin, rig].map((one) => {
                    const poses = one.createPoses(count + whole(random(round), 20));
                    poses.count = count;
                    for (const [i, trs] of locals.entries()) one.setLocal(poses, i % count, Math.floor(i / count), trs);
                    one.toGlobal(poses);
                    if (values === 'extreme') poses.data[poses.globalsOffset + (round % 16)] = Number.NaN;
                    const out = [
                        new Float32Array(numRays * count + 9).fill(7),
                        new Int32Array(numRays * count + 9).fill(7),
                    ] as const;
                    const list = Float32Array.from(rays.flat());
                    one.castRays(poses, one.createCapsules(parts), list, ...out, { placements });
                    return out;
                });
                expect(new Int32Array(got![0].buffer)).toEqual(new Int32Array(expected![0].buffer));
                expect(got![1]).toEqual(expected![1]);
                hits += got![1].reduce((sum, capsule) => sum + (capsule >= 0 ? 1 : 0), -9);
            }
            expect(hits).toBeGreaterThan(1000);
        });
    });
});

describe('rejected', () => {
    const rig = rigOf();
    const capsule = { slot: 1, radius: 1 };

    test.each<[unknown, string, RegExp]>([
        [{}, 'ERR_ARGUMENT_TYPE', /^createCapsules: parts must be an array, got an object$/],
        [[], 'ERR_COUNT_RANGE', /^createCapsules: parts is empty, needs one capsule at least$/],
        [[capsule, null], 'ERR_ARGUMENT_TYPE', /: parts\[1\] must be an object, got null$/],
        [[{ ...capsule, slot: 6 }], 'ERR_INDEX_RANGE', /: parts\[0\]\.slot is 6, needs a slot, 0 to 5$/],
        [[{ ...capsule, toSlot: -1 }], 'ERR_INDEX_RANGE', /: parts\[0\]\.toSlot is -1, needs a slot/],
        [[{ ...capsule, radius: 0 }], 'ERR_COUNT_RANGE', /: parts\[0\]\.radius is 0, needs a number above 0$/],
        [[{ ...capsule, radius: 1e-50 }], 'ERR_COUNT_RANGE', /: parts\[0\]\.radius is 1e-50, needs a number above 0$/],
        [[{ slot: 1 }], 'ERR_ARGUMENT_TYPE', /: parts\[0\]\.radius must be a number, got undefined$/],
        [
            [{ ...capsule, from: [0, 1e39, 0] }],
            'ERR_NOT_FINITE',
            /: parts\[0\]\.from\[1\] is 1e\+39, needs a number that/,
        ],
        [
            [{ ...capsule, to: [0, 0] }],
            'ERR_ARGUMENT_TYPE',
            /: parts\[0\]\.to must be an array of 3 numbers, got an Array$/,
        ],
    ])('createCapsules(%j)', (parts, code, message) => {
        const call = () => rig.createCapsules(parts as never);
        expect(call).toThrow(refusal(code, message, code === 'ERR_ARGUMENT_TYPE' ? 'TypeError' : 'RangeError'));
    });

    // Single wrong arguments: rig-errors.test.ts.
    test('capsules of another rig, and poses that lack a slot of the capsules', () => {
        const cast = (poses: ReturnType<Rig['createPoses']>, of: Rig) => () =>
            rig.castRays(
                poses,
                of.createCapsules([capsule]),
                new Float32Array(7),
                new Float32Array(1),
                new Int32Array(1),
            );
        expect(cast(posed(rig, [0]), rigOf())).toThrow(
            refusal('ERR_FOREIGN_POSES', /capsules must be those of this rig/, 'TypeError'),
        );
        expect(cast(rig.createPoses(1, { only: [0] }), rig)).toThrow(
            refusal('ERR_INDEX_RANGE', /capsules needs slot 1/),
        );
    });
});
