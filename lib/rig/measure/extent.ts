// SPDX-License-Identifier: MIT

import type { RigidMesh, SceneAnimation } from '../../gltf/scene';
import { BOX_NUMBERS, centredBoxes } from './displacement';
import { addPoint, type Box, emptyBox } from './geometry';
import { cornersAt } from './instances';

/** Numbers of poses. Bakes use float32, reductions double precision. */
export type Floats = Float32Array | Float64Array;

/** The extent is measured at the ends of this many parts of a clip, at every frame rate. */
export const PARTS = 8;

/**
 * The duration D, seconds: the maximum of all last key times. It includes channels of other skins and morph weights, so every skin has the
 * same frames.
 */
export function durationOf(animation: SceneAnimation): number {
    let duration = 0;
    for (const { times } of animation.channels) {
        const last = times.length > 0 ? times[times.length - 1]! : 0;
        if (last > duration) duration = last;
    }
    return duration;
}

/** Times at which the extent is measured, seconds. */
export function extentTimesOf(
    animation: SceneAnimation,
    { from, to }: { readonly from: number; readonly to: number },
): Float32Array {
    const duration = Math.min(to, durationOf(animation)) - from;
    if (!(duration > 0)) return Float32Array.of(from);
    return Float32Array.from({ length: PARTS + 1 }, (_, i) => from + (duration * i) / PARTS);
}

/** Measures the size of one character: by its vertices, or without vertices by the origins of its columns. */
export interface Measure {
    readonly by: 'skinned' | 'attached' | 'origins';
    /**
     * Squared diagonal of the box of one pose; `min` if it does not exceed that.
     *
     * @param numbers The palette, column-major 4x4. For 'origins', x y z of each column.
     */
    squared(numbers: Floats, min: number): number;
    /** Writes the position of one fixed point of the character. */
    point(out: Float64Array, numbers: Floats): void;
}

/** The skinned vertices of a character. */
export interface SkinnedVertices {
    squaredDiagonal(palette: Floats, min: number): number;
    firstVertex(out: Float64Array, palette: Floats): void;
}

/**
 * Attachments are used only without skinned vertices: a thrown or distant one does not change the size of the
 * character.
 *
 * @param skinned Null if there are no skinned vertices.
 * @param joints Number of columns before those of attachments.
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

/** A pose whose diagonal is smaller than this, relative to its distance from the origin, is a point in float32. */
const POINT = 2 ** -20;

/** Finds the extent of one character over many poses: docs/format.md. */
export class ExtentFinder {
    private squared = 0;
    /** Box of one point over all poses. */
    private readonly travel = emptyBox();
    private readonly point = new Float64Array(3);

    constructor(readonly measure: Measure) {}

    /** @param numbers As for `Measure`. */
    add(numbers: Floats): void {
        const { measure, point } = this;
        measure.point(point, numbers);
        const [x, y, z] = point as unknown as [number, number, number];
        addPoint(this.travel, x, y, z);
        const squared = measure.squared(numbers, this.squared);
        if (squared > POINT * POINT * (x * x + y * y + z * z)) this.squared = squared;
    }

    /** The maximum diagonal. If every pose is a point, the distance that it travels. */
    get extent(): number {
        return Math.sqrt(this.squared > 0 ? this.squared : squaredDiagonal(this.travel));
    }
}

/** The characters to compare. The largest one gives the extent. If some have vertices, those without are left out. */
export function comparedOf(characters: readonly ExtentFinder[]): readonly ExtentFinder[] {
    const withVertices = characters.filter(({ measure }) => measure.by !== 'origins');
    return withVertices.length > 0 ? withVertices : characters;
}

/** The vertices of one primitive of an attachment. */
interface Piece {
    /** Index of its column's matrix in the palette. */
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

/** Loads the matrix of a piece: columns of x y z. */
function matrixOf({ at }: Piece, palette: Floats): void {
    for (let e = 0; e < 12; e++) matrix[e] = palette[at + e + Math.floor(e / 3)]!;
}

/** Writes the first position, transformed by `matrix`. */
function placeFirst(out: Float64Array, positions: Float32Array): void {
    const [x, y, z] = positions as unknown as [number, number, number];
    for (let row = 0; row < 3; row++) {
        out[row] = matrix[row]! * x + matrix[row + 3]! * y + matrix[row + 6]! * z + matrix[row + 9]!;
    }
}

/** Grows a box by another one, transformed by `matrix`. */
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

export function addOrigins(box: Box, origins: Floats): void {
    for (let o = 0; o < origins.length; o += 3) addPoint(box, origins[o]!, origins[o + 1]!, origins[o + 2]!);
}

/** 0 for an empty box. */
export function squaredDiagonal(box: Box): number {
    const [x, y, z] = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
    return x < 0 ? 0 : x * x + y * y + z * z;
}
