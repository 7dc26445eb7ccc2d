// SPDX-License-Identifier: MIT

/**
 * Runs before each test file: an `expect` whose passing calls are quick. Jest's makes two hundred functions and an error
 * for each call: a third of the time of tests that check thousands of values. This one first compares the common plain
 * cases. Jest's own `expect` judges and reports everything else, and all that fails.
 */

import { haveSameBytes } from './bytes';

type Matcher = (...args: unknown[]) => unknown;
type Matchers = Record<string, Matcher>;

/** Jest's own. */
export const jestExpect = expect;

const make = jestExpect as unknown as (actual: unknown, ...rest: unknown[]) => Matchers & Record<Modifier, Matchers>;
type Modifier = 'not' | 'resolves' | 'rejects';

const isNumber = (x: unknown): x is number => typeof x === 'number';
const isString = (x: unknown): x is string => typeof x === 'string';

/** More than this, a cycle among it, is left to Jest. */
const DEEPEST = 6;

/** Whether two values are the same plain data; false where that would take more than a short look. */
function same(a: unknown, b: unknown, depth = 0): boolean {
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
    if (depth > DEEPEST) return false;
    const prototype = Object.getPrototypeOf(a);
    if (Object.getPrototypeOf(b) !== prototype) return false;
    // Jest's takes a microsecond for each number. A view without bytes may be detached.
    if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b))
        return a.byteLength > 0 && a.byteLength === b.byteLength && haveSameBytes(a, b);
    if (prototype !== (Array.isArray(a) ? Array.prototype : Object.prototype)) return false;
    const [ours, theirs] = [a as Record<string, unknown>, b as Record<string, unknown>];
    if (Array.isArray(a) && (!Array.isArray(b) || a.length !== b.length)) return false;
    if (Object.getOwnPropertySymbols(a).length > 0 || Object.getOwnPropertySymbols(b).length > 0) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(theirs, key) && same(ours[key], theirs[key], depth + 1));
}

/** Quick checks: true means that the matcher passes, false leaves it to Jest. */
const PASSES: Record<string, (actual: unknown, expected: unknown) => boolean> = {
    toBe: Object.is,
    toEqual: same,
    toBeLessThan: (a, b) => isNumber(a) && isNumber(b) && a < b,
    toBeLessThanOrEqual: (a, b) => isNumber(a) && isNumber(b) && a <= b,
    toBeGreaterThan: (a, b) => isNumber(a) && isNumber(b) && a > b,
    toBeGreaterThanOrEqual: (a, b) => isNumber(a) && isNumber(b) && a >= b,
    toContain: (a, b) => isString(a) && isString(b) && a.includes(b),
    toMatch: (a, b) => isString(a) && (b instanceof RegExp ? new RegExp(b).test(a) : isString(b) && a.includes(b)),
};
const PASSES_ALONE: Record<string, (actual: unknown) => boolean> = {
    toBeUndefined: (a) => a === undefined,
    toBeDefined: (a) => a !== undefined,
    toBeNull: (a) => a === null,
};

/** The trace of an error without this file, so that Jest shows the line of the test. */
function fromTest(error: unknown): unknown {
    const { stack } = error as Partial<Error>;
    if (isString(stack)) {
        const lines = stack.split('\n').filter((line) => !line.includes(__filename));
        (error as Error).stack = lines.join('\n');
    }
    return error;
}

/** Jest's matcher; the error comes at once or, of `resolves` and `rejects`, later. */
function judge(matchers: Matchers, name: string, args: unknown[]): unknown {
    try {
        const result = matchers[name]!(...args);
        if (!(result instanceof Promise)) return result;
        return result.catch((error) => {
            throw fromTest(error);
        });
    } catch (error) {
        throw fromTest(error);
    }
}

const NAMES = Object.keys(make(0)).filter((name) => typeof make(0)[name] === 'function');

function judges(matchers: Matchers): Matchers {
    return Object.fromEntries(NAMES.map((name) => [name, (...args: unknown[]) => judge(matchers, name, args)]));
}

class Expectation {
    constructor(readonly actual: unknown) {}

    get not() {
        return judges(make(this.actual).not as unknown as Matchers);
    }

    get resolves() {
        const { resolves } = make(this.actual);
        return { ...judges(resolves), not: judges(resolves.not as unknown as Matchers) };
    }

    get rejects() {
        const { rejects } = make(this.actual);
        return { ...judges(rejects), not: judges(rejects.not as unknown as Matchers) };
    }
}

for (const name of NAMES) {
    const [passes, alone] = [PASSES[name], PASSES_ALONE[name]];
    const matcher = function (this: Expectation, ...args: unknown[]): unknown {
        const passed =
            passes !== undefined
                ? args.length === 1 && passes(this.actual, args[0])
                : args.length === 0 && alone !== undefined && alone(this.actual);
        if (!passed) return judge(make(this.actual), name, args);
        const state = jestExpect.getState() as { assertionCalls: number; numPassingAsserts: number };
        state.assertionCalls++;
        state.numPassingAsserts++;
        return undefined;
    };
    Object.defineProperty(Expectation.prototype, name, { value: matcher });
}

export const quickExpect = Object.assign(
    (actual: unknown, ...rest: unknown[]) => (rest.length > 0 ? make(actual, ...rest) : new Expectation(actual)),
    jestExpect,
) as unknown as typeof jestExpect;

Object.assign(globalThis, { expect: quickExpect });
