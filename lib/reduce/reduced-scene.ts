// SPDX-License-Identifier: MIT

import { decoded } from '../gltf/as-stored';
import type { GltfScene, SceneChannel } from '../gltf/scene';
import { reduceRecipeOf } from './options';
import { type ReduceHooks, reduceScene } from './reduce-scene';

/** A scene with fewer keys. */
interface Reduced {
    readonly scene: GltfScene;
    /** Number of keys. */
    readonly before: number;
    readonly after: number;
    /** Maximum displacement, model units. */
    readonly error: number;
}

/**
 * The scene with the keys of all clips reduced, for a rig. Values stay float32.
 *
 * @throws As `reduceFile`.
 */
export async function reducedScene(
    scene: GltfScene,
    maxError: number | string,
    hooks: ReduceHooks & { readonly file: string },
): Promise<Reduced> {
    const recipe = reduceRecipeOf('poselane rig', { maxError, quantize: false });
    const { animations, clips } = await reduceScene(scene, recipe, hooks);
    const keys = new Map(animations.flatMap(({ channels }) => channels.map((channel) => [channel.pointer, channel])));
    const replaced = (channel: SceneChannel): SceneChannel => {
        const own = keys.get(channel.pointer);
        if (own === undefined) return channel;
        const { interpolation, times, values } = own;
        return { ...channel, interpolation, times, values: Float32Array.from(decoded(values)) };
    };
    const sum = (count: 'keysBefore' | 'keysAfter') => clips.reduce((total, clip) => total + clip[count], 0);
    return {
        scene: {
            ...scene,
            animations: scene.animations.map((animation) => ({
                ...animation,
                channels: animation.channels.map(replaced),
            })),
        },
        before: sum('keysBefore'),
        after: sum('keysAfter'),
        error: clips.reduce((max, { error }) => Math.max(max, error), 0),
    };
}
