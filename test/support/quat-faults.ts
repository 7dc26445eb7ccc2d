// SPDX-License-Identifier: MIT

/** Bad input to the routines on quaternion and float lists, one fault at a time, and what must be said of it. */

import type { Routine } from '../../lib/lists';
import { ordinaryPairs, random } from './quat-data';

export const QUAT_ROUTINES = [
    'slerpQuats',
    'slerpQuatsPerQuat',
    'slerpQuatTimes',
    'slerp',
    'slerpTransformed',
    'slerpOptimized',
    'slerpOptimizedExact',
    'lerp',
    'lerpQuats',
    'reciprocalSqrt',
    'sinZeroHalfPI',
    'atanPositive',
] as const satisfies readonly Routine[];

export type QuatRoutine = (typeof QUAT_ROUTINES)[number];

/** A routine's arguments by name, in order; good ones to begin with, of which a fault spoils one. */
export type Arguments = Record<string, unknown>;

export interface Fault {
    /** What is wrong; with the routine it makes the title. */
    readonly title: string;
    /** Turns good arguments into bad ones. */
    readonly spoil: (args: Arguments) => Arguments;
    readonly name: 'TypeError' | 'RangeError';
    readonly code: string;
    /** Argument, what was given and what is needed, as the message must have them. */
    readonly says: readonly string[];
}

/** Eight quaternions, numbers or times: enough for every fault. */
const N = 8;

const numbers = (seed: number) => {
    const next = random(seed);
    return Float32Array.from({ length: N }, () => 0.1 + next());
};

export function goodArguments(routine: QuatRoutine): Arguments {
    switch (routine) {
        case 'slerpQuatTimes': {
            const { from, to } = ordinaryPairs(random(1), 1);
            return { result: new Float32Array(N * 4), q0: from, q1: to, t: numbers(2) };
        }
        case 'reciprocalSqrt':
            return { result: new Float32Array(N), x: numbers(3) };
        case 'sinZeroHalfPI':
            return { result: new Float32Array(N), a: numbers(4) };
        case 'atanPositive':
            return { result: new Float32Array(N), y: numbers(5), x: numbers(6) };
        case 'slerpQuatsPerQuat': {
            const { from, to } = ordinaryPairs(random(8), N);
            return { result: new Float32Array(N * 4), from, to, t: numbers(9).map((x) => x / 1.2), count: N };
        }
        default: {
            const { from, to } = ordinaryPairs(random(7), N);
            return { result: new Float32Array(N * 4), from, to, t: 0.3, count: N };
        }
    }
}

/** The arguments that are lists of floats. */
function listsOf(routine: QuatRoutine): string[] {
    const args = goodArguments(routine);
    return Object.keys(args).filter((argument) => args[argument] instanceof Float32Array);
}

/** A buffer that another owner has taken. */
function detached(): Float32Array {
    const view = new Float32Array(N * 4);
    structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
    return view;
}

type ResizableBuffer = ArrayBuffer & { resize(bytes: number): void };
const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ResizableBuffer;

/** A view of fixed length that lies outside of its shrunk buffer. */
function outOfBounds(): Float32Array {
    const buffer = new Resizable(1024, { maxByteLength: 1024 });
    const view = new Float32Array(buffer, 0, N * 4);
    buffer.resize(64);
    return view;
}

const NO_FLOATS: readonly [what: string, value: () => unknown, given: string][] = [
    ['a Float64Array', () => new Float64Array(32), 'Float64Array(32)'],
    ['an Int32Array', () => new Int32Array(32), 'Int32Array(32)'],
    ['a Uint32Array', () => new Uint32Array(32), 'Uint32Array(32)'],
    ['a BigInt64Array', () => new BigInt64Array(32), 'BigInt64Array(32)'],
    ['an Array', () => Array(32).fill(0), 'an Array'],
    ['an object', () => ({ length: 32, 0: 0 }), 'an object'],
    ['a string', () => 'quats', '"quats"'],
    ['a number', () => 32, '32'],
    ['a boolean', () => true, 'true'],
    ['a bigint', () => 32n, '32n'],
    ['a symbol', () => Symbol('quats'), 'a symbol'],
    ['a function', () => () => new Float32Array(32), 'a function'],
    ['a DataView', () => new DataView(new ArrayBuffer(128)), 'an object'],
    ['an ArrayBuffer', () => new ArrayBuffer(128), 'an object'],
    ['a Buffer', () => Buffer.alloc(128), 'Uint8Array(128)'],
    ['a Proxy of a Float32Array', () => new Proxy(new Float32Array(32), {}), 'an object'],
    ['an object whose prototype is a Float32Array', () => Object.create(new Float32Array(32)), 'an object'],
    [
        "a Uint8Array with Float32Array's prototype",
        () => Object.setPrototypeOf(new Uint8Array(128), Float32Array.prototype),
        'Uint8Array(128)',
    ],
    ['null', () => null, 'null'],
    ['undefined', () => undefined, 'undefined'],
];

