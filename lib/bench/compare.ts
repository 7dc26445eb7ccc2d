// SPDX-License-Identifier: MIT

/**
 * Finds cases that are slower than before, by ratios to a reference in the same rounds, because hosted machines are shared and differ.
 *
 * A busy core slows scalar code by 40 % and SIMD code by 15 %. So on the same CPU model only rounds are compared in which the reference was
 * about as fast. A case is slower only if two estimates have grown: the median of the ratios and their lowest tenth, because the optimizing
 * compiler differs between processes. Without such rounds the estimates are the ratios of the minima and of the lowest tenths.
 *
 * A case that looks slower is measured again in new processes, after pauses, and judged by all measurements. The tolerance includes the
 * step of the clock.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { type CaseName, keyOf, type Result } from './measure';
import { lowestTenth, medianOf } from './statistics';

export interface CompareOptions {
    /** E.g. 0.1: slower by more than 10 %. */
    readonly maxRegression: number;
    /** Compare times instead of ratios. */
    readonly absolute: boolean;
    /** Whether the base was measured on the same CPU model. */
    readonly sameCpu: boolean;
    /** Before the first repetition, then twice and three times as long; default 250. */
    readonly pauseMilliseconds?: number;
    readonly signal?: AbortSignal;
}

/** A case that is slower. */
export interface Slower extends CaseName {
    /** The case that it is a ratio to; null when times are compared. */
    readonly reference: CaseName | null;
    readonly unit: 'ratio' | 'ticks' | 'ns';
    /** By minima, in `unit`: then and now. */
    readonly base: number;
    readonly now: number;
    /** 0.2 is 20 %. */
    readonly slowerBy: number;
    readonly timesMeasured: number;
}

export interface Comparison {
    readonly mode: 'relative' | 'absolute';
    readonly maxRegression: number;
    /** How many cases were judged. */
    readonly judged: number;
    readonly slower: readonly Slower[];
    /** Cases that looked slower at first, and were not when measured again. */
    readonly acquitted: readonly CaseName[];
    /** Cases without rounds as busy as those of the base. Their tolerance is larger. */
    readonly busy: readonly CaseName[];
    /** Cases in the base that were not measured now. */
    readonly missing: readonly CaseName[];
}

const REPETITIONS = 4;

/** A case that has grown by this part of the tolerance is measured again. */
const SUSPICIOUS = 0.6;

/**
 * Compares results with earlier ones.
 *
 * @param again Measures these cases once more.
 */
export async function compare(
    base: readonly Result[],
    first: readonly Result[],
    again: (names: readonly CaseName[]) => Promise<readonly Result[]>,
    options: CompareOptions,
): Promise<Comparison> {
    const { maxRegression, absolute, pauseMilliseconds = 250, signal } = options;
    const before = byKey(base);
    const now = byKey(first);
    const judgeable = first.filter((result) => judge(result, now, before, options) !== null).map(nameOf);
    const verdictOn = (name: CaseName) => judge(now.get(keyOf(name))!, now, before, options)!;
    const isOpen = (name: CaseName, suspicious: number) => {
        const { slowerBy, alike } = verdictOn(name);
        return !alike || slowerBy > maxRegression * suspicious;
    };

    const slower = new Map<string, Slower>();
    let open = judgeable.filter((name) => isOpen(name, SUSPICIOUS));
    const suspects = judgeable.filter((name) => verdictOn(name).slowerBy > maxRegression);
    for (let repetition = 1; repetition <= REPETITIONS && open.length > 0; repetition++) {
        await pause(pauseMilliseconds * repetition, undefined, { signal });
        const wanted = new Map<string, CaseName>();
        for (const name of open) {
            const { reference } = verdictOn(name);
            for (const one of reference ? [name, reference] : [name]) wanted.set(keyOf(one), one);
        }
        for (const result of await again([...wanted.values()])) {
            now.set(keyOf(result), together(now.get(keyOf(result))!, result));
        }
        open = open.filter((name) => isOpen(name, repetition < 2 ? SUSPICIOUS : 1));
        slower.clear();
        for (const name of open) {
            const { alike, ...verdict } = verdictOn(name);
            if (verdict.slowerBy > maxRegression) {
                slower.set(keyOf(name), { ...name, ...verdict, timesMeasured: repetition + 1 });
            }
        }
    }
    return {
        mode: absolute ? 'absolute' : 'relative',
        maxRegression,
        judged: judgeable.length,
        slower: [...slower.values()],
        acquitted: suspects.filter((name) => !slower.has(keyOf(name))),
        busy: open.filter((name) => !verdictOn(name).alike),
        missing: base.filter((result) => !now.has(keyOf(result))).map(nameOf),
    };
}

