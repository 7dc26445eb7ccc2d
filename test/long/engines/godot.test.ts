// SPDX-License-Identifier: MIT

/**
 * Godot and OpenVAT's viewer draw what was baked as three.js draws the live model: four frames of three instances from the same camera,
 * without light.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../../lib/bake';
import { drawInGodot, SIZE, withoutGodot } from '../../support/godot';
import { CHARACTER, KNIGHT, type Model } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { testUnless } from '../../support/unless';
import { describeInChromium, pagesInChromium } from '../browser/pages-in-chromium';

interface View {
    readonly at: readonly number[];
    readonly apart: number;
    readonly width: number;
    readonly height: number;
}

type Moments = readonly (readonly [clip: number, seconds: number])[][];

declare global {
    // Functions of the page.
    function drawLive(given: View & { model: string; frames: Moments }): Promise<number[][]>;
    function drawViewer(
        given: View & { model: string; texture: string; info: string; frames: readonly (readonly number[])[] },
    ): Promise<number[][]>;
}

const VIEW: View = { at: [0.3, 1.2, 6], apart: 1.2, ...SIZE };
const KNIGHT_VIEW: View = { ...VIEW, at: [0.6, 1.9, 9], apart: 2 };

/** Channels differ by less than this where the same point of a texture is filtered otherwise. */
const FILTERED = 28;

/**
 * Counts the pixels that differ, those of them that are not at an edge of the other picture, and those that are not background.
 *
 * @param channels Of `b`.
 */
function compare(a: ArrayLike<number>, b: ArrayLike<number>, channels: number) {
    const { width, height } = SIZE;
    const same = (x: number, y: number, u: number, v: number) =>
        [0, 1, 2].every((c) => Math.abs(a[(y * width + x) * 4 + c]! - b[(v * width + u) * channels + c]!) < FILTERED);
    const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));
    let [differing, beyond, drawn] = [0, 0, 0];
    for (let y = 1; y < height - 1; y++) {
        for (let x = 1; x < width - 1; x++) {
            if ([0, 1, 2].some((c) => a[(y * width + x) * 4 + c] !== a[c])) drawn++;
            if (same(x, y, x, y)) continue;
            differing++;
            const isNear = around.some(([dx, dy]) => same(x, y, x + dx, y + dy));
            const isNearBack = around.some(([dx, dy]) => same(x + dx, y + dy, x, y));
            if (!isNear || !isNearBack) beyond++;
        }
    }
    return { differing, beyond, drawn };
}

function expectSame(live: readonly number[][], drawn: readonly ArrayLike<number>[], channels: number): void {
    const results = live.map((picture, i) => compare(picture, drawn[i]!, channels));
    for (const result of results) {
        expect(result.drawn).toBeGreaterThan(3000);
        expect(result.differing).toBeLessThanOrEqual(0.01 * SIZE.width * SIZE.height);
    }
    expect(results.map(({ beyond, differing }) => [beyond, differing, live.length])).toEqual([]);
    // A control: another frame is another picture.
    expect(compare(live[0]!, drawn[1]!, channels).beyond).toBeGreaterThan(100);
}

describeInChromium(() => {
    const pages = pagesInChromium();
    const folder = scratchFolder();

    async function written(model: Model, options: BakeOptions): Promise<string> {
        await writeBake(await bakeFile(model.path, options), folder());
        return join(folder(), model.name);
    }

    async function live(model: Model, view: View, frames: Moments): Promise<number[][]> {
        const { page, errors } = await pages.open('blank.html', ['three-unlit.mjs'], {
            'model.glb': readFileSync(model.path),
        });
        const pictures = await page.evaluate((given) => drawLive(given), { ...view, model: 'model.glb', frames });
        expect(errors).toEqual([]);
        return pictures;
    }

    for (const [model, view, moments] of [
        [
            CHARACTER,
            VIEW,
            [
                [
                    [0, 0],
                    [1, 0.3],
                    [2, 0.5],
                ],
                [
                    [2, 1.1],
                    [1, 0.72],
                    [0, 0.9],
                ],
                [
                    [1, 0.1],
                    [1, 0.45],
                    [1, 0.9],
                ],
                [
                    [0, 1.7],
                    [2, 0.2],
                    [1, 0],
                ],
            ],
        ],
        [
            KNIGHT,
            KNIGHT_VIEW,
            [
                [
                    [0, 0.2],
                    [9, 0.3],
                    [20, 0.5],
                ],
                [
                    [31, 0.4],
                    [45, 0.2],
                    [60, 0.1],
                ],
                [
                    [72, 0.3],
                    [75, 0.2],
                    [5, 0.4],
                ],
                [
                    [12, 0.1],
                    [50, 0.5],
                    [70, 0.3],
                ],
            ],
        ],
    ] as [Model, View, Moments][]) {
        testUnless(
            withoutGodot() ?? model.absent,
            `${model.name}: the palette in Godot`,
            async () => {
                await written(model, { emit: ['godot'], godot: '3' });
                const script = readFileSync(join(folder(), `${model.name}_godot/${model.name}.gd`), 'utf8');
                const names = [...script.matchAll(/^\t("(?:[^"\\]|\\.)*"): \[/gm)].map(([, name]) => JSON.parse(name!));
                const frames = moments.map((moment) => moment.map(([clip, seconds]) => [names[clip], seconds]));
                const drawn = drawInGodot(folder(), { ...view, stem: model.name, frames });
                expectSame(await live(model, view, moments), drawn, 3);
            },
            240_000,
        );
    }
});
