// SPDX-License-Identifier: MIT

/** Which targets of channels let a clip be used with another file, and what warnings report of the rest. */

import type { GltfScene } from '../../../lib/gltf/scene';
import { fitOf, isClose, restText } from '../../../lib/rig/retarget/fit';
import { withClips } from '../../../lib/rig/retarget/merge';
import { random, randomRotation } from '../../support/random';
import { channel, IDENTITY, node, scene, skin } from '../scenes';

const RECIPE = { rename: [], unmatched: 'warn', retarget: 'none', feet: 'hold', travel: 'scale', roles: {} } as const;

function clipsOf(...channels: ReturnType<typeof channel>[]): GltfScene {
    const nodes = [node(-1, { name: 'Hips' }), node(0, { name: 'Face' }), node(0, { name: 'Hat' }), node(0)];
    return { ...scene(nodes, [], [{ name: 'all', channels }]), name: 'clips.glb', sha256: 'other' };
}

function taken(hero: GltfScene, other: GltfScene) {
    const { animations, warnings } = withClips(hero, [{ scene: other, file: 'clips.glb' }], RECIPE);
    return { channels: animations[0]!.channels, warnings };
}

const turn = (target: number) => channel(target, 'rotation', 'STEP', [0], [0, 0, 0, 1]);
const morph = (targets: number, cubic: boolean) => {
    const values = new Array(2 * targets * (cubic ? 3 : 1)).fill(0);
    return channel(1, 'weights', cubic ? 'CUBICSPLINE' : 'LINEAR', [0, 1], values);
};

test.each([true, false])('a node with the same number of morph targets accepts the weights (splines: %p)', (cubic) => {
    const face = (targets: number) => ({ ...node(0, { name: 'Face' }), weights: new Float32Array(targets) });
    const hero = (targets: number) => scene([node(-1, { name: 'Hips' }), face(targets)], [], []);
    expect(taken(hero(3), clipsOf(morph(3, cubic)))).toMatchObject({
        channels: [{ node: 1, path: 'weights' }],
        warnings: [],
    });
    const { channels, warnings } = taken(hero(2), clipsOf(morph(3, cubic), turn(0)));
    expect(channels).toMatchObject([{ node: 0 }]);
    expect(warnings).toMatchObject([
        { code: 'NODES_UNMATCHED', message: "clips.glb: in test.glb 'Face' has 2 morph targets, and not 3: left out" },
    ]);
});

test('a node with a matrix cannot move; a mesh that a clip moves counts as moving', () => {
    const nodes = [node(-1, { name: 'Hips' }), node(0, { name: 'Face', matrix: IDENTITY }), node(0, { name: 'Hat' })];
    const mesh = (target: number) => ({ node: target, mesh: 0, moves: false, primitives: [{} as never] });
    const hero = { ...scene(nodes, [], []), rigidMeshes: [mesh(1), mesh(2)] };
    const others = [{ scene: clipsOf(turn(1), turn(2)), file: 'clips.glb' }];
    const { animations, warnings, rigidMeshes } = withClips(hero, others, RECIPE);
    expect(animations[0]!.channels).toMatchObject([{ node: 2 }]);
    expect(warnings[0]!.message).toBe("clips.glb: in test.glb 'Face' has a matrix, which no clip can move: left out");
    expect(rigidMeshes).toMatchObject([
        { moves: false, primitives: [] },
        { moves: true, primitives: [{}] },
    ]);
});

test('missing nodes are listed with the remaining joints; nodes without a name by number', () => {
    const nodes = [node(-1, { name: 'prop' }), node(-1, { name: 'pelvis' }), node(1, { name: 'hat' })];
    const { warnings } = taken(scene(nodes, [skin([1])], []), clipsOf(turn(0), turn(3)));
    expect(warnings.map(({ message }) => message)).toEqual([
        "clips.glb: 2 of the 2 nodes that its clips move are not in test.glb: 'Hips', #3; test.glb has 'pelvis', 'prop', 'hat' besides: left out",
    ]);
});

test('warnings of the other file about clips continue the counts; other warnings do not', () => {
    const told = (pointer: string) => ({ code: 'X', pointer, message: 'odd' });
    const other = { ...clipsOf(turn(0)), warnings: [told('/meshes/0'), told('/animations/0/samplers/1/input')] };
    const hero = scene([node(-1, { name: 'Hips' })], [], [{ name: 'own', channels: [] }]);
    const { warnings, animations, clipFiles } = withClips(hero, [{ scene: other, file: 'c' }], RECIPE);
    expect(warnings).toEqual([{ code: 'X', pointer: '/animations/1/samplers/1/input', message: 'clips.glb: odd' }]);
    expect(animations[1]!.channels[0]!.pointer).toBe('/animations/1/channels/0');
    expect(clipFiles).toEqual([{ name: 'clips.glb', sha256: 'other', clips: 1 }]);
});

test('rest poses: rotations differ in degrees, lengths in shares of the longer bone', () => {
    const next = random(5);
    for (let round = 0; round < 200; round++) {
        const [a, b] = [randomRotation(next), randomRotation(next)];
        const other = { ...clipsOf(turn(0)), nodes: [node(-1, { name: 'Hips', rotation: a, translation: [0, 4, 0] })] };
        const fit = fitOf([node(-1, { name: 'Hips', rotation: b, translation: [3, 0, 0] })], other, []);
        const dot = Math.min(1, Math.abs(a.reduce((sum, x, i) => sum + x * b[i]!, 0)));
        expect(fit.rotation.degrees).toBeCloseTo((2 * Math.acos(dot) * 180) / Math.PI, 3);
        expect(fit.length).toEqual({ share: 0.25, node: 0 });
        expect(isClose(fit)).toBe(false);
    }
    const same = { ...clipsOf(turn(0)), nodes: [node(-1, { name: 'Hips', rotation: [0, 0, 0, -1] })] };
    expect(isClose(fitOf([node(-1, { name: 'Hips' })], same, []))).toBe(true);
    const turned = (angle: number) => {
        const nodes = [node(-1, { name: 'Hips', rotation: [0, 0, angle / 2, 1], translation: [0, 1 + angle, 0] })];
        return restText(fitOf([node(-1, { name: 'Hips', translation: [0, 1, 0] })], { ...same, nodes }, []));
    };
    // Rounding of float32 gives no warning.
    expect(turned(5e-6)).toBe('the same');
    expect(turned(1e-4)).toMatch(/^rotations up to 0\.00573 degrees apart \('Hips'\), lengths up to 0\.01% apart/);
});
