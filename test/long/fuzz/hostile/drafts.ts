// SPDX-License-Identifier: MIT

/** Descriptions of the arguments of a call, in plain data that fast-check draws and shrinks. */

import * as fc from 'fast-check';
import type { Draft } from './kinds';
import { WRONG } from './wrong';

const rarely = <T>(common: T, other: fc.Arbitrary<T>, weight: number) =>
    fc.oneof({ weight: 12 - weight, arbitrary: fc.constant(common) }, { weight, arbitrary: other });

const DRAFT: fc.Arbitrary<Draft> = fc.record({
    wrong: rarely<number | null>(null, fc.nat(WRONG - 1), 2),
    pick: fc.nat(65535),
    backing: fc.nat(6),
    disguise: rarely(0, fc.integer({ min: 1, max: 4 }), 3),
    longer: rarely(0, fc.integer({ min: -9, max: 9 }), 1),
    alias: rarely<number | null>(null, fc.nat(3), 2),
    shift: rarely(0, fc.integer({ min: -3, max: 3 }), 4),
    special: fc.boolean(),
    more: fc.nat(65535),
});

/** A call: a draft for each argument, and a seed for the contents of lists. */
export interface CallDraft {
    readonly seed: number;
    readonly args: readonly Draft[];
    /** How many of the arguments are passed. */
    readonly given: number;
    /** Selects a change between binding and running, or of the poses before the call. */
    readonly between: number;
}

export const callDrafts = (count: number): fc.Arbitrary<CallDraft> =>
    fc.record({
        seed: fc.nat(),
        args: fc.tuple(...Array.from({ length: count }, () => DRAFT)),
        given: rarely(count, fc.nat(count), 1),
        between: rarely(0, fc.nat(10), 4),
    });
