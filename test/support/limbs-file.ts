// SPDX-License-Identifier: MIT

/** A small file with all that the layout qts16 supports. */

import { compose } from '../../lib/verify/matrix';
import { GltfBuilder, type NodeSpec } from './gltf-builder';
import { random, randomRotation, randomVector } from './random';

/**
 * A chain of three joints with inverse bind matrices that turn, move and scale, under a scaled root; keys with any of the two quaternions
 * of a rotation; the second joint grows, vanishes and comes back inside out. On the last joint a mirrored mesh, which a jump hides. A
 * second skin shares the palette.
 */
export function limbsFile(folder: string, seed: number): string {
    const next = random(seed);
    const nodes: NodeSpec[] = [
        { children: [1], scale: [2, 2, 2] },
        { name: 'upper', children: [2], translation: [0, 1, 0] },
        { name: 'middle', children: [3], translation: randomVector(next, 1) },
        { name: 'lower', children: [4], translation: randomVector(next, 1) },
        { name: 'blade', scale: [0.5, -0.5, 0.5], rotation: randomRotation(next) },
    ];
    const gltf = new GltfBuilder(nodes);
    const inverseBindMatrices = [1, 2, 3].map(() => bind(randomRotation(next), randomVector(next, 1), 0.5));
    const skinned = gltf.skin([1, 2, 3], { inverseBindMatrices });
    gltf.vertices(
        skinned,
        Array.from({ length: 40 }, (_, v) => ({
            at: randomVector(next, 1),
            joints: [v % 3, (v + 1) % 3, 0, 0],
            weights: v % 4 === 0 ? [0.75, 0.25, 0, 0] : [1, 0, 0, 0],
        })),
    );
    gltf.skinnedMesh(gltf.skin([1, 2, 3], { inverseBindMatrices }));
    nodes[4]!.mesh = gltf.rigidMesh([
        [1, 0, 0],
        [0, 1, 0.5],
        [0, -0.5, 1],
    ]);
    const times = [0, 0.3, 0.7, 1.1];
    const turns = [1, 2, 3].map((target) => ({
        node: target,
        path: 'rotation' as const,
        times,
        values: times.map((_, key) => randomRotation(next).map((x) => (key % 2 === 1 ? -x : x))),
    }));
    const scale = (target: number, values: number[], interpolation: 'LINEAR' | 'STEP') => ({
        node: target,
        path: 'scale' as const,
        interpolation,
        times,
        values: values.map((s) => [s, s, s]),
    });
    const hidden = { ...scale(4, [1, 0, 0, 1], 'STEP'), values: [1, 0, 0, 1].map((s) => [s, -s, s]) };
    gltf.animation('turns', turns).animation('grows', [...turns, scale(2, [1, 2, 0, -1], 'LINEAR'), hidden]);
    return gltf.write(folder, `limbs-${seed}`);
}

/** Column-major: a turn and a uniform scale, then a translation. */
function bind(rotation: number[], translation: number[], s: number): number[] {
    const out = new Float64Array(16);
    compose(out, 0, [...translation, ...rotation, s, s, s], 0);
    return [...out];
}
