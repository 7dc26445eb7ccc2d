// SPDX-License-Identifier: MIT

/** Seeded poses, skeletons and index lists. The same numbers on every machine, so that a failure can be repeated. */

import { random } from './random';

export { random };

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { cos, floor, hypot, sin } = Math;

type Next = () => number;

const QUAT_FLOATS = 8;
const MAT_FLOATS = 12;

const below = (next: Next, n: number) => floor(next() * n);

function normalised(q: readonly number[]): number[] {
    const length = hypot(...q);
    return q.map((x) => x / length);
}

// Millions of these are made: no loops and no arrays on the way.

const dot = (a: readonly number[], b: readonly number[]) =>
    a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;

/** Any rotation, each equally likely. */
export function unitQuaternion(next: Next): number[] {
    for (;;) {
        const x = 2 * next() - 1;
        const y = 2 * next() - 1;
        const z = 2 * next() - 1;
        const w = 2 * next() - 1;
        const length = hypot(x, y, z, w);
        if (length > 0.1 && length <= 1) return [x / length, y / length, z / length, w / length];
    }
}

/** A unit vector at a right angle to `q`. */
export function perpendicular(next: Next, q: readonly number[]): number[] {
    for (;;) {
        const p = unitQuaternion(next);
        const along = dot(p, q);
        const x = p[0]! - along * q[0]!;
        const y = p[1]! - along * q[1]!;
        const z = p[2]! - along * q[2]!;
        const w = p[3]! - along * q[3]!;
        const length = hypot(x, y, z, w);
        if (length > 0.1) return [x / length, y / length, z / length, w / length];
    }
}

/** The unit quaternion at `angle` from `q`, an angle between vectors of four: half of that between the rotations. */
function turned(next: Next, q: readonly number[], angle: number): number[] {
    const p = perpendicular(next, q);
    const [c, s] = [cos(angle), sin(angle)];
    return [c * q[0]! + s * p[0]!, c * q[1]! + s * p[1]!, c * q[2]! + s * p[2]!, c * q[3]! + s * p[3]!];
}

const AXES = [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
];

const negated = (q: readonly number[]) => q.map((x) => -x);

/** Pairs of unit quaternions, from the ordinary to those that interpolation finds hardest. */
const PAIRS: readonly ((next: Next) => [number[], number[]])[] = [
    // Any two.
    (next) => [unitQuaternion(next), unitQuaternion(next)],
    // Key frames as they usually are.
    (next) => {
        const q = unitQuaternion(next);
        return [q, turned(next, q, next() * 0.4)];
    },
    // The longer way round.
    (next) => {
        const q = unitQuaternion(next);
        return [q, turned(next, q, Math.PI / 2 + next() * (Math.PI / 2))];
    },
    // Nearly parallel: around the angle where slerp gives way to lerp (1 - cos = 1e-6 at 1.4e-3).
    (next) => {
        const q = unitQuaternion(next);
        return [q, turned(next, q, 1e-3 + next() * 1e-3)];
    },
    // Angles from 1e-8 to 1e-2.
    (next) => {
        const q = unitQuaternion(next);
        return [q, turned(next, q, 10 ** (-8 + next() * 6))];
    },
    // Identical.
    (next) => {
        const q = unitQuaternion(next);
        return [q, q];
    },
    // The same rotation with the other sign.
    (next) => {
        const q = unitQuaternion(next);
        return [q, negated(q)];
    },
    // Nearly that.
    (next) => {
        const q = unitQuaternion(next);
        return [q, negated(turned(next, q, 10 ** (-8 + next() * 6)))];
    },
    // Rotations by 180 degrees: w = 0.
    (next) => {
        const [x, y, z] = unitQuaternion(next);
        return [normalised([x!, y!, z!, 0]), unitQuaternion(next)];
    },
    // Rotations half a turn apart, whose dot product is 0 to within rounding: either way round is right.
    (next) => {
        const q = unitQuaternion(next);
        return [q, perpendicular(next, q)];
    },
    // No rotation, and half turns about the axes.
    (next) => {
        const pick = () => {
            const axis = AXES[below(next, 4)]!;
            return next() < 0.5 ? axis : negated(axis);
        };
        return [[...pick()], [...pick()]];
    },
];

/** Translation and the fourth float beside it, of any magnitude from 1e-3 to 1e3, sometimes 0. */
function translation(next: Next): number[] {
    const size = next() < 0.1 ? 0 : 10 ** (-3 + next() * 6);
    return [(2 * next() - 1) * size, (2 * next() - 1) * size, (2 * next() - 1) * size, (2 * next() - 1) * size];
}

