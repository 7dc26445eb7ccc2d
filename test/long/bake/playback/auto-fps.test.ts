// SPDX-License-Identifier: MIT

import type { BakeOptions } from '../../../../lib/bake';
import { bakeScene, selectionOf } from '../../../../lib/bake/bake';
import { frameTimesOf } from '../../../../lib/bake/plan/frames';
import { recipeOf } from '../../../../lib/bake/plan/options';
import { longestClip, type PlannedClip, planBake } from '../../../../lib/bake/plan/plan';
import { modelOfCharacter } from '../../../../lib/bake/rows/skin-model';
import { readGltf } from '../../../../lib/gltf/read';
import type { GltfScene } from '../../../../lib/gltf/scene';
import { squaredDistance } from '../../../../lib/rig/measure/displacement';
import { BakedTable } from '../../../../lib/table';
import { creature } from '../../../bake/baked-scenes';
import { channel, node, scene, skin } from '../../../rig/scenes';
import { CHARACTER, describeModel, FOX, KNIGHT, type Model } from '../../../support/models';
import { random as randomOf } from '../../../support/random';

const HAND = [node(-1), node(0, { name: 'hand', translation: [0, 1, 0] }), node(1, { translation: [1, 0, 0] })];

/** The rate of a bake with one clip. */
const rateOf = async (s: GltfScene, options: BakeOptions) => {
    const { outputs } = await bakeScene(s, { fps: 'auto', minFps: 0, ...options });
    const [rate, ...others] = new Set(outputs.map(({ manifest }) => manifest.recipe.fps[0]));
    expect(others).toEqual([]);
    for (const { manifest } of outputs) expect(manifest.clips.map((clip) => clip.rate)).toEqual([undefined]);
    return rate!;
};

/** The error of the only clip of a bake. */
const offAt = async (s: GltfScene, options: BakeOptions) =>
    (await bakeScene(s, options)).outputs[0]!.manifest.clips[0]!.error.maxLerp;

/** Whether the error of a corner of a joint's box is larger at an eighth of an interval between rows, or at a key. */
function isOffBetween(s: GltfScene, fps: number, clip: string, allowed: number): boolean {
    const selection = selectionOf(s, 'test', recipeOf('test', { fps, clips: [clip] }));
    const plan = planBake(selection, [fps, 1]);
    const model = modelOfCharacter(plan, plan.characters[0]!, longestClip(plan));
    const [{ animation, timeline }] = plan.clips as [PlannedClip];
    const times = frameTimesOf(timeline);
    const keys = s.animations[animation]!.channels.flatMap((one) => [...one.times]);
    const at = (time: number) => {
        const row = new Float32Array(model.rowFloats);
        model.evaluate(animation, Float64Array.of(time), row);
        return row;
    };
    return [...times].slice(1).some((to, frame) => {
        const from = times[frame]!;
        const [a, b] = [at(from), at(to)];
        const eighths = [1, 2, 3, 4, 5, 6, 7].map((k) => from + (k / 8) * (to - from));
        return [...eighths, ...new Set(keys.filter((key) => key > from && key < to))].some((time) => {
            const shown = a.map((value, i) => value + (b[i]! - value) * ((time - from) / (to - from)));
            return squaredDistance(model.jointBoxes, shown, at(time)) > allowed * allowed;
        });
    });
}

const moves = (name: string, times: number[], x: number[]) => {
    const values = x.flatMap((at) => [at, 0, 0]);
    return { name, channels: [channel(0, 'translation', 'LINEAR', times, values)] };
};
const CALM = moves('calm', [0, 1], [0, 1]);
const hand = (...clips: GltfScene['animations'][number][]) => scene(HAND, [skin([0, 1, 2])], clips);

/** Whether every clip of every skin is within the error at this rate. */
async function holds(s: GltfScene, fps: number, options: BakeOptions, allowed: number): Promise<boolean> {
    const { outputs } = await bakeScene(s, { ...options, fps });
    return outputs.every(({ manifest }) => manifest.clips.every(({ error }) => error.maxLerp <= allowed));
}

