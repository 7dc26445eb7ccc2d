// SPDX-License-Identifier: MIT
// Twin: native/rig/skin_matrices.h

/** Linear blend skinning of one pose at a time. docs/tables/rig-orders.md lists the order of operations. */

import {
    blockFloats,
    GLOBAL_FLOATS,
    LANES,
    LOCAL_FLOATS,
    type MeshTables,
    type SkinningTables,
    type SlotTables,
} from './contract';

const f = Math.fround;

/** Scratch memory for the matrices and weights of one pose. */
export interface SkinScratch {
    /** Row-major 3x4: the blended matrix of a vertex, then global x inverse bind of each joint of the mesh. */
    readonly matrices: Float32Array;
    /** The weight of each target. */
    readonly weights: Float32Array;
}

export function createSkinScratch({ meshes }: SkinningTables): SkinScratch {
    const joints = meshes.reduce((max, mesh) => Math.max(max, mesh.joints.length), 0);
    const targets = meshes.reduce((max, mesh) => Math.max(max, mesh.targetCount), 0);
    return {
        matrices: new Float32Array((1 + joints) * GLOBAL_FLOATS),
        weights: new Float32Array(targets),
    };
}

/** Collects one pose: the matrices of the joints that move the mesh, and the weights of its targets. */
export function createGatherPose(tables: SkinningTables, slots: SlotTables, { matrices, weights }: SkinScratch) {
    const places = slots.slots.length;
    const block = blockFloats(places, tables.restWeights.length);
    const globals = places * LOCAL_FLOATS * LANES;
    const morphs = places * (LOCAL_FLOATS + GLOBAL_FLOATS) * LANES;
    return (data: Float32Array, pose: number, mesh: MeshTables): void => {
        const lane = (pose >> 4) * block + (pose & 15);
        const { joints, inverseBinds } = tables.skins[mesh.skin]!;
        for (let i = 0; i < mesh.joints.length; i++) {
            const joint = mesh.joints[i]!;
            const global = lane + globals + slots.places[joints[joint]!]! * GLOBAL_FLOATS * LANES;
            storeMatrix(matrices, (1 + i) * GLOBAL_FLOATS, data, global, inverseBinds, joint * GLOBAL_FLOATS);
        }
        for (let t = 0; t < mesh.targetCount; t++) {
            weights[t] = data[lane + morphs + (mesh.firstWeight + t) * LANES]!;
        }
    };
}

/** Global x inverse bind, in the order of `palettes`. */
function storeMatrix(
    to: Float32Array,
    at: number,
    data: Float32Array,
    global: number,
    binds: Float32Array,
    bind: number,
): void {
    for (let row = 0; row < 3; row++) {
        const g = global + row * 4 * LANES;
        const o = at + row * 4;
        const g0 = data[g]!;
        const g1 = data[g + LANES]!;
        const g2 = data[g + 2 * LANES]!;
        to[o] = f(f(g0 * binds[bind]!) + f(g1 * binds[bind + 4]!)) + f(g2 * binds[bind + 8]!);
        to[o + 1] = f(f(g0 * binds[bind + 1]!) + f(g1 * binds[bind + 5]!)) + f(g2 * binds[bind + 9]!);
        to[o + 2] = f(f(g0 * binds[bind + 2]!) + f(g1 * binds[bind + 6]!)) + f(g2 * binds[bind + 10]!);
        to[o + 3] =
            f(f(f(g0 * binds[bind + 3]!) + f(g1 * binds[bind + 7]!)) + f(g2 * binds[bind + 11]!)) +
            data[g + 3 * LANES]!;
    }
}

/**
 * Skins vertices `first` to `end - 1` of a mesh in the collected pose.
 *
 * @param at Offset of the first vertex in both lists, in floats.
 */
export function skinRange(
    mesh: MeshTables,
    scratch: SkinScratch,
    first: number,
    end: number,
    outPositions: Float32Array,
    outNormals: Float32Array | null,
    at: number,
): void {
    for (let v = first, o = at; v < end; v++, o += 3) {
        const m = blendMatrices(mesh, scratch, v);
        movePosition(mesh, scratch, m, v, outPositions, o);
        if (outNormals !== null) moveNormal(mesh, scratch, m, v, outNormals, o);
    }
}

