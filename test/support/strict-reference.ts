// SPDX-License-Identifier: MIT

/**
 * The strict orders of operations (docs/tables/strict-orders.md) written out in the plainest way: one joint at a time, one operation
 * at a time, nothing shared with the library. Slow; what every `strict` implementation has to give, bit for bit.
 */

type Four = [x: number, y: number, z: number, w: number];

const { abs, fround: f, max, sqrt } = Math;
const add = (a: number, b: number) => f(a + b);
const sub = (a: number, b: number) => f(a - b);
const mul = (a: number, b: number) => f(a * b);
const div = (a: number, b: number) => f(a / b);

/** Coefficients as they were fitted: row k for the power k of y = 1 - |cos|, column j for the power j of T = t². */
const rows = (text: string) =>
    text
        .trim()
        .split('\n')
        .map((row) => row.split(',').map(Number));

export const PS9 = rows(`
    0.33333574930664744, -4.9039831493427254e-06, 8.3011199592166737e-06, -2.4259627665548324e-06
    0.13324347592192365, -0.033156851410011193, -0.00030071853739556604, 9.9856324860090774e-05
    0.058286712180681412, -0.022790225338583273, 0.0052606297312550628, -0.0013398808867669631
    0.018322737995900965, 0.0019233956729276943, -0.020203658840820624, 0.0083904546260897724
    0.035937653042467529, -0.046550844623219206, 0.069590620925444796, -0.028638228460019836
    -0.04430929203209924, 0.075465356839809761, -0.12691374427992266, 0.05523504425537118
    0.06227067855533238, -0.087655170335460789, 0.13598063519176001, -0.060885342381588194
    -0.038920391904946554, 0.05158152944130287, -0.077367230775793966, 0.035534544174875546
    0.012628955780755454, -0.013979397969644395, 0.018466776504360585, -0.0085449829024026487
`);

export const PQ8 = rows(`
    0.33331755059224022, 0.00011415801182723537, -0.00029598825425359633, 0.00021651785952358694
    0.13361292152213147, -0.034423779489110795, 0.0024512526825789097, -0.0016885817261306402
    0.054670127153946181, -0.016007899203018781, -0.0057285383577867048, 0.0043801918747075012
    0.037441217005803773, -0.023636169401216302, 0.011751914795362564, -0.0045864043181374639
    -0.021420356839498066, 0.020209526283814588, -0.0072742717652285269, 0.0015303402055108675
    0.056276578781073172, -0.035825325331326666, 0.0036134028935629094, 0
    -0.03991143882833427, 0.023628876307986442, 0, 0
    0.016809452228269729, -0.0092250939720259217, 0, 0
`);

const dot = ([ax, ay, az, aw]: Four, [bx, by, bz, bw]: Four) =>
    add(add(mul(ax, bx), mul(az, bz)), add(mul(ay, by), mul(aw, bw)));

/** y = max(0, 1 - |c|), where a NaN stays one. */
function fromOne(c: number): number {
    return max(0, sub(1, abs(c)));
}

/** What both slerps and lerp do with their weights `u` and `m` and the smaller of the times, `t`. */
function mix(from: Four, to: Four, c: number, swap: boolean, u: number, m: number): Four {
    const base = swap ? to : from;
    const other = swap ? from : to;
    const flipped = c < 0 ? -u : u;
    const r = base.map((b, k) => add(b, sub(mul(flipped, other[k]!), mul(m, b))));
    return (swap && c < 0 ? r.map((x) => -x) : r) as Four;
}

const isSwapped = (t: number) => t > 0.5;
const smallerTime = (t: number) => (isSwapped(t) ? sub(1, t) : t);

/** The weight polynomials for one t in a whole call: in double, each coefficient rounded once. */
function uniformWeights(t: number): { U: number[]; V: number[] } {
    const d = 1 - t;
    const T = t * t;
    const D = d * d;
    const p = t * d;
    const gU = p * (1 + t);
    const gV = p * (1 + d);
    const U: number[] = [];
    const V: number[] = [];
    for (const row of PS9) {
        let bU = row[3]!;
        let bV = row[3]!;
        for (const j of [2, 1, 0]) {
            bU = bU * T;
            bU = bU + row[j]!;
            bV = bV * D;
            bV = bV + row[j]!;
        }
        U.push(f(gU * bU));
        V.push(f(gV * bV));
    }
    return { U, V };
}

/** Coefficients from the lowest power up, evaluated from the highest down. */
function horner(coefficients: readonly number[], x: number): number {
    let sum = coefficients[coefficients.length - 1]!;
    for (let k = coefficients.length - 2; k >= 0; k--) sum = add(mul(sum, x), coefficients[k]!);
    return sum;
}

/** One slerp where 0 < t < 1 is that of a whole call. */
function uniformSlerp(from: Four, to: Four, time: number): Four {
    const swap = isSwapped(time);
    const t = smallerTime(time);
    const { U, V } = uniformWeights(t);
    const c = dot(from, to);
    const y = fromOne(c);
    const u = add(t, mul(horner(U, y), y));
    const m = sub(t, mul(horner(V, y), y));
    return mix(from, to, c, swap, u, m);
}

