// SPDX-License-Identifier: MIT

/** The quick `expect` judges as Jest's own does, in the same words. */

import { jestExpect, quickExpect } from '../../support/quick-expect';

type Judge = (actual: unknown) => Record<string, (...args: unknown[]) => unknown>;

const sparse: unknown[] = [];
sparse.length = 2;
const cycle: Record<string, unknown> = {};
cycle.self = cycle;
class Point {
    x = 1;
}

/** Neighbours are nearly the same. New ones each time: to compare iterators is to use them up. */
const values = (): readonly unknown[] => [
    ...[0, -0, 1, 2.5, Number.NaN, Infinity, 1n, 2n, true, null, undefined, '', 'a', 'abc', Symbol.iterator],
    ...[[], [1], [1, 2], [2, 1], [undefined, undefined], sparse, [[1], { a: [2] }], [[1], { a: [2] }], [-0], [0]],
    ...[{}, { x: 1 }, { x: 1, y: undefined }, { x: 1, y: 2 }, { y: 2, x: 1 }, { length: 0 }, { [Symbol.iterator]: 1 }],
    ...[new Point(), Object.create(null), Object.create({ x: 1 }), cycle, [cycle], Object.assign([1], { index: 0 })],
    ...[/a/, /b/g, new Map([[1, 2]]), new Map([[1, 3]]), new Map([[1, 2]]).keys(), new Map([[2, 2]]).keys()],
    ...[
        new Error('a'),
        new Error('b'),
        new Date(0),
        new Date(1),
        new Set([1]),
        Float32Array.of(0),
        Float32Array.of(-0),
        Float32Array.of(Number.NaN),
        Float64Array.of(0),
        new Uint8Array(4),
        new Uint8Array(4).subarray(2),
        Buffer.of(1, 2),
        Buffer.of(1, 2, 3).subarray(0, 2),
        new DataView(new ArrayBuffer(2)),
        new DataView(new ArrayBuffer(3)),
    ],
    ...[jestExpect.any(Number), [jestExpect.anything()], { x: jestExpect.closeTo(1) }, jestExpect.stringMatching('a')],
    ...['x'.matchAll(/x/g), () => 1, Promise.resolve, [[[[[[[[1]]]]]]]], [[[[[[[[2]]]]]]]]],
];

function verdict(judge: typeof expect, name: string, actual: unknown, args: unknown[], not: boolean): string {
    try {
        const expectation = judge(actual) as unknown as ReturnType<Judge> & { not: ReturnType<Judge> };
        (not ? expectation.not : expectation)[name]!(...args);
        return 'passed';
    } catch (error) {
        return (error as Error).message;
    }
}

/** Both judge every value against itself, a copy and its neighbours; how many of how many pass. */
function compare(name: string, argsOf: (expected: unknown) => unknown[], not = false): [passed: number, of: number] {
    const count = values().length;
    let [passed, of] = [0, 0];
    const both = (pair: () => [actual: unknown, expected: unknown]) => {
        const [ours, theirs] = [quickExpect, jestExpect].map((judge) => {
            const [actual, expected] = pair();
            return verdict(judge, name, actual, argsOf(expected), not);
        });
        if (ours !== theirs) throw new Error(`${name}: ${ours}\n\ninstead of\n\n${theirs}`);
        of++;
        if (ours === 'passed') passed++;
    };
    for (let i = 0; i < count; i++) {
        both(() => {
            const value = values()[i];
            return [value, value];
        });
        for (const j of [i - 1, i, i + 1]) {
            if (values()[j] !== undefined) both(() => [values()[i], values()[j]]);
        }
    }
    return [passed, of];
}

test.each([
    ...['toBe', 'toEqual', 'toStrictEqual', 'toBeLessThan', 'toBeLessThanOrEqual', 'toBeGreaterThan'],
    ...['toBeGreaterThanOrEqual', 'toContain', 'toMatch', 'toMatchObject', 'toBeCloseTo'],
])('%s', (name) => {
    const [passed, of] = compare(name, (expected) => [expected]);
    jestExpect(passed).toBeGreaterThan(0);
    jestExpect(passed).toBeLessThan(of);
    const [failed] = compare(name, (expected) => [expected], true);
    jestExpect(failed).toBeGreaterThan(0);
});

test.each(['toBeUndefined', 'toBeDefined', 'toBeNull', 'toBeNaN', 'toBeTruthy', 'toThrow'])('%s', (name) => {
    jestExpect(compare(name, () => [])[0]).toBeGreaterThan(0);
});

test('arguments too many or too few are refused as by Jest', () => {
    for (const name of ['toBe', 'toEqual', 'toBeUndefined', 'toBeLessThan', 'toMatch']) {
        for (const args of [[], [undefined, 1], [1, 1]]) {
            const [ours, theirs] = [quickExpect, jestExpect].map((judge) => verdict(judge, name, 1, args, false));
            jestExpect(ours).toBe(theirs);
        }
    }
    jestExpect(() => (quickExpect as (...args: unknown[]) => unknown)(1, 2)).toThrow('at most one argument');
});

test('later verdicts of promises', async () => {
    await quickExpect(Promise.resolve(1)).resolves.toBe(1);
    await quickExpect(Promise.reject(new Error('no'))).rejects.toThrow('no');
    await quickExpect(Promise.resolve(1)).resolves.not.toBe(2);
    const wrong = async (judge: typeof expect) => {
        const error = await judge(Promise.resolve(1))
            .resolves.toBe(2)
            .catch((caught: Error) => caught);
        return (error as unknown as Error).message;
    };
    jestExpect(await wrong(quickExpect)).toBe(await wrong(jestExpect));
});

test('an error is at the line of the test; what passes is counted', async () => {
    const before = jestExpect.getState().assertionCalls;
    quickExpect([1, 'a']).toEqual([1, 'a']);
    jestExpect(jestExpect.getState().assertionCalls).toBe(before + 1);
    const thrown = [() => quickExpect(1).toBe(2), () => quickExpect(1).not.toBe(1)].map((call) => {
        try {
            call();
        } catch (error) {
            return error as Error;
        }
        return new Error('passed');
    });
    const rejected = (await quickExpect(Promise.resolve(1))
        .resolves.toBe(2)
        .catch((error: Error) => error)) as unknown as Error;
    for (const { stack } of [...thrown, rejected]) {
        jestExpect(stack).toContain('quick-expect.test.ts');
        jestExpect(stack).not.toMatch(/quick-expect\.ts/);
    }
});

test('the tests have it', () => {
    jestExpect(expect).toBe(quickExpect);
    jestExpect(expect.any(Number)).toEqual(1);
});
