// SPDX-License-Identifier: MIT

/** The addon's figures equal the twin's, bit for bit; the twin's equal those of comparing everything. */

import { nativePlaybackErrors } from '../../../lib/bake/playback/choose-playback-error';
import { HELD, playbackErrorTwin } from '../../../lib/bake/playback/playback-error';
import { SAMPLES } from '../../../lib/bake/rows/batch-size';
import { compiledRigs } from '../../../lib/rig/compiled';
import { itNative } from '../../support/implementations';
import { random as randomOf } from '../../support/random';

interface Case {
    readonly rows: Float32Array;
    readonly samples: Float32Array;
    readonly nearest: Uint8Array;
    readonly joints: number;
    readonly boxes: Float64Array;
}

/** Matrices that move by `step` from row to row, and poses with `noise` between them. */
function randomCase(seed: number, intervals: number, joints: number, step: number, noise: number): Case {
    const random = randomOf(seed);
    const row = joints * 16;
    const isLast = (e: number) => e % 4 === 3;
    const rows = new Float32Array((intervals + 1) * row);
    for (let e = 0; e < rows.length; e++) {
        if (isLast(e)) rows[e] = e % 16 === 15 ? 1 : 0;
        else rows[e] = (e < row ? random() * 4 - 2 : rows[e - row]!) + (random() * 2 - 1) * step;
    }
    const samples = new Float32Array(intervals * SAMPLES * row);
    for (let interval = 0; interval < intervals; interval++) {
        for (let k = 1; k <= SAMPLES; k++) {
            for (let e = 0; e < row; e++) {
                const from = rows[interval * row + e]!;
                const to = rows[(interval + 1) * row + e]!;
                const off = isLast(e) ? 0 : (random() * 2 - 1) * noise;
                samples[(interval * SAMPLES + k - 1) * row + e] = from + ((to - from) * k) / 8 + off;
            }
        }
    }
    const nearest = Uint8Array.from({ length: intervals }, (_, i) =>
        i > 0 && random() < 0.2 ? HELD : random() < 0.2 ? Math.floor(random() * 8) : 3,
    );
    // Some joints move nothing, but the first one does.
    const boxes = new Float64Array(joints * 6);
    for (let joint = 0; joint < joints; joint++) {
        const moves = joint === 0 || random() < 0.8;
        for (let i = 0; i < 6; i++) boxes[joint * 6 + i] = i < 3 ? random() * 2 - 1 : moves ? random() * 2 : -1;
    }
    return { rows, samples, nearest, joints, boxes };
}

type Compare = typeof playbackErrorTwin;

function figures(compare: Compare, { rows, samples, nearest, joints, boxes }: Case, from = [0, 0]): number[] {
    const greatest = Float64Array.from(from);
    compare(greatest, rows, samples, nearest, joints, boxes);
    return [...greatest];
}

/** Compares all poses, for each corner of the box. */
function bruteForce({ rows, samples, nearest, joints, boxes }: Case): number[] {
    const greatest = [0, 0];
    for (let sample = 0; sample < nearest.length * SAMPLES * joints; sample++) {
        const joint = sample % joints;
        const k = (Math.floor(sample / joints) % SAMPLES) + 1;
        const interval = Math.floor(sample / joints / SAMPLES);
        const a = (interval * joints + joint) * 16;
        const b = a + joints * 16;
        const box = boxes.subarray(joint * 6, joint * 6 + 6);
        if (nearest[interval] === HELD || box[3]! < 0) continue;
        const shown = (share: number) =>
            Array.from({ length: 16 }, (_, e) => rows[a + e]! * (1 - share) + rows[b + e]! * share);
        const played = [shown(k / 8), shown(k <= nearest[interval]! ? 0 : 1)];
        for (const [which, matrix] of played.entries()) {
            const off = matrix.map((value, e) => value - samples[sample * 16 + e]!);
            for (let corner = 0; corner < 8; corner++) {
                const point = [0, 1, 2].map((axis) => box[axis]! + (corner & (1 << axis) ? 1 : -1) * box[axis + 3]!);
                const moved = [0, 1, 2].map((row) =>
                    point.reduce((sum, coordinate, c) => sum + off[c * 4 + row]! * coordinate, off[12 + row]!),
                );
                greatest[which] = Math.max(
                    greatest[which]!,
                    moved.reduce((sum, x) => sum + x * x, 0),
                );
            }
        }
    }
    return greatest;
}

