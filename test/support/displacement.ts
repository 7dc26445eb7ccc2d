// SPDX-License-Identifier: MIT

import type { DoubleEvaluator } from '../../lib/verify/evaluator';

// jest looks globals up in its sandbox each time, which costs more than the square root.
const { hypot, max, min, sqrt } = Math;

/** What errors of one skin's palettes are measured by: how far they move the corners of its box, as a share of its extent. */
export interface Yardstick {
    /** The 8 corners of the rest-pose skinned bounding box, x y z each. */
    readonly corners: Float64Array;
    /** The greater of the box's diagonal and the farthest joint or ancestor of one, in the rest pose. */
    readonly extent: number;
}

/** The rest pose alone sets the scale: motion far from the origin does not make the tolerance any wider. */
export function yardstick(evaluator: DoubleEvaluator, skin: number): Yardstick {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const include = (point: ArrayLike<number>): void => {
        for (let c = 0; c < 3; c++) {
            low[c] = min(low[c]!, point[c]!);
            high[c] = max(high[c]!, point[c]!);
        }
    };
    const globals = evaluator.globals(null, 0);
    if (!eachSkinnedVertex(evaluator, skin, include)) {
        for (const node of evaluator.joints(skin)) include(globals.subarray(node * 16 + 12, node * 16 + 15));
    }
    let extent = hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
    for (const joint of evaluator.joints(skin)) {
        for (let node = joint; node >= 0; node = evaluator.parents[node]!) {
            extent = max(extent, hypot(...globals.subarray(node * 16 + 12, node * 16 + 15)));
        }
    }
    const corners = new Float64Array(24);
    for (let corner = 0; corner < 8; corner++) {
        for (let c = 0; c < 3; c++) corners[corner * 3 + c] = ((corner >> c) & 1 ? high : low)[c]!;
    }
    return { corners, extent };
}

/** Visits every vertex of every mesh with this skin, skinned in the rest pose; false where there is no mesh. */
function eachSkinnedVertex(evaluator: DoubleEvaluator, skin: number, visit: (point: number[]) => void): boolean {
    const { json, numbers } = evaluator.file;
    const palette = evaluator.palette(skin, null, 0);
    let found = false;
    for (const node of json.nodes ?? []) {
        if (node.skin !== skin || node.mesh === undefined) continue;
        for (const { attributes } of json.meshes![node.mesh]!.primitives!) {
            const positions = numbers.get(attributes.POSITION!)!;
            const influences: { joints: Float64Array; weights: Float64Array }[] = [];
            for (let set = 0; attributes[`JOINTS_${set}`] !== undefined; set++) {
                influences.push({
                    joints: numbers.get(attributes[`JOINTS_${set}`]!)!,
                    weights: numbers.get(attributes[`WEIGHTS_${set}`]!)!,
                });
            }
            for (let vertex = 0; vertex < positions.length / 3; vertex++) {
                const point = [0, 0, 0];
                for (const { joints, weights } of influences) {
                    for (let k = vertex * 4; k < vertex * 4 + 4; k++) {
                        for (let row = 0; row < 3; row++) {
                            const at = joints[k]! * 16 + row;
                            let moved = palette[at + 12]!;
                            for (let c = 0; c < 3; c++) moved += palette[at + c * 4]! * positions[vertex * 3 + c]!;
                            point[row]! += weights[k]! * moved;
                        }
                    }
                }
                visit(point);
                found = true;
            }
        }
    }
    return found;
}

export interface Worst {
    error: number;
    row: number;
    joint: number;
    /** Joint matrices compared: for tests to prove that they compared anything. */
    compared: number;
}

/** The greatest displacement of the corners between two runs of palettes (`rows * joints * 16`), and where it is. */
export function worstDisplacement(
    a: ArrayLike<number>,
    b: ArrayLike<number>,
    joints: number,
    { corners }: Yardstick,
): Worst {
    if (a.length !== b.length) throw new Error(`palettes of ${a.length} and ${b.length} numbers`);
    const worst: Worst = { error: 0, row: 0, joint: 0, compared: 0 };
    const d = new Float64Array(16);
    for (let start = 0; start < a.length; start += 16) {
        for (let k = 0; k < 16; k++) d[k] = a[start + k]! - b[start + k]!;
        worst.compared++;
        let squared = 0;
        for (let at = 0; at < 24; at += 3) {
            const x = corners[at]!;
            const y = corners[at + 1]!;
            const z = corners[at + 2]!;
            const dx = d[0]! * x + d[4]! * y + d[8]! * z + d[12]!;
            const dy = d[1]! * x + d[5]! * y + d[9]! * z + d[13]!;
            const dz = d[2]! * x + d[6]! * y + d[10]! * z + d[14]!;
            const moved = dx * dx + dy * dy + dz * dz;
            // Written so that a NaN counts as the worst of all.
            if (!(moved <= squared)) squared = moved >= 0 ? moved : Infinity;
        }
        // A palette is affine: a bottom row other than 0 0 0 1 must not pass either.
        const bottom = d[3]! * d[3]! + d[7]! * d[7]! + d[11]! * d[11]! + d[15]! * d[15]!;
        const error = bottom < 1e-12 ? sqrt(squared) : Infinity;
        if (error > worst.error) {
            worst.error = error;
            worst.row = Math.floor(start / 16 / joints);
            worst.joint = (start / 16) % joints;
        }
    }
    return worst;
}
