// SPDX-License-Identifier: MIT

/** Bad input to the routines on lists, one fault at a time, and the expected error; made from their descriptions. */

import { countName, type ListArgument } from '../../lib/lists/description';
import { ROUTINES, type Routine } from '../../lib/lists/routines';
import { bones, random } from './joint-data';
import { type Args, argumentsOf, listsOf, optionsOf } from './routine-arguments';

export interface Fault {
    /** Names the fault; the test title is the routine and this. */
    readonly title: string;
    /** Turns good arguments into bad ones. */
    readonly spoil: (args: Args) => Args;
    readonly name: 'TypeError' | 'RangeError';
    readonly code: string;
    /** Texts that the message must have: the argument, its value and the rule. */
    readonly says: readonly string[];
}

export interface Thrown {
    readonly name: string;
    readonly code: unknown;
    readonly message: string;
}

/** The error that a call throws, or undefined. */
export function thrownBy(call: () => unknown): Thrown | undefined {
    // Stack traces of expected errors would take most of the time of some tests.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
        call();
        return undefined;
    } catch (error) {
        const { name, code, message } = error as Error & { code?: unknown };
        expect(Object.getPrototypeOf(error).constructor.name).toBe(name);
        return { name, code, message };
    } finally {
        Error.stackTraceLimit = stackTraceLimit;
    }
}

/** Eight elements: enough for every fault. */
export const N = 8;

const MAX_COUNT = 2 ** 31 - 1;

/** More joints than the addon looks at in one go. */
const MANY_BONES = bones(random(12), 3000);

/** Valid arguments of a routine by name, in order. A fault spoils one of them. */
export function goodArguments(routine: Routine): Args {
    const { lists, selection } = ROUTINES[routine];
    const made = listsOf(routine, N);
    const [{ argument, inPlace }] = lists as [ListArgument];
    if (!inPlace) made[argument]!.fill(7);
    const options = selection === 'index' ? { index: Int32Array.of(3, 1, 7), numJoints: 3 } : optionsOf(routine, N);
    return argumentsOf(routine, made, options);
}

const replacing = (argument: string, value: () => unknown) => (args: Args) => ({ ...args, [argument]: value() });

const floatsOf = (args: Args, argument: string) => args[argument] as Float32Array;

/** Replaces an argument by a copy with this number of floats. */
const resized = (argument: string, floats: number) => (args: Args) => {
    const list = new Float32Array(floats).fill(0.5);
    list.set(floatsOf(args, argument).subarray(0, floats));
    return { ...args, [argument]: list };
};

/** A view of a transferred buffer. */
export function detached<T extends Float32Array | Float64Array | Int32Array | Uint16Array>(view: T): T {
    structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
    return view;
}

export type ResizableBuffer = ArrayBuffer & { resize(bytes: number): void };
export const Resizable = ArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => ResizableBuffer;

/** A view of fixed length outside its shrunk buffer. */
export function outOfBounds(View: typeof Float32Array | typeof Int32Array): ArrayBufferView {
    const buffer = new Resizable(1024, { maxByteLength: 1024 });
    const view = new View(buffer, 0, 128);
    buffer.resize(64);
    return view;
}

type Value = readonly [what: string, value: () => unknown, given: string];

