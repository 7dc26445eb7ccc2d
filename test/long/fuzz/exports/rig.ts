// SPDX-License-Identifier: MIT

/** The methods of a Rig, and of its poses. */

import type { CapsuleParts, Poses } from '../../../../lib';
import type { Kind } from '../hostile';
import { type Callable, floats, ints, made, number, options, shorts, value } from './kinds';

export const P = 5;
const JOINTS = 2;
const VERTICES = 2;
/** Of the rigs that `instanceOf` makes. */
export const RIG = { poses: P, slots: 3, joints: JOINTS, vertices: VERTICES };

const poses = made('poses');
const clips: Kind = shorts(0, 1, 0, 1, 0);
const clip = number(0, 1);
export const times: Kind = { kind: 'doubles', length: P, values: [0, 0.5, -1, 1e9, 2] };
export const times32: Kind = { kind: 'floats', length: P, values: [0, 0.5, -1, 1e9, 2] };
const loop = options({ loop: value(undefined, 'clamp', 'wrap') });
const format = value('mat4', 'mat3x4', undefined);
const slot = number(0, 1, 2);
const trs: Kind = { kind: 'floats', length: 10, values: [0, 1, 2, 0, 0, 0, 1, 1, 1, 1] };

function method(name: string, args: readonly Kind[], writes: readonly number[]): Callable {
    return {
        args,
        writes,
        call: ({ rig }, values) =>
            (rig as unknown as Record<string, (...values: unknown[]) => unknown>)[name]!(...values),
    };
}

/** Methods of a Rig; poses are written by what has them in front. */
export const RIG_METHODS: Readonly<Record<string, Callable>> = {
    slotOf: method('slotOf', [number(0, 1, 2, 99, -1)], []),
    clipNamed: method('clipNamed', [value('wave', 'none', '')], []),
    slotNamed: method('slotNamed', [value('b', 'none', '')], []),
    subtreeMask: method('subtreeMask', [slot], []),
    createPoses: {
        ...method(
            'createPoses',
            [number(1, 5, 17), options({ only: value(undefined, [0], [2, 1]), shared: value(undefined, true, false) })],
            [],
        ),
        call: ({ rig }, [capacity, chosen]) => {
            // As much as a test should take.
            if (typeof capacity === 'number' && capacity > 1e6 && capacity < 1e8) return null;
            const { data, count: n } = rig.createPoses(capacity as number, chosen as object);
            return [n, [...data.subarray(0, 100)]];
        },
    },
    evaluate: method('evaluate', [poses, clips, times, loop], []),
    'evaluate, one clip': method('evaluate', [poses, clip, times32, loop], []),
    blend: method(
        'blend',
        [
            poses,
            made('poses2'),
            made('poses3'),
            { kind: 'floats', length: P, values: [0, 0.5, 1, -1, 2] },
            options({
                mask: { kind: 'floats', length: RIG.slots, values: [0, 0.5, 1] },
                additive: value(true, false, undefined),
            }),
        ],
        [],
    ),
    toGlobal: method('toGlobal', [poses, options({ from: value(undefined, 0, 2) })], []),
    palettes: method('palettes', [poses, number(0), floats(P * JOINTS * 16), format], [2]),
    bakePalettes: method('bakePalettes', [poses, clips, times, number(0), floats(P * JOINTS * 16), format, loop], [4]),
    joints: method('joints', [poses, shorts(0, 2), floats(P * 2 * 12)], [2]),
    'joints, an Int32Array': method('joints', [poses, ints(0, 2), floats(P * 2 * 12)], [2]),
    createCapsules: {
        ...method(
            'createCapsules',
            [
                options({
                    slot,
                    toSlot: value(undefined, 2),
                    from: value(undefined, [0, 1, 0]),
                    to: value(undefined, [0, 2, 0]),
                    radius: number(1, 0.5),
                }),
            ],
            [],
        ),
        call: ({ rig }, [part]) => {
            const { count, slots } = rig.createCapsules([part as CapsuleParts]);
            return [count, [...slots]];
        },
    },
    castRays: {
        ...method(
            'castRays',
            [
                poses,
                { kind: 'floats', length: 14, values: [0, 1, 5, 0, 0, -1, 9] },
                floats(P * 2),
                ints(...Array<number>(P * 2).fill(0)),
                options({ placements: { kind: 'floats', length: P * 7, values: [0, 0, 0, 0, 0, 0, 1] } }),
            ],
            [2, 3],
        ),
        call: ({ rig }, [first, rays, distances, hits, cast]) =>
            rig.castRays(
                first as Poses,
                rig.createCapsules([{ slot: 0, radius: 1 }]),
                rays as Float32Array,
                distances as Float32Array,
                hits as Int32Array,
                cast as object,
            ),
    },
    skinVertices: method(
        'skinVertices',
        [poses, number(0), number(0), floats(P * VERTICES * 3), floats(P * VERTICES * 3)],
        [3, 4],
    ),
    bounds: method('bounds', [poses, number(0), number(0), floats(P * 6)], [3]),
    jointBounds: method('jointBounds', [number(0)], []),
    setLocal: method('setLocal', [poses, number(0, 4), slot, trs], []),
    getLocal: method('getLocal', [poses, number(0, 4), slot, trs], [3]),
    extractRoot: method(
        'extractRoot',
        [
            poses,
            floats(P * 7),
            options({
                slot,
                from: made('poses2'),
                motion: value('xz+yaw', 'xyz+rotation', undefined),
                inPlace: value(true, false, undefined),
            }),
        ],
        [1],
    ),
    rootDelta: method(
        'rootDelta',
        [floats(7), clip, number(0, 0.5, -7), number(1, 100), options({ slot, loop: value('wrap') })],
        [0],
    ),
    dispose: {
        ...method('dispose', [], []),
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
