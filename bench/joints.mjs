// SPDX-License-Identifier: MIT

/**
 * npm run bench: nanoseconds per joint of every routine in every implementation that runs here, at 64 and 1024 joints,
 * called from JavaScript with its checks. Hot cache, one thread.
 *
 * Rounds are interleaved (every case once, then every case again), so that a slow moment of the machine falls on all
 * alike; quoted are the minimum and the median over all samples of all rounds. Routines that work in place get fresh
 * joints each time; that copy is measured as a case of its own and subtracted.
 *
 * Options: --rounds 5, --seconds 0.05 (per case and round), --routine name, --json.
 */

import * as os from 'node:os';
import { parseArgs } from 'node:util';
import Benchmark from 'benchmark';
import poselane from '../dist/index.js';

const { values: options } = parseArgs({
    options: {
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '0.05' },
        routine: { type: 'string' },
        json: { type: 'boolean', default: false },
    },
});

const SIZES = [64, 1024];

/** A seeded generator (mulberry32): the same data in every run. */
function generator(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

function randomQuats(numJoints, random) {
    const joints = new Float32Array(numJoints * 8);
    for (let o = 0; o < joints.length; o += 8) {
        const q = Array.from({ length: 4 }, () => random() * 2 - 1);
        const length = Math.hypot(...q);
        for (let k = 0; k < 4; k++) joints[o + k] = q[k] / length;
        for (let k = 4; k < 7; k++) joints[o + k] = random() * 2 - 1;
    }
    return joints;
}

/** A tree like a skeleton's: mostly chains, with a branch now and then. */
function randomParents(numJoints, random) {
    return Int32Array.from({ length: numJoints }, (_, i) =>
        i === 0 ? -1 : random() < 0.7 ? i - 1 : Math.floor(random() * i),
    );
}

function casesFor(numJoints) {
    const random = generator(numJoints);
    const quats = randomQuats(numJoints, random);
    const blendQuats = randomQuats(numJoints, random);
    const mats = new Float32Array(numJoints * 12);
    const mats2 = new Float32Array(numJoints * 12);
    poselane.implementation('paper/typescript').convertJointQuatsToJointMats(mats, quats);
    poselane.implementation('paper/typescript').convertJointQuatsToJointMats(mats2, blendQuats);
    const parents = randomParents(numJoints, random);
    const index = Int32Array.from({ length: numJoints }, (_, i) => i);
    const workQuats = quats.slice();
    const workMats = mats.slice();
    const copyQuats = () => workQuats.set(quats);
    const copyMats = () => workMats.set(mats);
    const calls = {
        slerpJoints: [copyQuats, (f) => f(workQuats, blendQuats, 0.3, index)],
        lerpJoints: [copyQuats, (f) => f(workQuats, blendQuats, 0.3, index)],
        convertJointQuatsToJointMats: [null, (f) => f(workMats, quats)],
        convertJointMatsToJointQuats: [null, (f) => f(workQuats, mats)],
        transformSkeleton: [copyMats, (f) => f(workMats, parents)],
        untransformSkeleton: [copyMats, (f) => f(workMats, parents)],
        transformJoints: [null, (f) => f(workMats, mats, mats2)],
    };
    const cases = [
        { routine: 'copy', implementation: 'quats', numJoints, run: copyQuats },
        { routine: 'copy', implementation: 'mats', numJoints, run: copyMats },
    ];
    for (const [routine, [prepare, call]] of Object.entries(calls)) {
        if (options.routine && options.routine !== routine) continue;
        for (const { name, available } of poselane.implementations()) {
            const kernel = available ? poselane.implementation(name)[routine] : undefined;
            if (!kernel) continue;
            const run = prepare
                ? () => {
                      prepare();
                      call(kernel);
                  }
                : () => call(kernel);
            const copy = prepare === copyQuats ? 'quats' : prepare === copyMats ? 'mats' : null;
            cases.push({ routine, implementation: name, numJoints, run, copy });
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

function summary(samples) {
    const sorted = [...samples].sort((a, b) => a - b);
    return { min: sorted[0], median: sorted[sorted.length >> 1] };
}

const cases = SIZES.flatMap(casesFor);
for (let round = 0; round < Number(options.rounds); round++) {
    for (const entry of cases) measure(entry, Number(options.seconds));
}

const copies = new Map(
    cases
        .filter(({ routine }) => routine === 'copy')
        .map(({ implementation, numJoints, samples }) => [`${implementation} ${numJoints}`, summary(samples)]),
);
const results = cases
    .filter(({ routine }) => routine !== 'copy')
    .map(({ routine, implementation, numJoints, samples, copy }) => {
        const { min, median } = summary(samples);
        const without = copy ? copies.get(`${copy} ${numJoints}`) : { min: 0, median: 0 };
        return {
            routine,
            implementation,
            numJoints,
            minNsPerJoint: (min - without.min) / numJoints,
            medianNsPerJoint: (median - without.median) / numJoints,
        };
    });

const machine = {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    tier: poselane.defaultImplementation,
};

if (options.json) {
    console.log(JSON.stringify({ machine, results }, null, 2));
} else {
    console.log(`${machine.cpu}, Node ${machine.node}, ${machine.platform}; plain functions: ${machine.tier}`);
    console.log('ns per joint, minimum / median, called from JavaScript');
    const width = Math.max(...results.map(({ routine }) => routine.length));
    for (const { name } of poselane.implementations().filter(({ available }) => !available)) {
        console.log(`(not available here: ${name})`);
    }
    const header = SIZES.map((size) => `${size} joints`.padStart(16)).join('');
    let last = '';
    for (const { routine, implementation } of results.filter(({ numJoints }) => numJoints === SIZES[0])) {
        if (routine !== last) console.log(`\n${routine.padEnd(width)}  ${header}`);
        last = routine;
        const cells = SIZES.map((size) => {
            const found = results.find(
                (r) => r.routine === routine && r.implementation === implementation && r.numJoints === size,
            );
            return `${found.minNsPerJoint.toFixed(1)} / ${found.medianNsPerJoint.toFixed(1)}`.padStart(16);
        });
        console.log(`  ${implementation.padEnd(width)}${cells.join('')}`);
    }
}