type Results = ReadonlyMap<string, Result>;
type Verdict = Omit<Slower, keyof CaseName | 'timesMeasured'> & {
    /** Whether the rounds were as busy as those of the base. */
    readonly alike: boolean;
};

/** Null without a case to compare with. */
function judge(result: Result, now: Results, before: Results, options: CompareOptions): Verdict | null {
    const then = before.get(keyOf(result));
    if (!then || then.unit !== result.unit) return null;
    // A short list takes few steps of the clock.
    const resolution = Math.max(then.step / then.min, result.step / result.min);
    if (options.absolute) {
        const slowerBy = Math.min(result.min / then.min, lowestTenth(result.rounds) / lowestTenth(then.rounds)) - 1;
        const unit = result.unit;
        return { reference: null, unit, base: then.min, now: result.min, slowerBy: slowerBy - resolution, alike: true };
    }
    const name = referenceOf(result, (one) => now.has(keyOf(one)) && before.has(keyOf(one)));
    if (!name) return null;
    const [by, byThen] = [now.get(keyOf(name))!, before.get(keyOf(name))!];
    const like = options.sameCpu ? likeRounds(then, byThen, result, by) : null;
    const [old, current] = like ?? [ratiosOfMinima(then, byThen), ratiosOfMinima(result, by)];
    let grown = Math.min(current.low / old.low, current.typical / old.typical) - 1;
    // A case that takes less time than before is not slower, whatever the reference does.
    if (options.sameCpu && !like) grown = Math.min(grown, result.min / then.min - 1);
    return {
        reference: name,
        unit: 'ratio',
        base: old.typical,
        now: current.typical,
        slowerBy: grown - resolution,
        alike: !options.sameCpu || like !== null,
    };
}

/** A case's times as multiples of the reference's. */
interface Ratios {
    readonly low: number;
    readonly typical: number;
}

function ratiosOfMinima(one: Result, reference: Result): Ratios {
    return {
        low: one.min / reference.min,
        typical: lowestTenth(one.rounds) / lowestTenth(reference.rounds),
    };
}

/** Rounds are alike when the reference's times differ by no more than this. */
const ALIKE = 1.06;
const MIN_ROUNDS = 3;

/** The ratios then and now, in rounds that are alike; null where there are too few. */
function likeRounds(then: Result, byThen: Result, now: Result, by: Result): [Ratios, Ratios] | null {
    // The fastest speed that both reached.
    const level = Math.max(lowestTenth(byThen.rounds), lowestTenth(by.rounds));
    const ratios = (one: Result, reference: Result) =>
        one.rounds.flatMap((value, i) => {
            const at = reference.rounds[i]!;
            return at < level * ALIKE && at > level / ALIKE ? [value / at] : [];
        });
    const [old, current] = [ratios(then, byThen), ratios(now, by)];
    if (old.length < MIN_ROUNDS || current.length < MIN_ROUNDS) return null;
    const of = (all: readonly number[]) => ({ low: lowestTenth(all), typical: medianOf(all) });
    return [of(old), of(current)];
}

/** Joins two results, as if they had been measured at once. */
function together(one: Result, other: Result): Result {
    return {
        ...one,
        min: Math.min(one.min, other.min),
        step: Math.min(one.step, other.step),
        samples: one.samples + other.samples,
        rounds: [...one.rounds, ...other.rounds],
    };
}

function byKey(results: readonly Result[]): Map<string, Result> {
    return new Map(results.map((result) => [keyOf(result), result]));
}

function nameOf({ routine, implementation, n, timed }: CaseName): CaseName {
    return { routine, implementation, n, timed };
}

/** Portable C, or TypeScript without the addon: neither has code for particular processors. */
const REFERENCES = ['paper/c', 'paper/typescript'];

/** The case that a case is measured against; null where there is none or it is the reference itself. */
export function referenceOf(name: CaseName, has: (name: CaseName) => boolean): CaseName | null {
    const { n, timed } = name;
    for (const implementation of REFERENCES) {
        // paper/c lacks the slerp of one pair at many times; its slerp of lists is the reference.
        for (const routine of [name.routine, 'slerp'] as const) {
            const reference = { routine, implementation, n, timed };
            if (has(reference)) return keyOf(reference) === keyOf(name) ? null : reference;
        }
    }
    return null;
}
