// SPDX-License-Identifier: MIT

/** `rig.aimIk`: aiming slots by angles in double precision, how they turn, and poses that stay unchanged. */

import { typescriptRig } from '../../lib/rig/kernels';
import type { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import type { AimIkOptions } from '../../lib/rig/rig-options';
import { sourceOfParts } from '../../lib/rig/source/from-parts';
import {
    across,
    angleBetween,
    cross,
    distance,
    dot,
    length,
    minus,
    plus,
    swung,
    unit,
    type Vector,
} from '../oracle/inverse-kinematics';
import { random as randomOf, randomRotation, randomVector } from '../support/random';
import { rounds } from '../support/rounds';
import { describeRigs } from './native-tiers';
import { globalsOf, localAt } from './scenes';

type Next = () => number;

/** A body: root, chest 1, upper chest 2, neck 3, head 4, hair 5. */
const [SLOTS, CHEST, NECK, HEAD] = [6, 1, 3, 4] as const;

const rigOf = (implementation = typescriptRig) => {
    const parents = Array.from({ length: SLOTS }, (_, i) => i - 1);
    const rest = parents.flatMap(() => [0, 1, 0, 0, 0, 0, 1, 1, 1, 1]);
    return new Rig(sourceOfParts({ parents, rest, clips: [] }), new Uint8Array(SLOTS).fill(1), implementation);
};

function randomPoses(rig: Rig, next: Next, count: number, root: Vector = [1, 1, 1]): Poses {
    const poses = rig.createPoses(count);
    for (let pose = 0; pose < count; pose++) {
        for (let slot = 0; slot < SLOTS; slot++) {
            const scale = slot === 0 ? root : [1, 1, 1];
            const local = [...randomVector(next, 0.2), ...randomRotation(next), ...scale];
            rig.setLocal(poses, pose, slot, Float32Array.from(local));
        }
    }
    rig.toGlobal(poses);
    return poses;
}

/** A direction and a point of a slot, in model space. */
const direction = (m: ArrayLike<number>, v: Vector) =>
    [0, 4, 8].map((row) => m[row]! * v[0]! + m[row + 1]! * v[1]! + m[row + 2]! * v[2]!);
const point = (m: ArrayLike<number>, v: Vector) => plus(direction(m, v), [m[3]!, m[7]!, m[11]!]);

const float = (v: Vector) => v.map(Math.fround);

function aim(
    rig: Rig,
    poses: Poses,
    slot: number | readonly number[],
    targets: readonly Vector[],
    options?: AimIkOptions,
) {
    rig.aimIk(poses, slot, Float32Array.from(targets.flat()), options);
    rig.toGlobal(poses, { from: typeof slot === 'number' ? slot : slot[0]! });
    return globalsOf(rig, poses, [HEAD]);
}

const FORWARD = [0.6, 0.2, -1];
const UP = [0.1, 2, 0.3];
const POLE = [0.3, 0.9, -0.2];
const OFFSET = [0.02, 0.11, 0.07];
const OPTIONS = { forward: FORWARD, up: UP, pole: POLE, offset: OFFSET };

/** Far enough for every slot to aim at. */
const randomTargets = (next: Next, count: number) =>
    Array.from({ length: count }, () =>
        float(plus(randomVector(next, 1), unit(randomVector(next, 1)), 3 + 5 * next())),
    );

describeRigs((implementation) => {
    test.each<[string, number | readonly number[], AimIkOptions]>([
        ['one slot', HEAD, {}],
        ['three slots', [CHEST, NECK, HEAD], {}],
        ['shares', [CHEST, HEAD], { shares: [3, 1] }],
        ['a share of 0', [CHEST, NECK, HEAD], { shares: [1, 2, 0] }],
    ])('%s: the ray meets the target, and up is on the side of the pole', (_, slot, options) => {
        const next = randomOf(3);
        const rig = rigOf(implementation);
        let worst = 0;
        for (let round = 0; round < rounds(5); round++) {
            const poses = randomPoses(rig, next, 37);
            const targets = randomTargets(next, 37);
            for (const [i, head] of aim(rig, poses, slot, targets, { ...OPTIONS, ...options }).entries()) {
                const way = minus(targets[i]!, point(head, OFFSET));
                worst = Math.max(worst, angleBetween(direction(head, FORWARD), way));
                // The path on which `up` turns starts at the slot that turns last.
                const from = typeof slot === 'number' || options.shares?.at(-1) !== 0 ? point(head, [0, 0, 0]) : null;
                if (from === null) continue;
                const axis = minus(targets[i]!, from);
                const sides = [POLE, direction(head, UP)].map((v) => across(v, axis));
                const sine = Math.min(
                    1,
                    Math.sin(angleBetween(POLE, axis)),
                    Math.sin(angleBetween(direction(head, UP), axis)),
                );
                worst = Math.max(worst, angleBetween(sides[0]!, sides[1]!) * sine);
            }
        }
        expect(worst).toBeLessThan(2e-6);
    });
});

test.each<[string, Vector]>([
    ['unequal scales', [0.5, 2, 1.3]],
    ['a mirror', [1, 1, -1]],
])('%s above: the ray meets the target', (_, scale) => {
    const next = randomOf(4);
    const rig = rigOf();
    const poses = randomPoses(rig, next, 64, scale);
    const targets = randomTargets(next, 64);
    const errors = aim(rig, poses, [CHEST, HEAD], targets, OPTIONS).map((head, i) =>
        angleBetween(direction(head, FORWARD), minus(targets[i]!, point(head, OFFSET))),
    );
    expect(Math.max(...errors)).toBeLessThan(3e-6);
});

test('without up, or with the target along the pole, a slot turns by the shortest arc', () => {
    const next = randomOf(5);
    const rig = rigOf();
    for (const [options, way] of [
        [{ up: [0, 0, 0] }, unit([1, 2, 3])],
        [{ pole: [0, 0, 0] }, unit([-1, 1, 0])],
        [{}, [0, 1, 0]],
    ] as const) {
        const poses = randomPoses(rig, next, 16);
        const before = globalsOf(rig, poses, [HEAD]);
        const targets = before.map((head) => plus(point(head, [0, 0, 0]), way, 2));
        for (const [i, head] of aim(rig, poses, HEAD, targets, options).entries()) {
            const forward = direction(before[i]!, [0, 0, 1]);
            const expected = swung(direction(before[i]!, [1, 0, 0]), forward, way);
            expect(distance(direction(head, [1, 0, 0]), expected)).toBeLessThan(2e-4);
        }
    }
});

test('each slot of a list takes its share of the turn', () => {
    const rig = rigOf();
    const poses = rig.createPoses(1);
    rig.toGlobal(poses);
    // A quarter of a turn about y, far away.
    aim(rig, poses, [CHEST, NECK, HEAD], [[1e6, 0, 0]], { shares: [1, 2, 3] });
    const angles = [CHEST, NECK, HEAD].map((slot) => 2 * Math.asin(localAt(rig, poses, 0, slot)[4]!));
    const total = angles.reduce((a, b) => a + b);
    expect(total).toBeCloseTo(Math.PI / 2, 4);
    // Mixed quaternions make shares only approximately proportional.
    for (const [i, share] of [1 / 6, 2 / 6, 3 / 6].entries()) expect(angles[i]! / total).toBeCloseTo(share, 1);
    expect(localAt(rig, poses, 0, 2)).toEqual([0, 1, 0, 0, 0, 0, 1, 1, 1, 1]);
});

test('weights: half of the turn for one slot and for several, no turn at 0', () => {
    const next = randomOf(6);
    const rig = rigOf();
    for (const slot of [HEAD, [CHEST, HEAD]]) {
        for (const weights of [0.5, new Float32Array(1).fill(0.5)]) {
            const poses = rig.createPoses(1);
            rig.toGlobal(poses);
            const [head] = aim(rig, poses, slot, [[1e6, 0, 1e6]], { weights });
            expect(angleBetween(direction(head!, [0, 0, 1]), [0, 0, 1])).toBeCloseTo(Math.PI / 8, 2);
        }
    }
    const poses = randomPoses(rig, next, 16);
    const before = poses.data.slice();
    aim(rig, poses, HEAD, randomTargets(next, 16), { weights: 0 });
    expect(poses.data).toEqual(before);
});

describe('poses that stay unchanged', () => {
    test.each<[string, Vector, AimIkOptions]>([
        ['a target at the slot', [0, 5, 0], {}],
        ['a target nearer than the distance at which the ray passes', [0, 5.5, 0], { offset: [1, 0, 0] }],
        ['a direction of length 0', [1, 2, 3], { forward: [0, 0, 0] }],
    ])('%s', (_, target, options) => {
        const rig = rigOf();
        const poses = rig.createPoses(1);
        rig.toGlobal(poses);
        const before = poses.data.slice();
        aim(rig, poses, HEAD, [target], options);
        expect(poses.data).toEqual(before);
    });
});

test('small steps of a target cause small turns, up to the pole', () => {
    const rig = rigOf();
    const STEPS = 4000;
    const poses = rig.createPoses(STEPS);
    rig.toGlobal(poses);
    const ways = Array.from({ length: STEPS }, (_, i) => {
        const z = 1 - (2 * (i + 0.5)) / STEPS;
        const angle = Math.sqrt(Math.PI * STEPS) * Math.asin(z);
        return [Math.sqrt(1 - z * z) * Math.cos(angle), Math.sqrt(1 - z * z) * Math.sin(angle), z];
    });
    const heads = aim(
        rig,
        poses,
        HEAD,
        ways.map((way) => plus([0, 5, 0], way, 2)),
        { offset: [0, 0.3, 0.1] },
    );
    let worst = 0;
    for (let i = 1; i < STEPS; i++) {
        const [a, b] = [ways[i - 1]!, ways[i]!];
        const step = distance(a, b);
        const sine = Math.min(length(cross(a, [0, 1, 0])), length(cross(b, [0, 1, 0])));
        const bound = Math.min(Math.PI, step + step / Math.max(sine - step, 1e-9));
        const turn = [
            [1, 0, 0],
            [0, 1, 0],
        ].map((axis) => angleBetween(direction(heads[i - 1]!, axis), direction(heads[i]!, axis)));
        worst = Math.max(worst, Math.max(...turn) / (bound + 1e-4));
    }
    expect(worst).toBeLessThan(1.5);
    expect(dot(direction(heads[0]!, [0, 0, 1]), ways[0]!)).toBeGreaterThan(0.9);
});
