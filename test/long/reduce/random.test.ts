// SPDX-License-Identifier: MIT

/**
 * The error of random rigs is within the bound at all times, for all kinds of nodes, channels and keys. The double evaluator
 * judges 16 times between any two keys. A seed makes each rig. `POSELANE_FUZZ_RUNS=5000 POSELANE_FUZZ_SEED=7 npm run
 * fuzz:reduce` runs 5,000 from seed 7; the default is 200 from seed 100,000.
 */

import { expectSound } from '../../reduce/random-case';

const SEED = Number(process.env.POSELANE_FUZZ_SEED ?? 100_000);
const RUNS = Number(process.env.POSELANE_FUZZ_RUNS ?? 200);

/** Rigs of a test, which has a minute, or what --testTimeout says. */
const EACH = 5;

const starts = Array.from({ length: Math.ceil(RUNS / EACH) }, (_, i) => SEED + i * EACH);

test.each(starts)('random rigs from seed %d on', async (start) => {
    for (let seed = start; seed < Math.min(start + EACH, SEED + RUNS); seed++) await expectSound(seed);
});
