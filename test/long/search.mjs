// SPDX-License-Identifier: MIT

/**
 * npm run search: looks for faults at random, in turns: mutated files, hostile caches, random rigs whose reductions must keep their
 * bound. Each turn prints its own seed. Findings are stored in build/. Fails if any turn finds one.
 *
 * node test/long/search.mjs [--seconds 3600] [--seed number]
 */

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/lib.mjs';

const { values: options } = parseArgs({
    options: { seconds: { type: 'string', default: '3600' }, seed: { type: 'string', default: String(Date.now()) } },
});
const until = Date.now() + Number(options.seconds) * 1000;
if (!(until > Date.now())) throw new Error(`--seconds is ${options.seconds}; it must be greater than 0`);

const first = Number(options.seed) % 1e9;
if (!Number.isInteger(first)) throw new Error(`--seed is ${options.seed}; it must be an integer`);

/** Seconds of a turn of the parts that have a clock. */
const TURN = '120';
/** Rigs of a turn: about as long. */
const RIGS = '100';
const jest = 'node_modules/jest/bin/jest.js';
const parts = [
    (seed) => ({ args: ['test/long/fuzz-gltf.mjs', '--seconds', TURN, '--seed', seed] }),
    (seed) => ({ args: ['test/long/fuzz-cache.mjs', '--seconds', TURN, '--seed', seed] }),
    (_seed, turn) => ({
        args: [jest, 'test/long/reduce/random', '--testTimeout', '600000'],
        env: {
            POSELANE_FUZZ_RUNS: RIGS,
            POSELANE_FUZZ_SEED: String(first + turn * 100),
        },
    }),
];

const failed = [];
for (let turn = 0; Date.now() < until; turn++) {
    const seed = `${options.seed}-${turn}`;
    const { args, env } = parts[turn % parts.length](seed, turn);
    console.log(`== turn ${turn}, seed ${seed}: ${args[0] === jest ? args[1] : args[0]}`);
    const { status } = spawnSync(process.execPath, args, {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, ...env },
    });
    if (status !== 0) failed.push(`turn ${turn}, seed ${seed}: ${args.join(' ')}`);
}
for (const one of failed) console.error(`search: a finding in ${one}`);
console.log(`search: ${failed.length} findings`);
process.exitCode = failed.length > 0 ? 1 : 0;
