// SPDX-License-Identifier: MIT

/** Which routines have rows in the document, and the calls that measure them. */

import { NOT_IN_DOCUMENTS } from '../../lib.mjs';

/** The numbers of terms that are measured where they can be chosen. */
const TERMS = [8, 12, 16];

/** What goes through rsqrtps or rcpps, whose results are the CPU's own. */
const BY_CPU = {
    'paper/sse': ['slerpJoints', 'lerpJoints', 'convertJointMatsToJointQuats', 'slerpQuats', 'lerpQuats'],
    'intel/avx': ['slerpQuats'],
};

/** A routine of an implementation, with so many terms: what has a row in the document. */
export function variants(library, routine) {
    return library
        .implementations()
        .filter(({ name, routines }) => routines.includes(routine) && !NOT_IN_DOCUMENTS.includes(name))
        .flatMap(({ name, available, reason, maxTerms }) =>
            // Of Eberly's routines only the polynomial has terms to choose.
            (maxTerms && routine !== 'slerp' ? TERMS : [undefined]).map((terms) => ({
                routine,
                name,
                terms,
                label: terms === undefined ? name : `${name}, ${terms} terms`,
                byCpu: BY_CPU[name]?.includes(routine) ?? false,
                ...(available ? { run: library.implementation(name, { terms })[routine] } : { reason }),
            })),
        );
}

/** A row of the document: what it is, and its numbers where it ran. */
export const asRow = ({ routine, label, byCpu, reason }, numbers) => ({
    routine,
    label,
    byCpu,
    ...(reason === undefined ? numbers : { reason }),
});

/**
 * The lists of a chunk, as the arguments of a call; `result` is the same for all. The same again with its time for each
 * pair of a list: `perPair`.
 */
export function calls({ pairs, from, to, times }) {
    const result = new Float32Array(pairs * 4);
    const list = (pairs / times.length) * 4;
    const lists = Array.from(times, (t, i) => {
        const [first, end] = [i * list, (i + 1) * list];
        return [result.subarray(first, end), from.subarray(first, end), to.subarray(first, end), t];
    });
    const perPair = lists.map(([to0, from0, from1, t]) => [to0, from0, from1, new Float32Array(list / 4).fill(t)]);
    return { result, lists, perPair };
}
