// SPDX-License-Identifier: MIT

import type { GltfFile } from './gltf';
import { compose } from './matrix';

/**
 * Transforms of a node's mesh instances in the node's space (EXT_mesh_gpu_instancing), column-major; null without
 * instances.
 */
export function instancesOf(
    { json, numbers }: Pick<GltfFile, 'json' | 'numbers'>,
    node: number,
): Float64Array[] | null {
    const { TRANSLATION, ROTATION, SCALE } = json.nodes![node]!.extensions?.EXT_mesh_gpu_instancing?.attributes ?? {};
    const listOf = (accessor: number | undefined) => (accessor === undefined ? undefined : numbers.get(accessor));
    const [translations, rotations, scales] = [listOf(TRANSLATION), listOf(ROTATION), listOf(SCALE)];
    const count = translations
        ? translations.length / 3
        : rotations
          ? rotations.length / 4
          : scales && scales.length / 3;
    if (count === undefined) return null;
    return Array.from({ length: count }, (_, i) => {
        const matrix = new Float64Array(16);
        const place = [
            ...(translations?.subarray(i * 3, i * 3 + 3) ?? [0, 0, 0]),
            ...(rotations?.subarray(i * 4, i * 4 + 4) ?? [0, 0, 0, 1]),
            ...(scales?.subarray(i * 3, i * 3 + 3) ?? [1, 1, 1]),
        ];
        compose(matrix, 0, Float64Array.from(place), 0);
        return matrix;
    });
}
