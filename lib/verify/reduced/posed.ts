// SPDX-License-Identifier: MIT

import type { DoubleEvaluator } from '../evaluator';
import type { Part, Points } from './points';

/** Numbers of a matrix: columns of x y z. The fourth row is 0 0 0 1. */
const MATRIX = 12;

/** The columns' matrices of one file in one pose. The lists are reused for every pose. */
export class Posed {
    /** `columns * 12`: global x inverse bind. */
    readonly matrices: Float64Array;
    /** Weights of the parts with morph targets. */
    readonly weights: (readonly number[] | null)[] = [];
    private readonly locals: Float64Array;
    readonly globals: Float64Array;

    constructor(
        readonly evaluator: DoubleEvaluator,
        private readonly points: Points,
    ) {
        const nodes = evaluator.parents.length;
        this.matrices = new Float64Array(points.columns.length * MATRIX);
        this.locals = new Float64Array(nodes * 10);
        this.globals = new Float64Array(nodes * 16);
    }

    /** @param animation Null for the rest pose. */
    pose(animation: number | null, time: number): this {
        const { evaluator, points, matrices, globals } = this;
        evaluator.globalsOf(evaluator.locals(animation, time, points.order, this.locals), points.order, null, globals);
        for (let c = 0; c < points.columns.length; c++) {
            const { node, skin, slot, instance } = points.columns[c]!;
            if (instance !== null) bound(matrices, c * MATRIX, globals, node * 16, instance, 0);
            else if (skin >= 0)
                bound(matrices, c * MATRIX, globals, node * 16, evaluator.inverseBindsOf(skin), slot * 16);
            else
                for (let k = 0; k < MATRIX; k++) matrices[c * MATRIX + k] = globals[node * 16 + k + Math.floor(k / 3)]!;
        }
        for (const [i, { morph }] of points.parts.entries()) {
            this.weights[i] = morph === null ? null : evaluator.weights(morph.node, animation, time);
        }
        return this;
    }

    /**
     * The length that float32 rounding is relative to: the extent, or the longest distance from the scene's origin
     * along a chain of nodes if that is larger.
     *
     * @param part The part that the chains place. Default: all.
     */
    size(extent: number, part?: Part): number {
        const { evaluator, points, globals } = this;
        const ways = new Float64Array(evaluator.parents.length);
        const placing = part?.groups.flatMap(({ columns }) => Array.from(columns, (c) => points.columns[c]!.node));
        let size = extent;
        for (const node of placing === undefined ? points.order : evaluator.withAncestors(placing)) {
            const parent = evaluator.parents[node]!;
            const [x, y, z] = [12, 13, 14].map(
                (k) => globals[node * 16 + k]! - (parent < 0 ? 0 : globals[parent * 16 + k]!),
            );
            ways[node] = (parent < 0 ? 0 : ways[parent]!) + Math.hypot(x!, y!, z!);
            size = Math.max(size, ways[node]);
        }
        return size;
    }
}

/** out = global x inverse bind. */
function bound(out: Float64Array, at: number, g: Float64Array, i: number, b: Float64Array, j: number): void {
    for (let column = 0; column < 4; column++) {
        const [x, y, z, w] = [b[j + column * 4]!, b[j + column * 4 + 1]!, b[j + column * 4 + 2]!, column === 3 ? 1 : 0];
        for (let row = 0; row < 3; row++) {
            out[at + column * 3 + row] =
                g[i + row]! * x + g[i + 4 + row]! * y + g[i + 8 + row]! * z + g[i + 12 + row]! * w;
        }
    }
}

/** Finds the point with the maximum distance between two poses. `part` and `point` identify it until the next call. */
export class Distance {
    part = -1;
    /** Index of the point in the part. */
    point = -1;
    /** Maximum squared distance so far. */
    private max = 0;
    private readonly off: Float64Array;
    /** By column, an upper bound on the displacement of any point of its box. */
    private readonly bounds: Float64Array;
    private readonly morphed: readonly { here: Float64Array; there: Float64Array }[];
    /** The group that had the maximum last. It probably has it again, and then most others can be skipped. */
    private last = { part: 0, group: 0 };

    constructor(private readonly points: Points) {
        this.off = new Float64Array(points.columns.length * MATRIX);
        this.bounds = new Float64Array(points.columns.length);
        this.morphed = points.parts.map(({ morph, positions: { length } }) => {
            const size = morph === null ? 0 : length;
            return { here: new Float64Array(size), there: new Float64Array(size) };
        });
    }

    /** Maximum distance of a point in two poses; Infinity if a value is NaN. */
    between(here: Posed, there: Posed): number {
        const { off, points } = this;
        for (let i = 0; i < off.length; i++) off[i] = here.matrices[i]! - there.matrices[i]!;
        for (let column = 0; column < points.columns.length; column++) this.bounds[column] = this.boundOf(column);
        this.max = 0;
        this.part = -1;
        this.point = -1;
        const { part: lastPart, group: lastGroup } = this.last;
        if (points.parts.length > 0) this.look(here, there, lastPart, lastGroup);
        for (let part = 0; part < points.parts.length; part++) {
            for (let group = 0; group < points.parts[part]!.groups.length; group++) this.look(here, there, part, group);
        }
        return Math.sqrt(this.max);
    }

