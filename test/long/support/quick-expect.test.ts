// SPDX-License-Identifier: MIT

/** The quick `expect` judges as Jest's own does, in the same words, at the line of the test. */

import { jestExpect, quickExpect } from '../../support/quick-expect';

const cycle: Record<string, unknown> = {};
cycle.self = cycle;
class Point {
    x = 1;
}

/** Neighbors are nearly the same. New ones each time: to compare iterators is to use them up. */
const values = (): readonly unknown[] => [
    ...[0, -0, 1, 2.5, Number.NaN, Infinity, 1n, true, null, undefined, '', 'a', 'abc', Symbol.iterator],
    ...[[], [1], [1, 2], [2, 1], [undefined], Array(1), [[1], { a: [2] }], [[1], { a: [2] }], [-0], [0]],
    ...[{}, { x: 1 }, { x: 1, y: undefined }, { x: 1, y: 2 }, { y: 2, x: 1 }, { length: 0 }, { [Symbol.iterator]: 1 }],
    ...[new Point(), Object.create(null), Object.create({ x: 1 }), cycle, [cycle], Object.assign([1], { index: 0 })],
    ...[/a/, /b/g, new Map([[1, 2]]), new Map([[1, 3]]), new Map([[1, 2]]).keys(), new Set([1]), new Date(0)],
    ...[new Error('a'), new Error('b'), Float32Array.of(0), Float32Array.of(-0), Float32Array.of(Number.NaN)],
    ...[Float64Array.of(0), new Uint8Array(4), new Uint8Array(4).subarray(2), Buffer.of(1, 2), new ArrayBuffer(2)],
    ...[jestExpect.any(Number), [jestExpect.anything()], { x: jestExpect.closeTo(1) }, [[[[[[[[1]]]]]]]]],
];

function verdict(judge: typeof expect, name: string, actual: unknown, args: unknown[], not: boolean): string {
    try {
        const expectation = judge(actual) as unknown as Record<string, (...args: unknown[]) => unknown>;
        const matchers = not ? (expectation.not as unknown as typeof expectation) : expectation;
        matchers[name]!(...args);
        return 'passed';
    } catch (error) {
        return (error as Error).message;
    }
}

test.each([
    ...['toBe', 'toEqual', 'toBeLessThan', 'toBeLessThanOrEqual', 'toBeGreaterThan', 'toBeGreaterThanOrEqual'],
    ...['toContain', 'toMatch', 'toBeUndefined', 'toBeDefined', 'toBeNull', 'toStrictEqual'],
])('%s', (name) => {
    const seen = new Set<boolean>();
    for (let i = 0; i < values().length; i++) {
        for (const [j, not] of [-1, 0, 1].flatMap((step) => [false, true].map((not) => [i + step, not] as const))) {
            const [ours, theirs] = [quickExpect, jestExpect].map((judge) => {
                const args = /Undefined|Defined|Null/.test(name) ? [] : [values()[j]];
                return verdict(judge, name, values()[i], args, not);
            });
            jestExpect(ours).toBe(theirs);
            seen.add(ours === 'passed');
        }
    }
    jestExpect(seen.size).toBe(2);
});

test('promises, errors and counts are as in Jest', async () => {
    await quickExpect(Promise.resolve(1)).resolves.toBe(1);
    await quickExpect(Promise.reject(new Error('no'))).rejects.toThrow('no');
    const before = jestExpect.getState().assertionCalls;
    quickExpect([1, 'a']).toEqual([1, 'a']);
    jestExpect(jestExpect.getState().assertionCalls).toBe(before + 1);
    const rejected: Error = await quickExpect(Promise.resolve(1))
        .resolves.toBe(2)
        .catch((error) => error);
    jestExpect(rejected.stack).toContain('quick-expect.test.ts');
    jestExpect(rejected.stack).not.toMatch(/quick-expect\.ts/);
    jestExpect(expect).toBe(quickExpect);
});
