// SPDX-License-Identifier: MIT

import { readElements } from '../bake-file';
import { type Pose, paletteOf } from '../pose';
import { addPoint, addSkinned, emptyBox } from '../yardstick';
import { type Judged, type Maker, needFloat32, needShape, scaleOf, worstOf } from './check';

const SIDES = ['least x', 'least y', 'least z', 'greatest x', 'greatest y', 'greatest z'];

/** Boxes around the skinned vertices, or the joints' origins where there are none: as the manifest's of whole clips. */
export const checkBounds: Maker = (judged, array, name) => {
    const { files, yard } = judged;
    needShape(array, [6], ['minmax']);
    needFloat32(array);
    const baked = new Float64Array(6);
    return {
        array: name,
        byThree: false,
        scale: scaleOf(yard),
        worst(row, pose) {
            readElements(files.bin, array, row * 6, baked);
            const box = boxOf(judged, pose);
            return worstOf(6, (side) => Math.abs(baked[side]! - box[side]!));
        },
        nameOf: (item) => ({ joint: -1, what: SIDES[item]! }),
    };
};

/** The box that a pose has. */
export function boxOf({ subject, vertices }: Judged, pose: Pose): Float64Array {
    const box = emptyBox();
    if (vertices !== null) addSkinned(box, vertices, paletteOf(subject, pose));
    else for (const node of subject.joints) addPoint(box, pose.globals.subarray(node * 16 + 12, node * 16 + 15));
    return box;
}
