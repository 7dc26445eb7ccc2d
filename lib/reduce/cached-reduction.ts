// SPDX-License-Identifier: MIT

/** A reduction by way of a cache: what is kept of it. */

import { basename } from 'node:path';
import type { BakeCache, FoundEntry } from '../bake/cache/cache';
import {
    findKept,
    hashesOf,
    type Kept,
    keyOf,
    type Search,
    type SearchHooks,
    throughCache,
} from '../bake/cache/through';
import type { InputFiles } from '../gltf/input';
import type { ReduceRecipe } from './options';
import type { ReduceResult } from './result';
import type { ReducedClip } from './types';
import type { AnimationBytes } from './write/animation-bytes';

type Note = Omit<ReduceResult, 'bytes' | 'cache'>;

const GLB = 'reduced.glb';

/**
 * The reduction from the cache, or a new one, which is kept. Without a cache, a new one.
 *
 * @param files Each must be the same whenever it is read.
 * @throws What `reduce` throws; the signal's reason.
 */
export async function reduceThrough(
    files: InputFiles,
    recipe: ReduceRecipe,
    { cache, signal }: { readonly cache?: BakeCache; readonly signal?: AbortSignal },
    reduce: () => Promise<ReduceResult>,
): Promise<ReduceResult> {
    if (cache === undefined) return reduce();
    return throughCache({ cache, signal }, await keptAs(files, recipe), reduce);
}

/**
 * Looks for a reduction.
 *
 * @throws The signal's reason.
 */
export async function findReduction(
    files: InputFiles,
    recipe: ReduceRecipe,
    hooks: SearchHooks,
): Promise<Search<ReduceResult>> {
    return findKept(hooks, await keptAs(files, recipe));
}

async function keptAs(files: InputFiles, recipe: ReduceRecipe): Promise<Kept<ReduceResult>> {
    // Images are in the result, too.
    const hashed = await hashesOf(files, true).catch(() => null);
    return {
        key: hashed && (await keyOf('poselane-reduce', hashed.hashes, recipe)),
        entryOf: ({ bytes, cache: _, ...note }) => ({ files: new Map([[GLB, bytes]]), note: note satisfies Note }),
        resultOf: (entry) => resultOf(entry, basename(files.file)),
    };
}

/** @throws Whatever, for an entry that somebody else made: none of it may do harm later. */
function resultOf({ files, note }: FoundEntry, name: string): ReduceResult {
    const { sha256, extent, maxError, clips, before, after, warnings } = note as Note;
    const bytes = files.get(GLB)?.bytes();
    if (bytes === undefined || !/^[0-9a-f]{64}$/.test(sha256)) throw new Error('no reduction');
    return {
        bytes,
        name,
        sha256,
        extent: finite(extent),
        maxError: finite(maxError),
        clips: clips.map(clipOf),
        before: sizesOf(before),
        after: sizesOf(after),
        warnings: warnings.map(({ code, pointer, message }) => ({
            code: String(code),
            pointer: String(pointer),
            message: String(message),
        })),
    };
}

function clipOf({ name, animation, keysBefore, keysAfter, error, worst, kept, dropped }: ReducedClip): ReducedClip {
    return {
        name: String(name),
        animation: finite(animation),
        keysBefore: finite(keysBefore),
        keysAfter: finite(keysAfter),
        error: finite(error),
        worst: worst && { error: finite(worst.error), time: finite(worst.time), node: finite(worst.node) },
        kept: kept === true,
        dropped: finite(dropped),
    };
}

function sizesOf({ keys, bytes, gzip }: AnimationBytes): AnimationBytes {
    return { keys: finite(keys), bytes: finite(bytes), gzip: finite(gzip) };
}

function finite(value: number): number {
    if (!Number.isFinite(value)) throw new Error('no number');
    return value;
}
