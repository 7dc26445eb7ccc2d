// SPDX-License-Identifier: MIT

/** `fps: 'auto'`: poses between jumps, fast turns, and motion shorter than an eighth of a frame. */

import type { BakeOptions } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import type { GltfScene, SceneChannel } from '../../../lib/gltf/scene';
import { channel, node, scene, skin } from '../../rig/scenes';
import { random as randomOf } from '../../support/random';
import { numbersOf } from '../baked-scenes';

/** Two joints 1 m apart, and one clip. */
function mover(...channels: SceneChannel[]): GltfScene {
    return scene([node(-1), node(0, { translation: [1, 0, 0] })], [skin([0, 1])], [{ name: 'clip', channels }]);
}

async function auto(s: GltfScene, options: BakeOptions = {}) {
    const { outputs, warnings } = await bakeScene(s, { fps: 'auto', minFps: 0, ...options });
    const [output] = outputs;
    const inexact = warnings.filter(({ code }) => code === 'AUTO_FPS_INEXACT').map(({ message }) => message);
    return { output: output!, clip: output!.manifest.clips[0]!, extent: output!.manifest.extent, inexact };
}

/** Errors of rows at a rate. */
async function offAt(s: GltfScene, fps: number, options: BakeOptions = {}): Promise<number> {
    return (await bakeScene(s, { ...options, fps })).outputs[0]!.manifest.clips[0]!.error.maxLerp;
}

