// SPDX-License-Identifier: MIT

/** The baker for browsers, in an environment with only browser globals; and bytes as inputs in Node. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { type BakeOptions, type BakeResult, bakedFiles, bakeFile } from '../../lib/bake';
import { EMITS, OWN_FILES } from '../../lib/bake/plan/options';
import type * as browser from '../../lib/browser/bake';
import type { MeshoptDecoder } from '../../lib/gltf/decode-meshopt';
import { MODEL, skinnedModel } from '../gltf/support/builder';
import { compressedView } from '../gltf/support/meshopt';
import { CHARACTER, describeModel, SIMPLE_SKIN } from '../support/models';
import { clipsAlone, meshAlone } from '../support/split-file';

/** Globals of the platform. A new realm has its own objects of the language. */
const GLOBALS = { AbortController, atob, performance, setTimeout, TextDecoder, TextEncoder };

let bundle: string;
beforeAll(async () => {
    const { outputFiles } = await build({
        entryPoints: [join(__dirname, '../../lib/browser/bake/index.ts')],
        bundle: true,
        write: false,
        format: 'iife',
        globalName: 'baker',
        platform: 'browser',
        logLevel: 'silent',
    });
    bundle = outputFiles[0]!.text;
});

function inBrowser(globals: object = { crypto }): typeof browser {
    const context = createContext({ ...GLOBALS, ...globals });
    runInContext(bundle, context);
    return context.baker;
}

const contentsOf = (bake: Pick<BakeResult, 'outputs' | 'files'>) =>
    bakedFiles(bake).map(({ name, bytes }) => [name, Buffer.from(bytes).toString('base64')]);

/** All arrays, in the shapes of a palette. */
const RECIPES: BakeOptions[] = [
    {},
    { fps: 'auto', maxError: 0.05 },
    {
        fps: 30,
        emit: EMITS.filter((name) => !(OWN_FILES as readonly string[]).includes(name)),
        layout: 'mat3x4',
        dtype: 'f16',
        maxError: 1,
    },
];

for (const model of [CHARACTER, SIMPLE_SKIN]) {
    describeModel(model, () => {
        const name = basename(model.path);
        const resolve = (path: string) => readFile(join(dirname(model.path), path));

        test.each(RECIPES)('%j: bytes give the result of the path, in browsers and in Node', async (options) => {
            const bytes = readFileSync(model.path);
            const expected = await bakeFile(model.path, options);
            const here = await bakeFile({ bytes, name, resolve }, options);
            const there = await inBrowser().bakeFile({ bytes, name, resolve }, options);
            expect(contentsOf(expected).length).toBeGreaterThan(1);
            for (const { inputs, warnings, ...bake } of [here, there]) {
                expect(contentsOf(bake)).toEqual(contentsOf(expected));
                expect(structuredClone(warnings)).toEqual(expected.warnings);
                expect(inputs).toHaveLength(0);
            }
        });
    });
}

test('bakedFiles returns the files in order, and rejects values that are not bakes', async () => {
    const bake = await bakeFile(CHARACTER.path, { fps: 30, clips: ['#0'], emit: ['palette', 'glb'] });
    const names = ['character.baked.glb', 'character.bake.bin', 'character.bake.json'];
    expect(bakedFiles(bake).map(({ name }) => name)).toEqual(names);
    expect(bakedFiles(bake)[1]!.bytes).toBe(bake.outputs[0]!.bin);
    expect(bakedFiles(bake.outputs).map(({ name }) => name)).toEqual(names.slice(1));
    expect(() => bakedFiles({} as never)).toThrow('bakedFiles: bake must be what bakeFile gives');
});

test('clips of other files are bytes here', async () => {
    const input = { bytes: meshAlone(CHARACTER.path), name: 'body.glb' };
    const animations = [{ bytes: clipsAlone(CHARACTER.path, (name) => `mixamorig:${name}`), name: 'clips.glb' }];
    const options: BakeOptions = { animations, retarget: 'rotation' };
    const [here, there] = [await bakeFile(input, options), await inBrowser().bakeFile(input, options)];
    expect(here.outputs[0]!.manifest.clips).toHaveLength(3);
    expect(contentsOf(there)).toEqual(contentsOf(here));
    await expect(inBrowser().bakeFile(input, { animations: ['clips.glb'] })).rejects.toMatchObject({
        code: 'ERR_ARGUMENT_TYPE',
        message: expect.stringContaining('options.animations[0] must be an object with bytes and name'),
    });
});

