// SPDX-License-Identifier: MIT

/** The examples in Chromium, drawn in software: live skinning against the bake, pixel by pixel. */

import { readFileSync } from 'node:fs';
import type { Manifest } from '../../support/baked';
import { type Comparison, describeInChromium, MODEL, pagesInChromium } from './pages-in-chromium';

declare global {
    // Functions of the pages.
    function compareHalves(clip: number, frame: number, bakedFrame?: number): Comparison;
}

/** Times of all keys of each animation of a GLB with plain accessors, in seconds, read here and not by lib/. */
function keyTimes(path: string): number[][] {
    const file = readFileSync(path);
    const jsonLength = file.readUInt32LE(12);
    const { animations, accessors, bufferViews } = JSON.parse(file.subarray(20, 20 + jsonLength).toString());
    const bin = 28 + jsonLength;
    return animations.map(({ samplers }: { samplers: { input: number }[] }) =>
        samplers.flatMap(({ input }) => {
            const { bufferView, byteOffset = 0, count } = accessors[input];
            const start = bin + (bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
            return Array.from({ length: count }, (_, key) => file.readFloatLE(start + key * 4));
        }),
    );
}

/**
 * The frames of each clip that are at a key of any of its channels, to a thousandth of a frame: only those show what the
 * file itself says. Other keys fall between frames. And its first and last frame, and those where STEP keys jump.
 */
function keyFrames(path: string, { clips }: Pick<Manifest, 'clips'>): { keys: number[]; jumps: number[] }[] {
    const times = keyTimes(path);
    return clips.map(({ animation, frameCount, fps, discontinuities }) => {
        const keys = new Set([0, frameCount - 1]);
        for (const time of times[animation]!) {
            const frame = Math.round(time * fps!);
            if (Math.abs(time * fps! - frame) < 1e-3 && frame < frameCount) keys.add(frame);
        }
        return { keys: [...keys].sort((a, b) => a - b), jumps: discontinuities as number[] };
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
