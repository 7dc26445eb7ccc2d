// SPDX-License-Identifier: MIT

/**
 * Bad input to every routine of every implementation, one fault at a time: a TypeError or RangeError with a `code`, whose
 * message names the function, the argument, what was given and what is needed; nothing written; the same words for all.
 */

import type { JointKernels, Kernels } from '../../lib/lists';
import * as plain from '../../lib/lists';
import { bytesOf, expectSameBits, expectSameBytes } from '../support/bytes';
import {
    describeImplementation,
    describeJointImplementations,
    FALLBACK,
    isTypescript,
    JOINT_IMPLEMENTATIONS,
    JOINT_ROUTINES,
    type JointRoutine,
} from '../support/implementations';
import { bones, jointMats, jointQuatPair, jointQuats, random } from '../support/joint-data';

/** Eight joints: enough for every fault. */
const N = 8;

/** More joints than the addon looks at in one go. */
const MANY_BONES = bones(random(12), 3000);

/** A routine's arguments by name, in order; good ones to begin with, of which a case spoils one. */
type Arguments = Record<string, unknown>;

const parentsOf = () => Int32Array.of(-1, 0, 1, 1, -1, 4, 5, 2);

const GOOD: Record<JointRoutine, () => Arguments> = {
    slerpJoints: () => ({ ...jointQuatPair(random(1), N), lerp: 0.5, index: Int32Array.of(3, 1, 7), numJoints: 3 }),
    lerpJoints: () => ({ ...jointQuatPair(random(2), N), lerp: 0.5, index: Int32Array.of(3, 1, 7), numJoints: 3 }),
    convertJointQuatsToJointMats: () => ({
        jointMats: jointMats(random(3), N),
        jointQuats: jointQuats(random(4), N),
        options: { numJoints: N, convention: 'gltf' },
    }),
    convertJointMatsToJointQuats: () => ({
        jointQuats: jointQuats(random(5), N),
        jointMats: jointMats(random(6), N),
        options: { numJoints: N, convention: 'gltf' },
    }),
    transformSkeleton: () => ({
        jointMats: bones(random(7), N),
        parents: parentsOf(),
        firstJoint: 0,
        lastJoint: N - 1,
    }),
    untransformSkeleton: () => ({
        jointMats: bones(random(8), N),
        parents: parentsOf(),
        firstJoint: 0,
        lastJoint: N - 1,
    }),
    transformJoints: () => ({
        result: jointMats(random(9), N),
        joints1: jointMats(random(10), N),
        joints2: jointMats(random(11), N),
        numJoints: N,
    }),
    slerpJointsPerJoint: () => ({
        ...jointQuatPair(random(13), N),
        lerps: Float32Array.from({ length: N }, (_, i) => (i + 1) / (N + 1)),
        index: Int32Array.of(3, 1, 7),
        numJoints: 3,
    }),
    normalizeJoints: () => ({
        joints: jointQuats(random(14), N).map((x) => x * 1.5),
        index: Int32Array.of(3, 1, 7),
        numJoints: 3,
    }),
};

/** The lists of floats of each routine, and the floats of one of their joints. */
const LISTS: Record<JointRoutine, Record<string, 1 | 8 | 12>> = {
    slerpJoints: { joints: 8, blendJoints: 8 },
    lerpJoints: { joints: 8, blendJoints: 8 },
    convertJointQuatsToJointMats: { jointMats: 12, jointQuats: 8 },
    convertJointMatsToJointQuats: { jointQuats: 8, jointMats: 12 },
    transformSkeleton: { jointMats: 12 },
    untransformSkeleton: { jointMats: 12 },
    transformJoints: { result: 12, joints1: 12, joints2: 12 },
    slerpJointsPerJoint: { joints: 8, blendJoints: 8, lerps: 1 },
    normalizeJoints: { joints: 8 },
};

/** Routines on the joints that an index may name. */
const takesIndex = (routine: JointRoutine) => routine in INDEXED;
const INDEXED = { slerpJoints: true, lerpJoints: true, slerpJointsPerJoint: true, normalizeJoints: true };

interface Fault {
    /** What is wrong; with the routine it makes the title. */
    readonly title: string;
    /** Turns good arguments into bad ones. */
    readonly spoil: (args: Arguments) => Arguments;
    readonly name: 'TypeError' | 'RangeError';
    readonly code: string;
    /** Argument, what was given and what is needed, as the message must have them. */
    readonly says: readonly (string | RegExp)[];
}

