// SPDX-License-Identifier: MIT

/**
 * Bakes and reduces with hostile caches, in their own processes: folders with links, pipes, and changed, swapped and forged entries,
 * and servers that misbehave. Each run must end with exit code 0 and the bytes that it gives without a cache, within 20 s and half a
 * GiB more memory. It must change nothing outside its output and the cache. A forged entry has the right hashes, so only its file
 * names are compared.
 *
 * node test/long/fuzz-cache.mjs [--cases n | --seconds n] [--from n] [--jobs 1] [--seed s] [--case n] [--out result.json] [--kept folder]
 *
 * Seed and number make a case: `--seed s --case n` runs one again. Needs the build, and a system with pipes among its files.
 */

import { fileURLToPath } from 'node:url';
import { runFuzzer } from './fuzz-runner/run.mjs';

await runFuzzer({
    name: 'fuzz-cache',
    script: fileURLToPath(new URL('fuzz-cache/job.cjs', import.meta.url)),
    jobs: 1,
    bounds: { growth: 2 ** 29, seconds: 20, wallSeconds: 20 },
});
