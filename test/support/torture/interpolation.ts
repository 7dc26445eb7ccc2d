// SPDX-License-Identifier: MIT

import { keyed } from '../gltf-builder';
import { random, randomRotation, randomVector } from '../random';
import { EXTRA_KEYS, HALF, inRow, type RowlessScene, type TortureScene, twoJoints } from './scene';

const turn = (times: readonly number[], ...values: readonly (readonly number[])[]) =>
    keyed(1, 'rotation', times, ...values);

const hemispheres = twoJoints(
    {
        name: 'hemispheres',
        about: 'the short way round between keys in opposite hemispheres',
        figures: [
            { time: 0.5, joint: 1, point: [1, 0, 0], to: [HALF, 1 + HALF, 0], near: true },
            { time: 1, joint: 1, point: [1, 0, 0], to: [0, 2, 0], near: true },
            // Back through 0, past 1: a quarter turn further at the start is minus one at the end.
            { time: 1.5, joint: 1, point: [1, 0, 0], to: [HALF, 1 + HALF, 0], near: true },
            { time: 2, joint: 1, point: [1, 0, 0], to: [1, 1, 0], near: true },
        ],
    },
    () => [
        // A quarter turn about z, written the long way round.
        turn([0, 1, 2], [0, 0, 0, 1], [0, 0, -HALF, -HALF], [0, 0, 0, 1]),
    ],
);

const ANGLE = Math.PI / 6;

const halfTurn = twoJoints(
    {
        name: 'half-turn',
        about: 'slerp and not normalized lerp: constant speed over a wide angle',
        fps: 6,
        figures: [
            {
                time: Math.fround(1 / 6),
                joint: 1,
                point: [1, 0, 0],
                to: [Math.cos(ANGLE), 1 + Math.sin(ANGLE), 0],
                near: true,
            },
        ],
    },
    () => [turn([0, 1], [0, 0, 0, 1], [0, 0, 1, 0])],
);

const randomRotations = twoJoints(
    {
        name: 'random-rotations',
        about: 'random keys, both signs, from tiny steps to opposite ends',
        figures: [],
    },
    () => {
        const next = random(1);
        const times = Array.from({ length: 200 }, (_, i) => Math.fround(i / 7));
        const anywhere = times.map(() => randomRotation(next));
        let close = randomRotation(next);
        const tiny = times.map(() => {
            const step = randomVector(next, 0.002);
            const away = close.map((x, c) => x + (step[c] ?? 0));
            const sign = next() < 0.5 ? -1 : 1;
            close = away.map((x) => (sign * x) / Math.hypot(...away));
            return close;
        });
        return [{ node: 0, path: 'rotation', times, values: anywhere }, turn(times, ...tiny)];
    },
);

const nonUnit = [0.706, 0.7075].map((c): RowlessScene => {
    // Exact at a key. The matrix of a quaternion that is not unit is not a rotation: it takes x to (1 - 2 c c, 2 c c).
    const k = Math.fround(c);
    return twoJoints(
        {
            name: `non-unit-${c}`,
            about: `keys of 2 x ${c} squared are not normalized, nor are constant ones`,
            parts: {
                'three.js': 'lerps and normalizes where the dot is 0.9995 or more, keeps two equal keys unchanged',
                // Above 1 a dot is lerped, by the specification and by Babylon.
                ...(c * c < 0.5
                    ? { Babylon: `${EXTRA_KEYS}; slerp between equal keys that are not unit changes them` }
                    : {}),
            },
            figures: [
                { time: 0, joint: 0, point: [1, 0, 0], to: [1 - 2 * k * k, 2 * k * k, 0], near: true },
                { time: 2, joint: 0, point: [1, 0, 0], to: [1 - 2 * k * k, 2 * k * k, 0], near: true },
            ],
        },
        () => [
            turn([0, 1, 2, 3], [0, 0, c, c], [0, 0, c, c], [0, 0, c, c + 0.0001], [0, 0, -c, -c]),
            keyed(0, 'rotation', [0, 2], [0, 0, c, c], [0, 0, c, c]),
        ],
    );
});

