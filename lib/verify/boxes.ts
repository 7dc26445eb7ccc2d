// SPDX-License-Identifier: MIT

import { addPoint, eachInfluence, emptyBox } from './box';
import { boxCorners, wholeBoxesOf } from './metric';
import { poseAt, type Subject } from './pose';
import type { SkinVertices } from './vertices';

/** The boxes that measure playback errors: docs/format.md, "Error". */
export interface PlaybackBoxes {
    /** For each column, the 8 corners of the box of the vertices that it moves; null without vertices. */
    readonly own: readonly (Float64Array | null)[];
    /** The corners of the box that judges a column as a whole. For joints, the box of all skinned vertices. */
    readonly whole: readonly (Float64Array | null)[];
}

export function playbackBoxesOf(subject: Subject, vertices: readonly SkinVertices[]): PlaybackBoxes {
    const { nodes, joints: jointCount } = subject;
    const originsOf = (some: readonly number[]) => {
        const box = emptyBox();
        const { globals } = poseAt(subject, null, 0);
        for (const node of some) addPoint(box, globals.subarray(node * 16 + 12, node * 16 + 15));
        return boxCorners(box);
    };
    if (vertices.length === 0) {
        const origins = originsOf(nodes);
        const all = nodes.map(() => origins);
        return { own: all, whole: all };
    }
    const boxes: (Float64Array | null)[] = nodes.map(() => null);
    eachInfluence(vertices, boxes.length, (column, place) => {
        boxes[column] ??= emptyBox();
        addPoint(boxes[column], place);
    });
    const origins = originsOf(nodes.slice(0, jointCount));
    const whole = wholeBoxesOf(subject, vertices).map((box, column) => {
        if (box !== null) return boxCorners(box);
        return column < jointCount ? origins : null;
    });
    return { own: boxes.map((box) => box && boxCorners(box)), whole };
}
