// SPDX-License-Identifier: MIT

/** Whole scenes in Chromium: all that moves in the file moves in the bake, with its shadows, and rays hit it. */

import { readFileSync } from 'node:fs';
import { type BakeOptions, bakeFile } from '../../../lib/bake';
import { describeModel, type Model } from '../../support/models';
import { wholeScene } from '../../support/whole-scene';
import {
    type Comparison,
    describeInChromium,
    type Engine,
    type OpenPage,
    pagesInChromium,
    type ServedFiles,
} from './pages-in-chromium';

interface Whole {
    model: string;
    bakes: string[];
    frames: [clip: number, frame: number][];
    light?: 'point';
    sceneOnly?: boolean;
    atRoot?: boolean;
    /** A live crowd, posed by a Rig. */
    rig?: boolean;
}

declare global {
    // Functions of the page.
    function compareWhole(given: Whole): Promise<(Comparison & { shadow: number })[]>;
    function compareFade(given: Whole): Promise<Record<'start' | 'end' | 'halfway', Comparison> & { apart: number }>;
    function comparePicking(
        given: Whole,
    ): Promise<{ hits: number; several?: number; names: string[]; instances: number[]; differing: unknown[] }>;
    function measureVelocity(given: Whole): Promise<{ max: number; drawn: number }>;
    function compareCulled(
        given: Whole,
    ): Promise<Comparison & { seen: number; uncut: number; later: number; changed: number }>;
}

/** Two skins of the same joints with different bind matrices, so each has its own bake. */
function unlikeSkins(): Uint8Array {
    const builder = wholeScene();
    const lower = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.8, 0, 1];
    const { json } = builder;
    const first = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0, 0, 1];
    json.skins[1] = {
        joints: [1, 2],
        inverseBindMatrices: builder.accessor(Float32Array.from([...first, ...lower]), 'MAT4'),
    };
    return builder.toGlb();
}

function withoutSkins(): Uint8Array {
    const builder = wholeScene();
    builder.json.skins = undefined;
    for (const node of [3, 4]) builder.json.nodes[node].skin = undefined;
    return builder.toGlb();
}

const EVERY: Whole['frames'] = [0, 1].flatMap((clip) =>
    [0, 1, 2, 3, 4].map((frame): [number, number] => [clip, frame]),
);

/** The first five are tried everywhere. */
const SCENES: [string, Partial<Whole> & { model: string; bakes: string[] }][] = [
    [
        'two skins with the same joints, rigid parts, an animated node, zero scale',
        { model: 'whole', bakes: ['whole-0'] },
    ],
    ['in the light of a lamp', { model: 'whole', bakes: ['whole-0'], light: 'point' }],
    ["in the space of the skin's root, as 3x4", { model: 'rooted', bakes: ['rooted-0'], atRoot: true }],
    ['a live crowd', { model: 'whole', bakes: ['whole-0'], rig: true }],
    ['two skins with a bake each', { model: 'unlike', bakes: ['unlike-0', 'unlike-1'] }],
    ['by names alone', { model: 'whole', bakes: ['whole-0'], sceneOnly: true }],
    ['no skin at all', { model: 'skinless', bakes: ['skinless-0'] }],
    ['a live crowd of two skins', { model: 'unlike', bakes: ['unlike-0', 'unlike-1'], rig: true }],
    ['a live crowd without a skin', { model: 'skinless', bakes: ['skinless-0'], rig: true }],
];
const PICKED: [clip: number, frame: number, rig: boolean][] = [
    [0, 1, false],
    [0, 2, false],
    [0, 3, true],
    [1, 2, false],
];

