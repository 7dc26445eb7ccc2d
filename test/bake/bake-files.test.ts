// SPDX-License-Identifier: MIT
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as library from '../../lib/bake';
import { smallGltf } from '../cli/small-gltf';
import { CHARACTER } from '../support/models';
import { scratchFolder } from '../support/temporary-folder';

// Threads run the built files.
const { bakeFile, bakeFiles, openCache } = require('../../dist') as typeof library;
const { InputError } = require('../../dist/base/errors') as typeof import('../../lib/base/errors');

const folder = scratchFolder();
const at = (name: string) => join(folder(), name);
beforeAll(() => {
    writeFileSync(at('walk.gltf'), smallGltf());
    writeFileSync(at('bad.gltf'), smallGltf().replace('"joints":[0,1]', '"joints":[0,7]'));
});

async function allOf(results: AsyncIterable<library.BakedInput>): Promise<library.BakedInput[]> {
    const taken: library.BakedInput[] = [];
    for await (const result of results) taken[result.index] = result;
    return taken;
}

test('paths, URLs and bytes give the result of bakeFile; a failed bake is a result with the error that bakeFile throws', async () => {
    const bytes = readFileSync(at('walk.gltf'));
    const inputs = [
        at('walk.gltf'),
        pathToFileURL(at('walk.gltf')),
        { bytes, name: 'walk.gltf' },
        at('bad.gltf'),
        { input: CHARACTER.path, options: { clips: ['Walk'], fps: 10 } },
        { bytes, name: 'walk.gltf', resolve: async () => bytes },
        { input: at('walk.gltf'), options: { animations: [{ bytes, name: 'walk.gltf', resolve: async () => bytes }] } },
        { input: at('walk.gltf'), options: undefined },
        { input: at('walk.gltf'), options: { clips: () => [] } as never },
    ];
    const results = await allOf(bakeFiles(inputs, { options: { fps: 30 }, concurrency: 2 }));
    const alone = await bakeFile(at('walk.gltf'), { fps: 30 });
    for (const { bake, error } of results.slice(0, 3)) {
        expect(error).toBeNull();
        expect(bake!.outputs).toEqual(alone.outputs);
    }
    expect(bytes.byteLength).toBeGreaterThan(0); // not transferred
    expect(results[0]!.bake!.inputs).toEqual([at('walk.gltf')]);
    const thrown = await bakeFile(at('bad.gltf')).catch((error) => error);
    const { error } = results[3]!;
    expect(error).toBeInstanceOf(InputError);
    expect({ ...error, message: error!.message }).toEqual({ ...thrown, message: thrown.message });
    expect(results[4]!.bake!.outputs).toEqual((await bakeFile(CHARACTER.path, { clips: ['Walk'], fps: 10 })).outputs);
    for (const [index, argument] of [
        [5, 'input'],
        [6, 'options.animations[0]'],
    ] as const) {
        const message = expect.stringContaining(`${argument}.resolve is a function`);
        expect(results[index]!.error).toMatchObject({ code: 'ERR_ARGUMENT_TYPE', message });
    }
    expect(results[7]!.bake!.outputs).toEqual(alone.outputs);
    expect(results[8]!.error).toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
    expect(results).toHaveLength(9);
});

test('this thread evaluates nothing: only threads of the pool load the baker’s kernels', async () => {
    const options = { clips: ['Walk'], fps: 10 };
    const bake = await bakeFile(CHARACTER.path, options);
    const { Rig } = require('../../dist/rig') as typeof import('../../lib/rig');
    const create = jest.spyOn(Rig.prototype, 'createPoses').mockImplementation(() => {
        throw new Error('evaluated in this thread');
    });
    try {
        await expect(bakeFile(CHARACTER.path, options)).rejects.toThrow('evaluated in this thread'); // so that the spy is a function of this realm
        const [again] = await allOf(bakeFiles([CHARACTER.path], { options, concurrency: 1 }));
        expect(again!.bake!.outputs).toEqual(bake.outputs);
    } finally {
        create.mockRestore();
    }
});

