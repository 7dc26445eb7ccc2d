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

/** What became of a Document. */
export interface Reduction {
    /** Those that were reduced. */
    readonly clips: readonly ReducedClip[];
    /** Of the model at rest, in its units. */
    readonly extent: number;
    /** The bound that was kept, model units. */
    readonly maxError: number;
}

/**
 * Reduces the keys of a glTF-Transform Document in place, as `reduceFile` those of a file. Such a Document has already lost some of its
 * file (see `Rig.fromDocument`). Channels by KHR_animation_pointer are taken in where `loadAnimationPointer`'s extension has
 * read the file.
 *
 * @param document Its animations change, and nothing else.
 * @param options As for `reduceFile`, without `compress`, which is the writer's; `strict` has no meaning: a Document has no warnings.
 * @returns What became of each clip.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, UsageError; InputError `GLTF_INVALID` for what no file may hold; as `reduceFile`.
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
 * @returns What `document.transform` takes.
 * @throws At once: TypeError `ERR_ARGUMENT_TYPE`, UsageError; the transform: as `reduceDocument`.
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
    return async (document) => {
        const source = sourceOfDocument(document, routine, '', CHANGED);
        const whole = { ...source, rigidMeshes: rigidMeshesOf(document, source) };
        const scene = { ...whole, ownBytes: heldBytes(whole), sha256: '', warnings: source.warnings ?? [] };
        const { animations, ...reduction } = await reduceScene(scene, recipe);
        applyReduced(document, animations);
        return reduction;
    };
}
