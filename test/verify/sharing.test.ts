// SPDX-License-Identifier: MIT

/** Skins that share a palette after a scale and a translation: right bakes pass, and each fault is found. */

import { type BakeOptions, bakeFile } from '../../lib/bake';
import type { ManifestRescaled } from '../../lib/format/manifest';
import { quantizedModel, ROUNDED } from '../support/quantized-model';
import { scratchFolder } from '../support/temporary-folder';
import { bakeAndVerify, complaints } from './full-bake';

const folder = scratchFolder();
const model = () => quantizedModel(folder(), 'parts', ROUNDED);

test.each<[string, BakeOptions]>([
    ['every array', { emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root', 'jointBounds'], root: 'keep' }],
    ['half floats in the space of the skin', { layout: 'mat3x4', dtype: 'f16', space: 'skin-root' }],
    ['qts16', { layout: 'qts16' }],
    ['in place', { root: 'in-place', emit: ['palette', 'bounds'] }],
    ['without a palette', { emit: ['local', 'bounds'] }],
    ['selected by another of the skins', { skin: 2 }],
])('right: %s', async (_, options) => {
    const path = model();
    const verdict = await bakeAndVerify(path, folder(), { fps: 12, ...options });
    expect(verdict).toMatchObject({ ok: true, problems: [] });
});

type Change = (rescaled: { -readonly [K in keyof ManifestRescaled]: ManifestRescaled[K] }) => void;

test.each<[string, string, Change]>([
    ['another scale', '/0/error', (one) => (one.scale *= 1.0001)],
    ['another translation', '/0/error', (one) => (one.translation = [0, 0, 0])],
    ['an error that is too small', '/0/error', (one) => (one.error /= 2)],
    ['an error that is too large', '/0/error', (one) => (one.error *= 1.1)],
    ['no scale', '/0', (one) => (one.scale = 0)],
    ['a missing skin', '/0', (one) => (one.skin = 9)],
    ['the first skin', '/0', (one) => (one.skin = 0)],
    ['a skin twice', '/1', (one) => (one.skin = 2)],
])('wrong: %s', async (_, pointer, change) => {
    const verdict = await bakeAndVerify(model(), folder(), { fps: 12 }, ({ skin }) => change(skin.rescaled[0]));
    expect(verdict.ok).toBe(false);
    expect(complaints(verdict)).toContain(`SKIN_DIFFERS /skin/rescaled${pointer}`);
});

test('extent, errors and boxes are those of the model before its quantization', async () => {
    const path = model();
    const [output] = (await bakeFile(path, { fps: 12 })).outputs;
    const whole = (await bakeFile(quantizedModel(folder(), 'whole', ROUNDED, { whole: true }), { fps: 12 })).outputs;
    const { extent, clips } = output!.manifest;
    expect(extent / whole[0]!.manifest.extent).toBeCloseTo(1, 6);
    expect(clips[0]!.error.maxLerp / whole[0]!.manifest.clips[0]!.error.maxLerp).toBeCloseTo(1, 4);
    expect(clips[0]!.bounds.map((side) => side.toFixed(5))).toEqual(
        whole[0]!.manifest.clips[0]!.bounds.map((side) => side.toFixed(5)),
    );
});