/** Values that are not a Float32Array (or Int32Array), and their names in messages. */
function wrongArrays(right: 'Float32Array' | 'Int32Array'): Value[] {
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

/** Values that are not numbers, and their names in messages. */
export const NOT_NUMBERS: readonly Value[] = [
    ['a string', () => '1', '"1"'],
    ['a bigint', () => 1n, '1n'],
    ['null', () => null, 'null'],
    ['a boolean', () => true, 'true'],
    ['an object with valueOf', () => ({ valueOf: () => 1 }), 'an object'],
    ['a Number object', () => Object(1), 'an object'],
    ['an Array', () => [1], 'an Array'],
    ['a Float32Array', () => new Float32Array(1), 'Float32Array(1)'],
    ['a symbol', () => Symbol('1'), 'a symbol'],
    ['a function', () => () => 1, 'a function'],
];

const UNDEFINED: Value = ['undefined', () => undefined, 'undefined'];

const NO_COUNTS = [
    ...[-1, -2, -3, 1.5, 1e-9, 1e300, Number.NaN, Infinity, -Infinity],
    ...[2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53, -(2 ** 31)],
];

/** Values that are not an object of options. */
export const NOT_OPTIONS: readonly Value[] = [
    ['null', () => null, 'null'],
    ['a string', () => 'gltf', '"gltf"'],
    ['a number', () => 8, '8'],
    ['a boolean', () => false, 'false'],
    ['a bigint', () => 8n, '8n'],
    ['a symbol', () => Symbol('gltf'), 'a symbol'],
    ['a function', () => () => 8, 'a function'],
];

const NO_CONVENTIONS: readonly Value[] = [
    ['an unknown word', () => 'hamilton', '"hamilton"'],
    ['another case', () => 'GLTF', '"GLTF"'],
    ['empty', () => '', '""'],
    ['null', () => null, 'null'],
    ['a number', () => 1, '1'],
    ['a boolean', () => true, 'true'],
    ['a String object', () => Object('gltf'), 'an object'],
];

/** Values of a wrong type. `set` puts one among the arguments. */
const typeFaults = (
    argument: string,
    needed: string,
    values: readonly Value[],
    set: (value: unknown) => Fault['spoil'] = (value) => replacing(argument, () => value),
): Fault[] =>
    values.map(([what, value, given]) => ({
        title: `${argument} is ${what}`,
        spoil: (args) => set(value())(args),
        name: 'TypeError',
        code: 'ERR_ARGUMENT_TYPE',
        says: [`${argument} must be ${needed}`, `got ${given}`],
    }));

const rangeFault = (title: string, code: string, spoil: Fault['spoil'], ...says: string[]): Fault => ({
    title,
    spoil,
    name: 'RangeError',
    code,
    says,
});

const lengthFault = (title: string, spoil: Fault['spoil'], says: string) =>
    rangeFault(title, 'ERR_BUFFER_LENGTH', spoil, says);

/** Faults of a list of floats or integers, whatever its routine. */
function viewFaults(argument: string, right: 'Float32Array' | 'Int32Array', nullable = false): Fault[] {
    const View = right === 'Float32Array' ? Float32Array : Int32Array;
    const wrong = [...wrongArrays(right), ...(nullable ? [] : [['null', () => null, 'null'] as const, UNDEFINED])];
    const gone = (what: string, view: () => unknown): Fault => ({
        title: `${argument} ${what}`,
        spoil: replacing(argument, view),
        name: 'TypeError',
        code: 'ERR_DETACHED_BUFFER',
        says: [`${argument} is a view of a detached or shrunk buffer, needs a live one`],
    });
    return [
        ...typeFaults(argument, `${right === 'Float32Array' ? 'a' : 'an'} ${right}`, wrong),
        gone('is detached', () => detached(new View(96))),
        gone('is outside its shrunk buffer', () => outOfBounds(View)),
    ];
}

/** Faults of a number of elements, or of the number of one. */
function countFaults(argument: string, least: 0 | -1, set: (value: unknown) => Fault['spoil'], suffix = ''): Fault[] {
    const faults = [
        ...typeFaults(argument, 'a number', NOT_NUMBERS, set),
        ...NO_COUNTS.filter((value) => value !== least).map((value) =>
            rangeFault(
                `${argument} is ${value}`,
                'ERR_COUNT_RANGE',
                set(value),
                `${argument} must be an integer from ${least} to ${MAX_COUNT}`,
                `got ${value}`,
            ),
        ),
    ];
    return faults.map((fault) => ({ ...fault, title: fault.title + suffix }));
}

/** Gives a count of elements, or takes it away; null where the routine takes none. */
function setCount(routine: Routine): ((count: number | undefined) => Fault['spoil']) | null {
    const description = ROUTINES[routine];
    switch (description.selection) {
        case 'index':
            return (numJoints) => (args) => ({ ...args, index: null, numJoints });
        case 'parents':
            return (count) => (args) => ({ ...args, lastJoint: count === undefined ? undefined : count - 1 });
        case 'options':
            return (numJoints) => (args) => ({
                ...args,
                options: { convention: 'gltf', ...(numJoints === undefined ? {} : { numJoints }) },
            });
        case 'count':
            return (count) => (args) => ({ ...args, [countName(description)]: count });
        default:
            return null;
    }
}

const NOUNS = { jointQuat: 'joints', jointMat: 'joints', quat: 'quaternions', float: 'numbers' } as const;

function lengthFaults(routine: Routine): Fault[] {
    const { lists, selection } = ROUTINES[routine];
    const counted = setCount(routine);
    const withCount = counted === null ? undefined : counted(N);
    const withoutCount = counted === null ? (args: Args) => args : counted(undefined);
    const rule = selection === 'lengths' ? '' : ' where no count is given';
    const [first, ...others] = lists as unknown as [ListArgument, ...ListArgument[]];
    /** The messages compare with the first list, so that this is named where the first is at fault. */
    const other = others.find(({ single }) => !single);
    const faults: Fault[] = [];
    for (const { argument, element, floats: width, single } of lists) {
        const noun = NOUNS[element];
        if (single) {
            for (const floats of [0, width - 1, width + 1, 2 * width]) {
                faults.push(
                    lengthFault(
                        `${argument} holds ${floats} floats`,
                        resized(argument, floats),
                        `${argument} holds ${floats} floats, needs ${width} (one ${noun.slice(0, -1)})`,
                    ),
                );
            }
            continue;
        }
        for (const missing of withCount ? new Set([1, width, (N - 1) * width, N * width]) : []) {
            const floats = N * width - missing;
            faults.push(
                lengthFault(
                    `${argument} is ${missing} floats too short for the count`,
                    (args) => resized(argument, floats)(withCount!(args)),
                    `${argument} holds ${floats} floats, needs at least ${N * width} (${N} ${noun} of ${width})`,
                ),
            );
        }
        for (const more of width === 1 ? [] : new Set([-1, -width / 2, 1 - width, 1])) {
            const floats = N * width + more;
            const holds = `${argument} holds ${floats} floats`;
            faults.push(
                lengthFault(
                    `${holds}, no whole ${noun}, and there is no count`,
                    (args) => resized(argument, floats)(withoutCount(args)),
                    `${holds}, needs a multiple of ${width}${rule}`,
                ),
            );
        }
        if (other === undefined) continue;
        for (const held of [0, 1, N - 1, N + 1, 4 * N]) {
            const says =
                argument === first.argument
                    ? `${other.argument} holds ${N} ${NOUNS[other.element]}, needs ${held} like ${argument}${rule}`
                    : `${argument} holds ${held} ${noun}, needs ${N} like ${first.argument}${rule}`;
            faults.push(
                lengthFault(
                    `${argument} holds ${held} ${noun} and the others ${N}, and there is no count`,
                    (args) => resized(argument, held * width)(withoutCount(args)),
                    says,
                ),
            );
        }
    }
    const max = selection === 'parents' ? MAX_COUNT + 1 : MAX_COUNT;
    for (const count of counted === null ? [] : [N + 1, 1024, max]) {
        const { argument, floats, element } = first;
        faults.push(
            lengthFault(
                `the count is ${count}, beyond the lists`,
                counted!(count),
                `${argument} holds ${N * floats} floats, needs at least ${count * floats} (${count} ${NOUNS[element]} of ${floats})`,
            ),
        );
    }
    return faults;
}

/** Copies of both lists in one buffer, the second `shift` floats after the first. */
function overlapping(first: Float32Array, second: Float32Array, shift: number): [Float32Array, Float32Array] {
    const memory = new Float32Array(first.length + second.length + Math.abs(shift));
    const start = Math.max(0, -shift);
    const a = memory.subarray(start, start + first.length);
    const b = memory.subarray(start + shift, start + shift + second.length);
    a.set(first);
    b.set(second);
    return [a, b];
}

/** The destination and another list, where they must not share memory. */
function overlapFaults(routine: Routine): Fault[] {
    const { lists } = ROUTINES[routine];
    const to = lists[0]!;
    const withoutCount = setCount(routine)?.(undefined);
    return lists.slice(1).flatMap(({ argument, floats, sharing }) => {
        if (sharing === 'any') return [];
        const rule =
            sharing === 'same start' ? 'allowed only where both start at the same byte' : 'needs separate memory';
        const [last, before] = [N * to.floats - 1, 1 - N * floats];
        const shifts = new Set([1, -1, to.floats, floats, -to.floats, -floats, last, before]);
        if (sharing === 'none') shifts.add(0);
        return [...shifts]
            .filter((shift) => shift <= last && shift >= before)
            .flatMap((shift) => {
                const fault = rangeFault(
                    `${argument} starts ${shift} floats from ${to.argument}`,
                    'ERR_BUFFER_OVERLAP',
                    (args) => {
                        const [a, b] = overlapping(floatsOf(args, to.argument), floatsOf(args, argument), shift);
                        return { ...args, [to.argument]: a, [argument]: b };
                    },
                    `${to.argument} and ${argument} share memory`,
                    rule,
                );
                if (withoutCount === undefined) return [fault];
                const title = `${fault.title} (no count)`;
                return [fault, { ...fault, title, spoil: (args: Args) => withoutCount(fault.spoil(args)) }];
            });
    });
}

/** Puts the integers in the memory of a list, from its first byte or up to its last, which belongs to a joint in use. */
function insideFault(list: string, ints: string, place: 'start' | 'end'): Fault {
    return rangeFault(
        `${ints} is at the ${place} of ${list}`,
        'ERR_BUFFER_OVERLAP',
        (args) => {
            const floats = floatsOf(args, list).slice();
            const values = args[ints] as Int32Array;
            const offset = place === 'start' ? 0 : floats.byteLength - values.byteLength;
            const view = new Int32Array(floats.buffer, offset, values.length);
            view.set(values);
            return { ...args, [list]: floats, [ints]: view };
        },
        `${list} and ${ints} share memory`,
        'needs separate memory',
    );
}

function indexFaults(lists: readonly ListArgument[]): Fault[] {
    const faults = viewFaults('index', 'Int32Array', true);
    for (const index of [null, Int32Array.of(3, 1, 7)]) {
        const set = (numJoints: unknown) => (args: Args) => ({ ...args, index, numJoints });
        faults.push(...countFaults('numJoints', 0, set, index === null ? ' (no index)' : ''));
    }
    faults.push(
        lengthFault(
            'numJoints is greater than the index',
            replacing('numJoints', () => 4),
            'index holds 3 elements, needs at least 4 (numJoints)',
        ),
    );
    // Also more joints than the addon checks at once: it must check all of them before it writes.
    const wrong: [length: number, place: number, joint: number][] = [
        ...[-1, N, -(2 ** 31), MAX_COUNT, 1000].flatMap((joint) => [0, 2].map((place) => [3, place, joint] as const)),
        [1025, 1024, N],
        [5000, 4999, N],
        [5000, 0, N],
    ].map(([length, place, joint]) => [length!, place!, joint!]);
    for (const [length, place, joint] of wrong) {
        faults.push(
            rangeFault(
                `index[${place}] of ${length} is ${joint}`,
                'ERR_INDEX_RANGE',
                (args) => {
                    const index = Int32Array.from({ length }, (_, i) => (i * 3 + 3) % N);
                    index[place] = joint;
                    return { ...args, index, numJoints: place === 0 ? undefined : length };
                },
                `index[${place}] is ${joint}, needs 0 to ${N - 1}`,
            ),
        );
    }
    for (const { argument, floats } of lists) {
        faults.push(
            rangeFault(
                `index names a joint that ${argument} has not`,
                'ERR_INDEX_RANGE',
                resized(argument, N * floats - 1),
                'index[2] is 7, needs 0 to 6',
            ),
            insideFault(argument, 'index', 'end'),
        );
    }
    return faults;
}

function parentFaults(list: ListArgument): Fault[] {
    const parentsOf = (args: Args) => (args.parents as Int32Array).slice();
    const faults = [
        ...viewFaults('parents', 'Int32Array'),
        ...countFaults('firstJoint', 0, (value) => replacing('firstJoint', () => value)),
        ...countFaults('lastJoint', -1, (value) => replacing('lastJoint', () => value)),
        insideFault(list.argument, 'parents', 'start'),
        insideFault(list.argument, 'parents', 'end'),
    ];
    for (const [length, last] of [
        [N - 1, N - 1],
        [1, 1],
        [0, 0],
        [N - 1, undefined],
    ] as const) {
        faults.push(
            lengthFault(
                `parents holds ${length} of the joints up to ${last ?? 'the last'}`,
                (args) => ({ ...args, parents: parentsOf(args).slice(0, length), lastJoint: last }),
                `parents holds ${length} elements, needs at least ${(last ?? N - 1) + 1}`,
            ),
        );
    }
    const parentFault = (joint: number, parent: number, code: string, rule: string) =>
        rangeFault(
            `parents[${joint}] is ${parent}`,
            code,
            (args) => {
                const parents = parentsOf(args);
                parents[joint] = parent;
                return { ...args, parents };
            },
            `parents[${joint}] is ${parent}, needs ${rule}`,
        );
    for (const joint of [0, 3, N - 1]) {
        for (const parent of [-2, N, -(2 ** 31), MAX_COUNT, 1000]) {
            faults.push(parentFault(joint, parent, 'ERR_PARENT_RANGE', `-1 (a root) or a joint before ${joint}`));
        }
        // The joint itself, and later ones.
        for (const parent of new Set([joint, Math.min(joint + 1, N - 1), N - 1])) {
            const rule = `to come before its child (less than ${joint})`;
            faults.push(parentFault(joint, parent, 'ERR_PARENT_ORDER', rule));
        }
    }
    // More joints than the addon looks at in one go.
    for (const joint of [1, 1023, 1024, 1025, 2999]) {
        faults.push(
            rangeFault(
                `parents[${joint}] of 3000 is the joint itself`,
                'ERR_PARENT_ORDER',
                () => {
                    const parents = Int32Array.from({ length: 3000 }, (_, i) => i - 1);
                    parents[joint] = joint;
                    return { [list.argument]: MANY_BONES.slice(), parents, firstJoint: 0, lastJoint: undefined };
                },
                `parents[${joint}] is ${joint}, needs to come before its child (less than ${joint})`,
            ),
        );
    }
    return faults;
}

const optionFaults = (): Fault[] => [
    ...typeFaults('options', 'an object', NOT_OPTIONS),
    ...countFaults('options.numJoints', 0, (numJoints) => replacing('options', () => ({ numJoints }))),
    ...typeFaults('options.convention', "'id' or 'gltf'", NO_CONVENTIONS, (convention) =>
        replacing('options', () => ({ convention })),
    ),
];

/** Every fault of every argument of a routine. */
export function faultsOf(routine: Routine): Fault[] {
    const description = ROUTINES[routine];
    const { lists, parameter, selection } = description;
    const bySelection = {
        index: () => indexFaults(lists),
        parents: () => parentFaults(lists[0]!),
        options: optionFaults,
        count: () => {
            const name = countName(description);
            return countFaults(name, 0, (value) => replacing(name, () => value));
        },
        lengths: () => [],
    };
    return [
        ...lists.flatMap(({ argument }) => viewFaults(argument, 'Float32Array')),
        ...lengthFaults(routine),
        ...overlapFaults(routine),
        ...(parameter ? typeFaults(parameter, 'a number', [...NOT_NUMBERS, UNDEFINED]) : []),
        ...bySelection[selection](),
    ];
}
