// SPDX-License-Identifier: MIT

/** Files that retargeting must reject by name, or ignore; bakes of other clips are in test/bake/retargeted.test.ts. */

import { readGltf } from '../../lib/gltf/read';
import type { GltfScene, SceneNode } from '../../lib/gltf/scene';
import { retargetClips } from '../../lib/retarget';
import { bindPoseOf } from '../../lib/retarget/model';
import { NAMES, writeHumanoid } from '../support/humanoids';
import { scratchFolder } from '../support/temporary-folder';

const folder = scratchFolder();
const STYLE = { feet: 'hold', travel: 'scale', roles: {} } as const;
const FILES = { target: 'hero.glb', source: 'walk.glb' };

async function files(): Promise<{ source: GltfScene; target: GltfScene }> {
    const source = await readGltf(writeHumanoid(folder(), 'source', { step: 1 }));
    const target = await readGltf(writeHumanoid(folder(), 'target', { names: NAMES.mixamo, thigh: 0.5 }));
    return { source, target };
}

function changed(scene: GltfScene, change: (node: SceneNode) => Partial<SceneNode>): GltfScene {
    const nodes = scene.nodes.map((node): SceneNode => {
        const { name, parent, matrix, translation, rotation, scale, weights } = node;
        return { name, parent, matrix, translation, rotation, scale, weights, ...change(node) };
    });
    return { ...scene, nodes };
}

test('clips with only morph weights have no channels; clips without channels stay', async () => {
    const { source, target } = await files();
    const [{ channels }] = source.animations as [(typeof source.animations)[0]];
    const weights = { ...channels[0]!, path: 'weights', values: channels[0]!.times } as const;
    const animations = [
        { name: 'Smile', channels: [weights] },
        { name: 'None', channels: [] },
    ];
    const { clips } = retargetClips(target, { ...source, animations }, STYLE, FILES);
    expect(clips).toEqual([
        { name: 'Smile', channels: [] },
        { name: 'None', channels: [] },
    ]);
});

test("the same rig gets the file's channels of morph weights, by node name", async () => {
    const face = { smile: 0.5, blink: 0 };
    const talk = [
        [0, 1],
        [1, 0],
    ];
    const own = await readGltf(writeHumanoid(folder(), 'own', { face, talk }));
    const { animations } = own;
    const [{ node }] = animations[0]!.channels as [(typeof animations)[0]['channels'][0]];
    const { nodes } = changed(own, () => ({}));
    const twin = { ...own, nodes: [...nodes, { ...nodes[node]!, name: 'Twin' }] };
    twin.targetNames = new Map([node, nodes.length].map((one) => [one, Object.keys(face)]));
    const copied = retargetClips(twin, own, STYLE, FILES);
    expect(copied).toMatchObject({ isSame: true, leftWeights: [] });
    expect(copied.clips).toEqual(animations);
    const renamed = changed(own, ({ name }) => (name === 'Face' ? { name: 'Other' } : {}));
    const left = retargetClips(renamed, own, STYLE, FILES);
    expect(left).toMatchObject({ isSame: true, leftWeights: [node], clips: [{ channels: [] }] });
});

test('too many repeats of morph weights for meshes here are an error', async () => {
    const { source, target } = await files();
    const [{ channels }] = source.animations as [(typeof source.animations)[0]];
    const names = Array.from({ length: 1000 }, (_, i) => `target ${i}`);
    const morphed = (scene: GltfScene): GltfScene => ({
        ...changed(scene, () => ({ weights: new Float32Array(names.length) })),
        targetNames: new Map(scene.nodes.map((_, node) => [node, names])),
    });
    const weights = { ...channels[0]!, path: 'weights', values: new Float32Array(2000 * names.length) } as const;
    const animations = [{ name: 'Smile', channels: [weights] }];
    expect(() => retargetClips(morphed(target), { ...morphed(source), animations }, STYLE, FILES)).toThrow(
        expect.objectContaining({ code: 'OUTPUT_TOO_LARGE', file: 'walk.glb' }),
    );
});

test('joints with a matrix, legs of length 0, and too many keys are errors with the file', async () => {
    const { source, target } = await files();
    const fixed = changed(target, ({ name }) =>
        name === 'mixamorig:LeftLeg' ? { matrix: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) } : {},
    );
    expect(() => retargetClips(fixed, source, STYLE, FILES)).toThrow(
        expect.objectContaining({
            code: 'MATRIX_NOT_TRS',
            message: expect.stringMatching(/^hero\.glb#\/nodes\/\d+: 'mixamorig:LeftLeg' \(leftLowerLeg\)/),
        }),
    );
    const point = { ...changed(source, () => ({ translation: new Float32Array(3) })), skins: [] };
    expect(() => retargetClips(target, point, STYLE, FILES)).toThrow(
        expect.objectContaining({
            code: 'NOT_FINITE',
            message: expect.stringMatching(/^walk\.glb: the length of the legs is 0 in the bind pose/),
        }),
    );
    const [clip] = source.animations;
    const times = Float32Array.from({ length: 200_000 }, (_, i) => i / 1024);
    const long = { ...clip!.channels[0]!, times, values: new Float32Array(times.length * 3) };
    const many = { ...source, animations: [{ name: 'Long', channels: [long] }] };
    expect(() => retargetClips(target, many, STYLE, FILES)).toThrow(
        expect.objectContaining({ code: 'OUTPUT_TOO_LARGE', file: 'walk.glb', pointer: '/animations/0' }),
    );
    const { nodes } = changed(target, () => ({}));
    const crowd = [...nodes, ...Array(10_000).fill({ ...nodes[0]!, name: 'Stone' })];
    const short = { ...clip!.channels[0]!, times: times.slice(0, 6000), values: new Float32Array(6000 * 3) };
    const two = { ...source, animations: [1, 2].map(() => ({ name: 'Long', channels: [short] })) };
    expect(() => retargetClips({ ...target, nodes: crowd }, two, STYLE, FILES)).toThrow(
        expect.objectContaining({ code: 'OUTPUT_TOO_LARGE', file: 'walk.glb', pointer: '/animations' }),
    );
});

test('an inverse bind matrix with a singular inverse gives no joint position', async () => {
    const { source } = await files();
    const [skin] = source.skins as [(typeof source.skins)[0]];
    const inverseBindMatrices = Float32Array.from(skin.inverseBindMatrices);
    inverseBindMatrices.set([0.3, 0.2, -0.4, 0, 0.3, 0.2, -0.4, 0, 0, 0.3, 0.3, 0]);
    const places = bindPoseOf({ nodes: source.nodes, skins: [{ ...skin, inverseBindMatrices }] });
    expect(places.flatMap(({ at }) => at).every(Number.isFinite)).toBe(true);
});

test('the same rig with a head and no legs is not a humanoid', async () => {
    const { source } = await files();
    const legless = changed(source, ({ name }) => ({ name: name === 'head' ? name : 'Stone' }));
    const flat = { ...legless, nodes: legless.nodes.map((node) => ({ ...node, parent: -1 })), skins: [] };
    expect(() => retargetClips(flat, flat, STYLE, FILES)).toThrow(expect.objectContaining({ code: 'ROLES_MISSING' }));
});
