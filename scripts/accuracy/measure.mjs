// SPDX-License-Identifier: MIT

/** Runs every implementation on the sets and collects its errors. Unavailable implementations keep their rows, empty. */

import { NOT_IN_DOCUMENTS } from '../lib.mjs';
import { Errors, interpolate, offOrthonormal, rotationOf, transformChain } from './reference.mjs';
import { chain, makeChunk, random, SETS, unitQuaternion, withTranslations } from './sets.mjs';

/** Routines on two lists of quaternions, and what they approximate. */
const BLENDS = {
    slerpQuats: 'slerp',
    slerp: 'slerp',
    slerpTransformed: 'slerp',
    slerpOptimized: 'slerp',
    slerpOptimizedExact: 'slerp',
    lerp: 'lerp',
    lerpQuats: 'lerp',
    slerpQuatsPerQuat: 'slerp',
};
const JOINT_BLENDS = { slerpJoints: 'slerp', slerpJointsPerJoint: 'slerp', lerpJoints: 'lerp' };

/** Those of them that take a list of times, one for each pair. */
const PER_PAIR = ['slerpQuatsPerQuat', 'slerpJointsPerJoint'];

/** The numbers of terms that are measured where they can be chosen. */
const TERMS = [8, 12, 16];

/** What goes through rsqrtps or rcpps, whose results are the CPU's own. */
const BY_CPU = {
    'paper/sse': ['slerpJoints', 'lerpJoints', 'convertJointMatsToJointQuats', 'slerpQuats', 'lerpQuats'],
    'intel/avx': ['slerpQuats'],
};

/** A routine of an implementation, with so many terms: what has a row in the document. */
export function variants(library, routine) {
    return library
        .implementations()
        .filter(({ name, routines }) => routines.includes(routine) && !NOT_IN_DOCUMENTS.includes(name))
        .flatMap(({ name, available, reason, maxTerms }) =>
            // Of Eberly's routines only the polynomial has terms to choose.
            (maxTerms && routine !== 'slerp' ? TERMS : [undefined]).map((terms) => ({
                routine,
                name,
                terms,
                label: terms === undefined ? name : `${name}, ${terms} terms`,
                byCpu: BY_CPU[name]?.includes(routine) ?? false,
                ...(available ? { run: library.implementation(name, { terms })[routine] } : { reason }),
            })),
        );
}

/** A row of the document: what it is, and its numbers where it ran. */
const asRow = ({ routine, label, byCpu, reason }, numbers) => ({
    routine,
    label,
    byCpu,
    ...(reason === undefined ? numbers : { reason }),
});

/**
 * The lists of a chunk, as the arguments of a call; `result` is the same for all. The same again with its time for each
 * pair of a list: `perPair`.
 */
export function calls({ pairs, from, to, times }) {
    const result = new Float32Array(pairs * 4);
    const list = (pairs / times.length) * 4;
    const lists = Array.from(times, (t, i) => {
        const [first, end] = [i * list, (i + 1) * list];
        return [result.subarray(first, end), from.subarray(first, end), to.subarray(first, end), t];
    });
    const perPair = lists.map(([to0, from0, from1, t]) => [to0, from0, from1, new Float32Array(list / 4).fill(t)]);
    return { result, lists, perPair };
}

/** Runs a routine on all lists of a chunk. */
function runOn({ routine, run }, { lists, perPair }) {
    for (const args of PER_PAIR.includes(routine) ? perPair : lists) run(...args);
}

