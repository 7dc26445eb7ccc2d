// SPDX-License-Identifier: MIT

import { type Clusters, clustersOf } from './clusters';
import { BOX_NUMBERS, type CentredBoxes, centredBoxes } from './displacement';
import { type Box, geometryOf, type MovedPrimitive, type SkinGeometry } from './geometry';

/** Finds boxes of what a skin moves, in double precision and in one order on every machine. */
export interface SkinBox {
    /** For each joint the box of the vertices that it moves, as the file has them. */
    readonly jointBoxes: CentredBoxes;
    /** The vertices, in an order of its own. */
    readonly geometry: SkinGeometry;
    /**
     * Grows a box by every vertex in every row: glTF 2.0, 3.7.3.3.
     *
     * @param palette `[row][joint]`, column-major 4x4.
     */
    addRows(box: Box, palette: Float32Array): void;
}

/** Null where the skin deforms nothing. Morph targets are left aside. */
export function skinBoxOf(primitives: readonly MovedPrimitive[], joints: number, columns = joints): SkinBox | null {
    if (primitives.every(({ positions }) => positions.length === 0)) return null;
    const geometry = geometryOf(primitives, joints, columns);
    const jointBoxes = centredBoxes(geometry.jointBoxes);
    const clusters = clustersOf(geometry, columns);
    return { jointBoxes, geometry: clusters.geometry, addRows: rowAdder(clusters, jointBoxes) };
}

/** Sides of a box: maximum x, y, z, then minimum x, y, z with the sign changed, so that all of them grow. */
const SIDES = 6;

/**
 * A skinned vertex is a weighted mean of the places where its joints alone would put it, so it lies in the box around these places.
 * What such a box says cannot reach beyond the box found so far is not looked at: first all that a joint moves, then each cluster,
 * and only then vertex by vertex. To the rounding of a double the result is that of moving all of them.
 */
function rowAdder(clusters: Clusters, jointBoxes: CentredBoxes): SkinBox['addRows'] {
    const { geometry, clusterStarts, clusterBoxes, jointStarts, jointClusters } = clusters;
    const joints = jointStarts.length - 1;
    const movers = Array.from({ length: joints }, (_, joint) => joint).filter(
        (j) => jointBoxes[j * BOX_NUMBERS + 3]! >= 0,
    );
    /** Joints and sides that may reach beyond the box in the row at hand: how far, and `joint * SIDES + side`. */
    const reach = new Float64Array(movers.length * SIDES);
    const reachers = new Int32Array(movers.length * SIDES);
    /** `[cluster][side]`: the number of the row for which it was last looked at. */
    const seen = new Float64Array((clusterStarts.length - 1) * SIDES);
    let row = 0;

    const findReachers = (sides: Float64Array, palette: Float32Array, mats: number): number => {
        let count = 0;
        for (const joint of movers) {
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
                    reachers[count++] = joint * SIDES + axis;
                }
                if (half - centre > sides[axis + 3]!) {
                    reach[count] = half - centre;
                    reachers[count++] = joint * SIDES + axis + 3;
                }
            }
        }
        return count;
    };
    /** Moves one side out to hold what a joint moves. */
    const visit = (sides: Float64Array, palette: Float32Array, mats: number, joint: number, side: number): void => {
        const r = mats + joint * 16 + (side % 3);
        const sign = side < 3 ? 1 : -1;
        const x = sign * palette[r]!;
        const y = sign * palette[r + 4]!;
        const z = sign * palette[r + 8]!;
        const w = sign * palette[r + 12]!;
        for (let i = jointStarts[joint]!; i < jointStarts[joint + 1]!; i++) {
            const c = jointClusters[i]!;
            const b = c * BOX_NUMBERS;
            const centre = x * clusterBoxes[b]! + y * clusterBoxes[b + 1]! + z * clusterBoxes[b + 2]! + w;
            const half =
                Math.abs(x) * clusterBoxes[b + 3]! +
                Math.abs(y) * clusterBoxes[b + 4]! +
                Math.abs(z) * clusterBoxes[b + 5]!;
            if (half + centre <= sides[side]! || seen[c * SIDES + side] === row) continue;
            seen[c * SIDES + side] = row;
            addVertices(sides, geometry, clusterStarts[c]!, clusterStarts[c + 1]!, palette, mats, side);
        }
    };
    return (box, palette) => {
        const sides = Float64Array.of(box[3]!, box[4]!, box[5]!, -box[0]!, -box[1]!, -box[2]!);
        for (let mats = 0; mats < palette.length; mats += joints * 16) {
            row++;
            // What may reach farthest comes first: the sooner the box is large, the less has to be looked at.
            for (let left = findReachers(sides, palette, mats); left > 0; left--) {
                let farthest = 0;
                for (let i = 1; i < left; i++) if (reach[i]! > reach[farthest]!) farthest = i;
                const side = reachers[farthest]! % SIDES;
                if (reach[farthest]! > sides[side]!)
                    visit(sides, palette, mats, Math.floor(reachers[farthest]! / SIDES), side);
                reach[farthest] = reach[left - 1]!;
                reachers[farthest] = reachers[left - 1]!;
            }
        }
        for (let axis = 0; axis < 3; axis++) {
            box[axis] = -sides[axis + 3]!;
            box[axis + 3] = sides[axis]!;
        }
    };
}

/** Moves one side out to hold vertices `first` to `end - 1`. */
function addVertices(
    sides: Float64Array,
    { positions, starts, joints, weights }: SkinGeometry,
    first: number,
    end: number,
    palette: Float32Array,
    mats: number,
    side: number,
): void {
    const row = mats + (side % 3);
    const sign = side < 3 ? 1 : -1;
    let max = sides[side]!;
    for (let v = first; v < end; v++) {
        const x = positions[v * 3]!;
        const y = positions[v * 3 + 1]!;
        const z = positions[v * 3 + 2]!;
        let place = 0;
        for (let i = starts[v]!; i < starts[v + 1]!; i++) {
            const m = row + joints[i]! * 16;
            place += weights[i]! * (palette[m]! * x + palette[m + 4]! * y + palette[m + 8]! * z + palette[m + 12]!);
        }
        if (sign * place > max) max = sign * place;
    }
    sides[side] = max;
}
