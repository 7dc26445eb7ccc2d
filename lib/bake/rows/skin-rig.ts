// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import { fillFromAbove } from '../../gltf/hierarchy';
import type { GltfScene, SceneAnimation, SceneChannel, SceneNode, SkinnedMesh } from '../../gltf/scene';
import { type Character, MAX_SLOTS } from '../../rig/measure/characters';
import { Rig } from '../../rig/rig';
import type { BakePlan, PlannedClip } from '../plan/plan';

/** The part of a plan that a rig needs. */
export type RigPlan = Pick<BakePlan, 'scene' | 'file' | 'recipe'> & {
    readonly clips: readonly Pick<PlannedClip, 'animation'>[];
};

/** The rig of one character. It contains only nodes that the character's palette depends on. */
export interface SkinRig {
    /** Its only skin has the columns of the palette as joints. Its clips have the numbers of the scene's animations. */
    readonly rig: Rig;
    /** Nearest column above each column; -1 if there is none. Attachments are not above joints. */
    readonly parents: Int32Array;
    /** For each baked animation, the channels that move nodes of the rig. */
    readonly channels: ReadonlyMap<number, readonly SceneChannel[]>;
}

const NO_WEIGHTS = new Float32Array(0);

/**
 * Binds a character to the nodes that place it: joints, attachments, their ancestors, the inverse bind matrices and, if
 * they or `meshes` are baked, the morph weights of its meshes. `skin.skeleton` and the transform of the skinned mesh's
 * own node have no effect.
 *
 * Source: glTF 2.0, 3.7.3.1 and 3.7.3.2.
 *
 * @param meshes Meshes whose vertices are wanted. They belong to skin 0, so their joints are columns.
 * @throws InputError `GLTF_INVALID` if the keys or the nodes of the character exceed the limits.
 */
export function rigOfCharacter(
    { scene, file, recipe, clips }: RigPlan,
    character: Character,
    meshes: readonly SkinnedMesh[] = [],
): SkinRig {
    const { skins, nodes: columns, inverseBindMatrices } = character;
    const wanted = withAncestors(scene, character.root < 0 ? columns : [...columns, character.root]);
    const slots = wanted.reduce((sum, one) => sum + one, 0);
    if (slots > MAX_SLOTS) {
        const what = skins.length === 0 ? 'the attachments' : 'the joints, the attachments';
        const rule = `${what} and the nodes above them are ${slots} nodes, more than ${MAX_SLOTS}, the limit here`;
        throw new InputError('GLTF_INVALID', file, skins.length === 0 ? '/nodes' : `/skins/${skins[0]}/joints`, rule);
    }
    const morphs = new Set(recipe.emit.has('morph') || meshes.length > 0 ? morphNodesOf(scene, character) : []);
    const channels = new Map(
        clips.map(({ animation }) => [animation, channelsOf(scene, scene.animations[animation]!, wanted, morphs)]),
    );
    const rig = new Rig(
        {
            name: file,
            nodes: scene.nodes.map((node, index) =>
                node.weights.length > 0 && !morphs.has(index) ? withoutWeights(node) : node,
            ),
            skins: [{ name: '', joints: columns, inverseBindMatrices }],
            animations: scene.animations.map(({ name }, animation) => ({
                name,
                channels: channels.get(animation) ?? [],
            })),
            skinnedMeshes: meshes,
            ownBytes: scene.ownBytes,
            withoutLoops: true,
        },
        wanted,
    );
    return { rig, channels, parents: parentsOf(rig, character.joints) };
}

function parentsOf({ slots, skins }: Rig, joints: number): Int32Array {
    const columns = skins[0]!.joints;
    const jointAt = new Int32Array(slots.length).fill(-1);
    const columnAt = new Int32Array(slots.length).fill(-1);
    for (const [column, slot] of columns.entries()) {
        if (column < joints) jointAt[slot] = column;
        if (column < joints || columnAt[slot] === -1) columnAt[slot] = column;
    }
    // A joint at an attachment's own node counts as above it.
    const own = Int32Array.from(columns, (slot, column) => (column < joints ? -1 : jointAt[slot]!));
    fillFromAbove(slots, jointAt);
    fillFromAbove(slots, columnAt);
    return Int32Array.from(columns, (slot, column) => {
        const { parent } = slots[slot]!;
        if (own[column]! >= 0 || parent < 0) return own[column]!;
        return column < joints ? jointAt[parent]! : columnAt[parent]!;
    });
}

/** Copies property by property, because the node's typed arrays are views that belong to the file. */
function withoutWeights({ name, parent, matrix, translation, rotation, scale }: SceneNode): SceneNode {
    return { name, parent, matrix, translation, rotation, scale, weights: NO_WEIGHTS };
}

function withAncestors({ nodes }: GltfScene, columns: readonly number[]): Uint8Array {
    const wanted = new Uint8Array(nodes.length);
    for (const column of columns) {
        for (let node = column; node >= 0 && wanted[node] === 0; node = nodes[node]!.parent) wanted[node] = 1;
    }
    return wanted;
}

/** The nodes of a character whose mesh has morph targets, in file order, which is the order of a pose's weights. */
export function morphNodesOf({ nodes, skinnedMeshes }: GltfScene, { skins, attachments }: Character): number[] {
    const own = new Set(skins);
    const skinned = skinnedMeshes.filter(({ skin }) => own.has(skin));
    const morphing = [...skinned, ...attachments].filter(({ node }) => nodes[node]!.weights.length > 0);
    return morphing.map(({ node }) => node).sort((a, b) => a - b);
}

/**
 * The channels of an animation that move given nodes or morph weights. The last channel with the same target wins.
 * Channels of nodes with a `matrix`, which glTF forbids (2.0, 3.5.3), are left out.
 */
function channelsOf(
    { nodes }: GltfScene,
    animation: SceneAnimation,
    wanted: Uint8Array,
    morphs: ReadonlySet<number>,
): SceneChannel[] {
    const byTarget = new Map<string, SceneChannel>();
    for (const channel of animation.channels) {
        const { node, path } = channel;
        const moves = path === 'weights' ? morphs.has(node) : wanted[node] === 1 && nodes[node]!.matrix === null;
        if (moves) byTarget.set(`${node} ${path}`, channel);
    }
    return [...byTarget.values()];
}
