// SPDX-License-Identifier: MIT

import { type GltfFile, refuse } from './gltf-file';

/** The parent of each node, -1 for a root. */
export function parentsOf({ path, json }: GltfFile): Int32Array {
    const nodes = json.nodes ?? [];
    const parents = new Int32Array(nodes.length).fill(-1);
    for (const [index, { children = [] }] of nodes.entries()) {
        for (const [i, child] of children.entries()) {
            const pointer = `/nodes/${index}/children/${i}`;
            if (parents[child] === undefined) refuse(path, pointer, 'there is no such node (3.3)');
            if (parents[child] !== -1) refuse(path, pointer, `node ${child} has two parents (3.5.2)`);
            parents[child] = index;
        }
    }
    return parents;
}

/** All nodes, parents before their children. Without recursion: a chain of a million nodes is legal. */
export function parentsFirst({ path, json }: GltfFile, parents: Int32Array): Int32Array {
    const order = new Int32Array(parents.length);
    let filled = 0;
    for (let node = 0; node < parents.length; node++) if (parents[node] === -1) order[filled++] = node;
    for (let done = 0; done < filled; done++) {
        for (const child of json.nodes![order[done]!]!.children ?? []) order[filled++] = child;
    }
    if (filled < parents.length) refuse(path, '/nodes', 'the hierarchy has a cycle (3.5.2)');
    return order;
}
