// SPDX-License-Identifier: MIT

import { type Clusters, clustersOf, GROUP_CLUSTERS } from './clusters';
import { BOX_NUMBERS, type CentredBoxes, centredBoxes } from './displacement';
import type { Floats, SkinnedVertices } from './extent';
import { type Box, geometryOf, type MovedPrimitive, type SkinGeometry } from './geometry';

/** Finds boxes of the vertices that a skin moves, in double precision and in the same order on every machine. */
export interface SkinBox extends SkinnedVertices {
    /** For each joint, the box of the vertices that it moves, as stored. */
    readonly jointBoxes: CentredBoxes;
    readonly geometry: SkinGeometry;
    /**
     * Grows a box by every vertex in every row (glTF 2.0, 3.7.3.3).
     *
     * @param palette `[row][joint]`, column-major 4x4.
     */
    addRows(box: Box, palette: Floats): void;
}

/** Null if the skin deforms nothing. Morph targets are ignored. */
export function skinBoxOf(primitives: readonly MovedPrimitive[], joints: number, columns = joints): SkinBox | null {
    if (primitives.every(({ positions }) => positions.length === 0)) return null;
    const geometry = geometryOf(primitives, joints, columns);
    const jointBoxes = centredBoxes(geometry.jointBoxes);
    return { jointBoxes, geometry, ...rowAdder(geometry, clustersOf(geometry, columns), jointBoxes, joints) };
}

/** Sides of a box: maximum x, y, z, then the negated minimum x, y, z. So every side only grows. */
const SIDES = 6;
/** Numbers of a visit. */
const VISITED = 5;

/**
 * Finds boxes without moving every vertex. A skinned vertex is a weighted mean of its positions under single joints, so
 * the box around these positions contains it. A box that cannot extend the result is skipped: first all vertices of a
 * joint, then each cluster, then single vertices. The result equals that of moving all vertices, to the rounding of a
 * double.
 */
