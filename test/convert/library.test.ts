// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeFile, convertFile, Rig, reduceFile } from '../../lib';
import { skinnedModel } from '../gltf/support/builder';

const ARM = join(__dirname, 'support/arm.fbx');
const TURN = join(__dirname, 'support/turn.bvh');

test.each([ARM, TURN])('Rig.load accepts the path or the bytes: %s', async (path) => {
    const [named, given] = [
        await Rig.load(path),
        await Rig.load(new Uint8Array(readFileSync(path)), { name: 'given' }),
    ];
    expect(named.clips.length).toBe(1);
    expect(given.slots.map(({ name }) => name)).toEqual(named.slots.map(({ name }) => name));
});

test('reduceFile accepts FBX, and returns a GLB with its name and fewer keys', async () => {
    const { bytes, clips } = await reduceFile(ARM, { maxError: '1%' });
    expect([Buffer.from(bytes.subarray(0, 4)).toString(), clips[0]!.keysAfter <= clips[0]!.keysBefore]).toEqual([
        'glTF',
        true,
    ]);
});

test('a .vrma file contains clips', async () => {
    const other = Buffer.from(readFileSync(ARM, 'latin1').replace('AnimStack::Bend', 'AnimStack::Idle'), 'latin1');
    const { bytes } = await convertFile({ name: 'idle.fbx', bytes: other });
    const { outputs } = await bakeFile(ARM, { fps: 10, animations: [{ name: 'idle.vrma', bytes }] });
    expect(outputs[0]!.manifest.source.animations!.map(({ name }) => name)).toEqual(['idle.vrma']);
});

test('clips that match no nodes are not added', async () => {
    const hero = { name: 'hero.glb', bytes: skinnedModel().toGlb() };
    const { bytes, clips } = await convertFile(hero, { animations: [TURN], unmatched: 'warn' });
    expect([bytes.length, clips]).toEqual([hero.bytes.length, (await convertFile(hero)).clips]);
});

test('callers can change the result', async () => {
    const { bytes } = await convertFile(TURN);
    const wanted = Uint8Array.from(bytes);
    bytes.fill(0);
    expect(Buffer.compare((await convertFile(TURN)).bytes, wanted)).toBe(0);
});

describe('VRM files', () => {
    const humanoid = { humanBones: { hips: { node: 0 } } };
    const vrm = (extension: string) => {
        const model = skinnedModel();
        model.json.extensionsUsed = [...(model.json.extensionsUsed ?? []), extension];
        model.json.extensions = { [extension]: { specVersion: '1.0', humanoid } };
        return { name: 'hero.vrm', bytes: model.toGlb() };
    };
    const extensionsOf = (glb: Uint8Array) => {
        const json = Buffer.from(glb).subarray(20, 20 + Buffer.from(glb).readUInt32LE(12));
        return JSON.parse(json.toString()).extensions;
    };

    test.each(['VRM', 'VRMC_vrm', 'VRMC_vrm_animation'])(
        'keep the humanoid bones of %s, and bake',
        async (extension) => {
            const input = vrm(extension);
            expect(extensionsOf((await convertFile(input)).bytes)[extension].humanoid).toEqual(humanoid);
            expect(extensionsOf((await reduceFile(input)).bytes)[extension].humanoid).toEqual(humanoid);
            const { outputs } = await bakeFile(input, { fps: 10 });
            expect(outputs.length).toBe(1);
        },
    );
});
