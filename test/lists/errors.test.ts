// SPDX-License-Identifier: MIT

/**
 * Bad input to every routine of every implementation, one fault at a time: throws a TypeError or RangeError with a `code`.
 * Its message names the function, the argument, its value and the rule, and is the same for all. Nothing is written.
 */

import { types } from 'node:util';
import type { Kernels } from '../../lib/lists';
import * as plain from '../../lib/lists';
import { type BindableRoutine, ROUTINE_NAMES, ROUTINES, type Routine, STRICT_ROUTINES } from '../../lib/lists/routines';
import { bytesOf, expectSameBits, expectSameBytes } from '../support/bytes';
import { detached, faultsOf, goodArguments, N, Resizable, thrownBy } from '../support/faults';
import {
    describeImplementation,
    describeJointImplementations,
    IMPLEMENTATIONS,
    isTypescript,
} from '../support/implementations';
import { jointQuats, random } from '../support/joint-data';
import { once, onceFor } from '../support/once';
import type { Args } from '../support/routine-arguments';

/** The bytes of every live buffer of the arguments: the whole buffer, not only the view. */
function bytesOfAll(args: Args): Map<string, Uint8Array> {
    const bytes = new Map<string, Uint8Array>();
    for (const [name, value] of Object.entries(args)) {
        const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
        if (!types.isAnyArrayBuffer(buffer) || buffer.byteLength === 0) continue;
        bytes.set(name, bytesOf(new Uint8Array(buffer)));
    }
    return bytes;
}

function expectUntouched(args: Args, before: Map<string, Uint8Array>, what: string): void {
    for (const [name, bytes] of bytesOfAll(args)) expectSameBytes(bytes, before.get(name)!, () => `${what}: ${name}`);
}

type Functions = Partial<Kernels>;

const call = (functions: Functions, routine: Routine, args: Args) =>
    thrownBy(() => (functions[routine] as (...args: unknown[]) => void)(...Object.values(args)));

const FAULTS = new Map(ROUTINE_NAMES.map((routine) => [routine, faultsOf(routine)]));

it('there are many faults, each with its own title', () => {
    for (const [routine, faults] of FAULTS) {
        expect([routine, faults.length > 60]).toEqual([routine, true]);
        expect(new Set(faults.map(({ title }) => title)).size).toBe(faults.length);
    }
});

/** The implementation whose messages the others must have: in TypeScript, because that runs everywhere. */
const wordsOf = (routine: Routine) =>
    STRICT_ROUTINES.includes(routine as BindableRoutine) ? 'strict/typescript' : 'paper/typescript';
const typescript = once(() => ({
    'strict/typescript': plain.implementation('strict/typescript'),
    'paper/typescript': plain.implementation('paper/typescript'),
}));

function describeOptions(functions: Functions, routine: Routine): void {
    const names = ROUTINES[routine].lists.map(({ argument }) => argument);

    describe.each(['numJoints', 'convention'] as const)('options with an accessor %s', (option) => {
        const value = option === 'numJoints' ? N : 'gltf';

        it('that throws: the call throws its error, and nothing is written', () => {
            const args = goodArguments(routine);
            const before = bytesOfAll(args);
            const error = new Error('from the accessor');
            args.options = Object.defineProperty({}, option, {
                get() {
                    throw error;
                },
            });
            expect(() => (functions[routine] as (...all: unknown[]) => void)(...Object.values(args))).toThrow(error);
            for (const [name, bytes] of bytesOfAll(args)) expectSameBytes(bytes, before.get(name)!, () => name);
        });

        it('is read once', () => {
            let reads = 0;
            const options = Object.defineProperty({}, option, {
                get() {
                    reads++;
                    return value;
                },
            });
            expect(call(functions, routine, { ...goodArguments(routine), options })).toBeUndefined();
            expect(reads).toBe(1);
        });

        /** Arguments whose accessor commits an abuse of lists before it gives the value. */
        const abusing = (args: Args, abuse: () => void, given: unknown = value): Args => ({
            ...args,
            options: Object.defineProperty({}, option, {
                get() {
                    abuse();
                    return given;
                },
            }),
        });
        const gone = { code: expect.stringMatching(/^ERR_(DETACHED_BUFFER|BUFFER_LENGTH)$/) };

        it.each([...names.map((name) => [name]), names].map((all) => [all.join(' and '), all] as const))(
            'that detaches %s: an error, and nothing is written',
            (_, all) => {
                for (const given of [value, undefined]) {
                    const args = goodArguments(routine);
                    const detach = () => {
                        for (const name of all) detached(args[name] as Float32Array);
                    };
                    const others = names.filter((name) => !all.includes(name));
                    const before = bytesOfAll(args);
                    expect(call(functions, routine, abusing(args, detach, given))).toMatchObject(gone);
                    for (const name of others)
                        expectSameBytes(bytesOfAll(args).get(name)!, before.get(name)!, () => name);
                }
            },
        );

        it('that shrinks both buffers: no crash, and an error with a code', () => {
            const args = goodArguments(routine);
            const buffers = names.map((name) => {
                const values = args[name] as Float32Array;
                const buffer = new Resizable(values.byteLength, { maxByteLength: values.byteLength });
                args[name] = new Float32Array(buffer, 0, values.length);
                return buffer;
            });
            const shrink = () => {
                for (const buffer of buffers) buffer.resize(4);
            };
            expect(call(functions, routine, abusing(args, shrink))).toMatchObject(gone);
        });
    });
}

