// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type BakeOptions, type BakeOutput, bakeFile, writeBake } from '../../../lib/bake';
import { recipeOf } from '../../../lib/bake/plan/options';
import { collectReport, type OutputToReport } from '../../../lib/report/collect';
import type { ReportErrors } from '../../../lib/report/data';
import { bakeModel, openModel } from '../../../lib/report/model';
import { BakedTable } from '../../../lib/table';
import { verifyBake } from '../../../lib/verify';
import { smallGltf } from '../../cli/small-gltf';
import {
    CHARACTER,
    describeModel,
    FOX,
    INTERPOLATION_TEST,
    KNIGHT,
    type Model,
    RIGGED_FIGURE,
    ROBOT,
    SIMPLE_SKIN,
} from '../../support/models';
import { fileOf } from '../../support/split-file';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

async function report(path: string, outputs: readonly OutputToReport[], withoutRates = true) {
    const model = await openModel(path);
    const bakes = [{ label: 'baked', outputs }];
    return collectReport({ poselane: '1.2.3', title: 'title', model, bakes }, { withoutRates });
}

async function errorsOf(path: string, output: OutputToReport): Promise<readonly ReportErrors[]> {
    return (await report(path, [output])).data.bakes[0]!.outputs[0]!.errors;
}

const maxOf = (series: readonly number[]) => series.reduce((a, b) => Math.max(a, b), 0);

/** The bake with other bytes, and a manifest that agrees with them. */
function tampered({ stem, json, bin }: BakeOutput, change: (floats: Float32Array) => void): OutputToReport {
    const bytes = bin.slice();
    change(new Float32Array(bytes.buffer));
    const manifest = JSON.parse(json);
    manifest.binary.sha256 = createHash('sha256').update(bytes).digest('hex');
    return { stem, json: JSON.stringify(manifest), bin: bytes };
}

