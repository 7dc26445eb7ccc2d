// SPDX-License-Identifier: MIT

import { openInput } from '../gltf/files';
import { type CheckedFile, readChecked } from '../gltf/read';
import { relativePath } from '../gltf/references';
import { usedChannels } from './channels';
import type { GltfFile, GltfJson } from './gltf';
import { instancingOf, normalsOf, rigidPositions, skinnedPrimitives, targetPositions } from './vertices';

/**
 * The verifier shares the baker's reader: files and their paths, the container, decompression, checks and limits. It
 * chooses the accessors and normalizes integers on its own.
 */

/** The integer that represents 1, by component type. The normalized value is max(c / one, -1) (glTF 2.0, 3.11). */
const NORMALISED_ONE: Readonly<Record<number, number>> = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

/**
 * Reads a .glb or a .gltf with its buffers.
 *
 * @param loose As for `usedChannels`.
 * @param all Whether to read all meshes and their targets, because clips of other files may move them.
 * @throws InputError `FILE_UNREADABLE`, `NOT_GLTF`, `GLTF_INVALID`, `EXTENSION_UNSUPPORTED`.
 */
export async function readGltfFile(path: string, loose = false, all = false, withNormals = false): Promise<GltfFile> {
    const checked = await readChecked(path);
    const json = checked.json as unknown as GltfJson;
    const targets = loose ? [] : targetPositions(json, all);
    return decoded(path, checked, [
        ...accessorsOf(json, loose, all),
        ...targets,
        ...(withNormals ? normalsOf(json) : []),
    ]);
}

/** A file with everything that its JSON refers to. */
export interface WholeFile extends GltfFile {
    /** The bytes of images, by `uri`; null for one that cannot be read. */
    readonly images: ReadonlyMap<string, Uint8Array | null>;
}

/**
 * As `readGltfFile`, with further accessors.
 *
 * @param others Returns the accessors to read besides those for evaluation.
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
    const { buffers, sha256, maxNumbers, faults } = checked;
    return { path, json, buffers, sha256, numbers, maxNumbers, faults };
}

/** Every accessor that evaluation needs. */
function* accessorsOf(json: GltfJson, loose: boolean, all = false): Generator<number> {
    for (const [skin, { inverseBindMatrices }] of (json.skins ?? []).entries()) {
        if (inverseBindMatrices !== undefined) yield inverseBindMatrices;
        for (const { position, sets } of skinnedPrimitives(json, skin)) {
            yield position;
            for (const set of sets) yield* set;
        }
    }
    yield* rigidPositions(json, all);
    yield* instancingOf(json, all);
    for (const animation of (json.animations ?? []).keys()) {
        for (const { sampler } of usedChannels(json, animation, loose)) {
            yield sampler.input;
            yield sampler.output;
        }
    }
}
