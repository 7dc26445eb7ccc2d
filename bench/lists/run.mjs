// SPDX-License-Identifier: MIT

/**
 * npm run bench: nanoseconds per element of every routine in every implementation that runs here, at 64 and 1024
 * elements, called from JavaScript with its checks and timed by Benchmark.js. Hot cache, one thread. Cases, data, rounds and
 * statistics are those of `poselane bench`, which also times without JavaScript and compares.
 *
 * Then what the strict kernels are meant to reach beside what they do here (targets.mjs), in ticks of the time stamp
 * counter where the addon reads the clock.
 *
 * Options: --rounds 5 (of the targets: 30), --seconds 0.05 (per case and round), --routine name, --targets (these alone),
 * --json.
 */

import { parseArgs } from 'node:util';
import Benchmark from 'benchmark';
import { createData } from '../../dist/bench/data.js';
import { describeMachine } from '../../dist/bench/machine.js';
import { measure, resultsOf } from '../../dist/bench/measure.js';
import { resultsText } from '../../dist/bench/print.js';
import { createSubjects } from '../../dist/bench/subjects.js';
import { roundsOf } from '../harness.mjs';
import { measureTargets, targetsText } from './targets.mjs';

const { values: options } = parseArgs({
    options: {
        rounds: { type: 'string' },
        seconds: { type: 'string', default: '0.05' },
        routine: { type: 'string' },
        targets: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
    },
});

const SIZES = [64, 1024];

/** Benchmark.js decides how many calls a sample has. */
function byBenchmark(fn) {
    return (milliseconds) => {
        const seconds = milliseconds / 1000;
        const benchmark = new Benchmark({ fn, maxTime: seconds, minSamples: 5, minTime: seconds / 20 });
        benchmark.run({ async: false });
        if (benchmark.error) throw benchmark.error;
        return benchmark.stats.sample.map((sample) => sample * 1e9);
    };
}

async function measureLists() {
    const subjects = SIZES.flatMap((n) => createSubjects(createData(n, 'random'), byBenchmark)).filter(
        ({ routine, timed }) => timed === 'javascript' && (options.routine ?? routine) === routine,
    );
    const milliseconds = Number(options.seconds) * 1000;
    return resultsOf(await measure(subjects, { rounds: roundsOf(options.rounds, 5), milliseconds }));
}

const machine = describeMachine();
const results = options.targets ? [] : await measureLists();
// The targets are about all routines.
const targets = options.routine ? [] : await measureTargets(machine, { rounds: roundsOf(options.rounds, 30) });

if (options.json) console.log(JSON.stringify({ machine, results, targets }, null, 2));
else {
    const { cpu, node, platform, tier } = machine;
    const heading = `${cpu}, Node ${node}, ${platform}; plain functions: ${tier}`;
    if (!options.targets) console.log([heading, resultsText({ results, machine })].join('\n\n'));
    if (!options.routine) console.log(`${options.targets ? '' : '\n'}${targetsText(machine, targets)}`);
}