const NO_NUMBERS: readonly [what: string, value: () => unknown, given: string][] = [
    ['a string', () => '0.5', '"0.5"'],
    ['a bigint', () => 1n, '1n'],
    ['null', () => null, 'null'],
    ['a boolean', () => true, 'true'],
    ['an object with valueOf', () => ({ valueOf: () => 0.5 }), 'an object'],
    ['a Number object', () => Object(0.5), 'an object'],
    ['an Array', () => [0.5], 'an Array'],
    ['a Float32Array', () => new Float32Array(1), 'Float32Array(1)'],
    ['a symbol', () => Symbol('t'), 'a symbol'],
    ['a function', () => () => 0.5, 'a function'],
];

const NO_COUNTS = [-1, -2, -3, 1.5, 1e-9, Number.NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53];

const replacing = (argument: string, value: () => unknown) => (args: Arguments) => ({ ...args, [argument]: value() });
const cut = (argument: string, floats: number) => (args: Arguments) => ({
    ...args,
    [argument]: (args[argument] as Float32Array).slice(0, floats),
});
const withoutCount = (args: Arguments) => ({ ...args, ...('count' in args ? { count: undefined } : {}) });

function viewFaults(argument: string): Fault[] {
    const gone = {
        name: 'TypeError',
        code: 'ERR_DETACHED_BUFFER',
        says: [`${argument} is a view of a detached or shrunk buffer, needs a live one`],
    } as const;
    return [
        ...NO_FLOATS.map(
            ([what, value, given]): Fault => ({
                title: `${argument} is ${what}`,
                spoil: replacing(argument, value),
                name: 'TypeError',
                code: 'ERR_ARGUMENT_TYPE',
                says: [`${argument} must be a Float32Array, got ${given}`],
            }),
        ),
        { title: `${argument} is detached`, spoil: replacing(argument, detached), ...gone },
        { title: `${argument} lies outside of a shrunk buffer`, spoil: replacing(argument, outOfBounds), ...gone },
    ];
}

const lengthFault = (title: string, spoil: Fault['spoil'], says: string): Fault => ({
    title,
    spoil,
    name: 'RangeError',
    code: 'ERR_BUFFER_LENGTH',
    says: [says],
});

/** Two lists in one buffer, the second `shift` floats behind the first. */
function overlapFault(a: string, b: string, shift: number, says: string): Fault {
    return {
        title: `${b} starts ${shift} floats from ${a}`,
        spoil: (args) => {
            const [first, second] = [args[a] as Float32Array, args[b] as Float32Array];
            const memory = new Float32Array(first.length + second.length + Math.abs(shift));
            const start = Math.max(0, -shift);
            const one = memory.subarray(start, start + first.length);
            const two = memory.subarray(start + shift, start + shift + second.length);
            one.set(first);
            two.set(second);
            return { ...args, [a]: one, [b]: two };
        },
        name: 'RangeError',
        code: 'ERR_BUFFER_OVERLAP',
        says: [`${a} and ${b} share memory`, says],
    };
}

const UNLESS_SAME_START = 'allowed only where both start at the same byte';

/** Of lists of quaternions that a count goes with. */
function countedFaults(): Fault[] {
    const faults: Fault[] = [];
    for (const argument of ['result', 'from', 'to']) {
        for (const missing of [1, 4, 28, 32]) {
            faults.push(
                lengthFault(
                    `${argument} is ${missing} floats too short for the count`,
                    cut(argument, 32 - missing),
                    `${argument} holds ${32 - missing} floats, needs at least 32 (8 quaternions of 4)`,
                ),
            );
        }
        for (const missing of [1, 2, 3]) {
            faults.push(
                lengthFault(
                    `${argument} has ${missing} floats less than whole quaternions, and there is no count`,
                    (args) => cut(argument, 32 - missing)(withoutCount(args)),
                    `${argument} holds ${32 - missing} floats, needs a multiple of 4 where no count is given`,
                ),
            );
        }
        for (const [left, how] of [
            [7, 'has a quaternion less than the others'],
            [0, 'is empty'],
        ] as const) {
            faults.push(
                lengthFault(
                    `${argument} ${how}, and there is no count`,
                    (args) => cut(argument, left * 4)(withoutCount(args)),
                    argument === 'result'
                        ? `from holds 8 quaternions, needs ${left} like result where no count is given`
                        : `${argument} holds ${left} quaternions, needs 8 like result where no count is given`,
                ),
            );
        }
    }
    for (const count of [9, 1024, 2 ** 31 - 1]) {
        faults.push(
            lengthFault(
                `count is ${count}, beyond the lists`,
                replacing('count', () => count),
                `result holds 32 floats, needs at least ${count * 4} (${count} quaternions of 4)`,
            ),
        );
    }
    for (const [what, value, given] of NO_NUMBERS) {
        faults.push({
            title: `count is ${what}`,
            spoil: replacing('count', value),
            name: 'TypeError',
            code: 'ERR_ARGUMENT_TYPE',
            says: [`count must be a number, got ${given}`],
        });
    }
    for (const count of NO_COUNTS) {
        faults.push({
            title: `count is ${count}`,
            spoil: replacing('count', () => count),
            name: 'RangeError',
            code: 'ERR_COUNT_RANGE',
            says: [`count must be an integer from 0 to 2147483647, got ${count}`],
        });
    }
    for (const operand of ['from', 'to']) {
        for (const shift of [1, -1, 4, -4, 31, -31]) {
            const fault = overlapFault('result', operand, shift, UNLESS_SAME_START);
            faults.push(fault, {
                ...fault,
                title: `${fault.title} (no count)`,
                spoil: (args) => withoutCount(fault.spoil(args)),
            });
        }
    }
    return faults;
}

