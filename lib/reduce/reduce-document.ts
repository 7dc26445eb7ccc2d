// SPDX-License-Identifier: MIT

import { namingOptions, UsageError } from '../base/errors';
import { rigidMeshesOf, sourceOfDocument } from '../rig/source/from-document';
import { CHANGED } from '../rig/source/put-keys';
import type { ChangeableDocument } from '../rig/source/sampled-document';
import { heldBytes } from '../rig/source/source';
import { type ReduceOptions, reduceRecipeOf } from './options';
import { reduceScene } from './reduce-scene';
import type { ReducedClip } from './types';
import { applyReduced } from './write/document';

/** Result of {@link reduceDocument}. */
export interface Reduction {
    /** Reports on the reduced clips. */
    readonly clips: readonly ReducedClip[];
    /** Extent of the model, in its units: docs/format.md. */
    readonly extent: number;
    /** The bound that was kept, model units. */
    readonly maxError: number;
}

/**
 * Reduces the keys of a glTF-Transform Document in place, as `reduceFile` does for a file. A Document has already lost
 * parts of its file: see `Rig.fromDocument`. Channels of KHR_animation_pointer are included if the extension of
 * `loadAnimationPointer` has read the file.
 *
 * @param document Only its animations change.
 * @param options As for `reduceFile`, without `animations`, and without `compress`, which is up to the writer. `strict`
 * has no effect: a Document has no warnings.
 * @returns A report on each clip.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, UsageError; InputError `GLTF_INVALID` for contents that no glTF file may have;
 * as `reduceFile`.
 * @example
 * const document = await new NodeIO().read('hero.glb');
 * const { clips } = await reduceDocument(document, { maxError: '0.5mm' });
 */
export async function reduceDocument(document: ChangeableDocument, options: ReduceOptions = {}): Promise<Reduction> {
    return checked('reduceDocument', options)(document);
}

/**
 * A transform for glTF-Transform: `reduceDocument` with these options.
 *
 * @param options As for `reduceDocument`.
 * @returns A transform for `document.transform`.
 * @throws At once: TypeError `ERR_ARGUMENT_TYPE`, UsageError. From the transform: as `reduceDocument`.
 * @example
 * const document = await new NodeIO().read('hero.glb');
 * await document.transform(reduceAnimations({ maxError: '0.5mm' }));
 */
export function reduceAnimations(options: ReduceOptions = {}): (document: ChangeableDocument) => Promise<void> {
    const reduce = checked('reduceAnimations', options);
    return async function reduceAnimationsTransform(document) {
        await reduce(document);
    };
}

function checked(routine: string, options: ReduceOptions): (document: ChangeableDocument) => Promise<Reduction> {
    const recipe = reduceRecipeOf(routine, options);
    if (recipe.compress !== 'none') {
        throw namingOptions((name) => {
            const rule = `${name('compress')} is for files: of a Document, the writer compresses (EXTMeshoptCompression)`;
            return new UsageError(`${routine}: ${rule}`);
        });
    }
    if (recipe.clipRecipe) {
        throw namingOptions((name) => {
            const rule = `${name('animations')} is for files; of a Document, add the clips before`;
            return new UsageError(`${routine}: ${rule}`);
        });
    }
    return async (document) => {
        const source = sourceOfDocument(document, routine, '', CHANGED);
        const whole = { ...source, rigidMeshes: rigidMeshesOf(document, source) };
        const scene = { ...whole, ownBytes: heldBytes(whole), sha256: '', warnings: source.warnings ?? [] };
        const { animations, ...reduction } = await reduceScene(scene, recipe);
        applyReduced(document, animations);
        return reduction;
    };
}