test('files of the whole input are made from bytes in Node, and rejected in browsers', async () => {
    const bytes = readFileSync(CHARACTER.path);
    const input = { bytes, name: 'character.glb' };
    const options: BakeOptions = { fps: 30, emit: ['glb', 'pvat'], clips: ['#0'] };
    expect(contentsOf(await bakeFile(input, options))).toEqual(contentsOf(await bakeFile(CHARACTER.path, options)));
    await expect(inBrowser().bakeFile(input, options)).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining("emit: 'glb' is not made in browsers"),
    });
});

describe('hooks', () => {
    const input = { bytes: readFileSync(CHARACTER.path), name: 'character.glb' };

    test('frames are counted up to the total', async () => {
        const seen: number[][] = [];
        const { stats } = await inBrowser().bakeFile(input, {}, { onProgress: (...counts) => seen.push(counts) });
        expect(seen.at(-1)).toEqual([stats.frames, stats.frames]);
        expect(seen).toEqual(seen.toSorted(([a], [b]) => a! - b!));
    });

    test('a signal ends it, before the start and during the bake', async () => {
        const reason = new Error('enough');
        const ended = inBrowser().bakeFile(input, {}, { signal: AbortSignal.abort(reason) });
        await expect(ended).rejects.toBe(reason);
        const controller = new AbortController();
        const onTrial = () => controller.abort(reason);
        const hooks = { signal: controller.signal, onTrial, onProgress: onTrial };
        await expect(inBrowser().bakeFile(input, { fps: 'auto' }, hooks)).rejects.toBe(reason);
    });
});

describe('rejected inputs', () => {
    const bytes = new Uint8Array(4);

    /** With both bakers. */
    async function expectRefused(input: unknown, error: object): Promise<void> {
        for (const bake of [bakeFile, inBrowser().bakeFile]) {
            await expect(bake(input as never)).rejects.toMatchObject(error);
        }
    }

    test.each<[unknown, string]>([
        [undefined, 'input must be'],
        [null, 'input must be'],
        [bytes, 'input.name'],
        [{ bytes }, 'input.name'],
        [{ bytes, name: 'models/hero.glb' }, 'without its folder, got "models/hero.glb"'],
        [{ bytes, name: '..' }, 'input.name'],
        [{ bytes: [1, 2], name: 'hero.glb' }, 'input.bytes must be a Uint8Array or ArrayBuffer, got an Array'],
        [{ bytes, name: 'hero.glb', resolve: 'folder/' }, 'input.resolve must be a function'],
    ])('%p', (input, message) =>
        expectRefused(input, { code: 'ERR_ARGUMENT_TYPE', message: expect.stringContaining(message) }),
    );

    test('a path, in browsers', async () => {
        await expect(inBrowser().bakeFile('hero.glb' as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
    });

    test('detached bytes', async () => {
        const gone = new ArrayBuffer(8);
        const view = new Uint8Array(gone);
        structuredClone(gone, { transfer: [gone] });
        for (const bytes of [gone, view]) {
            await expectRefused({ bytes, name: 'hero.glb' }, { code: 'ERR_DETACHED_BUFFER' });
        }
    });

    test('a file that refers to others, without a way to read them', async () => {
        const model = skinnedModel();
        model.json.buffers[0].uri = 'beside.bin';
        const input = { bytes: Buffer.from(JSON.stringify(model.json)), name: 'hero.gltf' };
        await expectRefused(input, { code: 'FILE_UNREADABLE', pointer: '/buffers/0/uri' });
    });
});

test('compressed by meshopt: works with its decoder as in Node, rejected without', async () => {
    const meshopt = require('meshoptimizer/decoder.cjs') as MeshoptDecoder;
    const model = skinnedModel();
    const turns = Float32Array.from([0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0.6, 0, 0.8]);
    model.json.accessors[MODEL.rotations].bufferView = compressedView(model, turns, { count: 3, stride: 16 });
    const input = { bytes: model.toGlb(), name: 'hero.glb' };
    const { bakeFile: inPage } = inBrowser();
    expect(contentsOf(await inPage({ ...input, decoders: { meshopt } }))).toEqual(contentsOf(await bakeFile(input)));
    await expect(inPage(input)).rejects.toMatchObject({
        code: 'EXTENSION_UNSUPPORTED',
        message: expect.stringContaining('input.decoders of bakeFile, or bake the file in Node'),
    });
});

test('without crypto.subtle, as in a page over plain HTTP, the error names it', async () => {
    const input = { bytes: readFileSync(CHARACTER.path), name: 'character.glb' };
    await expect(inBrowser({ crypto: {} }).bakeFile(input)).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining('only to pages from https or localhost'),
    });
});
