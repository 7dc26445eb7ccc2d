// SPDX-License-Identifier: MIT

/**
 * The harness of `poselane bench` and of bench/. It measures in interleaved rounds. Each round runs every case for a moment, so that a
 * slow moment of the machine affects all cases equally. Implementations of a routine follow each other, because their ratios are compared.
 */

import { cached } from '../base/cached';
import type { Routine } from '../lists/routines';
import { lowMean, type Statistics, statisticsOf, stepOf } from './statistics';

/** A measured case. */
export interface CaseName {
    readonly routine: Routine;
    /** An implementation of poselane, or another library. */
    readonly implementation: string;
    /** The length of the lists. */
    readonly n: number;
    /** Whether the clock is read in the addon, or in JavaScript around calls with all checks. */
    readonly timed: 'addon' | 'javascript';
}

/** A subject of measurements. */
export interface Timed {
    /** Takes samples for about the given milliseconds. */
    sample(milliseconds: number): readonly number[] | Promise<readonly number[]>;
}

/** A case that can be measured. */
export interface Subject extends CaseName, Timed {
    /** Ticks of the time stamp counter, or nanoseconds. */
    readonly unit: 'ticks' | 'ns';
    /** In `unit` for the whole list. */
    sample(milliseconds: number): number[];
}

/** The samples of each round, in `unit` per element. */
export interface Samples extends CaseName {
    readonly unit: 'ticks' | 'ns';
    readonly rounds: readonly (readonly number[])[];
}

/** The result, in `unit` per element. */
export interface Result extends CaseName, Statistics {
    readonly unit: 'ticks' | 'ns';
    /** How many samples in all rounds. */
    readonly samples: number;
    /** The step of the clock. */
    readonly step: number;
    /** For each round the mean of the lower half of its samples. */
    readonly rounds: readonly number[];
}

/** Makes a case look slower, to test comparisons. */
export interface Delay {
    readonly routine: string;
    readonly implementation: string;
    /** Factor of its samples. */
    readonly factor: number;
}

export interface RoundOptions {
    readonly rounds: number;
    /** For each case and round. */
    readonly milliseconds: number;
    readonly signal?: AbortSignal;
    /** Called after each round. */
    readonly onRound?: () => void;
}

/**
 * Interleaved rounds over groups of subjects that are compared with each other. The event loop runs once in each round.
 *
 * @returns For each subject the samples of each round.
 */
export async function interleave<S extends Timed>(
    groups: readonly (readonly S[])[],
    { rounds, milliseconds, signal, onRound }: RoundOptions,
): Promise<ReadonlyMap<S, readonly (readonly number[])[]>> {
    const collected = new Map(groups.flat().map((subject) => [subject, [] as (readonly number[])[]]));
    for (let round = 0; round < rounds; round++) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        for (const group of groups) {
            signal?.throwIfAborted();
            for (let k = 0; k < group.length; k++) {
                // No subject is always the first.
                const subject = group[(k + round) % group.length]!;
                collected.get(subject)!.push(await subject.sample(milliseconds));
            }
        }
        onRound?.();
    }
    return collected;
}

/** Measures cases. */
export async function measure(
    subjects: readonly Subject[],
    { delay, ...options }: RoundOptions & { readonly delay?: Delay },
): Promise<Samples[]> {
    // Warm-up for the optimizing compiler.
    for (const subject of subjects) {
        options.signal?.throwIfAborted();
        subject.sample(subject.timed === 'javascript' ? WARM_UP_MILLISECONDS : options.milliseconds);
    }
    // Cases that are compared with each other, together.
    const groups = grouped(subjects, ({ n, routine, timed }) => `${n} ${routine} ${timed}`);
    const collected = await interleave(groups, options);
    return subjects.map((subject) => {
        const { routine, implementation, n, timed, unit } = subject;
        const factor = factorFor(subject, delay) / n;
        const rounds = collected.get(subject)!.map((samples) => samples.map((sample) => sample * factor));
        return { routine, implementation, n, timed, unit, rounds };
    });
}

function factorFor({ routine, implementation }: CaseName, delay: Delay | undefined): number {
    return delay && delay.routine === routine && delay.implementation === implementation ? delay.factor : 1;
}

const WARM_UP_MILLISECONDS = 8;

/** Those of the same key together, in the order of their first ones. */
function grouped<Case>(cases: readonly Case[], keyOf: (one: Case) => string): Case[][] {
    const groups = new Map<string, Case[]>();
    for (const one of cases) cached(groups, keyOf(one), () => []).push(one);
    return [...groups.values()];
}

/** Summarizes samples, those of the same case together. */
export function resultsOf(all: readonly Samples[]): Result[] {
    return grouped(all, keyOf).map((parts) =>
        resultOf({ ...parts[0]!, rounds: parts.flatMap(({ rounds }) => rounds) }),
    );
}

function resultOf({ routine, implementation, n, timed, unit, rounds }: Samples): Result {
    const samples = rounds.flat();
    const { min, lowerQuartile, median, upperQuartile } = statisticsOf(samples);
    return {
        routine,
        implementation,
        n,
        timed,
        unit,
        samples: samples.length,
        min: short(min),
        lowerQuartile: short(lowerQuartile),
        median: short(median),
        upperQuartile: short(upperQuartile),
        step: short(stepOf(samples)),
        rounds: rounds.map((round) => short(lowMean(round))),
    };
}

/** Rounds to the digits that a measurement can have. */
const short = (value: number): number => Number(value.toPrecision(6));

/** Identifies a case in all runs. */
export function keyOf({ routine, implementation, n, timed }: CaseName): string {
    return `${routine} ${implementation} ${n} ${timed}`;
}
