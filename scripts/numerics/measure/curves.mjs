// SPDX-License-Identifier: MIT

/** Errors by angle, by t and by length: what is plotted. */

import { calls, variants } from '../../accuracy/measure/variants.mjs';
import { Errors, interpolate } from '../../accuracy/reference.mjs';
import { makeChunk, random, unitQuaternion } from '../../accuracy/sets.mjs';
import { otherSlerps } from '../others.mjs';
import { FORMS } from './forms.mjs';
import { f, short, TO_RADIANS } from './pairs.mjs';

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
