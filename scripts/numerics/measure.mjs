// SPDX-License-Identifier: MIT

/** What docs/numerics.md says in numbers: the coefficients, the forms, every slerp, and what goes wrong elsewhere. */

import { calls, variants } from '../accuracy/measure.mjs';
import { Errors, interpolate } from '../accuracy/reference.mjs';
import { makeChunk, SETS as PAIRS, random, unitQuaternion } from '../accuracy/sets.mjs';
import { SETS } from './coefficients.mjs';
import { leastGreatestError, weight } from './fit.mjs';
import { exactWeights, lerpForm, perPairMix, perPairScales, uniformMix, uniformScales } from './forms.mjs';
import { estimatesOf, otherSlerps, throughEstimates, worstEstimates } from './others.mjs';

const f = Math.fround;

/** Four digits: what a table prints, and one more. */
const short = (value) => (Number.isFinite(value) ? Number(value.toPrecision(4)) : String(value));

// ---- Coefficients ---------------------------------------------------------------------------------------------------

function polynomial(B, t, y) {
    const T = t * t;
    let sum = 0;
    for (let k = B.length - 1; k >= 0; k--) {
        let row = 0;
        for (let j = B[k].length - 1; j >= 0; j--) row = row * T + B[k][j];
        sum = (sum + row) * y;
    }
    return t + t * (1 - T) * sum;
}

/** The greatest error of each set in double precision on a grid: of the weight, and of the vector that both weights give. */
export function measureCoefficients(quick) {
    const steps = quick ? 100 : 500;
    return Object.entries(SETS).map(([name, B]) => {
        let [ofWeight, ofVector, atEnds] = [0, 0, 0];
        for (let i = 0; i <= 2 * steps; i++) {
            const y = i / (2 * steps);
            const errors = Float64Array.from({ length: steps + 1 }, (_, k) => {
                const t = k / steps;
                return polynomial(B, t, y) - weight(t, y);
            });
            errors.forEach((e1, k) => {
                const e0 = errors[steps - k];
                ofWeight = Math.max(ofWeight, Math.abs(e1));
                ofVector = Math.max(ofVector, Math.sqrt(Math.max(e0 * e0 + e1 * e1 + 2 * (1 - y) * e0 * e1, 0)));
            });
            atEnds = Math.max(atEnds, Math.abs(polynomial(B, 0, y)), Math.abs(polynomial(B, 1, y) - 1));
        }
        const numbers = B.flat().filter((value) => value !== 0).length;
        return { name, degree: B.length, numbers, weight: short(ofWeight), vector: short(ofVector), atEnds };
    });
}

/** What is possible: by the degree of y, and by that of T. */
export function measureFits() {
    const fits = [...[3, 4, 5, 6, 7, 8, 9].map((degree) => [degree, 3]), [8, 2], [8, 4], [9, 2], [9, 4], [10, 4]];
    return fits.map(([degree, degreeOfT]) => ({
        degree,
        degreeOfT,
        weight: Number(leastGreatestError(degree, Array(degree).fill(degreeOfT)).toPrecision(2)),
    }));
}

// ---- Forms ----------------------------------------------------------------------------------------------------------

/** Additions and multiplications for a pair, and the maximum with 0: dot product, y, polynomials, weights, combination. */
const FLOPS = {
    uniformMix: (n) => 7 + 2 + 2 * 2 * (n - 1) + 4 + 16,
    uniformScales: (n) => 7 + 2 + 2 * 2 * (n - 1) + 5 + 12,
    // t' and what is made of it alone are left out, as above, though there is one for each pair.
    perPairMix: (B) => 7 + 2 + sharedFlops(B) + 1 + 12 + 6 + 16,
    perPairScales: (B) => 7 + 2 + sharedFlops(B) + 1 + 12 + 6 + 12,
};

function sharedFlops(B) {
    return [0, 1, 2, 3].reduce((sum, j) => sum + 2 * (B.filter((row) => row[j] !== 0).length - 1), 0);
}

