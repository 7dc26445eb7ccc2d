// SPDX-License-Identifier: MIT

/** The addon fits the keys of clips with the bits of the twin. It rejects arguments that could make it leave its lists. */

import { inputOfBytes } from '../../../lib/gltf/input';
import { readGltf } from '../../../lib/gltf/read';
import { allocate } from '../../../lib/reduce/fit/allocate';
import { nativeFitClip } from '../../../lib/reduce/fit/choose-fitter';
import { type Clip, gridOf, openClip } from '../../../lib/reduce/fit/clip';
import type { Fitter, FitterInput, Found } from '../../../lib/reduce/fit/fitter';
import { limitsOf, weigh } from '../../../lib/reduce/fit/limits';
import { type FitClip, NativeFitter } from '../../../lib/reduce/fit/native-fitter';
import { TwinFitter } from '../../../lib/reduce/fit/twin-fitter';
import { posesOf } from '../../../lib/reduce/model/choose-poses';
import { modelOf } from '../../../lib/reduce/model/model';
import { surveyOf } from '../../../lib/reduce/model/poses';
import { places } from '../../../lib/reduce/model/skeleton';
import { reduceRecipeOf } from '../../../lib/reduce/options';
import { compiledRigs } from '../../../lib/rig/compiled';
import { itNative, WASM } from '../../support/implementations';
import { random } from '../../support/random';
import { randomRig } from '../rigs';

interface Case {
    open(): Clip;
    readonly bound: number;
    readonly quantize: boolean;
}

const ERRORS = ['20%', '1%', '0.1%', '0.01%', 1e-5];

/** The clips of a random rig. Some bounds are so small that all keys stay. */
async function casesOf(seed: number): Promise<Case[]> {
    const next = random(seed);
    const rig = randomRig(next, { offUnit: [0, 0.005, 0.01][seed % 3]! });
    const input = inputOfBytes('rig.glb', rig.builder.toGlb());
    const scene = await readGltf('rig.glb', { surfaces: 'positions', rigid: true, looseClips: true }, input);
    const recipe = reduceRecipeOf('test', { maxError: ERRORS[seed % ERRORS.length]! });
    const model = modelOf(scene, recipe);
    return scene.animations.flatMap(({ channels }) => {
        const placing = channels.filter(places);
        const times = gridOf(placing);
        if (times.length === 0) return [];
        const eachPose = posesOf(model, placing);
        const limits = limitsOf(model, times, eachPose, surveyOf(model, placing, times, eachPose));
        const open = () => {
            const clip = openClip(model, placing, times, seed % 5 === 0, seed % 2 === 0, new Set());
            weigh(clip, limits, 0.95);
            return clip;
        };
        return [{ open, bound: model.maxError, quantize: seed % 4 !== 1 }];
    });
}

function fitted({ open, bound, quantize }: Case, make: (input: FitterInput) => Fitter) {
    let earlier: Found | undefined;
    const attempts = [];
    for (const share of [1, 0.6]) {
        const clip = open();
        const fitter = make({ clip, bound: bound * share, quantize, earlier });
        const run = (steps: Iterator<void>) => {
            while (!steps.next().done);
        };
        fitter.setConstants();
        run(allocate(fitter));
        run(fitter.polish());
        run(fitter.coarsen());
        fitter.end();
        const { tolerances, levers } = fitter;
        earlier = { tolerances: tolerances.slice(), levers };
        attempts.push({
            keys: clip.tracks.map(({ knots, values, step }) => ({ knots, values, step })),
            tolerances: earlier.tolerances,
            locals: clip.allLocals,
        });
    }
    return attempts;
}

itNative('every instruction set gives the bits of the twin', async () => {
    const available = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);
    expect([...nativeFitClip.keys()]).toEqual(available.filter((name) => name !== WASM));
    const cases = (await Promise.all(Array.from({ length: 24 }, (_, seed) => casesOf(seed)))).flat();
    const tracks = cases.map((one) => {
        const expected = fitted(one, (input) => new TwinFitter(input));
        for (const native of nativeFitClip.values())
            expect(fitted(one, (input) => new NativeFitter(input, native))).toEqual(expected);
        return expected[0]!.keys;
    });
    const steps = tracks.flat().map(({ step }) => step);
    // Kept keys, coarse and fine steps, and tracks with one key and with many.
    const found = {
        kept: tracks.flat().some(({ knots, step }) => step === 0 && knots.length > 1),
        bytes: steps.includes(1 / 127),
        fine: steps.some((step) => step > 0 && step < 1 / 32767),
        single: tracks.flat().some(({ knots }) => knots.length === 1),
        many: tracks.flat().some(({ knots }) => knots.length > 10),
    };
    expect(found).toEqual({ kept: true, bytes: true, fine: true, single: true, many: true });
});

itNative('the addon refuses lists that are too short and indices out of bounds, and writes nothing', async () => {
    const [one] = await casesOf(3);
    const calls: unknown[][] = [];
    const [, native] = [...nativeFitClip][0]!;
    const noting: FitClip = (...args) => {
        calls.push([...args]);
        return native(...args);
    };
    fitted(one!, (input) => new NativeFitter(input, noting));
    const args = calls.at(-1)!;
    // Not all points are in use. The same goes for own keys and the list.
    const lists = args.flatMap((arg, i) => (ArrayBuffer.isView(arg) && ![4, 10, 25, 27].includes(i) ? [i] : []));
    expect(lists.length).toBe(20);
    const before = args.map((arg) => (ArrayBuffer.isView(arg) ? (arg as Float64Array).slice() : arg));
    const changed = (i: number, at: number, value: number) =>
        (args[i] as Int32Array).map((x, place) => (place === at ? value : x));
    const bad: [number, unknown][] = [
        ...lists.flatMap((i): [number, unknown][] => {
            const good = args[i] as Float64Array;
            // The numbers of times, samples, nodes and tracks are those of these lists.
            const shorter = [5, 6, 22, 24].includes(i) ? [] : [good.subarray(1)];
            return [...shorter, new Float32Array(good), [...good], null].map((x) => [i, x]);
        }),
        ...[-1, 11, 0.5, '1', undefined].map((x): [number, unknown] => [0, x]),
        ...[-1, 1e6, 0.5].map((x): [number, unknown] => [2, x]),
        [3, undefined],
        [4, new Float64Array(4)],
        // Parents, points, nodes, places, counts, own keys, targets, knots, tracks.
        [22, changed(22, 0, 0)],
        [22, changed(22, 0, -2)],
        [23, changed(23, 1, 2 ** 30)],
        ...[
            [0, -1],
            [0, 2 ** 30],
            [1, 1],
            [3, 0],
            [3, 2 ** 30],
            [5, 2 ** 30],
            [6, -1],
            [6, 2 ** 30],
        ].map(([at, value]): [number, unknown] => [24, changed(24, at!, value!)]),
        [26, changed(26, 0, -1)],
        [26, changed(26, 0, 2 ** 30)],
        [27, changed(27, 0, -1)],
        [27, changed(27, 0, 2 ** 30)],
    ];
    for (const each of nativeFitClip.values()) {
        for (const [i, value] of bad)
            expect([i, value, each(...args.with(i, value as never))]).toEqual([i, value, false]);
        expect(each()).toBe(false);
    }
    for (const i of lists) expect(args[i]).toEqual(before[i]);
});
