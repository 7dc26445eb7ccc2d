// SPDX-License-Identifier: MIT

import { halfFloats } from '../format/half';
import { matricesOfQts } from '../format/qts';
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

export function allMatrices(palette: TableArray): Float32Array {
    const { data, shape } = palette;
    const halves = data instanceof Uint16Array ? halfFloats() : null;
    const rows = data instanceof Uint16Array ? Float32Array.from(data, (half) => halves![half]!) : data;
    const out = new Float32Array(shape[0]! * shape[1]! * 16);
    writeMatrices(out, rows, palette, rows.length);
    return out;
}
