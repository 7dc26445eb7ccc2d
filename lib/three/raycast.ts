// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { columnsOf, writeMatrices } from '../table/matrices';
import type { Palettes } from '../table/palettes';
import { mixRows, movePositions, ROW_MIX_FLOATS } from '../table/row-mix';
import type { Part } from './model';
import { influencesOf } from './reach';
import type { SharedThree } from './types';

/** The data of instances that picking needs. */
export interface Instances {
    readonly count: number;
    /** Row mixes of the table that moves the mesh. */
    readonly mixes: Float32Array;
    /** The box around everything that an instance can reach, in the space of the group. */
    reachAt(instance: number, target: THREE.Box3): THREE.Box3;
    getMatrixAt(instance: number, target: THREE.Matrix4): THREE.Matrix4;
}

/**
 * Returns a `raycast` function for a mesh of the crowd. three.js tests each instance whose box the ray hits, with
 * vertices at the positions that the shader draws. Points, faces and distances are those of live meshes, with
 * `instanceId`.
 */
export function raycastOf(
    three: SharedThree,
    part: Part,
    baked: THREE.InstancedMesh,
    { arrays }: Palettes,
    instances: Instances,
): THREE.InstancedMesh['raycast'] {
    const single = new three.Mesh(baked.geometry);
    const matrix = new three.Matrix4();
    const box = new three.Box3();
    const found: THREE.Intersection[] = [];
    let move: (instance: number) => void = () => {};

    /** Done on first use, because most crowds are never picked. */
    function prepare(): void {
        const { position, skinIndex, skinWeight } = baked.geometry.attributes;
        const vertices = position!.count;
        const positions = new Float32Array(vertices * 3);
        const moved = new Float32Array(vertices * 3);
        const vertex = new three.Vector3();
        const unmoved = single.getVertexPosition;
        const readPositions = () => {
            for (let v = 0; v < vertices; v++) unmoved.call(single, v, vertex).toArray(positions, v * 3);
        };
        single.morphTargetInfluences = part.mesh.morphTargetInfluences?.slice();
        single.getVertexPosition = (index, target) => target.fromArray(moved, index * 3);
        readPositions();
        if (part.follows === 'rest') {
            movePositions(Float32Array.from(part.rest.elements), 0, positions, moved);
            return;
        }
        const by = part.follows === 'column' ? part.column : influencesOf(skinIndex!, skinWeight!);
        const palette = arrays.palette!;
        const row = new Float32Array(palette.rowFloats);
        const matrices = new Float32Array(columnsOf(palette) * 16);
        const weights = new Float32Array(arrays.morph?.rowFloats ?? 0);
        move = (instance) => {
            if (part.firstWeight !== null) {
                mixRows(arrays.morph!, instances.mixes, instance * ROW_MIX_FLOATS, weights);
                const influences = single.morphTargetInfluences!;
                for (let i = 0; i < influences.length; i++) influences[i] = weights[part.firstWeight + i]!;
                readPositions();
            }
            mixRows(palette, instances.mixes, instance * ROW_MIX_FLOATS, row);
            writeMatrices(matrices, row, palette, row.length);
            movePositions(matrices, by, positions, moved);
        };
    }

    let prepared = false;
    return (raycaster, hits) => {
        if (!prepared) prepare();
        prepared = true;
        single.material = baked.material;
        for (let instance = 0; instance < instances.count; instance++) {
            instances.reachAt(instance, box).applyMatrix4(baked.matrixWorld);
            if (!raycaster.ray.intersectsBox(box)) continue;
            move(instance);
            single.matrixWorld.multiplyMatrices(baked.matrixWorld, instances.getMatrixAt(instance, matrix));
            single.raycast(raycaster, found);
            for (const hit of found) {
                if (part.mirrored) turnBack(hit);
                hits.push(Object.assign(hit, { object: baked, instanceId: instance }));
            }
            found.length = 0;
        }
    };
}

/** Restores the file's order of corners. */
function turnBack({ face }: THREE.Intersection): void {
    if (face) [face.b, face.c] = [face.c, face.b];
}
