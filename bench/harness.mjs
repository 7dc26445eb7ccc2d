// SPDX-License-Identifier: MIT

/**
 * Shared by all scripts of bench/: interleaved rounds (those of `poselane bench`, lib/bench/measure.ts), a check that all subjects
 * give the same result, and tables. Needs `npm run build`.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { interleave } from '../dist/bench/measure.js';
import { statisticsOf } from '../dist/bench/statistics.js';

const root = join(import.meta.dirname, '..');
export const EXAMPLE = join(root, 'examples/character.glb');
/** KayKit's Knight (CC0) is not part of this repository. Without it the example is measured. */
const KNIGHT = join(root, '../shared/models/KayKit/Knight.glb');
export const MODEL = existsSync(KNIGHT) ? KNIGHT : EXAMPLE;

/** Short enough for some samples to fall between other work of a busy machine. */
const SAMPLE_MILLISECONDS = 1;
const WARM_UP_MILLISECONDS = 50;

/**
 * Times subjects `{ name, run(call), outputs, units }`. `run` does the work once, `outputs` are the lists that it writes, and `units` is
 * the number of joints or vertices in them. An optional `prepare()` runs before each sample. Other properties of a subject are copied
 * to its result.
 *
 * @param calls Min calls in a sample, for subjects so short that the compiler needs many calls to optimize them.
 * @returns For each subject minimum and median: milliseconds of a run, nanoseconds of a unit.
 */
export async function measure(subjects, settings) {
    const { rounds, sample = SAMPLE_MILLISECONDS, warm = WARM_UP_MILLISECONDS, calls = 1 } = settings;
    const timed = subjects.map(({ run, prepare }) => {
        let call = 0;
        const start = performance.now();
        while (performance.now() - start < warm || call < 2 * calls) run(call++);
        const repeat = Math.max(calls, Math.round((sample * call) / (performance.now() - start)));
        return {
            sample() {
                prepare?.();
                const begin = performance.now();
                for (let k = 0; k < repeat; k++) run(call++);
                return [(performance.now() - begin) / repeat];
            },
        };
    });
    const samples = await interleave([timed], { rounds, milliseconds: sample });
    return subjects.map(({ run, prepare, outputs, units, ...labels }, i) => {
        const { min, median } = statisticsOf(samples.get(timed[i]).flat());
        const nanoseconds = { min: (min * 1e6) / units, median: (median * 1e6) / units };
        return { ...labels, milliseconds: { min, median }, nanoseconds };
    });
}

/**
 * Times functions or processes that run once in each round.
 *
 * @param works By name. Each returns, or promises, the milliseconds that it took.
 * @returns By name: minimum and median of the milliseconds.
 */
export async function measureWorks(works, rounds) {
    const timed = Object.values(works).map((work) => ({ sample: async () => [await work()] }));
    const samples = await interleave([timed], { rounds, milliseconds: 0 });
    return Object.fromEntries(
        Object.keys(works).map((name, i) => {
            const { min, median } = statisticsOf(samples.get(timed[i]).flat());
            return [name, { min, median }];
        }),
    );
}

/** `--rounds` as a number. */
export function roundsOf(text, fallback) {
    const rounds = text === undefined ? fallback : Number(text);
    if (Number.isInteger(rounds) && rounds > 0) return rounds;
    throw new RangeError(`--rounds is ${text}; it must be a whole number of at least 1`);
}

/** The `--part`s that were chosen, by default all keys of `parts`. */
export function partsOf(chosen, parts) {
    const unknown = chosen?.find((part) => !Object.hasOwn(parts, part));
    if (unknown === undefined) return chosen ?? Object.keys(parts);
    throw new RangeError(`--part is ${unknown}; it must be one of ${Object.keys(parts).join(', ')}`);
}

/** Every 7th number is compared: a prime, so that all components of all matrices are compared. */
const STRIDE = 7;

/** Runs every subject, and throws if one differs from the first. Subjects may write into the same memory. */
export function checkAgreement(what, subjects, tolerance) {
    for (const call of [0, 5]) {
        const expected = outputOf(subjects[0], call);
        for (const subject of subjects.slice(1)) {
            for (const [list, values] of outputOf(subject, call).entries()) {
                values.forEach((value, i) => {
                    const difference = Math.abs(value - expected[list][i]);
                    if (difference <= tolerance * Math.max(1, Math.abs(value))) return;
                    throw new Error(`${what}: ${subject.name} differs by ${difference} from ${subjects[0].name}`);
                });
            }
        }
    }
}

function outputOf({ run, outputs }, call) {
    // Results of an earlier subject must not be taken for those of this one.
    for (const output of outputs) output.fill(0);
    run(call);
    return outputs.map((output) =>
        Float32Array.from({ length: Math.ceil(output.length / STRIDE) }, (_, i) => output[i * STRIDE]),
    );
}

/** Minimum (median). */
export function cell(time) {
    const digits = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
    return time ? `${digits(time.min)} (${digits(time.median)})` : '–';
}

/** A Markdown table. The first cell of each row is its title. */
export function table(head, rows) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    return [
        line(head),
        `| --- |${head
            .slice(1)
            .map(() => ' ---: |')
            .join('')}`,
        ...rows.map(line),
    ].join('\n');
}

/**
 * A Markdown table of results.
 *
 * @param column Name of the property that chooses the column.
 * @param row Name of the property that chooses the row.
 */
export function resultTable(results, column, row = 'name', unit = 'nanoseconds') {
    const columns = [...new Set(results.map((result) => result[column]))];
    const rows = [...new Set(results.map((result) => result[row]))];
    const find = (x, y) => results.find((result) => result[column] === x && result[row] === y)?.[unit];
    return table(
        ['', ...columns],
        rows.map((y) => [y, ...columns.map((x) => cell(find(x, y)))]),
    );
}
