// SPDX-License-Identifier: MIT

import { compose, inverse, transformed } from '../matrix';
import { displacement } from '../metric';
import { paletteOf } from '../pose';
import { type BakeArray, readElements } from '../read-bake';
import { ArrayFault, columnName, type Judged, type Maker, needShape, ofLengths, worstOf } from './check';

/** Numbers of a column: rotation x y z w, position of the pivot, scale; or the first two rows of a 3x4 matrix. */
const NUMBERS = 8;
/** Numbers of a texel, and of the third row of a matrix. */
const TEXEL = 4;

/** Maximum change of a quaternion's squared length by half floats. Each number changes by at most 2^-11 of itself. */
const UNIT = 2e-3;

/** Tolerance of a stated float32 pivot, relative to its distance from the origin and to the extent. */
const PIVOT = 1e-6;

/** Reads consecutive rows of layout `qts16` and interpolates between the last two: docs/format.md. */
export class QtsReader {
    private before: Float64Array;
    private now: Float64Array;
    private readonly mixed: Float64Array;
    private readonly out: Float64Array;
    private readonly pivots: readonly (readonly number[])[];

    constructor(
        private readonly judged: Judged,
        private readonly array: BakeArray,
    ) {
        const numbers = array.shape.slice(1).reduce((product, n) => product * n, 1);
        this.before = new Float64Array(numbers);
        this.now = new Float64Array(numbers);
        this.mixed = new Float64Array(numbers);
        this.out = new Float64Array(judged.subject.nodes.length * 16);
        this.pivots = array.pivots ?? [];
    }

    /** @returns The matrices of a row, column-major 4x4. The list is reused. */
    next(row: number): Float64Array {
        [this.before, this.now] = [this.now, this.before];
        readElements(this.judged.files.bin, this.array, row * this.now.length, this.now);
        this.place(this.now, this.out);
        return this.out;
    }

    /**
     * Whether a column's rotation in the last row is of unit length and in the hemisphere of the row before. In a first
     * row, w must be at least 0. A matrix has no rule.
     */
    isRotation(column: number, isFirst: boolean): boolean {
        if (this.pivots[column]!.length > 3) return true;
        const [a, b] = [this.before, this.now].map((row) => row.subarray(column * NUMBERS, column * NUMBERS + 4));
        const side = isFirst ? b![3]! : dot(a!, b!);
        return side >= 0 && Math.abs(dot(b!, b!) - 1) <= UNIT;
    }

    /** Writes the interpolation of the last two rows. */
    between(share: number, out: Float64Array): void {
        const { before, now, mixed } = this;
        for (let k = 0; k < mixed.length; k++) mixed[k] = before[k]! * (1 - share) + now[k]! * share;
        for (const [column, pivot] of this.pivots.entries()) {
            const at = column * NUMBERS;
            if (pivot.length > 3 || dot(before.subarray(at, at + 4), now.subarray(at, at + 4)) >= 0) continue;
            for (let k = at; k < at + 4; k++) mixed[k] = before[k]! * (1 - share) - now[k]! * share;
        }
        this.place(mixed, out);
    }

    /** Maps vertex v to s R (v - p0) + p; with a matrix L and p, to L (v - p0) + p. */
    private place(numbers: Float64Array, out: Float64Array): void {
        for (const [column, pivot] of this.pivots.entries()) {
            const at = column * NUMBERS;
            const [x, y, z, third] = pivot as [number, number, number, number?];
            let place = numbers.subarray(at + 4, at + 7);
            if (third === undefined) {
                const q = Array.from(numbers.subarray(at, at + 4));
                const scale = numbers[at + 7]!;
                const length = Math.hypot(...q);
                compose(out, column * 16, [0, 0, 0, ...q.map((n) => n / length), scale, scale, scale], 0);
            } else {
                const rows = [at, at + TEXEL, third * TEXEL];
                const linear = [0, 1, 2].flatMap((k) => [...rows.map((row) => numbers[row + k]!), 0]);
                out.set([...linear, 0, 0, 0, 1], column * 16);
                place = Float64Array.from(rows, (row) => numbers[row + 3]!);
            }
            const turned = transformed(out, column * 16, x, y, z);
            for (let axis = 0; axis < 3; axis++) out[column * 16 + 12 + axis] = place[axis]! - turned[axis]!;
        }
    }
}

function dot(a: Float64Array, b: Float64Array): number {
    return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
}

/** Judges rows by the box of the vertices that each column moves. With pivots, half floats are precise only there. */
export const checkQts: Maker = (judged, array, name) => {
    const { subject, boxes } = judged;
    const count = subject.nodes.length;
    const thirds = (array.pivots ?? []).filter(({ length }) => length > 3).length;
    needShape(array, thirds === 0 ? [count, NUMBERS] : [count * 2 + thirds, TEXEL], ['qts16']);
    if (array.dtype !== 'f16') throw new ArrayFault(`dtype is ${array.dtype}, needs f16`);
    checkPivots(judged, array.pivots ?? []);
    const reader = new QtsReader(judged, array);
    let last = -1;
    const base = ofLengths(judged, name);
    return {
        ...base,
        byThree: true,
        worst(row, pose, first) {
            const isFirst = pose.time === first.time;
            // Two judges may read the same row; then the row before is still the same.
            if (!isFirst && last !== row - 1) reader.next(row - 1);
            const baked = reader.next(row);
            last = row;
            const expected = paletteOf(subject, pose);
            const errorOf = (column: number) => {
                const corners = boxes.own[column]!;
                if (!reader.isRotation(column, isFirst)) return Infinity;
                return corners === null ? 0 : displacement(baked, column * 16, expected, column * 16, corners);
            };
            return worstOf(count, errorOf, base.tolerance * base.scale, pose.rounding.palette);
        },
        nameOf: (item) => columnName(judged, item),
    };
};

/**
 * A joint's pivot is its origin under the inverse of the inverse bind matrix. It is 0 without an inverse, and for
 * attachments. The texels of third rows follow those of all columns.
 */
function checkPivots(
    { subject: { nodes, joints, binds }, metric }: Judged,
    pivots: readonly (readonly number[])[],
): void {
    if (pivots.length !== nodes.length) throw new ArrayFault(`has ${pivots.length} pivots, needs ${nodes.length}`);
    let texel = nodes.length * 2;
    for (const [column, [x, y, z, third, ...more]] of pivots.entries()) {
        if (more.length > 0 || (third !== undefined && third !== texel++))
            throw new ArrayFault(`the third row of column ${column} is texel ${third}, must follow the others`);
        const pivot = [x, y, z];
        const back = column < joints ? inverse(binds.subarray(column * 16, column * 16 + 16)) : null;
        const place = back === null ? [0, 0, 0] : [...back.subarray(12, 15)];
        const allowed = PIVOT * (Math.hypot(...place) + metric.extent);
        if (pivot.every((n, axis) => Math.abs(n! - place[axis]!) <= allowed)) continue;
        throw new ArrayFault(
            `the pivot of column ${column} is ${JSON.stringify(pivot)}, must be ${JSON.stringify(place)}`,
        );
    }
}
