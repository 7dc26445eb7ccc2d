// SPDX-License-Identifier: MIT

/**
 * Times subjects in rounds, each of them once in every round, so that a slow moment of the machine falls on all alike.
 *
 * A subject is `{ name, run(call), outputs, units }`: `run` does the work once, with the times of that call; `outputs` are the
 * lists that it writes; `units` how many joints or vertices it works on. What else it has is handed through.
 */

/**
 * A sample lasts about so many milliseconds, short enough for some to fall between what else a busy machine does; and a
 * subject runs at least so long before the first.
 */
const SAMPLE = 1;
const WARM = 50;

/** @returns What each subject took: milliseconds for a run, nanoseconds for a unit; minimum and median over rounds. */
export function measure(subjects, { rounds, sample = SAMPLE, warm = WARM }) {
    const entries = subjects.map((subject) => ({ subject, call: 0, samples: [], repeat: 1 }));
    for (const entry of entries) {
        const start = performance.now();
        while (performance.now() - start < warm || entry.call < 2) entry.subject.run(entry.call++);
        entry.repeat = Math.max(1, Math.round((sample * entry.call) / (performance.now() - start)));
    }
    for (let round = 0; round < rounds; round++) {
        for (const entry of entries) {
            const start = performance.now();
            for (let k = 0; k < entry.repeat; k++) entry.subject.run(entry.call++);
            entry.samples.push((performance.now() - start) / entry.repeat);
        }
    }
    return entries.map(({ subject, samples }) => {
        const { run, outputs, units, ...labels } = subject;
        const milliseconds = spread(samples);
        const [min, median] = [milliseconds.min, milliseconds.median].map((ms) => (ms * 1e6) / units);
        return { ...labels, milliseconds, nanoseconds: { min, median } };
    });
}

export function spread(samples) {
    const sorted = samples.toSorted((a, b) => a - b);
    return { min: sorted[0], median: sorted[sorted.length >> 1] };
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