describe('every pose held by STEP keys is in a row', () => {
    /** Positions x of joint 0 in the rows. */
    const places = ({ output }: Awaited<ReturnType<typeof auto>>) =>
        numbersOf(output, 'palette').filter((_, i) => i % 32 === 12);
    const steps = (times: number[], x: number[]) => {
        const values = x.flatMap((at) => [at, 0, 0]);
        return channel(0, 'translation', 'STEP', times, values);
    };

    test('at the rate of its drawings, and not at a lower one', async () => {
        const times = Array.from({ length: 12 }, (_, i) => i / 12);
        const found = await auto(mover(steps(times, [...times.keys()])));
        expect(places(found)).toEqual([...times.keys()]);
        expect(found.clip.fps).toBe(12);
        expect(found.inexact).toEqual([]);
    });

    test('also if LINEAR keys hold it, and the move to the next takes less than a frame', async () => {
        const times = Array.from({ length: 24 }, (_, i) => ((i + 1) >> 1) / 12 - (i % 2) * 1e-4);
        const values = times.flatMap((_, i) => [i >> 1, 0, 0]);
        const found = await auto(mover(channel(0, 'translation', 'LINEAR', times, values)));
        const shown = new Set(places(found).map(Math.round));
        expect([...shown].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i));
        expect(found.inexact).toHaveLength(1);
    });

    test('holds of random lengths: each has a row, and frames are at most as long as the shortest', async () => {
        for (let seed = 1; seed <= 10; seed++) {
            const random = randomOf(seed);
            let time = 0;
            const times = Array.from({ length: 20 }, () => {
                time += 0.02 + random() * 0.3;
                return Math.fround(time);
            });
            const s = mover(steps([0, ...times], [0, ...times]));
            const shortest = Math.min(...times.slice(1).map((at, i) => at - times[i]!));
            for (const end of ['clamp', 'fit'] as const) {
                const found = await auto(s, { end });
                expect([...new Set(places(found))]).toEqual([0, ...times]);
                expect(1 / found.clip.fps!).toBeLessThanOrEqual(shortest * 1.001);
                expect(found.inexact).toEqual([]);
            }
        }
    });

    test('poses that are equal, or within the tolerance, do not need their own row', async () => {
        const times = Array.from({ length: 60 }, (_, i) => i / 60);
        const rateOf = async (place: (i: number) => number) =>
            (await auto(mover(steps(times, [...times.keys()].map(place))))).clip.fps;
        expect(await rateOf(() => 3)).toBe(1);
        expect(await rateOf((i) => (i % 2) * 1e-6)).toBe(1);
        // Small steps add up.
        const creep = await rateOf((i) => i * 4e-3);
        expect(creep).toBeGreaterThan(10);
        expect(creep).toBeLessThan(60);
    });

    test('next to straight channels, of rotations and scales, and with two keys at one time', async () => {
        const straight = channel(0, 'translation', 'LINEAR', [0, 2], [0, 0, 0, 9, 0, 0]);
        const turns = channel(1, 'rotation', 'STEP', [0, 1, 1.05, 2], [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
        const sizes = channel(1, 'scale', 'STEP', [0, 1, 1.05, 2], [1, 1, 1, 2, 2, 2, 3, 3, 3, 1, 1, 1]);
        const cuts = [0, 0, 0, 1, 0, 0, 5, 0, 0, 6, 0, 0, 0, 0, 0, 1, 0, 0];
        const cut = channel(0, 'translation', 'LINEAR', [0, 1, 1, 1.05, 1.05, 2], cuts);
        for (const s of [mover(straight, turns), mover(straight, sizes), mover(cut)]) {
            const { clip } = await auto(s);
            const frames = Array.from({ length: clip.frameCount }, (_, i) => Math.fround(i / clip.fps!));
            expect(frames.some((time) => time >= 1 && time < Math.fround(1.05))).toBe(true);
            expect(clip.fps).toBeLessThanOrEqual(20);
        }
    });

    test('holds that are too short for 240 frames per second: that rate, and the number of lost poses', async () => {
        const times = Array.from({ length: 11 }, (_, i) => i / 480);
        const s = mover(steps(times, [...times.keys()]));
        const found = await auto(s);
        expect(found.clip.fps).toBe(240);
        expect(new Set(places(found)).size).toBe(6);
        expect(found.inexact).toEqual([
            "clip #0 'clip': 5 of 11 poses between jumps are in no row at 240 frames per second, the most that 'auto' tries; slow the clip down, or leave it out (clips)",
        ]);
        expect((await auto(s, { maxError: 0.1 })).clip.fps).toBe(240);
        // Times outside the baked range are not lost.
        const longer = mover(steps([...times, 1, 2], [...times.keys(), 0, 1]));
        expect((await auto(longer, { from: 0.5 })).inexact).toEqual([]);
    });

    test('jumps of two channels that differ only by rounding are one', async () => {
        const times = Array.from({ length: 30 }, (_, i) => i / 30);
        const x = [...times.keys()];
        const apart = times.map((t) => t * (1 + 2 ** -23));
        const sizes = x.flatMap((i) => [1 + (i % 2), 1, 1]);
        const size = channel(1, 'scale', 'STEP', apart, sizes);
        const { clip, inexact } = await auto(mover(steps(times, x), size));
        expect(inexact).toEqual([]);
        expect(clip.fps).toBeLessThanOrEqual(31);
    });
});

/** Turns by this angle in degrees from key to key. */
function spin(joint: number, degrees: number, perSecond: number, keys: number): SceneChannel {
    const times = Array.from({ length: keys }, (_, i) => i / perSecond);
    const half = times.map((_, i) => (((i * degrees) % 720) * Math.PI) / 360);
    const turns = half.flatMap((angle) => [0, 0, Math.sin(angle), Math.cos(angle)]);
    return channel(joint, 'rotation', 'LINEAR', times, turns);
}

test.each<[string, SceneChannel[], BakeOptions]>([
    ['two joints, each by 120 degrees', [spin(0, 120, 30, 31), spin(1, 120, 30, 31)], {}],
    ['by 170 degrees', [spin(0, 170, 30, 31)], {}],
    ['with 60 keys per second', [spin(0, 120, 60, 61), spin(1, 100, 60, 61)], {}],
    ['with 24 keys per second; one frame per second shows every third', [spin(0, 120, 24, 49)], {}],
    ['of rotations', [spin(0, 170, 60, 31)], { layout: 'qts16' }],
    ['of half floats', [spin(0, 170, 60, 31)], { dtype: 'f16' }],
])('a fast spin gets a rate with about the error of 240: %s', async (_, channels, options) => {
    const s = mover(...channels);
    const { clip, extent, inexact } = await auto(s, options);
    const limit = Math.max(0.01 * extent, 1.25 * (await offAt(s, 240, options)));
    expect(clip.error.maxLerp).toBeLessThanOrEqual(limit);
    expect(inexact).toHaveLength(clip.error.maxLerp > 0.01 * extent ? 1 : 0);
});

test('motion that no rate shows does not loosen the tolerance elsewhere', async () => {
    // A jump of 1 m in 0.1 ms, and a swing around it.
    const jump = channel(0, 'translation', 'LINEAR', [0, 1, 1.0001, 2], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1]);
    const { output, clip, extent, inexact } = await auto(mover(jump, spin(1, 30, 10, 21)));
    expect(inexact).toEqual([expect.stringMatching(/at \d+ frames per second, about as near as 240, .+ off by/)]);
    expect(clip.fps).toBeLessThan(60);
    // A clip of only the other half has the same rate or a lower one.
    const swing = await auto(mover(spin(1, 30, 10, 21)), { maxError: 0.01 * extent });
    expect(clip.fps).toBeGreaterThanOrEqual(swing.clip.fps!);
    expect(numbersOf(output, 'palette').some((z, i) => i % 32 === 14 && z === 1)).toBe(true);
});

