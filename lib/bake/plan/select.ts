// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions, UsageError } from '../../base/errors';
import { nearNames } from '../../base/names';
import type { GltfScene } from '../../gltf/scene';

/**
 * The animations to bake, in file order.
 *
 * @param clips Names, or `#n` for animation n, counted from 0; undefined for all. A name that repeats in the file must be given as `#n`.
 * @param file As `InputError` has it.
 * @throws InputError `NO_ANIMATION`, or the fault of a selected clip; UsageError for a clip that is missing or ambiguous.
 */
export function selectAnimations(scene: GltfScene, clips: readonly string[] | undefined, file: string): number[] {
    const { animations } = scene;
    if (animations.length === 0) {
        throw namingOptions((name) => {
            const rule = `there is no animation to bake: clips of other files come by ${name('animations')}`;
            return new InputError('NO_ANIMATION', file, '/animations', rule);
        });
    }
    const selected = new Set(clips?.map((clip) => findAnimation(scene, clip, file)) ?? animations.keys());
    const indices = [...animations.keys()].filter((index) => selected.has(index));
    for (const index of indices) {
        const { fault } = animations[index]!;
        if (fault !== undefined) throw fault;
    }
    return indices;
}

/** The animation that a name or `#n` names. Throws UsageError. */
export function findAnimation({ animations }: GltfScene, clip: string, file: string): number {
    if (/^#\d+$/.test(clip)) {
        const index = Number(clip.slice(1));
        if (index < animations.length) return index;
        throw new UsageError(`${inputName(file)}: no clip ${clip}, has ${range('#', animations.length)}`);
    }
    const found = animations.map((_, index) => index).filter((index) => animations[index]!.name === clip);
    if (found.length === 1) return found[0]!;
    if (found.length > 1) {
        const numbers = found.map((index) => `#${index}`).join(' and ');
        throw new UsageError(`${inputName(file)}: the clips ${numbers} are all called '${clip}': select by number`);
    }
    throw new UsageError(`${inputName(file)}: no clip '${clip}', ${nearNames(clip, animations)}`);
}

export function range(sign: string, count: number): string {
    if (count === 0) return 'none';
    return count === 1 ? `only ${sign}0` : `${sign}0 to ${sign}${count - 1}`;
}
