// SPDX-License-Identifier: MIT

/** `rig.twoBoneIk`: positions of limbs by angles in double precision, how they move, and poses that stay unchanged. */

import { typescriptRig } from '../../lib/rig/kernels';
import type { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import type { TwoBoneIkOptions } from '../../lib/rig/rig-options';
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
    solvedLimb,
    times,
    unit,
    type Vector,
} from '../oracle/inverse-kinematics';
import { random as randomOf, randomRotation, randomVector } from '../support/random';
import { rounds } from '../support/rounds';
import { describeRigs } from './native-tiers';
import { globalsOf, localAt, refusal } from './scenes';

type Next = () => number;

/** A limb with a slot between every two joints: root, parent, start 2, twist, mid 4, twist, end 6, toe. */
const [SLOTS, ABOVE, START, MID, END] = [8, 1, 2, 4, 6] as const;
const CHAIN = { start: START, mid: MID, end: END };

interface Shape {
    /** Scale of the slot above the limb. */
    readonly above?: Vector;
    /** Scale of the start. */
    readonly start?: Vector;
    readonly matrix?: boolean;
}

const rigOf = (next: Next, { matrix = false } = {}, implementation = typescriptRig) => {
    const parents = Array.from({ length: SLOTS }, (_, i) => i - 1);
    const rest = parents.flatMap(() => [...randomVector(next, 1), ...randomRotation(next), 1, 1, 1]);
    // Shear and uneven scales above, with a rotation between.
    const matrices = matrix
        ? {
              [ABOVE]: [1, 0.2, 0, 0, 0, 2, 0.3, 0, 0.1, 0, -0.7, 0, 1, 2, 3, 1],
              5: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.1, 0.2, 0, 1],
          }
        : {};
    const source = sourceOfParts({ parents, rest, clips: [] });
    for (const [node, values] of Object.entries(matrices)) {
        (source.nodes[Number(node)] as { matrix: Float32Array | null }).matrix = Float32Array.from(values);
    }
    return new Rig(source, new Uint8Array(SLOTS).fill(1), implementation);
};

/** Random limbs with bone lengths from 0.2 to 1.5. */
function randomPoses(rig: Rig, next: Next, count: number, { above = [1, 1, 1], start = [1, 1, 1] }: Shape = {}): Poses {
    const poses = rig.createPoses(count);
    for (let pose = 0; pose < count; pose++) {
        for (let slot = 0; slot < SLOTS; slot++) {
            if (rig.slots[slot]!.hasMatrix) continue;
            const scale = slot === ABOVE ? above : slot === START ? start : [1, 1, 1];
            const offset = times(unit(randomVector(next, 1)), slot < START ? 1 : 0.1 + 0.65 * next());
            rig.setLocal(poses, pose, slot, Float32Array.from([...offset, ...randomRotation(next), ...scale]));
        }
    }
    rig.toGlobal(poses);
    return poses;
}

const originOf = (global: ArrayLike<number>): number[] => [global[3]!, global[7]!, global[11]!];
/** Start, mid and end of each pose. */
function limbsOf(rig: Rig, poses: Poses) {
    const origins = globalsOf(rig, poses, [START, MID, END]).map(originOf);
    return Array.from({ length: poses.count }, (_, pose) => {
        const [start, mid, end] = origins.slice(pose * 3, pose * 3 + 3);
        return { start: start!, mid: mid!, end: end! };
    });
}

function solve(
    rig: Rig,
    poses: Poses,
    targets: readonly Vector[],
    options: TwoBoneIkOptions & { pole?: readonly Vector[] } = {},
) {
    const { pole, ...others } = options;
    const reached = new Uint8Array(poses.count);
    const poles = pole === undefined ? {} : { poles: Float32Array.from(pole.flat()) };
    rig.twoBoneIk(poses, CHAIN, Float32Array.from(targets.flat()), { reached, ...poles, ...others });
    rig.toGlobal(poses, { from: START });
    return { limbs: limbsOf(rig, poses), reached: [...reached] };
}

const float = (v: Vector) => v.map(Math.fround);
const reachOf = ({ start, mid, end }: { start: Vector; mid: Vector; end: Vector }) =>
    distance(start, mid) + distance(mid, end);

/** Targets at all distances that differ by more than `near` from a straight or a folded limb. */
function randomTargets(next: Next, limbs: ReturnType<typeof limbsOf>, near = 0.02): number[][] {
    return limbs.map((limb) => {
        const [a, b] = [distance(limb.start, limb.mid), distance(limb.mid, limb.end)];
        const [low, high] = [Math.abs(a - b) + near * (a + b), (1 - near) * (a + b)];
        return float(plus(limb.start, unit(randomVector(next, 1)), low + next() * (high - low)));
    });
}

