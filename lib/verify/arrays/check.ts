// SPDX-License-Identifier: MIT

import type { PlaybackBoxes } from '../boxes';
import { nameOf } from '../gltf';
import { type Metric, scaleOf } from '../metric';
import type { VerifyOptions } from '../options';
import type { Pose, Subject } from '../pose';
import type { BakeArray, BakeFiles } from '../read-bake';
import type { Rounding } from '../rounding';
import type { SkinVertices } from '../vertices';

/** The maximum error of one row, and its item. */
export interface Found {
    readonly error: number;
    /** Additional tolerance there, for float32 far from the origin. */
    readonly rounding: number;
    readonly item: number;
}

/** A pose with its rounding errors. */
export interface RowPose extends Pose {
    readonly rounding: Rounding;
}

/** An item of a row. */
export interface ItemName {
    /** Column of the palette, for a joint or an attachment; -1 for another item. */
    readonly joint: number;
    readonly what: string;
}

/** Judges one array of a bake, row by row. */
export interface ArrayCheck {
    readonly array: string;
    /** Whether three.js can be the judge. It can if the array depends only on the joints' global matrices. */
    readonly byThree: boolean;
    /** The length that shares are relative to: the extent, or 1 for morph weights. */
    readonly scale: number;
    /** Maximum share near the origin. */
    readonly tolerance: number;
    /** @param first The clip's first frame. */
    worst(row: number, pose: RowPose, first: RowPose): Found;
    nameOf(item: number): ItemName;
}

/** The input of all checks. */
export interface Judged {
    readonly files: BakeFiles;
    readonly subject: Subject;
    /** Empty where there is no mesh. */
    readonly vertices: readonly SkinVertices[];
    readonly metric: Metric;
    readonly boxes: PlaybackBoxes;
    roundingOf(pose: Pose): Rounding;
    /** The caller's options. */
    readonly options: VerifyOptions;
}

const TOLERANCE = 1e-5;

/** The maximum share of an array's errors near the origin. For half floats it is what the manifest states. */
export function toleranceOf(judged: Judged, array: string): number {
    // The baker makes boxes of the rounded rows.
    const halves = array === 'palette' || array === 'bounds' ? ofHalves(judged) : 0;
    return judged.options.tolerance ?? (halves || TOLERANCE);
}

/** Common options of checks of lengths. */
export function ofLengths(judged: Judged, array: string) {
    return { array, byThree: false, scale: scaleOf(judged.metric), tolerance: toleranceOf(judged, array) };
}

/**
 * Tolerance of half floats, as a share of the extent: `maxError`, or a thousandth. 0 for a palette without half floats.
 */
export function ofHalves({ files: { manifest }, metric }: Judged): number {
    if (manifest.arrays.palette?.dtype !== 'f16') return 0;
    const { maxError } = manifest.recipe;
    return maxError === undefined ? 1e-3 : maxError / scaleOf(metric);
}

/** An array that cannot be judged. It becomes a problem of the result. */
export class ArrayFault extends Error {}

/** Makes the check of an array, or throws an `ArrayFault`. */
export type Maker = (judged: Judged, array: BakeArray, name: string) => ArrayCheck;

/** Rejects an array whose rows do not have the shape of its layout. */
export function needShape({ shape, layout }: BakeArray, wanted: readonly number[], layouts: readonly string[]): void {
    if (!layouts.includes(layout)) throw new ArrayFault(`layout is ${layout}, needs ${layouts.join(' or ')}`);
    if (JSON.stringify(shape.slice(1)) !== JSON.stringify(wanted)) {
        throw new ArrayFault(`shape is ${JSON.stringify(shape)}, needs [rows, ${wanted.join(', ')}]`);
    }
}

export function needFloat32({ dtype }: BakeArray): void {
    if (dtype !== 'f32') throw new ArrayFault(`dtype is ${dtype}, needs f32`);
}

/**
 * @param allowed Maximum error near the origin.
 * @param roundingOf Returns the additional tolerance of an item.
 */
export function worstOf(
    count: number,
    errorOf: (item: number) => number,
    allowed: number,
    roundingOf: (item: number) => number,
): Found {
    let found: Found = { error: 0, rounding: 0, item: 0 };
    for (let item = 0; item < count; item++) {
        const error = errorOf(item);
        const own = { error: error >= 0 ? error : Infinity, rounding: roundingOf(item), item };
        if (item === 0 || isWorse(own, found, allowed)) found = own;
    }
    return found;
}

/** Whether an error is a larger share of its tolerance than another. */
export function isWorse(a: Found, b: Found, allowed: number): boolean {
    return a.error / (allowed + a.rounding) > b.error / (allowed + b.rounding);
}

export function columnName({ subject: { evaluator, nodes, joints } }: Judged, column: number): ItemName {
    const name = nameOf(evaluator.nodes[nodes[column]!]);
    return { joint: column, what: column < joints ? `joint ${column} '${name}'` : `mesh '${name}'` };
}
