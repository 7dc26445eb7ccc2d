// SPDX-License-Identifier: MIT

import { significant } from '../../base/messages';
import { addPoint, eachInfluence, emptyBox } from '../box';
import { type AddProblem, STATED } from '../check-manifest';
import { transformed } from '../matrix';
import { type BakeArray, readElements } from '../read-bake';
import { columnName, type Judged, needFloat32, needShape } from './check';

/**
 * Judges the boxes of the vertices that columns move. Each is in its column's own space and independent of rows. The
 * tolerance of a side has three terms: a share of the box, of its distance from the origin, and of the distance that
 * the inverse bind matrix subtracts.
 */
export function checkJointBounds(judged: Judged, array: BakeArray, addProblem: AddProblem): void {
    const { subject, vertices, files } = judged;
    const { nodes, binds } = subject;
    needShape({ ...array, shape: [0, ...array.shape] }, [nodes.length, 6], ['minmax']);
    needFloat32(array);
    const boxes = nodes.map(emptyBox);
    const sizes = new Float64Array(nodes.length);
    eachInfluence(vertices, boxes.length, (column, [x, y, z]) => {
        const place = transformed(binds, column * 16, x!, y!, z!);
        addPoint(boxes[column]!, place);
        sizes[column] = Math.max(sizes[column]!, ...place.map(Math.abs));
    });
    const stated = readElements(files.bin, array, 0, new Float64Array(nodes.length * 6));
    for (const [column, box] of boxes.entries()) {
        for (let side = 0; side < 6; side++) {
            const is = stated[column * 6 + side]!;
            const must = box[side]!;
            if (Object.is(is, must) || Math.abs(is - must) <= STATED * sizes[column]!) continue;
            const { what } = columnName(judged, column);
            const message = `${what}: side ${side} of its box is ${significant(is)}, must be ${significant(must)}`;
            addProblem('JOINT_BOUNDS_DIFFER', '/arrays/jointBounds', message);
            break;
        }
    }
}