describeRigs((implementation) => {
    test('the end reaches the target, the middle is on the side of the pole, and bones keep their lengths', () => {
        const next = randomOf(5);
        const rig = rigOf(next, {}, implementation);
        let worst = 0;
        for (let round = 0; round < rounds(20); round++) {
            const poses = randomPoses(rig, next, 37, { above: [2, 2, 2], start: [0.7, 0.7, 0.7] });
            const before = limbsOf(rig, poses);
            const targets = randomTargets(next, before);
            const pole = before.map(() => float(randomVector(next, 3)));
            const { limbs, reached } = solve(rig, poses, targets, { pole });
            for (const [i, limb] of limbs.entries()) {
                const expected = solvedLimb(before[i]!, targets[i]!, pole[i]!);
                const reach = reachOf(before[i]!);
                // The turn of the plane by rounding of the target grows if the pole is nearly along it.
                const sine = Math.sin(angleBetween(pole[i]!, minus(targets[i]!, limb.start)));
                worst = Math.max(worst, distance(limb.end, targets[i]!) / reach);
                worst = Math.max(worst, (distance(limb.mid, expected.mid) / reach) * Math.min(1, sine));
                worst = Math.max(worst, Math.abs(reachOf(limb) - reach) / reach);
                expect(reached[i]).toBe(1);
            }
        }
        expect(worst).toBeLessThan(1e-5);
    });
});

test('without a pole the limb keeps its bend plane, which the shortest arc moves along', () => {
    const next = randomOf(6);
    const rig = rigOf(next);
    let worst = 0;
    for (let round = 0; round < rounds(20); round++) {
        const poses = randomPoses(rig, next, 16);
        const before = limbsOf(rig, poses);
        const targets = randomTargets(next, before);
        const { limbs } = solve(rig, poses, targets);
        for (const [i, limb] of limbs.entries()) {
            const { mid } = solvedLimb(before[i]!, targets[i]!, null);
            // Rounding determines the plane if the limb is nearly straight or the target opposite.
            const { start, mid: m, end } = before[i]!;
            const bend = Math.sin(angleBetween(minus(m, start), minus(end, m)));
            worst = Math.max(worst, (distance(limb.mid, mid) / reachOf(limb)) * bend);
        }
    }
    expect(worst).toBeLessThan(1e-4);
});

test.each<[string, Shape]>([
    ['uneven scales above', { above: [0.5, 1.5, 3] }],
    ['a mirror above', { above: [-1, 1, 1] }],
    ['a matrix with shear above, and one below the middle', { matrix: true }],
    ['a mirrored start', { start: [-1, -1, -1] }],
])('%s: the end reaches the target', (_, shape) => {
    const next = randomOf(7);
    const rig = rigOf(next, shape.matrix ? { matrix: true } : {});
    let worst = 0;
    for (let round = 0; round < rounds(10); round++) {
        const poses = randomPoses(rig, next, 16, shape);
        const before = limbsOf(rig, poses);
        // Near the end: uneven scales change the length of the limb in other directions.
        const targets = before.map(({ start, mid, end }) => {
            const moved = plus(end, randomVector(next, 0.1 * Math.min(distance(start, mid), distance(mid, end))));
            return float(plus(start, minus(moved, start), 0.9));
        });
        const { limbs, reached } = solve(rig, poses, targets, { pole: before.map(() => [0, 1, 0.2]) });
        for (const [i, limb] of limbs.entries()) {
            if (reached[i] === 0) continue;
            worst = Math.max(worst, distance(limb.end, targets[i]!) / reachOf(limb));
        }
        expect(reached.filter(Boolean).length).toBeGreaterThan(10);
    }
    expect(worst).toBeLessThan(2e-5);
});

test('uneven scales of the start: reached reports a wrong end', () => {
    const next = randomOf(8);
    const rig = rigOf(next);
    const poses = randomPoses(rig, next, 64, { start: [1, 3, 0.5] });
    const targets = randomTargets(next, limbsOf(rig, poses), 0.1);
    const { limbs, reached } = solve(rig, poses, targets);
    const there = limbs.map((limb, i) => distance(limb.end, targets[i]!) / reachOf(limb) < 1e-3);
    expect(reached.filter(Boolean).length).toBeLessThan(32);
    for (const [i, is] of there.entries()) if (reached[i]) expect(is).toBe(true);
});

