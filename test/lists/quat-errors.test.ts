// SPDX-License-Identifier: MIT

/**
 * Bad input to every routine on quaternion and float lists, one fault at a time: a TypeError or RangeError with a
 * `code`, whose message names the function, the argument, what was given and what is needed; nothing written; the same
 * words in the addon and in TypeScript.
 */

import type { Kernels } from '../../lib/lists';
import { implementation, implementations } from '../../lib/lists';
import { bytesOf, expectSameBytes } from '../support/bytes';
import { describeImplementation, IMPLEMENTATIONS, isTypescript, STRICT_ROUTINES } from '../support/implementations';
import { type Arguments, faultsOf, goodArguments, QUAT_ROUTINES, type QuatRoutine } from '../support/quat-faults';

const FAULTS = new Map(QUAT_ROUTINES.map((routine) => [routine, faultsOf(routine)]));

const STRICT = 'strict/typescript';
const PAPER = 'paper/typescript';

/** The implementation whose words the others must have: in TypeScript, because that runs everywhere. */
const wordsOf = (routine: QuatRoutine) => ((STRICT_ROUTINES as readonly string[]).includes(routine) ? STRICT : PAPER);

interface Thrown {
    readonly name: string;
    readonly code: unknown;
    readonly message: string;
}

function thrownBy(run: () => unknown): Thrown | undefined {
    try {
        run();
        return undefined;
    } catch (error) {
        const { name, code, message } = error as Error & { code?: unknown };
        expect(Object.getPrototypeOf(error).constructor.name).toBe(name);
        return { name, code, message };
    }
}

const call = (kernels: Kernels, routine: QuatRoutine, args: Arguments) =>
    thrownBy(() => (kernels[routine] as (...all: unknown[]) => void)(...Object.values(args)));

/** Bytes of every buffer that is still there among the arguments. */
function bytesOfAll(args: Arguments): Map<string, Uint8Array> {
    const bytes = new Map<string, Uint8Array>();
    for (const [name, value] of Object.entries(args)) {
        if (!ArrayBuffer.isView(value) || value.buffer.byteLength === 0) continue;
        // All of the buffer, not only what the view shows.
        bytes.set(name, bytesOf(new Uint8Array(value.buffer)));
    }
    return bytes;
}

it('there are many faults, each with a title of its own', () => {
    for (const [routine, faults] of FAULTS) {
        expect([routine, faults.length > 50]).toEqual([routine, true]);
        expect(new Set(faults.map(({ title }) => title)).size).toBe(faults.length);
    }
});

for (const { name, routines } of IMPLEMENTATIONS) {
    describeImplementation(name, (kernels) => {
        for (const routine of QUAT_ROUTINES.filter((one) => (routines as readonly string[]).includes(one))) {
            describe(routine, () => {
                it('takes the arguments that the faults begin with', () => {
                    const args = goodArguments(routine);
                    const before = bytesOfAll(args).get('result')!;
                    expect(call(kernels, routine, args)).toBeUndefined();
                    expect(Buffer.compare(before, bytesOfAll(args).get('result')!)).not.toBe(0);
                });

                // A test for each fault; the others are held against this one, below.
                if (name === wordsOf(routine)) {
                    it.each(FAULTS.get(routine)!)('refuses: $title', ({ spoil, name: errorName, code, says }) => {
                        const args = spoil(goodArguments(routine));
                        const before = bytesOfAll(args);
                        const thrown = call(kernels, routine, args);
                        for (const [argument, bytes] of bytesOfAll(args)) {
                            expectSameBytes(bytes, before.get(argument)!, () => `${routine} wrote to ${argument}`);
                        }
                        expect(thrown).toMatchObject({ name: errorName, code });
                        expect(thrown!.message.startsWith(`${routine}: `)).toBe(true);
                        for (const words of says) expect(thrown!.message).toContain(words);
                    });
                }

                it('does nothing for empty lists and for a count of 0', () => {
                    const empty = Object.fromEntries(
                        Object.entries(goodArguments(routine)).map(([argument, value]) => {
                            const isPair = argument === 'q0' || argument === 'q1';
                            if (argument === 'count') return [argument, undefined];
                            return [argument, value instanceof Float32Array && !isPair ? new Float32Array(0) : value];
                        }),
                    );
                    expect(call(kernels, routine, empty)).toBeUndefined();
                    const args = goodArguments(routine);
                    if (!('count' in args)) return;
                    const before = bytesOfAll(args).get('result')!;
                    expect(call(kernels, routine, { ...args, count: 0 })).toBeUndefined();
                    expectSameBytes(bytesOfAll(args).get('result')!, before, () => 'a count of 0');
                    expect(call(kernels, routine, { ...empty, count: 0 })).toBeUndefined();
                });

                it('needs only enough room where a count is given: other lengths, no whole quaternions', () => {
                    const args = goodArguments(routine);
                    if (!('count' in args)) return;
                    args.count = 2;
                    args.result = new Float32Array(9);
                    args.from = (args.from as Float32Array).slice(0, 11);
                    expect(call(kernels, routine, args)).toBeUndefined();
                    const right = new Float32Array(8);
                    expect(call(kernels, routine, { ...args, result: right })).toBeUndefined();
                    expect([...(args.result as Float32Array)]).toEqual([...right, 0]);
                });
            });
        }
    });
}

