// SPDX-License-Identifier: MIT

import { nameOf } from '../gltf';
import { compose } from '../matrix';
import { displacement } from '../metric';
import { readElements } from '../read-bake';
import { ArrayFault, type Maker, needFloat32, needShape, ofLengths, worstOf } from './check';
import { pointsAround } from './matrices';

/** Judges the motion of a joint since the clip's first frame, by its effect on points at the distance of the extent. */
export const checkRoot: Maker = (judged, array, name) => {
    const { files, subject, metric } = judged;
    needShape(array, [7], ['tr']);
    needFloat32(array);
    const node = subject.motion?.node;
    if (node === undefined || files.manifest.recipe.root?.mode === 'in-place') {
        throw new ArrayFault('recipe.root does not say that it is there');
    }
    const joint = subject.nodes.slice(0, subject.joints || subject.nodes.length).indexOf(node);
    if (array.joint !== joint) throw new ArrayFault(`joint is ${array.joint}, that of node ${node} is ${joint}`);
    const tr = new Float64Array(7);
    const before = new Float64Array(4);
    const baked = new Float64Array(16);
    const base = ofLengths(judged, name);
    return {
        ...base,
        worst(row, pose, first) {
            readElements(files.bin, array, row * 7, tr);
            compose(baked, 0, [...tr, 1, 1, 1], 0);
            const { matrix } = pose.motion!;
            // Readers may interpolate rotations, so consecutive ones must be in the same hemisphere.
            const flips = pose !== first && before.reduce((dot, x, c) => dot + x * tr[3 + c]!, 0) < 0;
            before.set(tr.subarray(3));
            const points = pointsAround(matrix, 0, metric.extent);
            return worstOf(
                1,
                () => (flips ? Infinity : displacement(baked, 0, matrix, 0, points)),
                base.tolerance * base.scale,
                () => first.rounding.motion + pose.rounding.motion,
            );
        },
        nameOf: () => ({ joint, what: `joint '${nameOf(subject.evaluator.nodes[node])}'` }),
    };
};
