// SPDX-License-Identifier: MIT

import type { BakeOutput } from '../../lib/bake';
import type { GltfScene, SceneNode, SkinnedMesh } from '../../lib/gltf/scene';
import { channel, node, scene, skin } from '../rig/scenes';
import { halfToNumber } from '../support/half';
import { random as randomOf, randomRotation, randomVector } from '../support/random';

/** The numbers of an array, read from the bytes as in docs/format.md: [row][...]. */
export function numbersOf({ manifest, bin }: BakeOutput, name: keyof BakeOutput['manifest']['arrays']): number[] {
    const { byteOffset, byteLength, dtype } = manifest.arrays[name]!;
    const data = new DataView(bin.buffer, bin.byteOffset + byteOffset, byteLength);
    if (dtype === 'f32') return Array.from({ length: byteLength / 4 }, (_, i) => data.getFloat32(i * 4, true));
    return Array.from({ length: byteLength / 2 }, (_, i) => halfToNumber(data.getUint16(i * 2, true)));
}

/** One row of an array. */
export function rowOf(output: BakeOutput, name: keyof BakeOutput['manifest']['arrays'], row: number): number[] {
    const numbers = numbersOf(output, name);
    const width = numbers.length / output.manifest.arrays[name]!.shape[0]!;
    return numbers.slice(row * width, (row + 1) * width);
}

export const MORPHS = 2;

/**
 * A tree of eight nodes: joints 6, 2, 4 and 3, a mesh with two morph targets, a node with a matrix, and one without
 * a role. Clips turn, scale and morph; one has a jump, one has no duration.
 */
export function creature(seed = 1): GltfScene {
    const random = randomOf(seed);
    const at = (parent: number, name: string): SceneNode =>
        node(parent, { name, translation: randomVector(random, 1), rotation: randomRotation(random) });
    const sheared = [1, 0, 0, 0, 0.25, 1, 0, 0, 0, 0.5, 2, 0, 0, 1, 0, 1];
    const nodes: SceneNode[] = [
        at(-1, 'armature'),
        at(0, 'between'),
        at(1, 'hips'),
        at(2, 'hand.l'),
        at(7, 'hand.r'),
        { ...node(-1, { name: 'body' }), weights: Float32Array.of(0.25, 0) },
        at(2, 'head'),
        node(2, { name: 'shoulder', matrix: sheared }),
        at(-1, 'far away'),
    ];
    const times = [0, 0.25, 0.5, 1];
    const turns = (...targets: number[]) =>
        targets.map((target) => {
            const keys = times.flatMap(() => randomRotation(random));
            return channel(target, 'rotation', 'LINEAR', times, keys);
        });
    const animations = [
        {
            name: 'walk',
            channels: [
                ...turns(0, 2, 3, 4),
                channel(2, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 1, 0, 2]),
                channel(5, 'weights', 'LINEAR', [0, 1], [0, 1, 1, 0.5]),
            ],
        },
        { name: 'still', channels: [channel(6, 'scale', 'STEP', [0], [1, 2, 3])] },
        {
            name: 'jump',
            channels: [...turns(6, 1), channel(2, 'translation', 'STEP', [0, 0.5], [0, 0, 0, 0, 3, 0])],
        },
    ];
    const joints = [6, 2, 4, 3];
    const binds = joints.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...randomVector(random, 1), 1]);
    return { ...scene(nodes, [skin(joints, binds)], animations), skinnedMeshes: [body(random, joints.length)] };
}

function body(random: () => number, joints: number): SkinnedMesh {
    const vertices = 60;
    const weights = Float32Array.from({ length: vertices * 4 }, (_, i) =>
        i % 4 === 0 ? 0.75 : i % 4 === 1 ? 0.25 : 0,
    );
    const positions = Float32Array.from({ length: vertices * 3 }, () => random() * 2 - 1);
    const primitive = {
        positions,
        influences: 4,
        joints: Uint16Array.from({ length: vertices * 4 }, () => Math.floor(random() * joints)),
        weights,
    };
    return { node: 5, mesh: 0, skin: 0, primitives: [primitive] };
}