/** Errors of slerps and lerps on the sets (a) to (d), and how far a lerp is from the slerp. */
export function measureBlends(library, quick, log) {
    const blends = Object.keys(BLENDS).flatMap((routine) => variants(library, routine));
    const jointBlends = Object.keys(JOINT_BLENDS).flatMap((routine) => variants(library, routine));
    const errors = new Map([...blends, ...jointBlends].map((variant) => [variant, {}]));
    const translation = new Map(jointBlends.map((variant) => [variant, 0]));
    const lerpFromSlerp = new Errors();
    const [sse, c] = ['paper/sse', 'paper/c'].map((name) => blends.find((variant) => variant.name === name));
    let sseFromC = 0;
    for (const [set, { chunks }] of Object.entries(SETS)) {
        log(`set (${set})`);
        for (const measured of errors.values()) measured[set] = new Errors();
        const next = random(0x7e57);
        for (const chunk of chunks(quick)) {
            const right = { slerp: interpolate(chunk, 'slerp'), lerp: interpolate(chunk, 'lerp') };
            if (set === 'a') lerpFromSlerp.add(right.lerp.right, 4, right.slerp);
            const list = calls(chunk);
            const { result } = list;
            for (const variant of blends) {
                if (!variant.run) continue;
                runOn(variant, list);
                errors.get(variant)[set].add(result, 4, right[BLENDS[variant.routine]]);
            }
            if (set === 'a' && sse.run && c.run) {
                const [inSse, inC] = [sse, c].map((variant) => {
                    runOn(variant, list);
                    return result.slice();
                });
                // Save where rounding decides which way round is shorter.
                for (let i = 0; i < result.length; i++) {
                    if (!right.slerp.other.has(i >> 2)) sseFromC = Math.max(sseFromC, Math.abs(inSse[i] - inC[i]));
                }
            }
            const { joints, blendJoints } = withTranslations(chunk, next);
            for (const variant of jointBlends) {
                if (!variant.run) continue;
                const blended = joints.slice();
                const list8 = (chunk.pairs / chunk.times.length) * 8;
                chunk.times.forEach((t, i) => {
                    const [first, end] = [i * list8, (i + 1) * list8];
                    const times = PER_PAIR.includes(variant.routine) ? new Float32Array(list8 / 8).fill(t) : t;
                    variant.run(blended.subarray(first, end), blendJoints.subarray(first, end), times);
                });
                errors.get(variant)[set].add(blended, 8, right[JOINT_BLENDS[variant.routine]]);
                const worst = translationError(blended, joints, blendJoints, chunk.times, list8);
                translation.set(variant, Math.max(translation.get(variant), worst));
            }
        }
    }
    return {
        rows: [...errors].map(([variant, sets]) =>
            asRow(variant, {
                sets,
                ...(translation.has(variant) ? { translation: translation.get(variant) } : {}),
            }),
        ),
        lerpFromSlerp,
        sseFromC: sse.run && c.run ? sseFromC : undefined,
    };
}

/** The greatest error of any component of a translation, relative to the greater of the two that it lies between. */
function translationError(blended, joints, blendJoints, times, list) {
    let worst = 0;
    for (let o = 0; o < blended.length; o += 8) {
        const t = times[Math.floor(o / list)];
        for (let k = o + 4; k < o + 8; k++) {
            const [a, b] = [joints[k], blendJoints[k]];
            const size = Math.max(Math.abs(a), Math.abs(b));
            const error = Math.abs(blended[k] - (a + (b - a) * t)) / size;
            if (size > 0 && !(error <= worst)) worst = error;
        }
    }
    return worst;
}

/** normalizeJoints of quaternions of all lengths from 0.5 to 3: errors against the exact quotients. */
export function measureNormalization(library, quick) {
    const all = variants(library, 'normalizeJoints');
    const errors = new Map(all.map((variant) => [variant, new Errors()]));
    const next = random(0x4012);
    const q = new Float64Array(4);
    const joints = 40_000;
    for (let chunk = 0; chunk < (quick ? 1 : 100); chunk++) {
        const list = new Float32Array(joints * 8);
        const right = new Float64Array(joints * 4);
        for (let i = 0; i < joints; i++) {
            unitQuaternion(next, q);
            const length = 0.5 + 2.5 * next();
            for (let k = 0; k < 4; k++) list[i * 8 + k] = q[k] * length;
            const exact = Math.hypot(...list.subarray(i * 8, i * 8 + 4));
            for (let k = 0; k < 4; k++) right[i * 4 + k] = list[i * 8 + k] / exact;
        }
        for (const variant of all) {
            if (!variant.run) continue;
            const normalized = list.slice();
            variant.run(normalized);
            errors.get(variant).add(normalized, 8, { right, other: new Map() });
        }
    }
    return all.map((variant) => asRow(variant, { errors: errors.get(variant) }));
}

