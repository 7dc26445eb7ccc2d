// SPDX-License-Identifier: MIT

import { slerpEach } from './slerpEach';
import { mixTranslationsPerJoint } from './translations';

/**
 * `slerpJoints` with a weight for each joint.
 *
 * @param lerps By joint number: `lerps[index[i]]`, or `lerps[i]` without an index.
 */
export function slerpJointsPerJoint(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerps: Float32Array,
    index: Int32Array | null,
    numJoints: number,
): void {
    slerpEach(joints, joints, blendJoints, 8, lerps, index, numJoints);
    mixTranslationsPerJoint(joints, blendJoints, lerps, index, numJoints);
}
