// SPDX-License-Identifier: MIT

import { decodedLimit, type OwnBytes } from '../../gltf/limits';
import type { GltfScene, SkinnedMesh, Warning } from '../../gltf/scene';

/** The input of a rig from any source: the parts of a scene that affect poses. */
export interface RigSource
    extends Pick<GltfScene, 'name' | 'nodes' | 'skins' | 'animations' | 'skinnedMeshes' | 'rigidMeshes' | 'ownBytes'> {
    /** Whether the vertices of the skinned meshes were left in the file, so that no mesh can be skinned. */
    readonly withoutVertices?: boolean;
    /** Whether `loop` of clips is not needed. */
    readonly withoutLoops?: boolean;
    /** Undefined if there are none. */
    readonly warnings?: readonly Warning[];
}

/** Maximum of the numbers of keys and vertices together that a rig of the source may hold. */
export function limitOf({ ownBytes = { stored: 0, expanded: 0 } }: RigSource): number {
    return decodedLimit(ownBytes);
}

export const PATHS: readonly string[] = ['translation', 'rotation', 'scale', 'weights'];
export const INTERPOLATIONS: readonly string[] = ['LINEAR', 'STEP', 'CUBICSPLINE'];

/** `count` matrices, column-major 4x4. */
export function identities(count: number): Float32Array {
    return Float32Array.from({ length: count * 16 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0));
}

/** The bytes of a source without a file: its lists of keys and vertices, each list counted once. */
export function heldBytes({
    animations,
    skinnedMeshes,
    rigidMeshes = [],
}: Pick<GltfScene, 'animations' | 'skinnedMeshes' | 'rigidMeshes'>): OwnBytes {
    const keys = animations.flatMap(({ channels }) => channels.flatMap(({ times, values }) => [times, values]));
    const lists = new Set<Float32Array | Uint16Array | null>([
        ...keys,
        ...[...skinnedMeshes, ...rigidMeshes].flatMap(listsOf),
    ]);
    let stored = 0;
    for (const list of lists) stored += list?.byteLength ?? 0;
    return { stored, expanded: 0 };
}

function listsOf({
    primitives,
    surfaces = [],
}: Pick<SkinnedMesh, 'primitives' | 'surfaces'>): (Float32Array | Uint16Array | null)[] {
    return [
        ...primitives.flatMap(({ positions, joints, weights }) => [positions, joints, weights]),
        ...surfaces.flatMap(({ normals, targets }) => [normals, ...targets.flatMap((t) => [t.positions, t.normals])]),
    ];
}

/**
 * Throws the error of a fault. `where` is the path of the fault in the scene:
 * `['animations', 0, 'channels', 2, 'times', 5]`.
 */
export type Refuse = (where: readonly (string | number)[], rule: string) => never;