describe('the series of each clip', () => {
    const cases: [Model, BakeOptions[]][] = [
        [
            CHARACTER,
            [
                {},
                { fps: 'auto' },
                { fps: '29.97', layout: 'mat3x4', dtype: 'f16', emit: ['palette', 'bounds'], maxError: 0.01 },
                {
                    fps: 60,
                    from: 0.21,
                    to: 0.93,
                    end: 'fit',
                    space: 'skin-root',
                    clips: ['#2', '#0'],
                    renormalize: true,
                },
                { fps: 24, emit: ['hit'] },
                { fps: 30, root: 'in-place', rootJoint: 'Hips', rootMotion: 'xyz+rotation' },
                { fps: 30, root: 'extract' },
                { fps: 30, root: 'keep', emit: ['palette', 'root'] },
            ],
        ],
        [FOX, [{}, { fps: 40, layout: 'qts16', emit: ['palette', 'jointBounds'], maxError: 1 }]],
        [ROBOT, [{ emit: ['palette', 'morph'] }, { attachments: 'none', fps: 13 }]],
        [KNIGHT, [{ clips: ['#1', '#70'], fps: 60 }]],
        [INTERPOLATION_TEST, [{}]],
        [RIGGED_FIGURE, [{ fps: 7 }]],
        [SIMPLE_SKIN, [{}]],
    ];
    for (const [model, recipes] of cases) {
        describeModel(model, () => {
            test.each(recipes)(
                '%j: one interval for each two frames, and their max is that of the manifest',
                async (options) => {
                    const [output] = (await bakeFile(model.path, options)).outputs;
                    const errors = await errorsOf(model.path, output!);
                    const { clips } = output!.manifest;
                    expect(clips.length).toBeGreaterThan(0);
                    const lengths = clips.map(({ frameCount }) => frameCount - 1);
                    for (const [series, max] of [['lerp', 'maxLerp'] as const, ['nearest', 'maxNearest'] as const]) {
                        const all = errors.map((one) => one[series]);
                        expect(all.map(({ length }) => length)).toEqual(lengths);
                        expect(all.map(maxOf).map(Math.fround)).toEqual(clips.map(({ error }) => error[max]));
                    }
                    const { extent } = output!.manifest;
                    expect(errors.map(({ seam }) => seam <= 1e-4 * extent)).toEqual(clips.map(({ loop }) => loop));
                },
            );
        });
    }

    test('the max error is at the place that the verifier finds with other code', async () => {
        const { outputs } = await bakeFile(CHARACTER.path, { fps: 30 });
        const [written] = await writeBake(outputs, folder());
        const { clips } = await verifyBake(CHARACTER.path, written!.json);
        const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
        const errors = await errorsOf(CHARACTER.path, outputs[0]!);
        expect(clips).toHaveLength(3);
        for (const [clip, { playback }] of clips.entries()) {
            const { lerp } = errors[clip]!;
            expect(table.frameTime(clip, lerp.indexOf(maxOf(lerp)))).toBe(playback!.time);
            expect(Math.abs(maxOf(lerp) - playback!.error)).toBeLessThan(1e-3 * playback!.error);
        }
    });

    test('a changed row has the error of the change, only in the two intervals beside it', async () => {
        const [output] = (await bakeFile(CHARACTER.path)).outputs;
        const [before] = [await errorsOf(CHARACTER.path, output!)];
        const { shape } = output!.manifest.arrays.palette!;
        const row = output!.manifest.clips[1]!.firstRow + 5;
        const other = tampered(output!, (floats) => {
            for (let joint = 0; joint < shape[1]!; joint++) floats[(row * shape[1]! + joint) * 16 + 13]! += 10;
        });
        const after = await errorsOf(CHARACTER.path, other);
        expect(before[1]!.lerp[5]).toBeLessThan(1);
        for (const interval of [4, 5]) {
            expect(after[1]!.lerp[interval]).toBeCloseTo(10, 3);
            expect(after[1]!.nearest[interval]).toBeGreaterThan(9);
        }
        const others = (errors: readonly ReportErrors[]) =>
            errors.map(({ lerp, nearest }, clip) =>
                [lerp, nearest].map((series) => series.filter((_, i) => clip !== 1 || (i !== 4 && i !== 5))),
            );
        expect(others(after)).toEqual(others(before));
    });

    test('the seam is the distance of the first and last row; NaN has the max error', async () => {
        const [output] = (await bakeFile(CHARACTER.path)).outputs;
        const { clips, arrays } = output!.manifest;
        const columns = arrays.palette!.shape[1]!;
        const end = (clips[0]!.firstRow + clips[0]!.frameCount) * columns * 16;
        const moved = tampered(output!, (floats) => {
            for (let at = end - columns * 16; at < end; at += 16) floats[at + 12]! += 3;
        });
        expect(clips[0]!.loop).toBe(true);
        expect((await errorsOf(CHARACTER.path, moved))[0]!.seam).toBeCloseTo(3, 3);
        const broken = tampered(output!, (floats) => floats.fill(NaN, 0, 16));
        const [{ lerp, seam }] = (await errorsOf(CHARACTER.path, broken)) as [ReportErrors];
        expect([lerp[0], seam]).toEqual([3.4028234e38, 3.4028234e38]);
        expect(lerp[1]).toBeLessThan(1);
    });

    test('another model’s bake has none; a bake with a false claim to be this model’s is rejected', async () => {
        const path = fileOf(folder(), 'small.gltf', smallGltf());
        const [output] = (await bakeFile(path)).outputs;
        const { data } = await report(CHARACTER.path, [output!], false);
        expect(data.bakes[0]!.outputs[0]).toMatchObject({ json: output!.json, errors: [] });
        expect(data.rates).toEqual([]);
        const claims = (change: (manifest: ReturnType<typeof JSON.parse>) => void) => {
            const manifest = JSON.parse(output!.json);
            change(manifest);
            return errorsOf(path, { ...output!, json: JSON.stringify(manifest) });
        };
        const invalid = (pointer: string) => ({ code: 'BAKE_INVALID', file: 'baked', pointer });
        const otherRate = claims((manifest) => (manifest.recipe.fps = [7, 1]));
        await expect(otherRate).rejects.toMatchObject(invalid('/clips/0/frameCount'));
        const otherClip = claims((manifest) => (manifest.clips[0].animation = 9));
        await expect(otherClip).rejects.toMatchObject(invalid('/clips/0/animation'));
    });
});

