// SPDX-License-Identifier: MIT

/** What the loaders draw of a table, calculated here as well, for picking: the place of an instance, and what it moves. */

import { halfFloats } from '../format/half';
import { mixQts, QTS_FLOATS } from '../format/qts';
import type { TableArray } from './open-array';

/**
 * Floats of a place: row, row to interpolate to, fraction; weight of a second place, above 0 and below 1 while an instance fades
 * from clip to clip, and that place's row, row to interpolate to and fraction. The last one is padding.
 */
export const PLACE_FLOATS = 8;

/**
 * Writes the place of an instance that fades. Where the weight is 0 or below, or 1 or above, it is that of one clip alone.
 *
 * @param from Row, row to interpolate to and fraction at `at`, as `BakedTable.rowsAt` gives them; `to` is the clip that comes.
 * @param place Takes {@link PLACE_FLOATS} at `place`.
 */
export function writePlace(
    out: Float32Array,
    place: number,
    from: Float32Array,
    to: Float32Array,
    at: number,
    weight: number,
): void {
    const first = weight >= 1 ? to : from;
    const fades = weight > 0 && weight < 1;
    for (let i = 0; i < 3; i++) {
        out[place + i] = first[at + i]!;
        out[place + 4 + i] = fades ? to[at + i]! : 0;
    }
    out[place + 3] = fades ? weight : 0;
}

/** Numbers as they are, or the bits of half floats, as floats. */
type Data = TableArray['data'];

const floatAt = (data: Data, halves: Float32Array | null, at: number) =>
    halves === null ? data[at]! : halves[data[at]!]!;

/** An element between the two rows that `places` has at `at`. */
function between(
    data: Data,
    halves: Float32Array | null,
    places: Float32Array,
    at: number,
    floats: number,
    i: number,
): number {
    const from = floatAt(data, halves, places[at]! * floats + i);
    return from + (floatAt(data, halves, places[at + 1]! * floats + i) - from) * places[at + 2]!;
}

/** A column of `qts16`, and how far it is mixed. */
const other = new Float32Array(QTS_FLOATS);
const coming = new Float32Array(QTS_FLOATS);
const part = new Float64Array(1);

/** The column that begins with element `i` of a row, between the two rows that `places` has at `at`. */
function columnBetween(
    out: Float32Array,
    to: number,
    data: Data,
    halves: Float32Array | null,
    places: Float32Array,
    at: number,
    floats: number,
    i: number,
): void {
    for (let k = 0; k < QTS_FLOATS; k++) {
        out[to + k] = floatAt(data, halves, places[at]! * floats + i + k);
        other[k] = floatAt(data, halves, places[at + 1]! * floats + i + k);
    }
    part[0] = places[at + 2]!;
    if (part[0] > 0) mixQts(out, to, out, to, other, 0, QTS_FLOATS, part);
}

/**
 * The row of an array that a place means: as shaders mix it, linear, element by element, and rows of `qts16` by their own rule. Half
 * floats become floats. Does not allocate: Babylon's loader calls it in each frame.
 *
 * @param out Takes the row at `at`; may be the array itself, where no place leads.
 */
export function mixRows(
    { data, rowFloats, layout }: Pick<TableArray, 'data' | 'rowFloats'> & Partial<Pick<TableArray, 'layout'>>,
    places: Float32Array,
    place: number,
    out: Float32Array,
    at = 0,
): void {
    const halves = data instanceof Uint16Array ? halfFloats() : null;
    const weight = places[place + 3]!;
    if (layout === 'qts16') {
        for (let i = 0; i < rowFloats; i += QTS_FLOATS) {
            columnBetween(out, at + i, data, halves, places, place, rowFloats, i);
            if (!(weight > 0)) continue;
            columnBetween(coming, 0, data, halves, places, place + 4, rowFloats, i);
            part[0] = weight;
            mixQts(out, at + i, out, at + i, coming, 0, QTS_FLOATS, part);
        }
        return;
    }
    for (let i = 0; i < rowFloats; i++) {
        const from = between(data, halves, places, place, rowFloats, i);
        out[at + i] =
            weight > 0 ? from + (between(data, halves, places, place + 4, rowFloats, i) - from) * weight : from;
    }
}

/** Four joints of each vertex, and how much each of them counts. */
export interface Influences {
    /** Columns of the palette. */
    readonly joints: Uint16Array;
    /** As the engine has them. */
    readonly weights: Float32Array;
}

/**
 * Moves vertices as a row of the palette says.
 *
 * @param row A row as column-major 4x4 matrices.
 * @param by The vertices' joints, or the one column that moves all of them.
 * @param positions `vertices * 3`; `out` as well, which may be the same list.
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

/** Whether a column turns what it moves inside out: the sign of the determinant, or of the scale, in the first row that has one. */
export function isMirrored({ data, rowFloats, layout, shape }: TableArray, column: number): boolean {
    const halves = data instanceof Uint16Array ? halfFloats() : null;
    const floats = layout === 'mat4' ? 16 : layout === 'qts16' ? QTS_FLOATS : 12;
    for (let row = 0; row < shape[0]!; row++) {
        const at = row * rowFloats + column * floats;
        if (layout === 'qts16') {
            const scale = floatAt(data, halves, at + 7);
            if (scale !== 0) return scale < 0;
            continue;
        }
        const m = Array.from({ length: 11 }, (_, i) => floatAt(data, halves, at + i));
        // The same for a matrix and its transpose, so for both layouts.
        const [a, b, c, , d, e, f, , g, h, i] = m as [number, ...number[]] & Record<number, number>;
        const determinant = a * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!);
        if (determinant !== 0) return determinant < 0;
    }
    return false;
}
