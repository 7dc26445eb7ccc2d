// SPDX-License-Identifier: MIT

/** The methods of a Rig, and of its poses. */

import type { CapsuleParts } from '../../../../lib';
import { CALLS, COUNT, SLOTS } from '../../../support/rig-calls.cjs';
import type { Kind } from '../hostile';
import { type Callable, made, number, options, value } from './kinds';

export const P = COUNT;
export const times: Kind = { kind: 'doubles', length: P, values: [0, 0.5, -1, 1e9, 2] };
export const times32: Kind = { kind: 'floats', length: P, values: [0, 0.5, -1, 1e9, 2] };
const slot = number(...Array(SLOTS).keys());

/** An argument in test/support/rig-calls.cjs. */
interface Argument {
    readonly name: string;
    readonly kind: 'poses' | 'index' | 'number' | 'choice' | 'vector' | 'options' | 'list';
    readonly good?: readonly unknown[];
    make(): number;
    readonly made?: string;
    readonly properties?: readonly Argument[];
    readonly length: number;
    readonly type: { readonly name: string };
    readonly limit?: number;
    readonly written?: boolean;
    readonly either?: Argument;
}

const LISTS = {
    Float32Array: 'floats',
    Float64Array: 'doubles',
    Int32Array: 'ints',
    Uint16Array: 'shorts',
    Uint8Array: 'bytes',
} as const;

/** `poses` names the next poses of the call. */
function kindOf(arg: Argument, poses: () => string): Kind {
    const below = [...Array(arg.limit ?? 0).keys()];
    switch (arg.kind) {
        case 'poses':
            return made(poses());
        case 'index':
            return number(arg.make(), ...below);
        case 'number':
            return number(0.25, 0, 1, -7);
        case 'choice':
            return arg.made ? made(arg.made) : value(undefined, ...arg.good!);
        case 'vector':
            return value(undefined, new Array(arg.length).fill(0.5), Array.from({ length: arg.length }, Number));
        case 'options':
            return options(
                // The property does not check lists that options name.
                Object.fromEntries(
                    arg.properties!.filter(({ written }) => !written).map((one) => [one.name, kindOf(one, poses)]),
                ),
            );
        default: {
            const kind = LISTS[arg.type.name as keyof typeof LISTS];
            return { kind, length: arg.length, ...(arg.limit ? { values: below } : {}) };
        }
    }
}

function method(name: string, args: readonly Kind[], writes: readonly number[] = []): Callable {
    return {
        args,
        writes,
        call: ({ rig }, values) =>
            (rig as unknown as Record<string, (...values: unknown[]) => unknown>)[name]!(...values),
    };
}

/** A method that works on poses, which it writes if they come first and it makes them. */
function ofPoses(name: string, args: readonly Argument[]): Callable {
    let count = 0;
    const kinds = args.map((arg) => kindOf(arg, () => (count++ === 0 ? 'poses' : `poses${count}`)));
    const written = args.flatMap((arg, i) => (arg.written ? [i] : []));
    const writesPoses = CALLS[name]!.stale || ['toGlobal', 'bakePalettes'].includes(name);
    return { ...method(name, kinds, written), ...(writesPoses ? { writesPoses: true } : {}) };
}

/** Adds the other valid kinds of an argument. */
const POSES_METHODS = Object.fromEntries(
    Object.entries(CALLS).flatMap(([name, { args }]) => [
        [name, ofPoses(name, args)] as const,
        ...(args as Argument[]).flatMap(({ either }, i) =>
            either === undefined
                ? []
                : [[`${name}, another ${either.name}`, ofPoses(name, args.with(i, either))] as const],
        ),
    ]),
);

/** Methods of a Rig. */
export const RIG_METHODS: Readonly<Record<string, Callable>> = {
    ...POSES_METHODS,
    slotOf: method('slotOf', [number(0, 1, 2, 99, -1)]),
    clipNamed: method('clipNamed', [value('wave 1', 'none', '')]),
    slotNamed: method('slotNamed', [value('b', 'none', '')]),
    subtreeMask: method('subtreeMask', [slot]),
    createPoses: {
        ...method('createPoses', [
            number(1, 5, 17),
            options({ only: value(undefined, [0], [2, 1]), shared: value(undefined, true, false) }),
        ]),
        call: ({ rig }, [capacity, chosen]) => {
            // Limits the time of a test.
            if (typeof capacity === 'number' && capacity > 1e6 && capacity < 1e8) return null;
            const { data, count: n } = rig.createPoses(capacity as number, chosen as object);
            return [n, [...data.subarray(0, 100)]];
        },
    },
    createCapsules: {
        ...method('createCapsules', [
            options({
                slot,
                toSlot: value(undefined, 2),
                from: value(undefined, [0, 1, 0]),
                to: value(undefined, [0, 2, 0]),
                radius: number(1, 0.5),
            }),
        ]),
        call: ({ rig }, [part]) => {
            const { count, slots } = rig.createCapsules([part as CapsuleParts]);
            return [count, [...slots]];
        },
    },
    jointBounds: method('jointBounds', [number(0)]),
    events: method('events', [
        number(0, 1),
        number(0, -1, 1e9),
        number(0.5, 3),
        options({ loop: value(undefined, 'wrap') }),
    ]),
    serialize: {
        ...method('serialize', []),
        anything: true,
        call: ({ rig }) => [...rig.serialize()],
    },
    dispose: {
        ...method('dispose', []),
        anything: true,
        // One that nothing else needs.
        call: ({ poselane }) => poselane.Rig.create({ parents: [-1], rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] }).dispose(),
    },
};

export const POSES_MEMBERS: Readonly<Record<string, Callable>> = {
    count: {
        args: [number(0, 1, P)],
        writes: [],
        call: ({ rig }, [n]) => {
            const made = rig.createPoses(P);
            made.count = n as number;
            return made.count;
        },
    },
};
