// SPDX-License-Identifier: MIT

import type { SceneNode } from '../../gltf/scene';
import { readWeights } from '../batch';
import type { ManifestMorph } from '../manifest';
import { type BakedArray, floatArray } from './array';

/**
 * Morph weights, `[row][weight]`.
 *
 * @param morphs Nodes with weights, those that the rig evaluates, in the order of the file.
 */
export function morphArray(nodes: readonly SceneNode[], morphs: readonly number[]): BakedArray {
    let first = 0;
    const meshes = morphs.map((node): ManifestMorph => {
        const { name, weights } = nodes[node]!;
        const mesh = { node, name, first, count: weights.length };
        first += weights.length;
        return mesh;
    });
    const about = { name: 'morph', layout: 'weights', row: [first], about: { meshes } } as const;
    return floatArray(about, (rows, { poses }) => readWeights(rows, poses, first));
}
