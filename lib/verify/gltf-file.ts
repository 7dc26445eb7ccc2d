// SPDX-License-Identifier: MIT

import { openInput } from '../gltf/files';
import { type CheckedFile, readChecked } from '../gltf/read';
import { relativePath } from '../gltf/references';
import { usedChannels } from './channels';
import type { GltfFile, GltfJson } from './gltf';
import { instanceAccessors, rigidPositions, skinnedPrimitives } from './vertices';

/*
 * The verifier shares a reader with the baker: files and the paths to them, the container, decompression, checks and limits.
 * The verifier by itself chooses the accessors and normalises integers.
 */

/** The integer that stands for 1, by component type: the normalised value is max(c / one, -1) (glTF 2.0, 3.11). */
const NORMALISED_ONE: Readonly<Record<number, number>> = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

/**
 * Reads a .glb or a .gltf with whatever buffers it names.
 *
 * @param loose As for `usedChannels`.
 * @throws InputError `FILE_UNREADABLE`, `NOT_GLTF`, `GLTF_INVALID`, `EXTENSION_UNSUPPORTED`.
 */
export async function readGltfFile(path: string, loose = false): Promise<GltfFile> {
    const checked = await readChecked(path);
    return decoded(path, checked, accessorsOf(checked.json as unknown as GltfJson, loose));
}

/** A file with all that its JSON refers to. */
export interface WholeFile extends GltfFile {
    /** The bytes of the images that have a `uri`, by that; of one that cannot be read, none. */
    readonly images: ReadonlyMap<string, Uint8Array | null>;
}

/**
 * The same, and more accessors.
 *
 * @param others Those of the JSON that are wanted besides the ones that evaluating needs.
 */
export async function readWholeFile(path: string, others: (json: GltfJson) => Iterable<number>): Promise<WholeFile> {
    const checked = await readChecked(path);
    const json = checked.json as unknown as GltfJson;
    const file = await decoded(path, checked, [...accessorsOf(json, false), ...others(json)]);
    const images = new Map<string, Uint8Array | null>();
    const { resolve } = openInput(path);
    for (const { uri } of Array.isArray(json.images) ? json.images : []) {
        if (typeof uri === 'string') images.set(uri, await imageAt(uri, resolve).catch(() => null));
    }
    return { ...file, images };
}

async function imageAt(uri: string, resolve: (path: string) => Promise<Uint8Array>): Promise<Uint8Array> {
    const comma = uri.indexOf(',');
    return /^data:/i.test(uri) ? Buffer.from(uri.slice(comma + 1), 'base64') : resolve(relativePath(uri));
}

async function decoded(path: string, checked: CheckedFile, accessors: Iterable<number>): Promise<GltfFile> {
    const json = checked.json as unknown as GltfJson;
    const numbers = new Map<number, Float64Array>();
    for (const [index, stored] of await checked.stored(accessors)) {
        const { componentType, normalized } = json.accessors![index]!;
        const one = normalized === true ? NORMALISED_ONE[componentType] : undefined;
        numbers.set(
            index,
            one === undefined ? Float64Array.from(stored) : Float64Array.from(stored, (c) => Math.max(c / one, -1)),
        );
    }
    const { buffers, sha256, maxNumbers } = checked;
    return { path, json, buffers, sha256, numbers, maxNumbers };
}

/** Every accessor that evaluating needs. */
function* accessorsOf(json: GltfJson, loose: boolean): Generator<number> {
    for (const [skin, { inverseBindMatrices }] of (json.skins ?? []).entries()) {
        if (inverseBindMatrices !== undefined) yield inverseBindMatrices;
        for (const { position, sets } of skinnedPrimitives(json, skin)) {
            yield position;
            for (const set of sets) yield* set;
        }
    }
    yield* rigidPositions(json);
    yield* instanceAccessors(json);
    for (const animation of (json.animations ?? []).keys()) {
        for (const { sampler } of usedChannels(json, animation, loose)) {
            yield sampler.input;
            yield sampler.output;
        }
    }
}