test('with a folder, threads write to it, and results have no arrays; all share one cache', async () => {
    mkdirSync(at('own'));
    const cache = openCache(at('cache'));
    const inputs = [at('walk.gltf'), { input: at('walk.gltf'), out: at('own') }, at('bad.gltf')];
    for (const hit of [false, true]) {
        const results = await allOf(bakeFiles(inputs, { out: at('out'), cache, concurrency: 1 }));
        expect(results.map(({ written }) => written.map(({ json }) => json))).toEqual([
            [join(at('out'), 'walk.bake.json')],
            [join(at('own'), 'walk.bake.json')],
            [],
        ]);
        expect(results.slice(0, 2).map(({ bake }) => bake!.outputs)).toEqual([[], []]);
        // The second bake equals the first.
        expect(results.slice(0, 2).map(({ bake }) => bake!.cache!.hit)).toEqual([hit, true]);
    }
    const alone = (await bakeFile(at('walk.gltf'))).outputs[0]!;
    expect(readFileSync(join(at('out'), 'walk.bake.bin')).equals(alone.bin)).toBe(true);
    const [one] = await allOf(bakeFiles([at('walk.gltf')], { out: at('one'), container: 'glb', cache }));
    expect([one!.bake!.cache!.hit, one!.written[0]!.json]).toEqual([true, join(at('one'), 'walk.bake.glb')]);
    expect(readFileSync(one!.written[0]!.bin).subarray(-alone.bin.length).equals(alone.bin)).toBe(true);
});

test('the signal ends running bakes with its reason; progress has the index of the input', async () => {
    const controller = new AbortController();
    const seen: number[][] = [];
    const results = allOf(
        bakeFiles([at('walk.gltf'), { input: at('walk.gltf'), options: { fps: 1_000_000 } }], {
            concurrency: 1,
            signal: controller.signal,
            onProgress(index, done, total) {
                seen.push([index, done, total]);
                if (index === 1) controller.abort(new Error('enough'));
            },
        }),
    );
    await expect(results).rejects.toThrow('enough');
    const [index, done, total] = seen.at(-1)!;
    expect([index, total]).toEqual([1, 2 * 1_000_001]);
    expect(done).toBeLessThan(total!);
});

test('an error thrown by onProgress ends the bakes', async () => {
    const inputs = [{ input: at('walk.gltf'), options: { fps: 1_000_000 } }];
    const onProgress = () => {
        throw new Error('no more');
    };
    await expect(allOf(bakeFiles(inputs, { concurrency: 1, onProgress }))).rejects.toThrow('no more');
});

test('rejects options that are wrong for every input before it reads any', async () => {
    const read = jest.fn();
    const inputs = {
        *[Symbol.iterator]() {
            read();
            yield at('walk.gltf');
        },
    };
    const refused: [unknown, unknown, object][] = [
        ['hero.glb', {}, { code: 'ERR_ARGUMENT_TYPE' }],
        [inputs, { options: { fps: -1 } }, { code: 'USAGE' }],
        [inputs, { concurrency: 0 }, { code: 'ERR_COUNT_RANGE' }],
        [inputs, { concurrency: '2' }, { code: 'ERR_ARGUMENT_TYPE' }],
        [inputs, { out: 7 }, { code: 'ERR_ARGUMENT_TYPE' }],
        [inputs, { container: 'zip' }, { code: 'ERR_ARGUMENT_TYPE' }],
        [inputs, { cache: {} }, { code: 'ERR_ARGUMENT_TYPE' }],
        [inputs, { signal: {} }, { code: 'ERR_ARGUMENT_TYPE' }],
        [inputs, { signal: AbortSignal.abort() }, { name: 'AbortError' }],
    ];
    for (const [given, options, error] of refused) {
        await expect(bakeFiles(given as never, options as never).next()).rejects.toMatchObject(error);
    }
    expect(read).not.toHaveBeenCalled();
});
