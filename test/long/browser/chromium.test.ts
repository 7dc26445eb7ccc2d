// SPDX-License-Identifier: MIT

/** The examples in Chromium, drawn in software: live skinning against the bake, pixel by pixel. */

import { keyFrames } from './key-frames';
import { type Comparison, describeInChromium, MODEL, pagesInChromium } from './pages-in-chromium';

declare global {
    // Functions of the pages.
    function compareHalves(clip: number, frame: number, bakedFrame?: number): Comparison;
}

describeInChromium(() => {
    const pages = pagesInChromium();

    /**
     * Every key frame. An edge pixel falls the other way where rounding in float32 moves a vertex over one of the rasteriser's
     * steps; the smaller the picture, the fewer such edges there are (docs/reliability.md has the counts).
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
});
