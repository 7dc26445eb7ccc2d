// SPDX-License-Identifier: MIT

/** PlayCanvas's own script plays what `emit: 'pvat'` writes as PlayCanvas's live skinning shows the file, in Chromium. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile } from '../../../lib/bake';
import { CHARACTER, type Model, ROBOT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
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
    const scratch = scratchFolder();

    /** Bakes a file, and opens it and the bake; `everyRow` of each clip, and its last one. */
    async function open(path: string, everyRow: number): Promise<OpenPage & { moments: Moment[] }> {
        const { files } = await bakeFile(path, { emit: ['pvat'], fps: 10 });
        const served = { 'model.glb': readFileSync(path), 'model.vat': files[0]!.bytes };
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

    describe.each<[string, Model, number]>([
        ['character', CHARACTER, 4],
        ['RobotExpressive', ROBOT, 12],
    ])('%s', (_, { path, absent }, everyRow) => {
        const name = 'silhouettes within a pixel, the same colors and light';
        (absent === null ? test : test.skip)(absent === null ? name : `${name} (skipped: ${absent})`, async () => {
            const opened = await open(path, everyRow);
            await expectSame(opened);
            // A control: another moment is another picture.
            const moment = { animation: 0, seconds: 0, played: 0.6 };
            const { beyond, apart } = await opened.page.evaluate((of) => compareVat(of), moment);
            expect(beyond + apart / 10).toBeGreaterThan(20);
        });
    });

    test('two skins, morph targets, mirrored parts, scale 0', async () => {
        const path = join(scratch(), 'whole.glb');
        writeFileSync(path, wholeScene().toGlb());
        const opened = await open(path, 2);
        // Nothing moves the floor: it is in no bake.
        const moments = opened.moments.map((moment) => ({ ...moment, hidden: ['floor'] }));
        await expectSame({ ...opened, moments });
    });
});
