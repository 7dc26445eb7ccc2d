// SPDX-License-Identifier: MIT

import { GltfBuilder, keyed } from './gltf-builder';
import { random as randomOf } from './random';

/** From a mesh's vertices to those of the model: what quantization puts into the inverse bind matrices of its skin. */
export interface Part {
    readonly scale: number;
    readonly translation: readonly [number, number, number];
    /** Instead of these, a matrix of any kind. */
    readonly matrix?: readonly number[];
}

const multiply = (a: readonly number[], b: readonly number[]) =>
    Array.from({ length: 16 }, (_, i) =>
        [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i % 4)]! * b[Math.floor(i / 4) * 4 + k]!, 0),
    );

export function matrixOf({ scale: s, translation, matrix }: Part): readonly number[] {
    return matrix ?? [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, ...translation, 1];
}

/**
 * A character of two joints with a mesh of 12 vertices and a morph target for each part.
 *
 * @param parts As tools leave it, with a skin for each part; `whole`: all meshes in the model's own space, with one skin.
 */
export function quantizedModel(
    folder: string,
    name: string,
    parts: readonly Part[],
    { whole = false, far = 0 }: { whole?: boolean; far?: number } = {},
): string {
    const random = randomOf(36);
    const builder = new GltfBuilder([
        { name: 'hip', children: [1], translation: [far, 1, 0] },
        { name: 'knee', translation: [0.5, 1, 0], rotation: [0.5, 0.5, 0.5, 0.5] },
    ]);
    // Inverses of the joints at rest.
    const binds = [
        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -far, -1, 0, 1],
        [0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, -far - 0.5, 1],
    ];
    const shared = whole ? builder.skin([0, 1], { inverseBindMatrices: binds }) : -1;
    const nodes = parts.map((part) => {
        const { scale, translation } = part;
        const own = whole ? { scale: 1, translation: [0, 0, 0] } : { scale, translation };
        const skin = whole
            ? shared
            : builder.skin([0, 1], { inverseBindMatrices: binds.map((bind) => multiply(bind, matrixOf(part))) });
        const dyadic = (size: number) => Math.round((random() - 0.5) * size * 64) / 64;
        const vertices = Array.from({ length: 12 }, () => {
            const weight = Math.round(random() * 8) / 8;
            const place = [far + dyadic(1), 1 + dyadic(2), dyadic(1)];
            return {
                at: place.map((x, c) => (x - own.translation[c]!) / own.scale),
                joints: [0, 1, 0, 0],
                weights: [weight, 1 - weight, 0, 0],
            };
        });
        const target = vertices.map(() => [dyadic(1), dyadic(1), dyadic(1)].map((x) => x / own.scale));
        return builder.vertices(skin, vertices, [0], [target]);
    });
    builder.animation('move', [
        keyed(0, 'translation', [0, 1], [far, 1, 0], [far + 1, 1.5, 0.25]),
        keyed(1, 'rotation', [0, 1], [0.5, 0.5, 0.5, 0.5], [0, 0, 0, 1]),
        ...nodes.map((node) => keyed(node, 'weights', [0, 1], [0], [1])),
    ]);
    return builder.write(folder, name);
}

/** Exact in float32, as are all numbers that follow from it. */
export const DYADIC: readonly Part[] = [
    { scale: 0.5, translation: [0.25, 1, -0.5] },
    { scale: 0.25, translation: [-1, 0.5, 0.75] },
    { scale: 2, translation: [0, 0.125, 0] },
];

/** As quantization makes it. */
export const ROUNDED: readonly Part[] = [
    { scale: 0.731, translation: [0.1, 1.1, -0.3] },
    { scale: 0.2917, translation: [-0.7, 0.4, 0.9] },
    { scale: 1.1133, translation: [0.01, 0.2, 0.003] },
];