export const FORMS = [
    { name: 'PSd9', chosen: 'uniform', run: uniformMix(SETS.PS9), flops: FLOPS.uniformMix(9) },
    { name: 'PSd9 without swap', run: uniformMix(SETS.PS9, false), flops: FLOPS.uniformMix(9) },
    { name: 'PSd8', run: uniformMix(SETS.PS8), flops: FLOPS.uniformMix(8) },
    { name: 'PSd7', run: uniformMix(SETS.PS7), flops: FLOPS.uniformMix(7) },
    { name: 'PS9', run: uniformScales(SETS.PS9), flops: FLOPS.uniformScales(9) },
    { name: 'PS8', run: uniformScales(SETS.PS8), flops: FLOPS.uniformScales(8) },
    { name: 'PS7', run: uniformScales(SETS.PS7), flops: FLOPS.uniformScales(7) },
    { name: 'PQ8, mix', chosen: 'perPair', run: perPairMix(SETS.PQ8), flops: FLOPS.perPairMix(SETS.PQ8) },
    { name: 'PQ8, two weights', run: perPairScales(SETS.PQ8), flops: FLOPS.perPairScales(SETS.PQ8) },
    { name: 'PQ7, mix', run: perPairMix(SETS.PQ7), flops: FLOPS.perPairMix(SETS.PQ7) },
    { name: 'exact weights, mix', run: exactWeights(true), flops: null },
    { name: 'exact weights, two weights', run: exactWeights(false), flops: null },
];

const LERPS = [
    { name: 'mix, four divisions', chosen: 'uniform', run: lerpForm({ mixed: true, divided: true }) },
    { name: 'mix, one reciprocal and four multiplications', run: lerpForm({ mixed: true, divided: false }) },
    { name: 'two weights, four divisions', run: lerpForm({ mixed: false, divided: true }) },
    { name: 'two weights, one reciprocal', run: lerpForm({ mixed: false, divided: false }) },
];

/** Runs each of `subjects` on the sets; `errors` of each by set. */
function onPairs(subjects, sets, kind, quick, log, each = () => {}) {
    const errors = subjects.map(() => ({}));
    for (const set of sets) {
        log(`${kind}: set (${set})`);
        for (const of of errors) of[set] = new Errors();
        for (const chunk of PAIRS[set].chunks(quick)) {
            const right = interpolate(chunk, kind);
            const results = subjects.map(({ run }, k) => {
                const { result, lists } = calls(chunk);
                for (const args of lists) run(...atEdges(args));
                errors[k][set].add(result, 4, right);
                return result;
            });
            each(set, chunk, results, right);
        }
    }
    return errors;
}

/** Forms are made for 0 < t < 1. At the ends everything copies, which is no property of a form. */
function atEdges([result, from, to, t]) {
    return [result, from, to, t === 0 ? 2 ** -30 : t === 1 ? 1 - 2 ** -24 : t];
}

const figures = (errors) =>
    Object.fromEntries(
        Object.entries(errors).map(([set, { max, rms, rotation, length }]) => [
            set,
            { max: short(max), rms: short(rms), rotation: short(rotation), length: short(length) },
        ]),
    );

/** How often slerp(a, a, t) is a, bit for bit, and how far a has gone after so many times. */
function selfBlends(run, quick) {
    const next = random(0x5e1f);
    const q = new Float64Array(4);
    const [count, rounds] = quick ? [2000, 20] : [20_000, 50];
    let [same, all] = [0, 0];
    for (let round = 0; round < rounds; round++) {
        const a = new Float32Array(count * 4);
        for (let o = 0; o < a.length; o += 4) {
            unitQuaternion(next, q);
            a.set(q, o);
        }
        const result = new Float32Array(a.length);
        run(result, a, a, f(next()));
        for (let o = 0; o < a.length; o += 4) {
            all++;
            if ([0, 1, 2, 3].every((k) => Object.is(result[o + k], a[o + k]))) same++;
        }
    }
    return same / all;
}

export const DRIFT_BLENDS = 10_000;

/** The greatest change of a component of 256 quaternions that are blended with themselves again and again, any t. */
function driftOf(run, quick) {
    const next = random(0xd21f7);
    const q = new Float64Array(4);
    const first = new Float32Array(256 * 4);
    for (let o = 0; o < first.length; o += 4) {
        unitQuaternion(next, q);
        first.set(q, o);
    }
    let a = first.slice();
    let result = new Float32Array(a.length);
    let bad = false;
    for (let k = 0; k < (quick ? DRIFT_BLENDS / 100 : DRIFT_BLENDS); k++) {
        // The same two numbers for every t: copies of one pose, blended.
        run(result, a, a, f(0.01 + 0.98 * next()));
        [a, result] = [result, a];
    }
    let worst = 0;
    a.forEach((x, k) => {
        if (Number.isNaN(x)) bad = true;
        worst = Math.max(worst, Math.abs(x - first[k]));
    });
    return bad ? Number.NaN : worst;
}

