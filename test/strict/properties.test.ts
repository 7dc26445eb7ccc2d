// SPDX-License-Identifier: MIT

/** What the strict routines promise beyond their bits: accuracy, exact ends, symmetry, inverses. */

import { strictKernels } from '../../lib/lists/routines';
import { expectSameBits } from '../support/bytes';
import { bones, jointQuatPair, jointQuats, random, TREE_SHAPES, tree } from '../support/joint-data';
import { drawnPairs, ordinaryPairs, type Pairs } from '../support/quat-data';

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { abs, acos, fround, hypot, max, min, sin } = Math;

const COUNT = 1000;
/** A grid, the neighbours of both ends, and some times off the grid. */
const INNER_TIMES = [
    1e-7,
    ...Array.from({ length: 63 }, (_, k) => (k + 1) / 64),
    1 - 2 ** -24,
    ...[0.1, 0.3, 0.7, 0.99].map(fround),
];

type Slerp = (pairs: Pairs, t: number) => Float32Array;

const uniform: Slerp = ({ from, to }, t) => {
    const result = new Float32Array(from.length);
    strictKernels.slerpQuats(result, from, to, t, from.length / 4);
    return result;
};

const perQuat: Slerp = ({ from, to }, t) => {
    const count = from.length / 4;
    const result = new Float32Array(from.length);
    strictKernels.slerpQuatsPerQuat(result, from, to, new Float32Array(count).fill(t), count);
    return result;
};

/** Pairs at angles from 0 to 180 degrees, between them at any angle, and small ones. */
function pairsAtAngles(seed: number): Pairs {
    const next = random(seed);
    return drawnPairs(next, COUNT, () => (next() < 0.3 ? 10 ** (-8 + next() * 7) : next() * Math.PI));
}

/** Slerp in double precision by arc cosine and sine, of the quaternions as they are. */
function slerpInDouble(from: Float32Array, to: Float32Array, i: number, t: number): number[] {
    const at = (list: Float32Array) => [0, 1, 2, 3].map((k) => list[i * 4 + k]!);
    const a = at(from);
    const b = at(to);
    const lengths = hypot(...a) * hypot(...b);
    const dot = a.reduce((sum, x, k) => sum + x * b[k]!, 0);
    const angle = acos(min(1, abs(dot) / lengths));
    // An arc cosine loses small angles; and there slerp is lerp.
    const isSmall = angle < 1e-4;
    const keep = isSmall ? 1 - t : sin((1 - t) * angle) / sin(angle);
    const take = isSmall ? t : sin(t * angle) / sin(angle);
    return a.map((x, k) => keep * x + (dot < 0 ? -take : take) * b[k]!);
}

function greatestError(slerp: Slerp, pairs: Pairs, t: number): number {
    const result = slerp(pairs, t);
    let worst = 0;
    for (let i = 0; i < COUNT; i++) {
        const right = slerpInDouble(pairs.from, pairs.to, i, t);
        for (let k = 0; k < 4; k++) worst = max(worst, abs(result[i * 4 + k]! - right[k]!));
    }
    return worst;
}

function greatestDifference(a: Float32Array, b: Float32Array): number {
    let worst = 0;
    for (let i = 0; i < a.length; i++) worst = max(worst, abs(a[i]! - b[i]!));
    return worst;
}

/** How far the quaternions at the start of every `stride` floats are from length 1. */
function greatestLengthError(list: Float32Array, stride: number): number {
    let worst = 0;
    for (let o = 0; o < list.length; o += stride) {
        worst = max(worst, abs(hypot(list[o]!, list[o + 1]!, list[o + 2]!, list[o + 3]!) - 1));
    }
    return worst;
}

/** Slerps of perpendicular quaternions may go either way. */
const isDecided = ({ from, to }: Pairs, i: number) =>
    abs([0, 1, 2, 3].reduce((sum, k) => sum + from[i * 4 + k]! * to[i * 4 + k]!, 0)) > 1e-6;

const decidedOnly = (pairs: Pairs): Pairs => {
    const kept = [...Array(pairs.from.length / 4).keys()].filter((i) => isDecided(pairs, i));
    const pick = (list: Float32Array) => Float32Array.from(kept.flatMap((i) => [...list.subarray(i * 4, i * 4 + 4)]));
    return { from: pick(pairs.from), to: pick(pairs.to) };
};

