// SPDX-License-Identifier: MIT

import { isObject, type JsonObject } from '../../gltf/json';
import { isKnownExtension } from '../../gltf/validate/extensions';

/** Lists of a glTF that lose and gain entries with the keys. */
export type IndexedList = 'accessors' | 'bufferViews';

/** Where a file refers to their entries by index: in the core, and in all extensions of `isKnownExtension`. */
const PLACES: Readonly<Record<IndexedList, readonly string[]>> = {
    accessors: [
        'animations/*/samplers/*/input',
        'animations/*/samplers/*/output',
        'meshes/*/extensions/KHR_mesh_primitive_restart/primitiveGroups/*/indices',
        'meshes/*/primitives/*/attributes/*',
        'meshes/*/primitives/*/extensions/CESIUM_primitive_outline/indices',
        'meshes/*/primitives/*/indices',
        'meshes/*/primitives/*/targets/*/*',
        'nodes/*/extensions/EXT_mesh_gpu_instancing/attributes/*',
        'skins/*/inverseBindMatrices',
    ],
    bufferViews: [
        'accessors/*/bufferView',
        'accessors/*/sparse/indices/bufferView',
        'accessors/*/sparse/values/bufferView',
        'extensions/EXT_lights_ies/lights/*/bufferView',
        'extensions/EXT_structural_metadata/propertyTables/*/properties/*/arrayOffsets',
        'extensions/EXT_structural_metadata/propertyTables/*/properties/*/stringOffsets',
        'extensions/EXT_structural_metadata/propertyTables/*/properties/*/values',
        'extensions/KHR_audio_emitter/audio/*/bufferView',
        'extensions/KHR_techniques_webgl/shaders/*/bufferView',
        'images/*/bufferView',
        'meshes/*/primitives/*/extensions/KHR_draco_mesh_compression/bufferView',
    ],
};

/** A property that holds an index. */
export type Place = [owner: Record<string, number>, key: string];

/** All properties of a file that refer to an entry of the list. */
export function placesOf(json: object, list: IndexedList): Place[] {
    const found: Place[] = [];
    const follow = (value: unknown, path: readonly string[]): void => {
        if (typeof value !== 'object' || value === null) return;
        const [step, ...rest] = path as [string, ...string[]];
        for (const key of step === '*' ? Object.keys(value) : [step]) {
            const child = (value as JsonObject)[key];
            if (rest.length > 0) follow(child, rest);
            else if (Number.isInteger(child)) found.push([value as Record<string, number>, key]);
        }
    };
    for (const place of PLACES[list]) follow(json, place.split('/'));
    return found;
}

/**
 * All integers in unknown extensions: any of them can be an index. Null without such extensions: then `placesOf` finds
 * every index of the file.
 */
export function unknownIndices(json: JsonObject): ReadonlySet<number> | null {
    const found = new Set<number>();
    let unknown =
        (json.extensionsUsed as unknown[] | undefined)?.some((name) => !isKnownExtension(String(name))) ?? false;
    const visit = (value: unknown, within: boolean): void => {
        if (within && Number.isInteger(value)) found.add(value as number);
        if (typeof value !== 'object' || value === null) return;
        for (const [key, child] of Object.entries(value)) {
            if (key === 'extras' && !within) continue;
            if (key !== 'extensions' || !isObject(child)) visit(child, within);
            else {
                for (const [name, extension] of Object.entries(child)) {
                    const known = isKnownExtension(name);
                    if (!known) unknown = true;
                    visit(extension, within || !known);
                }
            }
        }
    };
    visit(json, false);
    return unknown ? found : null;
}

/**
 * The order without some entries. Those from `added` on move into the holes, so references to others mostly stay valid.
 * If holes are left, later entries move up and all references change. With an unknown extension, references cannot all be
 * found, so a hole gets a copy of the last entry.
 */
export function settledOrder(count: number, gone: Iterable<number>, added: number, known: boolean): number[] {
    const free = [...gone].sort((a, b) => a - b);
    let next = 0;
    let order = Array.from({ length: added }, (_, index) => index);
    for (let index = added; index < count; index++) order[free[next++] ?? order.length] = index;
    free.splice(0, next);
    while (free.length > 0 && free[free.length - 1] === order.length - 1) {
        free.pop();
        order.pop();
    }
    const holes = new Set(free);
    if (known) order = order.filter((index) => !holes.has(index));
    else for (const hole of holes) order[hole] = order[order.length - 1]!;
    return order;
}

/** Puts entries into an order, and changes all references to them. */
export function settle(json: object, list: IndexedList, order: readonly number[]): void {
    const lists = json as Record<string, object[]>;
    const entries = lists[list] ?? [];
    const indices = new Map(order.map((entry, index) => [entry, index]));
    const placed = order.map((entry, index) =>
        indices.get(entry) === index ? entries[entry] : structuredClone(entries[entry]),
    );
    if (placed.length > 0) lists[list] = placed;
    else delete lists[list];
    for (const [owner, key] of placesOf(json, list)) owner[key] = indices.get(owner[key]!) ?? owner[key]!;
}
