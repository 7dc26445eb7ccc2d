// SPDX-License-Identifier: MIT

import { InputError } from '../errors';
import type { GltfScene, SceneAnimation, SceneChannel, SceneNode } from '../gltf/scene';
import { Rig } from '../rig/rig';
import type { BakePlan, PlannedClip } from './plan';

/** What a rig is made for. */
export type RigPlan = Pick<BakePlan, 'scene' | 'file' | 'recipe'> & {
    readonly clips: readonly Pick<PlannedClip, 'animation'>[];
};

/** The rig of one skin alone: nothing is packed or evaluated that its palette does not depend on. */
export interface SkinRig {
    /** Its only skin is that one. Its clips are the scene's animations, under their numbers. */
    readonly rig: Rig;
    /** The channels of each animation that is baked which move what the rig evaluates, for whoever wants their keys. */
    readonly channels: ReadonlyMap<number, readonly SceneChannel[]>;
}

/**
 * The maximum number of nodes that one skin may take to evaluate: its joints and all that is above them. Each of them needs 1.4 KB for a
 * block of poses, and baking has up to four such blocks: 370 MB here, 6 GB for the million nodes of a legal chain. Vertices have
 * 16 bits for a joint, so more than 65,536 joints would be of no use to them.
 */
export const MAX_SLOTS = 65536;

const NO_WEIGHTS = new Float32Array(0);

/**
 * Binds a skin to the nodes that place it. `skin.skeleton` and the transform of the skinned mesh's own node do not
 * enter (glTF 2.0 sections 3.7.3.1 and 3.7.3.2): only joints, what is above them, and the inverse bind matrices; and where
 * they are baked the morph weights of its meshes.
 *
 * @param skin Index into `scene.skins`.
 * @throws InputError `GLTF_INVALID` where the keys, or the nodes of the skin, are beyond the limits.
 */
export function rigOfSkin({ scene, file, recipe, clips }: RigPlan, skin: number): SkinRig {
    const wanted = jointsAndAncestors(scene, skin);
    const slots = wanted.reduce((sum, one) => sum + one, 0);
    if (slots > MAX_SLOTS) {
        const rule = `the joints and the nodes above them are ${slots} nodes, more than ${MAX_SLOTS}, the limit here`;
        throw new InputError('GLTF_INVALID', file, `/skins/${skin}/joints`, rule);
    }
    const morphs = new Set(recipe.emit.has('morph') ? morphNodesOf(scene, skin) : []);
    const channels = new Map(
        clips.map(({ animation }) => [animation, channelsOf(scene, scene.animations[animation]!, wanted, morphs)]),
    );
    const rig = new Rig(
        {
            name: file,
            nodes: scene.nodes.map((node, index) =>
                node.weights.length > 0 && !morphs.has(index) ? withoutWeights(node) : node,
            ),
            skins: [scene.skins[skin]!],
            animations: scene.animations.map(({ name }, animation) => ({
                name,
                channels: channels.get(animation) ?? [],
            })),
            skinnedMeshes: [],
            ownBytes: scene.ownBytes,
        },
        wanted,
    );
    return { rig, channels };
}

/** Property by property: the views of a node that was read are not its own. */
function withoutWeights({ name, parent, matrix, translation, rotation, scale }: SceneNode): SceneNode {
    return { name, parent, matrix, translation, rotation, scale, weights: NO_WEIGHTS };
}

function jointsAndAncestors({ nodes, skins }: GltfScene, skin: number): Uint8Array {
    const wanted = new Uint8Array(nodes.length);
    for (const joint of skins[skin]!.joints) {
        for (let node = joint; node >= 0 && wanted[node] === 0; node = nodes[node]!.parent) wanted[node] = 1;
    }
    return wanted;
}

/** The nodes with a mesh of this skin that has morph targets, in the order of the file: that of a pose's weights. */
export function morphNodesOf({ nodes, skinnedMeshes }: GltfScene, skin: number): number[] {
    const morphing = skinnedMeshes.filter((mesh) => mesh.skin === skin && nodes[mesh.node]!.weights.length > 0);
    return morphing.map(({ node }) => node).sort((a, b) => a - b);
}

/**
 * The channels of an animation that move wanted nodes or morphs; of equal targets the last one. Transforms of nodes with
 * a `matrix`, which must not have channels (glTF 2.0, section 3.5.3), are left out.
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
