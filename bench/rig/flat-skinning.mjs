// SPDX-License-Identifier: MIT

/**
 * Skinning of positions and normals without a library: four influences written out, the blended matrix in local variables, doubles. The
 * mathematics is the Rig's: normals by the cofactors of the blended matrix, with the sign of its determinant, then normalized.
 */

export function flatSkin({ meshes }, { count, joints, palettes }) {
    const { positions, normals, joints: indices, weights } = meshes[0];
    const floats = positions.length;
    const outputs = [new Float32Array(count * floats), new Float32Array(count * floats)];
    // A copy in doubles saves a conversion of 48 numbers for each vertex.
    const palette = new Float64Array(joints * 12);
    return {
        name: 'flat JavaScript',
        units: (count * floats) / 3,
        outputs,
        run() {
            for (let pose = 0; pose < count; pose++) {
                const from = pose * palette.length;
                for (let i = 0; i < palette.length; i++) palette[i] = palettes[from + i];
                skinPose(palette, positions, normals, indices, weights, outputs[0], outputs[1], pose * floats);
            }
        },
    };
}

function skinPose(P, positions, normals, joints, weights, outPositions, outNormals, o) {
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
