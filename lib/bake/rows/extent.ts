// SPDX-License-Identifier: MIT

import type { RigidMesh, SceneAnimation } from '../../gltf/scene';
import { durationOf, type Window } from '../plan/frames';
import { BOX_NUMBERS, centredBoxes } from './displacement';
import { addPoint, type Box, emptyBox } from './geometry';
import { cornersAt } from './instances';

/** Numbers of poses: single in bakes, double in reductions. */
export type Floats = Float32Array | Float64Array;

/** The extent is measured at both ends of this many parts of a clip, whatever its frame rate is. */
const PARTS = 8;

/** When the extent is measured, seconds. */
export function extentTimesOf(animation: SceneAnimation, { from, to }: Pick<Window, 'from' | 'to'>): Float32Array {
    const duration = Math.min(to, durationOf(animation)) - from;
    if (!(duration > 0)) return Float32Array.of(from);
    return Float32Array.from({ length: PARTS + 1 }, (_, i) => from + (duration * i) / PARTS);
}

/** What tells the size of one character. One with vertices is measured by them, others by the origins of their columns. */
export interface Measure {
    readonly by: 'skinned' | 'attached' | 'origins';
    /**
     * The squared diagonal of the box of one pose; `min` where it is not above that.
     *
     * @param numbers The palette, 4x4 matrices, column-major; of 'origins' x y z each.
     */
    squared(numbers: Floats, min: number): number;
    /** Writes where one of the points is. */
    point(out: Float64Array, numbers: Floats): void;
}

/** The skinned vertices of a character. */
export interface SkinnedVertices {
    squaredDiagonal(palette: Floats, min: number): number;
    firstVertex(out: Float64Array, palette: Floats): void;
}

/**
 * Attachments count only where no vertex is skinned: one that is thrown, or that is far away, is not the size of the character.
 *
 * @param skinned Null where there are no skinned vertices.
 * @param joints The number of columns before those of attachments.
 */
export function measureOf(skinned: SkinnedVertices | null, attachments: readonly RigidMesh[], joints: number): Measure {
    if (skinned !== null) {
        return {
            by: 'skinned',
            squared: (palette, min) => skinned.squaredDiagonal(palette, min),
            point: (out, palette) => skinned.firstVertex(out, palette),
        };
    }
    const pieces = attachments.flatMap((attachment, i) => piecesOf(attachment, (joints + i) * 16));
    const [first] = pieces;
    if (first !== undefined) {
        return {
            by: 'attached',
            squared: (palette, min) => diagonalOfPieces(pieces, palette, min),
            point(out, palette) {
                matrixOf(first, palette);
                placeFirst(out, first.positions);
            },
        };
    }
    return { by: 'origins', squared: diagonalOfPoints, point: (out, points) => out.set(points.subarray(0, 3)) };
}

/** A pose whose box has a smaller diagonal, as a share of its distance from the origin, is a point to float32. */
const POINT = 2 ** -20;

/** Takes the poses of one character, and finds its extent: docs/format.md. */
export class ExtentFinder {
    private squared = 0;
    /** Of one point in all poses. */
    private readonly travel = emptyBox();
    private readonly point = new Float64Array(3);

    constructor(readonly measure: Measure) {}

    /** @param numbers As `Measure` takes them. */
    add(numbers: Floats): void {
        const { measure, point } = this;
        measure.point(point, numbers);
        const [x, y, z] = point as unknown as [number, number, number];
        addPoint(this.travel, x, y, z);
        const squared = measure.squared(numbers, this.squared);
        if (squared > POINT * POINT * (x * x + y * y + z * z)) this.squared = squared;
    }

    /** The maximum diagonal; of what is a point in all poses how far that travels. */
    get extent(): number {
        return Math.sqrt(this.squared > 0 ? this.squared : squaredDiagonal(this.travel));
    }
}

/** The largest of several characters counts. Those without vertices are left out where any has some. */
export function comparedOf(characters: readonly ExtentFinder[]): readonly ExtentFinder[] {
    const withVertices = characters.filter(({ measure }) => measure.by !== 'origins');
    return withVertices.length > 0 ? withVertices : characters;
}

