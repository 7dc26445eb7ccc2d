// SPDX-License-Identifier: MIT

/** Rounds the values of keys to the steps that they are stored in. */

import { FLOAT, SHORT } from '../../gltf/validate/accessors';
import { unitTolerance } from '../../gltf/validate/transforms';
import { areUnit, OFF_UNIT, type Track } from './clip';

/** Step of values stored as normalized 16-bit integers (glTF 2.0, 3.11). */
export const SHORT_STEP = 1 / 32767;
export const BYTE_STEP = 1 / 127;

/** Whether values at this step are stored as normalized integers of 16 or 8 bits. Only rotations can be. */
export function isInteger(step: number): boolean {
    return step === BYTE_STEP || (step > 0 && step < 1 && Number.isInteger(step / SHORT_STEP));
}

/** Rounds values to multiples of the track's step, or to float32 if it is 0. Changes the first `length` numbers. */
export function rounded(
    { step, width, exact }: Pick<Track, 'step' | 'width' | 'exact'>,
    values: Float64Array,
    length = values.length,
): Float64Array {
    if (width === 4 && exact && step !== BYTE_STEP) {
        roundToUnitLength(values, length, step);
    } else if (width === 4 && step >= COARSE) for (let q = 0; q < length; q += 4) roundRotation(values, q, step);
    else roundAll(values, length, step, width === 4 && step > 0 ? 1 : Infinity);
    return values;
}

/**
 * Maximum step of the largest component, as a multiple of the length's tolerance. Each of eight roundings then reaches
 * unit length in one case of three.
 */
const LARGEST = 6;

/**
 * Rounds rotations so that their length is 1 within the tolerance of its type. Three components are rounded up or down.
 * The largest one, on a finer step, then makes the length 1. The rounding with the best direction within the tolerance
 * is used.
 */
function roundToUnitLength(values: Float64Array, length: number, step: number): void {
    const { tolerance, coarse, finest } = unitSteps(step);
    for (let o = 0; o < length; o += 4) {
        if (step > 0) roundRotationToUnitLength(values, o, step, tolerance, coarse, finest);
        else {
            const unit = lengthOf(values, o);
            // Keys of the source stay unchanged.
            const by = Math.abs(unit - 1) <= tolerance ? 1 : unit;
            for (let c = o; c < o + 4; c++) values[c] = Math.fround(values[c]! / by);
        }
    }
}

/** Maximum deviation from unit length, and the steps of the largest component. The finest one is tried last. */
export function unitSteps(step: number): {
    readonly tolerance: number;
    readonly coarse: number;
    readonly finest: number;
} {
    const finest = isInteger(step) ? SHORT_STEP : FINEST;
    const tolerance = lengthTolerance(step);
    let coarse = finest;
    while (coarse * 2 <= step && coarse * 2 <= LARGEST * tolerance) coarse *= 2;
    return { tolerance, coarse, finest };
}

/** 1 for a rotation of zeros. */
function lengthOf(q: Float64Array, o: number): number {
    return Math.sqrt(q[o]! * q[o]! + q[o + 1]! * q[o + 1]! + q[o + 2]! * q[o + 2]! + q[o + 3]! * q[o + 3]!) || 1;
}

function roundRotationToUnitLength(
    values: Float64Array,
    o: number,
    step: number,
    tolerance: number,
    coarse: number,
    finest: number,
): void {
    const unit = lengthOf(values, o);
    let largest = 0;
    for (let c = 0; c < 4; c++) {
        if (Math.abs(values[o + c]!) > Math.abs(values[o + largest]!)) largest = c;
        sizes[c] = Math.abs(values[o + c]!) / unit;
    }
    let others = 0;
    for (let c = 0; c < 4; c++) {
        if (c === largest) continue;
        const low = Math.floor(sizes[c]! / step);
        for (let up = 0; up < 2; up++, others++) {
            roundings[others] = (low + up) * step;
            squares[others] = roundings[others]! * roundings[others]!;
            products[others] = roundings[others]! * sizes[c]!;
        }
    }
    let best = -Infinity;
    let choice = 0;
    let large = 0;
    for (let own = coarse; ; own = finest) {
        const most = Math.floor(1 / own);
        for (let way = 0; way < 8; way++) {
            const a = way & 1;
            const b = 2 + ((way >> 1) & 1);
            const c = 4 + (way >> 2);
            const squared = squares[a]! + squares[b]! + squares[c]!;
            const rest = Math.sqrt(Math.max(0, 1 - squared));
            const one = Math.min(Math.round(rest / own), most) * own;
            const length = Math.sqrt(squared + one * one);
            if (!(Math.abs(length - 1) <= tolerance)) continue;
            const direction = (products[a]! + products[b]! + products[c]! + one * sizes[largest]!) / length;
            if (!(direction > best)) continue;
            best = direction;
            choice = way;
            large = one;
        }
        if (best > -Infinity || own === finest) break;
    }
    for (let c = 0, other = 0; c < 4; c++) {
        const size = c === largest ? large : roundings[2 * other + ((choice >> other++) & 1)]!;
        values[o + c] = values[o + c]! < 0 ? -size : size;
    }
}