/** Two poses of `numJoints` JointQuats with unit quaternions. */
export function jointQuatPair(next: Next, numJoints: number): { joints: Float32Array; blendJoints: Float32Array } {
    const joints = new Float32Array(numJoints * QUAT_FLOATS);
    const blendJoints = new Float32Array(numJoints * QUAT_FLOATS);
    const start = below(next, PAIRS.length);
    for (let i = 0; i < numJoints; i++) {
        const [a, b] = PAIRS[(start + i) % PAIRS.length]!(next);
        joints.set(a, i * QUAT_FLOATS);
        joints.set(translation(next), i * QUAT_FLOATS + 4);
        blendJoints.set(b, i * QUAT_FLOATS);
        blendJoints.set(translation(next), i * QUAT_FLOATS + 4);
    }
    return { joints, blendJoints };
}

/** JointQuats with unit quaternions of every kind. */
export function jointQuats(next: Next, numJoints: number): Float32Array {
    return jointQuatPair(next, numJoints).joints;
}

/** Quaternions whose matrices are at or near the borders between the four cases of the conversion back. */
function borderQuaternions(next: Next): number[] {
    const half = () => (next() < 0.5 ? 0.5 : -0.5);
    const sign = () => (next() < 0.5 ? 1 : -1);
    const [x, y, z] = normalised(unitQuaternion(next).slice(0, 3)) as [number, number, number];
    switch (below(next, 5)) {
        case 0:
            return [half(), half(), half(), half()];
        case 1: {
            // Half a turn about a diagonal between two axes.
            const q = [0, 0, 0, 0];
            const first = below(next, 3);
            q[first] = Math.SQRT1_2 * sign();
            q[(first + 1) % 3] = Math.SQRT1_2 * sign();
            return q;
        }
        case 2: {
            // A third of a turn: the trace is 0, to within rounding.
            const s = sin(Math.PI / 3);
            return [x * s, y * s, z * s, 0.5 * sign()];
        }
        case 3: {
            // Half a turn about any axis with two equal components.
            return normalised([x, x * sign(), z, 0]);
        }
        default: {
            const axis = AXES[below(next, 4)]!;
            return sign() < 0 ? negated(axis) : [...axis];
        }
    }
}

/** The rotation matrix of a unit quaternion, its rows as in glTF. */
function rotation(q: readonly number[]): number[] {
    const [x, y, z, w] = q as [number, number, number, number];
    return [
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    ];
}

function setMat(mats: Float32Array, joint: number, r: readonly number[], t: readonly number[]): void {
    for (let row = 0; row < 3; row++) {
        const o = joint * MAT_FLOATS + row * 4;
        mats[o] = r[row * 3]!;
        mats[o + 1] = r[row * 3 + 1]!;
        mats[o + 2] = r[row * 3 + 2]!;
        mats[o + 3] = t[row]!;
    }
}

/** JointMats of rotations of every kind, those on the borders between the cases of a conversion included. */
export function jointMats(next: Next, numJoints: number): Float32Array {
    const mats = new Float32Array(numJoints * MAT_FLOATS);
    const start = below(next, PAIRS.length);
    for (let i = 0; i < numJoints; i++) {
        const q = i % 4 === 3 ? borderQuaternions(next) : PAIRS[(start + i) % PAIRS.length]!(next)[i & 1]!;
        setMat(mats, i, rotation(q), translation(next));
    }
    return mats;
}

/** JointMats of rotations on the borders between the cases of a conversion, exactly or to within rounding. */
export function borderMats(next: Next, numJoints: number): Float32Array {
    const mats = new Float32Array(numJoints * MAT_FLOATS);
    for (let i = 0; i < numJoints; i++) setMat(mats, i, rotation(borderQuaternions(next)), translation(next));
    return mats;
}

/** JointMats relative to the parent: rotations, and bones up to 2 long. */
export function bones(next: Next, numJoints: number): Float32Array {
    const mats = new Float32Array(numJoints * MAT_FLOATS);
    for (let i = 0; i < numJoints; i++) {
        const [x, y, z] = unitQuaternion(next) as [number, number, number];
        const length = 2 * next();
        const s = length / hypot(x, y, z);
        setMat(mats, i, rotation(unitQuaternion(next)), [x * s, y * s, z * s]);
    }
    return mats;
}

export type TreeShape = 'one root' | 'several roots' | 'chain' | 'star';
export const TREE_SHAPES: readonly TreeShape[] = ['one root', 'several roots', 'chain', 'star'];

/** Parents before their children; joint 0 is a root (-1), in 'several roots' others are as well. */
export function tree(next: Next, numJoints: number, shape: TreeShape): Int32Array {
    return Int32Array.from({ length: numJoints }, (_, i) => {
        if (i === 0) return -1;
        switch (shape) {
            case 'chain':
                return i - 1;
            case 'star':
                return 0;
            case 'several roots':
                if (next() < 0.15) return -1;
                break;
        }
        return next() < 0.5 ? i - 1 : below(next, i);
    });
}

/** `count` different joints of `numJoints`, in any order. */
export function distinctIndex(next: Next, numJoints: number, count: number): Int32Array {
    const all = Int32Array.from({ length: numJoints }, (_, i) => i);
    for (let i = 0; i < count; i++) {
        const j = i + below(next, numJoints - i);
        const joint = all[j]!;
        all[j] = all[i]!;
        all[i] = joint;
    }
    return all.slice(0, count);
}