describe.each([
    ['one t for all', uniform, 1.6e-7],
    ['one t each', perQuat, 2e-7],
] as const)('slerp, %s', (_, slerp, bound) => {
    it(`is within ${bound} of the double slerp`, () => {
        for (const [seed, t] of INNER_TIMES.entries()) {
            const pairs = pairsAtAngles(seed);
            expect(greatestError(slerp, pairs, t)).toBeLessThanOrEqual(bound);
        }
    });

    it('copies the ends bit for bit', () => {
        const pairs = pairsAtAngles(100);
        for (const t of [0, -0, -1, -Infinity]) expectSameBits(slerp(pairs, t), pairs.from, 4, () => `t = ${t}`);
        for (const t of [1, 2, Infinity, Number.NaN]) expectSameBits(slerp(pairs, t), pairs.to, 4, () => `t = ${t}`);
    });

    it('of equal quaternions gives them back, to the last bit or its neighbour', () => {
        const { from } = ordinaryPairs(random(101), COUNT);
        const words = new Int32Array(from.buffer);
        for (const t of INNER_TIMES) {
            const result = slerp({ from, to: from }, t);
            const resultWords = new Int32Array(result.buffer);
            // Floats of one sign are in the order of their words.
            let worst = 0;
            for (let i = 0; i < from.length; i++) {
                if (from[i] !== 0 || result[i] !== 0) worst = max(worst, abs(resultWords[i]! - words[i]!));
            }
            expect(worst).toBeLessThanOrEqual(1);
        }
    });

    it('stays on the way from either end', () => {
        const pairs = decidedOnly(pairsAtAngles(102));
        const { from, to } = pairs;
        for (const t of INNER_TIMES.filter((t) => fround(1 - t) === 1 - t)) {
            const there = slerp(pairs, t);
            const back = slerp({ from: to, to: from }, 1 - t);
            // The shorter way from an obtuse `to` ends at -from.
            for (let i = 0; i < from.length; i++) {
                const o = i & ~3;
                const dot = [0, 1, 2, 3].reduce((sum, k) => sum + from[o + k]! * to[o + k]!, 0);
                if (dot < 0) back[i] = -back[i]!;
            }
            expect(greatestDifference(there, back)).toBeLessThanOrEqual(3e-7);
        }
    });

    it('of unit quaternions is one', () => {
        for (const [seed, t] of INNER_TIMES.entries()) {
            const result = slerp(pairsAtAngles(200 + seed), t);
            expect(greatestLengthError(result, 4)).toBeLessThanOrEqual(4e-7);
        }
    });
});

it('the two slerps agree to 4e-7', () => {
    for (const [seed, t] of INNER_TIMES.entries()) {
        const pairs = pairsAtAngles(300 + seed);
        expect(greatestDifference(uniform(pairs, t), perQuat(pairs, t))).toBeLessThanOrEqual(4e-7);
    }
});

it('a dot product of -0 does not turn the other quaternion round', () => {
    const from = Float32Array.of(0, 0, 0, 1);
    const to = Float32Array.of(-1, -0, -0, -0);
    const half = fround(Math.SQRT1_2);
    for (const result of [uniform({ from, to }, 0.5), perQuat({ from, to }, 0.5)]) {
        expect(result[0]).toBeCloseTo(-half, 6);
        expect(result[3]).toBeCloseTo(half, 6);
    }
});

it('equal translations stay what they are', () => {
    const { joints, blendJoints } = jointQuatPair(random(400), 500);
    for (let i = 0; i < blendJoints.length; i++) if (i & 4) blendJoints[i] = joints[i]!;
    const lerps = new Float32Array(500);
    for (const t of INNER_TIMES) {
        const lists = [joints.slice(), joints.slice(), joints.slice()] as const;
        strictKernels.slerpJoints(lists[0], blendJoints, t, null, 500);
        strictKernels.lerpJoints(lists[1], blendJoints, t, null, 500);
        strictKernels.slerpJointsPerJoint(lists[2], blendJoints, lerps.fill(t), null, 500);
        for (const list of lists) {
            for (let i = 0; i < list.length; i++) if (i & 4 && list[i] !== joints[i]) throw new Error(`t = ${t}: ${i}`);
        }
    }
});

it('normalised quaternions have length 1, and translations are left alone', () => {
    const next = random(401);
    const joints = jointQuats(next, 1000).map((x) => x * (0.5 + 2.5 * next()));
    const result = joints.slice();
    strictKernels.normalizeJoints(result, null, 1000);
    expect(greatestLengthError(result, 8)).toBeLessThanOrEqual(2e-7);
    const translations = (list: Float32Array) => list.filter((_, i) => i & 4);
    expectSameBits(translations(result), translations(joints), 4, () => 'translations');
});

it.each(['id', 'gltf'] as const)('quaternions come back from matrices (%s), up to their sign', (convention) => {
    const quats = jointQuats(random(402), COUNT);
    const mats = new Float32Array(COUNT * 12);
    const back = new Float32Array(COUNT * 8);
    strictKernels.convertJointQuatsToJointMats(mats, quats, COUNT, convention);
    strictKernels.convertJointMatsToJointQuats(back, mats, COUNT, convention);
    let worst = 0;
    for (let o = 0; o < quats.length; o += 8) {
        const distance = (sign: number) => max(...[0, 1, 2, 3].map((k) => abs(back[o + k]! - sign * quats[o + k]!)));
        worst = max(worst, min(distance(1), distance(-1)));
        for (let k = 4; k < 8; k++) worst = max(worst, abs(back[o + k]! - (k < 7 ? quats[o + k]! : 0)));
    }
    expect(worst).toBeLessThanOrEqual(4e-7);
});

it.each(TREE_SHAPES)('untransformSkeleton takes back transformSkeleton (%s)', (shape) => {
    const next = random(403);
    const local = bones(next, 64);
    const parents = tree(next, 64, shape);
    const result = local.slice();
    strictKernels.transformSkeleton(result, parents, 0, 63);
    expect(greatestDifference(result, local)).toBeGreaterThan(0.1);
    strictKernels.untransformSkeleton(result, parents, 0, 63);
    expect(greatestDifference(result, local)).toBeLessThanOrEqual(2e-5);
});