/** To be called in a test file: the same tests for each engine, `few` or all of them. */
export function describeWholeScenes(engines: readonly Engine[], models: readonly Model[], few: boolean): void {
    describeInChromium(() => {
        const pages = pagesInChromium();
        const served: ServedFiles = {};
        let opened: OpenPage;

        /** Serves a model, and its bakes as `<name>0` and so on. */
        async function serve(name: string, glb: Uint8Array, options: BakeOptions): Promise<string[]> {
            served[`${name}.glb`] = glb;
            const { outputs } = await bakeFile({ bytes: glb, name: `${name}.glb` }, options);
            return outputs.map(({ json, bin }, i) => {
                served[`${name}-${i}.json`] = json;
                served[`${name}-${i}.bin`] = bin;
                return `${name}-${i}`;
            });
        }

        describe.each(engines)('%s', (engine) => {
            beforeAll(async () => {
                const options: BakeOptions = { fps: 4, emit: ['palette', 'morph'] };
                expect(await serve('whole', wholeScene().toGlb(), options)).toHaveLength(1);
                await serve('qts', wholeScene().toGlb(), { ...options, layout: 'qts16' });
                await serve('rooted', wholeScene().toGlb(), { ...options, space: 'skin-root', layout: 'mat3x4' });
                expect(await serve('unlike', unlikeSkins(), options)).toHaveLength(2);
                expect(await serve('skinless', withoutSkins(), options)).toHaveLength(1);
                opened = await pages.openEngine(engine, ['whole'], served);
            });
            afterEach(() => expect(opened.errors).toEqual([]));

            async function expectSame(given: Whole, atMost = 0): Promise<void> {
                const results = await opened.page.evaluate((of) => compareWhole(of), given);
                expect(results.filter(({ differing }) => differing > atMost)).toEqual([]);
                // There is something, it moves, and it throws shadows.
                expect(Math.min(...results.map(({ drawn }) => drawn))).toBeGreaterThan(1000);
                expect(Math.min(...results.map(({ shadow }) => shadow))).toBeGreaterThan(100);
                expect(new Set(results.map(({ shadow }) => shadow)).size).toBeGreaterThan(results.length / 3);
            }

            test.each(few ? SCENES.slice(0, 5) : SCENES)(
                'the whole scene, live and baked, is the same picture: %s',
                async (_, given) => {
                    await expectSame({
                        ...given,
                        model: `${given.model}.glb`,
                        frames: few ? EVERY.slice(1, 5) : EVERY,
                    });
                },
            );

            test('a bake of layout qts16 is close to the live scene, at every key', async () => {
                const given = { model: 'qts.glb', bakes: ['qts-0'], frames: EVERY };
                const results = await opened.page.evaluate((of) => compareWhole(of), given);
                expect(results).toHaveLength(10);
                for (const { differing, drawn } of results) {
                    expect(drawn).toBeGreaterThan(1000);
                    expect(differing).toBeLessThan(drawn / 100);
                }
            });

            test('a fade at 0 and 1 is one clip only, halfway the mixture of both rows', async () => {
                const frames: Whole['frames'] = [
                    [0, 3],
                    [1, 2],
                ];
                const given = { model: 'whole.glb', bakes: ['whole-0'], frames };
                const { start, halfway, end, apart } = await opened.page.evaluate((of) => compareFade(of), given);
                expect([start.differing, halfway.differing, end.differing]).toEqual([0, 0, 0]);
                expect(apart).toBeGreaterThan(100);
            });

            test.each(few ? PICKED.slice(1, 3) : PICKED)(
                'rays hit what they hit live: clip %d, frame %d, posed by a Rig: %s',
                async (clip, frame, rig) => {
                    const given: Whole = { model: 'whole.glb', bakes: ['whole-0'], frames: [[clip, frame]], rig };
                    const { hits, several, names, instances, differing } = await opened.page.evaluate(
                        (of) => comparePicking(of),
                        given,
                    );
                    expect(differing).toEqual([]);
                    expect(hits).toBeGreaterThan(engine !== 'babylon' ? 200 : 30);
                    // Babylon picks only the nearest.
                    if (engine !== 'babylon') expect(several).toBeGreaterThan(20);
                    expect(names.length).toBeGreaterThan(engine !== 'babylon' ? 8 : 6);
                    expect(instances).toEqual([0, 1, 2]);
                },
            );

            if (engine !== 'babylon') {
                test.each([false, true])(
                    'culling draws everything that the camera sees; posed by a Rig: %s',
                    async (rig) => {
                        const given: Whole = { model: 'whole.glb', bakes: ['whole-0'], frames: [], rig };
                        const { differing, seen, uncut, later, changed } = await opened.page.evaluate(
                            (of) => compareCulled(of),
                            given,
                        );
                        // Instances out of sight throw no shadows then: none reaches into this picture.
                        expect(differing).toBe(0);
                        expect(seen).toBeGreaterThan(0);
                        expect(seen).toBeLessThan(5);
                        expect(uncut).toBe(10);
                        expect(changed).toBeGreaterThan(100);
                        expect(later).toBe(0);
                    },
                );
            }

            if (few) {
                test('a fixed pose has no motion vectors', async () => {
                    const given: Whole = { model: 'whole.glb', bakes: ['whole-0'], frames: [[0, 2]] };
                    const { max, drawn } = await opened.page.evaluate((of) => measureVelocity(of), given);
                    expect(drawn).toBeGreaterThan(1000);
                    expect(max).toBe(0);
                });
            }

            for (const model of models) {
                describeModel(model, () => {
                    test('the same picture', async () => {
                        const options: BakeOptions = { emit: ['palette', 'morph'], fps: 24 };
                        const bakes = await serve(model.name, readFileSync(model.path), options);
                        opened = await pages.openEngine(engine, ['whole'], served);
                        const { clips } = JSON.parse(String(served[`${bakes[0]}.json`]));
                        const last = (clip: number) => clips[clip].frameCount - 1;
                        const frames = (few ? [6] : [0, 3, 6, 9]).flatMap((clip): Whole['frames'] => [
                            [clip, 0],
                            [clip, last(clip) >> 1],
                            [clip, last(clip)],
                        ]);
                        // Of 10,000, at edges: three.js rounds matrices otherwise (docs/reliability.md).
                        await expectSame({ model: `${model.name}.glb`, bakes, frames }, 2);
                    });
                });
            }
        });
    });
}