test.each<[string, GltfScene, number, BakeOptions]>([
    ['a creature', creature(1), 0.05, { clips: ['walk'] }],
    ['another, with a part of its clips', creature(2), 0.02, { clips: ['walk'], from: 0.3, to: 0.6 }],
    ['fitted', creature(3), 0.05, { clips: ['walk'], end: 'fit' }],
    ['half floats', creature(4), 0.05, { clips: ['walk'], dtype: 'f16' }],
])('the lowest rate that holds: %s', async (_, s, maxError, options) => {
    const found = await rateOf(s, { ...options, maxError });
    expect(found).toBeGreaterThan(1);
    // At a given rate only half floats take maxError.
    const other = options.dtype === 'f16' ? { ...options, maxError } : options;
    expect(await holds(s, found, other, maxError)).toBe(true);
    for (let fps = 1; fps < found; fps++) expect([fps, await holds(s, fps, other, maxError)]).toEqual([fps, false]);
});

test('straight motion needs one frame a second, and clips of no duration none', async () => {
    const nodes = [node(-1), node(0, { translation: [0, 1, 0] })];
    for (const clip of [moves('straight', [0, 4], [0, 7]), moves('still', [0], [0])]) {
        expect(await rateOf(scene(nodes, [skin([0, 1])], [clip]), {})).toBe(1);
    }
});

test('each clip has the rate of a bake of only this clip, and frames at this rate', async () => {
    const turn = (name: string, seconds: number) => ({
        name,
        channels: [channel(1, 'rotation', 'LINEAR', [0, seconds], [0, 0, 0, 1, 0, 0, 1, 0])],
    });
    const s = hand(turn('slow', 2), CALM, turn('quick', 0.37));
    const alone = await Promise.all(['slow', 'calm', 'quick'].map((clip) => rateOf(s, { clips: [clip] })));
    expect(alone[1]).toBe(1);
    expect(alone[0]).toBeGreaterThan(1);
    expect(alone[2]).toBeGreaterThan(alone[0]!);
    const { outputs, warnings } = await bakeScene(s, { fps: 'auto' });
    const { clips, recipe } = outputs[0]!.manifest;
    expect(warnings).toEqual([]);
    expect(recipe.fps).toEqual([alone[2], 1]);
    expect(clips.map(({ rate }) => rate)).toEqual([[alone[0], 1], [1, 1], undefined]);
    expect(clips.map(({ fps }) => fps)).toEqual(alone);
    // A bake of only this clip has the same rows, and the reader has the baker's times.
    const table = BakedTable.open(JSON.parse(outputs[0]!.json), outputs[0]!.bin);
    for (const [i, { firstRow, frameCount, name }] of clips.entries()) {
        const { bin } = (await bakeScene(s, { fps: alone[i]!, clips: [name] })).outputs[0]!;
        expect(outputs[0]!.bin.subarray(firstRow * 192, (firstRow + frameCount) * 192)).toEqual(bin.subarray(0));
        for (let frame = 0; frame < frameCount - 1; frame++) {
            expect(table.frameTime(i, frame)).toBe(Math.fround(frame / alone[i]!));
        }
    }
});

test('jumps in every interval do not lower the rate', async () => {
    const blink = channel(2, 'scale', 'STEP', [0, 0.6, 1.2], [1, 1, 1, 1, 0, 1, 1, 1, 1]);
    const turn = channel(1, 'rotation', 'LINEAR', [0, 2], [0, 0, 0, 1, 0, 0, 1, 0]);
    const [smooth, jumpy] = [[turn], [turn, blink]].map((channels) => rateOf(hand({ name: '', channels }), {}));
    expect(await jumpy!).toBeGreaterThan((await smooth!) / 2);
});

test('one rate for all skins: the highest that any of them needs', async () => {
    const s = creature(1);
    const slow = { ...s.skins[0]!, joints: [8], inverseBindMatrices: s.skins[0]!.inverseBindMatrices.slice(0, 16) };
    const two = { ...s, skins: [s.skins[0]!, slow] };
    const options = { clips: ['walk'], maxError: 0.05 };
    expect(await rateOf(two, { ...options, skin: 1 })).toBe(1);
    expect(await rateOf(two, options)).toBe(await rateOf(s, options));
});

/** A new turn of up to half a turn about z every `seconds`, which rows cannot follow. */
function restless(keys: number, seconds: number) {
    const random = randomOf(1);
    const times = Array.from({ length: keys }, (_, i) => (i + random() / 2) * seconds);
    const turns = times.flatMap(() => {
        const [x, y] = [random(), random() - 0.5];
        const length = Math.sqrt(x * x + y * y);
        return [0, 0, y / length, x / length];
    });
    return channel(1, 'rotation', 'LINEAR', times, turns);
}

const LEAP = { name: 'leap', channels: [restless(120, 0.0123)] };

