// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import { type ClipTables, GLOBAL_FLOATS, type RigTables } from '../kernels/contract';
import { type Skeleton, toMat3x4 } from '../skeleton';
import { limitOf, type RigSource } from '../source/source';
import { packClip } from './clip';
import type { Morphs } from './morphs';
import { movableOf } from './movable';

/**
 * Packs all tables that the kernels need. It keeps no reference to the source.
 *
 * @param vertexNumbers Numbers that its meshes hold: keys and vertices share one limit.
 */
export function packRig(source: RigSource, skeleton: Skeleton, morphs: Morphs, vertexNumbers = 0): RigTables {
    const limit = limitOf(source);
    let room = limit - vertexNumbers;
    const movable = movableOf({ slots: skeleton.nodes.length, morphs: morphs.ranges });
    const clips = source.animations.map((animation, index): ClipTables => {
        const clip = packClip(animation, skeleton, morphs, movable, room);
        if (clip === null) {
            // Channels may share accessors, so a small file can ask for any amount of keys.
            const keys = `the keys of all channels${vertexNumbers === 0 ? '' : `, with ${vertexNumbers} numbers of vertices,`}`;
            const rule = `${keys} need more than ${limit} values, the limit here`;
            throw new InputError('GLTF_INVALID', source.name, `/animations/${index}`, rule);
        }
        room -= clip.values.length;
        return clip;
    });
    return {
        slots: skeleton.nodes.length,
        rest: skeleton.rest,
        restWeights: morphs.rest,
        matrices: skeleton.matrices,
        morphs: morphs.ranges,
        skins: source.skins.map(({ joints, inverseBindMatrices }) => {
            const inverseBinds = new Float32Array(joints.length * GLOBAL_FLOATS);
            for (const joint of joints.keys()) toMat3x4(inverseBinds, joint * 12, inverseBindMatrices, joint * 16);
            return { joints: Int32Array.from(joints, (node) => skeleton.slotOfNode[node]!), inverseBinds };
        }),
        clips,
    };
}