for (const { name, routines } of IMPLEMENTATIONS) {
    const compared = QUAT_ROUTINES.filter(
        (routine) => (routines as readonly string[]).includes(routine) && name !== wordsOf(routine),
    );
    if (compared.length === 0) continue;
    describeImplementation(name, (other) => {
        it.each([...compared])('%s refuses in the same words as TypeScript, and writes nothing', (routine) => {
            const typescript = implementation(wordsOf(routine)) as Kernels;
            for (const { spoil, title } of FAULTS.get(routine)!) {
                const args = spoil(goodArguments(routine));
                const before = bytesOfAll(args);
                const actual = call(other, routine, args);
                for (const [argument, bytes] of bytesOfAll(args)) {
                    expectSameBytes(bytes, before.get(argument)!, () => `${title}: wrote to ${argument}`);
                }
                const expected = call(typescript, routine, spoil(goodArguments(routine)));
                expect({ title, ...actual }).toEqual({ title, ...expected });
            }
        });

        it.each([...compared])('%s finds the same of two faults first', (routine) => {
            const typescript = implementation(wordsOf(routine)) as Kernels;
            const faults = FAULTS.get(routine)!;
            let count = 0;
            for (const [i, one] of faults.entries()) {
                const two = faults[(i * 7 + 31) % faults.length]!;
                const spoil = (): Arguments | undefined => {
                    try {
                        return two.spoil(one.spoil(goodArguments(routine)));
                    } catch {
                        // The first has left nothing that the second could spoil.
                        return undefined;
                    }
                };
                if (spoil() === undefined) continue;
                const [expected, actual] = [typescript, other].map((kernels) => call(kernels, routine, spoil()!));
                const titles = { one: one.title, two: two.title };
                expect({ ...titles, ...actual }).toEqual({ ...titles, ...expected });
                count++;
            }
            expect(count).toBeGreaterThan(30);
        });
    });
}

/** What `implementation` says, whether or not the implementation can run here: its arguments are looked at first. */
const askingFor = (name: unknown, ...options: unknown[]) =>
    thrownBy(() => (implementation as (...all: unknown[]) => unknown)(name, ...options));

