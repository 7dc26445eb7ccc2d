// SPDX-License-Identifier: MIT

/** The forms of slerp and lerp that were compared, and the two of each that were chosen. */

import { random, unitQuaternion } from '../../accuracy/sets.mjs';
import { SETS } from '../coefficients.mjs';
import { exactWeights, lerpForm, perPairMix, perPairScales, uniformMix, uniformScales } from '../forms.mjs';
import { driftOf, f, figures, onPairs, short } from './pairs.mjs';

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

export const LERPS = [
    { name: 'mix, four divisions', chosen: 'uniform', run: lerpForm({ mixed: true, divided: true }) },
    { name: 'mix, one reciprocal and four multiplications', run: lerpForm({ mixed: true, divided: false }) },
    { name: 'two weights, four divisions', run: lerpForm({ mixed: false, divided: true }) },
    { name: 'two weights, one reciprocal', run: lerpForm({ mixed: false, divided: false }) },
];

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
