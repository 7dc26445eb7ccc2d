// SPDX-License-Identifier: MIT

import { addPoint, addSkinned, emptyBox } from '../../lib/verify/box';
import type { DoubleEvaluator } from '../../lib/verify/evaluator';
import { boxCorners, displacement } from '../../lib/verify/metric';
import { verticesOf } from '../../lib/verify/vertices';

/** The measure of errors in one skin's palettes: the displacement of its box's corners, as a share of its extent. */
export interface Yardstick {
    /** The 8 corners of the rest-pose skinned bounding box, x y z each. */
    readonly corners: Float64Array;
    /** The greater of the box's diagonal and the farthest joint or ancestor of one, in the rest pose. */
    readonly extent: number;
}

/** Only the rest pose sets the scale: motion far from the origin must not make the tolerance wider. */
export function yardstick(evaluator: DoubleEvaluator, skin: number): Yardstick {
    const globals = evaluator.globals(null, 0);
    const placeOf = (node: number) => globals.subarray(node * 16 + 12, node * 16 + 15);
    const nodes = evaluator.joints(skin);
    const columns = { skins: [skin], rescaled: [], nodes, joints: nodes.length, binds: new Float64Array(0) };
    const box = emptyBox();
    addSkinned(box, verticesOf(evaluator.file, columns), evaluator.palette(skin, null, 0));
    if (box[0]! > box[3]!) for (const node of nodes) addPoint(box, placeOf(node));
    let extent = Math.hypot(...[0, 1, 2].map((c) => box[c + 3]! - box[c]!));
    for (const joint of nodes) {
        for (let node = joint; node >= 0; node = evaluator.parents[node]!) {
            extent = Math.max(extent, Math.hypot(...placeOf(node)));
        }
    }
    return { corners: boxCorners(box), extent };
}

export interface Worst {
    error: number;
    row: number;
    joint: number;
    /** Joint matrices compared: for tests to prove that they compared anything. */
    compared: number;
}

/** The max displacement of the corners between two runs of palettes (`rows * joints * 16`), and where it is. */
export function worstDisplacement(
    a: ArrayLike<number>,
    b: ArrayLike<number>,
    joints: number,
    { corners }: Yardstick,
): Worst {
    if (a.length !== b.length) throw new Error(`palettes of ${a.length} and ${b.length} numbers`);
    const worst: Worst = { error: 0, row: 0, joint: 0, compared: 0 };
    for (let start = 0; start < a.length; start += 16) {
        worst.compared++;
        // A palette is affine: a bottom row other than 0 0 0 1 must not pass either.
        let bottom = 0;
        for (let k = start + 3; k < start + 16; k += 4) bottom += (a[k]! - b[k]!) ** 2;
        const error = bottom < 1e-12 ? displacement(a, start, b, start, corners) : Infinity;
        if (error > worst.error) {
            worst.error = error;
            worst.row = Math.floor(start / 16 / joints);
            worst.joint = (start / 16) % joints;
        }
    }
    return worst;
}
