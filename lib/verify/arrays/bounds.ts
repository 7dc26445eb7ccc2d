// SPDX-License-Identifier: MIT

import { addPoint, addSkinned, emptyBox } from '../box';
import { type Pose, paletteOf } from '../pose';
import { readElements } from '../read-bake';
import type { Rounding } from '../rounding';
import { type Judged, type Maker, needFloat32, needShape, ofLengths, worstOf } from './check';

const SIDES = ['min x', 'min y', 'min z', 'max x', 'max y', 'max z'];

/**
 * Boxes around the vertices, or around the columns' origins if there are none. The manifest's boxes of whole clips are
 * the same.
 */
export const checkBounds: Maker = (judged, array, name) => {
    const { files } = judged;
    needShape(array, [6], ['minmax']);
    needFloat32(array);
    const baked = new Float64Array(6);
    const base = ofLengths(judged, name);
    return {
        ...base,
        worst(row, pose) {
            readElements(files.bin, array, row * 6, baked);
            const box = boxOf(judged, pose);
            return worstOf(
                6,
                (side) => Math.abs(baked[side]! - box[side]!),
                base.tolerance * base.scale,
                (side) => sideRounding(pose.rounding, box[side]!),
            );
        },
        nameOf: (item) => ({ joint: -1, what: SIDES[item]! }),
    };
};

/** The rounding error of a side of a box: that of the vertices' positions, and that of the side itself. */
export function sideRounding({ worst, once }: Pick<Rounding, 'worst' | 'once'>, side: number): number {
    return worst + once(Math.abs(side));
}

/** The box of a pose. */
export function boxOf({ subject, vertices }: Judged, pose: Pose): Float64Array {
    const box = emptyBox();
    if (vertices.length > 0) addSkinned(box, vertices, paletteOf(subject, pose));
    else for (const node of subject.nodes) addPoint(box, pose.globals.subarray(node * 16 + 12, node * 16 + 15));
    return box;
}
