// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { describe } from '../arguments';
import { rangeError } from '../errors';
import { checkIndex } from '../rig/arguments';
import type { BakedTable } from '../table';
import { PLACE_FLOATS, writePlace } from '../table/places';
import { checkPose, weightAt } from '../table/poses';
import { texelsOf } from '../table/texture';
import { checkCrowd } from './arguments';
import { shareGeometry } from './geometry';
import { createLane, drawLane, type Lane, writeLane } from './lanes';
import { type Patch, patchMaterial } from './material';
import { type Part, partsOf } from './model';
import { raycastOf } from './raycast';
import { createMorphTexture, createPaletteTexture, createPivotTexture, type Texels } from './texture';
import type { BakedCrowd, BakedCrowdOptions, LoadedModel, ThreeLike } from './types';

/**
 * Instances of a whole model, played from its bake: no mixer, no bones. Skinned meshes, rigid ones that move, and those that
 * stay; lines and points are left out. Each mesh is one draw call. Shadows, `Raycaster` and frustum culling work as for live meshes.
 *
 * @param three The module: `import * as THREE from 'three'`.
 * @param table A bake with a palette; of a file with several skins, the tables of all of them. With `space: 'skin-root'`
 * instances are in the space of the skin's root at rest.
 * @param model What GLTFLoader gave for the file that was baked, or its scene; at rest. It is not changed: geometry is shared,
 * materials are cloned. The scene alone does where names tell its meshes apart.
 * @param count How many instances. All of them start at the file's own place, at the first row.
 * @param options `maxSize`: as in {@link createPaletteTexture}.
 * @returns The meshes, in a group, and what poses and places them.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: the table is not of this model, with what differs;
 * `ERR_AMBIGUOUS_NAME`: names do not tell meshes apart; `ERR_INDEX_RANGE`: the bake has no palette; `ERR_COUNT_RANGE`: it is larger
 * than textures can be, or `count` is no whole number; `ERR_BAKE_INVALID`: its clips have no bounds.
 * @example
 * const crowd = createBakedCrowd(THREE, table, gltf, 200);
 * scene.add(crowd.group);
 * crowd.setMatrixAt(7, new THREE.Matrix4().makeTranslation(2, 0, 0));
 * crowd.pose(table.clipNamed('Walk'), times, { loop: 'wrap' }); // in each frame
 */
