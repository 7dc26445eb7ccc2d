// SPDX-License-Identifier: MIT

import { type CaseName, keyOf } from './measure';

/** Portable C and, where there is no addon, TypeScript: both without anything that depends on the processor. */
const REFERENCES = ['paper/c', 'paper/typescript'];

/** The case that a case is measured against; null where there is none or it is the reference itself. */
export function referenceOf(name: CaseName, has: (name: CaseName) => boolean): CaseName | null {
    const { n, timed } = name;
    for (const implementation of REFERENCES) {
        // What paper/c does not have, one pair at many times, is a slerp, too.
        for (const routine of [name.routine, 'slerp'] as const) {
            const reference = { routine, implementation, n, timed };
            if (has(reference)) return keyOf(reference) === keyOf(name) ? null : reference;
        }
    }
    return null;
}
