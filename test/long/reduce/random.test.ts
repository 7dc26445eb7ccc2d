// SPDX-License-Identifier: MIT

/**
 * Random rigs keep to the bound at all times: of all kinds of nodes, channels and keys, judged by the double evaluator at 16 times
 * between any two keys. Each is made by its seed alone. `POSELANE_FUZZ_RUNS=5000 POSELANE_FUZZ_SEED=7 npm run fuzz:reduce` does 5,000
 * from seed 7 on; without, it is 200 from 100,000 on.
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
