// SPDX-License-Identifier: MIT

import type { Document, GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { checkCallback, describe } from '../../base/arguments';
import { InputError, typeError } from '../../base/errors';
import { faultyClips } from '../../gltf/faulty-clips';
import type { InputFiles } from '../../gltf/input';
import { numberAtEnd } from '../../gltf/json';
import { readGltfKept } from '../../gltf/read';
import type { GltfScene, Warning } from '../../gltf/scene';
import type { ChangeableDocument } from '../../rig/source/sampled-document';
import { type BakePlan, planBake, sharedRate } from '../plan/plan';
import { renormalized } from '../plan/renormalize';
import { selectAnimations } from '../plan/select';
import { type ResampleOptions, resampleRecipe } from './bake-animations';
import { readDocument } from './read-document';
import { replaceClips } from './replace-clips';

/**
 * Maximum change of a matrix's 3x3 part when it becomes rotation and scale, relative to its size. Translation stays
 * exact.
 */
const MATRIX_TOLERANCE = 1e-6;

/** Options of {@link bakedGlb}. */
export interface GlbOptions extends ResampleOptions {
    /**
     * Called for each warning: what the GLB lost of the input, and the bake's own warnings.
     *
     * @param warning One warning.
     */
    onWarning?(warning: Warning): void;
}

/**
 * Returns the input as a GLB whose clips have dense float keys: see `bakeAnimations`. Clips that `clips` does not name
 * are removed, and so is compression. Channels of KHR_animation_pointer at nodes become ordinary channels.
 *
 * @param input Path of a `.glb` or `.gltf`. It and the files it refers to are read once, before anything else.
 * @param options Frame rate and clips.
 * @returns The bytes of the GLB.
 * @throws As `bakeFile`; InputError `MATRIX_NOT_TRS` for a node whose matrix has shear or no volume, which
 * glTF-Transform would change.
 * @example
 * await writeFile('hero-dense.glb', await bakedGlb('hero.glb', { fps: 30 }));
 */
export async function bakedGlb(input: string, options: GlbOptions = {}): Promise<Uint8Array> {
    if (typeof input !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `bakedGlb: input must be a path, got ${describe(input)}`);
    }
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `bakedGlb: options must be an object, got ${describe(options)}`);
    }
    const { onWarning, ...resample } = options;
    checkCallback('bakedGlb', 'options.onWarning', onWarning);
    const recipe = resampleRecipe('bakedGlb', resample);
    const { scene: read, files } = await readGltfKept(input, { looseClips: true });
    const scene = recipe.renormalize ? renormalized(read) : read;
    const animations = selectAnimations(scene, recipe.clips, input);
    const selection = { scene, file: input, recipe, characters: [], animations };
    const plan = planBake(selection, sharedRate(selection));
    const { bytes, warnings } = await glbOfPlan(plan, files);
    for (const warning of [...scene.warnings, ...warnings]) onWarning?.(warning);
    return bytes;
}

/** As {@link bakedGlb}, for a plan of the input with the bytes that were read. */
export async function glbOfPlan(
    { scene, file, clips }: Pick<BakePlan, 'scene' | 'file' | 'clips'>,
    files: InputFiles,
): Promise<{ bytes: Uint8Array; warnings: readonly Warning[] }> {
    const { document, json, warnings, write } = await readDocument(files, faultyClips(scene));
    refuseLostMatrices(document, json, file);
    addAnimations(document, scene);
    replaceClips(document as ChangeableDocument, scene, clips);
    const wanted = new Set(clips.map(({ animation }) => animation));
    for (const [index, animation] of document.getRoot().listAnimations().entries()) {
        const resolved = new Set(scene.animations[index]!.channels.map(({ pointer }) => pointer));
        for (const [number, channel] of animation.listChannels().entries()) {
            // The reader has warned of these channels: a missing target cannot be written.
            if (!resolved.has(`/animations/${index}/channels/${number}`)) channel.dispose();
        }
        if (wanted.has(index) && animation.listChannels().length > 0) continue;
        for (const sampler of animation.listSamplers()) sampler.dispose();
        animation.dispose();
    }
    for (const accessor of document.getRoot().listAccessors()) {
        if (accessor.listParents().every(({ propertyType }) => propertyType === 'Root')) accessor.dispose();
    }
    return { bytes: await write(), warnings };
}

/**
 * Adds the clips of other files, with a channel for each channel number in the pointers. `replaceClips` sets their
 * keys.
 */
function addAnimations(document: Document, { animations }: GltfScene): void {
    for (const { name, channels } of animations.slice(document.getRoot().listAnimations().length)) {
        const animation = document.createAnimation(name);
        const count = channels.reduce((max, { pointer }) => Math.max(max, numberAtEnd(pointer) + 1), 0);
        for (let i = 0; i < count; i++) animation.addChannel(document.createAnimationChannel());
    }
}

function refuseLostMatrices(document: Document, json: GLTF.IGLTF, file: string): void {
    const nodes = document.getRoot().listNodes();
    for (const [index, { matrix, name = '' }] of (json.nodes ?? []).entries()) {
        if (matrix === undefined) continue;
        const kept = nodes[index]!.getMatrix();
        const size = Math.max(...matrix.slice(0, 12).map(Math.abs));
        const lost = matrix.reduce((max, x, i) => Math.max(max, Math.abs(x - kept[i]!)), 0);
        if (lost <= MATRIX_TOLERANCE * size) continue;
        const rule =
            `node ${index} '${name}': its matrix has shear or no volume, and a glb has translation, rotation and scale: ` +
            `they would be off by ${lost.toPrecision(2)}`;
        throw new InputError('MATRIX_NOT_TRS', file, `/nodes/${index}/matrix`, rule);
    }
}
