// SPDX-License-Identifier: MIT

/** Shared by baked and live crowds, without shaders: meshes, instance transforms, colors, and culling. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { describe } from '../base/arguments';
import { checkIndex } from '../base/call-arguments';
import { rangeError } from '../base/errors';
import type { Palettes } from '../table/palettes';
import { checkTextureOptions } from '../table/texture';
import { shareGeometry } from './geometry';
import { drawLane, type Lane, writeLane } from './lanes';
import type { Part } from './model';
import { raycastOf } from './raycast';
import { createMorphTexture, createPivotTexture, createTexture, type Texels } from './texture';
import type { Crowd, CrowdOptions, SharedThree } from './types';

/** The data that a mesh of the crowd is made of. */
export interface Sources {
    readonly part: Part;
    readonly table: Palettes;
    readonly palette: Texels;
    /** Only for layout `qts16`. */
    readonly pivots: Texels | null;
    /** Null if the bake does not have the mesh's morph weights. */
    readonly morphs: Texels | null;
    readonly matrices: Lane;
    readonly mixes: Lane;
}

/** The parts of a crowd that depend on the renderer. */
export interface Drawing {
    /** Creates a lane for matrices, 16 floats. */
    matrices(): Lane;
    /** Creates a lane for row mixes, {@link ROW_MIX_FLOATS}. */
    mixes(): Lane;
    /**
     * Creates a mesh of all instances, with its own materials that do not move yet. `geometry` belongs to this mesh.
     */
    meshOf(geometry: THREE.BufferGeometry, sources: Sources): THREE.InstancedMesh;
    /** Returns a function that makes a material move like the mesh. */
    patchOf(sources: Sources): (material: THREE.Material) => void;
    /** Creates a lane for colors, 3 or 4 floats, and adds it to the meshes. */
    color(meshes: readonly THREE.InstancedMesh[]): Lane;
    /** Frees everything else that was created. */
    dispose(): void;
}

/** The source of motion of a crowd's instances. */
export interface Moves {
    readonly tables: readonly Palettes[];
    readonly parts: readonly Part[];
    /** The box around everything that any instance reaches, in the space of the model. */
    readonly all: THREE.Box3;
    /** The box around everything that an instance reaches, in the space of the model. */
    reachAt(instance: number, target: THREE.Box3): void;
}

/** A crowd that nothing poses yet, and what poses it. */
export interface Instances {
    readonly crowd: Crowd;
    /** Row mixes, one lane for each table. */
    readonly mixes: readonly Lane[];
    /** One for each table that has morph weights. */
    readonly morphs: readonly (Texels | null)[];
    /** Copies the data of a lane to what is drawn. */
    draw(lane: Lane): void;
}

/** A crowd that `drawing` draws. {@link Crowd} documents its members. */
export function instancesOf(
    three: SharedThree,
    { tables, parts, all, reachAt: reachOf }: Moves,
    count: number,
    options: CrowdOptions | undefined,
    drawing: Drawing,
): Instances {
    const limits = checkTextureOptions('createPaletteTexture', options);
    const textures = tables.map((one) => createTexture(three, one, limits));
    const morphTextures = tables.map((one, i) => createMorphTexture(three, one, textures[i]!));
    const pivotTextures = tables.map((one) => createPivotTexture(three, one));
    const matrices = drawing.matrices();
    const mixes = tables.map(() => drawing.mixes());
    const lanes: Lane[] = [matrices, ...mixes];
    let colors: Lane | undefined;
    /** The drawn instances, and the index of each among these; -1 if it is not drawn. */
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    const slots = Int32Array.from(order);
    let drawn = count;

    const matrix = new three.Matrix4();
    const box = new three.Box3();
    const frusta: THREE.Frustum[] = [];

    const getMatrixAt = (i: number, target: THREE.Matrix4) => target.fromArray(matrices.own, i * 16);
    const reachAt = (i: number, target: THREE.Box3) => {
        reachOf(i, target);
        return target.applyMatrix4(getMatrixAt(i, matrix));
    };

    const sources = parts.map((part): Sources => {
        const { table: i, firstWeight } = part;
        const morphs = firstWeight === null ? null : morphTextures[i]!;
        const [palette, pivots] = [textures[i]!, pivotTextures[i]!];
        return { part, table: tables[i]!, palette, pivots, morphs, matrices, mixes: mixes[i]! };
    });
    const patches = sources.map((of) => drawing.patchOf(of));
    const meshes = sources.map((of, i) => {
        const { part, table: own, mixes: lane } = of;
        const mesh = withSettingsOf(
            part,
            drawing.meshOf(shareGeometry(three, part.mesh.geometry, all, part.mirrored, part.rescaled), of),
        );
        mesh.count = count;
        for (const material of materialsOf(mesh)) patches[i]!(material);
        mesh.computeBoundingSphere = measure;
        mesh.raycast = raycastOf(three, part, mesh, own, { count, mixes: lane.own, reachAt, getMatrixAt });
        return mesh;
    });
    const group = new three.Group();
    if (meshes.length > 0) group.add(...meshes);

    /** Updates the bounds of all instances in all clips, for the renderer's frustum culling. */
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
    const crowd: Crowd = {
        group,
        meshes,
        textures,
        setMatrixAt(instance, { elements }) {
            writeLane(matrices, instance, slots[instance]!, elements);
            for (const mesh of meshes) if (mesh.frustumCulled) mesh.boundingSphere = null;
        },
        getMatrixAt,
        setColorAt(instance, { r, g, b }) {
            if (colors === undefined) {
                const made = drawing.color(meshes);
                made.own.fill(1);
                drawLane(made, order, drawn);
                colors = made;
                lanes.push(colors);
            }
            writeLane(colors, instance, slots[instance]!, [r, g, b, 1]);
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
            patch(material);
        },
        dispose() {
            for (const texture of [...textures, ...morphTextures, ...pivotTextures]) texture?.dispose();
            for (const mesh of meshes) {
                for (const material of materialsOf(mesh)) material.dispose();
                mesh.geometry.dispose();
                mesh.dispose();
            }
            drawing.dispose();
        },
    };
    return { crowd, mixes, morphs: morphTextures, draw: (lane) => drawLane(lane, order, drawn) };
}

export function clonesOf(materials: THREE.Material | THREE.Material[]): THREE.Material | THREE.Material[] {
    return Array.isArray(materials) ? materials.map((one) => one.clone()) : materials.clone();
}

/** All materials of a mesh, including those of shadows. */
function materialsOf({ material, customDepthMaterial, customDistanceMaterial }: THREE.InstancedMesh): THREE.Material[] {
    return [material, customDepthMaterial ?? [], customDistanceMaterial ?? []].flat();
}

function withSettingsOf({ mesh, visible, firstWeight }: Part, baked: THREE.InstancedMesh): THREE.InstancedMesh {
    baked.name = mesh.name;
    baked.visible = visible;
    baked.castShadow = mesh.castShadow;
    baked.receiveShadow = mesh.receiveShadow;
    baked.renderOrder = mesh.renderOrder;
    baked.layers.mask = mesh.layers.mask;
    // The shader applies weights of the bake.
    baked.morphTargetInfluences = mesh.morphTargetInfluences?.map((weight) => (firstWeight === null ? weight : 0));
    return baked;
}
