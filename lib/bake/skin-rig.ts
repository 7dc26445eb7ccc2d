// SPDX-License-Identifier: MIT

import type { GltfScene, SceneAnimation, SceneChannel } from '../gltf/scene';
import { Rig } from '../rig/rig';
import type { BakePlan } from './plan';

/** The rig of one skin alone: nothing is packed or evaluated that its palette does not depend on. */
export interface SkinRig {
    /** Its only skin is that one. Its clips are the scene's animations, under their numbers. */
    readonly rig: Rig;
    /** The channels of each animation that is baked which move slots of the rig, for whoever wants their keys. */
    readonly channels: ReadonlyMap<number, readonly SceneChannel[]>;
}

const NO_WEIGHTS = new Float32Array(0);

/**
 * Binds a skin to the nodes that place it. `skin.skeleton` and the transform of the skinned mesh's own node do not
 * enter (glTF 2.0 sections 3.7.3.1 and 3.7.3.2): only joints, what is above them, and the inverse bind matrices.
 *
 * @param skin Index into `scene.skins`.
 * @throws InputError where the keys are beyond the limit.
 */
export function rigOfSkin({ scene, file, clips }: BakePlan, skin: number): SkinRig {
    const wanted = jointsAndAncestors(scene, skin);
    const channels = new Map(
        clips.map(({ animation }) => [animation, channelsOf(scene, scene.animations[animation]!, wanted)]),
    );
    const rig = new Rig(
        {
            name: file,
            // Palettes hold no morphs, so their weights are not evaluated either.
            nodes: scene.nodes.map((node) => (node.weights.length > 0 ? { ...node, weights: NO_WEIGHTS } : node)),
            skins: [scene.skins[skin]!],
            animations: scene.animations.map(({ name }, animation) => ({
                name,
                channels: channels.get(animation) ?? [],
            })),
            skinnedMeshes: [],
        },
        wanted,
    );
    return { rig, channels };
}

function jointsAndAncestors({ nodes, skins }: GltfScene, skin: number): Uint8Array {
    const wanted = new Uint8Array(nodes.length);
    for (const joint of skins[skin]!.joints) {
        for (let node = joint; node >= 0 && wanted[node] === 0; node = nodes[node]!.parent) wanted[node] = 1;
    }
    return wanted;
}

/**
 * The channels of an animation that move wanted nodes; of equal targets the last one. Channels of nodes with a `matrix`,
 * which must not have any (glTF 2.0, section 3.5.3), are left out.
 */
function channelsOf({ nodes }: GltfScene, animation: SceneAnimation, wanted: Uint8Array): SceneChannel[] {
    const byTarget = new Map<string, SceneChannel>();
    for (const channel of animation.channels) {
        const { node, path } = channel;
        if (path === 'weights' || wanted[node] !== 1 || nodes[node]!.matrix !== null) continue;
        byTarget.set(`${node} ${path}`, channel);
    }
    return [...byTarget.values()];
}