/** `count` joints of `numJoints`, the same ones again and again where there are few. */
export function repeatingIndex(next: Next, numJoints: number, count: number): Int32Array {
    return Int32Array.from({ length: count }, () => below(next, numJoints));
}

/** Floats that arithmetic is most likely to get wrong. */
const AWKWARD_FLOATS = [
    ...[0, -0, 1, -1, 0.5, 1 + 2 ** -23, 1 - 2 ** -24, Math.SQRT1_2, 1e-7, 1e-20, -1e-20],
    // Denormals: the smallest, the largest, one between.
    ...[2 ** -149, -(2 ** -149), 2 ** -126 - 2 ** -149, 1e-41],
    ...[2 ** -126, 1e19, -2e19, 3.4028234663852886e38, -3.4028234663852886e38, Infinity, -Infinity, Number.NaN],
];

/** Mostly ordinary numbers, with a share of the awkward ones. */
export function awkwardFloats(next: Next, length: number, share: number): Float32Array {
    return Float32Array.from({ length }, () =>
        next() < share ? AWKWARD_FLOATS[below(next, AWKWARD_FLOATS.length)]! : 2 * next() - 1,
    );
}

/** Pairs, side by side, whose dot product, length or equality is a special case of the listings. */
const AWKWARD_PAIRS = [
    // A dot product of -0.
    [0, 0, 0, 1, -1, -0, -0, -0],
    [0, 0, 0, 1, 1, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 1],
    [-0, -0, -0, -0, 0, 0, 0, 0],
    [0, 0, 0, 1, 0, 0, 0, 1],
    [0, 0, 0, 1, -0, -0, -0, -1],
    [0.5, 0.5, 0.5, 0.5, -0.5, -0.5, -0.5, -0.5],
    // The angle of 45 degrees, where the listing's two forms of the arc tangent meet.
    [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2],
    [2 ** -149, 0, 0, 0, 2 ** -149, 0, 0, 0],
    [1e19, 1e19, 1e19, 1e19, 1e19, 1e19, 1e19, 1e19],
    [1e-30, 1e-30, 0, 1, 1e-30, -1e-30, 0, -1],
];

/** Two poses that no animation has: see AWKWARD_FLOATS and AWKWARD_PAIRS, and quaternions of any length. */
export function awkwardPair(next: Next, numJoints: number): { joints: Float32Array; blendJoints: Float32Array } {
    const { joints, blendJoints } = jointQuatPair(next, numJoints);
    for (let i = 0; i < numJoints; i++) {
        const o = i * QUAT_FLOATS;
        const kind = next();
        if (kind < 0.3) {
            const pair = AWKWARD_PAIRS[below(next, AWKWARD_PAIRS.length)]!;
            joints.set(pair.slice(0, 4), o);
            blendJoints.set(pair.slice(4), o);
        } else if (kind < 0.6) {
            joints.set(awkwardFloats(next, QUAT_FLOATS, 0.4), o);
            blendJoints.set(awkwardFloats(next, QUAT_FLOATS, 0.4), o);
        } else if (kind < 0.8) {
            const length = 10 ** (-3 + next() * 6);
            for (let k = o; k < o + 4; k++) {
                joints[k] = joints[k]! * length;
                blendJoints[k] = blendJoints[k]! / (next() < 0.5 ? length : 1);
            }
        }
    }
    return { joints, blendJoints };
}

/** JointMats that are not rotations, or are at the borders between the cases of a conversion. */
export function awkwardMats(next: Next, numJoints: number): Float32Array {
    const mats = jointMats(next, numJoints);
    for (let i = 0; i < numJoints; i++) {
        const o = i * MAT_FLOATS;
        const kind = next();
        if (kind < 0.3) {
            setMat(mats, i, rotation(borderQuaternions(next)), [0, -0, 1]);
        } else if (kind < 0.5) {
            mats.set(awkwardFloats(next, MAT_FLOATS, 0.3), o);
        } else if (kind < 0.6) {
            // Equal diagonals and the zero matrix: every comparison is a tie.
            const d = [0, -0, 1, -1, -1 / 3, 0.5][below(next, 6)]!;
            setMat(mats, i, [d, 0, -0, 0, d, 0.25, 0, -0, d], [1, 2, 3]);
        } else if (kind < 0.7) {
            // A trace of 0 by cancellation.
            setMat(mats, i, [0.5, 0.1, 0.2, 0.3, -0.75, 0.4, 0.5, 0.6, 0.25], [1, 2, 3]);
        }
    }
    return mats;
}

/** Factors on and beside every border that slerpJoints and lerpJoints know. */
export const LERPS = [
    ...[-1, 0, -0, 2 ** -149, 1e-20, 1e-7, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8, 0.3],
    ...[1 - 2 ** -24, 1, 2, Infinity, -Infinity, Number.NaN],
];

/** Those between the borders, where something is interpolated. */
export const INNER_LERPS = LERPS.filter((lerp) => lerp > 0 && lerp < 1);
