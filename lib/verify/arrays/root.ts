// SPDX-License-Identifier: MIT

import { readElements } from '../bake-file';
import { compose, longestColumn, multiply } from '../matrix';
import { displacement, scaleOf } from '../metric';
import { ArrayFault, columnName, type Maker, needFloat32, needShape, toleranceOf, worstOf } from './check';
import { pointsAround } from './matrices';

/** The motion of one joint since the clip's first frame, in its own frame there: translation and rotation, without scale. */
export const checkRoot: Maker = (judged, array, name) => {
    const { files, subject, metric } = judged;
    needShape(array, [7], ['tr']);
    needFloat32(array);
    const joint = array.joint ?? -1;
    const node = subject.nodes[joint];
    if (node === undefined) throw new ArrayFault('its joint is no index into skin.joints');
    const { skin, attachments = [] } = files.manifest;
    if ((skin?.joints ?? attachments).findIndex(({ parent }) => parent === -1) !== joint) {
        throw new ArrayFault(`joint ${joint} is not the first without a parent`);
    }
    const tr = new Float64Array(7);
    const baked = new Float64Array(16);
    const [scale, tolerance] = [scaleOf(metric), toleranceOf(judged, name)];
    return {
        array: name,
        byThree: false,
        scale,
        tolerance,
        worst(row, pose, first) {
            readElements(files.bin, array, row * 7, tr);
            compose(baked, 0, [...tr, 1, 1, 1], 0);
            const start = rigid(first.locals, node * 10);
            const now = rigid(pose.locals, node * 10);
            const expected = new Float64Array(16);
            multiply(expected, 0, rigidInverse(start), 0, now, 0);
            // Its translation is in units of the parent's space; the error is told in those of the bake's.
            const parent = subject.evaluator.parents[node]!;
            const unit = parent < 0 ? 1 : longestColumn(pose.globals, parent * 16);
            const points = pointsAround(expected, 0, unit > 0 ? metric.extent / unit : 0);
            const moved = Math.hypot(expected[12]!, expected[13]!, expected[14]!) * unit;
            const { rounding } = pose;
            return worstOf(
                1,
                () => displacement(baked, 0, expected, 0, points) * unit,
                tolerance * scale,
                () => first.rounding.sampled(node, moved) + rounding.sampled(node, 0) + rounding.once(moved),
            );
        },
        nameOf: () => columnName(judged, joint),
    };
};

/** Rotation, brought to unit length, and translation of a local transform. */
function rigid(locals: Float64Array, at: number): Float64Array {
    const q = Array.from(locals.subarray(at + 3, at + 7));
    const length = Math.hypot(...q) || 1;
    const trs = [...locals.subarray(at, at + 3), ...q.map((x) => x / length), 1, 1, 1];
    const out = new Float64Array(16);
    compose(out, 0, trs, 0);
    return out;
}

function rigidInverse(m: Float64Array): Float64Array {
    const out = new Float64Array(16);
    for (let row = 0; row < 3; row++) {
        for (let c = 0; c < 3; c++) out[c * 4 + row] = m[row * 4 + c]!;
        out[12 + row] = -(m[row * 4]! * m[12]! + m[row * 4 + 1]! * m[13]! + m[row * 4 + 2]! * m[14]!);
    }
    out[15] = 1;
    return out;
}
