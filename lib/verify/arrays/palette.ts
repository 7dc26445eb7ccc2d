// SPDX-License-Identifier: MIT

import { displacement, scaleOf } from '../metric';
import { paletteOf } from '../pose';
import { ArrayFault, columnName, type Maker, needShape, toleranceOf, worstOf } from './check';
import { lastRowIsRight, matrixReader } from './matrices';
import { checkQts } from './qts';

export const checkPalette: Maker = (judged, array, name) => {
    if (array.layout === 'qts16') return checkQts(judged, array, name);
    const { subject, metric } = judged;
    const count = subject.nodes.length;
    needShape(array, [count, array.layout === 'mat4' ? 16 : 12], ['mat4', 'mat3x4', 'qts16']);
    if (array.dtype !== 'f32' && array.dtype !== 'f16') throw new ArrayFault(`dtype is ${array.dtype}`);
    const read = matrixReader(judged, array, count);
    const [scale, tolerance] = [scaleOf(metric), toleranceOf(judged, name)];
    return {
        array: name,
        byThree: true,
        scale,
        tolerance,
        worst(row, pose) {
            const baked = read(row);
            const expected = paletteOf(subject, pose);
            return worstOf(
                count,
                (column) =>
                    lastRowIsRight(baked, column * 16)
                        ? displacement(baked, column * 16, expected, column * 16, metric.corners[column]!)
                        : Infinity,
                tolerance * scale,
                pose.rounding.palette,
            );
        },
        nameOf: (item) => columnName(judged, item),
    };
};
