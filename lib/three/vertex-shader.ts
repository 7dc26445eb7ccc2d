// SPDX-License-Identifier: MIT

/** The source of motion for a mesh's vertices: their own joints, one column of the palette, or nothing. */
export type Follows = 'joints' | 'column' | 'rest';

/** The properties that determine the source of a vertex shader. */
export interface ShaderKind {
    readonly follows: Follows;
    /** 4 for palettes of layout `mat4`, 3 for `mat3x4`, 2 for `qts16`. */
    readonly texelsPerJoint: number;
    /** Whether the textures have layers. */
    readonly layered: boolean;
    /** Whether morph weights come from the bake: as they are, or with the base as the rest of 1. */
    readonly morphs: 'relative' | 'absolute' | null;
}

/** Functions for the matrix of a vertex, from the columns' matrices by `bakedJoint`, whose second argument is `row`. */
const MATRIX: Readonly<Record<Exclude<Follows, 'rest'>, (signature: string, row: string) => string>> = {
    joints: (signature, row) => `
attribute vec4 skinIndex;
attribute vec4 skinWeight;
${signature} {
    return bakedJoint(int(skinIndex.x)${row}) * skinWeight.x
        + bakedJoint(int(skinIndex.y)${row}) * skinWeight.y
        + bakedJoint(int(skinIndex.z)${row}) * skinWeight.z
        + bakedJoint(int(skinIndex.w)${row}) * skinWeight.w;
}`,
    column: (signature, row) => `
uniform int bakedColumn;
${signature} { return bakedJoint(bakedColumn${row}); }`,
};

const REST = `
uniform mat4 bakedRest;`;

/**
 * Columns of `qts16` are mixed before they become matrices: rotations on the shorter arc, all else linearly. A column is
 * three texels here; the third is used if it is stretched.
 */
const QTS_JOINT = `
uniform highp sampler2D bakedPivots;
mat3x4 bakedColumnAt(int x, int third, float row) {
    int y = int(row);
    return mat3x4(bakedTexel(x, y), bakedTexel(x + 1, y), third > 0 ? bakedTexel(third, y) : vec4(0));
}
void bakedMix(inout mat3x4 value, mat3x4 to, bool turns, float part) {
    if (turns && dot(value[0], to[0]) < 0.0) to[0] = -to[0];
    value += (to - value) * part;
    if (turns) value[0] = normalize(value[0]);
}
mat3x4 bakedBetween(int x, int third, vec3 rows) {
    mat3x4 value = bakedColumnAt(x, third, rows.x);
    if (rows.z > 0.0) bakedMix(value, bakedColumnAt(x, third, rows.y), third == 0, rows.z);
    return value;
}
mat4 bakedJoint(int joint) {
    vec4 pivot = texelFetch(bakedPivots, ivec2(joint, 0), 0);
    int third = int(pivot.w);
    mat3x4 value = bakedBetween(joint * 2, third, bakedRows.xyz);
    if (bakedRows.w > 0.0) bakedMix(value, bakedBetween(joint * 2, third, bakedTo), third == 0, bakedRows.w);
    mat4x3 matrix = transpose(value);
    if (third == 0) {
        vec4 turn = value[0];
        vec4 place = value[1];
        vec4 doubled = turn * (2.0 * place.w / dot(turn, turn));
        vec3 x = turn.x * doubled.xyz;
        vec3 w = turn.w * doubled.xyz;
        float yy = turn.y * doubled.y;
        float yz = turn.y * doubled.z;
        float zz = turn.z * doubled.z;
        matrix = mat4x3(
            place.w - yy - zz, x.y + w.z, x.z - w.y,
            x.y - w.z, place.w - x.x - zz, yz + w.x,
            x.z + w.y, yz - w.x, place.w - x.x - yy,
            place.xyz);
    }
    matrix[3] -= mat3(matrix) * pivot.xyz;
    return mat4(vec4(matrix[0], 0), vec4(matrix[1], 0), vec4(matrix[2], 0), vec4(matrix[3], 1));
}`;

/**
 * `bakedRows`: row, row to interpolate to, fraction, and weight of `bakedTo`. `bakedTo`: the first three, for the other
 * clip.
 */
