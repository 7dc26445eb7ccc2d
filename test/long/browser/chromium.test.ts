// SPDX-License-Identifier: MIT

/**
 * The examples in Chromium, drawing in software: live skinning against the bake, pixel by pixel; and the entry for browsers,
 * whose results have to be those of Node, bit for bit.
 */

import { join } from 'node:path';
import { withoutChromium } from '../../support/chromium';
import { runNode } from '../../support/processes';
import { keyFrames } from './key-frames';
import { MODEL, pagesInChromium } from './pages-in-chromium';

const ROOT = join(__dirname, '../../..');

interface Comparison {
    readonly differing: number;
    readonly drawn: number;
}

declare global {
    // What the pages offer.
    function compareHalves(clip: number, frame: number, bakedFrame?: number): Comparison;
    function evaluateModel(): Promise<{ backend: string; hash: number; count: number }>;
}

const reason = withoutChromium();
const title = reason === null ? 'in Chromium' : `in Chromium [skipped: ${reason}]`;

(reason === null ? describe : describe.skip)(title, () => {
    const pages = pagesInChromium();

    /**
     * Every key frame. An edge pixel falls the other way where rounding in float32 moves a vertex over one of the rasteriser's
     * steps; the smaller the picture, the fewer such edges there are (docs/loaders.md has the counts).
     */
    test.each([
        ['three.html', ''],
        ['three.html', '&limit=140'],
        ['babylon.html', ''],
        ['babylon.html', '&limit=140'],
    ])('examples/%s%s: the bake and live skinning are the same picture', async (example, limit) => {
        const { page, errors } = await pages.open(`${example}?size=100${limit}`, ['halves.mjs']);
        const frames = keyFrames(MODEL, JSON.parse(pages.manifest())).flatMap(({ keys, jumps }, clip) =>
            [...keys, ...jumps].map((frame) => ({ clip, frame })),
        );
        expect(frames).toHaveLength(48);
        const results = await page.evaluate(
            (list) => list.map(({ clip, frame }) => compareHalves(clip, frame)),
            frames,
        );
        const differing = frames.filter((_, i) => results[i]!.differing > 0);
        expect(differing).toEqual([]);
        // There is a character, and it moves.
        const drawn = results.map((result) => result.drawn);
        expect(Math.min(...drawn)).toBeGreaterThan(1000);
        expect(new Set(drawn).size).toBeGreaterThan(15);
        // A control: a frame beside is another picture.
        const beside = await page.evaluate(() => compareHalves(1, 20, 21));
        expect(beside.differing).toBeGreaterThan(20);
        expect(errors).toEqual([]);
    });

    test('Rig and the functions on lists have the bits that they have in Node', async () => {
        const { page, errors } = await pages.open('blank.html', ['evaluate-here.mjs']);
        const { backend, ...there } = await page.evaluate(() => evaluateModel());
        expect(backend).toBe('wasm');
        const program = `
            import * as poselane from 'poselane';
            import { readFileSync } from 'node:fs';
            import { evaluate } from ${JSON.stringify(join(__dirname, 'pages/evaluate.mjs'))};
            console.log(JSON.stringify(await evaluate(poselane, readFileSync(${JSON.stringify(MODEL)}))));
        `;
        const { stdout, stderr } = runNode(['--input-type=module', '-e', program], {
            cwd: ROOT,
        });
        expect(stderr).toBe('');
        expect(there.count).toBeGreaterThan(100_000);
        expect(there).toEqual(JSON.parse(stdout));
        expect(errors).toEqual([]);
    });
});
