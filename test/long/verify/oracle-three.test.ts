// SPDX-License-Identifier: MIT

/** three.js as the judge, in its own process with the built package: GLTFLoader is an ES module only. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verification } from '../../../lib/verify';
import { clip, HALF, type LooseJson, MODEL, skinnedModel } from '../../gltf/support/builder';
import { compressedView } from '../../gltf/support/meshopt';
import { bakeByCommand } from '../../support/baked';
import { CHARACTER, describeModel, FOX, KNIGHT, RIGGED_FIGURE, SIMPLE_SKIN } from '../../support/models';
import { outputOfNode, startNode } from '../../support/processes';
import { doorFile, knightFile } from '../../support/rigid-files';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const folder = scratchFolder();
let number = 0;

function judged(input: string, spoil = (_: string) => {}, fps = 30): Verification {
    const out = join(folder(), String(number++));
    const [baked] = bakeByCommand('ts', input, fps, out);
    const manifest = join(out, `${baked!.stem}.bake.json`);
    spoil(join(out, decodeURIComponent(baked!.manifest.binary.uri)));
    const script = `require(${JSON.stringify(join(ROOT, 'dist/verify'))})
        .verifyBake(${JSON.stringify(input)}, ${JSON.stringify(manifest)}, { oracle: 'three' })
        .then((result) => console.log(JSON.stringify(result)));`;
    const stdout = outputOfNode(['-e', script]);
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Verification;
}

const verdicts = ({ clips }: Verification) => clips.flatMap(({ arrays }) => arrays);

/** Expects three.js to confirm a bake of the file. */
function confirmed(input: string, fps?: number): Verification {
    const result = judged(input, undefined, fps);
    expect(result.ok).toBe(true);
    expect(verdicts(result).filter(({ oracle }) => oracle !== 'three')).toEqual([]);
    return result;
}

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, KNIGHT]) {
    describeModel(model, () => {
        test('three.js confirms the bake', () => {
            // The Knight has 76 clips.
            const result = confirmed(model.path, model === KNIGHT ? 5 : 30);
            expect(result.worst!.share).toBeLessThan(1.5e-6);
        });
    });
}

test.each([
    ['attachments of a skin', knightFile],
    ['a file without a skin', doorFile],
])('three.js confirms %s', (_, write) => {
    confirmed(write(folder()));
});

describeModel(SIMPLE_SKIN, () => {
    test('keys that are not of unit length do not fail the bake', () => {
        const result = judged(SIMPLE_SKIN.path);
        expect(result.ok).toBe(true);
        expect(verdicts(result)).toEqual([
            expect.objectContaining({
                oracle: 'double',
                note: expect.stringMatching(/^three\.js differs by design: rotation keys .* unit length \(/),
            }),
        ]);
    });
});

const written = (model: ReturnType<typeof skinnedModel>, name: string) => {
    model.json.scenes = [{ nodes: [0] }];
    model.json.scene = 0;
    writeFileSync(join(folder(), name), model.toGlb());
    return join(folder(), name);
};

test('three.js confirms a bake far from the origin', () => {
    const model = skinnedModel();
    const [, hip] = clip(model).samplers;
    hip.output = model.accessor(new Float32Array([0, 0, 0, 3e4, 2, -7e3]), 'VEC3');
    delete hip.interpolation;
    expect(confirmed(written(model, 'far.glb')).worst!.tolerance).toBeGreaterThan(1e-5);
});

test.each<[string, (json: LooseJson) => void]>([
    [
        'KHR_animation_pointer',
        (json) => {
            const pointer = '/nodes/2/rotation';
            const extensions = { KHR_animation_pointer: { pointer } };
            json.animations[0].channels[0].target = { path: 'pointer', extensions };
            json.extensionsUsed = ['KHR_animation_pointer'];
        },
    ],
    ['shear', (json) => Object.assign(json.nodes[0], { matrix: [1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] })],
])('where three.js differs by design, the double evaluator judges: %s', (word, change) => {
    const model = skinnedModel();
    change(model.json);
    const result = judged(written(model, `${number}.glb`));
    expect(result.ok).toBe(true);
    expect(verdicts(result)[0]).toMatchObject({ oracle: 'double', note: expect.stringContaining(word) });
});

test('compressed data', () => {
    const model = skinnedModel();
    const turns = new Float32Array([0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0]);
    const bufferView = compressedView(model, turns, { count: 3, stride: 16 });
    clip(model).samplers[0].output =
        model.json.accessors.push({ bufferView, componentType: 5126, type: 'VEC4', count: 3 }) - 1;
    confirmed(written(model, 'meshopt.glb'));
});

test('a fault of the bake is still found', () => {
    const result = judged(written(skinnedModel(), 'good.glb'), (bin) => {
        const bytes = readFileSync(bin);
        bytes.writeFloatLE(bytes.readFloatLE(12 * 4) + 0.01, 12 * 4);
        writeFileSync(bin, bytes);
    });
    expect(result.ok).toBe(false);
    expect(verdicts(result)[0]).toMatchObject({ ok: false, oracle: 'three', joint: 0, frame: 0 });
});

test('confirms keys, times and inverse bind matrices with a byteStride, also in a meshopt stream', () => {
    const plain = skinnedModel();
    const { json } = plain;
    /** Puts numbers after each element of an accessor. */
    const spread = (index: number, width: number, more: number) => {
        const { bufferView, count } = json.accessors[index];
        const { byteOffset } = json.bufferViews[bufferView];
        const from = new Float32Array(plain.bin().slice(byteOffset, byteOffset + count * width * 4).buffer);
        const to = new Float32Array(count * (width + more)).fill(2);
        for (let i = 0; i < count; i++) to.set(from.subarray(i * width, (i + 1) * width), i * (width + more));
        json.accessors[index].bufferView = plain.view(to, { byteStride: (width + more) * 4 });
    };
    spread(MODEL.rotations, 4, 1);
    spread(MODEL.times, 1, 1);
    spread(MODEL.translations, 3, 2);
    spread(MODEL.inverseBind, 16, 4);
    expect(confirmed(written(plain, 'strided.glb')).worst!.share).toBeLessThan(1e-6);
});

test('SIGTERM ends the command within a second, even if three.js hangs', async () => {
    const input = written(skinnedModel(), 'hangs.glb');
    const [baked] = bakeByCommand('ts', input, 30, join(folder(), 'hangs'));
    const manifest = join(folder(), 'hangs', `${baked!.stem}.bake.json`);
    const preload = join(folder(), 'hang.cjs');
    writeFileSync(preload, "if (!require('node:worker_threads').isMainThread) for (;;);");
    const argv = ['--require', preload, join(ROOT, 'dist/cli/main.js'), 'verify', input, manifest, '--oracle', 'three'];
    const child = startNode(argv, { stdio: 'ignore' });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise((go) => setTimeout(go, 3000)); // the thread is in its loop
    expect(child.exitCode).toBeNull();
    const sent = performance.now();
    child.kill('SIGTERM');
    expect(await exited).toBe(130);
    expect(performance.now() - sent).toBeLessThan(1000);
});
