// SPDX-License-Identifier: MIT
// Twin: native/rig/playback_error.h

import { BOX_NUMBERS, type CentredBoxes, squaredReach } from '../../rig/measure/displacement';
import { SAMPLES } from '../rows/batch-size';

/**
 * Value in `nearest` for an interval that ends at a discontinuity. Players hold its first row: the picture is late, not
 * badly interpolated. So the interval is not judged.
 */
export const HELD = 255;

/**
 * Measures the maximum distance between interpolated rows and the poses between them. `max[0]` is for linear
 * interpolation, `max[1]` for the nearest row. Both are squared displacements of box corners, and the call only raises
 * them. All calculations are in double precision, in one order: the addon gives the same bits as `playbackErrorTwin`.
 *
 * @param rows `[intervals + 1][joint]`, column-major 4x4.
 * @param samples `[intervals][SAMPLES][joint]`: the poses at k / 8 of each interval, k from 1 up.
 * @param nearest For each interval, how many of its samples are nearer to its first row, or `HELD`.
 * @param boxes One box for each joint.
 */
export type PlaybackError = (
    max: Float64Array,
    rows: Float32Array,
    samples: Float32Array,
    nearest: Uint8Array,
    joints: number,
    boxes: CentredBoxes,
) => void;

export const playbackErrorTwin: PlaybackError = (max, rows, samples, nearest, joints, boxes) => {
    const row = joints * 16;
    const step = new Float64Array(12);
    const stepReach = new Float64Array(3);
    for (let interval = 0; interval < nearest.length; interval++) {
        if (nearest[interval] === HELD) continue;
        for (let joint = 0; joint < joints; joint++) {
            const g = joint * BOX_NUMBERS;
            const [gx, gy, gz] = [boxes[g]!, boxes[g + 1]!, boxes[g + 2]!];
            const [hx, hy, hz] = [boxes[g + 3]!, boxes[g + 4]!, boxes[g + 5]!];
            if (hx < 0) continue; // moves nothing
            const from = interval * row + joint * 16;
            for (let c = 0; c < 12; c++) {
                const element = from + ELEMENTS[c]!;
                step[c] = rows[element + row]! - rows[element]!;
            }
            reachOf(stepReach, boxes, g, step);
            for (let k = 1; k <= SAMPLES; k++) {
                const at = (interval * SAMPLES + k - 1) * row + joint * 16;
                const share = k / (SAMPLES + 1);
                const first = k <= nearest[interval]!;
                const rest = first ? share : 1 - share;
                let lerpBound = 0;
                let nearestBound = 0;
                for (let axis = 0; axis < 3; axis++) {
                    const a = from + axis;
                    const b = at + axis;
                    const x = rows[a]! + share * step[axis]! - samples[b]!;
                    const y = rows[a + 4]! + share * step[axis + 3]! - samples[b + 4]!;
                    const z = rows[a + 8]! + share * step[axis + 6]! - samples[b + 8]!;
                    const w = rows[a + 12]! + share * step[axis + 9]! - samples[b + 12]!;
                    const reach = abs(x * gx + y * gy + z * gz + w) + (abs(x) * hx + abs(y) * hy + abs(z) * hz);
                    const further = reach + rest * stepReach[axis]!;
                    lerpBound += reach * reach;
                    nearestBound += further * further;
                }
                if (!(lerpBound <= max[0]!)) {
                    max[0] = squaredReach(boxes, g, offOf(rows, from, step, share, samples, at), max[0]!);
                }
                if (!(nearestBound <= max[1]!)) {
                    max[1] = squaredReach(boxes, g, offOf(rows, from, step, first ? 0 : 1, samples, at), max[1]!);
                }
            }
        }
    }
};

/** The interpolated matrix at a share of the interval, minus the pose. Rarely needed. */
function offOf(
    rows: Float32Array,
    from: number,
    step: Float64Array,
    share: number,
    samples: Float32Array,
    at: number,
): Float64Array {
    return step.map((value, c) => rows[from + ELEMENTS[c]!]! + share * value - samples[at + ELEMENTS[c]!]!);
}

/** The elements of a column-major 4x4 matrix that are not 0 0 0 1. */
const ELEMENTS = [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14];

function reachOf(reach: Float64Array, boxes: CentredBoxes, g: number, difference: Float64Array): void {
    for (let axis = 0; axis < 3; axis++) {
        const x = difference[axis]!;
        const y = difference[axis + 3]!;
        const z = difference[axis + 6]!;
        const centre = x * boxes[g]! + y * boxes[g + 1]! + z * boxes[g + 2]! + difference[axis + 9]!;
        reach[axis] = abs(centre) + (abs(x) * boxes[g + 3]! + abs(y) * boxes[g + 4]! + abs(z) * boxes[g + 5]!);
    }
}

function abs(value: number): number {
    return value < 0 ? -value : value;
}