const replacing = (argument: string, value: () => unknown) => (args: Arguments) => ({ ...args, [argument]: value() });

/** A buffer that another owner has taken. */
function detached<T extends Float32Array | Int32Array>(view: T): T {
    structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
    return view;
}

type ResizableBuffer = ArrayBuffer & { resize(bytes: number): void };
const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ResizableBuffer;

/** A view of fixed length that lies outside of its shrunk buffer. */
function outOfBounds(View: typeof Float32Array | typeof Int32Array): ArrayBufferView {
    const buffer = new Resizable(1024, { maxByteLength: 1024 });
    const view = new View(buffer, 0, 128);
    buffer.resize(64);
    return view;
}

/** What is no Float32Array (or Int32Array), and how a message calls it. */
function wrongArrays(right: 'Float32Array' | 'Int32Array'): [what: string, value: () => unknown, given: string][] {
    const Right = right === 'Float32Array' ? Float32Array : Int32Array;
    const Other = right === 'Float32Array' ? Int32Array : Float32Array;
    return [
        ['a Float64Array', () => new Float64Array(96), 'Float64Array(96)'],
        ['the other kind of array', () => new Other(96), `${Other.name}(96)`],
        ['a Uint32Array', () => new Uint32Array(96), 'Uint32Array(96)'],
        ['a BigInt64Array', () => new BigInt64Array(96), 'BigInt64Array(96)'],
        ['an Array', () => Array(96).fill(0), 'an Array'],
        ['an object', () => ({ length: 96, 0: 0 }), 'an object'],
        ['a string', () => 'joints', '"joints"'],
        ['a long string', () => 'joints'.repeat(50), 'a string'],
        ['a number', () => 96, '96'],
        ['a boolean', () => true, 'true'],
        ['a bigint', () => 96n, '96n'],
        ['a symbol', () => Symbol('joints'), 'a symbol'],
        ['a function', () => () => new Right(96), 'a function'],
        ['a DataView', () => new DataView(new ArrayBuffer(384)), 'an object'],
        ['an ArrayBuffer', () => new ArrayBuffer(384), 'an object'],
        ['a Buffer', () => Buffer.alloc(384), 'Uint8Array(384)'],
        [`a Proxy of a ${right}`, () => new Proxy(new Right(96), {}), 'an object'],
        [`an object whose prototype is a ${right}`, () => Object.create(new Right(96)), 'an object'],
        [
            `a Uint8Array with ${right}'s prototype`,
            () => Object.setPrototypeOf(new Uint8Array(64), Right.prototype),
            'Uint8Array(64)',
        ],
        [
            `an object with ${right}'s tag`,
            () => ({ [Symbol.toStringTag]: right, length: 96, buffer: new ArrayBuffer(384) }),
            'an object',
        ],
    ];
}

/** What is no number, and how a message calls it. */
const NOT_NUMBERS: readonly [what: string, value: () => unknown, given: string][] = [
    ['a string', () => '1', '"1"'],
    ['a bigint', () => 1n, '1n'],
    ['null', () => null, 'null'],
    ['a boolean', () => true, 'true'],
    ['an object with valueOf', () => ({ valueOf: () => 1 }), 'an object'],
    ['a Number object', () => Object(1), 'an object'],
    ['an Array', () => [1], 'an Array'],
    ['a symbol', () => Symbol('1'), 'a symbol'],
    ['a function', () => () => 1, 'a function'],
];

const NO_COUNTS = [
    -1,
    -2,
    -3,
    1.5,
    1e-9,
    Number.NaN,
    Infinity,
    -Infinity,
    2 ** 31,
    2 ** 32,
    2 ** 32 + 1,
    2 ** 53,
    -(2 ** 31),
    1e300,
];

