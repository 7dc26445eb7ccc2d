// SPDX-License-Identifier: MIT

import { displacement, farthestOf } from '../metric';
import { ArrayFault, columnName, type Maker, needFloat32, needShape, ofLengths, worstOf } from './check';
import { matrixReader, pointsAtColumn } from './matrices';

/** Judges global matrices by their effect on the vertices' box, in the joint's space of the inverse bind matrix. */
export const checkHit: Maker = (judged, array, name) => {
    const { subject } = judged;
    const chosen = array.joints ?? [];
    const count = chosen.length;
    needShape(array, [count, 12], ['mat3x4']);
    needFloat32(array);
    if (
        !chosen.every(
            (joint) => Number.isInteger(joint) && joint >= 0 && joint < (subject.joints || subject.nodes.length),
        )
    ) {
        throw new ArrayFault('its joints are not indices into skin.joints, or without a skin into attachments');
    }
    const read = matrixReader(judged, array, count);
    const points = chosen.map((joint) => pointsAtColumn(judged, joint));
    const reach = points.map(farthestOf);
    const base = ofLengths(judged, name);
    return {
        ...base,
        byThree: true,
        worst(row, { globals, rounding }) {
            const baked = read(row);
            return worstOf(
                count,
                (k) => displacement(baked, k * 16, globals, subject.nodes[chosen[k]!]! * 16, points[k]!),
                base.tolerance * base.scale,
                (k) => rounding.global(subject.nodes[chosen[k]!]!, reach[k]!),
            );
        },
        nameOf: (item) => columnName(judged, chosen[item]!),
    };
};