const CASES = Array.from({ length: 24 }, (_, seed) =>
    randomCase(seed, 1 + (seed % 5) * 3, 1 + (seed % 7), 10 ** -(seed % 4), 10 ** -((seed + 1) % 6)),
);

test('the twin finds the errors of comparing everything', () => {
    for (const one of CASES) {
        const expected = bruteForce(one);
        expect(Math.min(...expected)).toBeGreaterThan(0);
        for (const [i, value] of figures(playbackErrorTwin, one).entries()) {
            expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-12 * expected[i]! + 1e-15);
        }
    }
});

test('figures only grow: smaller values do not change them', () => {
    for (const one of CASES) {
        const [lerp, nearest] = figures(playbackErrorTwin, one) as [number, number];
        expect(figures(playbackErrorTwin, one, [lerp, nearest])).toEqual([lerp, nearest]);
        expect(figures(playbackErrorTwin, one, [lerp * 2, 0])).toEqual([lerp * 2, nearest]);
    }
});

test.each([NaN, Infinity, -Infinity])('a pose of %p is an infinite error', (value) => {
    const one = randomCase(3, 2, 2, 0.1, 0.01);
    one.nearest.fill(3);
    one.boxes.set(one.boxes.subarray(0, 6), 6);
    for (const element of [0, 5, 13, 32 * 9 + 14, 32 * 9 + 30]) {
        const samples = one.samples.slice();
        samples[element] = value;
        expect(figures(playbackErrorTwin, { ...one, samples })).toEqual([Infinity, Infinity]);
        // Unless the joint moves nothing, or the row is held.
        const boxes = one.boxes.slice();
        boxes.fill(-1, element % 32 < 16 ? 0 : 6, element % 32 < 16 ? 6 : 12);
        expect(figures(playbackErrorTwin, { ...one, samples, boxes }).every(Number.isFinite)).toBe(true);
        const nearest = one.nearest.with(element < 32 * SAMPLES ? 0 : 1, HELD);
        expect(figures(playbackErrorTwin, { ...one, samples, nearest }).every(Number.isFinite)).toBe(true);
    }
});

itNative('every instruction set gives the bits of the twin', () => {
    const available = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);
    expect([...nativePlaybackErrors.keys()]).toEqual(available);
    expect(available).toContain('strict/scalar');
    const broken = randomCase(7, 3, 3, 0.1, 0.1);
    broken.boxes.set(broken.boxes.subarray(0, 6), 6);
    broken.samples[100] = NaN;
    for (const one of [...CASES, broken]) {
        const expected = figures(playbackErrorTwin, one);
        for (const compare of nativePlaybackErrors.values()) expect(figures(compare, one)).toEqual(expected);
    }
});

itNative('lists that are too short are refused by the addon, which reads nothing then', () => {
    const one = randomCase(5, 4, 3, 0.1, 0.1);
    const { rigs } = require('../../../lib/addon/load').addon as {
        rigs: { playbackError(...args: unknown[]): unknown }[];
    };
    const { rows, samples, nearest, joints, boxes } = one;
    const good: unknown[] = [new Float64Array(2), rows, samples, nearest, joints, boxes];
    const bad: [number, unknown][] = [
        [0, new Float64Array(1)],
        [0, new Float32Array(2)],
        [1, rows.subarray(1)],
        [1, new Float64Array(rows.length)],
        [2, samples.subarray(1)],
        [3, new Uint8Array(nearest.length + 1)],
        [3, Array.from(nearest)],
        [4, 0],
        [4, -1],
        [4, 1.5],
        [4, joints + 1],
        [4, 2 ** 28],
        [4, undefined],
        [5, boxes.subarray(1)],
        [5, null],
    ];
    for (const { playbackError } of rigs.filter((rig) => rig.playbackError !== undefined)) {
        for (const [at, value] of bad) {
            const args = good.with(at, value);
            expect([at, playbackError(...args)]).toEqual([at, false]);
            expect([...(good[0] as Float64Array)]).toEqual([0, 0]);
        }
        const shared = new ArrayBuffer(rows.byteLength);
        const inside = new Float32Array(shared);
        inside.set(rows);
        expect(playbackError(new Float64Array(shared, 0, 2), inside, samples, nearest, joints, boxes)).toBe(false);
        expect([...inside]).toEqual([...rows]);
        expect(playbackError(...good)).toBeUndefined();
        (good[0] as Float64Array).fill(0);
    }
});
