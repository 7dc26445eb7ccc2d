// SPDX-License-Identifier: MIT

import { charactersOf } from '../../../lib/bake/plan/character';
import type { BakeOptions } from '../../../lib/bake/plan/options';
import { recipeOf } from '../../../lib/bake/plan/options';
import { morphNodesOf, rigOfCharacter } from '../../../lib/bake/rows/skin-rig';
import type { GltfScene, SceneChannel, SceneNode } from '../../../lib/gltf/scene';
import { MAX_SLOTS } from '../../../lib/rig/measure/characters';
import { channel, IDENTITY, node, scene, skin } from '../../rig/scenes';

const move = (target: number, from = 0, to = 1) =>
    channel(target, 'translation', 'LINEAR', [0, 1], [from, 0, 0, to, 0, 0]);

const planOf = (s: GltfScene, animations: number[], options: BakeOptions = {}) => ({
    scene: s,
    file: 'folder/test.glb',
    recipe: recipeOf('test', options),
    clips: animations.map((animation) => ({ animation })),
});

const characterOf = (s: GltfScene, index: number) =>
    charactersOf(s, { skin: index, attachments: 'all', space: 'scene', root: null }, '')[0]!;

const rigOfSkin = (plan: ReturnType<typeof planOf>, index: number) =>
    rigOfCharacter(plan, characterOf(plan.scene, index));

const channelsOf = (nodes: SceneNode[], joints: number[], channels: SceneChannel[]) =>
    rigOfSkin(planOf(scene(nodes, [skin(joints)], [{ name: '', channels }]), [0]), 0).channels.get(0);

test('only the joints of the skin and their ancestors are slots', () => {
    //  0 - 1 - 2 (joint) - 6     5 (joint of the other skin)
    //    - 3 - 4 (moved)
    const nodes = [node(-1), node(0), node(1), node(0), node(3), node(-1), node(2)];
    const s = scene(nodes, [skin([5]), skin([2])], [{ name: '', channels: [move(4)] }]);
    const { rig } = rigOfSkin(planOf(s, [0]), 1);
    expect(rig.slots.map((slot) => slot.node)).toEqual([0, 1, 2]);
    expect(rig.skins.map(({ joints }) => [...joints])).toEqual([[2]]);
});

test('channels of other nodes, of morph weights and of nodes with a matrix are left out', () => {
    const nodes = [node(-1, { matrix: IDENTITY }), node(0), node(-1)];
    const weights = channel(1, 'weights', 'LINEAR', [0, 1], [0, 1]);
    const own = move(1);
    expect(channelsOf(nodes, [1], [move(0), move(2), weights, own])).toEqual([own]);
    expect(channelsOf(nodes, [1], [move(0), move(2), weights])).toEqual([]);
});

test('the later of two channels with one target is used', () => {
    const [moving, still] = [move(0, 0, 1), move(0, 7, 7)];
    const turn = channel(0, 'rotation', 'STEP', [0], [0, 0, 0, 1]);
    expect(channelsOf([node(-1)], [0], [moving, turn, still])).toEqual([still, turn]);
});

test('if the morphs of its meshes are baked: weights and channels of only these nodes', () => {
    const morphing = (count: number) => ({ ...node(-1), weights: new Float32Array(count) });
    const nodes = [node(-1), morphing(2), morphing(3), morphing(1), node(-1)];
    const weights = [1, 2, 3].map((target) => channel(target, 'weights', 'STEP', [0], [1]));
    const mesh = (target: number, index: number) => ({ node: target, mesh: 0, skin: index, primitives: [] });
    const s = {
        ...scene(nodes, [skin([0]), skin([4])], [{ name: '', channels: [...weights, move(0)] }]),
        skinnedMeshes: [mesh(3, 0), mesh(1, 0), mesh(2, 1), mesh(4, 0)],
    };
    expect(morphNodesOf(s, characterOf(s, 0))).toEqual([1, 3]);
    const without = rigOfSkin(planOf(s, [0]), 0);
    expect(without.rig.rest.weights.length).toBe(0);
    expect(without.channels.get(0)!.map(({ path }) => path)).toEqual(['translation']);
    const { rig, channels } = rigOfSkin(planOf(s, [0], { emit: ['morph'] }), 0);
    expect(rig.rest.weights.length).toBe(3);
    expect(channels.get(0)!.map((one) => [one.node, one.path])).toEqual([
        [1, 'weights'],
        [3, 'weights'],
        [0, 'translation'],
    ]);
});

test('a skin with more nodes than the limit is rejected before a rig is made, for any number of joints', () => {
    const chain = (length: number) => Array.from({ length }, (_, i) => node(i - 1));
    const over = scene(chain(MAX_SLOTS + 1), [skin([MAX_SLOTS]), skin([MAX_SLOTS - 1])], []);
    expect(() => rigOfSkin(planOf(over, []), 0)).toThrow(
        expect.objectContaining({ code: 'GLTF_INVALID', file: 'folder/test.glb', pointer: '/skins/0/joints' }),
    );
    expect(rigOfSkin(planOf(over, []), 1).rig.slots).toHaveLength(MAX_SLOTS);
});
