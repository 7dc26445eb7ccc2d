// SPDX-License-Identifier: MIT

/** three.js. */

import { type BenchData, T } from '../data';
import { each, fromColumns, type PeerCalls, toColumns } from './convert';

/** The classes that are used. */
export interface Three {
    readonly Quaternion: {
        new (x: number, y: number, z: number, w: number): ThreeQuaternion;
        slerpFlat(
            to: Float32Array,
            toOffset: number,
            a: Float32Array,
            aOffset: number,
            b: Float32Array,
            bOffset: number,
            t: number,
        ): void;
    };
    readonly Vector3: new (x: number, y: number, z: number) => ThreeVector;
    readonly Matrix4: new () => ThreeMatrix;
}

interface ThreeQuaternion {
    toArray(array: Float32Array, offset: number): unknown;
    setFromRotationMatrix(matrix: ThreeMatrix): unknown;
}

interface ThreeVector {
    toArray(array: Float32Array, offset: number): unknown;
    setFromMatrixPosition(matrix: ThreeMatrix): unknown;
}

interface ThreeMatrix {
    readonly elements: ArrayLike<number>;
    fromArray(array: readonly number[]): this;
    compose(position: ThreeVector, quaternion: ThreeQuaternion, scale: ThreeVector): unknown;
    multiplyMatrices(a: ThreeMatrix, b: ThreeMatrix): unknown;
    copy(from: ThreeMatrix): unknown;
}

export function threeCalls({ Quaternion, Vector3, Matrix4 }: Three, data: BenchData): PeerCalls {
    const { n, joints, blendJoints, from, to, parents } = data;
    const quats = each(n, 8, (o) => new Quaternion(joints[o]!, joints[o + 1]!, joints[o + 2]!, joints[o + 3]!));
    const positions = each(n, 8, (o) => new Vector3(joints[o + 4]!, joints[o + 5]!, joints[o + 6]!));
    const unscaled = new Vector3(1, 1, 1);
    const mats = each(n, 1, (i) => new Matrix4().fromArray(toColumns(data.mats, i)));
    const blendMats = each(n, 1, (i) => new Matrix4().fromArray(toColumns(data.blendMats, i)));
    const results = each(n, 1, () => new Matrix4());
    const outQuats = each(n, 1, () => new Quaternion(0, 0, 0, 1));
    const outPositions = each(n, 1, () => new Vector3(0, 0, 0));
    const outList = new Float32Array(n * 4);
    const outJoints = new Float32Array(n * 8);
    const readMats = () => fromColumns(results.map(({ elements }) => elements));
    return {
        slerpQuats: {
            run: () => {
                for (let o = 0; o < n * 4; o += 4) Quaternion.slerpFlat(outList, o, from, o, to, o, T);
            },
            read: () => outList,
        },
        slerpJoints: {
            run: () => {
                for (let o = 0; o < n * 8; o += 8) {
                    Quaternion.slerpFlat(outJoints, o, joints, o, blendJoints, o, T);
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
        convertJointMatsToJointQuats: {
            run: () => {
                for (let i = 0; i < n; i++) {
                    outQuats[i]!.setFromRotationMatrix(mats[i]!);
                    outPositions[i]!.setFromMatrixPosition(mats[i]!);
                }
            },
            read: () => {
                for (let i = 0; i < n; i++) {
                    outQuats[i]!.toArray(outJoints, i * 8);
                    outPositions[i]!.toArray(outJoints, i * 8 + 4);
                }
                return outJoints;
            },
        },
        transformSkeleton: {
            run: () => {
                results[0]!.copy(mats[0]!);
                for (let i = 1; i < n; i++) results[i]!.multiplyMatrices(results[parents[i]!]!, mats[i]!);
            },
            read: readMats,
        },
        transformJoints: {
            run: () => {
                for (let i = 0; i < n; i++) results[i]!.multiplyMatrices(mats[i]!, blendMats[i]!);
            },
            read: readMats,
        },
    };
}
