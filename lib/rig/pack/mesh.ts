// SPDX-License-Identifier: MIT

import type { MeshTables } from '../kernels/contract';
import { type MeshGeometry, NO_GEOMETRY } from '../source/mesh-geometry';

/** The bits of a float, as an integer. */
const NEGATIVE_ZERO = -2147483648;

/** The tables of a mesh that do not depend on the node that carries it. */
export type PackedMesh = Omit<MeshTables, 'skin' | 'firstWeight'>;

/** Packs a mesh for the kernels, without the data that has no effect. It keeps no reference to the geometry. */
export function packMesh(geometry: MeshGeometry): PackedMesh {
    const { vertexCount, positions, normals } = geometry;
    return {
        vertexCount,
        positions: withoutNegativeZeros(positions),
        normals: normals === null ? new Float32Array(0) : withoutNegativeZeros(normals),
        ...packInfluences(geometry),
        ...packTargets(geometry),
    };
}

export const NO_MESH: PackedMesh = packMesh(NO_GEOMETRY);

/** A copy without -0: a sum that starts with it is never -0, so adding zeros and adding nothing give the same bits. */
function withoutNegativeZeros(values: Float32Array): Float32Array {
    const copy = values.slice();
    const bits = new Int32Array(copy.buffer);
    for (let i = 0; i < bits.length; i++) if (bits[i] === NEGATIVE_ZERO) bits[i] = 0;
    return copy;
}

function packInfluences({ vertexCount, influences, joints, weights }: MeshGeometry) {
    const counts = (value: number) => value > 0;
    // A vertex whose weights are all 0 follows its first joint, as in three.js and in the baker.
    const following = new Uint8Array(vertexCount);
    let used = 0;
    for (let v = 0; v < vertexCount; v++) {
        let own = 0;
        for (let i = v * influences; i < (v + 1) * influences; i++) if (counts(weights[i]!)) own++;
        following[v] = own === 0 ? 1 : 0;
        used += Math.max(1, own);
    }
    const sets = influences / 4;
    const starts = new Uint32Array(vertexCount * sets + 1);
    const influenceJoints = new Uint16Array(used);
    const influenceWeights = new Float32Array(used);
    let end = 0;
    for (let v = 0; v < vertexCount; v++) {
        for (let k = 0; k < influences; k++) {
            const i = v * influences + k;
            const follows = k === 0 && following[v] === 1;
            if (follows || counts(weights[i]!)) {
                influenceJoints[end] = joints[i]!;
                influenceWeights[end++] = follows ? 1 : weights[i]!;
            }
            if (k % 4 === 3) starts[v * sets + (k >> 2) + 1] = end;
        }
    }
    const inUse = Int32Array.from(new Set(influenceJoints)).sort();
    const placeOf = new Map(Array.from(inUse, (joint, place) => [joint, place]));
    for (let i = 0; i < used; i++) influenceJoints[i] = placeOf.get(influenceJoints[i]!)!;
    return { joints: inUse, sets, starts, influenceJoints, influenceWeights };
}

/** Sorts displacements by vertex, so that vertices that no target moves cost nothing. */
function packTargets({ vertexCount, normals, targets }: MeshGeometry) {
    const isMoved = (list: Float32Array | null, v: number) =>
        list !== null && !(list[v * 3] === 0 && list[v * 3 + 1] === 0 && list[v * 3 + 2] === 0);
    const moves = targets.map((target) => (v: number) => {
        return isMoved(target.positions, v) || (normals !== null && isMoved(target.normals, v));
    });
    const morphStarts = new Uint32Array(targets.length === 0 ? 0 : vertexCount + 1);
    for (let v = 0; v + 1 < morphStarts.length; v++) {
        let own = 0;
        for (const movesVertex of moves) if (movesVertex(v)) own++;
        morphStarts[v + 1] = morphStarts[v]! + own;
    }
    const entries = morphStarts[vertexCount] ?? 0;
    const morphTargets = new Uint32Array(entries);
    const morphPositions = new Float32Array(entries * 3);
    const morphNormals = new Float32Array(normals === null ? 0 : entries * 3);
    for (let v = 0, entry = 0; v + 1 < morphStarts.length; v++) {
        for (const [t, target] of targets.entries()) {
            if (!moves[t]!(v)) continue;
            morphTargets[entry] = t;
            for (let c = 0; c < 3; c++) {
                morphPositions[entry * 3 + c] = target.positions?.[v * 3 + c] ?? 0;
                if (normals !== null) morphNormals[entry * 3 + c] = target.normals?.[v * 3 + c] ?? 0;
            }
            entry++;
        }
    }
    return { targetCount: targets.length, morphStarts, morphTargets, morphPositions, morphNormals };
}