test.each<[string, number[], number | undefined, number]>([
    ['at least 15 rows per second', [0, 1 / 30, 2], undefined, 15],
    ['the requested rate', [0, 1 / 30, 2], 24, 24],
    ['the required rate', [0, 1 / 30, 2], 0, 1],
    ['the rate of its keys', [0, 1 / 6, 2], undefined, 6],
    ['at least 15 if its keys are uneven', [0, 0.4, 2], undefined, 15],
])('a slow clip gets %s', async (_, times, minFps, expected) => {
    const s = mover(channel(0, 'translation', 'LINEAR', times, [0, 0, 0, 0, 0, 0, 0, 1e-6, 0]));
    expect((await auto(s, { minFps })).clip.fps).toBe(expected);
    expect((await offAt(s, expected)) < 1e-5).toBe(true);
});

test('motion shorter than an eighth of a frame is not lost', async () => {
    for (const at of [0.06, 0.31, 1.18]) {
        const times = [0, at - 0.05, at, at + 0.05, 2];
        const blink = channel(1, 'scale', 'LINEAR', times, [1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1]);
        const up = channel(1, 'translation', 'LINEAR', times, [1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0]);
        const { output, clip } = await auto(mover(blink, up));
        const heights = numbersOf(output, 'palette').filter((_, i) => i % 32 === 29);
        const played = (time: number) => {
            const row = Math.min(Math.floor(time * clip.fps!), clip.frameCount - 2);
            return heights[row]! + (heights[row + 1]! - heights[row]!) * (time * clip.fps! - row);
        };
        expect(played(at)).toBeGreaterThan(0.98);
    }
});

test('keys between the eighths of an interval stay within the tolerance', async () => {
    for (let seed = 1; seed <= 20; seed++) {
        const random = randomOf(seed);
        const times = Array.from({ length: 9 }, (_, i) => Math.fround(i / 4 + random() / 8));
        const x = times.map(() => random() / 8);
        const values = x.flatMap((at) => [1 + at, 0, 0]);
        const { output, clip, extent } = await auto(mover(channel(1, 'translation', 'LINEAR', times, values)));
        const places = numbersOf(output, 'palette').filter((_, i) => i % 32 === 28);
        for (const [i, time] of times.entries()) {
            const row = Math.min(Math.floor(time * clip.fps!), clip.frameCount - 2);
            const end = row + 2 === clip.frameCount ? clip.duration : (row + 1) / clip.fps!;
            const part = (time - row / clip.fps!) / (end - row / clip.fps!);
            const played = places[row]! + (places[row + 1]! - places[row]!) * part;
            expect(Math.abs(played - 1 - x[i]!)).toBeLessThan(0.01001 * extent);
        }
    }
});
