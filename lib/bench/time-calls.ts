// SPDX-License-Identifier: MIT

/** Times a function that is called from JavaScript. */

/** Returns a function that samples for about the given milliseconds. Each sample is the nanoseconds of one call. */
export type TimeCalls = (run: () => void) => (milliseconds: number) => number[];

/** The time of reading the clock does not matter in it. */
const BATCH_NANOSECONDS = 40_000;
const MAX_BATCH = 1 << 16;
const MIN_SAMPLES = 4;

/** Each sample is the mean of a batch of calls. */
export const inBatches: TimeCalls = (run) => {
    let batch = 0;
    const time = (): number =>
        nanosecondsOf(() => {
            for (let i = 0; i < batch; i++) run();
        });
    return (milliseconds) => {
        if (batch === 0) {
            batch = 1;
            while (batch < MAX_BATCH && time() < BATCH_NANOSECONDS) batch *= 2;
        }
        const end = process.hrtime.bigint() + BigInt(Math.round(milliseconds * 1e6));
        const samples: number[] = [];
        do samples.push(time() / batch);
        while (process.hrtime.bigint() < end || samples.length < MIN_SAMPLES);
        return samples;
    };
};

export function nanosecondsOf(work: () => void): number {
    const start = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - start);
}