/** The functions of one float, on inputs of all sizes that they are made for. */
export function measureFunctions(library, quick) {
    const count = quick ? 40_000 : 4_000_000;
    const next = random(0xf0);
    // A binade pair: the error depends on nothing else.
    const binades = Float32Array.from({ length: count }, (_, i) => 1 + (3 * i) / count);
    const angles = Float32Array.from({ length: count }, (_, i) => ((Math.PI / 2) * i) / (count - 1));
    const [y, x] = [new Float32Array(count), new Float32Array(count)];
    for (let i = 0; i < count; i++) {
        const angle = (Math.PI / 2) * next();
        const size = 10 ** (6 * next() - 3);
        [y[i], x[i]] = [Math.abs(Math.sin(angle)) * size, Math.abs(Math.cos(angle)) * size];
    }
    const functions = {
        reciprocalSqrt: { args: [binades], error: (r, i) => Math.abs(r * Math.sqrt(binades[i]) - 1) },
        sinZeroHalfPI: { args: [angles], error: (r, i) => Math.abs(r - Math.sin(angles[i])) },
        atanPositive: { args: [y, x], error: (r, i) => Math.abs(r - Math.atan2(y[i], x[i])) },
    };
    return Object.entries(functions).flatMap(([routine, { args, error }]) =>
        variants(library, routine).map((variant) => {
            if (!variant.run) return asRow(variant);
            const result = new Float32Array(count);
            variant.run(result, ...args);
            let [max, squares] = [0, 0];
            for (let i = 0; i < count; i++) {
                const off = error(result[i], i);
                if (!(off <= max)) max = off;
                squares += off * off;
            }
            return asRow(variant, { max, rms: Math.sqrt(squares / count) });
        }),
    );
}

/**
 * The polynomials of sine and arc tangent in double precision, coefficients as printed: what the paper's figures for
 * them are about. `sine` is by the fifth coefficient, which the paper prints with a 6 too many.
 */
export function measurePolynomials() {
    const horner = (coefficients, s) => coefficients.reduce((sum, c) => sum * s + c, 0);
    const sine = (c4) => (a) =>
        horner([-2.39e-8, 2.7526e-6, -1.98409e-4, 8.3333315e-3, c4, 1], a * a) * a - Math.sin(a);
    const ATAN = [
        0.0028662257, -0.0161657367, 0.0429096138, -0.07528964, 0.1065626393, -0.1420889944, 0.1999355085,
        -0.3333314528, 1,
    ];
    const atan = (a) => horner(ATAN, a * a) * a - Math.atan(a);
    const greatest = (error, end) => {
        let max = 0;
        for (let i = 0; i <= 1e5; i++) max = Math.max(max, Math.abs(error((end * i) / 1e5)));
        return max;
    };
    return {
        sine: greatest(sine(-1.666666664e-1), Math.PI / 2),
        sineAsPrinted: greatest(sine(-1.6666666664e-1), Math.PI / 2),
        atan: greatest(atan, 1),
    };
}