/** Faults of a list of floats or integers, whatever its routine. */
function viewFaults(argument: string, right: 'Float32Array' | 'Int32Array', nullable: boolean): Fault[] {
    const article = right === 'Float32Array' ? 'a' : 'an';
    const wrong = wrongArrays(right);
    if (!nullable) {
        wrong.push(['null', () => null, 'null'], ['undefined', () => undefined, 'undefined']);
    }
    const gone = `${argument} is a view of a detached or shrunk buffer, needs a live one`;
    const View = right === 'Float32Array' ? Float32Array : Int32Array;
    return [
        ...wrong.map(([what, value, given]) => ({
            title: `${argument} is ${what}`,
            spoil: replacing(argument, value),
            name: 'TypeError' as const,
            code: 'ERR_ARGUMENT_TYPE',
            says: [`${argument} must be ${article} ${right}`, `got ${given}`],
        })),
        {
            title: `${argument} is detached`,
            spoil: (args) => ({ ...args, [argument]: detached(new View(96)) }),
            name: 'TypeError',
            code: 'ERR_DETACHED_BUFFER',
            says: [gone],
        },
        {
            title: `${argument} lies outside of a shrunk buffer`,
            spoil: replacing(argument, () => outOfBounds(View)),
            name: 'TypeError',
            code: 'ERR_DETACHED_BUFFER',
            says: [gone],
        },
    ];
}

/** Faults of a number of joints, or of the number of one. `set` puts it among the arguments. */
function countFaults(
    argument: string,
    least: 0 | -1,
    set: (value: unknown) => (args: Arguments) => Arguments,
): Fault[] {
    return [
        ...NOT_NUMBERS.map(([what, value, given]) => ({
            title: `${argument} is ${what}`,
            spoil: (args: Arguments) => set(value())(args),
            name: 'TypeError' as const,
            code: 'ERR_ARGUMENT_TYPE',
            says: [`${argument} must be a number`, `got ${given}`],
        })),
        ...NO_COUNTS.filter((value) => value !== least).map((value) => ({
            title: `${argument} is ${value}`,
            spoil: set(value),
            name: 'RangeError' as const,
            code: 'ERR_COUNT_RANGE',
            says: [`${argument} must be an integer from ${least} to 2147483647`, `got ${value}`],
        })),
    ];
}

/** Two views of `floats` each in one buffer, the second `shift` floats behind the first; both hold numbers. */
function overlapping(first: Float32Array, second: Float32Array, shift: number): [Float32Array, Float32Array] {
    const memory = new Float32Array(first.length + second.length + Math.abs(shift));
    const start = Math.max(0, -shift);
    const a = memory.subarray(start, start + first.length);
    const b = memory.subarray(start + shift, start + shift + second.length);
    a.set(first);
    b.set(second);
    return [a, b];
}

function overlapFault(a: string, b: string, shift: number, allowedAtSameStart: boolean): Fault {
    return {
        title: `${b} starts ${shift} floats from ${a}`,
        spoil: (args) => {
            const [first, second] = overlapping(args[a] as Float32Array, args[b] as Float32Array, shift);
            return { ...args, [a]: first, [b]: second };
        },
        name: 'RangeError',
        code: 'ERR_BUFFER_OVERLAP',
        says: [
            `${a} and ${b} share memory`,
            allowedAtSameStart ? 'allowed only where both start at the same byte' : 'needs separate memory',
        ],
    };
}

/** An Int32Array in the last bytes of `list`, which belong to a joint in use. */
function insideOf(list: string, ints: string, values: readonly number[]): (args: Arguments) => Arguments {
    return (args) => {
        const floats = (args[list] as Float32Array).slice();
        const view = new Int32Array(floats.buffer, floats.byteLength - values.length * 4);
        view.set(values);
        return { ...args, [list]: floats, [ints]: view };
    };
}