describe('unreachable targets', () => {
    const next = randomOf(9);
    const rig = rigOf(next);

    test('too far: a straight limb toward the target; too near: a folded one', () => {
        const poses = randomPoses(rig, next, 64);
        const before = limbsOf(rig, poses);
        const ways = before.map(() => unit(randomVector(next, 1)));
        const factors = before.map((_, i) => (i % 2 === 0 ? 1.01 + 3 * next() : 0.9 * next()));
        const targets = before.map(({ start, mid, end }, i) => {
            const [a, b] = [distance(start, mid), distance(mid, end)];
            return float(plus(start, ways[i]!, factors[i]! * (i % 2 === 0 ? a + b : Math.abs(a - b))));
        });
        const { limbs, reached } = solve(rig, poses, targets, { pole: before.map(() => [0.3, 1, 0.2]) });
        expect(reached.some(Boolean)).toBe(false);
        for (const [i, limb] of limbs.entries()) {
            const { end } = solvedLimb(before[i]!, targets[i]!, [0.3, 1, 0.2]);
            expect(distance(limb.end, end) / reachOf(limb)).toBeLessThan(1e-5);
        }
    });

    test.each([0.5, 0.9, 0.97])(
        'soften %p: the end stays behind as in ozz-animation, and the limb is never straight',
        (softness) => {
            const poses = randomPoses(rig, next, 100);
            const before = limbsOf(rig, poses);
            const targets = before.map((limb, i) =>
                float(plus(limb.start, [0.6, 0, 0.8], (reachOf(limb) * (i + 60)) / 100)),
            );
            const { limbs, reached } = solve(rig, poses, targets, {
                pole: before.map(() => [0, 1, 0]),
                soften: softness,
            });
            for (const [i, limb] of limbs.entries()) {
                const expected = solvedLimb(before[i]!, targets[i]!, [0, 1, 0], { softness });
                expect(distance(limb.end, expected.end) / reachOf(limb)).toBeLessThan(1e-5);
                expect(distance(limb.start, limb.end)).toBeLessThan(reachOf(limb));
                const wants = distance(targets[i]!, limb.start) / reachOf(limb);
                const folded = distance(limb.start, limb.mid) - distance(limb.mid, limb.end);
                if (wants * reachOf(limb) < Math.abs(folded)) continue;
                if (Math.abs(wants - softness) > 0.02) expect(reached[i]).toBe(wants < softness ? 1 : 0);
            }
        },
    );
});

test('twist turns the middle about the line to the target', () => {
    const next = randomOf(10);
    const rig = rigOf(next);
    for (const twist of [0.5, -2, 3.2, 100]) {
        const poses = randomPoses(rig, next, 16);
        const before = limbsOf(rig, poses);
        const targets = randomTargets(next, before);
        const pole = before.map(() => float(randomVector(next, 1)));
        const { limbs } = solve(rig, poses, targets, { pole, twist });
        for (const [i, limb] of limbs.entries()) {
            const { mid } = solvedLimb(before[i]!, targets[i]!, pole[i]!, { twist });
            const sine = Math.sin(angleBetween(pole[i]!, minus(targets[i]!, limb.start)));
            expect((distance(limb.mid, mid) / reachOf(limb)) * sine).toBeLessThan(1e-5);
        }
    }
});

/** A limb of two bones in one line along y. */
function straightLimb() {
    const rest = [0, 1, 1, 1].flatMap((y) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1]);
    const rig = Rig.create({ parents: [-1, 0, 1, 2], rest, clips: [] });
    const poses = rig.createPoses(1);
    rig.toGlobal(poses);
    const bend = (options: TwoBoneIkOptions, target = [0, 2.5, 0]) => {
        rig.twoBoneIk(poses, { start: 1, mid: 2, end: 3 }, Float32Array.from(target), options);
        rig.toGlobal(poses);
        return globalsOf(rig, poses, [1, 2, 3]).map(originOf);
    };
    return { rig, poses, bend };
}

