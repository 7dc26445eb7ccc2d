// SPDX-License-Identifier: MIT

/**
 * Skinning as a careful programmer writes it without a library, given the palettes: four influences written out, the blended
 * matrix in local variables, doubles throughout, which is what JavaScript's numbers are. A pose's palette is copied into
 * doubles first: that costs nothing beside the vertices and saves a conversion for each of 48 numbers a vertex. The
 * mathematics is the Rig's: normals by the cofactors of the blended matrix, with its determinant's sign, then made unit.
 */

import { FLAT } from './names.mjs';

/** Positions, and normals where `outputs` has a second list, of every pose. */
export function flatSkin({ meshes }, posed, withNormals) {
    const { positions, normals, joints, weights } = meshes[0];
    const vertices = positions.length / 3;
    const { count, pose } = palettesOf(posed);
    const lists = withNormals ? 2 : 1;
    const outputs = Array.from({ length: lists }, () => new Float32Array(count * vertices * 3));
    const [outPositions, outNormals] = outputs;
    const skinPose = withNormals
        ? (P, o) => skinWithNormals(P, positions, normals, joints, weights, outPositions, outNormals, o)
        : (P, o) => skinPositions(P, positions, joints, weights, outPositions, o);
    return {
        name: FLAT,
        units: count * vertices,
        outputs,
        run() {
            for (let p = 0; p < count; p++) skinPose(pose(p), p * vertices * 3);
        },
    };
}

/** The box around the vertices of every pose. */
export function flatBounds({ meshes }, posed) {
    const { positions, joints, weights } = meshes[0];
    const { count, pose } = palettesOf(posed);
    const out = new Float32Array(count * 6);
    return {
        name: FLAT,
        units: (count * positions.length) / 3,
        outputs: [out],
        run() {
            for (let p = 0; p < count; p++) boundPose(pose(p), positions, joints, weights, out, p * 6);
        },
    };
}

function palettesOf({ count, joints, palettes }) {
    const palette = new Float64Array(joints * 12);
    const pose = (p) => {
        const from = p * palette.length;
        for (let i = 0; i < palette.length; i++) palette[i] = palettes[from + i];
        return palette;
    };
    return { count, pose };
}

