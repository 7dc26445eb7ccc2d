// SPDX-License-Identifier: MIT

/** Baked palettes in three.js (WebGLRenderer): `poselane/three`. three itself is handed in, never imported. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { describe } from '../checks/views';
import { rangeError, typeError } from '../errors';
import type { BakedTable, SampleOptions } from '../table';
import { checkTextureOptions, type PaletteTextureOptions, paletteTexture } from '../table/texture';
import { vertexShader } from './vertex-shader';

/** What is used of the module `three`. */
export type ThreeLike = Pick<
    typeof THREE,
    | 'Box3'
    | 'BufferGeometry'
    | 'DataArrayTexture'
    | 'DataTexture'
    | 'DynamicDrawUsage'
    | 'FloatType'
    | 'Group'
    | 'HalfFloatType'
    | 'InstancedBufferAttribute'
    | 'InstancedMesh'
    | 'RGBAFormat'
    | 'Sphere'
    | 'Vector3'
>;

export interface BakedCrowdOptions extends Pick<PaletteTextureOptions, 'maxSize'> {}

/** Many instances of a character, each at its own place, clip and time. */
export interface BakedCrowd {
    /** All of the meshes: put it into the scene. */
    readonly group: THREE.Group;
    /** One for each skinned mesh that was given. They share their places and poses. */
    readonly meshes: readonly THREE.InstancedMesh[];
    readonly texture: THREE.DataTexture | THREE.DataArrayTexture;
    /** Places an instance: on top of where the file has the character. */
    setMatrixAt(instance: number, matrix: THREE.Matrix4): void;
    /**
     * Poses the instances, the first `times.length` of them, by the rules of `BakedTable.sample`; the shader interpolates.
     *
     * @param clips One clip for all, or one for each.
     * @param times Seconds.
     */
    pose(clips: number | Uint16Array, times: Float32Array | Float64Array, options?: SampleOptions): void;
    /** Frees what was made here; geometry and textures of the given meshes stay. */
    dispose(): void;
}

/**
 * The palette of a table as a texture that shaders fetch from: a texel for each column of a 4x4 matrix or row of a 3x4, a
 * line for each row of the table. Where the table is taller than the limit, an array texture: row r is line r % height of
 * layer r / height.
 *
 * @param options `maxSize`: `renderer.capabilities.maxTextureSize`; default 8192.
 */
export function createPaletteTexture(
    three: Pick<ThreeLike, 'DataArrayTexture' | 'DataTexture' | 'FloatType' | 'HalfFloatType' | 'RGBAFormat'>,
    table: BakedTable,
    options?: Pick<PaletteTextureOptions, 'maxSize'>,
): THREE.DataTexture | THREE.DataArrayTexture {
    const { maxSize } = checkTextureOptions('createPaletteTexture', options);
    const { data, width, height, layers } = paletteTexture(table, { maxSize });
    // Over a SharedArrayBuffer WebGL would refuse it; such memory is the caller's affair.
    const texels = data as Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
    const texture =
        layers === 1
            ? new three.DataTexture(texels, width, height)
            : new three.DataArrayTexture(texels, width, height, layers);
    texture.format = three.RGBAFormat;
    texture.type = data instanceof Uint16Array ? three.HalfFloatType : three.FloatType;
    texture.needsUpdate = true;
    return texture;
}

/**
 * Makes a material take its skinning from a palette texture and the attribute `bakedRows`. Changes the material; for
 * materials of other passes too, such as `customDepthMaterial`.
 *
 * @param texelsPerJoint 4 for palettes of layout `mat4`, 3 for `mat3x4`.
 */
export function patchMaterial(
    material: THREE.Material,
    texture: THREE.DataTexture | THREE.DataArrayTexture,
    texelsPerJoint: number,
): void {
    if (texelsPerJoint !== 3 && texelsPerJoint !== 4) {
        const got = describe(texelsPerJoint);
        throw rangeError('ERR_COUNT_RANGE', `patchMaterial: texelsPerJoint must be 3 or 4, got ${got}`);
    }
    const layered = 'isDataArrayTexture' in texture;
    const before = material.onBeforeCompile;
    material.onBeforeCompile = (shader, renderer) => {
        before.call(material, shader, renderer);
        shader.uniforms.bakedPalette = { value: texture };
        shader.vertexShader = vertexShader(shader.vertexShader, texelsPerJoint, layered);
    };
    const key = material.customProgramCacheKey();
    material.customProgramCacheKey = () => `${key} poselane ${texelsPerJoint} ${layered}`;
}

