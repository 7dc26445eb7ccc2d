// SPDX-License-Identifier: MIT

import type { ChannelSpec } from '../gltf-builder';
import { HALF, inRow, type RowlessScene, type TortureScene, twoJoints } from './scene';

const TIMES = [0, 0.5, 1, 1.5];
const TURNS = [
    [0, 0, 0, 1],
    [0, 0, 1, 0],
    [0, 1, 0, 0],
    [1, 0, 0, 0],
];
const THERE = { time: 0.5, joint: 1, point: [1, 0, 0], to: [-1, 1, 0] } as const;

const signed = (['byte', 'short'] as const).map((component): RowlessScene => {
    // HALF in steps of 1 / max, and its exact matrix.
    const max = component === 'byte' ? 127 : 32767;
    const q = Math.round(HALF * max) / max;
    return twoJoints(
        {
            name: `normalised-${component}`,
            about: `rotations as normalized ${component}s, negative components too, are decoded before interpolation`,
            figures: [
                THERE,
                { time: 1.5, joint: 1, point: [1, 0, 0], to: [1 - 2 * q * q, 1 - 2 * q * q, 0], near: true },
            ],
        },
        () => {
            const values = [...TURNS.slice(0, 3), [0, 0, -HALF, HALF]];
            return [{ node: 1, path: 'rotation', times: TIMES, values, storage: { component } }];
        },
    );
});

const unsigned = (['ubyte', 'ushort'] as const).map(
    (component): RowlessScene =>
        twoJoints(
            {
                name: `normalised-${component}`,
                about: `rotations as normalized ${component}s are decoded before interpolation`,
                figures: [THERE, { time: 0.25, joint: 1, point: [1, 0, 0], to: [0, 2, 0], near: true }],
            },
            () => [{ node: 1, path: 'rotation', times: TIMES, values: TURNS, storage: { component } }],
        ),
);

const stored = ([{ sparse: 'zeros' }, { sparse: 'over' }, { stride: 20 }] as const).map((storage): RowlessScene => {
    const [[kind, how]] = Object.entries(storage) as [[string, string | number]];
    return twoJoints(
        {
            name: `${kind}-${how}`,
            about: `translations are decoded before interpolation (${kind}: ${how})`,
            figures: [
                { time: 0.25, joint: 0, to: [0, 1, 0], near: true },
                { time: 0.5, joint: 0, to: [0, 2, 0] },
                { time: 1, joint: 0, to: [0, 0, 0] },
                { time: 1.5, joint: 0, to: [4, 5, 6] },
            ],
        },
        (): ChannelSpec[] => {
            const values = [
                [0, 0, 0],
                [0, 2, 0],
                [0, 0, 0],
                [4, 5, 6],
            ];
            return [{ node: 0, path: 'translation', times: TIMES, values, storage }];
        },
    );
});

export const ACCESSOR_SCENES: readonly TortureScene[] = [
    ...inRow('normalized integer, sparse, strided accessors', ...signed, ...unsigned, ...stored),
];