export function createBakedCrowd(
    three: ThreeLike,
    table: BakedTable | readonly BakedTable[],
    model: LoadedModel | THREE.Object3D,
    count: number,
    options?: BakedCrowdOptions,
): BakedCrowd {
    const tables = checkCrowd('createBakedCrowd', table, model, count, options);
    const parts = partsOf(three, tables, model);
    const textures = tables.map((one) => createPaletteTexture(three, one, options));
    const morphTextures = tables.map((one, i) => createMorphTexture(three, one, textures[i]!));
    const pivotTextures = tables.map((one) => createPivotTexture(three, one));
    const reaches = reachesOf(three, tables, parts);
    const all = reaches.reduce((box, reach) => box.union(reach), new three.Box3());

    const attribute = (array: Float32Array, floats: number) => new three.InstancedBufferAttribute(array, floats);
    const matrices = createLane(three, 16, count, attribute);
    const places = tables.map(() =>
        createLane(three, PLACE_FLOATS, count, (array, floats) => new three.InstancedInterleavedBuffer(array, floats)),
    );
    const lanes: Lane[] = [matrices, ...places];
    let colors: Lane | undefined;
    /** The instances that are drawn, and where; -1 where they are not. */
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    const slots = Int32Array.from(order);
    let drawn = count;

    // What `pose` makes for one table after the other, and the clips of each instance.
    const from = new Float32Array(count * 3);
    const to = new Float32Array(count * 3);
    const playing = new Uint16Array(count * 2);

    const matrix = new three.Matrix4();
    const box = new three.Box3();
    const frusta: THREE.Frustum[] = [];

    const getMatrixAt = (i: number, target: THREE.Matrix4) => target.fromArray(matrices.own, i * 16);
    const reachAt = (i: number, target: THREE.Box3) =>
        target
            .copy(reaches[playing[i * 2]!]!)
            .union(reaches[playing[i * 2 + 1]!]!)
            .applyMatrix4(getMatrixAt(i, matrix));

    const patches = parts.map((part) => {
        const { table: of } = part;
        return patchOf(part, tables[of]!, textures[of]!, morphTextures[of]!, pivotTextures[of]!);
    });
    const meshes = parts.map((part, i) => {
        const geometry = shareGeometry(three, part.mesh.geometry, all, part.mirrored);
        const { own, drawn: buffer } = places[part.table]!;
        geometry.setAttribute('bakedRows', new three.InterleavedBufferAttribute(buffer, 4, 0));
        geometry.setAttribute('bakedTo', new three.InterleavedBufferAttribute(buffer, 3, 4));
        const mesh = withSettingsOf(part, new three.InstancedMesh(geometry, clonesOf(part.mesh.material), 0));
        mesh.count = count;
        mesh.instanceMatrix = matrices.drawn;
        mesh.customDepthMaterial = new three.MeshDepthMaterial({ depthPacking: three.RGBADepthPacking });
        mesh.customDistanceMaterial = new three.MeshDistanceMaterial();
        for (const material of materialsOf(mesh)) patchMaterial(material, patches[i]!);
        mesh.computeBoundingSphere = measure;
        mesh.raycast = raycastOf(three, part, mesh, tables[part.table]!, { count, places: own, reachAt, getMatrixAt });
        return mesh;
    });
    const group = new three.Group();
    if (meshes.length > 0) group.add(...meshes);

    /** Around all instances in all clips, for the renderer's frustum culling. */
    function measure(): void {
        const [sphere, one] = [new three.Sphere().makeEmpty(), new three.Sphere()];
        for (let i = 0; i < count; i++) {
            sphere.union(all.getBoundingSphere(one).applyMatrix4(getMatrixAt(i, matrix)));
        }
        for (const mesh of meshes) mesh.boundingSphere = sphere;
    }

    function isSeen(instance: number, cameras: number): boolean {
        reachAt(instance, box);
        for (let i = 0; i < cameras; i++) if (frusta[i]!.intersectsBox(box)) return true;
        return cameras === 0;
    }

    for (let i = 0; i < count; i++) writeLane(matrices, i, i, matrix.identity().elements);
    return {
        group,
        meshes,
        textures,
        setMatrixAt(instance, { elements }) {
            writeLane(matrices, instance, slots[instance]!, elements);
            if (meshes[0]?.boundingSphere) for (const mesh of meshes) mesh.boundingSphere = null;
        },
        getMatrixAt,
        setColorAt(instance, { r, g, b }) {
            if (colors === undefined) {
                const made = createLane(three, 3, count, attribute);
                made.own.fill(1);
                drawLane(made, order, drawn);
                for (const mesh of meshes) mesh.instanceColor = made.drawn;
                colors = made;
                lanes.push(colors);
            }
            writeLane(colors, instance, slots[instance]!, [r, g, b]);
        },
        pose(clips, times, poseOptions) {
            const fade = poseOptions?.to;
            const poses = checkPose(times, fade, count);
            for (let t = 0; t < tables.length; t++) {
                if (fade) tables[t]!.rowsAt(fade.clips, fade.times, to, fade);
                tables[t]!.rowsAt(clips, times, from, poseOptions);
                const { own } = places[t]!;
                for (let i = 0; i < poses; i++) writePlace(own, i * PLACE_FLOATS, from, to, i * 3, weightAt(fade, i));
                drawLane(places[t]!, order, drawn);
            }
            for (let i = 0; i < poses; i++) {
                const weight = weightAt(fade, i);
                const first = typeof clips === 'number' ? clips : clips[i]!;
                const second =
                    fade === undefined ? first : typeof fade.clips === 'number' ? fade.clips : fade.clips[i]!;
                playing[i * 2] = weight >= 1 ? second : first;
                playing[i * 2 + 1] = weight > 0 ? second : first;
            }
        },
        boxAt(instance, target) {
            checkIndex('boxAt', 'instance', instance, count, 'instance');
            return reachAt(instance, target);
        },
        cull(...cameras) {
            group.updateWorldMatrix(true, false);
            for (const [i, camera] of cameras.entries()) {
                camera.updateWorldMatrix(true, false);
                matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(group.matrixWorld);
                frusta[i] ??= new three.Frustum();
                frusta[i].setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
            }
            drawn = 0;
            for (let i = 0; i < count; i++) {
                slots[i] = isSeen(i, cameras.length) ? drawn : -1;
                if (slots[i]! >= 0) order[drawn++] = i;
            }
            for (const lane of lanes) drawLane(lane, order, drawn);
            for (const mesh of meshes) mesh.count = drawn;
            return drawn;
        },
        patch(material, mesh) {
            const patch = patches[meshes.indexOf(mesh)];
            if (patch === undefined) {
                const got = describe(mesh);
                throw rangeError('ERR_INDEX_RANGE', `patch: mesh must be one of the crowd's meshes, got ${got}`);
            }
            patchMaterial(material, patch);
        },
        dispose() {
            for (const texture of [...textures, ...morphTextures, ...pivotTextures]) texture?.dispose();
            for (const mesh of meshes) {
                for (const material of materialsOf(mesh)) material.dispose();
                mesh.geometry.dispose();
                mesh.dispose();
            }
        },
    };
}

