// SPDX-License-Identifier: MIT

import { compose, inverse, transformed } from '../matrix';
import { displacement } from '../metric';
import { paletteOf } from '../pose';
import { type BakeArray, readElements } from '../read-bake';
import { ArrayFault, columnName, type Judged, type Maker, needShape, ofLengths, worstOf } from './check';

/** Numbers of a column: rotation x y z w, position of the pivot, scale. */
const NUMBERS = 8;

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
        const { length } = judged.subject.nodes;
        this.before = new Float64Array(length * NUMBERS);
        this.now = new Float64Array(length * NUMBERS);
        this.mixed = new Float64Array(length * NUMBERS);
        this.out = new Float64Array(length * 16);
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
     * row, w must be at least 0.
     */
    isRotation(column: number, isFirst: boolean): boolean {
        const [a, b] = [this.before, this.now].map((row) => row.subarray(column * NUMBERS, column * NUMBERS + 4));
        const side = isFirst ? b![3]! : dot(a!, b!);
        return side >= 0 && Math.abs(dot(b!, b!) - 1) <= UNIT;
    }

    /** Writes the interpolation of the last two rows. */
    between(share: number, out: Float64Array): void {
        const { before, now, mixed } = this;
        for (let at = 0; at < mixed.length; at += NUMBERS) {
            const [a, b] = [before.subarray(at, at + 4), now.subarray(at, at + 4)];
            const sign = dot(a, b) < 0 ? -1 : 1;
            for (let k = 0; k < NUMBERS; k++) {
                mixed[at + k] = before[at + k]! * (1 - share) + now[at + k]! * share * (k < 4 ? sign : 1);
            }
        }
        this.place(mixed, out);
    }

    /** Maps vertex v to s R (v - p0) + p. */
    private place(numbers: Float64Array, out: Float64Array): void {
        for (const [column, pivot] of this.pivots.entries()) {
            const at = column * NUMBERS;
            const q = Array.from(numbers.subarray(at, at + 4));
            const scale = numbers[at + 7]!;
            const length = Math.hypot(...q);
            compose(out, column * 16, [0, 0, 0, ...q.map((x) => x / length), scale, scale, scale], 0);
            const [x, y, z] = pivot as [number, number, number];
            const turned = transformed(out, column * 16, x, y, z);
            for (let axis = 0; axis < 3; axis++) out[column * 16 + 12 + axis] = numbers[at + 4 + axis]! - turned[axis]!;
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
    needShape(array, [count, NUMBERS], ['qts16']);
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
 * attachments.
 */
function checkPivots(
    { subject: { nodes, joints, binds }, metric }: Judged,
    pivots: readonly (readonly number[])[],
): void {
    if (pivots.length !== nodes.length) throw new ArrayFault(`has ${pivots.length} pivots, needs ${nodes.length}`);
    for (const [column, pivot] of pivots.entries()) {
        const back = column < joints ? inverse(binds.subarray(column * 16, column * 16 + 16)) : null;
        const place = back === null ? [0, 0, 0] : [...back.subarray(12, 15)];
        const allowed = PIVOT * (Math.hypot(...place) + metric.extent);
        if (pivot.every((x, axis) => Math.abs(x - place[axis]!) <= allowed)) continue;
        throw new ArrayFault(
            `the pivot of column ${column} is ${JSON.stringify(pivot)}, must be ${JSON.stringify(place)}`,
        );
    }
}