function lengthFaults(routine: JointRoutine): Fault[] {
    const lists = Object.entries(LISTS[routine]);
    const faults: Fault[] = [];
    for (const [argument, width] of lists) {
        const isSkeleton = routine === 'transformSkeleton' || routine === 'untransformSkeleton';
        const noun = width === 1 ? 'numbers' : 'joints';
        const withoutCount = (args: Arguments): Arguments =>
            'options' in args
                ? { ...args, options: { convention: 'gltf' } }
                : isSkeleton
                  ? { ...args, lastJoint: undefined }
                  : { ...args, index: null, numJoints: undefined };
        const withCount = (args: Arguments): Arguments =>
            takesIndex(routine) ? { ...args, index: null, numJoints: N } : args;
        const cut = (args: Arguments, floats: number): Arguments => ({
            ...args,
            [argument]: (args[argument] as Float32Array).slice(0, floats),
        });
        for (const missing of new Set([1, width, (N - 1) * width, N * width])) {
            const length = N * width - missing;
            faults.push({
                title: `${argument} is ${missing} floats too short for the count`,
                spoil: (args) => cut(withCount(args), length),
                name: 'RangeError',
                code: 'ERR_BUFFER_LENGTH',
                says: [`${argument} holds ${length} floats, needs at least ${N * width}`, `${N} ${noun} of ${width}`],
            });
        }
        for (const missing of width === 1 ? [] : [1, width / 2, width - 1]) {
            const length = N * width - missing;
            faults.push({
                title: `${argument} has ${missing} floats less than whole joints, and there is no count`,
                spoil: (args) => cut(withoutCount(args), length),
                name: 'RangeError',
                code: 'ERR_BUFFER_LENGTH',
                says: [`${argument} holds ${length} floats, needs a multiple of ${width} where no count is given`],
            });
        }
        const [first] = lists[0]!;
        if (lists.length > 1) {
            // The message compares with the first list, so the first itself is never the one that is named.
            const [named, held, needed] = argument === first ? [lists[1]![0], N, N - 1] : [argument, N - 1, N];
            faults.push({
                title: `${argument} has a joint less than the others, and there is no count`,
                spoil: (args) => cut(withoutCount(args), (N - 1) * width),
                name: 'RangeError',
                code: 'ERR_BUFFER_LENGTH',
                says: [`${named} holds ${held} ${noun}, needs ${needed} like ${first} where no count is given`],
            });
            faults.push({
                title: `${argument} is empty and the others are not, and there is no count`,
                spoil: (args) => cut(withoutCount(args), 0),
                name: 'RangeError',
                code: 'ERR_BUFFER_LENGTH',
                says: [
                    argument === first
                        ? `${lists[1]![0]} holds ${N} joints, needs 0 like ${first} where no count is given`
                        : `${argument} holds 0 ${noun}, needs ${N} like ${first} where no count is given`,
                ],
            });
        }
        faults.push({
            title: `${argument} holds less than the greatest count there is`,
            spoil: (args) => {
                const count = 2 ** 31 - 1;
                if ('options' in args) return { ...args, options: { numJoints: count } };
                if (isSkeleton) return { ...args, lastJoint: count };
                return { ...args, index: null, numJoints: count };
            },
            name: 'RangeError',
            code: 'ERR_BUFFER_LENGTH',
            says: [/holds (64|96) floats, needs at least \d{11,}/],
        });
    }
    return faults;
}

