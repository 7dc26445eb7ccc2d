// SPDX-License-Identifier: MIT

/** The loaders in Chromium, against live skinning: crowds, and bakes of other options than the default. */

import { bakeFile } from '../../../lib/bake';
import { asBytes, clip, MODEL as PART, skinnedModel } from '../../gltf/support/builder';
import { halfToNumber } from '../../support/half';
import {
    bakeToServe,
    type Comparison,
    describeInChromium,
    type Engine,
    MODEL,
    type OpenPage,
    pagesInChromium,
    type ServedFiles,
} from './pages-in-chromium';

interface Variant {
    model?: string;
    bake: string;
    clip: number;
    frame: number;
    morph?: boolean;
}

declare global {
    // Functions of the pages.
    function compareCrowd(
        maxSize?: number,
    ): Promise<Comparison & { later: number; byClock?: number; byUpload?: number }>;
    function compareBetween(): Promise<Record<'mat4' | 'mat3x4' | 'f16' | 'rowBefore', Comparison>>;
    function compareVariant(variant: Variant): Promise<Comparison & { asItIs: number }>;
    function compareBakes(a: string, b: string): Promise<Comparison>;
}

/** A bake of half floats, and the same numbers as floats. */
async function halvesToServe(): Promise<ServedFiles> {
    const { json, bin } = (await bakeFile(MODEL, { fps: 60, dtype: 'f16' })).outputs[0]!;
    const manifest = JSON.parse(json);
    const { palette } = manifest.arrays;
    const halves = new Uint16Array(bin.buffer, bin.byteOffset + palette.byteOffset, palette.byteLength / 2);
    const floats = Float32Array.from(halves, halfToNumber);
    Object.assign(palette, { dtype: 'f32', byteOffset: 0, byteLength: floats.byteLength });
    manifest.binary.byteLength = floats.byteLength;
    const decoded = { 'decoded.json': JSON.stringify(manifest), 'decoded.bin': asBytes(floats) };
    return { 'halves.json': json, 'halves.bin': bin, ...decoded };
}

/** Three vertices, two joints, two morph targets, whose weights move. */
function morphingModel(): Uint8Array {
    const model = skinnedModel();
    const { json } = model;
    const [primitive] = json.meshes[0].primitives;
    const targets = [
        [0.5, 0, 0, -0.5, 0, 0, 1, -1, 0],
        [-0.5, 0, 0, 0, -0.5, 0, 0, -1, 0.5],
    ];
    primitive.targets = targets.map((moves) => ({ POSITION: model.accessor(Float32Array.from(moves), 'VEC3') }));
    Object.assign(json, { scene: 0, scenes: [{ nodes: [PART.root] }], materials: [{ doubleSided: true }] });
    primitive.material = 0;
    json.meshes[0].weights = [0.25, 0.75];
    const weights = model.accessor(Float32Array.from([0.25, 0.75, 1, 0, 0, 1]), 'SCALAR');
    const { samplers, channels } = clip(model);
    const sampler = samplers.push({ input: PART.times, output: weights }) - 1;
    channels.push({ sampler, target: { node: PART.body, path: 'weights' } });
    return model.toGlb();
}

describeInChromium(() => {
    const pages = pagesInChromium();
    let served: ServedFiles;
    beforeAll(async () => {
        const bytes = morphingModel();
        const morphing = { bytes, name: 'morphing.glb' };
        served = {
            ...(await halvesToServe()),
            ...(await bakeToServe('morphs', morphing, { fps: 60, emit: ['palette', 'morph'] })),
            'morphing.glb': bytes,
        };
    });

    describe.each<Engine>(['three', 'three, WebGPU', 'three, WebGL 2', 'babylon'])('%s', (engine) => {
        let opened: OpenPage;
        beforeAll(async () => {
            opened = await pages.openEngine(engine, ['crowd'], served);
        });
        afterEach(() => expect(opened.errors).toEqual([]));

        test.each([undefined, 140])(
            'a crowd: each instance at its place, clip and time (textures up to %s)',
            async (maxSize) => {
                const { differing, drawn, later, byClock, byUpload } = await opened.page.evaluate(
                    (size) => compareCrowd(size),
                    maxSize,
                );
                expect(drawn).toBeGreaterThan(4000);
                expect(differing).toBeLessThanOrEqual(3);
                expect(later).toBeGreaterThan(100);
                if (engine === 'babylon') expect(Math.max(byClock!, byUpload!)).toBeLessThanOrEqual(3);
            },
        );

        if (engine !== 'babylon') {
            test('between two rows, the picture of their mixture', async () => {
                const { mat4, mat3x4, f16, rowBefore } = await opened.page.evaluate(() => compareBetween());
                expect(mat4.drawn).toBeGreaterThan(1000);
                expect(mat4.differing).toBeLessThanOrEqual(3);
                expect(mat3x4.differing).toBe(0);
                expect(f16.differing).toBe(0);
                expect(rowBefore.differing).toBeGreaterThan(20);
            });
        }

        // The bakes are the same for all renderers of three.js.
        if (engine.startsWith('three, ')) return;
        const compare = (variant: Variant) => opened.page.evaluate((of) => compareVariant(of), variant);

        test("dtype 'f16': the same picture as of the floats that they are, and close to live skinning", async () => {
            const same = await opened.page.evaluate(() => compareBakes('halves', 'decoded'));
            expect(same.differing).toBe(0);
            const { differing, drawn } = await compare({ bake: 'halves', clip: 1, frame: 20 });
            // Up to a thousandth of the model's extent, an eighth of a pixel here: some of those at the edges.
            expect(differing).toBeGreaterThan(2);
            expect(differing).toBeLessThan(drawn / 20);
        });

        test.each([10, 30, 40])('morph targets, frame %d: the weights of the array morph', async (frame) => {
            const variant = { model: 'morphing.glb', bake: 'morphs', clip: 0, frame, morph: true };
            const { differing, drawn, asItIs } = await compare(variant);
            expect(drawn).toBeGreaterThan(100);
            expect(differing).toBe(0);
            expect(asItIs).toBeGreaterThan(20);
        });

        test('morph targets: the mesh keeps its weights unless others are set', async () => {
            const { drawn, asItIs } = await compare({ model: 'morphing.glb', bake: 'morphs', clip: 0, frame: 0 });
            expect(drawn).toBeGreaterThan(100);
            expect(asItIs).toBe(0);
        });
    });
});