/** Column j of PQ8 in float32, without the zeros at its end. */
const column = (j: number) => PQ8.map((row) => f(row[j]!)).filter((b) => b !== 0);
const COLUMNS = [0, 1, 2, 3].map(column);

/** One slerp where 0 < t < 1 is its own. */
function ownSlerp(from: Four, to: Four, time: number): Four {
    const swap = isSwapped(time);
    const t = smallerTime(time);
    const c = dot(from, to);
    const y = fromOne(c);
    const q = COLUMNS.map((coefficients) => horner(coefficients, y));
    const d = sub(1, t);
    const T = mul(t, t);
    const D = mul(d, d);
    const p = mul(mul(t, d), y);
    const hU = horner(q, T);
    const hV = horner(q, D);
    const u = add(t, mul(mul(p, add(1, t)), hU));
    const m = sub(t, mul(mul(p, add(1, d)), hV));
    return mix(from, to, c, swap, u, m);
}

function normalised(v: Four): Four {
    const n = dot(v, v);
    const length = n === 0 ? 1 : f(sqrt(n));
    return v.map((x) => div(x, length)) as Four;
}

/** One normalised lerp, 0 < t < 1. */
function unitLerp(from: Four, to: Four, time: number): Four {
    const t = smallerTime(time);
    return normalised(mix(from, to, dot(from, to), isSwapped(time), t, t));
}

/** A translation, all four floats: the mix with equal weights, and a cosine that flips nothing. */
function translationMix(from: Four, to: Four, time: number): Four {
    const t = smallerTime(time);
    return mix(from, to, 0, isSwapped(time), t, t);
}

type Blend = (from: Four, to: Four, t: number) => Four;

const four = (list: Float32Array, o: number) => [list[o]!, list[o + 1]!, list[o + 2]!, list[o + 3]!] as Four;

/** The rule for t <= 0, t >= 1 and NaN, which all blends share. */
function blended(blend: Blend, from: Four, to: Four, time: number): Four {
    const t = f(time);
    if (t <= 0) return from;
    if (t >= 1 || Number.isNaN(t)) return to;
    return blend(from, to, t);
}

function blendJoint(blend: Blend, joints: Float32Array, blendJoints: Float32Array, joint: number, t: number): void {
    const o = joint * 8;
    joints.set(blended(blend, four(joints, o), four(blendJoints, o), t), o);
    joints.set(blended(translationMix, four(joints, o + 4), four(blendJoints, o + 4), t), o + 4);
}

const named = (index: Int32Array | null, numJoints: number) =>
    index === null ? [...Array(numJoints).keys()] : [...index.subarray(0, numJoints)];

const blendJointsBy =
    (blend: Blend) =>
    (joints: Float32Array, blendJoints: Float32Array, t: number, index: Int32Array | null, numJoints: number): void => {
        for (const joint of named(index, numJoints)) blendJoint(blend, joints, blendJoints, joint, t);
    };

const blendQuatsBy =
    (blend: Blend) =>
    (result: Float32Array, from: Float32Array, to: Float32Array, t: number, count: number): void => {
        for (let o = 0; o < count * 4; o += 4) result.set(blended(blend, four(from, o), four(to, o), t), o);
    };

const slerpJoints = blendJointsBy(uniformSlerp);
const lerpJoints = blendJointsBy(unitLerp);
const slerpQuats = blendQuatsBy(uniformSlerp);
const lerpQuats = blendQuatsBy(unitLerp);

function slerpJointsPerJoint(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerps: Float32Array,
    index: Int32Array | null,
    numJoints: number,
): void {
    for (const joint of named(index, numJoints)) blendJoint(ownSlerp, joints, blendJoints, joint, lerps[joint]!);
}

function slerpQuatsPerQuat(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: Float32Array,
    count: number,
): void {
    for (let i = 0; i < count; i++) result.set(blended(ownSlerp, four(from, i * 4), four(to, i * 4), t[i]!), i * 4);
}

function slerpQuatTimes(result: Float32Array, q0: Float32Array, q1: Float32Array, t: Float32Array): void {
    const from = four(q0, 0);
    const to = four(q1, 0);
    for (let i = 0; i < t.length; i++) result.set(blended(ownSlerp, from, to, t[i]!), i * 4);
}

function normalizeJoints(joints: Float32Array, index: Int32Array | null, numJoints: number): void {
    for (const joint of named(index, numJoints)) joints.set(normalised(four(joints, joint * 8)), joint * 8);
}

type Convention = 'id' | 'gltf';