    /** The length of a displacement is a convex function, so its maximum is at a corner of the box. */
    private boundOf(column: number): number {
        const { off, points } = this;
        const m = column * MATRIX;
        let still = true;
        for (let k = m; k < m + MATRIX; k++) still &&= off[k] === 0;
        if (still) return 0;
        let max = 0;
        for (let corner = 0; corner < 8; corner++) {
            const x = points.boxes[column * 6 + (corner & 1) * 3]!;
            const y = points.boxes[column * 6 + ((corner >> 1) & 1) * 3 + 1]!;
            const z = points.boxes[column * 6 + (corner >> 2) * 3 + 2]!;
            const dx = off[m]! * x + off[m + 3]! * y + off[m + 6]! * z + off[m + 9]!;
            const dy = off[m + 1]! * x + off[m + 4]! * y + off[m + 7]! * z + off[m + 10]!;
            const dz = off[m + 2]! * x + off[m + 5]! * y + off[m + 8]! * z + off[m + 11]!;
            const squared = dx * dx + dy * dy + dz * dz;
            if (!(squared <= max)) max = squared >= 0 ? squared : Infinity;
        }
        return max;
    }

    private look(here: Posed, there: Posed, partIndex: number, groupIndex: number): void {
        const { off, points, max: before } = this;
        const part = points.parts[partIndex]!;
        const group = part.groups[groupIndex];
        if (group === undefined) return;
        const { columns, first, count, weightsAt, stretch } = group;
        const same = part.morph === null || isSame(here.weights[partIndex]!, there.weights[partIndex]!);
        let bound = 0;
        for (let k = 0; k < columns.length; k++) bound = Math.max(bound, this.bounds[columns[k]!]!);
        // Weights add up to `stretch` except for rounding, which the factor covers. Squared, as the bound is.
        if (same && bound * stretch * stretch * (1 + 1e-12) <= this.max) return;
        let { positions } = part;
        if (part.morph !== null) {
            positions = this.morphed[partIndex]!.here;
            morphInto(positions, part, here.weights[partIndex]!, first, count);
        }
        const others = same ? null : this.morphed[partIndex]!.there;
        if (others !== null) morphInto(others, part, there.weights[partIndex]!, first, count);
        const { matrices } = there;
        let w = weightsAt;
        for (let v = first; v < first + count; v++) {
            const [x, y, z] = [positions[v * 3]!, positions[v * 3 + 1]!, positions[v * 3 + 2]!];
            let dx = 0;
            let dy = 0;
            let dz = 0;
            for (let k = 0; k < columns.length; k++) {
                const weight = part.weights[w++]!;
                const m = columns[k]! * MATRIX;
                dx += weight * (off[m]! * x + off[m + 3]! * y + off[m + 6]! * z + off[m + 9]!);
                dy += weight * (off[m + 1]! * x + off[m + 4]! * y + off[m + 7]! * z + off[m + 10]!);
                dz += weight * (off[m + 2]! * x + off[m + 5]! * y + off[m + 8]! * z + off[m + 11]!);
                if (others === null) continue;
                const [ex, ey, ez] = [x - others[v * 3]!, y - others[v * 3 + 1]!, z - others[v * 3 + 2]!];
                dx += weight * (matrices[m]! * ex + matrices[m + 3]! * ey + matrices[m + 6]! * ez);
                dy += weight * (matrices[m + 1]! * ex + matrices[m + 4]! * ey + matrices[m + 7]! * ez);
                dz += weight * (matrices[m + 2]! * ex + matrices[m + 5]! * ey + matrices[m + 8]! * ez);
            }
            const squared = dx * dx + dy * dy + dz * dz;
            // This comparison treats NaN as the maximum.
            if (squared <= this.max) continue;
            this.max = squared >= 0 ? squared : Infinity;
            this.part = partIndex;
            this.point = v;
        }
        if (this.max > before) this.last = { part: partIndex, group: groupIndex };
    }
}

function isSame(a: readonly number[] | null, b: readonly number[] | null): boolean {
    return a!.every((weight, i) => weight === b![i]);
}

function morphInto(
    out: Float64Array,
    { positions, morph }: Points['parts'][number],
    weights: readonly number[] | null,
    first: number,
    count: number,
): void {
    for (let p = first * 3; p < (first + count) * 3; p++) {
        let x = positions[p]!;
        for (let target = 0; target < weights!.length; target++) x += weights![target]! * morph!.targets[target]![p]!;
        out[p] = x;
    }
}

/**
 * Maximum angle, in radians, of an axis of a column's matrix between two poses; 0 for an axis without length in one of
 * them.
 */
export function turnBetween(here: Posed, there: Posed, column: number): number {
    let angle = 0;
    for (let axis = column * MATRIX; axis < column * MATRIX + 9; axis += 3) {
        const [a, b] = [here, there].map(({ matrices }) => {
            const vector = [matrices[axis]!, matrices[axis + 1]!, matrices[axis + 2]!];
            const length = Math.hypot(...vector);
            return vector.map((x) => x / length);
        });
        const chord = Math.hypot(a![0]! - b![0]!, a![1]! - b![1]!, a![2]! - b![2]!);
        if (chord > 0) angle = Math.max(angle, 2 * Math.asin(Math.min(1, chord / 2)));
    }
    return angle;
}