/** Sizes of a rotation's components, and both roundings of the three smallest. */
const [sizes, roundings] = [new Float64Array(4), new Float64Array(6)];

/** Finest step of floats whose rounding keeps a rotation's length within the tolerance. */
const FINEST = 2 ** -18;

/** At least the change of a length by rounding to float32. */
const FLOAT32_LENGTH = 1e-6;

/** Maximum deviation from 1 that readers allow for the length of a stored rotation, less the change by rounding. */
export function offUnit(componentType: number): number {
    return unitTolerance(componentType) - FLOAT32_LENGTH;
}

const [OFF_FLOAT, OFF_SHORT] = [offUnit(FLOAT), offUnit(SHORT)];

/** Maximum deviation from 1 that readers allow for the length of a rotation stored at this step. */
function lengthTolerance(step: number): number {
    if (step === BYTE_STEP) return OFF_UNIT;
    return isInteger(step) ? OFF_SHORT : OFF_FLOAT;
}

/** Whether a track may have these values. Reads the first `length` numbers. */
export function mayHave(
    { unit, exact, step }: Pick<Track, 'unit' | 'exact' | 'step'>,
    values: ArrayLike<number>,
    length = values.length,
): boolean {
    return !unit || areUnit(values, exact ? lengthTolerance(step) : OFF_UNIT, length);
}

function roundAll(values: Float64Array, length: number, step: number, one: number): void {
    const max = one === 1 ? Math.floor(1 / step) * step : Infinity;
    for (let i = 0; i < length; i++) {
        const value = step === 0 ? Math.fround(values[i]!) : Math.round(values[i]! / step) * step;
        values[i] = value > max ? max : Math.max(value, -max);
    }
}

/** From this step on, the direction of rounding matters, because not all players normalize rotations. */
const COARSE = 4 * SHORT_STEP;

/** Weight of an error in length relative to one in direction. */
const LENGTH = 32;

/** Rounds each component up or down: the best of the sixteen combinations for direction and length. */
function roundRotation(values: Float64Array, o: number, step: number): void {
    const max = Math.floor(1 / step);
    const length = lengthOf(values, o);
    for (let c = 0; c < 4; c++) {
        const one = values[o + c]! / length;
        const low = Math.max(-max, Math.min(max - 1, Math.floor(one / step))) * step;
        lows[c] = low;
        for (let up = 0; up < 2; up++) {
            const value = low + up * step;
            squares[c * 2 + up] = value * value;
            products[c * 2 + up] = value * one;
        }
    }
    let best = Infinity;
    let choice = 0;
    for (let way = 0; way < 16; way++) {
        let norm = 0;
        let dot = 0;
        for (let c = 0; c < 4; c++) {
            const up = (way >> (3 - c)) & 1;
            norm += squares[c * 2 + up]!;
            dot += products[c * 2 + up]!;
        }
        if (!(dot > 0)) continue;
        const cost = LENGTH * (norm - 1) * (norm - 1) - (4 * dot * dot) / norm;
        if (cost >= best) continue;
        best = cost;
        choice = way;
    }
    for (let c = 0; c < 4; c++) values[o + c] = lows[c]! + ((choice >> (3 - c)) & 1) * step;
}

const lows = new Float64Array(4);
/** For both roundings of each component: the square, and the product with the exact value. */
const [squares, products] = [new Float64Array(8), new Float64Array(8)];
