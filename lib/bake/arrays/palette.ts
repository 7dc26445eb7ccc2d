// SPDX-License-Identifier: MIT

import { halfOf } from '../../numbers/half';
import type { Recipe } from '../options';
import { type BakedArray, type Batch, floatArray } from './array';

/** Skinning matrices: `[row][joint]`, global x inverse bind. */
export function paletteArray(joints: number, { layout, dtype }: Pick<Recipe, 'layout' | 'dtype'>): BakedArray {
    const size = layout === 'mat4' ? 16 : 12;
    const about = { name: 'palette', layout, row: [joints, size] } as const;
    const convert = layout === 'mat4' ? (_: Float32Array, palette: Float32Array) => palette : toMat3x4;
    if (dtype === 'f32') {
        return floatArray(about, (rows, { palette }) => {
            // The frames of a palette like this are evaluated where they belong.
            if (layout === 'mat3x4') toMat3x4(rows, palette);
            else if (palette.buffer !== rows.buffer) rows.set(palette);
        });
    }
    const width = joints * size;
    return {
        ...about,
        dtype,
        open(view) {
            let converted = new Float32Array(0);
            return ({ row, count, palette }: Batch) => {
                if (converted.length < count * width) converted = new Float32Array(count * width);
                const floats = convert(converted, palette);
                for (let i = 0; i < count * width; i++) view[row * width + i] = halfOf(floats[i]!);
            };
        },
    };
}

/** Column-major 4x4 to row-major 3x4. */
function toMat3x4(to: Float32Array, from: Float32Array): Float32Array {
    let t = 0;
    for (let f = 0; f < from.length; f += 16) {
        for (let row = 0; row < 3; row++) {
            to[t++] = from[f + row]!;
            to[t++] = from[f + row + 4]!;
            to[t++] = from[f + row + 8]!;
            to[t++] = from[f + row + 12]!;
        }
    }
    return to;
}
