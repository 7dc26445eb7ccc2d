// SPDX-License-Identifier: MIT

import { emptyBox, roundedSide } from '../geometry';
import type { SkinModel } from '../skin-model';
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