/** Every fault of every argument of a routine. */
function faultsOf(routine: JointRoutine): Fault[] {
    const faults: Fault[] = [];
    for (const argument of Object.keys(LISTS[routine])) faults.push(...viewFaults(argument, 'Float32Array', false));
    faults.push(...lengthFaults(routine));

    switch (routine) {
        case 'slerpJoints':
        case 'lerpJoints':
        case 'slerpJointsPerJoint':
        case 'normalizeJoints': {
            faults.push(...viewFaults('index', 'Int32Array', true));
            const numbers = [...NOT_NUMBERS, ['undefined', () => undefined, 'undefined'] as const];
            faults.push(
                ...(routine === 'slerpJoints' || routine === 'lerpJoints' ? numbers : []).map(
                    ([what, value, given]): Fault => ({
                        title: `lerp is ${what}`,
                        spoil: replacing('lerp', value),
                        name: 'TypeError',
                        code: 'ERR_ARGUMENT_TYPE',
                        says: ['lerp must be a number', `got ${given}`],
                    }),
                ),
            );
            for (const index of [null, Int32Array.of(3, 1, 7)]) {
                const suffix = index === null ? ' (no index)' : '';
                faults.push(
                    ...countFaults('numJoints', 0, (value) => (args) => ({ ...args, index, numJoints: value })).map(
                        (fault) => ({ ...fault, title: fault.title + suffix }),
                    ),
                );
            }
            faults.push({
                title: 'numJoints is greater than the index',
                spoil: replacing('numJoints', () => 4),
                name: 'RangeError',
                code: 'ERR_BUFFER_LENGTH',
                says: ['index holds 3 elements, needs at least 4 (numJoints)'],
            });
            for (const bad of [-1, N, -(2 ** 31), 2 ** 31 - 1, 1000]) {
                for (const place of [0, 2]) {
                    faults.push({
                        title: `index[${place}] is ${bad}`,
                        spoil: (args) => {
                            const index = Int32Array.of(3, 1, 7);
                            index[place] = bad;
                            return { ...args, index, numJoints: place === 0 ? undefined : 3 };
                        },
                        name: 'RangeError',
                        code: 'ERR_INDEX_RANGE',
                        says: [`index[${place}] is ${bad}, needs 0 to ${N - 1}`],
                    });
                }
            }
            // More joints than the addon looks at in one go: still nothing may be written before the last is checked.
            for (const [length, place] of [
                [1025, 1024],
                [5000, 4999],
                [5000, 0],
            ] as const) {
                faults.push({
                    title: `index[${place}] of ${length} is ${N}`,
                    spoil: (args) => {
                        const index = Int32Array.from({ length }, (_, i) => i % N);
                        index[place] = N;
                        return { ...args, index, numJoints: undefined };
                    },
                    name: 'RangeError',
                    code: 'ERR_INDEX_RANGE',
                    says: [`index[${place}] is ${N}, needs 0 to ${N - 1}`],
                });
            }
            for (const [list, width] of Object.entries(LISTS[routine])) {
                faults.push({
                    title: `index names a joint that ${list} has not`,
                    spoil: (args) => ({ ...args, [list]: (args[list] as Float32Array).slice(0, 8 * width - 1) }),
                    name: 'RangeError',
                    code: 'ERR_INDEX_RANGE',
                    says: ['index[2] is 7, needs 0 to 6'],
                });
                faults.push({
                    title: `index lies inside ${list}`,
                    spoil: insideOf(list, 'index', [3, 1, 7]),
                    name: 'RangeError',
                    code: 'ERR_BUFFER_OVERLAP',
                    says: [`${list} and index share memory`, 'needs separate memory'],
                });
            }
            const overlaps =
                routine === 'normalizeJoints'
                    ? []
                    : [1, -1, 8, -8, 63, -63].map((shift) => overlapFault('joints', 'blendJoints', shift, true));
            if (routine === 'slerpJointsPerJoint') {
                for (const shift of [0, 1, 8, 63, -1, -7]) {
                    overlaps.push(overlapFault('joints', 'lerps', shift, false));
                }
            }
            for (const fault of overlaps) {
                faults.push(fault);
                faults.push({
                    ...fault,
                    title: `${fault.title} (no index)`,
                    spoil: (args) => ({ ...fault.spoil(args), index: null, numJoints: undefined }),
                });
            }
            break;
        }
        case 'convertJointQuatsToJointMats':
        case 'convertJointMatsToJointQuats': {
            const bad: [what: string, value: () => unknown, given: string][] = [
                ['null', () => null, 'null'],
                ['a string', () => 'gltf', '"gltf"'],
                ['a number', () => 8, '8'],
                ['a boolean', () => false, 'false'],
                ['a bigint', () => 8n, '8n'],
                ['a symbol', () => Symbol('gltf'), 'a symbol'],
                ['a function', () => () => 8, 'a function'],
            ];
            faults.push(
                ...bad.map(
                    ([what, value, given]): Fault => ({
                        title: `options is ${what}`,
                        spoil: replacing('options', value),
                        name: 'TypeError',
                        code: 'ERR_ARGUMENT_TYPE',
                        says: ['options must be an object', `got ${given}`],
                    }),
                ),
            );
            faults.push(
                ...countFaults('options.numJoints', 0, (numJoints) => (args) => ({ ...args, options: { numJoints } })),
            );
            const conventions: [what: string, value: () => unknown, given: string][] = [
                ['an unknown word', () => 'hamilton', '"hamilton"'],
                ['another case', () => 'GLTF', '"GLTF"'],
                ['empty', () => '', '""'],
                ['null', () => null, 'null'],
                ['a number', () => 1, '1'],
                ['a boolean', () => true, 'true'],
                ['a String object', () => Object('gltf'), 'an object'],
            ];
            faults.push(
                ...conventions.map(
                    ([what, value, given]): Fault => ({
                        title: `options.convention is ${what}`,
                        spoil: (args) => ({ ...args, options: { convention: value() } }),
                        name: 'TypeError',
                        code: 'ERR_ARGUMENT_TYPE',
                        says: ["options.convention must be 'id' or 'gltf'", `got ${given}`],
                    }),
                ),
            );
            const [to, from] = Object.keys(LISTS[routine]) as [string, string];
            for (const shift of [0, 1, -1, 8, -8, 12, -12, 63, -63]) faults.push(overlapFault(to, from, shift, false));
            break;
        }
        case 'transformSkeleton':
        case 'untransformSkeleton': {
            faults.push(...viewFaults('parents', 'Int32Array', false));
            faults.push(...countFaults('firstJoint', 0, (value) => replacing('firstJoint', () => value)));
            faults.push(...countFaults('lastJoint', -1, (value) => replacing('lastJoint', () => value)));
            for (const [length, last] of [
                [N - 1, N - 1],
                [1, 1],
                [0, 0],
                [N - 1, undefined],
            ] as const) {
                const end = last ?? N - 1;
                faults.push({
                    title: `parents holds ${length} of the joints up to ${last ?? 'the last'}`,
                    spoil: (args) => ({ ...args, parents: parentsOf().slice(0, length), lastJoint: last }),
                    name: 'RangeError',
                    code: 'ERR_BUFFER_LENGTH',
                    says: [`parents holds ${length} elements, needs at least ${end + 1}`],
                });
            }
            const spoilParent = (joint: number, parent: number) => (args: Arguments) => {
                const parents = parentsOf();
                parents[joint] = parent;
                return { ...args, parents };
            };
            for (const joint of [0, 3, N - 1]) {
                for (const parent of [-2, N, -(2 ** 31), 2 ** 31 - 1, 1000]) {
                    faults.push({
                        title: `parents[${joint}] is ${parent}`,
                        spoil: spoilParent(joint, parent),
                        name: 'RangeError',
                        code: 'ERR_PARENT_RANGE',
                        says: [`parents[${joint}] is ${parent}, needs -1 (a root) or a joint before ${joint}`],
                    });
                }
                for (const parent of new Set([joint, Math.min(joint + 1, N - 1), N - 1])) {
                    faults.push({
                        title: `parents[${joint}] is ${parent}, ${parent === joint ? 'the joint itself' : 'behind it'}`,
                        spoil: spoilParent(joint, parent),
                        name: 'RangeError',
                        code: 'ERR_PARENT_ORDER',
                        says: [`parents[${joint}] is ${parent}, needs to come before its child (less than ${joint})`],
                    });
                }
            }
            // More joints than the addon looks at in one go.
            for (const joint of [1, 1023, 1024, 1025, 2999]) {
                faults.push({
                    title: `parents[${joint}] of 3000 is the joint itself`,
                    spoil: () => {
                        const parents = Int32Array.from({ length: 3000 }, (_, i) => i - 1);
                        parents[joint] = joint;
                        return { jointMats: MANY_BONES.slice(), parents, firstJoint: 0, lastJoint: undefined };
                    },
                    name: 'RangeError',
                    code: 'ERR_PARENT_ORDER',
                    says: [`parents[${joint}] is ${joint}, needs to come before its child (less than ${joint})`],
                });
            }
            faults.push({
                title: 'parents lies inside jointMats',
                spoil: insideOf('jointMats', 'parents', [...parentsOf()]),
                name: 'RangeError',
                code: 'ERR_BUFFER_OVERLAP',
                says: ['jointMats and parents share memory', 'needs separate memory'],
            });
            faults.push({
                title: 'parents starts where jointMats does',
                spoil: (args) => {
                    const floats = (args.jointMats as Float32Array).slice();
                    const parents = new Int32Array(floats.buffer, 0, N);
                    parents.set(parentsOf());
                    return { ...args, jointMats: floats, parents };
                },
                name: 'RangeError',
                code: 'ERR_BUFFER_OVERLAP',
                says: ['jointMats and parents share memory', 'needs separate memory'],
            });
            break;
        }
        case 'transformJoints': {
            faults.push(...countFaults('numJoints', 0, (value) => replacing('numJoints', () => value)));
            for (const operand of ['joints1', 'joints2']) {
                for (const shift of [1, -1, 12, -12, 95, -95]) {
                    faults.push(overlapFault('result', operand, shift, true));
                }
            }
            break;
        }
    }
    return faults;
}