/** Of one time for all. */
const timeFaults = (): Fault[] =>
    [...NO_NUMBERS, ['undefined', () => undefined, 'undefined'] as const].map(([what, value, given]) => ({
        title: `t is ${what}`,
        spoil: replacing('t', value),
        name: 'TypeError',
        code: 'ERR_ARGUMENT_TYPE',
        says: [`t must be a number, got ${given}`],
    }));

/** Of a time for each pair. */
function timesPerQuatFaults(): Fault[] {
    const faults: Fault[] = [];
    for (const length of [0, 1, 7]) {
        faults.push(
            lengthFault(
                `t holds ${length} numbers for 8 quaternions`,
                cut('t', length),
                `t holds ${length} floats, needs at least 8 (8 numbers of 1)`,
            ),
            lengthFault(
                `t holds ${length} numbers for 8 quaternions, and there is no count`,
                (args) => cut('t', length)(withoutCount(args)),
                `t holds ${length} numbers, needs 8 like result where no count is given`,
            ),
        );
    }
    for (const shift of [0, 1, 4, 31, -1, -7]) {
        faults.push(overlapFault('result', 't', shift, 'needs separate memory'));
    }
    return faults;
}

function timesFaults(): Fault[] {
    const faults: Fault[] = [];
    for (const argument of ['q0', 'q1']) {
        for (const length of [0, 3, 5, 8]) {
            faults.push(
                lengthFault(
                    `${argument} holds ${length} floats`,
                    replacing(argument, () => new Float32Array(length).fill(0.5)),
                    `${argument} holds ${length} floats, needs 4 (one quaternion)`,
                ),
            );
        }
    }
    for (const length of [0, 28, 31, 33, 36]) {
        faults.push(
            lengthFault(
                `result holds ${length} floats for 8 times`,
                replacing('result', () => new Float32Array(length)),
                length % 4 === 0
                    ? `t holds 8 numbers, needs ${length / 4} like result`
                    : `result holds ${length} floats, needs a multiple of 4`,
            ),
        );
    }
    for (const times of [0, 7, 9, 32]) {
        faults.push(
            lengthFault(
                `t holds ${times} times for 8 results`,
                replacing('t', () => new Float32Array(times)),
                `t holds ${times} numbers, needs 8 like result`,
            ),
        );
    }
    faults.push({
        title: 't is a number',
        spoil: replacing('t', () => 0.5),
        name: 'TypeError',
        code: 'ERR_ARGUMENT_TYPE',
        says: ['t must be a Float32Array, got 0.5'],
    });
    for (const shift of [0, 1, 4, 31, -1, -7]) {
        faults.push(overlapFault('result', 't', shift, 'needs separate memory'));
    }
    return faults;
}

/** Of functions of numbers: lists of the same length. */
function functionFaults(operands: readonly string[]): Fault[] {
    const faults: Fault[] = [];
    for (const argument of ['result', ...operands]) {
        for (const length of [0, 7, 9]) {
            const [named, held, needed] = argument === 'result' ? [operands[0]!, N, length] : [argument, length, N];
            faults.push(
                lengthFault(
                    `${argument} holds ${length} numbers and the others 8`,
                    replacing(argument, () => new Float32Array(length).fill(0.5)),
                    `${named} holds ${held} numbers, needs ${needed} like result`,
                ),
            );
        }
    }
    for (const operand of operands) {
        for (const shift of [1, -1, 7, -7]) faults.push(overlapFault('result', operand, shift, UNLESS_SAME_START));
    }
    return faults;
}

/** Every fault of every argument of a routine. */
export function faultsOf(routine: QuatRoutine): Fault[] {
    const views = listsOf(routine).flatMap(viewFaults);
    switch (routine) {
        case 'slerpQuatTimes':
            return [...views.filter(({ title }) => title !== 't is a number'), ...timesFaults()];
        case 'reciprocalSqrt':
            return [...views, ...functionFaults(['x'])];
        case 'sinZeroHalfPI':
            return [...views, ...functionFaults(['a'])];
        case 'atanPositive':
            return [...views, ...functionFaults(['y', 'x'])];
        case 'slerpQuatsPerQuat':
            return [...views, ...countedFaults(), ...timesPerQuatFaults()];
        default:
            return [...views, ...countedFaults(), ...timeFaults()];
    }
}
