// SPDX-License-Identifier: MIT

/**
 * `npm run bench`: every routine in every implementation that runs here, at 64 and 1024 elements, called from JavaScript and timed by
 * Benchmark.js. Cases, data, rounds and statistics are those of `poselane bench`, which also times inside the addon and compares runs.
 *
 * Options: --rounds 5, --seconds 0.05 (for each case and round), --routine name, --json.
 */

import { parseArgs } from 'node:util';
import Benchmark from 'benchmark';
import { createData } from '../../dist/bench/data.js';
import { describeMachine } from '../../dist/bench/machine.js';
import { measure, resultsOf } from '../../dist/bench/measure.js';
import { resultsText } from '../../dist/bench/print.js';
import { createSubjects } from '../../dist/bench/subjects.js';
import { roundsOf } from '../harness.mjs';

const { values: options } = parseArgs({
    options: {
        rounds: { type: 'string' },
        seconds: { type: 'string', default: '0.05' },
        routine: { type: 'string' },
        json: { type: 'boolean', default: false },
    },
});

/** Benchmark.js chooses the number of calls in a sample. */
function byBenchmark(fn) {
    return (milliseconds) => {
        const seconds = milliseconds / 1000;
        const benchmark = new Benchmark({ fn, maxTime: seconds, minSamples: 5, minTime: seconds / 20 });
        benchmark.run({ async: false });
        if (benchmark.error) throw benchmark.error;
        return benchmark.stats.sample.map((sample) => sample * 1e9);
    };
}

const machine = describeMachine();
const subjects = [64, 1024]
    .flatMap((n) => createSubjects(createData(n, 'random'), byBenchmark))
    .filter(({ routine, timed }) => timed === 'javascript' && (options.routine ?? routine) === routine);
const milliseconds = Number(options.seconds) * 1000;
const results = resultsOf(await measure(subjects, { rounds: roundsOf(options.rounds, 5), milliseconds }));
const { cpu, node, platform, tier } = machine;
console.log(
    options.json
        ? JSON.stringify({ machine, results }, null, 2)
        : `${cpu}, Node ${node}, ${platform}; plain functions: ${tier}\n\n${resultsText({ results, machine })}`,
);
