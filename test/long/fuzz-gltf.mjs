// SPDX-License-Identifier: MIT

/**
 * Mutates real glTF files, and manifests of bakes, and gives them to everything that reads them, in their own processes. Each case
 * must end in success or in one of poselane's own errors. Findings are a raw TypeError, a crash, an unhandled rejection, more than
 * 10 s of CPU time, a GiB more memory than before the first case, and a file left by a failed call. Some cases run without
 * the addon as well, and must give the same bytes or the same error.
 *
 * node test/long/fuzz-gltf.mjs [--cases n | --seconds n] [--from n] [--jobs 2] [--seed s] [--case n] [--out result.json] [--kept folder]
 *
 * Seed and number make a case: `--seed s --case n` runs one again. Findings are stored in build/fuzz-gltf/, or the folder
 * that is named, which is emptied first. Fails where the addon could be there and is not.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSeeds } from './fuzz-gltf/seeds.mjs';
import { runFuzzer } from './fuzz-runner/run.mjs';

await runFuzzer({
    name: 'fuzz-gltf',
    script: fileURLToPath(new URL('fuzz-gltf/job.cjs', import.meta.url)),
    jobs: 2,
    bounds: { growth: 2 ** 30, seconds: 10, wallSeconds: 120 },
    async prepare(scratch) {
        const seeds = path.join(scratch, 'seeds');
        await writeSeeds(seeds);
        return { seeds };
    },
});
