// SPDX-License-Identifier: MIT

import { compiledRigs } from '../../../lib/rig/compiled';
import { BACKENDS, type Backend, bakeFileOn, palettesOf, withoutAddon } from '../../support/baked';
import { CHARACTER, describeModel, FOX, KNIGHT, RIGGED_FIGURE, SIMPLE_SKIN } from '../../support/models';

const tiers = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name as Backend);
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
    [24, { root: 'extract', rootMotion: 'xyz+rotation', emit: ['palette', 'hit', 'local'], space: 'skin-root' }],
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