const tangents = twoJoints(
    {
        name: 'cubic-translation',
        about: 'tangents count times the key interval',
        figures: [
            // At half: interval * 1/8 of the out-tangent, minus the same of the in-tangent, half of the way.
            { time: 1, joint: 0, to: [2 / 8, 2 / 8, 0.5], near: true },
            { time: 2, joint: 0, to: [0, 0, 1] },
        ],
    },
    () => [
        {
            ...keyed(0, 'translation', [0, 2], [9, 9, 9], [0, 0, 0], [1, 0, 0], [0, -1, 0], [0, 0, 1], [9, 9, 9]),
            interpolation: 'CUBICSPLINE',
        },
    ],
);

const ZERO = [0, 0, 0, 0];
// At a quarter the weights are 27/32 and 5/32.
const Z = -HALF * (5 / 32);
const W = 27 / 32 - HALF * (5 / 32);
const SQUARED = Z * Z + W * W;

const cubicRotation = twoJoints(
    {
        name: 'cubic-rotation',
        about: 'rotations are normalized afterwards and change no hemisphere',
        figures: [
            {
                time: 0.25,
                joint: 1,
                point: [1, 0, 0],
                to: [(W * W - Z * Z) / SQUARED, 1 + (2 * Z * W) / SQUARED, 0],
                near: true,
            },
        ],
    },
    () => [
        // -q is the same rotation as q: the spline from q to -q' takes the long way round all the same.
        { ...turn([0, 1], ZERO, [0, 0, 0, 1], ZERO, ZERO, [0, 0, -HALF, -HALF], ZERO), interpolation: 'CUBICSPLINE' },
    ],
);

const cubicOne = twoJoints(
    {
        name: 'cubic-one',
        about: 'a single key that is not of unit length is normalized as well',
        parts: { 'three.js': 'keeps the key', Babylon: 'keeps the key' },
        figures: [{ time: 0, joint: 1, point: [1, 0, 0], to: [-1, 1, 0] }],
    },
    () => [{ ...turn([0.5], ZERO, [0, 3, 0, 0], ZERO), interpolation: 'CUBICSPLINE' }],
);

const cubicRandom = twoJoints(
    {
        name: 'cubic-random',
        about: 'random splines of translation, rotation and scale, late first keys among them',
        parts: { Babylon: `${EXTRA_KEYS}, with their tangents` },
        figures: [],
    },
    () => {
        const next = random(2);
        const times = Array.from({ length: 40 }, (_, i) => Math.fround(0.3 + i / 3 + next() / 4));
        const triples = (value: () => number[], tangent: () => number[]): number[][] =>
            times.flatMap(() => [tangent(), value(), tangent()]);
        const small = (): number[] => randomVector(next, 1);
        const rotations = triples(
            () => randomRotation(next),
            () => [...small(), next()],
        );
        const cubic = { interpolation: 'CUBICSPLINE', times } as const;
        return [
            { node: 0, path: 'rotation', ...cubic, values: rotations },
            { node: 1, path: 'translation', ...cubic, values: triples(small, small) },
            { node: 1, path: 'scale', ...cubic, values: triples(small, small) },
        ];
    },
);

const STEP_TIMES = [0, 0.25, 0.5];

const step = twoJoints(
    {
        name: 'step',
        about: 'the value of the key at or before the time, of rotations too',
        figures: [
            { time: Math.fround(14 / 60), joint: 1, point: [1, 0, 0], to: [1, 1, 0] },
            { time: 0.25, joint: 1, point: [1, 0, 0], to: [-2, 1, 0] },
            { time: Math.fround(29 / 60), joint: 1, point: [1, 0, 0], to: [-2, 1, 0] },
            { time: 0.5, joint: 1, point: [1, 1, 0], to: [3, -2, 0] },
        ],
    },
    () => [
        { ...turn(STEP_TIMES, [0, 0, 0, 1], [0, 0, 1, 0], [1, 0, 0, 0]), interpolation: 'STEP' },
        { ...keyed(1, 'scale', STEP_TIMES, [1, 1, 1], [2, 2, 2], [3, 3, 3]), interpolation: 'STEP' },
    ],
);

export const INTERPOLATION_SCENES: readonly TortureScene[] = [
    ...inRow('LINEAR rotation', hemispheres, halfTurn, randomRotations, ...nonUnit),
    ...inRow('CUBICSPLINE', tangents, cubicRotation, cubicOne, cubicRandom),
    ...inRow('STEP', step),
];
