// SPDX-License-Identifier: MIT

/**
 * npm run bench: nanoseconds per element of every routine in every implementation that runs here, at 64 and 1024
 * elements, called from JavaScript with its checks and measured by Benchmark.js. Hot cache, one thread. The data are
 * those of `poselane bench`, which also measures without JavaScript and compares.
 *
 * Rounds are interleaved (every case once, then every case again), so that a slow moment of the machine falls on all
 * alike; quoted are the minimum and the median over all samples of all rounds. Routines that work in place get fresh
 * joints each time; that copy is measured as a case of its own and subtracted.
 *
 * Then what the strict kernels are meant to reach beside what they do here (targets.mjs), in ticks of the time stamp
 * counter where the addon reads the clock.
 *
 * Options: --rounds 5 (of the targets: 30), --seconds 0.05 (per case and round), --routine name, --targets (these alone),
 * --json.
 */

import { parseArgs } from 'node:util';
import Benchmark from 'benchmark';
import { callsOn } from '../dist/bench/calls.js';
import { createData } from '../dist/bench/data.js';
import { cpuModel } from '../dist/bench/machine.js';
import poselane from '../dist/index.js';
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

function casesFor(n) {
    const cases = [];
    for (const [routine, { destination, source, javascript }] of Object.entries(callsOn(createData(n, 'random')))) {
        if (options.routine && options.routine !== routine) continue;
        const refill = source && (() => destination.set(source));
        if (refill) cases.push({ routine, implementation: null, n, run: refill });
        for (const { name, routines, available } of poselane.implementations()) {
            if (!available || !routines.includes(routine)) continue;
            const call = javascript(poselane.implementation(name));
            const run = refill
                ? () => {
                      refill();
                      call();
                  }
                : call;
            cases.push({ routine, implementation: name, n, run });
        }
    }
    return cases.map((entry) => ({ ...entry, samples: [] }));
}

function measure(entry, seconds) {
    const benchmark = new Benchmark({ fn: entry.run, maxTime: seconds, minSamples: 5, minTime: seconds / 20 });
    benchmark.run({ async: false });
    if (benchmark.error) throw benchmark.error;
    entry.samples.push(...benchmark.stats.sample.map((s) => s * 1e9));
}

function summary({ samples }) {
    const sorted = samples.toSorted((a, b) => a - b);
    return { min: sorted[0], median: sorted[sorted.length >> 1] };
}

const cases = options.targets ? [] : SIZES.flatMap(casesFor);
for (let round = 0; round < Number(options.rounds ?? 5); round++) {
    for (const entry of cases) measure(entry, Number(options.seconds));
}

const results = cases
    .filter(({ implementation }) => implementation !== null)
    .map((entry) => {
        const { routine, implementation, n } = entry;
        const { min, median } = summary(entry);
        const refill = cases.find((one) => one.routine === routine && one.n === n && one.implementation === null);
        const without = refill ? summary(refill) : { min: 0, median: 0 };
        return {
            routine,
            implementation,
            n,
            minNs: (min - without.min) / n,
            medianNs: (median - without.median) / n,
        };
    });

const machine = {
    cpu: cpuModel(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    tier: poselane.defaultImplementation,
};

// The targets are about all routines.
const targetRounds = options.rounds === undefined ? {} : { rounds: Number(options.rounds) };
const targets = options.routine ? null : await measureTargets(targetRounds);

if (options.json) {
    console.log(JSON.stringify({ machine, results, ...(targets ? { targets: targets.targets } : {}) }, null, 2));
} else {
    if (!options.targets) printResults();
    if (targets) console.log(`${options.targets ? '' : '\n'}${targetsText(targets)}`);
}

function printResults() {
    console.log(`${machine.cpu}, Node ${machine.node}, ${machine.platform}; plain functions: ${machine.tier}`);
    console.log('ns per element, minimum / median, called from JavaScript');
    const width = Math.max(...results.map(({ routine }) => routine.length));
    for (const { name } of poselane.implementations().filter(({ available }) => !available)) {
        console.log(`(not available here: ${name})`);
    }
    const header = SIZES.map((n) => `n = ${n}`.padStart(16)).join('');
    let last = '';
    for (const { routine, implementation } of results.filter(({ n }) => n === SIZES[0])) {
        if (routine !== last) console.log(`\n${routine.padEnd(width)}  ${header}`);
        last = routine;
        const cells = SIZES.map((n) => {
            const found = results.find(
                (r) => r.routine === routine && r.implementation === implementation && r.n === n,
            );
            return `${found.minNs.toFixed(1)} / ${found.medianNs.toFixed(1)}`.padStart(16);
        });
        console.log(`  ${implementation.padEnd(width)}${cells.join('')}`);
    }
}
