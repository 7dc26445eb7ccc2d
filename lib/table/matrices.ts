// SPDX-License-Identifier: MIT

import { halfFloats } from '../format/half';
import { matricesOfQts, PIVOT_FLOATS } from '../format/qts';
import type { TableArray } from './open-array';

export type PaletteLayout = Pick<TableArray, 'layout' | 'pivots'>;

/** Converts `floats` floats of palette rows to column-major `[row][column][16]`. Does not allocate. */
export function writeMatrices(
    out: Float32Array,
    rows: Float32Array,
    { layout, pivots }: PaletteLayout,
    floats: number,
): void {
    if (layout === 'qts16') matricesOfQts(out, rows, pivots!, floats);
    else if (layout === 'mat4') for (let i = 0; i < floats; i++) out[i] = rows[i]!;
    else {
        for (let i = 0; i < (floats / 12) * 16; i++) {
            const [matrix, column, row] = [i >> 4, (i >> 2) & 3, i & 3];
            if (row < 3) out[i] = rows[matrix * 12 + row * 4 + column]!;
            else out[i] = column === 3 ? 1 : 0;
        }
    }
}

/** Number of matrices of a row. */
export function columnsOf({ shape, pivots }: Pick<TableArray, 'shape' | 'pivots'>): number {
    return pivots === undefined ? shape[1]! : pivots.length / PIVOT_FLOATS;
}

export function allMatrices(palette: TableArray): Float32Array {
    const { data, shape } = palette;
    const halves = data instanceof Uint16Array ? halfFloats() : null;
    const rows = data instanceof Uint16Array ? Float32Array.from(data, (half) => halves![half]!) : data;
    const out = new Float32Array(shape[0]! * columnsOf(palette) * 16);
    writeMatrices(out, rows, palette, rows.length);
    return out;
}