describe('files', () => {
    test('a glTF’s files once for each of their URIs; missing files are left out', async () => {
        const json = JSON.parse(smallGltf());
        const bytes = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
        fileOf(folder(), 'a buffer.bin', bytes);
        fileOf(folder(), 'skin.png', 'image');
        json.buffers = ['a%20buffer.bin', './a buffer.bin'].map((uri) => ({ uri, byteLength: bytes.length }));
        const images = ['skin.png', 'gone.png', 'data:image/png;base64,AAAA', '../out.png'];
        json.images = images.map((uri) => ({ uri }));
        const path = fileOf(folder(), 'external.gltf', JSON.stringify(json));
        const { outputs } = await bakeModel(await openModel(path), recipeOf('test', {}));
        const { data, blobs } = await report(path, outputs);
        const uris = ['external.gltf', 'a%20buffer.bin', './a buffer.bin', 'skin.png'];
        expect(data.files).toEqual([0, 1, 1, 2].map((blob, i) => ({ uri: uris[i], blob })));
        const expected = [readFileSync(path), bytes, Buffer.from('image'), Buffer.from(outputs[0]!.bin)];
        expect(blobs.map((blob) => Buffer.from(blob))).toEqual(expected);
        expect(data.modelBytes).toBe(readFileSync(path).length + bytes.length + 5);
        expect(data.sha256).toBe(outputs[0]!.manifest.source.sha256);
    });

    test('bytes of each bin, and after gzip', async () => {
        const { outputs } = await bakeFile(CHARACTER.path);
        const { data, blobs } = await report(CHARACTER.path, outputs);
        const [{ bin, bytes, gzipBytes, stem }] = data.bakes[0]!.outputs as [(typeof data.bakes)[0]['outputs'][0]];
        expect([stem, bytes, blobs[bin]!.length]).toEqual(['character', outputs[0]!.bin.length, bytes]);
        expect(gzipBytes).toBe(gzipSync(outputs[0]!.bin).length);
        expect(gzipBytes).toBeLessThan(bytes);
    });

    test('without a model: only bakes', async () => {
        const { outputs } = await bakeFile(CHARACTER.path);
        const bakes = ['a', 'b'].map((label) => ({ label, outputs }));
        const { data, blobs } = await collectReport({ poselane: '1', title: 't', model: null, bakes });
        expect(data).toMatchObject({ files: [], sha256: null, modelBytes: 0, rates: [] });
        expect(data.bakes.map(({ label, outputs }) => [label, outputs[0]!.bin, outputs[0]!.errors])).toEqual([
            ['a', 0, []],
            ['b', 0, []],
        ]);
        expect(blobs).toHaveLength(1);
    });
});

describe('rates', () => {
    test('equal bakes at these rates', async () => {
        const options: BakeOptions = { clips: ['#1', '#2'], layout: 'mat3x4', fps: 50 };
        const { outputs } = await bakeFile(CHARACTER.path, options);
        const { rates } = (await report(CHARACTER.path, outputs, false)).data;
        expect(rates.map(({ label }) => label)).toEqual(['24', '30', '60', 'keys', 'auto']);
        for (const { label, ...rate } of rates) {
            const { stats, outputs } = await bakeFile(CHARACTER.path, { ...options, fps: label });
            const [{ manifest }] = outputs as [BakeOutput];
            expect(rate).toEqual({
                rows: stats.frames,
                bytes: manifest.arrays.palette!.byteLength,
                maxLerp: Math.max(...manifest.clips.map(({ error }) => error.maxLerp)),
                maxLerpShare: Math.max(...manifest.clips.map(({ error }) => error.maxLerpShare)),
            });
        }
    });

    test('of several skins together; of one of them, its own', async () => {
        const path = fileOf(folder(), 'skins.gltf', smallGltf({ skins: 2 }));
        const { outputs } = await bakeFile(path);
        expect(outputs).toHaveLength(2);
        const both = (await report(path, outputs, false)).data.rates;
        const one = (await report(path, outputs.slice(1), false)).data.rates;
        expect(both.map(({ label }) => label)).toEqual(one.map(({ label }) => label));
        expect(both.map(({ bytes }) => bytes)).toEqual(one.map(({ bytes }) => bytes * 2));
    });

    test.each([
        [12_000, ['24', '30', '60', 'keys']],
        [40_000, []],
    ])('of a clip of %d s only those that take seconds: %j', async (duration, labels) => {
        const path = fileOf(folder(), 'long.gltf', smallGltf({ clips: ['Long'], duration }));
        const { outputs } = await bakeFile(path, { fps: 1 });
        const { rates } = (await report(path, outputs, false)).data;
        expect(rates.map(({ label }) => label)).toEqual(labels);
    });
});

test('a signal ends it', async () => {
    const model = await openModel(CHARACTER.path);
    const { outputs } = await bakeModel(model, recipeOf('test', {}));
    const reason = new Error('enough');
    const subject = { poselane: '1', title: 't', model, bakes: [{ label: 'baked', outputs }] };
    await expect(collectReport(subject, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
