// SPDX-License-Identifier: MIT

/** PlayCanvas's own script plays what `emit: 'pvat'` writes as PlayCanvas's live skinning shows the file, in Chromium. */

import { readFileSync } from 'node:fs';
import { bakeFile } from '../../../lib/bake';
import { CHARACTER, ROBOT, testModel } from '../../support/models';
import { wholeScene } from '../../support/whole-scene';
import { describeInChromium, type OpenPage, pagesInChromium } from './pages-in-chromium';

interface Comparison {
    /** Drawn pixels of a picture that have no drawn neighbor in the other. */
    readonly beyond: number;
    /** Pixels drawn in both, and those of another color. */
    readonly both: number;
    readonly apart: number;
}

interface Moment {
    readonly animation: number;
    readonly seconds: number;
    readonly played?: number;
    readonly hidden?: readonly string[];
}

declare global {
    // Functions of the page.
    function openVat(given: {
        model: string;
        vat: string;
    }): Promise<{ animations: { frameCount: number; duration: number }[]; vertices: number }>;
    function compareVat(given: Moment): Comparison;
}

describeInChromium(() => {
    const pages = pagesInChromium();

    /** Bakes a file, and opens it and the bake; `everyRow` of each clip, and its last one. */
    async function open(bytes: Uint8Array, everyRow: number): Promise<OpenPage & { moments: Moment[] }> {
        const { files } = await bakeFile({ bytes, name: 'model.glb' }, { emit: ['pvat'], fps: 10 });
        const served = { 'model.glb': bytes, 'model.vat': files[0]!.bytes };
        const opened = await pages.open('blank.html', ['playcanvas-vat.mjs'], served);
        const given = { model: 'model.glb', vat: 'model.vat' };
        const { animations, vertices } = await opened.page.evaluate((of) => openVat(of), given);
        expect(vertices).toBeGreaterThan(200);
        const moments = animations.flatMap(({ frameCount, duration }, animation) => {
            const rows = Array.from({ length: Math.ceil(frameCount / everyRow) }, (_, i) => i * everyRow);
            return [...rows, frameCount].map((row) => ({ animation, seconds: (row / frameCount) * duration }));
        });
        return { ...opened, moments };
    }

    async function expectSame({ page, errors, moments }: OpenPage & { moments: Moment[] }): Promise<void> {
        const results = await page.evaluate((list) => list.map((moment) => compareVat(moment)), moments);
        expect(results.filter(({ beyond }) => beyond > 0)).toEqual([]);
        // At edges within the picture; and where several joints move a vertex, because PlayCanvas turns normals by the blended matrix
        // itself, and the Rig, as it has to be, by its cofactors.
        expect(results.filter(({ apart, both }) => apart > 0.02 * both)).toEqual([]);
        // There is a character, and it moves.
        expect(Math.min(...results.map(({ both }) => both))).toBeGreaterThan(1000);
        expect(new Set(results.map(({ both }) => both)).size).toBeGreaterThan(results.length / 3);
        expect(errors).toEqual([]);
    }

    for (const [model, everyRow] of [[CHARACTER, 4] as const, [ROBOT, 12] as const]) {
        testModel(model, 'has silhouettes within a pixel, the same colors and light', async () => {
            const opened = await open(readFileSync(model.path), everyRow);
            await expectSame(opened);
            // A control: another moment is another picture.
            const moment = { animation: 0, seconds: 0, played: 0.6 };
            const { beyond, apart } = await opened.page.evaluate((of) => compareVat(of), moment);
            expect(beyond + apart / 10).toBeGreaterThan(20);
        });
    }

    test('two skins, morph targets, mirrored parts, scale 0', async () => {
        const opened = await open(wholeScene().toGlb(), 2);
        // Nothing moves the floor: it is in no bake.
        const moments = opened.moments.map((moment) => ({ ...moment, hidden: ['floor'] }));
        await expectSame({ ...opened, moments });
    });
});
