// SPDX-License-Identifier: MIT

/** Advice of a bake: options that make its palettes smaller at the same error. */

import { type BakeOptions, bakeFile } from '../../lib/bake';
import { bakeChecked } from '../../lib/bake/bake-file';
import { forecastOf } from '../../lib/bake/forecast';
import { recipeOf } from '../../lib/bake/plan/options';
import { type Smaller, smallerThan } from '../../lib/bake/smaller';
import { readGltf } from '../../lib/gltf/read';
import { CHARACTER, describeModel, FOX, RIGGED_FIGURE, ROBOT } from '../support/models';

async function adviceFor(path: string, options: BakeOptions): Promise<readonly Smaller[]> {
    let found: readonly Smaller[] | undefined;
    await bakeChecked(path, recipeOf('test', options), {
        async onBaked(...baked) {
            found = await smallerThan(...baked);
        },
    });
    return found!;
}

async function sizeOf(path: string, options: BakeOptions): Promise<number> {
    const { outputs } = await bakeFile(path, options);
    return outputs.reduce((sum, { manifest }) => sum + manifest.arrays.palette!.byteLength, 0);
}

describeModel(ROBOT, () => {
    const { path } = ROBOT;

    test('qts16 instead of matrices, with at most the stated bytes', async () => {
        for (const [options, bound] of [
            [{}, '1%'],
            [{ maxError: '0.5%' }, '0.5%'],
            [{ maxError: 0.05, layout: 'mat3x4' }, '0.05'],
        ] as const) {
            const given = { ...options, clips: ['#0', '#1', '#2', '#3'] };
            const [advice, ...others] = await adviceFor(path, given);
            expect(others).toEqual([]);
            expect(advice).toMatchObject({ options: { layout: 'qts16' }, insteadOf: await sizeOf(path, given), bound });
            const real = await sizeOf(path, { ...given, layout: 'qts16' });
            expect(real).toBeLessThanOrEqual(advice!.byteLength);
            expect(real).toBeGreaterThan(0.5 * advice!.byteLength);
        }
    });

    test('a rate for each clip instead of one that is higher than needed', async () => {
        const [qts, auto] = await adviceFor(path, { fps: 120 });
        expect(qts!.options).toEqual({ fps: 'auto', layout: 'qts16' });
        expect(auto).toEqual({
            options: { fps: 'auto' },
            byteLength: await sizeOf(path, {}),
            insteadOf: await sizeOf(path, { fps: 120 }),
            bound: '1%',
        });
    });

    test('no advice for an error above 1% (which has a warning), without a palette, and for qts16', async () => {
        expect(await adviceFor(path, { fps: 24 })).toEqual([]);
        expect(await adviceFor(path, { emit: ['hit'] })).toEqual([]);
        expect(await adviceFor(path, { layout: 'qts16' })).toEqual([]);
    });
});

test('with columns of uneven scale, whose bytes are included', async () => {
    const [advice] = await adviceFor(CHARACTER.path, {});
    const rows = (await bakeFile(CHARACTER.path)).stats.frames;
    expect(advice).toMatchObject({ options: { layout: 'qts16' }, byteLength: rows * (34 * 16 + 3 * 8) });
});

describeModel(RIGGED_FIGURE, () => {
    test('no advice for a small bake', async () => {
        expect(await adviceFor(RIGGED_FIGURE.path, {})).toEqual([]);
    });
});

describeModel(FOX, () => {
    test('a forecast has the size of the bake with default options, and its advice', async () => {
        const scene = await readGltf(FOX.path, { rigid: true });
        const { outputs } = await bakeFile(FOX.path);
        const { clips, arrays } = outputs[0]!.manifest;
        const rates = clips.map(({ fps }) => fps!);
        expect(await forecastOf(scene, FOX.path)).toEqual({
            rows: arrays.palette!.shape[0],
            fps: [Math.min(...rates), Math.max(...rates)],
            byteLength: arrays.palette!.byteLength,
            smaller: await adviceFor(FOX.path, {}),
        });
    });

    test('no forecast for a file that cannot be baked', async () => {
        const scene = await readGltf(FOX.path, { rigid: true });
        expect(await forecastOf({ ...scene, animations: [] }, FOX.path)).toBeNull();
    });
});
