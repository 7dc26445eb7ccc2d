// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import type { SkinnedMesh, SkinnedSurface } from '../../gltf/scene';
import { limitOf, type RigSource } from './source';

/** The vertices of a mesh: all its primitives in one list. */
export interface MeshGeometry {
    /** Number of vertices of all primitives. */
    readonly vertexCount: number;
    /** The range of vertices of each primitive. */
    readonly primitives: readonly PrimitiveRange[];
    /** `[vertex][3]`: positions before skinning, in mesh space. */
    readonly positions: Float32Array;
    /** `[vertex][3]`: normals before skinning; null if a primitive has no normals. */
    readonly normals: Float32Array | null;
    /**
     * Number of joints per vertex: 4 for each pair of JOINTS_n and WEIGHTS_n, the maximum over the primitives; 0
     * without a skin.
     */
    readonly influences: number;
    /** `[vertex][influences]`: indices into the `joints` of the skin. */
    readonly joints: Uint16Array;
    /**
     * `[vertex][influences]`: weights of the file, unchanged. The file's rounding decides how close their sum is to 1.
     */
    readonly weights: Float32Array;
    /** The morph targets. */
    readonly targets: readonly TargetGeometry[];
}

/** The geometry of a mesh that only morphs. */
export const NO_GEOMETRY: MeshGeometry = {
    vertexCount: 0,
    primitives: [],
    positions: new Float32Array(0),
    normals: null,
    influences: 0,
    joints: new Uint16Array(0),
    weights: new Float32Array(0),
    targets: [],
};

/** The vertices of a primitive within its mesh. */
export interface PrimitiveRange {
    /** Index of the primitive in the mesh. Primitives that no skin can move are skipped. */
    readonly index: number;
    /** Index of its first vertex in the mesh. */
    readonly firstVertex: number;
    /** Number of vertices. */
    readonly vertexCount: number;
}

/** The displacements of a morph target (glTF 2.0, 3.7.2.2): `[vertex][3]` each; null if all are unchanged. */
export interface TargetGeometry {
    /** Displacements of positions. They are multiplied by the weight and added. */
    readonly positions: Float32Array | null;
    /** Displacements of normals. They are multiplied by the weight and added. */
    readonly normals: Float32Array | null;
}

/** Joins the primitives of every skinned mesh, by the index of the mesh: nodes that share one share the lists. */
export function joinMeshes(source: RigSource): ReadonlyMap<number, MeshGeometry> {
    const geometries = new Map<number, MeshGeometry>();
    const limit = limitOf(source);
    let room = limit;
    for (const mesh of source.skinnedMeshes) {
        if (geometries.has(mesh.mesh)) continue;
        room -= numbersOf(mesh);
        if (room < 0) {
            // Primitives may share accessors, so a small file can ask for any amount of vertices.
            const rule = `the vertices of all skinned meshes need more than ${limit} numbers, the limit here`;
            throw new InputError('GLTF_INVALID', source.name, `/meshes/${mesh.mesh}`, rule);
        }
        geometries.set(mesh.mesh, joinPrimitives(mesh));
    }
    return geometries;
}

/** Number of floats that {@link joinPrimitives} allocates. It makes no list that no primitive has. */
function numbersOf({ primitives, surfaces = [] }: SkinnedMesh): number {
    const influences = primitives.reduce((max, primitive) => Math.max(max, primitive.influences), 0);
    const vectors = (list: (surface: SkinnedSurface) => Float32Array | null) =>
        surfaces.some((surface) => list(surface) !== null) ? 3 : 0;
    let each = 3 + vectors(({ normals }) => normals) + influences * 2;
    for (const t of surfaces[0]?.targets.keys() ?? []) {
        each += vectors(({ targets }) => targets[t]!.positions) + vectors(({ targets }) => targets[t]!.normals);
    }
    return primitives.reduce((sum, { positions }) => sum + (positions.length / 3) * each, 0);
}

/** How many numbers the lists have between them. */
export function numbersIn(geometries: Iterable<MeshGeometry>): number {
    let sum = 0;
    for (const { positions, normals, joints, weights, targets } of geometries) {
        const moved = targets.flatMap((target) => [target.positions, target.normals]);
        for (const list of [positions, normals, joints, weights, ...moved]) sum += list?.length ?? 0;
    }
    return sum;
}

function joinPrimitives({ primitives, surfaces = [] }: SkinnedMesh): MeshGeometry {
    let vertexCount = 0;
    const ranges = primitives.map(({ positions }, i): PrimitiveRange => {
        const firstVertex = vertexCount;
        vertexCount += positions.length / 3;
        return { index: surfaces[i]?.index ?? i, firstVertex, vertexCount: positions.length / 3 };
    });
    const influences = primitives.reduce((max, primitive) => Math.max(max, primitive.influences), 0);
    const joints = new Uint16Array(vertexCount * influences);
    const weights = new Float32Array(vertexCount * influences);
    for (const [i, primitive] of primitives.entries()) {
        const { firstVertex, vertexCount: count } = ranges[i]!;
        for (let v = 0; v < count; v++) {
            const from = v * primitive.influences;
            const to = (firstVertex + v) * influences;
            for (let k = 0; k < primitive.influences; k++) {
                joints[to + k] = primitive.joints[from + k]!;
                weights[to + k] = primitive.weights[from + k]!;
            }
        }
    }
    const join = (parts: readonly (Float32Array | null)[]): Float32Array => {
        const joined = new Float32Array(vertexCount * 3);
        for (const [i, part] of parts.entries()) if (part !== null) joined.set(part, ranges[i]!.firstVertex * 3);
        return joined;
    };
    const joinAny = (parts: readonly (Float32Array | null)[]) => (parts.some((p) => p !== null) ? join(parts) : null);
    const normals = primitives.map((_, i) => surfaces[i]?.normals ?? null);
    return {
        vertexCount,
        primitives: ranges,
        positions: join(primitives.map(({ positions }) => positions)),
        normals: vertexCount > 0 && normals.every((list) => list !== null) ? join(normals) : null,
        influences,
        joints,
        weights,
        targets: Array.from({ length: surfaces[0]?.targets.length ?? 0 }, (_, target) => ({
            positions: joinAny(surfaces.map(({ targets }) => targets[target]!.positions)),
            normals: joinAny(surfaces.map(({ targets }) => targets[target]!.normals)),
        })),
    };
}