/** Quaternions to matrices, and to matrices and back; where an implementation has one way only, TypeScript's is the other. */
export function measureConversions(library, quick) {
    const toMats = variants(library, 'convertJointQuatsToJointMats');
    const toQuats = variants(library, 'convertJointMatsToJointQuats');
    const there = new Map(toMats.map((variant) => [variant, { max: 0, orthonormal: 0 }]));
    const back = new Map(toQuats.map((variant) => [variant, new Errors()]));
    const otherWay = library.implementation('paper/typescript').convertJointQuatsToJointMats;
    const wayThere = (name) => toMats.find((variant) => variant.name === name)?.run ?? otherWay;
    const next = random(0xc0);
    const q = new Float64Array(4);
    const pairs = 40_000;
    for (let chunk = 0; chunk < (quick ? 1 : 100); chunk++) {
        const quats = new Float32Array(pairs * 8);
        for (let o = 0; o < quats.length; o += 8) {
            unitQuaternion(next, q);
            quats.set(q, o);
        }
        const right = new Float64Array(pairs * 4);
        const negative = new Map();
        for (let i = 0; i < pairs; i++) {
            right.set(quats.subarray(i * 8, i * 8 + 4), i * 4);
            // Either sign is right.
            negative.set(
                i,
                right.slice(i * 4, i * 4 + 4).map((x) => -x),
            );
        }
        const mats = new Float32Array(pairs * 12);
        for (const variant of toMats) {
            if (!variant.run) continue;
            variant.run(mats, quats);
            const worst = there.get(variant);
            for (let i = 0; i < pairs; i++) {
                const [x, y, z, w] = right.subarray(i * 4, i * 4 + 4);
                const rotation = rotationOf(x, y, z, w);
                for (let k = 0; k < 9; k++) {
                    const error = Math.abs(mats[i * 12 + Math.floor(k / 3) * 4 + (k % 3)] - rotation[k]);
                    if (!(error <= worst.max)) worst.max = error;
                }
                worst.orthonormal = Math.max(worst.orthonormal, offOrthonormal(mats, i * 12));
            }
        }
        const returned = new Float32Array(pairs * 8);
        for (const variant of toQuats) {
            if (!variant.run) continue;
            wayThere(variant.name)(mats, quats);
            variant.run(returned, mats);
            back.get(variant).add(returned, 8, { right, other: negative });
        }
    }
    return {
        toMats: toMats.map((variant) => asRow(variant, there.get(variant))),
        roundTrip: toQuats.map((variant) => asRow(variant, { errors: back.get(variant) })),
    };
}

/** The lengths of chains whose drift is measured. */
export const CHAINS = [64, 256, 1024];

/** What transformSkeleton adds up along chains of bones of length 1: the worst joint of each length. */
export function measureChains(library, quick) {
    const all = variants(library, 'transformSkeleton');
    const longest = Math.max(...CHAINS);
    const worst = new Map(
        all.map((variant) => [
            variant,
            ['rotation', 'orthonormal', 'translation'].map(() => new Float64Array(longest)),
        ]),
    );
    const next = random(0xcaa1);
    const { convertJointQuatsToJointMats } = library.implementation('paper/typescript');
    const mats = new Float32Array(longest * 12);
    const parents = Int32Array.from({ length: longest }, (_, i) => i - 1);
    for (let k = 0; k < (quick ? 10 : 200); k++) {
        convertJointQuatsToJointMats(mats, chain(next, longest));
        const right = transformChain(mats);
        for (const variant of all) {
            if (!variant.run) continue;
            const m = mats.slice();
            variant.run(m, parents);
            const [rotation, orthonormal, translation] = worst.get(variant);
            for (let i = 0; i < longest; i++) {
                for (let e = 0; e < 12; e++) {
                    const error = Math.abs(m[i * 12 + e] - right[i * 12 + e]);
                    const list = e % 4 === 3 ? translation : rotation;
                    if (!(error <= list[i])) list[i] = error;
                }
                orthonormal[i] = Math.max(orthonormal[i], offOrthonormal(m, i * 12));
            }
        }
    }
    return all.map((variant) => {
        // The worst up to each joint.
        const [rotation, orthonormal, translation] = worst.get(variant).map((list) => {
            for (let i = 1; i < longest; i++) list[i] = Math.max(list[i], list[i - 1]);
            return list;
        });
        const at = CHAINS.map((joints) => ({
            joints,
            rotation: rotation[joints - 1],
            orthonormal: orthonormal[joints - 1],
            translation: translation[joints - 1],
        }));
        return asRow(variant, { chains: at, curve: { rotation, translation } });
    });
}

