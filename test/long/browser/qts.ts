// SPDX-License-Identifier: MIT

/** Crowds of layout qts16 in three.js, in Chromium: beside matrices that three.js makes of the same numbers, and the float palette. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { WHOLE, wholeScene } from '../../support/whole-scene';
import { bakeToServe, type Comparison, describeInChromium, type OpenPage, pagesInChromium } from './pages-in-chromium';

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

/** With a head whose scale is uniform. */
function uniformScene(): Uint8Array {
    const builder = wholeScene();
    builder.json.nodes[WHOLE.head].scale = [1.2, 1.2, 1.2];
    return builder.toGlb();
}

/** Instances in a row of the square, and the largest texture. */
type Crowd = [side: number, maxSize: number | undefined];

/** To be called in a test file: crowds of the scene made for this, then of each model. */
export function describeQts(crowds: readonly Crowd[], models: readonly Model[]): void {
    describeInChromium(() => {
        const pages = pagesInChromium();
        const scratch = scratchFolder();
        let opened: OpenPage;

        async function open(name: string, glb: Uint8Array, fps: number): Promise<void> {
            const path = join(scratch(), `${name}.glb`);
            writeFileSync(path, glb);
            opened = await pages.open('blank.html', ['three-qts.mjs'], {
                [`${name}.glb`]: glb,
                ...(await bakeToServe('qts', path, { fps, layout: 'qts16' })),
                ...(await bakeToServe('floats', path, { fps })),
            });
        }
        afterEach(() => expect(opened.errors).toEqual([]));

        async function expectSame(given: Crowds): Promise<void> {
            const { matrices, unfaded, floats } = await opened.page.evaluate((of) => compareQts(of), given);
            expect(matrices.drawn).toBeGreaterThan(5000);
            expect(matrices.differing).toBeLessThanOrEqual(2);
            expect(unfaded).toBeGreaterThan(100);
            // Less than a thousandth of the model's extent, a fiftieth of a pixel here, and where matrices shrink: some of those at the edges.
            expect(floats).toBeLessThan(matrices.drawn / 100);
        }

        test.each(crowds)(
            'a mirrored part, a scale of 0, skins, shadows: %d instances squared (textures up to %s)',
            async (side, maxSize) => {
                await open('whole', uniformScene(), 24);
                await expectSame({ model: 'whole.glb', qts: 'qts', floats: 'floats', side, maxSize });
            },
        );

        test.each(['three', 'babylon'])('beside the live scene, at every key (%s)', async (engine) => {
            const path = join(scratch(), 'whole.glb');
            const glb = uniformScene();
            writeFileSync(path, glb);
            opened = await pages.open('blank.html', [`${engine}.mjs`], {
                'whole.glb': glb,
                ...(await bakeToServe('qts', path, { fps: 4, layout: 'qts16', emit: ['palette', 'morph'] })),
            });
            const frames = [0, 1].flatMap((clip) => [0, 1, 2, 3, 4].map((frame): [number, number] => [clip, frame]));
            const given = { model: 'whole.glb', bakes: ['qts'], frames };
            const results = await opened.page.evaluate((of) => compareWhole(of), given);
            expect(results).toHaveLength(10);
            for (const { differing, drawn } of results) {
                expect(drawn).toBeGreaterThan(1000);
                expect(differing).toBeLessThan(drawn / 100);
            }
        });

        describe.each(models)('$name', (model: Model) => {
            const name = model.absent === null ? 'a crowd' : `a crowd (skipped: ${model.absent})`;
            (model.absent === null ? test : test.skip)(name, async () => {
                await open(model.name, readFileSync(model.path), 24);
                await expectSame({ model: `${model.name}.glb`, qts: 'qts', floats: 'floats', side: 5 });
            });
        });
    });
}
