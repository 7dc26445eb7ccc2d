// SPDX-License-Identifier: MIT

/** How a subject is run on pairs of quaternions, and how its errors are written down. */

import { calls } from '../../accuracy/measure/variants.mjs';
import { Errors, interpolate } from '../../accuracy/reference.mjs';
import { random, SETS, unitQuaternion } from '../../accuracy/sets.mjs';

export const f = Math.fround;

export const TO_RADIANS = Math.PI / 180;

/** Four digits: what a table prints, and one more. */
export const short = (value) => (Number.isFinite(value) ? Number(value.toPrecision(4)) : String(value));

/** Runs each of `subjects` on the sets; `errors` of each by set. */
export function onPairs(subjects, sets, kind, quick, log, each = () => {}) {
    const errors = subjects.map(() => ({}));
    for (const set of sets) {
        log(`${kind}: set (${set})`);
        for (const of of errors) of[set] = new Errors();
        for (const chunk of SETS[set].chunks(quick)) {
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
export function atEdges([result, from, to, t]) {
    return [result, from, to, t === 0 ? 2 ** -30 : t === 1 ? 1 - 2 ** -24 : t];
}

export const figures = (errors) =>
    Object.fromEntries(
        Object.entries(errors).map(([set, { max, rms, rotation, length }]) => [
            set,
            { max: short(max), rms: short(rms), rotation: short(rotation), length: short(length) },
        ]),
    );

const DRIFT_BLENDS = 10_000;

/** The greatest change of a component of 256 quaternions that are blended with themselves again and again, any t. */
export function driftOf(run, quick) {
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
