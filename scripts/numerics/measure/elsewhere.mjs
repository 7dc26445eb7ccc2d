// SPDX-License-Identifier: MIT

/** What goes wrong elsewhere: NaN, estimates of the CPU, jumps where a slerp changes to a lerp. */

import { calls } from '../../accuracy/measure/variants.mjs';
import { makeChunk, random } from '../../accuracy/sets.mjs';
import { estimatesOf, otherSlerps, throughEstimates, worstEstimates } from '../others.mjs';
import { onPairs, short, TO_RADIANS } from './pairs.mjs';

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
