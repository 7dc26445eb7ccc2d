// SPDX-License-Identifier: MIT

import { type ChannelSpec, keyed } from '../gltf-builder';
import { EXTRA_KEYS, type Figure, inRow, moved, type RowlessScene, type TortureScene, twoJoints } from './scene';

const FRAMES = Array.from({ length: 301 }, (_, i) => i);

/** Moves by 1/512 m, exact in float32 and small enough in space for the yardstick, at each key. */
function steps(times: readonly number[]): ChannelSpec[] {
    const values = times.map((_, i) => [i / 512, 0, 0]);
    return [{ node: 0, path: 'translation', times, values, interpolation: 'STEP' }];
}

/** Rates at which a STEP key stored as fround(i / fps) has to be there at frame i. */
export const STEP_RATES = [24, 25, 30, 60, 120] as const;

const onTheFrames = STEP_RATES.map((fps): RowlessScene => {
    const times = FRAMES.map((i) => Math.fround(i / fps));
    const about = `a STEP key stored as fround(i / ${fps}) is there at frame i: 0 of 301 late`;
    const figures = FRAMES.map((i): Figure => ({ time: times[i]!, joint: 0, to: [i / 512, 0, 0] }));
    return twoJoints({ name: `step-${fps}`, about, fps, figures }, () => steps(times));
});

/** Key i of `step-off-grid`. */
const OFF_GRID_TIMES = FRAMES.map((i) => Math.fround(i * Math.fround(1 / 30)));

const offTheFrames = twoJoints(
    {
        name: 'step-off-grid',
        about: 'STEP keys 1 or 2 ulp above the frames follow the specification',
        fps: 30,
        figures: FRAMES.slice(0, 300).map((i): Figure => {
            const time = Math.fround(i / 30);
            return { time, joint: 0, to: [(OFF_GRID_TIMES[i]! > time ? i - 1 : i) / 512, 0, 0] };
        }),
    },
    () => steps(OFF_GRID_TIMES),
);

const NTSC = FRAMES.map((i) => Math.fround((i * 1001) / 30000));

const ntsc = twoJoints(
    {
        name: 'step-ntsc',
        about: 'a fraction as the rate: i * den / num in that order',
        fps: [30000, 1001],
        figures: FRAMES.map((i): Figure => ({ time: NTSC[i]!, joint: 0, to: [i / 512, 0, 0] })),
    },
    () => steps(NTSC),
);

/** Clips that last this long have this many frames at this rate, whole or not. */
const ENDS = [
    { fps: 30, duration: 0.99, frames: 31 },
    { fps: 24, duration: 1.23, frames: 31 },
    { fps: 30, duration: 1.0000001, frames: 31 },
    { fps: 60, duration: 1 / 3, frames: 21 },
    { fps: 30, duration: 0.01, frames: 2 },
] as const;

const ends = ENDS.map(({ fps, duration, frames }): RowlessScene => {
    const end = Math.fround(duration);
    return twoJoints(
        {
            name: `end-${fps}-${duration}`,
            about: `${duration} s at ${fps} fps: the last one of ${frames} frames is the last key`,
            fps,
            figures: [
                { time: 0, joint: 0, to: [0, 0, 0] },
                {
                    time: Math.fround((frames - 2) / fps),
                    joint: 0,
                    to: [0, 0, (frames - 2) / fps / duration],
                    near: true,
                },
                { time: end, joint: 0, to: [0, 0, 1] },
            ],
        },
        () => [{ ...moved(0, [0, 0, 0], [0, 0, 1]), times: [0, end] }],
    );
});

const STEP_END = Math.fround(0.99);

const stepEnd = twoJoints(
    {
        name: 'step-end',
        about: 't = duration is the last key; one ulp before it, a STEP channel is not there yet',
        figures: [
            { time: STEP_END, joint: 0, to: [0, 0, 1] },
            { time: STEP_END, joint: 1, to: [0, 2, 1] },
            { time: Math.fround(STEP_END - 2 ** -24), joint: 0, to: [0, 0, 0] },
        ],
    },
    () => [
        { ...moved(0, [0, 0, 0], [0, 0, 1]), times: [0, STEP_END], interpolation: 'STEP' },
        { ...moved(1, [0, 1, 0], [0, 2, 0]), times: [0, STEP_END] },
    ],
);

const singleKey = twoJoints(
    {
        name: 'single-key',
        about: 'one key at 0, the only instant',
        figures: [{ time: 0, joint: 0, to: [3, 4, 5] }],
    },
    () => [keyed(0, 'translation', [0], [3, 4, 5])],
);

const late = twoJoints(
    {
        name: 'late-first-key',
        about: 'outside its keys a channel keeps its nearest one; the time line starts at 0',
        figures: [
            { time: 0, joint: 0, to: [2, 0, 0] },
            { time: Math.fround(29 / 60), joint: 0, to: [2, 0, 0] },
            { time: 0.75, joint: 0, to: [3, 0, 0], near: true },
            { time: 1.5, joint: 1, point: [1, 0, 0], to: [6, 1, 3] },
            { time: 0, joint: 1, point: [1, 0, 0], to: [4, 1, 0] },
        ],
    },
    () => [
        { ...moved(0, [2, 0, 0], [4, 0, 0]), times: [0.5, 1] },
        { ...moved(1, [0, 1, 0], [0, 1, 3]), times: [0, 0.25] },
        // The only key of this channel is after all others: it is constant, and sets the end.
        keyed(1, 'scale', [1.5], [2, 2, 2]),
    ],
);

const lateSpline = twoJoints(
    {
        name: 'late-spline',
        about: 'a spline stands still before its first key and after its last one, whatever their tangents',
        parts: { Babylon: `${EXTRA_KEYS}, with their tangents` },
        figures: [
            { time: 0, joint: 0, to: [1, 0, 0] },
            { time: 0.25, joint: 0, to: [1, 0, 0] },
            { time: 1.25, joint: 0, to: [0, 2, 0] },
            { time: 1.5, joint: 0, to: [0, 2, 0] },
        ],
    },
    () => [
        {
            ...keyed(0, 'translation', [0.5, 1], [3, 3, 3], [1, 0, 0], [5, 0, 0], [0, 5, 0], [0, 2, 0], [4, 4, 4]),
            interpolation: 'CUBICSPLINE',
        },
        { ...moved(1, [0, 1, 0], [0, 1, 3]), times: [0, 1.5] },
    ],
);

const duplicates = twoJoints(
    {
        name: 'duplicate-times',
        about: 'of keys at the same time the last one wins',
        figures: [
            { time: Math.fround(29 / 60), joint: 0, to: [29 / 30, 0, 0], near: true },
            { time: 0.5, joint: 0, to: [3, 0, 0] },
            { time: 1, joint: 0, to: [4, 0, 0] },
            { time: 1, joint: 1, point: [0, 1, 0], to: [4, 0, 0] },
        ],
    },
    () => [
        keyed(0, 'translation', [0, 0.5, 0.5, 0.5, 1], [0, 0, 0], [1, 0, 0], [9, 9, 9], [3, 0, 0], [4, 0, 0]),
        keyed(1, 'rotation', [0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 0], [1, 0, 0, 0]),
    ],
);

export const TIME_SCENES: readonly TortureScene[] = [
    ...inRow('frame times', ...onTheFrames, offTheFrames, ntsc),
    ...inRow('t = duration', ...ends, stepEnd, singleKey),
    ...inRow('outside the keys, late first key', late, lateSpline),
    ...inRow('duplicate key times', duplicates),
];
