// SPDX-License-Identifier: MIT

const ulp = new Uint32Array(1);
const ulpFloat = new Float32Array(ulp.buffer);

/** The distance from a positive float32 to the next one up. */
function ulp32(x: number): number {
    ulpFloat[0] = x;
    ulp[0] = ulp[0]! + 1;
    return ulpFloat[0]! - x;
}

/**
 * The times of a clip's frames (docs/format.md, "Frames", with `end: 'clamp'`), derived independently of the baker.
 * `duration` is D, a float32; the rate is `num / den`.
 */
export function frameTimes(duration: number, num: number, den = 1): number[] {
    if (duration === 0) return [0];
    const frames = (duration * num) / den;
    const nearest = Math.round(frames);
    const whole = Math.abs(frames - nearest) <= Math.max(1e-3, (num / den) * ulp32(duration));
    const count = whole ? nearest + 1 : Math.floor(frames) + 2;
    const times: number[] = [];
    for (let i = 0; i < count - 1; i++) times.push(Math.fround(Math.min((i * den) / num, duration)));
    // fround(n / fps) can fall one ulp short of the last key.
    times.push(duration);
    return times;
}
