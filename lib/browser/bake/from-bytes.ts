// SPDX-License-Identifier: MIT

import { type BakeResult, bakeRead } from '../../bake/bake';
import { type BakeOptions, OWN_FILES, recipeOf } from '../../bake/plan/options';
import { checkHooks } from '../../base/arguments';
import { UsageError } from '../../base/errors';
import { unlessAborted } from '../../base/follow-signal';
import type { BakeHooks } from '../../base/progress';
import { type FileBytes, viewOfInput } from '../../gltf/file-bytes';
import { checkedResolve } from '../../gltf/input';
import { CLIPS_ALONE, type ReadOptions, readScene } from '../../gltf/read-scene';
import type { GltfScene } from '../../gltf/scene';
import { readFor, withClips } from '../../rig/retarget/merge';
import { decoderOf, type LoadOptions } from '../../typescript/rig';
import { sha256Of } from '../sha256';
import { ready } from '../webassembly';

/** A file in memory, and its decoders. */
export interface BrowserFileBytes extends FileBytes, Pick<LoadOptions, 'decoders'> {}

const ROUTINE = 'bakeFile';

/**
 * As `bakeFile` in Node, from bytes: the same file and options give the same outputs, byte for byte. The page stays
 * responsive, but a bake takes seconds, so a worker is the right place for it. `glb` and `pvat` are not supported.
 *
 * @param input The bytes of a `.glb` or `.gltf`, its name, and a function that reads the files it refers to.
 * @param options Arrays, clips and frame rate. `animations` are bytes with names, decoded like the input.
 * @param hooks Progress, and a signal that cancels the bake.
 * @returns The outputs, one for each skin. `bakedFiles` converts them to files.
 * @throws As `bakeFile` in Node; InputError `EXTENSION_UNSUPPORTED` for compressed data without a decoder; UsageError
 * in a page that is neither from https nor from localhost, where browsers have no `crypto.subtle`.
 * @example
 * const name = 'hero.glb';
 * const bytes = await (await fetch(name)).arrayBuffer();
 * const bake = await bakeFile({ bytes, name }, { fps: 60 }, { onProgress: (done, total) => console.log(done / total) });
 */
export async function bakeFile(
    input: BrowserFileBytes,
    options: BakeOptions = {},
    hooks: BakeHooks = {},
): Promise<BakeResult> {
    const started = performance.now();
    const bytes = viewOfInput(ROUTINE, input);
    const recipe = recipeOf(ROUTINE, options);
    const own = OWN_FILES.find((name) => recipe.emit.has(name));
    if (own !== undefined) throw new UsageError(`emit: '${own}' is not made in browsers: use Node, or poselane bake`);
    checkHooks(ROUTINE, hooks);
    const { signal } = hooks;
    signal?.throwIfAborted();
    const { animations = [], clipRecipe } = recipe;
    const [read] = await Promise.all([
        readBytes(input, bytes, { ...readFor(clipRecipe), looseClips: true }, signal),
        ready(),
    ]);
    if (clipRecipe === null) return bakeRead(read, input.name, recipe, hooks, started);
    const clips = [];
    for (const [index, source] of (animations as readonly FileBytes[]).entries()) {
        const view = viewOfInput(ROUTINE, source, undefined, `options.animations[${index}]`);
        const wanted = { ...CLIPS_ALONE, looseClips: true };
        const scene = await readBytes({ decoders: input.decoders, ...source }, view, wanted, signal);
        clips.push({ scene, file: source.name });
    }
    return bakeRead(withClips(read, clips, clipRecipe), input.name, recipe, hooks, started);
}

/** Reads the scene of a file, with the same hash as Node's reader. */
export async function readBytes(
    { name, resolve, decoders }: BrowserFileBytes,
    bytes: Uint8Array,
    wanted: ReadOptions = { rigid: true },
    signal?: AbortSignal,
): Promise<GltfScene> {
    const seen: Uint8Array[] = [];
    const see = (json: Uint8Array) => seen.push(json);
    const decode = decoderOf(decoders, ROUTINE, 'input.decoders', 'bake the file in Node (poselane bake)');
    const own = checkedResolve(ROUTINE, resolve, signal);
    const file = { file: name, load: () => bytes, resolve: own, decode, see };
    // A decoder's `ready` is also a promise of the caller's.
    const { scene, buffers } = await unlessAborted(readScene(file, wanted), signal);
    return { name, sha256: await sha256Of([...seen, ...buffers.filter((data) => data !== null)]), ...scene };
}
