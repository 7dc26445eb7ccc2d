// SPDX-License-Identifier: MIT

/**
 * What every blend does before it calculates anything: at t <= 0 the result is `from`, bit for bit, at t >= 1, or where
 * t is NaN, it is `to`. Returns whether it was one of these; else 0 < t < 1.
 *
 * @param floats Floats of an element: 8 for a joint, 4 for a quaternion.
 */
export function copyAtEdge(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    floats: number,
    t: number,
    index: Int32Array | null,
    count: number,
): boolean {
    if (t > 0 && t < 1) return false;
    const source = t <= 0 ? from : to;
    if (source === result) return true;
    for (let i = 0; i < count; i++) {
        const o = (index === null ? i : index[i]!) * floats;
        for (let k = o; k < o + floats; k++) result[k] = source[k]!;
    }
    return true;
}