/**
 * Computes the blended matrix of a vertex: sums each set of influences, then adds the sums. Skips empty sets.
 *
 * @returns Offset of the matrix, in floats. If only one joint moves the vertex, this is the matrix of the joint itself.
 */
function blendMatrices(mesh: MeshTables, { matrices }: SkinScratch, v: number): number {
    const { sets, starts, influenceJoints, influenceWeights } = mesh;
    const only = starts[v * sets]!;
    if (starts[v * sets + sets] === only + 1 && influenceWeights[only] === 1) {
        return (1 + influenceJoints[only]!) * GLOBAL_FLOATS;
    }
    let begun = false;
    for (let row = v * sets; row < v * sets + sets; row++) {
        const end = starts[row + 1]!;
        let i = starts[row]!;
        if (i === end) continue;
        let w = influenceWeights[i]!;
        let m = (1 + influenceJoints[i]!) * GLOBAL_FLOATS;
        let b00 = f(w * matrices[m]!);
        let b01 = f(w * matrices[m + 1]!);
        let b02 = f(w * matrices[m + 2]!);
        let b03 = f(w * matrices[m + 3]!);
        let b10 = f(w * matrices[m + 4]!);
        let b11 = f(w * matrices[m + 5]!);
        let b12 = f(w * matrices[m + 6]!);
        let b13 = f(w * matrices[m + 7]!);
        let b20 = f(w * matrices[m + 8]!);
        let b21 = f(w * matrices[m + 9]!);
        let b22 = f(w * matrices[m + 10]!);
        let b23 = f(w * matrices[m + 11]!);
        for (i++; i < end; i++) {
            w = influenceWeights[i]!;
            m = (1 + influenceJoints[i]!) * GLOBAL_FLOATS;
            b00 = f(b00 + f(w * matrices[m]!));
            b01 = f(b01 + f(w * matrices[m + 1]!));
            b02 = f(b02 + f(w * matrices[m + 2]!));
            b03 = f(b03 + f(w * matrices[m + 3]!));
            b10 = f(b10 + f(w * matrices[m + 4]!));
            b11 = f(b11 + f(w * matrices[m + 5]!));
            b12 = f(b12 + f(w * matrices[m + 6]!));
            b13 = f(b13 + f(w * matrices[m + 7]!));
            b20 = f(b20 + f(w * matrices[m + 8]!));
            b21 = f(b21 + f(w * matrices[m + 9]!));
            b22 = f(b22 + f(w * matrices[m + 10]!));
            b23 = f(b23 + f(w * matrices[m + 11]!));
        }
        if (begun) {
            b00 = matrices[0]! + b00;
            b01 = matrices[1]! + b01;
            b02 = matrices[2]! + b02;
            b03 = matrices[3]! + b03;
            b10 = matrices[4]! + b10;
            b11 = matrices[5]! + b11;
            b12 = matrices[6]! + b12;
            b13 = matrices[7]! + b13;
            b20 = matrices[8]! + b20;
            b21 = matrices[9]! + b21;
            b22 = matrices[10]! + b22;
            b23 = matrices[11]! + b23;
        }
        matrices[0] = b00;
        matrices[1] = b01;
        matrices[2] = b02;
        matrices[3] = b03;
        matrices[4] = b10;
        matrices[5] = b11;
        matrices[6] = b12;
        matrices[7] = b13;
        matrices[8] = b20;
        matrices[9] = b21;
        matrices[10] = b22;
        matrices[11] = b23;
        begun = true;
    }
    return 0;
}

