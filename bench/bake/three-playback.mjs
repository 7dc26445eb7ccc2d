// SPDX-License-Identifier: MIT

/** How far rows that are played back are off the animation: docs/format.md, "Error". */

import { InterpolateDiscrete, PropertyBinding } from 'three';

/** Points of an interval that are looked at, the frames aside. */
export const SAMPLES = 7;

/**
 * Where tracks of some nodes jump: a step to another value, or two keys at one time.
 *
 * @returns The frames that nothing may be interpolated to, and how late a jump is shown at worst, seconds.
 */
export function jumpsOf({ tracks }, nodes, times) {
    const frames = new Set();
    let late = 0;
    for (const track of tracks) {
        if (!nodes.has(PropertyBinding.parseTrackName(track.name).nodeName)) continue;
        const step = track.getInterpolation() === InterpolateDiscrete;
        let frame = 0;
        for (let key = 1; key < track.times.length; key++) {
            const time = track.times[key];
            if (!step && time !== track.times[key - 1]) continue;
            while (frame < times.length - 1 && times[frame] < time) frame++;
            if (frame === 0 || times[frame] < time || !differs(track, key)) continue;
            frames.add(frame);
            late = Math.max(late, times[frame] - time);
        }
    }
    return { frames, late };
}

function differs(track, key) {
    const size = track.values.length / track.times.length;
    for (let k = key * size; k < (key + 1) * size; k++) if (track.values[k] !== track.values[k - size]) return true;
    return false;
}

/** The greatest distances, squared, that corners of the joints' boxes are off. */
export class Greatest {
    lerp = 0;
    nearest = 0;
    #difference = new Float64Array(12);

    constructor(boxes) {
        this.boxes = boxes;
    }

    /**
     * @param rows All rows; those of the interval begin at `a` and `b`.
     * @param share Of the interval that has gone by.
     * @param first Whether the first row is nearer.
     * @param pose The matrices at that time.
     */
    add(rows, a, b, share, first, pose) {
        for (let joint = 0; joint < this.boxes.length; joint++) {
            const box = this.boxes[joint];
            if (box === null) continue;
            const m = joint * 16;
            this.lerp = this.#farthest(rows, a + m, b + m, share, pose, m, box, this.lerp);
            this.nearest = this.#farthest(rows, a + m, b + m, first ? 0 : 1, pose, m, box, this.nearest);
        }
    }

    /** The greater of `least` and what one joint's box is off. */
    #farthest(rows, a, b, share, pose, m, box, least) {
        const difference = this.#difference;
        let bound = 0;
        for (let axis = 0; axis < 3; axis++) {
            let reach = 0;
            for (let column = 0; column < 4; column++) {
                const at = column * 4 + axis;
                const shown = rows[a + at] + share * (rows[b + at] - rows[a + at]);
                const off = shown - pose[m + at];
                difference[column * 3 + axis] = off;
                reach +=
                    column < 3
                        ? Math.abs(off) * Math.max(Math.abs(box[column]), Math.abs(box[column + 3]))
                        : Math.abs(off);
            }
            bound += reach * reach;
        }
        // No corner can be further off than that.
        if (bound <= least) return least;
        let greatest = least;
        for (let corner = 0; corner < 8; corner++) {
            const x = box[corner & 1 ? 3 : 0];
            const y = box[corner & 2 ? 4 : 1];
            const z = box[corner & 4 ? 5 : 2];
            let squared = 0;
            for (let axis = 0; axis < 3; axis++) {
                const off =
                    difference[axis] * x + difference[axis + 3] * y + difference[axis + 6] * z + difference[axis + 9];
                squared += off * off;
            }
            if (squared > greatest) greatest = squared;
        }
        return greatest;
    }
}