test('if no rate suffices, the error names the clip, the joint, the time and its error', async () => {
    const s = hand(CALM, LEAP);
    const { clips, extent } = (await bakeScene(s, { fps: 240 })).outputs[0]!.manifest;
    const error = await bakeScene(s, { fps: 'auto', maxError: 1e-3 * extent }).catch((caught) => caught);
    expect(error).toMatchObject({ name: 'ToleranceError', code: 'ERR_TOLERANCE' });
    const found =
        /clip #1 'leap': at 240 frames per second, the most that 'auto' tries, joint (\d) '(.*)' \(node (\d)\) is off by ([\d.]+) at ([\d.]+) s, more than the ([\d.]+) of maxError: allow more, or choose a rate \(.+ is 0\.1% of the model's extent of [\d.]+ units; 1% is [\d.]+\)$/.exec(
            error.message,
        );
    expect(found).not.toBeNull();
    const [joint, name, node_, off, time, allowed] = found!.slice(1);
    const { maxLerp } = clips[1]!.error;
    // Six digits. The keys between eighths of an interval are judged, too.
    expect(allowed).toBe(String(Number((1e-3 * extent).toPrecision(6))));
    expect([0.999, 1.001].map((part) => isOffBetween(s, 240, 'leap', part * Number(off)))).toEqual([true, false]);
    // The box of the origins is the same for all joints; turning joints have the max error.
    expect([joint, name, node_]).toEqual(joint === '1' ? ['1', 'hand', '1'] : ['2', '', '2']);
    // Only the interval that the warning names has this error.
    const part = (from: number, to: number) => offAt(s, { fps: 240, from, to, clips: ['leap'] });
    const frame = Math.round(Number(time) * 240);
    expect(time).toBe(String(Number((frame / 240).toPrecision(6))));
    expect(await part(frame / 240, (frame + 1) / 240)).toBeGreaterThan(0.9 * Number(off));
    expect(await part(0, frame / 240)).toBeLessThanOrEqual(maxLerp);
});

test('reports that the error of half floats is already larger', async () => {
    const far = scene([node(-1)], [skin([0])], [moves('far', [0, 1], [2049, 2051])]);
    await expect(bakeScene(far, { fps: 'auto', dtype: 'f16', maxError: 0.5 })).rejects.toMatchObject({
        name: 'ToleranceError',
        message: expect.stringMatching(
            /clip #0 'far': half floats are off by 1, more than the 0.5 of maxError: use f32 \(.+\)$/,
        ),
    });
});

test('jumps do not raise the rate; the manifest lists them', async () => {
    const random = randomOf(1);
    const times = Array.from({ length: 80 }, (_, i) => i * 1.5 + random() / 2);
    const values = times.flatMap((_, i) => [i % 2, 0, 0]);
    const jumps = channel(0, 'translation', 'STEP', times, values);
    const s = hand({ name: 'leap', channels: [jumps] });
    const { clips, recipe } = (await bakeScene(s, { fps: 'auto' })).outputs[0]!.manifest;
    expect(recipe.fps).toEqual([1, 1]);
    expect(clips[0]!.error.maxLerp).toBe(0);
    expect(clips[0]!.error.maxLate).toBeGreaterThan(0.9);
});

test('an abort while looking for the rate ends the bake', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 60);
    // Nine hours of slow turns, and a minute that no rate can follow.
    const turns = channel(0, 'rotation', 'LINEAR', [0, 30_000], [0, 0, 0, 1, 0, 0, 1, 0]);
    const s = hand({ name: '', channels: [turns] }, { name: '', channels: [restless(20_000, 0.003)] });
    await expect(bakeScene(s, { fps: 'auto', maxError: 1e-9 }, { signal: controller.signal })).rejects.toBe(reason);
});

test('too many rows are rejected during the search, and not allocated', async () => {
    const seconds = 2 ** 29;
    const s = scene([node(-1)], [skin([0])], [moves('slow', [0, seconds], [0, 7])]);
    await expect(bakeScene(s, { fps: 'auto', maxError: 1 })).rejects.toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
    await expect(bakeScene(creature(1), { fps: 'auto', maxError: 0.05, maxRows: 20 })).rejects.toMatchObject({
        code: 'OUTPUT_TOO_LARGE',
    });
});

