// SPDX-License-Identifier: MIT

/** Vertices, and the joints that move each of them with a weight above 0. */
export interface MovedVertices {
    /** [vertex][3]. */
    readonly positions: Float32Array;
    /** Vertex `v` has the influences `starts[v * step]` to `starts[(v + 1) * step] - 1`. */
    readonly starts: Int32Array | Uint32Array;
    readonly step: number;
    /** The joint of an influence. */
    jointOf(influence: number): number;
}

/**
 * Makes `count` empty boxes: min Infinity, max -Infinity. The union of an empty box and another box is the other box.
 */
export function emptyBounds(count: number): Float32Array {
    return Float32Array.from({ length: count * 6 }, (_, i) => (i % 6 < 3 ? Infinity : -Infinity));
}

/**
 * Grows the box of each joint by the vertices that it moves, in joint space: inverse bind x vertex, computed in double
 * precision and rounded once.
 *
 * @param boxes [joint][6], minimum x y z, maximum x y z.
 * @param inverseBinds [joint][12], row-major 3x4.
 */
export function growJointBounds(
    boxes: Float32Array,
    { positions, starts, step, jointOf }: MovedVertices,
    inverseBinds: Float32Array,
): void {
    for (let v = 0; v < positions.length / 3; v++) {
        const [x, y, z] = [positions[v * 3]!, positions[v * 3 + 1]!, positions[v * 3 + 2]!];
        for (let i = starts[v * step]!; i < starts[(v + 1) * step]!; i++) {
            const joint = jointOf(i);
            for (let axis = 0; axis < 3; axis++) {
                const row = joint * 12 + axis * 4;
                const [a, b, c, d] = [
                    inverseBinds[row]!,
                    inverseBinds[row + 1]!,
                    inverseBinds[row + 2]!,
                    inverseBinds[row + 3]!,
                ];
                const place = a * x + b * y + c * z + d + 0; // +0 for -0
                const side = joint * 6 + axis;
                if (place < boxes[side]!) boxes[side] = place;
                if (place > boxes[side + 3]!) boxes[side + 3] = place;
            }
        }
    }
}