/** Bytes of every buffer that is still there among the arguments. */
function bytesOfAll(args: Arguments): Map<string, Uint8Array> {
    const bytes = new Map<string, Uint8Array>();
    for (const [name, value] of Object.entries(args)) {
        if (ArrayBuffer.isView(value)) {
            // All of the buffer, not only what the view shows.
            if (value.buffer.byteLength > 0) bytes.set(name, bytesOf(new Uint8Array(value.buffer)));
        } else if (value instanceof ArrayBuffer) {
            bytes.set(name, bytesOf(new Uint8Array(value)));
        }
    }
    return bytes;
}

interface Thrown {
    readonly name: string;
    readonly code: unknown;
    readonly message: string;
}

function call(kernels: JointKernels, routine: JointRoutine, args: Arguments): Thrown | undefined {
    try {
        (kernels[routine] as (...args: unknown[]) => void)(...Object.values(args));
        return undefined;
    } catch (error) {
        const { name, code, message } = error as Error & { code?: unknown };
        expect(Object.getPrototypeOf(error).constructor.name).toBe(name);
        return { name, code, message };
    }
}

const FAULTS = new Map(JOINT_ROUTINES.map((routine) => [routine, faultsOf(routine)]));

it('there are many faults, each with a title of its own', () => {
    expect(FAULTS.size).toBeGreaterThanOrEqual(9);
    for (const [routine, faults] of FAULTS) {
        expect([routine, faults.length > 80]).toEqual([routine, true]);
        expect(new Set(faults.map(({ title }) => title)).size).toBe(faults.length);
    }
});

