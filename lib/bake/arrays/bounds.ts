// SPDX-License-Identifier: MIT

import { type BakedArray, floatArray } from './array';

/** The box of the model in each row: least x y z, greatest x y z. */
export function boundsArray(): BakedArray {
    return floatArray({ name: 'bounds', layout: 'minmax', row: [6] }, (rows, { boxes }) => rows.set(boxes));
}