/** The vertices of one primitive of an attachment. */
interface Piece {
    /** Where its column's matrix is in the palette. */
    readonly at: number;
    readonly positions: Float32Array;
    /** Center and half size. */
    readonly box: Float64Array;
}

function piecesOf({ primitives, instances }: RigidMesh, at: number): Piece[] {
    const drawn = instances === undefined ? primitives : cornersAt(primitives, instances);
    return drawn.flatMap(({ positions }) => {
        if (positions.length === 0) return [];
        const box = emptyBox();
        for (let p = 0; p < positions.length; p += 3) {
            addPoint(box, positions[p]!, positions[p + 1]!, positions[p + 2]!);
        }
        return [{ at, positions, box: centredBoxes(box) }];
    });
}

const matrix = new Float64Array(12);

/** Writes the matrix of a piece: columns of x y z. */
function matrixOf({ at }: Piece, palette: Floats): void {
    for (let e = 0; e < 12; e++) matrix[e] = palette[at + e + Math.floor(e / 3)]!;
}

/** Writes where `matrix` takes the first of some positions. */
function placeFirst(out: Float64Array, positions: Float32Array): void {
    const [x, y, z] = positions as unknown as [number, number, number];
    for (let row = 0; row < 3; row++) {
        out[row] = matrix[row]! * x + matrix[row + 3]! * y + matrix[row + 6]! * z + matrix[row + 9]!;
    }
}

/** Grows a box by where `matrix` takes another one. */
function addMoved(outer: Box, box: Float64Array): void {
    for (let axis = 0; axis < 3; axis++) {
        const [x, y, z] = [matrix[axis]!, matrix[axis + 3]!, matrix[axis + 6]!];
        const centre = x * box[0]! + y * box[1]! + z * box[2]! + matrix[axis + 9]!;
        const half = Math.abs(x) * box[3]! + Math.abs(y) * box[4]! + Math.abs(z) * box[5]!;
        if (centre - half < outer[axis]!) outer[axis] = centre - half;
        if (centre + half > outer[axis + 3]!) outer[axis + 3] = centre + half;
    }
}

function diagonalOfPieces(pieces: readonly Piece[], palette: Floats, min: number): number {
    const outer = emptyBox();
    for (const piece of pieces) {
        matrixOf(piece, palette);
        addMoved(outer, piece.box);
    }
    if (!(squaredDiagonal(outer) > min)) return min;
    const box = emptyBox();
    const moved = new Float64Array(BOX_NUMBERS);
    for (const piece of pieces) {
        matrixOf(piece, palette);
        moved.set(emptyBox());
        addMoved(moved, piece.box);
        if (contains(box, moved)) continue;
        const { positions } = piece;
        for (let p = 0; p < positions.length; p += 3) {
            const [x, y, z] = [positions[p]!, positions[p + 1]!, positions[p + 2]!];
            addPoint(
                box,
                matrix[0]! * x + matrix[3]! * y + matrix[6]! * z + matrix[9]!,
                matrix[1]! * x + matrix[4]! * y + matrix[7]! * z + matrix[10]!,
                matrix[2]! * x + matrix[5]! * y + matrix[8]! * z + matrix[11]!,
            );
        }
    }
    return Math.max(min, squaredDiagonal(box));
}

function contains(box: Box, other: Box): boolean {
    for (let axis = 0; axis < 3; axis++) {
        if (other[axis]! < box[axis]! || other[axis + 3]! > box[axis + 3]!) return false;
    }
    return true;
}

function diagonalOfPoints(points: Floats, min: number): number {
    const box = emptyBox();
    addOrigins(box, points);
    return Math.max(min, squaredDiagonal(box));
}

/** Grows a box by points, x y z each. */
export function addOrigins(box: Box, origins: Floats): void {
    for (let o = 0; o < origins.length; o += 3) addPoint(box, origins[o]!, origins[o + 1]!, origins[o + 2]!);
}

/** Of a box; 0 where it is empty. */
export function squaredDiagonal(box: Box): number {
    const [x, y, z] = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
    return x < 0 ? 0 : x * x + y * y + z * z;
}
