// SPDX-License-Identifier: MIT

import type { GltfScene, SceneAnimation, SceneChannel, SceneNode, SceneSkin } from '../../lib/gltf/scene';
import type { Poses, PosesOptions } from '../../lib/rig/poses';
import type { RigBase } from '../../lib/rig/rig-base';

interface NodeChanges {
    name?: string;
    matrix?: number[];
    translation?: number[];
    rotation?: number[];
    scale?: number[];
}

/** A node at rest in its parent, with the given changes. */
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

/** The locals of `count` slots: no translation, no rotation, scale 1. */
export const rested = (count: number) => Array.from({ length: count }, () => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]).flat();

/** New poses at some times, in float32 unless they are a Float64Array, with their globals. */
export function posed(
    rig: RigBase,
    times: readonly number[] | Float32Array | Float64Array,
    clips: number | Uint16Array = 0,
    options?: PosesOptions,
): Poses {
    const poses = rig.createPoses(times.length, options);
    rig.evaluate(poses, clips, ArrayBuffer.isView(times) ? times : Float32Array.from(times as readonly number[]));
    rig.toGlobal(poses);
    return poses;
}

/** `[pose][slot]`, row-major 3x4. */
export function globalsOf(rig: RigBase, poses: Poses, slots: Iterable<number> = rig.slots.keys()): number[][] {
    const list = Int32Array.from(slots);
    const out = new Float32Array(poses.count * list.length * 12);
    rig.joints(poses, list, out);
    return Array.from({ length: out.length / 12 }, (_, i) => [...out.subarray(i * 12, i * 12 + 12)]);
}

/** The local transform of a slot. */
export const localAt = (rig: RigBase, poses: Poses, pose: number, slot: number) => [
    ...rig.getLocal(poses, pose, slot, new Float32Array(10)),
];

/** An error for `toThrow`. */
export const refusal = (code: string, message: RegExp | string, name = 'RangeError') =>
    expect.objectContaining({ name, code, message: expect.stringMatching(message) });