function declarations({ follows, texelsPerJoint, layered, morphs }: ShaderKind): string {
    const sampler = layered ? 'sampler2DArray' : 'sampler2D';
    const place = layered ? 'ivec3(x, row % height, row / height)' : 'ivec2(x, row)';
    const height = (texture: string) => (layered ? `int height = textureSize(${texture}, 0).y;` : '');
    const matrix =
        texelsPerJoint === 4
            ? 'mat4(bakedTexel(x, y), bakedTexel(x + 1, y), bakedTexel(x + 2, y), bakedTexel(x + 3, y))'
            : 'transpose(mat4(bakedTexel(x, y), bakedTexel(x + 1, y), bakedTexel(x + 2, y), vec4(0, 0, 0, 1)))';
    const mixed = (type: string, name: string, of: string, argument: string) => `
${type} ${name}Between(${argument}vec3 rows) {
    ${type} value = ${of}rows.x);
    if (rows.z > 0.0) value += (${of}rows.y) - value) * rows.z;
    return value;
}
${type} ${name}Mixed(${argument.replace(', ', '')}) {
    ${type} value = ${name}Between(${argument === '' ? '' : 'i, '}bakedRows.xyz);
    if (bakedRows.w > 0.0) value += (${name}Between(${argument === '' ? '' : 'i, '}bakedTo) - value) * bakedRows.w;
    return value;
}`;
    const texels = `
uniform highp ${sampler} bakedPalette;
vec4 bakedTexel(int x, int row) {
    ${height('bakedPalette')}
    return texelFetch(bakedPalette, ${place}, 0);
}`;
    const moves = (by: Exclude<Follows, 'rest'>) =>
        texelsPerJoint === 2
            ? `${texels}${QTS_JOINT}${MATRIX[by]('mat4 bakedMixed()', '')}`
            : `${texels}
mat4 bakedJoint(int joint, float row) {
    int x = joint * ${texelsPerJoint};
    int y = int(row);
    return ${matrix};
}
${MATRIX[by]('mat4 bakedRow(float row)', ', row')}
${mixed('mat4', 'baked', 'bakedRow(', '')}`;
    const weights = `
uniform highp ${sampler} bakedMorphs;
uniform int bakedFirst;
float bakedWeight(int i, float at) {
    int x = bakedFirst + i;
    int row = int(at);
    ${height('bakedMorphs')}
    return texelFetch(bakedMorphs, ${place}, 0).r;
}
${mixed('float', 'bakedWeight', 'bakedWeight(i, ', 'int i, ')}`;
    return `
attribute vec4 bakedRows;
attribute vec3 bakedTo;
mat4 bakedMatrix;
${follows === 'rest' ? REST : moves(follows)}
${morphs === null ? '' : weights}
`;
}

/** Local variables with the names of three's influence uniforms, which they hide. */
const morphing = (morphs: ShaderKind['morphs']) => `
#ifdef MORPHTARGETS_COUNT
float morphTargetInfluences[MORPHTARGETS_COUNT];
float morphTargetBaseInfluence = 1.0;
for (int i = 0; i < MORPHTARGETS_COUNT; i++) {
    morphTargetInfluences[i] = bakedWeightMixed(i);
    ${morphs === 'absolute' ? 'morphTargetBaseInfluence -= morphTargetInfluences[i];' : ''}
}
#endif
`;

/** Skinned normals as in three.js. Those of rigid meshes by the inverse transpose, as by its normalMatrix. */
const normal = (follows: Follows) => `
mat3 bakedNormals = mat3(bakedMatrix);
${
    follows === 'joints'
        ? ''
        : `
bakedNormals = mat3(cross(bakedNormals[1], bakedNormals[2]), cross(bakedNormals[2], bakedNormals[0]), cross(bakedNormals[0], bakedNormals[1]));
if (dot(bakedNormals[0], bakedMatrix[0].xyz) < 0.0) bakedNormals *= -1.0;`
}
objectNormal = bakedNormals * objectNormal;
#ifdef USE_TANGENT
objectTangent = mat3(bakedMatrix) * objectTangent;
#endif
`;

const POSITION = `
transformed = (bakedMatrix * vec4(transformed, 1.0)).xyz;
`;

/** Changes a vertex shader of three.js to move vertices by the palette instead of three's skinning. */
export function vertexShader(original: string, kind: ShaderKind): string {
    const { follows, morphs } = kind;
    const matrix = follows === 'rest' ? 'bakedRest' : 'bakedMixed()';
    const main = `void main() {\nbakedMatrix = ${matrix};\n${morphs === null ? '' : morphing(morphs)}`;
    const body = original
        .replace(/void\s+main\s*\(\s*\)\s*\{/, main)
        .replace('#include <skinnormal_vertex>', normal(follows))
        .replace('#include <skinning_vertex>', POSITION);
    return declarations(kind) + body;
}
