// SPDX-License-Identifier: MIT

/** What kernels in TypeScript take. Their arguments are checked and resolved; they check nothing and write only to the first list. */

/** Which rotation a quaternion means as a matrix: the papers' (`'id'`), or glTF's, three.js's and gl-matrix's (`'gltf'`), its transpose. */
export type Convention = 'id' | 'gltf';

/** Interpolates `count` pairs by one time. `terms` is 0 for implementations that have only one form. */
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
