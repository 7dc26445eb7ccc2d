// SPDX-License-Identifier: MIT

import { isObject, type JsonObject } from './json';

/** Names of the morph targets of nodes' meshes, by node: `extras.targetNames`, as exporters write them. Without others. */
export function targetNamesOf({ nodes, meshes }: JsonObject): ReadonlyMap<number, readonly string[]> {
    const named = (Array.isArray(meshes) ? meshes : []).map((mesh: unknown) => {
        const names = isObject(mesh) && isObject(mesh.extras) ? mesh.extras.targetNames : null;
        return Array.isArray(names) && names.every((name) => typeof name === 'string') ? (names as string[]) : null;
    });
    return new Map(
        (Array.isArray(nodes) ? nodes : []).flatMap((node: unknown, index) => {
            const names = isObject(node) ? named[node.mesh as number] : null;
            return names ? [[index, names] as const] : [];
        }),
    );
}