describe.each<[Model, number]>([
    [CHARACTER, 36],
    [FOX, 39],
    [KNIGHT, 60],
])('', (model, highest) => {
    describeModel(model, () => {
        test('rates are found with the default error, and no lower whole one suffices', async () => {
            const s = await readGltf(model.path);
            const { outputs, warnings } = await bakeScene(s, { minFps: 0 });
            const { clips, extent, recipe } = outputs[0]!.manifest;
            expect(warnings.filter(({ code }) => code === 'AUTO_FPS_INEXACT')).toEqual([]);
            expect(recipe.fps).toEqual([highest, 1]);
            // Clips with jumps are checked more strictly than by the manifest's errors, which can be small at lower rates.
            const smooth = clips.filter(({ discontinuities }) => discontinuities.length === 0);
            expect(smooth.length).toBeGreaterThan(0);
            for (const { error } of clips) expect(error.maxLerp).toBeLessThanOrEqual(0.01 * extent);
            for (const { fps, animation } of smooth.slice(0, 5)) {
                if (fps !== null) expect(isOffBetween(s, fps, `#${animation}`, 0.010001 * extent)).toBe(false);
            }
            for (const { fps, animation } of smooth.slice(0, 5)) {
                for (let lower = 1; lower < (fps ?? 0); lower++) {
                    const off = isOffBetween(s, lower, `#${animation}`, 0.01 * extent);
                    expect([lower, off]).toEqual([lower, true]);
                }
            }
        });
    });
});

test('a clip that no rate suffices for: about as near as 240, with a warning', async () => {
    const jerk = moves('jerk', [0, 0.5, 0.5001, 1], [0, 0, 0.2, 0.2]);
    const s = hand(CALM, jerk, LEAP);
    const { outputs, warnings } = await bakeScene(s, { fps: 'auto' });
    const { clips, extent, warnings: warned } = outputs[0]!.manifest;
    expect(clips[0]!.fps).toBe(1);
    for (const [clip, name] of [
        [clips[1]!, 'jerk'],
        [clips[2]!, 'leap'],
    ] as const) {
        const offOf = (fps: number) => offAt(s, { fps, clips: [name] });
        const near = 1.25 * (await offOf(240));
        expect(near).toBeGreaterThan(0.01 * extent);
        expect(clip.error.maxLerp).toBeLessThanOrEqual(near);
    }
    // The slow parts of the first clip are within the tolerance at any rate. The second clip has no slow parts.
    expect(clips[1]!.fps).toBeLessThan(60);
    expect(clips[2]!.fps).toBeGreaterThan(200);
    const inexact = warnings.filter(({ code }) => code === 'AUTO_FPS_INEXACT');
    expect(warned.filter(({ code }) => code === 'AUTO_FPS_INEXACT')).toEqual(inexact);
    expect(inexact.map(({ pointer }) => pointer)).toEqual(['/animations/1', '/animations/2']);
    const at = String.raw`joint \d '.*' \(node \d\) is off by [\d.]+ at [\d.]+ s; slow the clip down, or leave it out \(clips\)$`;
    const near = `no rate up to 240 keeps within [\\d.]+, 1% of the extent: at \\d+ frames per second, about as near as 240, ${at}`;
    expect(inexact[0]!.message).toMatch(new RegExp(`^clip #1 'jerk': ${near}`));
    expect(inexact[1]!.message).toMatch(new RegExp(`^clip #2 'leap': ${near.replace(', about as near as 240,', '')}`));
    await expect(bakeScene(s, { fps: 'auto', strict: true })).rejects.toMatchObject({ code: 'AUTO_FPS_INEXACT' });
});

test('progress has the tried rates from low to high, before there are frames to count', async () => {
    // Each reading of this clock is long after the previous one.
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
        now += 100;
        return now;
    });
    try {
        const seen: [string, number][] = [];
        const { outputs } = await bakeScene(
            creature(1),
            { fps: 'auto', minFps: 0, maxError: 0.05, clips: ['walk'] },
            { onTrial: (rate) => seen.push(['trial', rate]), onProgress: (done) => seen.push(['frames', done]) },
        );
        const found = outputs[0]!.manifest.recipe.fps[0];
        const trials = seen.filter(([what]) => what === 'trial');
        expect(found).toBeGreaterThan(1);
        expect(trials).toEqual(Array.from({ length: found }, (_, i) => ['trial', i + 1]));
        expect(seen.slice(0, found)).toEqual(trials);
        expect(seen.length).toBeGreaterThan(found);
    } finally {
        clock.mockRestore();
    }
});
