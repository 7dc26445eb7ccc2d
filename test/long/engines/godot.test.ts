// SPDX-License-Identifier: MIT

/**
 * Godot and OpenVAT's viewer draw bakes as three.js draws the live model: four frames of three instances from the same camera,
 * by Lambert's law. The viewer does not use normals, so it draws without light.
 */

import { readFileSync, writeFileSync } from 'node:fs';
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
    function drawLive(given: View & { model: string; lit: boolean; frames: Moments }): Promise<number[][]>;
    function drawViewer(
        given: View & { model: string; texture: string; info: string; frames: readonly (readonly number[])[] },
    ): Promise<number[][]>;
}

const VIEW: View = { at: [0.3, 1.2, 6], apart: 1.2, ...SIZE };
const KNIGHT_VIEW: View = { ...VIEW, at: [0.6, 1.9, 9], apart: 2 };

/** Channels differ by less than this where the same point of a texture is filtered otherwise. */
const FILTERED = 28;

/**
 * Counts the pixels of another color, those that are drawn in one picture with nothing drawn around them in the other, and all that are
 * drawn.
 *
 * @param channels Of `b`. Those of `a` are 4.
 */
function compare(a: ArrayLike<number>, b: ArrayLike<number>, channels: number) {
    const { width, height } = SIZE;
    const apart = (one: number, other: number, less: number) =>
        [0, 1, 2].some((c) => Math.abs(a[one * 4 + c]! - b[other * channels + c]!) >= less);
    const isDrawn = [
        (pixel: number) => [0, 1, 2].some((c) => a[pixel * 4 + c] !== a[c]),
        (pixel: number) => [0, 1, 2].some((c) => b[pixel * channels + c] !== b[c]),
    ] as const;
    const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => dy * width + dx));
    let [differing, beyond, drawn] = [0, 0, 0];
    for (let y = 1; y < height - 1; y++) {
        for (let x = 1; x < width - 1; x++) {
            const pixel = y * width + x;
            if (isDrawn[0](pixel)) drawn++;
            if (apart(pixel, pixel, FILTERED)) differing++;
            for (const side of [0, 1] as const) {
                if (isDrawn[side](pixel) && !around.some((to) => isDrawn[1 - side]!(pixel + to))) beyond++;
            }
        }
    }
    return { differing, beyond, drawn };
}

function expectSame(live: readonly number[][], drawn: readonly ArrayLike<number>[], channels: number): void {
    const results = live.map((picture, i) => compare(picture, drawn[i]!, channels));
    for (const result of results) {
        expect(result.drawn).toBeGreaterThan(3000);
        expect(result.differing).toBeLessThanOrEqual(0.002 * SIZE.width * SIZE.height);
        expect(result.beyond).toBe(0);
    }
    // A control: another frame is another picture.
    expect(compare(live[0]!, drawn[1]!, channels).beyond).toBeGreaterThan(20);
}

describeInChromium(() => {
    const pages = pagesInChromium();
    const folder = scratchFolder();

    async function written(model: Model, options: BakeOptions): Promise<string> {
        await writeBake(await bakeFile(model.path, options), folder());
        return join(folder(), model.name);
    }

    async function live(model: Model, view: View, frames: Moments, lit = true): Promise<number[][]> {
        const { page, errors } = await pages.open('blank.html', ['three-lambert.mjs'], {
            'model.glb': readFileSync(model.path),
        });
        const pictures = await page.evaluate((given) => drawLive(given), { ...view, model: 'model.glb', lit, frames });
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
                await written(model, { emit: ['godot'], godot: '3', maxError: '0.3%' });
                const script = readFileSync(join(folder(), `${model.name}_godot/${model.name}.gd`), 'utf8');
                const names = [...script.matchAll(/^\t("(?:[^"\\]|\\.)*"): \[/gm)].map(([, name]) => JSON.parse(name!));
                const frames = moments.map((moment) => moment.map(([clip, seconds]) => [names[clip], seconds]));
                const drawn = drawInGodot(folder(), { ...view, stem: model.name, frames });
                expectSame(await live(model, view, moments), drawn, 3);
            },
            240_000,
        );
    }

    describe('an OpenVAT folder', () => {
        const MOMENTS: readonly (readonly [clip: number, frame: number])[][] = [
            [
                [0, 0],
                [1, 3],
                [2, 5],
            ],
            [
                [2, 11],
                [1, 7],
                [0, 9],
            ],
            [
                [1, 1],
                [1, 4],
                [1, 9],
            ],
            [
                [0, 17],
                [2, 2],
                [1, 10],
            ],
        ];
        let times: Moments;
        let lines: number[][];
        let remap: unknown;
        let served: Record<string, Uint8Array>;

        beforeAll(async () => {
            await written(CHARACTER, { emit: ['openvat'], fps: 10 });
            const read = (name: string) => readFileSync(join(folder(), 'character_vat', name));
            const info = JSON.parse(String(read('character-remap_info.json')));
            const clips = Object.values<{ startFrame: number; framerate: number }>(info.animations);
            remap = info['os-remap'];
            lines = MOMENTS.map((moment) => moment.map(([clip, frame]) => clips[clip]!.startFrame - 1 + frame));
            served = {
                'vat.glb': read('character.glb'),
                'vat.exr': read('character_vat.exr'),
                'vat.json': read('character-remap_info.json'),
            };
            times = MOMENTS.map((moment) =>
                moment.map(([clip, frame]) => [clip, frame / clips[clip]!.framerate] as const),
            );
        });

        testUnless(
            withoutGodot(),
            'in Godot',
            async () => {
                // As it is by default, Godot 3 stores texture coordinates as half floats, which are too coarse.
                writeFileSync(
                    join(folder(), 'character_vat/character.glb.import'),
                    '[params]\nmeshes/compress=false\n',
                );
                const drawn = drawInGodot(folder(), { ...VIEW, stem: 'character', frames: lines, vat: remap });
                expectSame(await live(CHARACTER, VIEW, times), drawn, 3);
            },
            240_000,
        );

        test("by the arithmetic of OpenVAT's viewer for three.js", async () => {
            const { page, errors } = await pages.open('blank.html', ['three-lambert.mjs'], served);
            // The viewer's frame f is the line before: see docs/engines.md.
            const frames = lines.map((each) => each.map((line) => line + 1));
            const given = { ...VIEW, model: 'vat.glb', texture: 'vat.exr', info: 'vat.json', frames };
            const drawn = await page.evaluate((of) => drawViewer(of), given);
            expect(errors).toEqual([]);
            expectSame(await live(CHARACTER, VIEW, times, false), drawn, 4);
        }, 240_000);
    });
});
