// SPDX-License-Identifier: MIT
// Twin: native/rig/blend.h

import { blockFloats, GLOBAL_FLOATS, LANES, LOCAL_FLOATS, type RigTables, type SlotTables } from './contract';
import { slerpLanes } from './slerp';

const f = Math.fround;
const ALL_LANES = Uint8Array.from({ length: LANES }, (_, lane) => lane);

/** `blend`, with its scratch memory. */
export function createBlend(tables: RigTables, slots: SlotTables) {
    const { length } = slots.slots;
    const weightCount = tables.restWeights.length;
    const block = blockFloats(length, weightCount);
    /** The weight of each lane for the current slot. */
    const t = new Float32Array(LANES);
    const conjugate = new Float32Array(4 * LANES);
    const turned = new Float32Array(4 * LANES);
    const identity = new Float32Array(4 * LANES).fill(1, 3 * LANES);

    return (
        out: Float32Array,
        a: Float32Array,
        b: Float32Array,
        count: number,
        weights: number | Float32Array,
        mask: Float32Array | null,
        additive: boolean,
        reference: Float32Array | null,
        each: boolean,
    ): void => {
        const lane = each ? 1 : 0;
        for (let first = 0, blockAt = 0; first < count; first += LANES, blockAt += block) {
            const lanes = Math.min(LANES, count - first);
            weigh(weights, first, lanes, null, 0);
            const weightsAt = blockAt + (LOCAL_FLOATS + GLOBAL_FLOATS) * LANES * length;
            for (let w = 0; w < weightCount; w++) {
                const at = weightsAt + w * LANES;
                if (additive && reference === null) addLanes(out, a, b, at, tables.restWeights, w, 0, lanes);
                else if (additive) addLanes(out, a, b, at, reference!, each ? at : at - blockAt, lane, lanes);
                else mixLanes(out, a, b, at, lanes);
            }
            for (let place = 0; place < length; place++) {
                const at = blockAt + place * LOCAL_FLOATS * LANES;
                if (slots.matrices[place]! >= 0) continue;
                if (mask !== null) weigh(weights, first, lanes, mask, slots.slots[place]!);
                if (additive) {
                    const from = reference ?? tables.rest;
                    const r = reference === null ? slots.slots[place]! * LOCAL_FLOATS : each ? at : at - blockAt;
                    const s = reference === null ? 1 : LANES;
                    for (let c = 0; c < 3; c++) addLanes(out, a, b, at + c * LANES, from, r + c * s, lane, lanes);
                    turnLanes(out, a, b, at + 3 * LANES, from, r + 3 * s, s, lane, lanes);
                    for (let c = 7; c < 10; c++) scaleLanes(out, a, b, at + c * LANES, from, r + c * s, lane, lanes);
                } else {
                    for (let c = 0; c < 3; c++) mixLanes(out, a, b, at + c * LANES, lanes);
                    const r = at + 3 * LANES;
                    slerpLanes(out, r, a, r, b, r, t, 0, ALL_LANES, lanes);
                    for (let c = 7; c < 10; c++) mixLanes(out, a, b, at + c * LANES, lanes);
                }
            }
        }
    };

    /** The weights of the lanes of a block, clamped to 0 ... 1. */
    function weigh(
        weights: number | Float32Array,
        first: number,
        lanes: number,
        mask: Float32Array | null,
        slot: number,
    ): void {
        for (let lane = 0; lane < lanes; lane++) {
            const weight = typeof weights === 'number' ? f(weights) : weights[first + lane]!;
            const w = mask === null ? weight : f(weight * mask[slot]!);
            t[lane] = w < 0 ? 0 : Math.min(w, 1);
        }
    }

    /** Interpolates from a to b, starting at the nearer end. Exact at both ends and between equal values. */
    function mixLanes(out: Float32Array, a: Float32Array, b: Float32Array, at: number, lanes: number): void {
        for (let i = at; i < at + lanes; i++) {
            const w = t[i - at]!;
            const swap = w > 0.5;
            const s = swap ? f(1 - w) : w;
            const base = swap ? b[i]! : a[i]!;
            const other = swap ? a[i]! : b[i]!;
            out[i] = base + f(f(s * other) - f(s * base));
        }
    }

    /**
     * a + w (b - reference)
     *
     * @param reference The numbers of the lanes, from `r` on and `step` apart: 0 if they have the same.
     */
    function addLanes(
        out: Float32Array,
        a: Float32Array,
        b: Float32Array,
        at: number,
        reference: Float32Array,
        r: number,
        step: number,
        lanes: number,
    ): void {
        for (let lane = 0; lane < lanes; lane++) {
            const i = at + lane;
            out[i] = a[i]! + f(t[lane]! * f(b[i]! - reference[r + lane * step]!));
        }
    }

    /** a lerp(1, b / reference, w), or a if that is not finite, as for a scale of 0. */
    function scaleLanes(
        out: Float32Array,
        a: Float32Array,
        b: Float32Array,
        at: number,
        reference: Float32Array,
        r: number,
        step: number,
        lanes: number,
    ): void {
        for (let lane = 0; lane < lanes; lane++) {
            const i = at + lane;
            const w = t[lane]!;
            const quotient = f(b[i]! / reference[r + lane * step]!);
            const swap = w > 0.5;
            const s = swap ? f(1 - w) : w;
            const base = swap ? quotient : 1;
            const other = swap ? 1 : quotient;
            const scaled = f(a[i]! * f(base + f(f(s * other) - f(s * base))));
            out[i] = Math.abs(scaled) < Infinity ? scaled : a[i]!;
        }
    }

    /**
     * a slerp(1, reference^-1 b, w), with the conjugate for the inverse.
     *
     * @param stride Distance of the components in `reference`.
     */
    function turnLanes(
        out: Float32Array,
        a: Float32Array,
        b: Float32Array,
        at: number,
        reference: Float32Array,
        r: number,
        stride: number,
        step: number,
        lanes: number,
    ): void {
        for (let c = 0; c < 4; c++) {
            for (let lane = 0; lane < lanes; lane++) {
                const component = reference[r + c * stride + lane * step]!;
                conjugate[c * LANES + lane] = c < 3 ? -component : component;
            }
        }
        multiplyLanes(turned, 0, conjugate, 0, b, at, lanes);
        slerpLanes(turned, 0, identity, 0, turned, 0, t, 0, ALL_LANES, lanes);
        multiplyLanes(out, at, a, at, turned, 0, lanes);
    }
}

/** The quaternion product p q (Hamilton's, glTF's convention). */
function multiplyLanes(
    out: Float32Array,
    outAt: number,
    p: Float32Array,
    pAt: number,
    q: Float32Array,
    qAt: number,
    lanes: number,
): void {
    for (let lane = 0; lane < lanes; lane++) {
        const i = pAt + lane;
        const j = qAt + lane;
        const o = outAt + lane;
        const px = p[i]!;
        const py = p[i + LANES]!;
        const pz = p[i + 2 * LANES]!;
        const pw = p[i + 3 * LANES]!;
        const qx = q[j]!;
        const qy = q[j + LANES]!;
        const qz = q[j + 2 * LANES]!;
        const qw = q[j + 3 * LANES]!;
        out[o] = f(f(f(pw * qx) + f(px * qw)) + f(py * qz)) - f(pz * qy);
        out[o + LANES] = f(f(f(pw * qy) + f(py * qw)) + f(pz * qx)) - f(px * qz);
        out[o + 2 * LANES] = f(f(f(pw * qz) + f(pz * qw)) + f(px * qy)) - f(py * qx);
        out[o + 3 * LANES] = f(f(f(pw * qw) - f(px * qx)) - f(py * qy)) - f(pz * qz);
    }
}
