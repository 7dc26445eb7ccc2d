// SPDX-License-Identifier: MIT

/**
 * Animation samplers (glTF 2.0, section 3.11 and appendix C), many frames in a call. Two steps: `locateKeys` finds where
 * each frame lies between the keys, once for all channels with the same key times; `copyKeys`, `lerpKeys`, `cubicKeys`,
 * `cubicRotationKeys` and `slerpKeys` then calculate in double precision and round once, on the store.
 * Frame i is written to the floats at `out[offset + i * stride]`.
 */

/**
 * For each frame the last key at or before it and the fraction of the way to the next key, 0 <= fraction < 1.
 * Before the first and from the last key on: that key, fraction 0 (section 3.11: the input is clamped, here for each
 * channel alone). Of keys at equal times the last one wins; frames before them still run towards the first of them.
 *
 * @param times Key times, seconds, ascending, at least one.
 * @param frameTimes Seconds, ascending.
 * @param first Frames `first` to `first + count - 1` are located, into elements 0 to `count - 1`.
 * @param cursor Where to start looking: 0, or what the call for the frames before returned.
 * @returns The cursor for the frames that follow.
 */
export function locateKeys(
    times: Float32Array,
    frameTimes: Float32Array,
    first: number,
    count: number,
    cursor: number,
    keys: Int32Array,
    fractions: Float64Array,
): number {
    const last = times.length - 1;
    let key = cursor;
    for (let i = 0; i < count; i++) {
        const time = frameTimes[first + i]!;
        while (key < last && times[key + 1]! <= time) key++;
        keys[i] = key;
        const start = times[key]!;
        fractions[i] = key === last || time <= start ? 0 : (time - start) / (times[key + 1]! - start);
    }
    return key;
}

/** STEP (C.1): the key at or before the frame. Widths 3 and 4. */
export function copyKeys(
    out: Float32Array,
    offset: number,
    stride: number,
    values: Float32Array,
    width: number,
    keys: Int32Array,
    count: number,
): void {
    for (let i = 0, o = offset; i < count; i++, o += stride) {
        const a = keys[i]! * width;
        out[o] = values[a]!;
        out[o + 1] = values[a + 1]!;
        out[o + 2] = values[a + 2]!;
        if (width === 4) out[o + 3] = values[a + 3]!;
    }
}

/** LINEAR translations and scales (C.2). */
export function lerpKeys(
    out: Float32Array,
    offset: number,
    stride: number,
    values: Float32Array,
    keys: Int32Array,
    fractions: Float64Array,
    count: number,
): void {
    for (let i = 0, o = offset; i < count; i++, o += stride) {
        const a = keys[i]! * 3;
        const t = fractions[i]!;
        const x = values[a]!;
        const y = values[a + 1]!;
        const z = values[a + 2]!;
        if (t === 0) {
            out[o] = x;
            out[o + 1] = y;
            out[o + 2] = z;
            continue;
        }
        out[o] = x + (values[a + 3]! - x) * t;
        out[o + 1] = y + (values[a + 4]! - y) * t;
        out[o + 2] = z + (values[a + 5]! - z) * t;
    }
}

/**
 * CUBICSPLINE translations and scales (C.4): in-tangent, value, out-tangent for each key, tangents in units per second,
 * so multiplied with the time between the keys.
 */
export function cubicKeys(
    out: Float32Array,
    offset: number,
    stride: number,
    values: Float32Array,
    times: Float32Array,
    keys: Int32Array,
    fractions: Float64Array,
    count: number,
): void {
    for (let i = 0, o = offset; i < count; i++, o += stride) {
        const key = keys[i]!;
        const a = key * 9;
        const t = fractions[i]!;
        if (t === 0) {
            out[o] = values[a + 3]!;
            out[o + 1] = values[a + 4]!;
            out[o + 2] = values[a + 5]!;
            continue;
        }
        const interval = times[key + 1]! - times[key]!;
        const t2 = t * t;
        const t3 = t2 * t;
        const v1 = 3 * t2 - 2 * t3;
        const v0 = 1 - v1;
        const m0 = (t3 - 2 * t2 + t) * interval;
        const m1 = (t3 - t2) * interval;
        for (let k = 0; k < 3; k++) {
            out[o + k] =
                v0 * values[a + 3 + k]! +
                m0 * values[a + 6 + k]! +
                (v1 * values[a + 12 + k]! + m1 * values[a + 9 + k]!);
        }
    }
}

/**
 * CUBICSPLINE rotations (C.4 and 3.11): the spline runs through the components as they are, with no change of
 * hemisphere, and the result is normalised, at the keys too. A result of length 0 gives NaN.
 */
export function cubicRotationKeys(
    out: Float32Array,
    offset: number,
    stride: number,
    values: Float32Array,
    times: Float32Array,
    keys: Int32Array,
    fractions: Float64Array,
    count: number,
): void {
    for (let i = 0, o = offset; i < count; i++, o += stride) {
        const key = keys[i]!;
        const a = key * 12;
        const t = fractions[i]!;
        let x = values[a + 4]!;
        let y = values[a + 5]!;
        let z = values[a + 6]!;
        let w = values[a + 7]!;
        if (t !== 0) {
            const interval = times[key + 1]! - times[key]!;
            const t2 = t * t;
            const t3 = t2 * t;
            const v1 = 3 * t2 - 2 * t3;
            const v0 = 1 - v1;
            const m0 = (t3 - 2 * t2 + t) * interval;
            const m1 = (t3 - t2) * interval;
            x = v0 * x + m0 * values[a + 8]! + (v1 * values[a + 16]! + m1 * values[a + 12]!);
            y = v0 * y + m0 * values[a + 9]! + (v1 * values[a + 17]! + m1 * values[a + 13]!);
            z = v0 * z + m0 * values[a + 10]! + (v1 * values[a + 18]! + m1 * values[a + 14]!);
            w = v0 * w + m0 * values[a + 11]! + (v1 * values[a + 19]! + m1 * values[a + 15]!);
        }
        const length = Math.sqrt(x * x + z * z + (y * y + w * w));
        out[o] = x / length;
        out[o + 1] = y / length;
        out[o + 2] = z / length;
        out[o + 3] = w / length;
    }
}
