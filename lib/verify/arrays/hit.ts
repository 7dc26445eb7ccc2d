// SPDX-License-Identifier: MIT

import { displacement, farthestOf, scaleOf } from '../metric';
import { ArrayFault, columnName, type Maker, needFloat32, needShape, toleranceOf, worstOf } from './check';
import { matrixReader, pointsAtColumn } from './matrices';

/** Judges global matrices by their effect on the vertices' box, in the joint's space of the inverse bind matrix. */
export const checkHit: Maker = (judged, array, name) => {
    const { subject, metric } = judged;
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
    const [scale, tolerance] = [scaleOf(metric), toleranceOf(judged, name)];
    return {
        array: name,
        byThree: true,
        scale,
        tolerance,
        worst(row, { globals, rounding }) {
            const baked = read(row);
            return worstOf(
                count,
                (k) => displacement(baked, k * 16, globals, subject.nodes[chosen[k]!]! * 16, points[k]!),
                tolerance * scale,
                (k) => rounding.global(subject.nodes[chosen[k]!]!, reach[k]!),
            );
        },
        nameOf: (item) => columnName(judged, chosen[item]!),
    };
};
