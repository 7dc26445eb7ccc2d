// SPDX-License-Identifier: MIT

/** Times the fused slerps against lib/strict: `npm run build && node bench/variants/typescript/run.mjs`. */

import { createRequire } from 'node:module';
import { fusedEach, fusedUniform, SIGNS } from './fused.mjs';

const strict = createRequire(import.meta.url)(`${process.env.DIST ?? '../../../dist'}/lists/routines.js`).strictKernels;
const load = (name) => createRequire(import.meta.url)(`${process.env.DIST ?? '../../../dist'}/strict/${name}.js`);
const { PQ8 } = load('coefficients');

const N = 64;
const ROUNDS = 200;
const CALLS = 64;
const T = Math.fround(0.3);

const from = new Float32Array(N * 4);
const to = new Float32Array(N * 4);
const times = new Float32Array(N);
for (let i = 0; i < N; i++) {
    // Rotations about one axis, up to half a turn apart; times in no order.
    const [a, b] = [i * 0.7, i * 0.7 + (i / N) * 3];
    from.set([Math.sin(a), 0, 0, Math.cos(a)], i * 4);
    to.set([Math.sin(b), 0, 0, Math.cos(b)], i * 4);
    times[i] = 0.01 + ((i * 0.618) % 0.98);
}

/** Minimum and median, ns per pair, of functions timed in turn; throws unless all give the first one's floats. */
function compare(title, variants) {
    const result = new Float32Array(N * 4);
    let expected = null;
    for (const [name, run] of variants) {
        run(result);
        expected ??= result.slice();
        if (result.some((x, i) => !Object.is(x, expected[i]))) throw new Error(`${name}: other bits`);
    }
    const samples = variants.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
        variants.forEach(([, run], v) => {
            const start = process.hrtime.bigint();
            for (let call = 0; call < CALLS; call++) run(result);
            const ns = Number(process.hrtime.bigint() - start) / (CALLS * N);
            if (round > ROUNDS / 4) samples[v].push(ns);
        });
    }
    console.log(title);
    variants.forEach(([name], v) => {
        const sorted = samples[v].sort((a, b) => a - b);
        console.log(`  ${name.padEnd(28)} ${sorted[0].toFixed(1)} (${sorted[sorted.length >> 1].toFixed(1)})`);
    });
}

const uniform = (slerp) => (result) => slerp(result, from, to, 4, T, null, N);
compare('one t for all, 64 pairs: ns per pair, minimum (median)', [
    ['lib/strict', (result) => strict.slerpQuats(result, from, to, T, N)],
    ...[1, 2, 3, 4].map((lanes) => [
        `fused, ${lanes} lanes`,
        uniform(fusedUniform(load('prepareSlerp'), lanes, 'compare')),
    ]),
    ...Object.keys(SIGNS).map((sign) => [
        `fused, 4 lanes, ${sign}`,
        uniform(fusedUniform(load('prepareSlerp'), 4, sign)),
    ]),
]);

const own = (slerp) => (result) => slerp(result, from, to, 4, times, null, N);
compare('one t each', [
    ['lib/strict', (result) => strict.slerpQuatsPerQuat(result, from, to, times, N)],
    ...[1, 2, 3, 4].map((lanes) => [`fused, ${lanes} lanes`, own(fusedEach(PQ8, lanes))]),
]);