function convertJointQuatsToJointMats(
    jointMats: Float32Array,
    jointQuats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    for (let i = 0; i < numJoints; i++) {
        const [x, y, z, givenW] = four(jointQuats, i * 8);
        const [tx, ty, tz] = four(jointQuats, i * 8 + 4);
        const w = convention === 'gltf' ? -givenW : givenW;
        const x2 = add(x, x);
        const y2 = add(y, y);
        const z2 = add(z, z);
        const xx2 = mul(x, x2);
        const xy2 = mul(x, y2);
        const xz2 = mul(x, z2);
        const yy2 = mul(y, y2);
        const yz2 = mul(y, z2);
        const zz2 = mul(z, z2);
        const wx2 = mul(w, x2);
        const wy2 = mul(w, y2);
        const wz2 = mul(w, z2);
        jointMats.set([sub(sub(1, zz2), yy2), add(xy2, wz2), sub(xz2, wy2), tx], i * 12);
        jointMats.set([sub(xy2, wz2), sub(sub(1, zz2), xx2), add(yz2, wx2), ty], i * 12 + 4);
        jointMats.set([add(xz2, wy2), sub(yz2, wx2), sub(sub(1, xx2), yy2), tz], i * 12 + 8);
    }
}

function convertJointMatsToJointQuats(
    jointQuats: Float32Array,
    jointMats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    for (let i = 0; i < numJoints; i++) {
        const [m00, m01, m02, m03] = four(jointMats, i * 12);
        const [m10, m11, m12, m13] = four(jointMats, i * 12 + 4);
        const [m20, m21, m22, m23] = four(jointMats, i * 12 + 8);
        const sign = convention === 'gltf' ? -1 : 1;
        const dx = mul(sign, sub(m12, m21));
        const dy = mul(sign, sub(m20, m02));
        const dz = mul(sign, sub(m01, m10));
        const sxy = add(m01, m10);
        const sxz = add(m02, m20);
        const syz = add(m12, m21);
        const trace = add(add(m00, m11), m22);
        const own = (t: number) => {
            const r = f(sqrt(t));
            return { half: mul(0.5, r), h: div(0.5, r) };
        };
        let q: Four;
        if (trace >= 0) {
            const { half, h } = own(add(trace, 1));
            q = [mul(dx, h), mul(dy, h), mul(dz, h), half];
        } else if (m00 >= m11 && m00 >= m22) {
            const { half, h } = own(add(add(add(m00, -m11), -m22), 1));
            q = [half, mul(sxy, h), mul(sxz, h), mul(dx, h)];
        } else if (m11 >= m22) {
            const { half, h } = own(add(add(add(-m00, m11), -m22), 1));
            q = [mul(sxy, h), half, mul(syz, h), mul(dy, h)];
        } else {
            const { half, h } = own(add(add(add(-m00, -m11), m22), 1));
            q = [mul(sxz, h), mul(syz, h), half, mul(dz, h)];
        }
        jointQuats.set([...q, m03, m13, m23, 0], i * 8);
    }
}

type Rows = readonly [Four, Four, Four];
const mat = (mats: Float32Array, i: number): Rows => [
    four(mats, i * 12),
    four(mats, i * 12 + 4),
    four(mats, i * 12 + 8),
];

/** b times a, the last row (0 0 0 1) implied. */
function product(b: Rows, a: Rows): number[] {
    return b.flatMap((row) =>
        [0, 1, 2, 3].map((col) => {
            const sum = add(add(mul(row[0], a[0][col]!), mul(row[1], a[1][col]!)), mul(row[2], a[2][col]!));
            return col < 3 ? sum : add(sum, row[3]);
        }),
    );
}

function transformJoints(result: Float32Array, joints1: Float32Array, joints2: Float32Array, numJoints: number): void {
    for (let i = 0; i < numJoints; i++) result.set(product(mat(joints1, i), mat(joints2, i)), i * 12);
}

function transformSkeleton(mats: Float32Array, parents: Int32Array, firstJoint: number, lastJoint: number): void {
    for (let i = firstJoint; i <= lastJoint; i++) {
        if (parents[i] !== -1) mats.set(product(mat(mats, parents[i]!), mat(mats, i)), i * 12);
    }
}

function untransformSkeleton(mats: Float32Array, parents: Int32Array, firstJoint: number, lastJoint: number): void {
    for (let i = lastJoint; i >= firstJoint; i--) {
        if (parents[i] === -1) continue;
        const b = mat(mats, parents[i]!);
        const a = mat(mats, i).map((row, r) => [row[0], row[1], row[2], sub(row[3], b[r]![3])]);
        const transposed = [0, 1, 2].flatMap((row) =>
            [0, 1, 2, 3].map((col) =>
                add(add(mul(b[0][row]!, a[0]![col]!), mul(b[1][row]!, a[1]![col]!)), mul(b[2][row]!, a[2]![col]!)),
            ),
        );
        mats.set(transposed, i * 12);
    }
}

/** All routines, with the arguments of `strictKernels`. */
export const strictReference = {
    slerpJoints,
    slerpJointsPerJoint,
    lerpJoints,
    normalizeJoints,
    convertJointQuatsToJointMats,
    convertJointMatsToJointQuats,
    transformSkeleton,
    untransformSkeleton,
    transformJoints,
    slerpQuats,
    slerpQuatsPerQuat,
    slerpQuatTimes,
    lerpQuats,
};
