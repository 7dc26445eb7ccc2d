// SPDX-License-Identifier: MIT

import type { GltfScene, SceneAnimation, SceneChannel, SceneNode, SceneSkin } from '../../lib/gltf/scene';

interface NodeChanges {
    name?: string;
    matrix?: number[];
    translation?: number[];
    rotation?: number[];
    scale?: number[];
}

/** A node at rest in its parent, but for what is given. */
export function node(parent: number, changes: NodeChanges = {}): SceneNode {
    const floats = (value: number[] | undefined, fallback: number[]) => Float32Array.from(value ?? fallback);
    return {
        name: changes.name ?? '',
        parent,
        matrix: changes.matrix ? Float32Array.from(changes.matrix) : null,
        translation: floats(changes.translation, [0, 0, 0]),
        rotation: floats(changes.rotation, [0, 0, 0, 1]),
        scale: floats(changes.scale, [1, 1, 1]),
        weights: new Float32Array(0),
    };
}

export function channel(
    target: number,
    path: SceneChannel['path'],
    interpolation: SceneChannel['interpolation'],
    times: number[],
    values: number[],
): SceneChannel {
    return {
        pointer: '/animations/0/channels/0',
        node: target,
        path,
        interpolation,
        times: Float32Array.from(times),
        values: Float32Array.from(values),
    };
}

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Inverse bind matrices: identities unless given. */
export function skin(joints: number[], inverseBinds?: number[]): SceneSkin {
    return {
        name: '',
        joints,
        inverseBindMatrices: Float32Array.from(inverseBinds ?? joints.flatMap(() => IDENTITY)),
    };
}

export function scene(nodes: SceneNode[], skins: SceneSkin[], animations: SceneAnimation[]): GltfScene {
    return {
        name: 'test.glb',
        sha256: '00'.repeat(32),
        nodes,
        skins,
        animations,
        skinnedMeshes: [],
        warnings: [],
    };
}