/** What a plot shows of slerp: one implementation of each algorithm, the first that runs here. */
const PLOTTED = [
    { routine: 'slerpOptimized', name: /^paper\/c$/, as: 'SlerpOptimized as published' },
    { routine: 'slerpQuats', name: /^eberly\//, terms: 8, as: 'eberly, 8 terms' },
    { routine: 'slerpQuats', name: /^eberly\//, terms: 12, as: 'eberly, 12 terms' },
    { routine: 'slerpQuats', name: /^eberly\//, terms: 16, as: 'eberly, 16 terms' },
    { routine: 'slerpQuats', name: /^paper\/sse$/ },
    { routine: 'slerpQuats', name: /^intel\/avx$/ },
    { routine: 'slerpQuats', name: /^paper\/c$/ },
    { routine: 'slerpQuats', name: /^strict\//, as: 'strict' },
    { routine: 'slerpQuats', name: /^fast\//, as: 'fast' },
];

/** For each plotted algorithm the greatest error on each chunk: points [x, error], where `chunks` are [x, chunk]. */
function curves(library, chunks) {
    const rights = chunks.map(([, chunk]) => interpolate(chunk, 'slerp'));
    return PLOTTED.flatMap(({ routine, name, terms, as }) => {
        const variant = variants(library, routine).find(
            (found) => found.run && name.test(found.name) && found.terms === terms,
        );
        if (!variant) return [];
        const points = chunks.map(([x, chunk], index) => {
            const { result, lists } = calls(chunk);
            for (const args of lists) variant.run(...args);
            const errors = new Errors();
            errors.add(result, 4, rights[index]);
            return [x, errors.max];
        });
        return [{ name: as ?? variant.name, points }];
    });
}

/** The greatest error at each of `angles`. */
export function measureByAngle(library, angles) {
    const chunks = angles.map((angle, index) => {
        const next = random(0xd10 + index);
        // Not the ends, which some implementations copy.
        const times = Float32Array.from({ length: 63 }, (_, k) => (k + 1) / 64);
        return [angle, makeChunk(next, times, () => angle)];
    });
    return curves(library, chunks);
}

/** The greatest error where every length is off by one of `offsets`. */
export function measureByLength(library, offsets) {
    const chunks = offsets.map((offset, index) => {
        const next = random(0x1e6 + index);
        const times = Float32Array.from({ length: 150 }, next);
        const length = () => 1 + (next() < 0.5 ? offset : -offset);
        return [offset, makeChunk(next, times, () => Math.PI * next(), length)];
    });
    return curves(library, chunks);
}

/** The times outside of 0 … 1 that are measured. */
export const TIMES_OUTSIDE = [-0.5, -1e-3, 1.001, 1.5, 2, 2.5, 5.5];

/** What becomes of `t` outside of 0 … 1: a copy of `from` or `to`, or how far from the slerp that goes on. */
export function measureOutside(library, quick) {
    const chunks = TIMES_OUTSIDE.map((t, index) => {
        const next = random(0x0d5 + index);
        return makeChunk(next, new Float32Array(quick ? 3 : 300).fill(t), () => Math.PI * next());
    });
    const rights = chunks.map((chunk) => interpolate(chunk, 'slerp'));
    return variants(library, 'slerpQuats').map((variant) => {
        if (!variant.run) return asRow(variant);
        const times = chunks.map((chunk, index) => {
            const { result, lists } = calls(chunk);
            for (const args of lists) variant.run(...args);
            if (Buffer.compare(Buffer.from(result.buffer), Buffer.from(chunk.from.buffer)) === 0)
                return 'copies `from`';
            if (Buffer.compare(Buffer.from(result.buffer), Buffer.from(chunk.to.buffer)) === 0) return 'copies `to`';
            const errors = new Errors();
            errors.add(result, 4, rights[index]);
            return errors.max;
        });
        return asRow(variant, { times });
    });
}
