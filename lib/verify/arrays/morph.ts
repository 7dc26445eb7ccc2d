// SPDX-License-Identifier: MIT

import { readElements } from '../read-bake';
import { ArrayFault, type Maker, needFloat32, needShape, toleranceOf, worstOf } from './check';

export const checkMorph: Maker = (judged, array, name) => {
    const { files, subject } = judged;
    const meshes = array.meshes ?? [];
    const width = meshes.reduce((sum, { count }) => sum + count, 0);
    needShape(array, [width], ['weights']);
    needFloat32(array);
    let first = 0;
    for (const mesh of meshes) {
        const inFile = subject.evaluator.nodes[mesh.node] && subject.evaluator.morphTargetsOf(mesh.node);
        if (mesh.first !== first || mesh.count !== inFile) {
            throw new ArrayFault(
                `node ${mesh.node}: ${mesh.count} weights from ${mesh.first} on, needs ${inFile} from ${first}`,
            );
        }
        first += mesh.count;
    }
    const baked = new Float64Array(width);
    return {
        array: name,
        byThree: false,
        scale: 1,
        tolerance: toleranceOf(judged, name),
        worst(row, { animation, time }) {
            readElements(files.bin, array, row * width, baked);
            const expected = meshes.flatMap(({ node }) => subject.evaluator.weights(node, animation, time));
            // Relative for weights above 1, as float32 precision is.
            const errorOf = (k: number) => Math.abs(baked[k]! - expected[k]!) / Math.max(1, Math.abs(expected[k]!));
            return worstOf(width, errorOf, 1, () => 0);
        },
        nameOf(item) {
            const mesh = meshes.findLast(({ first: start }) => start <= item)!;
            return { joint: -1, what: `weight ${item - mesh.first} of node ${mesh.node} '${mesh.name}'` };
        },
    };
};
