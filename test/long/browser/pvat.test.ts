// SPDX-License-Identifier: MIT

/** PlayCanvas's own script in Chromium plays what `--emit pvat` writes as its own live skinning shows the file. */

import { readFileSync, writeFileSync } from 'node:fs';
import { bakeFile } from '../../../lib/bake';
import { withoutChromium } from '../../support/chromium';
import { CHARACTER, type Model, ROBOT } from '../../support/models';
import { type OpenPage, pagesInChromium, type ServedFiles } from './pages-in-chromium';

interface Comparison {
    readonly beyond: number;
    readonly both: number;
    readonly apart: number;
    readonly pictures?: string[];
}

interface Animation {
    readonly name: string;
    readonly frameCount: number;
    readonly duration: number;
}

declare global {
    // What the page offers.
    function openVat(given: { model: string; vat: string }): Promise<{ animations: Animation[]; vertices: number }>;
    function compareVat(given: {
        animation: number;
        seconds: number;
        wrong?: number;
        pictures?: boolean;
    }): Comparison;
}

const reason = withoutChromium();
const title = reason === null ? 'in Chromium' : `in Chromium [skipped: ${reason}]`;

(reason === null ? describe : describe.skip)(title, () => {
    const pages = pagesInChromium();
    const served: ServedFiles = {};
    let opened: OpenPage;

    test.each([CHARACTER, ROBOT])('$name', async ({ name, path }: Model) => {
        const { files } = await bakeFile(path, { emit: ['pvat'], fps: 10 });
        served[`${name}.glb`] = readFileSync(path);
        served[`${name}.vat`] = files[0]!.bytes;
        opened = await pages.open('blank.html', ['playcanvas-vat.mjs'], served);
        const { animations } = await opened.page.evaluate((given) => openVat(given), {
            model: `${name}.glb`,
            vat: `${name}.vat`,
        });
        console.log(animations);
        for (const [animation, { duration, frameCount }] of animations.entries()) {
            const frame = frameCount >> 1;
            const result = await opened.page.evaluate((given) => compareVat(given), {
                animation,
                seconds: (frame / frameCount) * duration,
                pictures: true,
            });
            for (const [i, url] of result.pictures!.entries())
                writeFileSync(`/tmp/pv-${name}-${animation}-${i}.png`, Buffer.from(url.split(',')[1]!, 'base64'));
            console.log(animation, result.beyond, result.both, result.apart);
        }
        expect(opened.errors).toEqual([]);
    });
});