function skinWithNormals(P, positions, normals, joints, weights, outPositions, outNormals, o) {
    const vertices = positions.length / 3;
    const { sqrt } = Math;
    for (let v = 0; v < vertices; v++, o += 3) {
        const i = v * 4;
        const w0 = weights[i];
        const w1 = weights[i + 1];
        const w2 = weights[i + 2];
        const w3 = weights[i + 3];
        const p0 = joints[i] * 12;
        const p1 = joints[i + 1] * 12;
        const p2 = joints[i + 2] * 12;
        const p3 = joints[i + 3] * 12;
        const m0 = w0 * P[p0] + w1 * P[p1] + w2 * P[p2] + w3 * P[p3];
        const m1 = w0 * P[p0 + 1] + w1 * P[p1 + 1] + w2 * P[p2 + 1] + w3 * P[p3 + 1];
        const m2 = w0 * P[p0 + 2] + w1 * P[p1 + 2] + w2 * P[p2 + 2] + w3 * P[p3 + 2];
        const m3 = w0 * P[p0 + 3] + w1 * P[p1 + 3] + w2 * P[p2 + 3] + w3 * P[p3 + 3];
        const m4 = w0 * P[p0 + 4] + w1 * P[p1 + 4] + w2 * P[p2 + 4] + w3 * P[p3 + 4];
        const m5 = w0 * P[p0 + 5] + w1 * P[p1 + 5] + w2 * P[p2 + 5] + w3 * P[p3 + 5];
        const m6 = w0 * P[p0 + 6] + w1 * P[p1 + 6] + w2 * P[p2 + 6] + w3 * P[p3 + 6];
        const m7 = w0 * P[p0 + 7] + w1 * P[p1 + 7] + w2 * P[p2 + 7] + w3 * P[p3 + 7];
        const m8 = w0 * P[p0 + 8] + w1 * P[p1 + 8] + w2 * P[p2 + 8] + w3 * P[p3 + 8];
        const m9 = w0 * P[p0 + 9] + w1 * P[p1 + 9] + w2 * P[p2 + 9] + w3 * P[p3 + 9];
        const m10 = w0 * P[p0 + 10] + w1 * P[p1 + 10] + w2 * P[p2 + 10] + w3 * P[p3 + 10];
        const m11 = w0 * P[p0 + 11] + w1 * P[p1 + 11] + w2 * P[p2 + 11] + w3 * P[p3 + 11];

        const a = v * 3;
        const x = positions[a];
        const y = positions[a + 1];
        const z = positions[a + 2];
        outPositions[o] = m0 * x + m1 * y + m2 * z + m3;
        outPositions[o + 1] = m4 * x + m5 * y + m6 * z + m7;
        outPositions[o + 2] = m8 * x + m9 * y + m10 * z + m11;

        const nx = normals[a];
        const ny = normals[a + 1];
        const nz = normals[a + 2];
        const c00 = m5 * m10 - m9 * m6;
        const c10 = m9 * m2 - m1 * m10;
        const c20 = m1 * m6 - m5 * m2;
        const tx = c00 * nx + (m6 * m8 - m10 * m4) * ny + (m4 * m9 - m8 * m5) * nz;
        const ty = c10 * nx + (m10 * m0 - m2 * m8) * ny + (m8 * m1 - m0 * m9) * nz;
        const tz = c20 * nx + (m2 * m4 - m6 * m0) * ny + (m0 * m5 - m4 * m1) * nz;
        const length = sqrt(tx * tx + ty * ty + tz * tz);
        const scale = length === 0 ? 0 : (m0 * c00 + m4 * c10 + m8 * c20 < 0 ? -1 : 1) / length;
        outNormals[o] = tx * scale;
        outNormals[o + 1] = ty * scale;
        outNormals[o + 2] = tz * scale;
    }
}

function skinPositions(P, positions, joints, weights, out, o) {
    const vertices = positions.length / 3;
    for (let v = 0; v < vertices; v++, o += 3) {
        const i = v * 4;
        const w0 = weights[i];
        const w1 = weights[i + 1];
        const w2 = weights[i + 2];
        const w3 = weights[i + 3];
        const p0 = joints[i] * 12;
        const p1 = joints[i + 1] * 12;
        const p2 = joints[i + 2] * 12;
        const p3 = joints[i + 3] * 12;
        const m0 = w0 * P[p0] + w1 * P[p1] + w2 * P[p2] + w3 * P[p3];
        const m1 = w0 * P[p0 + 1] + w1 * P[p1 + 1] + w2 * P[p2 + 1] + w3 * P[p3 + 1];
        const m2 = w0 * P[p0 + 2] + w1 * P[p1 + 2] + w2 * P[p2 + 2] + w3 * P[p3 + 2];
        const m3 = w0 * P[p0 + 3] + w1 * P[p1 + 3] + w2 * P[p2 + 3] + w3 * P[p3 + 3];
        const m4 = w0 * P[p0 + 4] + w1 * P[p1 + 4] + w2 * P[p2 + 4] + w3 * P[p3 + 4];
        const m5 = w0 * P[p0 + 5] + w1 * P[p1 + 5] + w2 * P[p2 + 5] + w3 * P[p3 + 5];
        const m6 = w0 * P[p0 + 6] + w1 * P[p1 + 6] + w2 * P[p2 + 6] + w3 * P[p3 + 6];
        const m7 = w0 * P[p0 + 7] + w1 * P[p1 + 7] + w2 * P[p2 + 7] + w3 * P[p3 + 7];
        const m8 = w0 * P[p0 + 8] + w1 * P[p1 + 8] + w2 * P[p2 + 8] + w3 * P[p3 + 8];
        const m9 = w0 * P[p0 + 9] + w1 * P[p1 + 9] + w2 * P[p2 + 9] + w3 * P[p3 + 9];
        const m10 = w0 * P[p0 + 10] + w1 * P[p1 + 10] + w2 * P[p2 + 10] + w3 * P[p3 + 10];
        const m11 = w0 * P[p0 + 11] + w1 * P[p1 + 11] + w2 * P[p2 + 11] + w3 * P[p3 + 11];

        const a = v * 3;
        const x = positions[a];
        const y = positions[a + 1];
        const z = positions[a + 2];
        out[o] = m0 * x + m1 * y + m2 * z + m3;
        out[o + 1] = m4 * x + m5 * y + m6 * z + m7;
        out[o + 2] = m8 * x + m9 * y + m10 * z + m11;
    }
}