describeJointImplementations((kernels, routines) => {
    describe.each(routines.map((routine) => [routine] as const))('%s', (routine) => {
        it('takes the arguments that the faults begin with', () => {
            const args = GOOD[routine]();
            const before = bytesOfAll(args);
            expect(call(kernels, routine, args)).toBeUndefined();
            const [written] = Object.keys(args);
            expect(Buffer.compare(before.get(written!)!, bytesOfAll(args).get(written!)!)).not.toBe(0);
        });

        if (routine.startsWith('convert')) {
            describe.each(['numJoints', 'convention'] as const)('options with an accessor %s', (option) => {
                const value = option === 'numJoints' ? N : 'gltf';

                it('that throws: its error comes through, and nothing is written', () => {
                    const args = GOOD[routine]();
                    const before = bytesOfAll(args);
                    const error = new Error('from the accessor');
                    args.options = Object.defineProperty({}, option, {
                        get() {
                            throw error;
                        },
                    });
                    expect(() => (kernels[routine] as (...all: unknown[]) => void)(...Object.values(args))).toThrow(
                        error,
                    );
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
                    expect(call(kernels, routine, { ...GOOD[routine](), options })).toBeUndefined();
                    expect(reads).toBe(1);
                });

                it.each(Object.keys(LISTS[routine]))(
                    'that detaches %s: an error with a code, and nothing is written',
                    (argument) => {
                        for (const withCount of [true, false]) {
                            const args = GOOD[routine]();
                            args.options = {
                                ...(withCount ? { numJoints: N } : {}),
                                get [option]() {
                                    detached(args[argument] as Float32Array);
                                    return withCount || option === 'convention' ? value : undefined;
                                },
                            };
                            const other = Object.keys(LISTS[routine]).find((name) => name !== argument)!;
                            const before = bytesOfAll(args).get(other)!;
                            const thrown = call(kernels, routine, args);
                            expectSameBytes(bytesOfAll(args).get(other)!, before, () => other);
                            expect((args[argument] as Float32Array).length).toBe(0);
                            expect(thrown).toMatchObject({
                                code: expect.stringMatching(/^ERR_(DETACHED_BUFFER|BUFFER_LENGTH)$/),
                            });
                        }
                    },
                );

                it('that detaches both lists: no crash, and an error with a code', () => {
                    const args = GOOD[routine]();
                    args.options = Object.defineProperty({}, option, {
                        get() {
                            for (const argument of Object.keys(LISTS[routine])) {
                                const view = args[argument] as Float32Array;
                                if (view.length > 0) detached(view);
                            }
                            return value;
                        },
                    });
                    expect(call(kernels, routine, args)).toMatchObject({
                        code: expect.stringMatching(/^ERR_(DETACHED_BUFFER|BUFFER_LENGTH)$/),
                    });
                });

                it('that shrinks both buffers: no crash, and an error with a code', () => {
                    const args = GOOD[routine]();
                    const buffers: ResizableBuffer[] = [];
                    for (const argument of Object.keys(LISTS[routine])) {
                        const values = args[argument] as Float32Array;
                        const buffer = new Resizable(values.byteLength, { maxByteLength: values.byteLength });
                        const view = new Float32Array(buffer, 0, values.length);
                        view.set(values);
                        buffers.push(buffer);
                        args[argument] = view;
                    }
                    args.options = Object.defineProperty({}, option, {
                        get() {
                            for (const buffer of buffers) buffer.resize(4);
                            return value;
                        },
                    });
                    expect(call(kernels, routine, args)).toMatchObject({
                        code: expect.stringMatching(/^ERR_(DETACHED_BUFFER|BUFFER_LENGTH)$/),
                    });
                });
            });
        }
    });
});

