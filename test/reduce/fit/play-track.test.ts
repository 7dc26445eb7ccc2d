// SPDX-License-Identifier: MIT

/** The addon plays keys with the bits of the twin. It refuses arguments that could make it leave its lists. */

import { nativePlayTrack } from '../../../lib/reduce/fit/choose-play-track';
import type { Clip, Track } from '../../../lib/reduce/fit/clip';
import { playTrackTwin } from '../../../lib/reduce/fit/play-track';
import { compiledRigs } from '../../../lib/rig/compiled';
import { itNative, WASM } from '../../support/implementations';
import { random as randomOf } from '../../support/random';

/** A node's track with random keys, the second node of two, and samples to play it at. */
function randomCase(seed: number) {
    const random = randomOf(seed);
    const numbers = (length: number) =>
        Float64Array.from({ length }, () =>
            random() < 0.001 ? [NaN, Infinity, -0, 1e308][seed % 4]! : random() - 0.5,
        );
    const n = 1 + Math.floor(random() * 40);
    const blocks = Math.ceil((2 * n - 1) / 8);
    const at = Float64Array.from({ length: blocks * 8 }, (_, s) => Math.min(s, 2 * n - 2) / 60);
    const place = [0, 3, 7][seed % 3]!;
    const width = place === 3 ? 4 : 3;
    const knots = Array.from({ length: n }, (_, i) => i).filter((i) => i === seed % 2 || random() < 0.4);
    if (knots.length === 0) knots.push(0);
    const clip = {
        at,
        blocks,
        locals: [numbers(0), numbers(at.length * 10)],
        localMatrices: numbers(2 * at.length * 12),
        model: { matrices: [null, null] },
    };
    const track = { knots, values: numbers(knots.length * width), width, place, node: 1, kept: false };
    const from = Math.floor(random() * at.length);
    return { clip, track, from, to: from + Math.floor(random() * (at.length + 1 - from)) };
}

function played(play: typeof playTrackTwin, { clip, track, from, to }: ReturnType<typeof randomCase>) {
    const own = { ...clip, locals: clip.locals.map((list) => list.slice()), localMatrices: clip.localMatrices.slice() };
    play(own as unknown as Clip, track as unknown as Track, from, to);
    return [...own.locals, own.localMatrices];
}

itNative('every instruction set gives the bits of the twin', () => {
    const available = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);
    expect([...nativePlayTrack.keys()]).toEqual(available.filter((name) => name !== WASM));
    for (let seed = 0; seed < 300; seed++) {
        const one = randomCase(seed);
        const expected = played(playTrackTwin, one);
        for (const native of nativePlayTrack.values()) expect(played(native, one)).toEqual(expected);
    }
});

itNative('the addon refuses lists that are too short and keys out of bounds, and writes nothing', () => {
    const { rigs } = require('../../../lib/addon/load').addon as {
        rigs: { playTrack?(...args: unknown[]): unknown }[];
    };
    const list = (length: number) => new Float64Array(length).fill(0.5);
    const [locals, matrices] = [list(8 * 10), list(2 * 8 * 12)];
    const at = Float64Array.from({ length: 8 }, (_, s) => s);
    for (const place of [0, 3, 7]) {
        const args = [locals, matrices, at, Int32Array.of(0, 3), list(2 * (place === 3 ? 4 : 3)), 2, place, 1, 1, 0, 8];
        const bad: [number, unknown][] = [
            ...[0, 1, 2, 4].flatMap((i): [number, unknown][] => {
                const good = args[i] as Float64Array;
                return [good.subarray(1), new Float32Array(good), [...good], null].map((x) => [i, x]);
            }),
            ...[[0], [0, 4], [-1, 3], [3, 3], [3, 0]].map((x): [number, unknown] => [3, Int32Array.from(x)]),
            ...[0, 3, 1.5, NaN].map((x): [number, unknown] => [5, x]),
            ...[-1, 1, 10, undefined].map((x): [number, unknown] => [6, x]),
            ...[-1, 2, 2 ** 31 - 1].map((x): [number, unknown] => [7, x]),
            ...[0, 2, 2 ** 31 - 1].map((x): [number, unknown] => [8, x]),
            ...[-1, 9, 0.5].map((x): [number, unknown] => [9, x]),
            ...[-1, 9, '8'].map((x): [number, unknown] => [10, x]),
        ];
        for (const native of rigs.flatMap(({ playTrack }) => playTrack ?? [])) {
            for (const [i, value] of bad)
                expect([i, value, native(...args.with(i, value as never))]).toEqual([i, value, false]);
            expect(native()).toBe(false);
            expect([...locals, ...matrices].every((x) => x === 0.5)).toBe(true);
            expect(native(...args)).toBeUndefined();
            expect([...matrices.subarray(0, 96)].every((x) => x === 0.5)).toBe(true);
            expect([...matrices.subarray(96)].every((x) => x === 0.5)).toBe(false);
            for (const written of [locals, matrices]) written.fill(0.5);
        }
    }
});
