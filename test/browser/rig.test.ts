// SPDX-License-Identifier: MIT

/** The Rig of the entry for browsers reads files like the Rig in Node. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Rig as BrowserRig } from '../../lib/browser';
import type { Resolve } from '../../lib/gltf/buffers';
import { decodePlain, decodeWithMeshopt } from '../../lib/gltf/decode-browser';
import type { MeshoptDecoder } from '../../lib/gltf/decode-meshopt';
import { readGltfBytes } from '../../lib/gltf/read';
import { readScene } from '../../lib/gltf/read-scene';
import { Rig } from '../../lib/rig';
import { MODEL, skinnedModel } from '../gltf/support/builder';
import { compressedView } from '../gltf/support/meshopt';
import {
    CHARACTER,
    describeModel,
    FOX,
    INTERPOLATION_TEST,
    KNIGHT,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../support/models';
import { clipsAlone, meshAlone } from '../support/split-file';

async function expectSame(bytes: Uint8Array, resolve?: Resolve, decode = decodePlain()): Promise<void> {
    const { name, sha256, ...inNode } = await readGltfBytes(bytes, { name: 'model', resolve, surfaces: true });
    expect([name, sha256.length]).toEqual(['model', 64]);
    const { scene } = await readScene({ file: 'model', load: () => bytes, resolve, decode }, { surfaces: true });
    expect(scene).toEqual(inNode);
}

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, KNIGHT, SIMPLE_SKIN, SIMPLE_SKIN_TWICE, INTERPOLATION_TEST]) {
    describeModel(model, () => {
        test('the scene is the same', async () => {
            await expectSame(readFileSync(model.path), (path) => readFile(join(dirname(model.path), path)));
        });
    });
}

test('clips of other files', async () => {
    const animations = [{ name: 'clips.glb', bytes: clipsAlone(CHARACTER.path, (name) => `mixamorig${name}`) }];
    const [body, told] = [meshAlone(CHARACTER.path), [] as string[]];
    const { clips } = await BrowserRig.load(body, { animations, rename: { 'mixamorig*': '*' } });
    const whole = await Rig.load(CHARACTER.path);
    expect(clips).toEqual(whole.clips);
    await expect(BrowserRig.load(body, { animations })).rejects.toMatchObject({ code: 'NODES_UNMATCHED' });
    await BrowserRig.load(body, { animations, unmatched: 'warn', onWarning: ({ code }) => told.push(code) });
    expect(told).toEqual(['NODES_UNMATCHED']);
});

describe('data that meshopt compressed', () => {
    const decoder = require('meshoptimizer/decoder.cjs') as MeshoptDecoder;

    function compressed() {
        const model = skinnedModel();
        const turns = Float32Array.from([0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0.6, 0, 0.8]);
        const bufferView = compressedView(model, turns, { count: 3, stride: 16 });
        model.json.accessors[MODEL.rotations].bufferView = bufferView;
        return { model, bytes: model.toGlb(), bufferView };
    }

    test('is rejected without a decoder, with advice', async () => {
        const { bytes, bufferView } = compressed();
        const refused = BrowserRig.load(bytes);
        const pointer = `/bufferViews/${bufferView}`;
        await expect(refused).rejects.toMatchObject({ code: 'EXTENSION_UNSUPPORTED', pointer });
        await expect(refused).rejects.toThrow('options.decoders');
        await expect(refused).rejects.toThrow('Rig.fromDocument');
    });

    test('is decoded as in Node, also in sparse accessors', async () => {
        const { model, bytes } = compressed();
        await expectSame(bytes, undefined, decodeWithMeshopt(decoder));
        const rig = await BrowserRig.load(bytes, { decoders: { meshopt: decoder } });
        expect(rig.clips[0]!.cadence.keys).toBe(3);
        const values = compressedView(model, Float32Array.of(0, 0, 1, 0), { count: 1, stride: 16 });
        model.json.accessors[MODEL.rotations].sparse = {
            count: 1,
            indices: { bufferView: model.view(Uint16Array.of(2)), componentType: 5123 },
            values: { bufferView: values },
        };
        await expectSame(model.toGlb(), undefined, decodeWithMeshopt(decoder));
    });

    test('an invalid decoder', async () => {
        // The package's export without WebAssembly.
        const unsupported = { supported: false } as MeshoptDecoder;
        const rule = expect.stringContaining('needs WebAssembly');
        const load = (meshopt: unknown) =>
            BrowserRig.load(compressed().bytes, { decoders: { meshopt: meshopt as never } });
        await expect(load(unsupported)).rejects.toMatchObject({ code: 'EXTENSION_UNSUPPORTED', rule });
        for (const meshopt of [null, {}, 'meshopt']) {
            await expect(load(meshopt)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
        }
    });
});

test('poses equal those of the Rig in Node', async () => {
    const bytes = readFileSync(CHARACTER.path);
    const rigs = [await BrowserRig.load(bytes), await Rig.load(bytes, { name: basename(CHARACTER.path) })];
    expect(rigs[0]!.implementation).toBe('strict/wasm');
    const [here, there] = rigs.map((rig) => {
        const poses = rig.createPoses(20);
        const times = Float64Array.from({ length: 20 }, (_, i) => i * 0.07);
        rig.evaluate(poses, 1, times, { loop: 'wrap' });
        rig.toGlobal(poses);
        const palettes = new Float32Array(20 * rig.skins[0]!.joints.length * 16);
        rig.palettes(poses, 0, palettes);
        return palettes;
    });
    expect(here).toEqual(there);
});

test('values that are not files', async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(CHARACTER.path);
    const rig = await BrowserRig.load(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    expect(rig.clips).toHaveLength(3);
    for (const input of ['hero.glb', null, new Float32Array(4)]) {
        await expect(BrowserRig.load(input as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
    }
    await expect(BrowserRig.load(new Uint8Array(3))).rejects.toMatchObject({ code: 'NOT_GLTF' });
});

test('detached bytes are rejected with a code, as a view and as a buffer', async () => {
    const bytes = new Uint8Array(64);
    const { buffer } = bytes;
    structuredClone(buffer, { transfer: [buffer] });
    for (const input of [bytes, buffer]) {
        await expect(BrowserRig.load(input)).rejects.toMatchObject({ code: 'ERR_DETACHED_BUFFER' });
    }
});
