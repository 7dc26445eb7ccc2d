// SPDX-License-Identifier: MIT

/** Types of kernels in TypeScript. They check no argument, and write only to the first list. */

/**
 * The relation of a quaternion and its matrix: that of the papers (`'id'`), or its transpose, that of glTF, three.js
 * and gl-matrix (`'gltf'`).
 */
export type Convention = 'id' | 'gltf';

/** Interpolates `count` pairs at one time. `terms` is 0 for implementations with only one form. */
export type BlendQuatsKernel = (
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count: number,
    terms: number,
) => void;

/** Interpolates one pair at each of `count` times. */
export type QuatTimesKernel = (
    result: Float32Array,
    q0: Float32Array,
    q1: Float32Array,
    t: Float32Array,
    count: number,
    terms: number,
) => void;