describe('a straight limb', () => {
    // The knee of a triangle with two sides of length 1 and a base of 1.5.
    const aside = Math.sqrt(1 - 0.75 ** 2);

    test.each<[string, TwoBoneIkOptions, Vector]>([
        ['bends to the pole', { poles: Float32Array.of(0.6, 5, -0.8) }, [0.6, 0, -0.8]],
        ['opens about its axis', { axis: [0, 0, 2] }, [-1, 0, 0]],
        ['opens about its axis, the other way', { axis: [0, 0, -1] }, [1, 0, 0]],
        ['bends in its own direction', {}, [-1, 0, 0]],
    ])('%s', (_, options, side) => {
        const [, mid, end] = straightLimb().bend(options);
        expect(distance(mid!, plus([0, 1.75, 0], side, aside))).toBeLessThan(1e-5);
        expect(distance(end!, [0, 2.5, 0])).toBeLessThan(1e-5);
    });

    test('turns its upper bone to the pole without twist', () => {
        const { rig, poses, bend } = straightLimb();
        bend({ poles: Float32Array.of(0, 0, 1) });
        const [x, y, z] = [3, 4, 5].map((c) => localAt(rig, poses, 0, 1)[c]!);
        expect(Math.abs(y!) + Math.abs(z!)).toBeLessThan(1e-6);
        expect(x).toBeGreaterThan(0.1);
    });

    test('with an axis bends only to its side, also from the other one', () => {
        const { rig, poses, bend } = straightLimb();
        const turn = Math.sqrt(0.5);
        rig.setLocal(poses, 0, 2, Float32Array.of(0, 1, 0, 0, 0, turn, turn, 1, 1, 1));
        rig.toGlobal(poses);
        const [start, mid, end] = bend({ axis: [0, 0, 1] }, [0.5, 2, 0]);
        expect(distance(end!, [0.5, 2, 0])).toBeLessThan(1e-5);
        expect(cross(minus(mid!, start!), minus(end!, mid!))[2]).toBeLessThan(-0.1);
    });
});