/**
 * Instances of skinned meshes, played from a table: no mixer, no bones.
 *
 * @param three The module: `import * as THREE from 'three'`.
 * @param table A bake with a palette, of `space: 'scene'` (the default).
 * @param meshes The skinned meshes of the skin that was baked, as GLTFLoader made them. They are not changed; their
 * geometry is shared, their materials are cloned.
 * @param count How many instances. All of them start at the file's own place, at the first row.
 */
export function createBakedCrowd(
    three: ThreeLike,
    table: BakedTable,
    meshes: readonly THREE.SkinnedMesh[],
    count: number,
    options?: BakedCrowdOptions,
): BakedCrowd {
    const routine = 'createBakedCrowd';
    checkTextureOptions(routine, options);
    if (!Array.isArray(meshes)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: meshes must be a list, got ${describe(meshes)}`);
    }
    if (typeof count !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: count must be a number, got ${describe(count)}`);
    }
    if (!Number.isInteger(count) || count < 0) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: count must be an integer from 0 on, got ${count}`);
    }
    const texture = createPaletteTexture(three, table, options);
    const texelsPerJoint = texture.image.width / table.joints.length;
    const rows = new three.InstancedBufferAttribute(new Float32Array(count * 3), 3);
    rows.setUsage(three.DynamicDrawUsage);
    const group = new three.Group();
    const instanced = meshes.map((mesh) => {
        const { material } = mesh;
        const materials = (Array.isArray(material) ? material : [material]).map((one) => one.clone());
        for (const one of materials) patchMaterial(one, texture, texelsPerJoint);
        const geometry = shareGeometry(three, mesh.geometry, table);
        geometry.setAttribute('bakedRows', rows);
        const baked = new three.InstancedMesh(geometry, Array.isArray(material) ? materials : materials[0]!, count);
        baked.name = mesh.name;
        baked.castShadow = mesh.castShadow;
        baked.receiveShadow = mesh.receiveShadow;
        baked.frustumCulled = geometry.boundingSphere !== null;
        if (mesh.morphTargetInfluences) baked.morphTargetInfluences = [...mesh.morphTargetInfluences];
        return baked;
    });
    const [first, ...others] = instanced;
    for (const other of others) other.instanceMatrix = first!.instanceMatrix;
    if (instanced.length > 0) group.add(...instanced);
    return {
        group,
        meshes: instanced,
        texture,
        setMatrixAt(instance, matrix) {
            first?.setMatrixAt(instance, matrix);
            for (const mesh of instanced) mesh.boundingSphere = null;
            if (first) first.instanceMatrix.needsUpdate = true;
        },
        pose(clips, times, sampleOptions) {
            table.rowsAt(clips, times, rows.array as Float32Array, sampleOptions);
            rows.needsUpdate = true;
        },
        dispose() {
            texture.dispose();
            for (const { geometry, material } of instanced) {
                geometry.dispose();
                for (const one of Array.isArray(material) ? material : [material]) one.dispose();
            }
            for (const mesh of instanced) mesh.dispose();
        },
    };
}

/** The same attributes in a geometry of its own, which takes in all that any clip reaches. */
function shareGeometry(three: ThreeLike, from: THREE.BufferGeometry, table: BakedTable): THREE.BufferGeometry {
    const geometry = new three.BufferGeometry();
    for (const [name, attribute] of Object.entries(from.attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(from.index);
    geometry.groups = from.groups;
    geometry.setDrawRange(from.drawRange.start, from.drawRange.count);
    geometry.morphAttributes = from.morphAttributes;
    geometry.morphTargetsRelative = from.morphTargetsRelative;
    if (table.clips.every(({ bounds }) => bounds !== undefined)) {
        const box = new three.Box3();
        for (const { bounds } of table.clips) {
            box.expandByPoint(new three.Vector3().fromArray(bounds!, 0));
            box.expandByPoint(new three.Vector3().fromArray(bounds!, 3));
        }
        geometry.boundingBox = box;
        geometry.boundingSphere = box.getBoundingSphere(new three.Sphere());
    }
    return geometry;
}