function boundPose(P, positions, joints, weights, out, o) {
    const vertices = positions.length / 3;
    let [leastX, leastY, leastZ] = [Infinity, Infinity, Infinity];
    let [greatestX, greatestY, greatestZ] = [-Infinity, -Infinity, -Infinity];
    for (let v = 0; v < vertices; v++) {
        const i = v * 4;
        const w0 = weights[i];
        const w1 = weights[i + 1];
        const w2 = weights[i + 2];
        const w3 = weights[i + 3];
        const p0 = joints[i] * 12;
        const p1 = joints[i + 1] * 12;
        const p2 = joints[i + 2] * 12;
        const p3 = joints[i + 3] * 12;
        const m0 = w0 * P[p0] + w1 * P[p1] + w2 * P[p2] + w3 * P[p3];
        const m1 = w0 * P[p0 + 1] + w1 * P[p1 + 1] + w2 * P[p2 + 1] + w3 * P[p3 + 1];
        const m2 = w0 * P[p0 + 2] + w1 * P[p1 + 2] + w2 * P[p2 + 2] + w3 * P[p3 + 2];
        const m3 = w0 * P[p0 + 3] + w1 * P[p1 + 3] + w2 * P[p2 + 3] + w3 * P[p3 + 3];
        const m4 = w0 * P[p0 + 4] + w1 * P[p1 + 4] + w2 * P[p2 + 4] + w3 * P[p3 + 4];
        const m5 = w0 * P[p0 + 5] + w1 * P[p1 + 5] + w2 * P[p2 + 5] + w3 * P[p3 + 5];
        const m6 = w0 * P[p0 + 6] + w1 * P[p1 + 6] + w2 * P[p2 + 6] + w3 * P[p3 + 6];
        const m7 = w0 * P[p0 + 7] + w1 * P[p1 + 7] + w2 * P[p2 + 7] + w3 * P[p3 + 7];
        const m8 = w0 * P[p0 + 8] + w1 * P[p1 + 8] + w2 * P[p2 + 8] + w3 * P[p3 + 8];
        const m9 = w0 * P[p0 + 9] + w1 * P[p1 + 9] + w2 * P[p2 + 9] + w3 * P[p3 + 9];
        const m10 = w0 * P[p0 + 10] + w1 * P[p1 + 10] + w2 * P[p2 + 10] + w3 * P[p3 + 10];
        const m11 = w0 * P[p0 + 11] + w1 * P[p1 + 11] + w2 * P[p2 + 11] + w3 * P[p3 + 11];

        const a = v * 3;
        const x = positions[a];
        const y = positions[a + 1];
        const z = positions[a + 2];
        const tx = m0 * x + m1 * y + m2 * z + m3;
        const ty = m4 * x + m5 * y + m6 * z + m7;
        const tz = m8 * x + m9 * y + m10 * z + m11;
        if (tx < leastX) leastX = tx;
        if (ty < leastY) leastY = ty;
        if (tz < leastZ) leastZ = tz;
        if (tx > greatestX) greatestX = tx;
        if (ty > greatestY) greatestY = ty;
        if (tz > greatestZ) greatestZ = tz;
    }
    out[o] = leastX;
    out[o + 1] = leastY;
    out[o + 2] = leastZ;
    out[o + 3] = greatestX;
    out[o + 4] = greatestY;
    out[o + 5] = greatestZ;
}
