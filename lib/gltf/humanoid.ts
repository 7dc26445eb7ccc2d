// SPDX-License-Identifier: MIT

import { extensionOf, isObject, type JsonObject } from './json';

/**
 * Nodes by humanoid bone, as the extensions VRM (0.x: a list), VRMC_vrm and VRMC_vrm_animation (1.0: an object) name
 * them. Undefined without such an extension. Entries that name no node are left out: they are not needed to evaluate
 * the file.
 */
export function humanoidOf(json: JsonObject): Readonly<Record<string, number>> | undefined {
    const owner = ['VRMC_vrm', 'VRMC_vrm_animation', 'VRM'].map((name) => extensionOf(json, name)).find(Boolean);
    const bones = isObject(owner?.humanoid) ? owner.humanoid.humanBones : undefined;
    const entries: [unknown, unknown][] = Array.isArray(bones)
        ? bones.map((one) => (isObject(one) ? [one.bone, one.node] : [null, null]))
        : Object.entries(isObject(bones) ? bones : {}).map(([bone, one]) => [bone, isObject(one) ? one.node : null]);
    const count = Array.isArray(json.nodes) ? json.nodes.length : 0;
    const known = entries.filter(
        (entry): entry is [string, number] =>
            typeof entry[0] === 'string' &&
            Number.isInteger(entry[1]) &&
            (entry[1] as number) >= 0 &&
            (entry[1] as number) < count,
    );
    return known.length === 0 ? undefined : Object.fromEntries(known);
}
