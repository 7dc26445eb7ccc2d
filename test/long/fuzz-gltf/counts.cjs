// SPDX-License-Identifier: MIT
'use strict';

/** Of CPU time, as the limit is: on a busy machine any time passes. */
function cpuMilliseconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
}

/** What the cases of a process came to. */
function createCounts() {
    const counts = { files: 0, done: 0, refused: 0, compared: 0, codes: {}, subjects: {}, slowest: 0, slow: null };
    let started = 0;
    return {
        begin() {
            started = cpuMilliseconds();
        },
        compared() {
            counts.compared++;
        },
        /** @param outcome `{ digest }` or `{ refused }`. */
        outcome({ refused }) {
            if (refused === undefined) {
                counts.done++;
                return;
            }
            counts.refused++;
            const code = refused.split(' ', 1)[0];
            counts.codes[code] = (counts.codes[code] ?? 0) + 1;
        },
        /** @param seed Name of the file that was mutated, where there was one. */
        end({ n, subject, seed }) {
            counts.files++;
            counts.subjects[subject] = (counts.subjects[subject] ?? 0) + 1;
            const took = Math.round(cpuMilliseconds() - started);
            if (took > counts.slowest)
                Object.assign(counts, { slowest: took, slow: { case: n, subject, seed, milliseconds: took } });
        },
        files: () => counts.files,
        report: () => ({ ...counts, cpu: cpuMilliseconds() / 1e3 }),
    };
}

module.exports = { createCounts };