/** The slerps that were compared, and how far the two chosen ones are apart. */
export function measureForms(quick, log) {
    const [uniform, perPair] = ['uniform', 'perPair'].map((chosen) =>
        FORMS.findIndex((form) => form.chosen === chosen),
    );
    let apart = 0;
    const errors = onPairs(FORMS, ['a', 'b', 'c'], 'slerp', quick, log, (_set, _chunk, results) => {
        results[uniform].forEach((x, k) => {
            apart = Math.max(apart, Math.abs(x - results[perPair][k]));
        });
    });
    const forms = FORMS.map(({ name, chosen, run, flops }, k) => ({
        name,
        chosen: chosen ?? null,
        flops,
        ...figures(errors[k]),
        same: short(selfBlends(run, quick)),
        drift: short(driftOf(run, quick)),
    }));
    return { forms, apart: short(apart) };
}

export function measureLerps(quick, log) {
    const errors = onPairs(LERPS, ['a', 'b'], 'lerp', quick, log);
    return LERPS.map(({ name, chosen }, k) => ({ name, chosen: chosen ?? null, ...figures(errors[k]) }));
}

// ---- Every slerp ----------------------------------------------------------------------------------------------------

/** Every implementation of slerpQuats and slerpQuatsPerQuat, and what others do. */
export async function measureSlerps(library, quick, log) {
    const own = ['slerpQuats', 'slerpQuatsPerQuat'].flatMap((routine) =>
        variants(library, routine).map((variant) => ({
            ...variant,
            run:
                routine === 'slerpQuats' || !variant.run
                    ? variant.run
                    : (result, from, to, t) =>
                          variant.run(result, from, to, new Float32Array(result.length / 4).fill(t)),
        })),
    );
    const others = Object.values(await otherSlerps()).map(({ name, run }) => ({ routine: null, label: name, run }));
    const rows = [...own, ...others];
    const runnable = rows.filter(({ run }) => run);
    const errors = onPairs(runnable, ['a', 'b', 'c'], 'slerp', quick, log);
    return rows.map(({ routine, label, reason, byCpu, run }) => ({
        routine,
        label,
        byCpu: byCpu ?? false,
        ...(run
            ? { ...figures(errors[runnable.findIndex((one) => one.run === run)]), drift: short(driftOf(run, quick)) }
            : { reason }),
    }));
}

/** Whether the two chosen forms give the bits of an implementation; null where there is no such implementation. */
export function sameBitsAs(library, name, quick) {
    const found = library.implementations().find((one) => one.name === name && one.available);
    if (!found) return null;
    const { slerpQuats, slerpQuatsPerQuat, lerpQuats } = library.implementation(name);
    const pairs = [
        [FORMS.find(({ chosen }) => chosen === 'uniform').run, slerpQuats],
        [
            FORMS.find(({ chosen }) => chosen === 'perPair').run,
            slerpQuatsPerQuat &&
                ((result, from, to, t) =>
                    slerpQuatsPerQuat(result, from, to, new Float32Array(result.length / 4).fill(t))),
        ],
        [LERPS.find(({ chosen }) => chosen === 'uniform').run, lerpQuats],
    ];
    let compared = 0;
    for (const set of ['a', 'b', 'c', 'd']) {
        for (const chunk of PAIRS[set].chunks(true)) {
            for (const [form, kernel] of pairs) {
                if (!kernel) return null;
                const [one, other] = [calls(chunk), calls(chunk)];
                one.lists.forEach((args, k) => {
                    form(...atEdges(args));
                    kernel(...atEdges(other.lists[k]));
                });
                compared += one.result.length;
                if (Buffer.compare(Buffer.from(one.result.buffer), Buffer.from(other.result.buffer)) !== 0) return 0;
            }
        }
        if (quick && set === 'a') break;
    }
    return compared;
}

// ---- What goes wrong elsewhere --------------------------------------------------------------------------------------

const TO_RADIANS = Math.PI / 180;

