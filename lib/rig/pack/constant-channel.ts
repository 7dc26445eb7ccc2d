// SPDX-License-Identifier: MIT

import type { SceneChannel } from '../../gltf/scene';

const f = Math.fround;

/**
 * Max amount by which q·q may be below 1. Within it, slerp between two copies of q gives q within rounding. Slerp
 * between two copies of a shorter quaternion gives a longer one.
 */
const UNIT_TOLERANCE = 1 / 2097152; // 2^-21; not by an operator that may be a routine of the machine's

/**
 * The value that a channel has at every time, or null where it changes. Exporters write many such channels, so they are
 * folded into the clip: a single key, and keys whose values are equal byte for byte.
 */
export function constantValue(channel: SceneChannel): Float32Array | null {
    const { interpolation, path, times, values } = channel;
    const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
    const width = values.length / times.length / parts;
    const at = parts === 3 ? width : 0;
    if (times.length > 1) {
        for (let key = 1; key < times.length; key++) {
            const start = key * width * parts + at;
            for (let c = 0; c < width; c++) if (!Object.is(values[start + c], values[at + c])) return null;
        }
        if (parts === 3 && !tangentsAreZero(values, width)) return null;
    }
    const value = values.slice(at, at + width);
    const isSlerped = times.length > 1 && path === 'rotation' && interpolation === 'LINEAR';
    if (isSlerped && !(1 - squareOf(value) <= UNIT_TOLERANCE)) return null;
    if (path === 'rotation' && parts === 3) normalize(value);
    return value;
}

/** In-tangent and out-tangent of every key. */
function tangentsAreZero(values: Float32Array, width: number): boolean {
    for (let i = 0; i < values.length; i++) {
        const isValue = Math.floor(i / width) % 3 === 1;
        if (!isValue && values[i] !== 0) return false;
    }
    return true;
}

/** The dot product with itself, in the kernels' order. */
function squareOf(q: Float32Array): number {
    return f(f(f(q[0]! * q[0]!) + f(q[2]! * q[2]!)) + f(f(q[1]! * q[1]!) + f(q[3]! * q[3]!)));
}

/** Normalizes exactly as the kernels normalize CUBICSPLINE rotations. */
function normalize(q: Float32Array): void {
    const square = squareOf(q);
    const length = square === 0 ? 1 : f(Math.sqrt(square));
    for (let c = 0; c < 4; c++) q[c] = q[c]! / length;
}