function rowAdder(
    geometry: SkinGeometry,
    { jointStarts, starts, vertices, positions, boxes, groupBoxes }: Clusters,
    jointBoxes: CentredBoxes,
    skinJoints: number,
): Pick<SkinBox, 'addRows' | keyof SkinnedVertices> {
    const joints = jointStarts.length - 1;
    const movers = Array.from({ length: joints }, (_, joint) => joint).filter(
        (j) => jointBoxes[j * BOX_NUMBERS + 3]! >= 0,
    );
    const skinMovers = movers.filter((joint) => joint < skinJoints);
    /** Joints and sides that may extend the box in the current row: the reach, and `joint * SIDES + side`. */
    const reach = new Float64Array(movers.length * SIDES);
    const reachers = new Int32Array(movers.length * SIDES);

    /**
     * For each joint and side, the row of the matrix at the last visit, and how far the vertices reached with it. Rows
     * differ little from one frame to the next, so this mostly excludes joints that their boxes do not. The bound holds
     * to the rounding of a double.
     */
    const visited = new Float64Array(joints * SIDES * VISITED).fill(Infinity);
    /**
     * Adds a candidate, whose `reach` is that of the joint's box, unless its last visit excludes it. Takes no fractions,
     * for which V8 would allocate memory.
     *
     * @param r Index of the side's row in `palette`.
     * @returns The number of candidates.
     */
    const addReacher = (
        count: number,
        sides: Float64Array,
        palette: Floats,
        r: number,
        joint: number,
        side: number,
    ): number => {
        const candidate = joint * SIDES + side;
        const v = candidate * VISITED;
        if (visited[v]! < Infinity) {
            const b = joint * BOX_NUMBERS;
            const sign = side < 3 ? 1 : -1;
            const x = sign * palette[r]! - visited[v + 1]!;
            const y = sign * palette[r + 4]! - visited[v + 2]!;
            const z = sign * palette[r + 8]! - visited[v + 3]!;
            const w = sign * palette[r + 12]! - visited[v + 4]!;
            const centre = x * jointBoxes[b]! + y * jointBoxes[b + 1]! + z * jointBoxes[b + 2]! + w;
            const half =
                Math.abs(x) * jointBoxes[b + 3]! + Math.abs(y) * jointBoxes[b + 4]! + Math.abs(z) * jointBoxes[b + 5]!;
            const tight = visited[v]! + (half + centre);
            if (tight < reach[count]!) reach[count] = tight;
            if (!(reach[count]! > sides[side]!)) return count;
        }
        reachers[count] = candidate;
        return count + 1;
    };
    const findReachers = (sides: Float64Array, palette: Floats, mats: number, among: readonly number[]): number => {
        let count = 0;
        for (const joint of among) {
            const b = joint * BOX_NUMBERS;
            for (let axis = 0; axis < 3; axis++) {
                const r = mats + joint * 16 + axis;
                const x = palette[r]!;
                const y = palette[r + 4]!;
                const z = palette[r + 8]!;
                const centre = x * jointBoxes[b]! + y * jointBoxes[b + 1]! + z * jointBoxes[b + 2]! + palette[r + 12]!;
                const half =
                    Math.abs(x) * jointBoxes[b + 3]! +
                    Math.abs(y) * jointBoxes[b + 4]! +
                    Math.abs(z) * jointBoxes[b + 5]!;
                if (half + centre > sides[axis]!) {
                    reach[count] = half + centre;
                    count = addReacher(count, sides, palette, r, joint, axis);
                }
                if (half - centre > sides[axis + 3]!) {
                    reach[count] = half - centre;
                    count = addReacher(count, sides, palette, r, joint, axis + 3);
                }
            }
        }
        return count;
    };
    /** Extends one side by the vertices of a joint. Returns the cluster that determines it; -1 if it is unchanged. */
    const visit = (sides: Float64Array, palette: Floats, mats: number, joint: number, side: number): number => {
        let last = -1;
        let farthest = -Infinity;
        const r = mats + joint * 16 + (side % 3);
        const sign = side < 3 ? 1 : -1;
        const x = sign * palette[r]!;
        const y = sign * palette[r + 4]!;
        const z = sign * palette[r + 8]!;
        const w = sign * palette[r + 12]!;
        for (let c = jointStarts[joint]!, group = c; c < jointStarts[joint + 1]!; c++) {
            const b = c * BOX_NUMBERS;
            const before = sides[side]!;
            if (c === group) {
                const far = reachOf(groupBoxes, b, x, y, z, w);
                group += GROUP_CLUSTERS;
                if (far <= before) {
                    if (far > farthest) farthest = far;
                    c = group - 1;
                    continue;
                }
            }
            const far = reachOf(boxes, b, x, y, z, w);
            if (far <= before) {
                if (far > farthest) farthest = far;
                continue;
            }
            for (let i = starts[c]!; i < starts[c + 1]!; i++) {
                const alone = x * positions[i * 3]! + y * positions[i * 3 + 1]! + z * positions[i * 3 + 2]! + w;
                if (alone > farthest) farthest = alone;
                if (alone > sides[side]!) addVertex(sides, geometry, vertices[i]!, palette, mats, side);
            }
            if (sides[side] !== before) last = c;
        }
        const v = (joint * SIDES + side) * VISITED;
        visited[v] = farthest;
        visited[v + 1] = x;
        visited[v + 2] = y;
        visited[v + 3] = z;
        visited[v + 4] = w;
        return last;
    };
    const extend = (sides: Float64Array, palette: Floats, mats: number, candidate: number): void => {
        const side = reachers[candidate]! % SIDES;
        if (!(reach[candidate]! > sides[side]!)) return;
        reach[candidate] = -Infinity;
        visit(sides, palette, mats, Math.floor(reachers[candidate]! / SIDES), side);
    };
    const farthest = new Int32Array(SIDES);
    const addRow = (sides: Float64Array, palette: Floats, mats: number, among: readonly number[]): void => {
        const count = findReachers(sides, palette, mats, among);
        farthest.fill(-1);
        for (let i = 0; i < count; i++) {
            const side = reachers[i]! % SIDES;
            if (farthest[side]! < 0 || reach[i]! > reach[farthest[side]!]!) farthest[side] = i;
        }
        // The farthest candidate of each side comes first: a side that grows early skips more.
        for (let side = 0; side < SIDES; side++)
            if (farthest[side]! >= 0) extend(sides, palette, mats, farthest[side]!);
        for (let i = 0; i < count; i++) extend(sides, palette, mats, i);
    };
    /**
     * For each side, the cluster that determined it in the row before. It mostly does so again, and then most others
     * can be skipped.
     */
    const ends = new Int32Array(SIDES).fill(-1);
    /** Finds one side of the box of row 0, whose `reach` covers all skinned joints. */
    const findSide = (sides: Float64Array, palette: Floats, side: number): void => {
        sides[side] = -Infinity;
        const end = ends[side]!;
        if (end >= 0) {
            for (let i = starts[end]!; i < starts[end + 1]!; i++)
                addVertex(sides, geometry, vertices[i]!, palette, 0, side);
        }
        for (;;) {
            let farthest = -1;
            for (let i = (side % 3) * 2 + (side < 3 ? 0 : 1); i < skinMovers.length * SIDES; i += SIDES) {
                if (reach[i]! > (farthest < 0 ? sides[side]! : reach[farthest]!)) farthest = i;
            }
            if (farthest < 0) return;
            const last = visit(sides, palette, 0, skinMovers[Math.floor(farthest / SIDES)]!, side);
            if (last >= 0) ends[side] = last;
            reach[farthest] = -Infinity;
        }
    };
    return {
        addRows(box, palette) {
            const sides = Float64Array.of(box[3]!, box[4]!, box[5]!, -box[0]!, -box[1]!, -box[2]!);
            for (let mats = 0; mats < palette.length; mats += joints * 16) addRow(sides, palette, mats, movers);
            setBox(box, sides);
        },
        squaredDiagonal(palette, min) {
            // The joints' boxes give an upper bound. The search ends once the sides found so far bring it below `min`.
            const sides = new Float64Array(SIDES).fill(-Infinity);
            const count = findReachers(sides, palette, 0, skinMovers);
            for (let i = 0; i < count; i++) {
                const side = reachers[i]! % SIDES;
                if (reach[i]! > sides[side]!) sides[side] = reach[i]!;
            }
            for (let side = 0; side < SIDES; side++) {
                if (!(diagonalOf(sides) > min)) return min;
                findSide(sides, palette, side);
            }
            return Math.max(min, diagonalOf(sides));
        },
        // Attachments come last.
        firstVertex(out, palette) {
            const sides = new Float64Array(SIDES).fill(-Infinity);
            for (let side = 0; side < 3; side++) addVertex(sides, geometry, 0, palette, 0, side);
            out.set(sides.subarray(0, 3));
        },
    };
}