/** Morph targets, then the blended matrix. */
function movePosition(
    mesh: MeshTables,
    { matrices, weights }: SkinScratch,
    m: number,
    v: number,
    out: Float32Array,
    o: number,
): void {
    const { positions, targetCount, morphStarts, morphTargets, morphPositions } = mesh;
    let x = positions[v * 3]!;
    let y = positions[v * 3 + 1]!;
    let z = positions[v * 3 + 2]!;
    if (targetCount > 0) {
        const end = morphStarts[v + 1]!;
        for (let entry = morphStarts[v]!; entry < end; entry++) {
            const weight = weights[morphTargets[entry]!]!;
            if (weight === 0) continue;
            x = f(x + f(weight * morphPositions[entry * 3]!));
            y = f(y + f(weight * morphPositions[entry * 3 + 1]!));
            z = f(z + f(weight * morphPositions[entry * 3 + 2]!));
        }
    }
    out[o] = f(f(f(matrices[m]! * x) + f(matrices[m + 1]! * y)) + f(matrices[m + 2]! * z)) + matrices[m + 3]!;
    out[o + 1] = f(f(f(matrices[m + 4]! * x) + f(matrices[m + 5]! * y)) + f(matrices[m + 6]! * z)) + matrices[m + 7]!;
    out[o + 2] = f(f(f(matrices[m + 8]! * x) + f(matrices[m + 9]! * y)) + f(matrices[m + 10]! * z)) + matrices[m + 11]!;
}

/**
 * Morph targets, then the cofactors of the blended matrix with the sign of its determinant. The result has unit length.
 */
function moveNormal(
    mesh: MeshTables,
    { matrices, weights }: SkinScratch,
    m: number,
    v: number,
    out: Float32Array,
    o: number,
): void {
    const { normals, targetCount, morphStarts, morphTargets, morphNormals } = mesh;
    let x = normals[v * 3]!;
    let y = normals[v * 3 + 1]!;
    let z = normals[v * 3 + 2]!;
    if (targetCount > 0) {
        const end = morphStarts[v + 1]!;
        for (let entry = morphStarts[v]!; entry < end; entry++) {
            const weight = weights[morphTargets[entry]!]!;
            if (weight === 0) continue;
            x = f(x + f(weight * morphNormals[entry * 3]!));
            y = f(y + f(weight * morphNormals[entry * 3 + 1]!));
            z = f(z + f(weight * morphNormals[entry * 3 + 2]!));
        }
    }
    const b00 = matrices[m]!;
    const b01 = matrices[m + 1]!;
    const b02 = matrices[m + 2]!;
    const b10 = matrices[m + 4]!;
    const b11 = matrices[m + 5]!;
    const b12 = matrices[m + 6]!;
    const b20 = matrices[m + 8]!;
    const b21 = matrices[m + 9]!;
    const b22 = matrices[m + 10]!;
    // Columns of the cofactor matrix: cross products of the columns of the blended one.
    const c00 = f(f(b11 * b22) - f(b21 * b12));
    const c10 = f(f(b21 * b02) - f(b01 * b22));
    const c20 = f(f(b01 * b12) - f(b11 * b02));
    const c01 = f(f(b12 * b20) - f(b22 * b10));
    const c11 = f(f(b22 * b00) - f(b02 * b20));
    const c21 = f(f(b02 * b10) - f(b12 * b00));
    const c02 = f(f(b10 * b21) - f(b20 * b11));
    const c12 = f(f(b20 * b01) - f(b00 * b21));
    const c22 = f(f(b00 * b11) - f(b10 * b01));
    const determinant = f(f(f(b00 * c00) + f(b10 * c10)) + f(b20 * c20));
    let nx = f(f(f(c00 * x) + f(c01 * y)) + f(c02 * z));
    let ny = f(f(f(c10 * x) + f(c11 * y)) + f(c12 * z));
    let nz = f(f(f(c20 * x) + f(c21 * y)) + f(c22 * z));
    if (determinant < 0) {
        nx = -nx;
        ny = -ny;
        nz = -nz;
    }
    const square = f(f(f(nx * nx) + f(ny * ny)) + f(nz * nz));
    const length = square === 0 ? 1 : f(Math.sqrt(square));
    out[o] = nx / length;
    out[o + 1] = ny / length;
    out[o + 2] = nz / length;
}