/** Two faults at once, where the second can still be made. */
const pairsOf = (routine: Routine) => {
    const faults = FAULTS.get(routine)!;
    return faults.flatMap((one, i) => {
        const two = faults[(i * 7 + 31) % faults.length]!;
        const spoil = (args: Args) => two.spoil(one.spoil(args));
        try {
            spoil(goodArguments(routine));
        } catch {
            return [];
        }
        return [{ title: `${one.title}, ${two.title}`, spoil }];
    });
};

/** Every fault, by itself and with another, and TypeScript's error, which the others must have. */
const WORDS = onceFor((routine: Routine) =>
    [...FAULTS.get(routine)!, ...pairsOf(routine)].map(({ title, spoil }) => ({
        title,
        spoil,
        expected: call(typescript()[wordsOf(routine)], routine, spoil(goodArguments(routine))),
    })),
);

function compareWithWords(functions: Functions, routines: readonly Routine[]): void {
    it.each(routines)('%s has the errors of TypeScript, and writes nothing', (routine) => {
        const words = WORDS(routine);
        expect(words.length).toBeGreaterThan(FAULTS.get(routine)!.length + 30);
        for (const { title, spoil, expected } of words) {
            const args = spoil(goodArguments(routine));
            const before = bytesOfAll(args);
            const actual = call(functions, routine, args);
            // Two faults may undo each other.
            if (expected !== undefined) expectUntouched(args, before, title);
            expect({ title, ...actual }).toEqual({ title, ...expected });
        }
    });
}

for (const { name, routines } of IMPLEMENTATIONS) {
    describeImplementation(name, (functions) => {
        const [own, others] = [true, false].map((is) =>
            (routines as readonly Routine[]).filter((routine) => (name === wordsOf(routine)) === is),
        ) as [Routine[], Routine[]];

        describe.each(routines.map((routine) => [routine as Routine]))('%s', (routine) => {
            const [written] = ROUTINES[routine].lists;

            it('takes the arguments that the faults begin with', () => {
                const args = goodArguments(routine);
                const before = bytesOfAll(args).get(written!.argument)!;
                expect(call(functions, routine, args)).toBeUndefined();
                expect(Buffer.compare(before, bytesOfAll(args).get(written!.argument)!)).not.toBe(0);
            });

            if (ROUTINES[routine].selection === 'options') describeOptions(functions, routine);
        });

        for (const routine of own) {
            it(`${routine} names function, argument, value and rule, and writes nothing`, () => {
                for (const { title, spoil, name: error, code, says } of FAULTS.get(routine)!) {
                    const args = spoil(goodArguments(routine));
                    const before = bytesOfAll(args);
                    const thrown = call(functions, routine, args);
                    expectUntouched(args, before, title);
                    expect({ title, ...thrown }).toMatchObject({ title, name: error, code });
                    for (const words of [`${routine}: `, ...says]) expect(thrown!.message).toContain(words);
                }
            });
        }
        if (others.length > 0) compareWithWords(functions, others);
    });
}

describe('the plain functions', () => compareWithWords(plain, ROUTINE_NAMES));

/** JavaScript cannot detect that two SharedArrayBuffer objects share memory: `ERR_BUFFER_CHANGED` in lib/base/errors.ts. */
describe('lists that overlap through two SharedArrayBuffers over one memory', () => {
    const overlapping = () => {
        const memory = new SharedArrayBuffer((N + 1) * 32);
        const joints = new Float32Array(memory, 0, N * 8);
        const blendJoints = new Float32Array(structuredClone(memory), 32, N * 8);
        joints.set(jointQuats(random(20), N));
        return { joints, blendJoints };
    };

    describeJointImplementations((kernels, routines, name) => {
        if (!routines.includes('slerpJoints')) return;
        if (isTypescript(name)) {
            it('TypeScript computes', () => {
                const { joints, blendJoints } = overlapping();
                const before = joints.slice();
                expect(kernels.slerpJoints(joints, blendJoints, 0.5)).toBeUndefined();
                expect(joints).not.toEqual(before);
            });
        } else if (name.startsWith('strict/')) {
            it('the addon refuses, and TypeScript computes', () => {
                const { joints, blendJoints } = overlapping();
                const other = overlapping();
                kernels.slerpJoints(joints, blendJoints, 0.5);
                typescript()['strict/typescript'].slerpJoints!(other.joints, other.blendJoints, 0.5);
                expectSameBits(joints, other.joints, 8, () => name);
            });
        } else {
            it('the addon refuses, and writes nothing', () => {
                const { joints, blendJoints } = overlapping();
                const before = joints.slice();
                const code = 'ERR_BUFFER_CHANGED';
                expect(() => kernels.slerpJoints(joints, blendJoints, 0.5)).toThrow(expect.objectContaining({ code }));
                expect(joints).toEqual(before);
            });
        }
    });
});
