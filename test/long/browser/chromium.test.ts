// SPDX-License-Identifier: MIT

/** The examples in Chromium, drawn in software: live skinning against the bake, pixel by pixel. */

import { readGltf } from '../../../lib/gltf/read';
import type { Manifest } from '../../support/baked';
import { type Comparison, describeInChromium, MODEL, pagesInChromium } from './pages-in-chromium';

declare global {
    // Functions of the pages.
    function compareHalves(clip: number, frame: number, bakedFrame?: number): Comparison;
}

/**
 * The frames of each clip that are at a key of any of its channels, to a thousandth of a frame: only those show what the
 * file itself says. Other keys fall between frames. And its first and last frame, and those where STEP keys jump.
 */
async function keyFrames({ clips }: Pick<Manifest, 'clips'>): Promise<{ clip: number; frame: number }[]> {
    const { animations } = await readGltf(MODEL);
    return clips.flatMap(({ animation, frameCount, fps, discontinuities }, clip) => {
        const places = animations[animation]!.channels.flatMap(({ times }) => Array.from(times, (time) => time * fps!));
        const atKeys = places.filter((at) => Math.abs(at - Math.round(at)) < 1e-3).map(Math.round);
        const keys = new Set([0, frameCount - 1, ...atKeys.filter((frame) => frame < frameCount)]);
        return [...keys, ...(discontinuities as number[])].map((frame) => ({ clip, frame }));
    });
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
        const frames = await keyFrames(JSON.parse(pages.manifest()));
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

    test('examples/crowd.html: 24 live characters among 376 baked ones', async () => {
        const { page, errors } = await pages.open('crowd.html', []);
        const text = await page.evaluate(() => document.getElementById('count')!.textContent);
        const [live, baked] = text.match(/\d+/g)!.map(Number);
        expect(live).toBeGreaterThan(0);
        expect(live).toBeLessThanOrEqual(24);
        expect(baked).toBeGreaterThan(20);
        expect(errors).toEqual([]);
    });

    test('examples/walk.html: characters that plant their feet', async () => {
        const { errors } = await pages.open('walk.html', []);
        expect(errors).toEqual([]);
    });
});
