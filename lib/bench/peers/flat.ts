// SPDX-License-Identifier: MIT

/** Loops over flat arrays, in doubles, without a library. */

import { type BenchData, T } from '../data';
import type { PeerCalls } from './convert';

type Floats = Float32Array;

export function flatCalls(data: BenchData): PeerCalls {
    const { n, joints, blendJoints, mats, parents } = data;
    const outList = new Float32Array(n * 4);
    const outJoints = new Float32Array(n * 8);
    const outMats = new Float32Array(n * 12);
    return {
        slerpQuats: {
            run: () => slerpFlat(outList, data.from, data.to, T, n, 4),
            read: () => outList,
        },
        slerpJoints: {
            run: () => {
                slerpFlat(outJoints, joints, blendJoints, T, n, 8);
                moveFlat(outJoints, joints, blendJoints, T, n);
            },
            read: () => outJoints,
        },
        transformSkeleton: {
            run: () => {
                for (let k = 0; k < 12; k++) outMats[k] = mats[k]!;
                for (let i = 1; i < n; i++) multiplyFlat(outMats, i * 12, outMats, parents[i]! * 12, mats, i * 12);
            },
            read: () => outMats,
        },
    };
}

function slerpFlat(out: Floats, a: Floats, b: Floats, t: number, n: number, floats: number): void {
    for (let i = 0, o = 0; i < n; i++, o += floats) {
        const ax = a[o]!;
        const ay = a[o + 1]!;
        const az = a[o + 2]!;
        const aw = a[o + 3]!;
        const bx = b[o]!;
        const by = b[o + 1]!;
        const bz = b[o + 2]!;
        const bw = b[o + 3]!;
        const cosine = ax * bx + ay * by + az * bz + aw * bw;
        const c = Math.abs(cosine);
        let s0 = 1 - t;
        let s1 = t;
        if (c < 0.999999) {
            const angle = Math.acos(c);
            const k = 1 / Math.sqrt(1 - c * c);
            s0 = Math.sin((1 - t) * angle) * k;
            s1 = Math.sin(t * angle) * k;
        }
        if (cosine < 0) s1 = -s1;
        out[o] = s0 * ax + s1 * bx;
        out[o + 1] = s0 * ay + s1 * by;
        out[o + 2] = s0 * az + s1 * bz;
        out[o + 3] = s0 * aw + s1 * bw;
    }
}

function moveFlat(out: Floats, a: Floats, b: Floats, t: number, n: number): void {
    for (let o = 4; o < n * 8; o += 8) {
        out[o] = a[o]! + (b[o]! - a[o]!) * t;
        out[o + 1] = a[o + 1]! + (b[o + 1]! - a[o + 1]!) * t;
        out[o + 2] = a[o + 2]! + (b[o + 2]! - a[o + 2]!) * t;
        out[o + 3] = a[o + 3]! + (b[o + 3]! - a[o + 3]!) * t;
    }
}

/** out = a * b, 3x4 each; out is neither. */
function multiplyFlat(out: Floats, o: number, a: Floats, ao: number, b: Floats, bo: number): void {
    const b00 = b[bo]!;
    const b01 = b[bo + 1]!;
    const b02 = b[bo + 2]!;
    const b03 = b[bo + 3]!;
    const b10 = b[bo + 4]!;
    const b11 = b[bo + 5]!;
    const b12 = b[bo + 6]!;
    const b13 = b[bo + 7]!;
    const b20 = b[bo + 8]!;
    const b21 = b[bo + 9]!;
    const b22 = b[bo + 10]!;
    const b23 = b[bo + 11]!;
    for (let r = 0; r < 12; r += 4) {
        const a0 = a[ao + r]!;
        const a1 = a[ao + r + 1]!;
        const a2 = a[ao + r + 2]!;
        const t = a[ao + r + 3]!;
        out[o + r] = a0 * b00 + a1 * b10 + a2 * b20;
        out[o + r + 1] = a0 * b01 + a1 * b11 + a2 * b21;
        out[o + r + 2] = a0 * b02 + a1 * b12 + a2 * b22;
        out[o + r + 3] = a0 * b03 + a1 * b13 + a2 * b23 + t;
    }
}
