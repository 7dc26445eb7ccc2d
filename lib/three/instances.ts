// SPDX-License-Identifier: MIT

/** A crowd without its shaders: what moves each mesh, instance transforms, clips and times, and culling. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { describe } from '../base/arguments';
import { checkIndex } from '../base/call-arguments';
import { rangeError } from '../base/errors';
import type { BakedTable } from '../table';
import { checkPose, loopsOf, weightAt } from '../table/poses';
import { ROW_MIX_FLOATS, writeRowMix } from '../table/row-mix';
import { checkCrowd } from './arguments';
import { shareGeometry } from './geometry';
import { drawLane, type Lane, writeLane } from './lanes';
import { type Part, partsOf } from './model';
import { raycastOf } from './raycast';
import { createMorphTexture, createPaletteTexture, createPivotTexture, type Texels } from './texture';
import type { BakedCrowd, BakedCrowdOptions, LoadedModel, SharedThree } from './types';

/** The data that a mesh of the crowd is made of. */
export interface Sources {
    readonly part: Part;
    readonly table: BakedTable;
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

/** A crowd that `drawing` draws. {@link BakedCrowd} documents its members. */
export function crowdOf(
    three: SharedThree,
    table: BakedTable | readonly BakedTable[],
    model: LoadedModel | THREE.Object3D,
    count: number,
    options: BakedCrowdOptions | undefined,
    drawing: Drawing,
): BakedCrowd {
    const tables = checkCrowd('createBakedCrowd', table, model, count, options);
    const parts = partsOf(three, tables, model);
    const textures = tables.map((one) => createPaletteTexture(three, one, options));
    const morphTextures = tables.map((one, i) => createMorphTexture(three, one, textures[i]!));
    const pivotTextures = tables.map((one) => createPivotTexture(three, one));
    const reaches = reachesOf(three, tables, parts);
    const all = reaches.reduce((box, reach) => box.union(reach), new three.Box3());

    const matrices = drawing.matrices();
    const mixes = tables.map(() => drawing.mixes());
    const lanes: Lane[] = [matrices, ...mixes];
    let colors: Lane | undefined;
    /** The drawn instances, and the index of each among these; -1 if it is not drawn. */
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    const slots = Int32Array.from(order);
    let drawn = count;

    // Temporary rows of `pose` for one table at a time, and the clips of each instance.
    const from = new Float32Array(count * 3);
    const to = new Float32Array(count * 3);
    const playing = new Uint16Array(count * 2);
    const optionsOf = loopsOf(tables, count);

    const matrix = new three.Matrix4();
    const box = new three.Box3();
    const frusta: THREE.Frustum[] = [];

    const getMatrixAt = (i: number, target: THREE.Matrix4) => target.fromArray(matrices.own, i * 16);
    const reachAt = (i: number, target: THREE.Box3) =>
        target
            .copy(reaches[playing[i * 2]!]!)
            .union(reaches[playing[i * 2 + 1]!]!)
            .applyMatrix4(getMatrixAt(i, matrix));

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
                const made = drawing.color(meshes);
                made.own.fill(1);
                drawLane(made, order, drawn);
                colors = made;
                lanes.push(colors);
            }
            writeLane(colors, instance, slots[instance]!, [r, g, b, 1]);
        },
        pose(clips, times, poseOptions) {
            const fade = poseOptions?.to;
            const poses = checkPose(times, fade, count);
            for (let t = 0; t < tables.length; t++) {
                if (fade) tables[t]!.rowsAt(fade.clips, fade.times, to, optionsOf(fade.clips, poses, fade));
                tables[t]!.rowsAt(clips, times, from, optionsOf(clips, poses, poseOptions));
                const { own } = mixes[t]!;
                for (let i = 0; i < poses; i++)
                    writeRowMix(own, i * ROW_MIX_FLOATS, from, to, i * 3, weightAt(fade, i));
                drawLane(mixes[t]!, order, drawn);
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
}

/** For each clip, the box around everything that it reaches, including meshes that do not move. */
function reachesOf(three: SharedThree, tables: readonly BakedTable[], parts: readonly Part[]): readonly THREE.Box3[] {
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
