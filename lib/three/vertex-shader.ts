// SPDX-License-Identifier: MIT

/** In front of a vertex shader of three.js. `bakedRows`: row, row to interpolate to, and how far. */
function declarations(texelsPerJoint: number, layered: boolean): string {
    const place = layered ? 'ivec3(x, row % height, row / height)' : 'ivec2(x, row)';
    return `
attribute vec4 skinIndex;
attribute vec4 skinWeight;
attribute vec3 bakedRows;
uniform highp ${layered ? 'sampler2DArray' : 'sampler2D'} bakedPalette;

vec4 bakedTexel(int x, int row) {
    ${layered ? 'int height = textureSize(bakedPalette, 0).y;' : ''}
    return texelFetch(bakedPalette, ${place}, 0);
}

mat4 bakedJoint(float joint, float row) {
    int x = int(joint) * ${texelsPerJoint};
    int y = int(row);
    ${
        texelsPerJoint === 4
            ? 'return mat4(bakedTexel(x, y), bakedTexel(x + 1, y), bakedTexel(x + 2, y), bakedTexel(x + 3, y));'
            : 'return transpose(mat4(bakedTexel(x, y), bakedTexel(x + 1, y), bakedTexel(x + 2, y), vec4(0, 0, 0, 1)));'
    }
}

mat4 bakedSkin(float row) {
    return bakedJoint(skinIndex.x, row) * skinWeight.x
        + bakedJoint(skinIndex.y, row) * skinWeight.y
        + bakedJoint(skinIndex.z, row) * skinWeight.z
        + bakedJoint(skinIndex.w, row) * skinWeight.w;
}

mat4 bakedMatrix;
`;
}

const MAIN = `void main() {
bakedMatrix = bakedSkin(bakedRows.x);
if (bakedRows.z > 0.0) bakedMatrix += (bakedSkin(bakedRows.y) - bakedMatrix) * bakedRows.z;
`;

const NORMAL = `
objectNormal = mat3(bakedMatrix) * objectNormal;
#ifdef USE_TANGENT
objectTangent = mat3(bakedMatrix) * objectTangent;
#endif
`;

const POSITION = `
transformed = (bakedMatrix * vec4(transformed, 1.0)).xyz;
`;

/** A vertex shader of three.js with skinning from the palette in the place of its own. */
export function vertexShader(original: string, texelsPerJoint: number, layered: boolean): string {
    const body = original
        .replace(/void\s+main\s*\(\s*\)\s*\{/, MAIN)
        .replace('#include <skinnormal_vertex>', NORMAL)
        .replace('#include <skinning_vertex>', POSITION);
    return declarations(texelsPerJoint, layered) + body;
}
