// SPDX-License-Identifier: MIT

/** How the classes are made, and the methods of a table. */

import { readFile } from 'node:fs/promises';
import type { Kind } from '../hostile';
import { type Callable, floats, ints, made, number, options, shorts, value } from './kinds';
import { P, times, times32 } from './rig';

const CHANNEL = options({
    node: number(0, 1, 2),
    path: value('translation', 'rotation'),
    interpolation: value('LINEAR', 'STEP', undefined),
    times: { kind: 'floats', length: 2, values: [0, 1] },
    values: { kind: 'floats', length: 6, values: [0, 1, 2] },
});

/** Statics of the classes. */
export const STATICS: Readonly<Record<string, Callable>> = {
    'Rig.create': {
        args: [
            options({
                parents: ints(-1, 0, 1),
                rest: { kind: 'floats', length: 30, values: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] },
                names: value(undefined, ['a', 'b', 'c'], ['a'], [1, 2, 3]),
                matrices: value(undefined, [null, null, null], new Array(3), [[1], null, null]),
                skins: value(
                    undefined,
                    [],
                    [{ joints: [0, 1] }],
                    [{ joints: [9] }],
                    new Array(2),
                    [null],
                    [{}],
                    [{ joints: new Array(3) }],
                ),
                clips: value(
                    undefined,
                    [],
                    [{ channels: [] }],
                    new Array(2),
                    [null],
                    [{}],
                    [{ channels: new Array(2) }],
                ),
                meshes: value(undefined, [], new Array(1), [null], [{}], [{ node: 0, positions: [] }]),
            }),
        ],
        writes: [],
        call: ({ poselane }, [parts]) => poselane.Rig.create(parts as never).slots.length,
    },
    'Rig.create, a channel': {
        args: [CHANNEL],
        writes: [],
        call: ({ poselane }, [channel]) => {
            const rest = [0, 1, 2].flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
            const channels = [channel] as never;
            return poselane.Rig.create({ parents: [-1, 0, 1], rest, clips: [{ channels }] }).clips.length;
        },
    },
    'Rig.load': {
        args: [
            made('bytes'),
            options({ name: value(undefined, 'a'), meshes: value(undefined, false), resolve: value(undefined) }),
        ],
        writes: [],
        slow: true,
        call: async ({ poselane }, [input, chosen]) =>
            (await poselane.Rig.load(input as never, chosen as never)).slots.length,
    },
    'Rig.deserialize': {
        args: [made('stored')],
        writes: [],
        slow: true,
        call: async ({ poselane }, [input]) => (await poselane.Rig.deserialize(input as never)).slots.length,
    },
    'Rig.fromDocument': {
        args: [made('document')],
        writes: [],
        call: ({ poselane }, [document]) => poselane.Rig.fromDocument(document as never).slots.length,
    },
    'BakedTable.load': {
        args: [made('url'), value(readFile)],
        writes: [],
        slow: true,
        call: async ({ poselane }, [url, read]) => (await poselane.BakedTable.load(url as never, read as never)).rows,
    },
    'BakedTable.open': {
        args: [made('manifest'), made('bin')],
        writes: [],
        call: ({ poselane }, [json, bin]) => poselane.BakedTable.open(json as never, bin as never).rows,
    },
};

function tableMethod(name: string, args: readonly Kind[], writes: readonly number[]): Callable {
    return {
        args,
        writes,
        call: ({ table }, values) =>
            (table as unknown as Record<string, (...values: unknown[]) => unknown>)[name]!(...values),
    };
}

const sampling = options({
    loop: value('clamp', 'wrap', Uint8Array.of(0, 1, 1, 0, 1)),
    between: value('linear', 'nearest'),
});

export const TABLE_METHODS: Readonly<Record<string, Callable>> = {
    clipNamed: tableMethod('clipNamed', [value('wave', 'none')], []),
    events: tableMethod(
        'events',
        [number(0), number(0, -1, 1e9), number(0.5, 3), options({ loop: value(undefined, 'wrap') })],
        [],
    ),
    frameTime: tableMethod('frameTime', [number(0), number(0, 1)], []),
    sample: tableMethod(
        'sample',
        [value('palette', 'bounds', 'root', 'none'), shorts(0, 0, 0, 0, 0), times, floats(P * 64), sampling],
        [3],
    ),
    rootMotion: tableMethod('rootMotion', [shorts(0, 0, 0, 0, 0), times, floats(P * 7)], [2]),
    toMatrices: tableMethod('toMatrices', [floats(P * 32), floats(P * 32)], [1]),
    rowsAt: tableMethod('rowsAt', [number(0), times32, floats(P * 3), sampling], [2]),
};