describe('implementation(name, { terms })', () => {
    const listed = implementations();
    const withTerms = listed.filter(({ maxTerms }) => maxTerms !== undefined);

    it('is for eberly/* only', () => {
        expect(withTerms.map(({ name, maxTerms }) => [name.startsWith('eberly/'), maxTerms])).toEqual(
            Array(5).fill([true, 16]),
        );
        for (const { name, maxTerms } of listed) {
            if (maxTerms !== undefined) continue;
            for (const terms of [1, 8, 0, 17]) {
                expect(askingFor(name, { terms })).toEqual({
                    name: 'RangeError',
                    code: 'ERR_COUNT_RANGE',
                    message: `implementation: ${name} has no terms to choose, got ${terms}`,
                });
            }
        }
    });

    it.each([
        0,
        -0,
        -1,
        17,
        18,
        100,
        1.5,
        16.000001,
        0.999,
        Number.NaN,
        Infinity,
        -Infinity,
        2 ** 31,
        2 ** 32 + 1,
        2 ** 53,
        1e300,
    ])('refuses terms of %d', (terms) => {
        for (const { name } of withTerms) {
            expect(askingFor(name, { terms })).toEqual({
                name: 'RangeError',
                code: 'ERR_COUNT_RANGE',
                message: `implementation: terms must be an integer from 1 to 16, got ${Object.is(terms, -0) ? '-0' : terms}`,
            });
        }
    });

    it.each([
        ['a string', '8', '"8"'],
        ['a bigint', 8n, '8n'],
        ['null', null, 'null'],
        ['a boolean', true, 'true'],
        ['an object with valueOf', { valueOf: () => 8 }, 'an object'],
        ['an Array', [8], 'an Array'],
        ['a symbol', Symbol('8'), 'a symbol'],
        ['a function', () => 8, 'a function'],
        ['a Float32Array', new Float32Array(8), 'Float32Array(8)'],
    ])('refuses terms that are %s', (_, terms, given) => {
        for (const { name } of withTerms) {
            expect(askingFor(name, { terms })).toEqual({
                name: 'TypeError',
                code: 'ERR_ARGUMENT_TYPE',
                message: `implementation: terms must be a number, got ${given}`,
            });
        }
    });

    it.each([
        ['null', null, 'null'],
        ['a number', 8, '8'],
        ['a string', 'terms', '"terms"'],
        ['a boolean', true, 'true'],
        ['a function', () => 8, 'a function'],
        ['a symbol', Symbol('8'), 'a symbol'],
    ])('refuses options that are %s', (_, options, given) => {
        for (const { name } of listed) {
            expect(askingFor(name, options)).toEqual({
                name: 'TypeError',
                code: 'ERR_ARGUMENT_TYPE',
                message: `implementation: options must be an object, got ${given}`,
            });
        }
    });

    it.each([
        ['eberly', '"eberly"'],
        ['eberly/sse', '"eberly/sse"'],
        ['EBERLY/FPU', '"EBERLY/FPU"'],
        ['', '""'],
        [undefined, 'undefined'],
        [8, '8'],
        ['constructor', '"constructor"'],
        ['__proto__', '"__proto__"'],
    ])('refuses the name %p and lists those that there are', (name, given) => {
        const thrown = askingFor(name, { terms: 8 });
        expect(thrown).toMatchObject({ name: 'RangeError', code: 'ERR_UNKNOWN_IMPLEMENTATION' });
        expect(thrown!.message).toContain(`got ${given}`);
        for (const known of listed) expect(thrown!.message).toContain(known.name);
    });

    for (const { name } of IMPLEMENTATIONS.filter((known) => known.name.startsWith('eberly/'))) {
        describeImplementation(name, (kernels) => {
            it('takes 1 … 16 terms, and without them 8; the same object for the same terms', () => {
                for (let terms = 1; terms <= 16; terms++) {
                    const chosen = implementation(name, { terms });
                    expect(chosen).toBe(implementation(name, { terms }));
                    expect(chosen === kernels).toBe(terms === 8);
                    expect(Object.keys(chosen)).toEqual(expect.arrayContaining(['slerpQuats', 'slerpQuatTimes']));
                    expect(Object.isFrozen(chosen)).toBe(true);
                }
                expect(implementation(name, {})).toBe(kernels);
                expect(implementation(name, { terms: undefined })).toBe(kernels);
            });
        });
    }

    it('says of what cannot run here why, once its arguments are right', () => {
        for (const { name, available, reason } of listed) {
            if (available) continue;
            expect(isTypescript(name)).toBe(false);
            expect(askingFor(name)).toEqual({
                name: 'Error',
                code: 'ERR_IMPLEMENTATION_UNAVAILABLE',
                message: `implementation: ${name} is not available: ${reason}`,
            });
        }
    });
});
