// SPDX-License-Identifier: MIT

import { UsageError } from '../../base/errors';
import type { GltfScene } from '../../gltf/scene';
import { sourceOfDocument } from '../../rig/source/from-document';
import { CHANGED } from '../../rig/source/put-keys';
import type { ChangeableDocument } from '../../rig/source/sampled-document';
import { type BakeOptions, recipeOf } from '../plan/options';
import { commonRate, planBake } from '../plan/plan';
import { renormalized } from '../plan/renormalize';
import { selectAnimations } from '../plan/select';
import { replaceClips } from './replace-clips';

/** What clips are resampled to: as the options of `bakeFile`, where each is described. */
export type ResampleOptions = Pick<BakeOptions, 'fps' | 'clips' | 'from' | 'to' | 'end' | 'renormalize'>;

const ROUTINE = 'bakeAnimations';
const OPTIONS: readonly (keyof ResampleOptions)[] = ['fps', 'clips', 'from', 'to', 'end', 'renormalize'];

/**
 * A transform for glTF-Transform: replaces the keys of each clip by float keys at the frame rate, sampled through the Rig.
 * LINEAR and CUBICSPLINE channels become LINEAR, STEP ones stay STEP, and channels that are constant keep one key. So any player
 * shows at the frames what the clip has there. All else stays as it is: the other clips, when `clips` names some.
 *
 * A Document has lost what `Rig.fromDocument` says. Channels by KHR_animation_pointer are taken in where
 * `loadAnimationPointer`'s extension has read the file.
 *
 * @param options At which rate, and which clips.
 * @returns What `document.transform` takes.
 * @example
 * const document = await new NodeIO().read('hero.glb');
 * await document.transform(bakeAnimations({ fps: 30 }));
 * @throws TypeError `ERR_ARGUMENT_TYPE`, UsageError, at once; the transform: TypeError `ERR_ARGUMENT_TYPE` for
 * what is no Document, UsageError for clips that the Document does not have, InputError `GLTF_INVALID` for what no file may hold.
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
        const { clips } = planBake(selection, commonRate(selection));
        replaceClips(document, scene, clips);
    };
}

/** Checks options that are not about bakes alone. */
export function resampleRecipe(routine: string, options: ResampleOptions) {
    const unknown = Object.keys(options ?? {}).find((key) => !(OPTIONS as readonly string[]).includes(key));
    if (unknown !== undefined && typeof options === 'object') {
        throw new UsageError(`${routine}: there is no option ${unknown}, only ${OPTIONS.join(', ')}`);
    }
    const recipe = recipeOf(routine, options);
    if (recipe.rate === 'auto')
        throw new UsageError(`${routine}: fps: 'auto' is for bakes: needs a number, a fraction or 'keys'`);
    return recipe;
}
