// SPDX-License-Identifier: MIT

import type { SceneNode } from '../../gltf/scene';

/** The nodes whose mesh has morph targets, and the places of their weights among those of a pose. */
export interface Morphs {
    /** Node of each morph. */
    readonly nodes: readonly number[];
    /** The morph of a node that has one. */
    readonly ofNode: ReadonlyMap<number, number>;
    /** [morph][2]: first weight, number of weights. */
    readonly ranges: Int32Array;
    /** All weights at rest (glTF 2.0, section 3.7.4). */
    readonly rest: Float32Array;
}

export function findMorphs(nodes: readonly SceneNode[]): Morphs {
    const morphing = nodes.flatMap(({ weights }, node) => (weights.length > 0 ? [node] : []));
    const ranges = new Int32Array(morphing.length * 2);
    let first = 0;
    for (const [morph, node] of morphing.entries()) {
        const { length } = nodes[node]!.weights;
        ranges.set([first, length], morph * 2);
        first += length;
    }
    const rest = new Float32Array(first);
    for (const [morph, node] of morphing.entries()) rest.set(nodes[node]!.weights, ranges[morph * 2]!);
    return { nodes: morphing, ofNode: new Map(morphing.map((node, morph) => [node, morph])), ranges, rest };
}
