// SPDX-License-Identifier: MIT

/** three.js. */

import { type BenchData, T } from '../data';
import { each, fromColumns, type PeerCalls, toColumns } from './convert';

export type Three = typeof import('three');

/** The declarations of three.js allow only number[] here. */
type SlerpFlat = (...args: [Float32Array, number, Float32Array, number, Float32Array, number, number]) => void;

export function threeCalls({ Quaternion, Vector3, Matrix4 }: Three, data: BenchData): PeerCalls {
    const slerpFlat = Quaternion.slerpFlat as unknown as SlerpFlat;
    const { n, joints, blendJoints, from, to, parents } = data;
    const quats = each(n, 8, (o) => new Quaternion(joints[o]!, joints[o + 1]!, joints[o + 2]!, joints[o + 3]!));
    const positions = each(n, 8, (o) => new Vector3(joints[o + 4]!, joints[o + 5]!, joints[o + 6]!));
    const unscaled = new Vector3(1, 1, 1);
    const mats = each(n, 1, (i) => new Matrix4().fromArray(toColumns(data.mats, i)));
    const results = each(n, 1, () => new Matrix4());
    const outList = new Float32Array(n * 4);
    const outJoints = new Float32Array(n * 8);
    const readMats = () => fromColumns(results.map(({ elements }) => elements));
    return {
        slerpQuats: {
            run: () => {
                for (let o = 0; o < n * 4; o += 4) slerpFlat(outList, o, from, o, to, o, T);
            },
            read: () => outList,
        },
        slerpJoints: {
            run: () => {
                for (let o = 0; o < n * 8; o += 8) {
                    slerpFlat(outJoints, o, joints, o, blendJoints, o, T);
                    for (let k = o + 4; k < o + 8; k++) {
                        outJoints[k] = joints[k]! + (blendJoints[k]! - joints[k]!) * T;
                    }
                }
            },
            read: () => outJoints,
        },
        convertJointQuatsToJointMats: {
            run: () => {
                for (let i = 0; i < n; i++) results[i]!.compose(positions[i]!, quats[i]!, unscaled);
            },
            read: readMats,
        },
        transformSkeleton: {
            run: () => {
                results[0]!.copy(mats[0]!);
                for (let i = 1; i < n; i++) results[i]!.multiplyMatrices(results[parents[i]!]!, mats[i]!);
            },
            read: readMats,
        },
    };
}
