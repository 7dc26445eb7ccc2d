// SPDX-License-Identifier: MIT

/** Reductions that go through a cache. */

import { basename } from 'node:path';
import { GLB_MAGIC } from '../base/glb';
import type { FoundEntry } from '../cache/cache';
import { entryHash, hashesOf, type Kept } from '../cache/through';
import { amountOf, countOf, flagOf, hashText, listOf, objectOf, orNull, textOf, warningsOf } from '../cache/values';
import { type InputFiles, inputOfBytes } from '../gltf/input';
import { readGltf } from '../gltf/read';
import type { ReduceRecipe } from './options';
import type { ReduceResult } from './result';
import type { ReducedClip } from './types';
import type { AnimationBytes } from './write/animation-bytes';

type Note = Omit<ReduceResult, 'bytes' | 'cache'>;

const GLB = 'reduced.glb';

/** @param inputs The input and the files with further clips. Each must have the same bytes at every read. */
export async function keptReduction(inputs: readonly InputFiles[], recipe: ReduceRecipe): Promise<Kept<ReduceResult>> {
    const { animations, ...rest } = recipe;
    // The result contains the images, so they are hashed too.
    const hashed = await Promise.all(inputs.map((files) => hashesOf(files, true))).catch(() => null);
    return {
        key:
            hashed &&
            (await entryHash(
                'poselane-reduce-3',
                hashed.map(({ hashes }) => hashes),
                rest,
            )),
        entryOf: ({ bytes, cache: _, ...note }) => ({ files: new Map([[GLB, bytes]]), note: note satisfies Note }),
        limitsOf: async (note) => {
            noteOf(note, recipe);
            return new Map([[GLB, Infinity]]);
        },
        resultOf: (entry) => resultOf(entry, basename(inputs[0]!.file), recipe),
    };
}

/** @throws Error for a damaged or foreign entry: later code relies on every type. */
async function resultOf({ files, note }: FoundEntry, name: string, recipe: ReduceRecipe): Promise<ReduceResult> {
    const bytes = files.get(GLB)!.bytes();
    if (bytes.byteLength < 4 || Buffer.from(bytes).readUInt32LE(0) !== GLB_MAGIC) throw new Error('no GLB');
    // Read as an untrusted file. A file that this version wrote refers to no other.
    const { nodes } = await readGltf(name, { surfaces: true, rigid: true }, inputOfBytes(name, bytes));
    const found = noteOf(note, recipe);
    const isThere = ({ worst }: ReducedClip) => worst === null || worst.node < nodes.length;
    if (found.name !== name || !found.clips.every(isThere)) throw new Error('another file');
    return { bytes, ...found };
}

/** @throws Any error if it is not the note of a reduction. */
function noteOf(value: unknown, { strict }: ReduceRecipe): Note {
    const { name, sha256, extent, maxError, clips, before, after, warnings } = objectOf(value);
    return {
        name: textOf(name),
        sha256: hashText(sha256),
        extent: amountOf(extent),
        maxError: amountOf(maxError),
        clips: listOf(clips, clipOf),
        before: sizesOf(before),
        after: sizesOf(after),
        warnings: warningsOf(warnings, strict),
    };
}

function clipOf(value: unknown): ReducedClip {
    const { name, animation, keysBefore, keysAfter, error, worst, kept, dropped } = objectOf(value);
    return {
        name: textOf(name),
        animation: countOf(animation),
        keysBefore: countOf(keysBefore),
        keysAfter: countOf(keysAfter),
        error: amountOf(error),
        worst: orNull(worst, (place) => {
            const { error, time, node } = objectOf(place);
            return { error: amountOf(error), time: amountOf(time), node: countOf(node) };
        }),
        kept: flagOf(kept),
        dropped: countOf(dropped),
    };
}

function sizesOf(value: unknown): AnimationBytes {
    const { keys, bytes, gzip } = objectOf(value);
    return { keys: countOf(keys), bytes: countOf(bytes), gzip: countOf(gzip) };
}