describeImplementation(FALLBACK, (typescript) => {
    describe.each(JOINT_ROUTINES.map((routine) => [routine] as const))('%s', (routine) => {
        it.each(FAULTS.get(routine)!)('refuses: $title', ({ spoil, name, code, says }) => {
            const args = spoil(GOOD[routine]());
            const before = bytesOfAll(args);
            const thrown = call(typescript, routine, args);
            for (const [argument, bytes] of bytesOfAll(args)) {
                expectSameBytes(bytes, before.get(argument)!, () => `${routine} wrote to ${argument}`);
            }
            expect(thrown).toMatchObject({ name, code });
            expect(thrown!.message).toMatch(/^[a-zA-Z]+: /);
            expect(thrown!.message.startsWith(`${routine}: `)).toBe(true);
            for (const words of says) {
                if (typeof words === 'string') expect(thrown!.message).toContain(words);
                else expect(thrown!.message).toMatch(words);
            }
        });
    });

    // The other implementations are held against this one: with a test for each fault they would be ten thousand.
    const compareWith = (native: JointKernels, routines: readonly JointRoutine[]) => {
        it.each(routines)(`%s refuses in the same words as ${FALLBACK}, and writes nothing`, (routine) => {
            let compared = 0;
            for (const { spoil, title } of FAULTS.get(routine)!) {
                const args = spoil(GOOD[routine]());
                const before = bytesOfAll(args);
                const fromNative = call(native, routine, args);
                for (const [argument, bytes] of bytesOfAll(args)) {
                    expectSameBytes(bytes, before.get(argument)!, () => `${title}: wrote to ${argument}`);
                }
                const fromTypescript = call(typescript, routine, spoil(GOOD[routine]()));
                expect({ title, ...fromNative }).toEqual({ title, ...fromTypescript });
                compared++;
            }
            expect(compared).toBeGreaterThan(80);
        });

        it.each(routines)('%s finds the same of two faults first', (routine) => {
            const faults = FAULTS.get(routine)!;
            let compared = 0;
            for (let i = 0; i < faults.length; i++) {
                const one = faults[i]!;
                const two = faults[(i * 7 + 31) % faults.length]!;
                const spoil = (): Arguments | undefined => {
                    try {
                        return two.spoil(one.spoil(GOOD[routine]()));
                    } catch {
                        // The first has left nothing that the second could spoil.
                        return undefined;
                    }
                };
                if (spoil() === undefined) continue;
                const [fromTypescript, fromNative] = [typescript, native].map((kernels) =>
                    call(kernels, routine, spoil()!),
                );
                const titles = { one: one.title, two: two.title };
                expect({ ...titles, ...fromNative }).toEqual({ ...titles, ...fromTypescript });
                compared++;
            }
            expect(compared).toBeGreaterThan(60);
        });
    };

    for (const name of JOINT_IMPLEMENTATIONS) {
        if (name === FALLBACK) continue;
        describeImplementation(name, (native, all) => {
            compareWith(
                native,
                JOINT_ROUTINES.filter((routine) => all.includes(routine)),
            );
        });
    }

    describe('the plain functions', () => compareWith(plain, JOINT_ROUTINES));
});

/** JavaScript cannot tell that two SharedArrayBuffer objects are one memory: `ERR_BUFFER_CHANGED` in lib/errors.ts. */
describe('lists that overlap through two SharedArrayBuffers over one memory', () => {
    const overlapping = () => {
        const memory = new SharedArrayBuffer((N + 1) * 32);
        const joints = new Float32Array(memory, 0, N * 8);
        const blendJoints = new Float32Array(structuredClone(memory), 32, N * 8);
        joints.set(jointQuats(random(20), N));
        return { joints, blendJoints };
    };

    const typescript = plain.implementation('strict/typescript') as Kernels;

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
                typescript.slerpJoints(other.joints, other.blendJoints, 0.5);
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
