// SPDX-License-Identifier: MIT

/** Crowds of layout qts16 in three.js, in Chromium: beside matrices that three.js makes of the same numbers, and the float palette. */

import { readFileSync } from 'node:fs';
import { describeModel, type Model } from '../../support/models';
import { wholeScene } from '../../support/whole-scene';
import { bakeToServe, type Comparison, describeInChromium, type Engine, pagesInChromium } from './pages-in-chromium';

interface Crowds {
    model: string;
    qts: string;
    floats: string;
    /** Instances in a row of the square. */
    side: number;
    maxSize?: number;
}

declare global {
    // A function of the page.
    function compareQts(given: Crowds): Promise<{ matrices: Comparison; unfaded: number; floats: number }>;
}

/** Instances in a row of the square, and the largest texture. */
type Crowd = [side: number, maxSize: number | undefined];

/** To be called in a test file: crowds of the scene made for this, then of each model. */
export function describeQts(engines: readonly Engine[], crowds: readonly Crowd[], models: readonly Model[]): void {
    describeInChromium(() => {
        const pages = pagesInChromium();

        describe.each(engines)('%s', (engine) => {
            async function expectSame(name: string, glb: Uint8Array, side: number, maxSize?: number): Promise<void> {
                const file = { bytes: glb, name: `${name}.glb` };
                const { page, errors } = await pages.openEngine(engine, ['qts'], {
                    [`${name}.glb`]: glb,
                    ...(await bakeToServe('qts', file, { fps: 24, layout: 'qts16' })),
                    ...(await bakeToServe('floats', file, { fps: 24 })),
                });
                const given = { model: `${name}.glb`, qts: 'qts', floats: 'floats', side, maxSize };
                const { matrices, unfaded, floats } = await page.evaluate((of) => compareQts(of), given);
                // Pixels unlike the first, which is of the sky, or in a picture by WebGPURenderer of the ground.
                expect(matrices.drawn).toBeGreaterThan(engine === 'three' ? 5000 : 1000);
                expect(matrices.differing).toBeLessThanOrEqual(2);
                expect(unfaded).toBeGreaterThan(100);
                // Less than a thousandth of the model's extent, a fiftieth of a pixel here, and where matrices shrink: some of those at
                // the edges.
                expect(floats).toBeLessThan(engine === 'three' ? matrices.drawn / 100 : 50);
                expect(errors).toEqual([]);
            }

            for (const [side, maxSize] of crowds) {
                test(`a mirrored part, a scale of 0, unequal scale, skins, shadows: ${side} instances squared (textures up to ${maxSize})`, () =>
                    expectSame('whole', wholeScene().toGlb(), side, maxSize));
            }
            for (const model of models) {
                describeModel(model, () => {
                    test('a crowd', () => expectSame(model.name, readFileSync(model.path), 5));
                });
            }
        });
    });
}
