// SPDX-License-Identifier: MIT

/** The quick `expect`, which judges all tests, has the verdicts of Jest's own. */

import { jestExpect, quickExpect } from '../../support/quick-expect';

/** New ones each time. */
const values = (): readonly unknown[] => [
    ...[0, -0, 1, Number.NaN, 1n, null, undefined, '', 'a', 'abc', /b/g],
    ...[[], [undefined], Array(1), [-0], [0], [[1], { a: 2 }], Object.assign([0], { y: 1 })],
    ...[{}, { x: 1 }, { x: 1, y: undefined }, Object.create({ x: 1 }), { [Symbol.iterator]: 1 }],
    ...[new Map([[1, 2]]), new Map([[1, 3]]), new Date(0), new Date(1), Float32Array.of(0), Float32Array.of(-0)],
    ...[new Uint8Array(4), new Uint8Array(4).subarray(2), [jestExpect.anything()], { x: jestExpect.any(Number) }],
];

function passes(judge: typeof expect, name: string, actual: unknown, args: readonly unknown[]): boolean {
    try {
        (judge(actual) as unknown as Record<string, (...args: readonly unknown[]) => void>)[name]!(...args);
        return true;
    } catch {
        return false;
    }
}

test.each([
    ...['toBe', 'toEqual', 'toBeLessThan', 'toBeLessThanOrEqual', 'toBeGreaterThan', 'toBeGreaterThanOrEqual'],
    ...['toContain', 'toMatch', 'toBeUndefined', 'toBeDefined', 'toBeNull'],
])('%s', (name) => {
    const pairs = values().flatMap((_, i) => values().map((_, j) => [i, j] as const));
    const [ours, theirs] = [quickExpect, jestExpect].map((judge) =>
        pairs.map(([i, j]) => passes(judge, name, values()[i], /Un|Def|Null/.test(name) ? [] : [values()[j]])),
    );
    jestExpect(ours).toEqual(theirs);
    jestExpect(new Set(ours).size).toBe(2);
});
