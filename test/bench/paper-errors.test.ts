// SPDX-License-Identifier: MIT

/** The sampled errors beside those that the documents state: docs/tables/papers-defects.md says why they differ. */

import { errorRows } from '../../lib/bench/paper-errors';
import { nativeSkipReason } from '../support/implementations';

const { errors, terms } = errorRows();
const hereOf = (what: string) => errors.find(({ of }) => of === what)!.here;

test('sine and arc tangent in float32: a few roundings of the result', () => {
    for (const what of ['sine', 'arcTangent']) {
        expect(hereOf(what)).toBeGreaterThan(2 ** -24);
        expect(hereOf(what)).toBeLessThan(4 * 2 ** -24);
    }
});

test('SlerpJoints by SSE: what the worst estimates of a CPU allow', () => {
    if (nativeSkipReason() !== null) {
        expect(hereOf('sse')).toBeNull();
        return;
    }
    expect(hereOf('sse')).toBeGreaterThan(1e-7);
    expect(hereOf('sse')).toBeLessThan(9.6e-7);
});

test("Eberly's slerp is off by more than 2 e with any number of terms, and the less the more terms there are", () => {
    expect(terms.map(({ n }) => n)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
    for (const { e, here } of terms) expect(here).toBeGreaterThan(2 * Number(e));
    for (let i = 1; i < terms.length; i++) expect(terms[i]!.here).toBeLessThan(terms[i - 1]!.here);
    // docs/tables/eberly.md has 3.86e-5, of more samples.
    expect(terms[7]!.here).toBeLessThan(3.87e-5);
    expect(terms[7]!.here).toBeGreaterThan(3.5e-5);
    expect(hereOf('eberly')).toBe(terms[7]!.here);
});
