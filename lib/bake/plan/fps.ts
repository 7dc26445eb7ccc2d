// SPDX-License-Identifier: MIT

import { namingOptions, UsageError } from '../../base/errors';
import type { FrameRate } from '../../format/manifest';
import type { SceneAnimation } from '../../gltf/scene';
import { type Cadence, cadenceOf } from '../../rig/cadence';

/** Maximum of both terms: frame number times denominator must be exact in a double. */
const MAX_TERM = 0x4000000;

/**
 * Reads a frame rate: `30`, a decimal (`29.97` is 2997/100) or a fraction (`24000/1001`). NTSC rates need the fraction.
 *
 * @throws UsageError for anything else, and for a term above 2^26.
 */
export function parseFps(fps: number | string): FrameRate {
    const text = String(fps).trim();
    const match = /^(\d+)(?:\.(\d+)|\/(\d+))?$/.exec(text);
    if (match !== null) {
        const [, whole = '', decimals = '', divisor = ''] = match;
        const zeros = decimals.replace(/0+$/, '');
        const numerator = Number(whole + zeros);
        const denominator = divisor === '' ? Number(`1${'0'.repeat(zeros.length)}`) : Number(divisor);
        const common = greatestCommonDivisor(numerator, denominator);
        const rate: FrameRate = [numerator / common, denominator / common];
        const exact = numerator <= Number.MAX_SAFE_INTEGER && denominator <= Number.MAX_SAFE_INTEGER;
        if (exact && rate[0] > 0 && rate[1] > 0 && rate[0] <= MAX_TERM && rate[1] <= MAX_TERM) return rate;
    }
    const needs = "needs a number above 0 such as 30 or 29.97, a fraction such as 24000/1001, 'keys' or 'auto'";
    throw namingOptions((name) => new UsageError(`${name('fps')}: '${text}' is not a frame rate: ${needs}`));
}

function greatestCommonDivisor(a: number, b: number): number {
    while (b > 0) [a, b] = [b, a % b];
    return a;
}

/** Minimum: below it, matrices between keys are too far apart to interpolate. Sparse keys get a multiple of their rate. */
const MIN_KEYS_FPS = 24;
/** Maximum: above it, a common rate of several clips is not useful. */
const MAX_FPS = 240;
/** Maximum for `'keys'`: more rows per second must be requested. */
const MAX_KEYS_FPS = 60;

/**
 * The lowest whole rate, from 24 to 240 frames per second, with a frame at every key of every clip. Null if there is none, or no clip has
 * two key times.
 */
export function fpsMeetingAllKeys(cadences: readonly Cadence[]): number | null {
    let common = 1;
    let moving = false;
    for (const { longest, rate } of cadences) {
        if (longest === 0) continue; // one key: any rate meets it
        if (rate === null) return null;
        common *= rate / greatestCommonDivisor(common, rate);
        moving = true;
        if (common > MAX_FPS) return null;
    }
    return moving ? common * Math.ceil(MIN_KEYS_FPS / common) : null;
}

/** The rate of `fps: 'keys'`: that of `fpsMeetingAllKeys` up to 60, otherwise `other`. */
export function rateOfKeys(animations: readonly SceneAnimation[], other = 30): FrameRate {
    const fps = fpsMeetingAllKeys(animations.map(cadenceOf));
    return [fps !== null && fps <= MAX_KEYS_FPS ? fps : other, 1];
}
