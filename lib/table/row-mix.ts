// SPDX-License-Identifier: MIT

/** The calculations of the loaders' shaders, on the CPU for picking. */

import { halfFloats } from '../format/half';
import { mixQts, PIVOT_FLOATS, QTS_FLOATS, TEXEL } from '../format/qts';
import type { TableArray } from './open-array';

/**
 * Floats of a row mix. First: row, row to interpolate to, fraction. Then the weight of a second clip, above 0 and below
 * 1 during a fade, and the same three for that clip. The last float is padding.
 */
export const ROW_MIX_FLOATS = 8;

/**
 * Writes the row mix of an instance during a fade. At a weight of at most 0 or at least 1, it is that of a single clip.
 *
 * @param from Row, row to interpolate to and fraction at `at`, by `BakedTable.rowsAt`. `to` is the clip to fade to.
 * @param mix Index in `out` of the {@link ROW_MIX_FLOATS} floats.
 */
export function writeRowMix(
    out: Float32Array,
    mix: number,
    from: Float32Array,
    to: Float32Array,
    at: number,
    weight: number,
): void {
    const first = weight >= 1 ? to : from;
    const fades = weight > 0 && weight < 1;
    for (let i = 0; i < 3; i++) {
        out[mix + i] = first[at + i]!;
        out[mix + 4 + i] = fades ? to[at + i]! : 0;
    }
    out[mix + 3] = fades ? weight : 0;
}

/** Numbers as floats, or the bits of half floats. */
type Data = TableArray['data'];

const floatAt = (data: Data, halves: Float32Array | null, at: number) =>
    halves === null ? data[at]! : halves[data[at]!]!;

function between(
    data: Data,
    halves: Float32Array | null,
    mixes: Float32Array,
    at: number,
    floats: number,
    i: number,
): number {
    const from = floatAt(data, halves, mixes[at]! * floats + i);
    return from + (floatAt(data, halves, mixes[at + 1]! * floats + i) - from) * mixes[at + 2]!;
}

/** Rows of `qts16`: another one to interpolate to, and that of a clip to fade to. */
let other = new Float32Array(0);
let coming = new Float32Array(0);
const part = new Float64Array(1);

/** Interpolates between two rows of `qts16`. */
function rowBetween(
    out: Float32Array,
    to: number,
    { data, rowFloats, pivots }: RowsOf,
    halves: Float32Array | null,
    mixes: Float32Array,
    at: number,
): void {
    for (let i = 0; i < rowFloats; i++) {
        out[to + i] = floatAt(data, halves, mixes[at]! * rowFloats + i);
        other[i] = floatAt(data, halves, mixes[at + 1]! * rowFloats + i);
    }
    part[0] = mixes[at + 2]!;
    if (part[0] > 0) mixQts(out, to, out, to, other, 0, rowFloats, part, pivots);
}

type RowsOf = Pick<TableArray, 'data' | 'rowFloats'> & Partial<Pick<TableArray, 'layout' | 'pivots'>>;

/**
 * The row that a row mix describes, as shaders calculate it: linear, element by element; rows of `qts16` by their own
 * rule. Half floats become floats. Does not allocate: Babylon's loader calls it in each frame.
 *
 * @param out Receives the row at `at`. May be the array itself, at a row that no mix refers to.
 */
export function mixRows(rows: RowsOf, mixes: Float32Array, mix: number, out: Float32Array, at = 0): void {
    const { data, rowFloats, layout, pivots } = rows;
    const halves = data instanceof Uint16Array ? halfFloats() : null;
    const weight = mixes[mix + 3]!;
    if (layout === 'qts16') {
        if (other.length < rowFloats) [other, coming] = [new Float32Array(rowFloats), new Float32Array(rowFloats)];
        rowBetween(out, at, rows, halves, mixes, mix);
        if (!(weight > 0)) return;
        rowBetween(coming, 0, rows, halves, mixes, mix + 4);
        part[0] = weight;
        mixQts(out, at, out, at, coming, 0, rowFloats, part, pivots);
        return;
    }
    for (let i = 0; i < rowFloats; i++) {
        const from = between(data, halves, mixes, mix, rowFloats, i);
        out[at + i] = weight > 0 ? from + (between(data, halves, mixes, mix + 4, rowFloats, i) - from) * weight : from;
    }
}

/** Four joints of each vertex, and their weights. */
export interface Influences {
    /** Columns of the palette. */
    readonly joints: Uint16Array;
    /** Weights as in the engine. */
    readonly weights: Float32Array;
}

/**
 * Moves vertices by a row of the palette.
 *
 * @param row A row as column-major 4x4 matrices.
 * @param by The vertices' joints, or the one column that moves all of them.
 * @param positions `vertices * 3`, as is `out`, which may be the same list.
 */
export function movePositions(
    row: Float32Array,
    by: Influences | number,
    positions: Float32Array,
    out: Float32Array,
): void {
    const influences = typeof by === 'number' ? 1 : 4;
    for (let v = 0; v < positions.length; v += 3) {
        const [x, y, z] = [positions[v]!, positions[v + 1]!, positions[v + 2]!];
        for (let r = 0; r < 3; r++) {
            let sum = 0;
            for (let k = 0; k < influences; k++) {
                const at = typeof by === 'number' ? by : by.joints[(v / 3) * 4 + k]!;
                const weight = typeof by === 'number' ? 1 : by.weights[(v / 3) * 4 + k]!;
                const m = at * 16 + r;
                sum += weight * (row[m]! * x + row[m + 4]! * y + row[m + 8]! * z + row[m + 12]!);
            }
            out[v + r] = sum;
        }
    }
}

/** Whether a column mirrors: the sign of its determinant, or of its scale, in the first row where that is not 0. */
export function isMirrored({ data, rowFloats, layout, shape, pivots }: TableArray, column: number): boolean {
    const halves = data instanceof Uint16Array ? halfFloats() : null;
    const floats = layout === 'mat4' ? 16 : layout === 'qts16' ? QTS_FLOATS : 12;
    /** Place in a row of the third row of a stretched column. */
    const third = (pivots?.[column * PIVOT_FLOATS + 3] ?? 0) * TEXEL;
    for (let row = 0; row < shape[0]!; row++) {
        const at = row * rowFloats + column * floats;
        if (layout === 'qts16' && third === 0) {
            const scale = floatAt(data, halves, at + 7);
            if (scale !== 0) return scale < 0;
            continue;
        }
        const placeOf = (i: number) => (third > 0 && i >= 8 ? row * rowFloats + third + i - 8 : at + i);
        const m = Array.from({ length: 11 }, (_, i) => floatAt(data, halves, placeOf(i)));
        // The determinant of a matrix and its transpose are the same, so this fits both layouts.
        const [a, b, c, , d, e, f, , g, h, i] = m as [number, ...number[]] & Record<number, number>;
        const determinant = a * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!);
        if (determinant !== 0) return determinant < 0;
    }
    return false;
}