/** The share of pairs for which the textbook's formula without a case gives NaN, by the angle between the rotations. */
export async function measureNaNs(quick) {
    const { withoutCase } = await otherSlerps();
    return [0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1].map((degrees, index) => {
        const next = random(0x4a4 + index);
        // Half of it between the quaternions.
        const chunk = makeChunk(next, new Float32Array(quick ? 10 : 300).fill(0.5), () => (degrees / 2) * TO_RADIANS);
        const { result, lists } = calls(chunk);
        for (const args of lists) withoutCase.run(...args);
        let bad = 0;
        for (let o = 0; o < result.length; o += 4) if (result.subarray(o, o + 4).some(Number.isNaN)) bad++;
        return { degrees, share: short(bad / chunk.pairs) };
    });
}

/** Slerp by estimates on three makers' machines: their errors, the floats that differ, and the worst that may be. */
export function measureEstimates(quick, log) {
    const makers = [1, 2, 3].map((maker) => ({ run: throughEstimates(estimatesOf(maker)) }));
    const worst = [
        [1, 1],
        [1, -1],
        [-1, 1],
        [-1, -1],
    ].map((signs) => ({ run: throughEstimates(worstEstimates(...signs)) }));
    let [differ, floats, most] = [0, 0, 0];
    const errors = onPairs([...makers, ...worst], ['a'], 'slerp', quick, log, (_set, _chunk, results) => {
        const [one, other] = results;
        one.forEach((x, k) => {
            floats++;
            if (x !== other[k]) differ++;
            most = Math.max(most, Math.abs(x - other[k]));
        });
    });
    const maxima = errors.map(({ a }) => a.max);
    return {
        makers: maxima.slice(0, makers.length).map(short),
        worst: short(Math.max(...maxima.slice(makers.length))),
        differ: short(differ / floats),
        apart: short(most),
    };
}

/** The results of a pair `angle` apart, over all t: their lengths, and how far they have turned from the first. */
function sweep(run, angle, Floats) {
    const times = Float32Array.from({ length: 63 }, (_, k) => (k + 1) / 64);
    return Array.from(times, (t) => {
        const from = Floats.from([0, 0, 0, 1]);
        const to = Floats.from([Math.sin(angle), 0, 0, Math.cos(angle)]);
        const result = new Floats(4);
        run(result, from, to, t);
        return { length: Math.hypot(...result), turn: Math.atan2(result[0], result[3]) - t * angle };
    });
}

/** What jumps where a slerp changes to a lerp: just above and just below the angle at which it does. */
export async function measureThresholds(library) {
    const { three, glMatrix } = await otherSlerps();
    const { slerpOptimized } = library.implementation('paper/typescript');
    const cases = [
        {
            name: three.name,
            rule: 'cos θ < 0.9995, else lerp and normalise',
            cosine: 0.9995,
            run: three.run,
            Floats: Float64Array,
        },
        {
            name: glMatrix.name,
            rule: '1 - cos θ > 1e-6, else lerp',
            cosine: 1 - 1e-6,
            run: glMatrix.run,
            Floats: Float64Array,
        },
        {
            name: '`paper/*` `slerpOptimized`, as published',
            rule: '1 - cos θ > 1e-6, else lerp',
            cosine: 1 - 1e-6,
            run: slerpOptimized,
            Floats: Float32Array,
        },
    ];
    return cases.map(({ name, rule, cosine, run, Floats }) => {
        const angle = Math.acos(cosine);
        // Float32 cannot have the angle much more exactly than this.
        const near = Floats === Float32Array ? 0.04 : 1e-7;
        const [below, above] = [angle * (1 - near), angle * (1 + near)].map((a) => sweep(run, a, Floats));
        const jump = (key) => Math.max(...below.map((one, k) => Math.abs(one[key] - above[k][key])));
        return {
            name,
            rule,
            // Between the rotations.
            degrees: short((2 * angle) / TO_RADIANS),
            length: short(jump('length')),
            turn: short(jump('turn')),
        };
    });
}

