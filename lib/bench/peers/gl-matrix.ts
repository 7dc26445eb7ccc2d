// SPDX-License-Identifier: MIT

/** gl-matrix. */

import { type BenchData, T } from '../data';
import { each, fromColumns, type PeerCalls, toColumns } from './convert';

type Floats = Float32Array;

export type GlMatrix = typeof import('gl-matrix');

export function glMatrixCalls({ quat, vec3, mat4 }: GlMatrix, data: BenchData): PeerCalls {
    const { n, parents } = data;
    const outList = new Float32Array(n * 4);
    const outJoints = new Float32Array(n * 8);
    const views = (list: Floats, floats: number, first: number, length: number) =>
        each(n, floats, (o) => list.subarray(o + first, o + first + length));
    const [from, to, out] = [data.from, data.to, outList].map((list) => views(list, 4, 0, 4));
    const [quats, blendQuats, outQuats] = [data.joints, data.blendJoints, outJoints].map((l) => views(l, 8, 0, 4));
    const [moves, blendMoves, outMoves] = [data.joints, data.blendJoints, outJoints].map((l) => views(l, 8, 4, 3));
    const mats = each(n, 1, (i) => Float32Array.from(toColumns(data.mats, i)));
    const results = views(new Float32Array(n * 16), 16, 0, 16);
    const readMats = () => fromColumns(results);
    return {
        slerpQuats: {
            run: () => {
                for (let i = 0; i < n; i++) quat.slerp(out![i]!, from![i]!, to![i]!, T);
            },
            read: () => outList,
        },
        slerpJoints: {
            run: () => {
                for (let i = 0; i < n; i++) {
                    quat.slerp(outQuats![i]!, quats![i]!, blendQuats![i]!, T);
                    vec3.lerp(outMoves![i]!, moves![i]!, blendMoves![i]!, T);
                }
            },
            read: () => outJoints,
        },
        convertJointQuatsToJointMats: {
            run: () => {
                for (let i = 0; i < n; i++) mat4.fromRotationTranslation(results[i]!, quats![i]!, moves![i]!);
            },
            read: readMats,
        },
        transformSkeleton: {
            run: () => {
                mat4.copy(results[0]!, mats[0]!);
                for (let i = 1; i < n; i++) mat4.multiply(results[i]!, results[parents[i]!]!, mats[i]!);
            },
            read: readMats,
        },
    };
}
