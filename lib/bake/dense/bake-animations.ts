// SPDX-License-Identifier: MIT

import { UsageError } from '../../base/errors';
import type { GltfScene } from '../../gltf/scene';
import { sourceOfDocument } from '../../rig/source/from-document';
import { CHANGED } from '../../rig/source/put-keys';
import type { ChangeableDocument } from '../../rig/source/sampled-document';
import { type BakeOptions, recipeOf } from '../plan/options';
import { planBake, sharedRate } from '../plan/plan';
import { renormalized } from '../plan/renormalize';
import { selectAnimations } from '../plan/select';
import { replaceClips } from './replace-clips';

/** Options of {@link bakeAnimations}: those of `bakeFile` with the same names; the default of `fps` is `'keys'`. */
export type ResampleOptions = Pick<BakeOptions, 'fps' | 'clips' | 'from' | 'to' | 'end' | 'renormalize'>;

const ROUTINE = 'bakeAnimations';
const OPTIONS: readonly (keyof ResampleOptions)[] = ['fps', 'clips', 'from', 'to', 'end', 'renormalize'];

/**
 * A transform for glTF-Transform that replaces the keys of each clip by float keys at the frame rate, sampled with the
 * Rig. LINEAR and CUBICSPLINE channels become LINEAR, STEP ones stay STEP, and constant channels keep one key. Every
 * player then shows the clip's own values at the frames. Everything else is unchanged, including clips that `clips`
 * does not name.
 * A Document has lost parts of its file: see `Rig.fromDocument`. Channels of KHR_animation_pointer are included if the
 * extension of `loadAnimationPointer` has read the file.
 *
 * @param options Frame rate and clips.
 * @returns A transform for `document.transform`.
 * @example
 * const document = await new NodeIO().read('hero.glb');
 * await document.transform(bakeAnimations({ fps: 30 }));
 * @throws At once: TypeError `ERR_ARGUMENT_TYPE`, UsageError for options. From the transform: TypeError
 * `ERR_ARGUMENT_TYPE` if the argument is not a Document; UsageError for clips that the Document does not have;
 * InputError `GLTF_INVALID` for contents that no glTF file may have.
 */
export function bakeAnimations(options: ResampleOptions = {}): (document: ChangeableDocument) => void {
    const recipe = resampleRecipe(ROUTINE, options);
    return function bakeAnimationsTransform(document) {
        const source = sourceOfDocument(document, ROUTINE, '', CHANGED);
        if (source.animations.length === 0 && recipe.clips === undefined) return;
        const read: GltfScene = { ...source, sha256: '', warnings: [] };
        const scene = recipe.renormalize ? renormalized(read) : read;
        const file = source.name;
        const animations = selectAnimations(scene, recipe.clips, file);
        const selection = { scene, file, recipe, characters: [], animations };
        const { clips } = planBake(selection, sharedRate(selection));
        replaceClips(document, scene, clips);
    };
}

/** Checks options that bakes and resampling share. */
export function resampleRecipe(routine: string, options: ResampleOptions) {
    const unknown = Object.keys(options ?? {}).find((key) => !(OPTIONS as readonly string[]).includes(key));
    if (unknown !== undefined && typeof options === 'object') {
        throw new UsageError(`${routine}: there is no option ${unknown}, only ${OPTIONS.join(', ')}`);
    }
    const isObject = typeof options === 'object' && options !== null;
    const recipe = recipeOf(routine, isObject ? { ...options, fps: options.fps ?? 'keys' } : options);
    if (recipe.rate === 'auto')
        throw new UsageError(`${routine}: fps: 'auto' is for bakes: needs a number, a fraction or 'keys'`);
    return recipe;
}