describe('poses that stay unchanged', () => {
    const next = randomOf(11);
    const rig = rigOf(next);

    test.each<[string, (poses: Poses) => TwoBoneIkOptions]>([
        ['a weight of 0', () => ({ weights: 0 })],
        ['a weight below 0', () => ({ weights: new Float32Array(16).fill(-1) })],
        [
            'bones of length 0',
            (poses) => {
                for (let i = 0; i < 16; i++) {
                    for (const slot of i % 2 === 0 ? [START + 1, MID] : [MID + 1, END]) {
                        rig.setLocal(poses, i, slot, Float32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
                    }
                }
                return {};
            },
        ],
        [
            'a scale of 0 above',
            (poses) => {
                for (let i = 0; i < 16; i++)
                    rig.setLocal(poses, i, ABOVE, Float32Array.of(0, 0, 0, 0, 0, 0, 1, 0, 1, 1));
                return {};
            },
        ],
        ['an axis of length 0', () => ({ axis: [0, 0, 0] })],
    ])('%s', (_, change) => {
        const poses = randomPoses(rig, next, 16);
        const options = change(poses);
        rig.toGlobal(poses);
        const before = poses.data.slice();
        const { reached } = solve(
            rig,
            poses,
            limbsOf(rig, poses).map(() => [0.5, 0.5, 0.5]),
            options,
        );
        expect(poses.data).toEqual(before);
        expect(reached).toEqual(new Array(16).fill(0));
    });
});

test('weights mix both rotations: from none to full, one for all or one for each', () => {
    const next = randomOf(12);
    const rig = rigOf(next);
    const seed = randomPoses(rig, next, 16);
    const targets = randomTargets(next, limbsOf(rig, seed));
    const copies = [0, 1, 2].map(() => {
        const poses = rig.createPoses(16);
        poses.data.set(seed.data);
        rig.toGlobal(poses);
        return poses;
    });
    const [half, each, whole] = copies as [Poses, Poses, Poses];
    solve(rig, half, targets, { weights: 0.5 });
    solve(rig, each, targets, { weights: new Float32Array(16).fill(0.5) });
    solve(rig, whole, targets, {});
    expect(half.data).toEqual(each.data);
    for (let pose = 0; pose < 16; pose++) {
        for (const slot of [START, MID]) {
            const [from, mixed, to] = [seed, half, whole].map((poses) => localAt(rig, poses, pose, slot).slice(3, 7));
            // Half of the turn: a sum of two unit quaternions is between them.
            const [a, b] = [from!, to!].map((q) => 2 * Math.acos(Math.min(1, Math.abs(dot(q, mixed!)))));
            expect(Math.abs(a! - b!)).toBeLessThan(1e-3);
        }
    }
});

describe('small steps of targets and poles cause small steps of the middle', () => {
    const next = randomOf(13);
    const rig = rigOf(next);
    const STEPS = 4000;

    /** The same pose, many times. */
    function same(): Poses {
        const poses = rig.createPoses(STEPS);
        const one = randomPoses(rig, next, 1);
        for (let slot = 0; slot < SLOTS; slot++) {
            const local = Float32Array.from(localAt(rig, one, 0, slot));
            for (let pose = 0; pose < STEPS; pose++) rig.setLocal(poses, pose, slot, local);
        }
        rig.toGlobal(poses);
        return poses;
    }
    /** A spiral from one pole of the sphere to the other, with nearly equal steps. */
    const spiral = Array.from({ length: STEPS }, (_, i) => {
        const z = 1 - (2 * (i + 0.5)) / STEPS;
        const angle = Math.sqrt(Math.PI * STEPS) * Math.asin(z);
        return [Math.sqrt(1 - z * z) * Math.cos(angle), Math.sqrt(1 - z * z) * Math.sin(angle), z];
    });
    /** Steps of the middle, divided by the max step that a turn about the start and a turn of the plane can cause. */
    function worstStep(middles: readonly Vector[], steps: readonly number[], size: number): number {
        return Math.max(...steps.map((step, i) => distance(middles[i]!, middles[i + 1]!) / (size * step + 1e-4)));
    }

    test.each([0.05, 0.5, 0.9, 0.999, 1.5])('a target on a sphere of %p of the reach, up to the pole', (part) => {
        const poses = same();
        const limb = limbsOf(rig, poses)[0]!;
        const [a, b] = [distance(limb.start, limb.mid), distance(limb.mid, limb.end)];
        const radius = Math.max(part * (a + b), Math.abs(a - b) * 1.01);
        const pole = unit(randomVector(next, 1));
        const targets = spiral.map((way) => plus(limb.start, way, radius));
        const { limbs } = solve(rig, poses, targets, { pole: targets.map(() => pole) });
        // The plane turns by the step over the sine of the angle to the pole.
        const steps = spiral.slice(1).map((way, i) => {
            const sine = Math.min(...[way, spiral[i]!].map((to) => length(across(to, pole))));
            const step = distance(way, spiral[i]!);
            return Math.min(Math.PI, step + step / Math.max(sine - step, 1e-9));
        });
        expect(
            worstStep(
                limbs.map(({ mid }) => mid),
                steps,
                a,
            ),
        ).toBeLessThan(1.5);
    });

    test('a target on a sphere without a pole, up to the direction opposite to the end', () => {
        const poses = same();
        const limb = limbsOf(rig, poses)[0]!;
        const [a, b] = [distance(limb.start, limb.mid), distance(limb.mid, limb.end)];
        const radius = Math.abs(a - b) + 0.8 * Math.min(a, b);
        const targets = spiral.map((way) => plus(limb.start, way, radius));
        const { limbs } = solve(rig, poses, targets);
        // The direction of the end after the middle has bent: the start need not turn to it.
        const moves = limbs.map(({ mid }) => distance(mid, limb.mid));
        const ahead = spiral[moves.indexOf(Math.min(...moves))]!;
        const steps = spiral.slice(1).map((way, i) => {
            const behind = Math.cos(Math.max(...[way, spiral[i]!].map((to) => angleBetween(to, ahead))) / 2);
            const step = distance(way, spiral[i]!);
            return Math.min(Math.PI, step + (2 * step) / Math.max(behind - 2 * step, 1e-9));
        });
        expect(
            worstStep(
                limbs.map(({ mid }) => mid),
                steps,
                a,
            ),
        ).toBeLessThan(1.5);
    });

    test('a pole on a sphere, up to the line to the target', () => {
        const poses = same();
        const limb = limbsOf(rig, poses)[0]!;
        const way = unit(randomVector(next, 1));
        const targets = spiral.map(() => plus(limb.start, way, 0.7 * reachOf(limb)));
        const { limbs } = solve(rig, poses, targets, { pole: spiral });
        const steps = spiral.slice(1).map((pole, i) => {
            const sine = Math.min(...[pole, spiral[i]!].map((to) => length(across(to, way))));
            const step = distance(pole, spiral[i]!);
            return Math.min(Math.PI, step / Math.max(sine - step, 1e-9));
        });
        expect(
            worstStep(
                limbs.map(({ mid }) => mid),
                steps,
                distance(limb.start, limb.mid),
            ),
        ).toBeLessThan(1.5);
    });
});

test('the next limb needs current globals', () => {
    const rig = rigOf(randomOf(14));
    const poses = randomPoses(rig, randomOf(15), 3);
    rig.twoBoneIk(poses, CHAIN, new Float32Array(9));
    const message =
        /^twoBoneIk: the locals of pose 0 of poses are newer than its globals, needs toGlobal\(poses\) first$/;
    expect(() => rig.twoBoneIk(poses, CHAIN, new Float32Array(9))).toThrow(
        refusal('ERR_STALE_GLOBALS', message, 'Error'),
    );
    rig.toGlobal(poses, { from: START });
    rig.twoBoneIk(poses, CHAIN, new Float32Array(9));
});