/** For each clip the box around all that it reaches, with what stays where it is. */
function reachesOf(three: ThreeLike, tables: readonly BakedTable[], parts: readonly Part[]): readonly THREE.Box3[] {
    const rest = new three.Box3();
    for (const part of parts.filter(({ follows }) => follows === 'rest')) {
        const { boundingBox, attributes } = part.mesh.geometry;
        const own =
            boundingBox?.clone() ??
            new three.Box3().setFromBufferAttribute(attributes.position as THREE.BufferAttribute);
        rest.union(own.applyMatrix4(part.rest));
    }
    return tables[0]!.clips.map((_, clip) => {
        const box = rest.clone();
        for (const { clips } of tables) {
            box.expandByPoint(new three.Vector3().fromArray(clips[clip]!.bounds!, 0));
            box.expandByPoint(new three.Vector3().fromArray(clips[clip]!.bounds!, 3));
        }
        return box;
    });
}

function patchOf(
    part: Part,
    { arrays }: BakedTable,
    texture: Texels,
    morphTexture: Texels | null,
    pivotTexture: Texels | null,
): Patch {
    const { follows, column, rest, firstWeight, mesh } = part;
    const morphs = firstWeight === null ? null : mesh.geometry.morphTargetsRelative ? 'relative' : 'absolute';
    return {
        follows,
        morphs,
        texelsPerJoint: texelsOf(arrays.palette!),
        layered: 'isDataArrayTexture' in texture,
        uniforms: {
            bakedPalette: { value: texture },
            bakedPivots: { value: pivotTexture },
            bakedColumn: { value: column },
            bakedRest: { value: rest },
            bakedMorphs: { value: morphTexture },
            bakedFirst: { value: firstWeight },
        },
    };
}

function clonesOf(materials: THREE.Material | THREE.Material[]): THREE.Material | THREE.Material[] {
    return Array.isArray(materials) ? materials.map((one) => one.clone()) : materials.clone();
}

/** All that are drawn with, those of shadows included. */
function materialsOf({ material, customDepthMaterial, customDistanceMaterial }: THREE.InstancedMesh): THREE.Material[] {
    return [material, customDepthMaterial!, customDistanceMaterial!].flat();
}

function withSettingsOf({ mesh, visible }: Part, baked: THREE.InstancedMesh): THREE.InstancedMesh {
    baked.name = mesh.name;
    baked.visible = visible;
    baked.castShadow = mesh.castShadow;
    baked.receiveShadow = mesh.receiveShadow;
    baked.renderOrder = mesh.renderOrder;
    baked.layers.mask = mesh.layers.mask;
    if (mesh.morphTargetInfluences) baked.morphTargetInfluences = [...mesh.morphTargetInfluences];
    return baked;
}
