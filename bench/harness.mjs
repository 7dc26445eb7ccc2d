// SPDX-License-Identifier: MIT

/**
 * What the measurements of bench/ share: subjects of any kind in the interleaved rounds of `poselane bench`
 * (lib/bench/measure.ts), and a check that they give the same result. Needs npm run build.
 */

import { interleave } from '../dist/bench/measure.js';
import { statisticsOf } from '../dist/bench/statistics.js';

/**
 * A sample lasts about so many milliseconds, short enough for some to fall between what else a busy machine does; and a
 * subject runs at least so long before the first.
 */
const SAMPLE = 1;
const WARM = 50;

/**
 * Times subjects `{ name, run(call), outputs, units }`: `run` does the work once, with the times of that call; `outputs` are the
 * lists that it writes; `units` how many joints or vertices it works on. What else a subject has is handed through.
 *
 * @returns What each subject took: milliseconds for a run, nanoseconds for a unit; minimum and median over rounds.
 */
export async function measure(subjects, { rounds, sample = SAMPLE, warm = WARM }) {
    const timed = subjects.map(({ run }) => {
        let call = 0;
        const start = performance.now();
        while (performance.now() - start < warm || call < 2) run(call++);
        const repeat = Math.max(1, Math.round((sample * call) / (performance.now() - start)));
        return {
            sample() {
                const begin = performance.now();
                for (let k = 0; k < repeat; k++) run(call++);
                return [(performance.now() - begin) / repeat];
            },
        };
    });
    const samples = await interleave([timed], { rounds, milliseconds: sample });
    return subjects.map(({ run, outputs, units, ...labels }, i) => {
        const milliseconds = spread(samples.get(timed[i]).flat());
        const [min, median] = [milliseconds.min, milliseconds.median].map((ms) => (ms * 1e6) / units);
        return { ...labels, milliseconds, nanoseconds: { min, median } };
    });
}

/**
 * Times work that is done once a sample, process or promise.
 *
 * @param works By name: each does its work, and gives the milliseconds that it took.
 * @returns By name: minimum and median of the milliseconds.
 */
export async function measureWorks(works, rounds) {
    const timed = Object.values(works).map((work) => ({ sample: async () => [await work()] }));
    const samples = await interleave([timed], { rounds, milliseconds: 0 });
    return Object.fromEntries(Object.keys(works).map((name, i) => [name, spread(samples.get(timed[i]).flat())]));
}

export function spread(samples) {
    const { min, median } = statisticsOf(samples);
    return { min, median };
}

/** How many times as long as `fast` `slow` takes; `min` is the ratio of the minima. Nothing where one of them is missing. */
export function ratioOf(slow, fast) {
    return slow && fast && { min: slow.min / fast.min, median: slow.median / fast.median };
}

/** `--rounds` as a number. */
export function roundsOf(text, fallback) {
    const rounds = text === undefined ? fallback : Number(text);
    if (Number.isInteger(rounds) && rounds > 0) return rounds;
    throw new RangeError(`--rounds ${text}: a whole number from 1 up`);
}

/** `--part`s that were chosen, all of `parts` by default. */
export function partsOf(chosen, parts) {
    const unknown = chosen?.find((part) => !Object.hasOwn(parts, part));
    if (unknown === undefined) return chosen ?? Object.keys(parts);
    throw new RangeError(`--part ${unknown}: needs one of ${Object.keys(parts).join(', ')}`);
}

/** Every so many-th number is compared: a prime, so that all components of all matrices get their turn. */
const STRIDE = 7;

/**
 * Runs every subject and throws where one does not give what the first does: a benchmark of things that do not give the
 * same result would mean nothing. Subjects may write into the same memory.
 */
export function checkAgreement(what, subjects, tolerance) {
    for (const call of [0, 5]) {
        const expected = sampleOf(subjects[0], call);
        for (const subject of subjects.slice(1)) {
            const found = sampleOf(subject, call);
            for (const [list, values] of found.entries()) {
                values.forEach((value, i) => {
                    const apart = Math.abs(value - expected[list][i]);
                    if (apart <= tolerance * Math.max(1, Math.abs(value))) return;
                    throw new Error(`${what}: ${subject.name} is off by ${apart} from ${subjects[0].name}`);
                });
            }
        }
    }
}

function sampleOf({ run, outputs }, call) {
    // What is not written shows; but zeros that never change, a matrix's last row, may be left alone.
    for (const output of outputs) output.fill(0);
    run(call);
    return outputs.map((output) =>
        Float32Array.from({ length: Math.ceil(output.length / STRIDE) }, (_, i) => output[i * STRIDE]),
    );
}