/** Points [degrees between rotations, greatest error] around the thresholds. */
export async function curveOfThresholds(quick) {
    const { three, glMatrix, glm } = await otherSlerps();
    const lines = [
        { name: 'strict', run: FORMS[0].run },
        { name: three.name.replace(', double', ''), run: three.run },
        { name: glMatrix.name.replace(', double', ''), run: glMatrix.run },
        { name: glm.name, run: glm.run },
    ];
    const degrees = [];
    for (let k = -2 * 12; k <= 1 * 12; k++) degrees.push(10 ** (k / 12));
    // Just below and just above where the two change.
    for (const cosine of [0.9995, 1 - 1e-6]) {
        for (const near of [0.97, 1.03]) degrees.push(((2 * Math.acos(cosine)) / TO_RADIANS) * near);
    }
    degrees.sort((a, b) => a - b);
    return curves(
        lines,
        degrees.map((d) => [d, (d / 2) * TO_RADIANS]),
        quick,
    );
}

/** Points [x, greatest error] of each line on pairs of the angles [x, angle]. */
function curves(lines, angles, quick) {
    const points = lines.map(({ name }) => ({ name, points: [] }));
    angles.forEach(([x, angle], index) => {
        const next = random(0xca12 + index);
        const each = quick ? 1 : 4;
        const times = Float32Array.from({ length: 63 * each }, (_, k) => ((k % 63) + 1) / 64);
        const chunk = makeChunk(next, times, () => angle);
        const right = interpolate(chunk, 'slerp');
        lines.forEach(({ run }, k) => {
            const { result, lists } = calls(chunk);
            for (const args of lists) run(...args);
            const errors = new Errors();
            errors.add(result, 4, right);
            points[k].points.push([short(x), short(errors.max)]);
        });
    });
    return points;
}

/** Greatest error by angle, as far as the shorter way round can be. */
export async function curveByAngle(library, quick) {
    const { float } = await otherSlerps();
    const find = (name, terms) => {
        const found = variants(library, 'slerpQuats').find((one) => one.name === name && one.terms === terms);
        return found?.run ?? null;
    };
    const lines = [
        { name: 'strict', run: FORMS[0].run },
        { name: 'strict, one t per pair', run: FORMS.find(({ chosen }) => chosen === 'perPair').run },
        { name: 'textbook, float', run: float.run },
        { name: 'paper/sse', run: find('paper/sse') },
        { name: 'eberly, 8 terms', run: find('eberly/typescript', 8) },
    ].filter(({ run }) => run);
    const angles = [];
    for (let d = 0; d <= 90; d += 1.5) angles.push([d, d * TO_RADIANS]);
    return curves(lines, angles, quick);
}

/** Of a pose that is blended with itself the share of floats, in percent, that do not stay what they are, by t. */
export async function measureConstant(library) {
    const { float } = await otherSlerps();
    const sse = variants(library, 'slerpQuats').find(({ name, run }) => name === 'paper/sse' && run);
    const forms = [
        { name: 'strict', run: FORMS[0].run },
        { name: 'two weights (PS9)', run: FORMS.find(({ name }) => name === 'PS9').run },
        { name: 'textbook, float', run: float.run },
        ...(sse ? [{ name: 'paper/sse', run: sse.run }] : []),
    ];
    const next = random(0xc057);
    const q = new Float64Array(4);
    const pose = new Float32Array(2000 * 4);
    for (let o = 0; o < pose.length; o += 4) {
        unitQuaternion(next, q);
        pose.set(q, o);
    }
    const result = new Float32Array(pose.length);
    return forms.map(({ name, run }) => ({
        name,
        // Not multiples of 1/64, whose products are exact.
        points: Array.from({ length: 50 }, (_, k) => {
            const t = f((k + 0.5) / 50);
            run(result, pose, pose, t);
            const changed = result.reduce((sum, x, o) => sum + (x === pose[o] ? 0 : 1), 0);
            return [short(t), short((100 * changed) / pose.length)];
        }),
    }));
}

/** What quaternions of other lengths do: both so long, any angle, any t. */
export function measureLengths(quick) {
    return [0.5, 0.9, 0.99, 0.999, 1, 1.001, 1.01, 1.1, 2, 3].map((length, index) => {
        const next = random(0x1e9 + index);
        const times = Float32Array.from({ length: quick ? 10 : 300 }, next);
        const chunk = makeChunk(
            next,
            times,
            () => Math.PI * next(),
            () => length,
        );
        const right = interpolate(chunk, 'slerp');
        const { result, lists } = calls(chunk);
        for (const args of lists) FORMS[0].run(...args);
        const errors = new Errors();
        errors.add(result, 4, right);
        return { length, rotation: short(errors.rotation), off: short(errors.length) };
    });
}