function diagonalOf(sides: Float64Array): number {
    const [x, y, z] = [sides[0]! + sides[3]!, sides[1]! + sides[4]!, sides[2]! + sides[5]!];
    return x * x + y * y + z * z;
}

function setBox(box: Box, sides: Float64Array): void {
    for (let axis = 0; axis < 3; axis++) {
        box[axis] = -sides[axis + 3]!;
        box[axis + 3] = sides[axis]!;
    }
}

/** How far a box of `CentredBoxes` reaches along an axis, with a row x y z w of a matrix. */
function reachOf(boxes: CentredBoxes, b: number, x: number, y: number, z: number, w: number): number {
    const centre = x * boxes[b]! + y * boxes[b + 1]! + z * boxes[b + 2]! + w;
    return Math.abs(x) * boxes[b + 3]! + Math.abs(y) * boxes[b + 4]! + Math.abs(z) * boxes[b + 5]! + centre;
}

/** Extends one side by a vertex. */
function addVertex(
    sides: Float64Array,
    { positions, starts, joints, weights }: SkinGeometry,
    v: number,
    palette: Floats,
    mats: number,
    side: number,
): void {
    const row = mats + (side % 3);
    const sign = side < 3 ? 1 : -1;
    const x = positions[v * 3]!;
    const y = positions[v * 3 + 1]!;
    const z = positions[v * 3 + 2]!;
    let place = 0;
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
        const m = row + joints[i]! * 16;
        place += weights[i]! * (palette[m]! * x + palette[m + 4]! * y + palette[m + 8]! * z + palette[m + 12]!);
    }
    if (sign * place > sides[side]!) sides[side] = sign * place;
}
