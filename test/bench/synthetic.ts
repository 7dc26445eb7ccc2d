// SPDX-License-Identifier: MIT

/** Runs of a simulated machine, for tests of comparisons and output. */

import { generator } from '../../lib/bench/data';
import type { Machine } from '../../lib/bench/machine';
import { type CaseName, type Result, resultsOf, type Samples } from '../../lib/bench/measure';

export const MACHINE: Machine = {
    cpu: 'Imaginary CPU',
    cores: 2,
    platform: 'linux-x64',
    node: 'v20.0.0',
    timer: 'tsc',
    ticksPerNs: 2.5,
    tier: 'paper/sse',
    backend: 'native',
    withoutAddon: null,
    load: 0,
};

export interface Imagined extends CaseName {
    readonly unit?: 'ticks' | 'ns';
    /** Time of one element on an idle machine. */
    readonly time: number;
    /** Factor while the other half of the core is busy. */
    readonly whenBusy?: number;
    /** Factor in processes with badly optimized code. */
    readonly whenUnlucky?: number;
}

/** A shared machine: sometimes busy, sometimes suspended. */
export function noisyMachine(seed: number) {
    const random = generator(seed);
    let busy = random() < 0.5;
    return {
        /** Some processes, with some rounds each. */
        measure(cases: readonly Imagined[], processes = 4, rounds = 5): Result[] {
            const samples: Samples[] = [];
            for (let process = 0; process < processes; process++) {
                const lucky = cases.map(() => random() < 0.5);
                const collected = cases.map(() => [] as number[][]);
                for (let round = 0; round < rounds; round++) {
                    if (random() < 0.15) busy = !busy;
                    cases.forEach(({ time, n, whenBusy = 1, whenUnlucky = 1 }, k) => {
                        const level = time * (busy ? whenBusy : 1) * (lucky[k] ? 1 : whenUnlucky);
                        const gone = random() < 0.02 ? 2 + random() * 5 : 1;
                        const round = Array.from({ length: 12 }, () => {
                            const ticks = level * gone * (1 + random() ** 4 * 0.3) * n;
                            return (Math.round(ticks / STEP) * STEP) / n;
                        });
                        collected[k]!.push(round);
                    });
                }
                cases.forEach(({ routine, implementation, n, timed, unit = 'ticks' }, k) => {
                    samples.push({ routine, implementation, n, timed, unit, rounds: collected[k]! });
                });
            }
            return resultsOf(samples);
        },
    };
}

const STEP = 26;
