// SPDX-License-Identifier: MIT

/** Crowds that a Rig poses. */

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { RigBase } from '../rig/rig-base';
import { checkRig, livePalettes, restPalettes } from '../table/live';
import { ROW_MIX_FLOATS } from '../table/row-mix';
import { checkTextureOptions } from '../table/texture';
import { checkModel } from './arguments';
import { type Drawing, instancesOf } from './instances';
import { partsOf } from './model';
import { columnBoxes, growByRow, restOf } from './reach';
import type { CrowdOptions, LiveCrowd, LoadedModel, SharedThree } from './types';

const ROUTINE = 'createLiveCrowd';

/** A crowd that `drawing` draws. {@link LiveCrowd} documents its members. */
export function liveCrowd(
    three: SharedThree,
    rig: RigBase,
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
    /** Made on first use, because only culling and picking need them. */
    let boxes: readonly Float64Array[] | undefined;
    const reachAt = (instance: number, target: THREE.Box3) => {
        boxes ??= columnBoxes(tables, parts);
        target.copy(rest);
        for (const [t, { arrays }] of tables.entries()) {
            const { data, rowFloats } = arrays.palette!;
            growByRow(target, boxes[t]!, data, instance * rowFloats);
        }
        return target;
    };
    const all = count > 0 ? reachAt(0, new three.Box3()) : rest;
    const moves = { tables, parts, all, reachAt };
    const { crowd, mixes, morphs, draw } = instancesOf(three, moves, count, options, drawing);
    for (const lane of mixes) {
        for (let i = 0; i < count; i++) lane.own.fill(i, i * ROW_MIX_FLOATS, i * ROW_MIX_FLOATS + 2);
        draw(lane);
    }
    // Otherwise three.js would need the boxes of all instances in each frame.
    for (const mesh of crowd.meshes) mesh.frustumCulled = false;
    return {
        ...crowd,
        update(poses) {
            update(poses);
            for (const texture of crowd.textures) texture.needsUpdate = true;
            for (const texture of morphs) if (texture !== null) texture.needsUpdate = true;
            for (const mesh of crowd.meshes) mesh.boundingSphere = null;
        },
    };
}
