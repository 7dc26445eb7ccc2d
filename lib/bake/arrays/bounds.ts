// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import { emptyBounds, growJointBounds } from '../../rig/joint-bounds';
import { emptyBox, roundedSide } from '../../rig/measure/geometry';
import type { SkinModel } from '../rows/skin-model';
import { type BakedArray, floatArray } from './array';

/** The box of the model in each row: min x y z, max x y z. */
export function boundsArray(model: Pick<SkinModel, 'addRows'>): BakedArray {
    return floatArray({ name: 'bounds', layout: 'minmax', row: [6] }, (rows, { palette, count }) => {
        for (let row = 0; row < count; row++) {
            const box = emptyBox();
            model.addRows(box, palette, row, 1);
            for (let side = 0; side < 6; side++) rows[row * 6 + side] = roundedSide(box[side]!);
        }
    });
}

/**
 * For each column, the box of the vertices that it moves, in the column's own space.
 *
 * @param file Name of the input, for errors.
 * @throws InputError `NOT_FINITE`, from `open`, for a vertex beyond float32 in that space.
 */
export function jointBoundsArray({ rig, geometry }: Pick<SkinModel, 'rig' | 'geometry'>, file: string): BakedArray {
    const { joints: columns, inverseBinds } = rig.skins[0]!;
    return {
        name: 'jointBounds',
        layout: 'minmax',
        dtype: 'f32',
        rows: columns.length,
        row: [6],
        open(view) {
            const boxes = emptyBounds(columns.length);
            if (geometry !== null) {
                const { positions, starts, joints } = geometry;
                growJointBounds(boxes, { positions, starts, step: 1, jointOf: (i) => joints[i]! }, inverseBinds);
            }
            const wrong = boxes.findIndex((side, i) => side === (i % 6 < 3 ? -Infinity : Infinity));
            if (wrong >= 0) {
                const column = Math.floor(wrong / 6);
                throw new InputError(
                    'NOT_FINITE',
                    file,
                    '',
                    `the box of column ${column} in jointBounds is not finite`,
                );
            }
            view.set(boxes);
            return () => {};
        },
    };
}
