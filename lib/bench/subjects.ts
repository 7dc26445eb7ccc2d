// SPDX-License-Identifier: MIT

/** The cases: each routine in each implementation that runs here, timed in the addon and called from JavaScript. */

import { addon } from '../addon/load';
import { implementation, implementations } from '../lists/implementations';
import type { Routine } from '../lists/routines';
import type { BenchData } from './data';
import type { CaseName, Subject } from './measure';
import { type Call, callsOn } from './routine-calls';
import { inBatches, nanosecondsOf, type TimeCalls } from './time-calls';

/** Terms for implementations that have a choice: the default of `implementation()`. */
const TERMS = 8;

/**
 * All cases that can be measured on these data.
 *
 * @param timeCalls How calls from JavaScript are timed.
 */
export function createSubjects(data: BenchData, timeCalls: TimeCalls = inBatches): Subject[] {
    const subjects: Subject[] = [];
    for (const [routine, call] of Object.entries(callsOn(data)) as [Routine, Call][]) {
        for (const { name, routines, available, maxTerms } of implementations()) {
            if (!available || !routines.includes(routine)) continue;
            const inAddon = addon?.implementations.find((native) => native.name === name)?.timed[routine];
            const named = { routine, implementation: name, n: data.n };
            if (inAddon) subjects.push(addonSubject(named, call, inAddon, maxTerms ? TERMS : 0));
            const refill = call.source === null ? undefined : () => call.destination.set(call.source!);
            subjects.push(javascriptSubject(named, call.javascript(implementation(name)), refill, timeCalls));
        }
    }
    return subjects;
}

type Named = Omit<CaseName, 'timed'>;

function addonSubject(named: Named, call: Call, inAddon: (...args: unknown[]) => unknown, terms: number): Subject {
    const args = call.addon(terms);
    // The addon's timed call always needs a source to copy.
    const source = call.source ?? new Float32Array(1);
    const take = (count: number): number[] => {
        const samples = new Float64Array(count);
        if (inAddon(samples, source, ...args) !== undefined) {
            throw new Error(`bench: the addon refused ${named.routine} of ${named.implementation}`);
        }
        return Array.from(samples);
    };
    let each = 0;
    return {
        ...named,
        timed: 'addon',
        unit: addon!.timer === 'tsc' ? 'ticks' : 'ns',
        sample(milliseconds) {
            if (each === 0) each = nanosecondsOf(() => take(4)) / 4;
            const count = clamp((milliseconds * 1e6) / each, 4, 2000);
            let samples: number[] = [];
            const spent = nanosecondsOf(() => {
                samples = take(count);
            });
            each = spent / count;
            return samples;
        },
    };
}

/**
 * A case that is called from JavaScript.
 *
 * @param refill Prepares each call; its time is measured and subtracted.
 */
export function javascriptSubject(
    named: Named,
    run: () => void,
    refill?: () => void,
    timeCalls: TimeCalls = inBatches,
): Subject {
    const labels = { ...named, timed: 'javascript', unit: 'ns' } as const;
    if (refill === undefined) return { ...labels, sample: timeCalls(run) };
    const timeRefill = timeCalls(refill);
    const timeBoth = timeCalls(() => {
        refill();
        run();
    });
    return {
        ...labels,
        sample(milliseconds) {
            const samples = timeBoth(milliseconds / 2);
            const refilling = Math.min(...timeRefill(milliseconds / 2));
            return samples.map((sample) => Math.max(sample - refilling, 0));
        },
    };
}

function clamp(value: number, min: number, max: number): number {
    return Math.round(Math.min(Math.max(value, min), max));
}
