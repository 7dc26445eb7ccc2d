// SPDX-License-Identifier: MIT
// Twin: native/kernels/lerp_uniform.h

const f = Math.fround;

/**
 * Normalized lerp with one t for all pairs: base + (±t other - t base), divided by its length. As in a slerp, the base
 * is the nearer end, and t is measured from it. If the cosine is negative, the other end is negated.
 *
 * @param result Where `from` is, where `to` is, or elsewhere.
 * @param stride Floats from one quaternion to the next, in all three lists.
 * @param time 0 < time < 1, a float32.
 * @param index Which quaternions, once per mention, in order; null: all, from the first.
 */
export function lerpUniform(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    stride: number,
    time: number,
    index: Int32Array | null,
    count: number,
): void {
    const swap = time > 0.5;
    const t = Math.min(time, f(1 - time));
    const base = swap ? to : from;
    const other = swap ? from : to;
    for (let i = 0; i < count; i++) {
        const o = (index === null ? i : index[i]!) * stride;
        const ax = base[o]!;
        const ay = base[o + 1]!;
        const az = base[o + 2]!;
        const aw = base[o + 3]!;
        const bx = other[o]!;
        const by = other[o + 1]!;
        const bz = other[o + 2]!;
        const bw = other[o + 3]!;
        const c = f(f(f(ax * bx) + f(az * bz)) + f(f(ay * by) + f(aw * bw)));
        const sign = c < 0 ? -1 : 1; // -0 is not negative
        const u = t * sign;
        const resultSign = swap ? sign : 1;
        const x = f(ax + f(f(u * bx) - f(t * ax))) * resultSign;
        const y = f(ay + f(f(u * by) - f(t * ay))) * resultSign;
        const z = f(az + f(f(u * bz) - f(t * az))) * resultSign;
        const w = f(aw + f(f(u * bw) - f(t * aw))) * resultSign;
        // Keeps a zero quaternion.
        const n = f(f(f(x * x) + f(z * z)) + f(f(y * y) + f(w * w)));
        const length = n === 0 ? 1 : f(Math.sqrt(n));
        result[o] = x / length;
        result[o + 1] = y / length;
        result[o + 2] = z / length;
        result[o + 3] = w / length;
    }
}
