// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeRigs } from '../../lib/rig/native';
import { BACKENDS, type Backend, bakeFileOn, palettesOf, withoutAddon } from '../support/baked';
import { CHARACTER, describeModel, FOX, KNIGHT, RIGGED_FIGURE, SIMPLE_SKIN } from '../support/models';

/** What the example has been baked to since `strict@1`. Other bytes are another kernel, and need a new name. */
const { fps: FPS, ...GOLDEN } = JSON.parse(readFileSync(join(__dirname, '../golden/character.json'), 'utf8'));

/** Of its manifest, figures and all; as keys are added to the format, this changes. */
const GOLDEN_MANIFEST = '67ea7dfbfa34054ffda253d516e3b64a67e9653cd1d8ce68d241cbe518917440';

const tiers = nativeRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name as Backend);
const others = [...tiers, ...BACKENDS].filter((backend) => backend !== 'ts');

test('there are instruction sets to compare, where there is an addon', () => {
    if (withoutAddon() === null) expect(tiers).toContain('strict/scalar');
});

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, KNIGHT, SIMPLE_SKIN]) {
    describeModel(model, () => {
        test('every instruction set and the fallback give the same bytes', async () => {
            // The Knight has 76 clips: thirteen frames of each second are rows enough.
            const fps = model === KNIGHT ? 13 : 60;
            const [reference] = await bakeFileOn('ts', model.path, fps);
            expect(palettesOf(reference!).length).toBeGreaterThan(0);
            for (const backend of others) {
                const [baked] = await bakeFileOn(backend, model.path, fps);
                expect([backend, baked!.bin.equals(reference!.bin)]).toEqual([backend, true]);
                expect(baked!.manifest).toEqual(reference!.manifest);
            }
        });
    });
}

/** Every array and every kind of palette: what all implementations have to agree about. */
const OPTIONS: [number | string, Record<string, unknown>][] = [
    [30, { emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root', 'jointBounds'] }],
    [24, { layout: 'mat3x4', space: 'skin-root', emit: ['palette', 'hit', 'bounds'], end: 'fit' }],
    [24, { dtype: 'f16', maxError: 10, from: 0.1, to: 0.4 }],
    ['auto', { renormalize: true, maxError: 0.75 }],
];

/** The example, whose belly is squashed, is refused. */
const QTS16: (typeof OPTIONS)[number] = [20, { layout: 'qts16', emit: ['palette', 'bounds', 'jointBounds'] }];

for (const model of [CHARACTER, FOX, SIMPLE_SKIN]) {
    describeModel(model, () => {
        test.each(model === CHARACTER ? OPTIONS : [...OPTIONS, QTS16])(
            'at %p with %j: the same from each, figures and all',
            async (fps, options) => {
                const [reference] = await bakeFileOn('ts', model.path, fps, options);
                expect(reference!.bin.length).toBeGreaterThan(0);
                for (const backend of others) {
                    const [baked] = await bakeFileOn(backend, model.path, fps, options);
                    expect([backend, baked!.bin.equals(reference!.bin)]).toEqual([backend, true]);
                    expect(baked!.manifest).toEqual(reference!.manifest);
                }
            },
        );
    });
}

test.each(BACKENDS)('the example is baked to the bytes of earlier releases (%s)', async (backend) => {
    const [{ manifest }] = (await bakeFileOn(backend, CHARACTER.path, FPS)) as [
        Awaited<ReturnType<typeof bakeFileOn>>[0],
    ];
    expect({ kernel: manifest.recipe.kernel, sha256: manifest.binary.sha256 }).toEqual(GOLDEN);
    const json = `${JSON.stringify(manifest, null, 2)}\n`;
    expect(createHash('sha256').update(json).digest('hex')).toBe(GOLDEN_MANIFEST);
});
