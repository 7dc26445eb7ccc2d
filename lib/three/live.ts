// SPDX-License-Identifier: MIT

/** Crowds that a Rig poses. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import { checkRig, livePalettes, type RigLike, restPalettes } from '../table/live';
import { columnBoxes, growBox } from '../table/reach';
import { ROW_MIX_FLOATS } from '../table/row-mix';
import { checkTextureOptions } from '../table/texture';
import { checkModel } from './arguments';
import { type Drawing, instancesOf } from './instances';
import { partsOf } from './model';
import { movedVertices, restOf } from './reach';
import type { CrowdOptions, LiveCrowd, LoadedModel, SharedThree } from './types';

const ROUTINE = 'createLiveCrowd';

/** A crowd that `drawing` draws. {@link LiveCrowd} documents its members. */
export function liveCrowd(
    three: SharedThree,
    rig: RigLike,
    model: LoadedModel | THREE.Object3D,
    count: number,
    options: CrowdOptions | undefined,
    drawing: Drawing,
): LiveCrowd {
    checkRig(ROUTINE, rig);
    checkModel(ROUTINE, model, count);
    const { maxSize } = checkTextureOptions(ROUTINE, options);
    const found = partsOf(three, restPalettes(rig, 'mat3x4'), model, 'rig');
    const { tables, columnOf, update } = livePalettes(rig, found, count, 'mat3x4', maxSize);
    const parts = found.map((part) => ({ ...part, column: columnOf(part) }));
    const rest = restOf(three, parts);
    const boxes = columnBoxes(tables, movedVertices(parts));
    const box = new Float64Array(6);
    const reachAt = (instance: number, { min, max }: THREE.Box3) => {
        rest.min.toArray(box, 0);
        rest.max.toArray(box, 3);
        for (const [t, { arrays }] of tables.entries()) {
            const { data, rowFloats } = arrays.palette!;
            growBox(box, boxes[t]!, data, instance * rowFloats, 'mat3x4');
        }
        min.fromArray(box, 0);
        max.fromArray(box, 3);
    };
    const all = new three.Box3();
    if (count > 0) reachAt(0, all);
    const moves = { tables, parts, all, reachAt };
    const { crowd, mixes, morphs, draw } = instancesOf(three, moves, count, options, drawing);
    for (const lane of mixes) {
        for (let i = 0; i < count; i++) lane.own.fill(i, i * ROW_MIX_FLOATS, i * ROW_MIX_FLOATS + 2);
        draw(lane);
    }
    const [sphere, one, reach] = [new three.Sphere(), new three.Sphere(), new three.Box3()];
    for (const mesh of crowd.meshes) {
        mesh.computeBoundingSphere = () => {
            sphere.makeEmpty();
            for (let i = 0; i < count; i++) sphere.union(crowd.boxAt(i, reach).getBoundingSphere(one));
            for (const each of crowd.meshes) each.boundingSphere = sphere;
        };
        // `cull` does it better.
        mesh.frustumCulled = false;
        // Only for sorting, as long as three.js need not cull: null would mean the boxes of all instances in each frame.
        mesh.boundingSphere = all.getBoundingSphere(new three.Sphere());
    }
    return {
        ...crowd,
        update(poses) {
            update(poses);
            for (const texture of crowd.textures) texture.needsUpdate = true;
            for (const texture of morphs) if (texture !== null) texture.needsUpdate = true;
            for (const mesh of crowd.meshes) if (mesh.frustumCulled) mesh.boundingSphere = null;
        },
    };
}
