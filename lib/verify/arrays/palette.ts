// SPDX-License-Identifier: MIT

import { displacement } from '../metric';
import { paletteOf } from '../pose';
import { ArrayFault, columnName, type Maker, needShape, ofLengths, worstOf } from './check';
import { lastRowIsRight, matrixReader } from './matrices';
import { checkQts } from './qts';

/** Maximum error of a number by rounding to half floats: relative, and below 2^-14. */
const HALF = 2 ** -11;
const HALF_SUBNORMAL = 2 ** -25;

/** Maximum displacement of points by a matrix that is rounded to half floats. */
function halfRounding(m: ArrayLike<number>, at: number, points: ArrayLike<number>): number {
    const rounded = (i: number) => Math.max(HALF * Math.abs(m[at + i]!), HALF_SUBNORMAL);
    let max = 0;
    for (let p = 0; p < points.length; p += 3) {
        const [x, y, z] = [Math.abs(points[p]!), Math.abs(points[p + 1]!), Math.abs(points[p + 2]!)];
        const moved = [0, 1, 2].map(
            (row) => rounded(row) * x + rounded(row + 4) * y + rounded(row + 8) * z + rounded(row + 12),
        );
        max = Math.max(max, Math.hypot(...moved));
    }
    return max;
}

export const checkPalette: Maker = (judged, array, name) => {
    if (array.layout === 'qts16') return checkQts(judged, array, name);
    const { subject, metric } = judged;
    const count = subject.nodes.length;
    needShape(array, [count, array.layout === 'mat4' ? 16 : 12], ['mat4', 'mat3x4', 'qts16']);
    if (array.dtype !== 'f32' && array.dtype !== 'f16') throw new ArrayFault(`dtype is ${array.dtype}`);
    const read = matrixReader(judged, array, count);
    const isHalf = array.dtype === 'f16';
    const base = ofLengths(judged, name);
    return {
        ...base,
        byThree: true,
        worst(row, pose) {
            const baked = read(row);
            const expected = paletteOf(subject, pose);
            return worstOf(
                count,
                (column) =>
                    lastRowIsRight(baked, column * 16)
                        ? displacement(baked, column * 16, expected, column * 16, metric.corners[column]!)
                        : Infinity,
                base.tolerance * base.scale,
                (column) =>
                    pose.rounding.palette(column) +
                    // maxError bounds a joint's own vertices, which these corners may be far from.
                    (isHalf ? halfRounding(expected, column * 16, metric.corners[column]!) : 0),
            );
        },
        nameOf: (item) => columnName(judged, item),
    };
};
