// SPDX-License-Identifier: MIT

/** Skinning in the very operations of docs/rig.md, written out without any thought of speed. */

import type { RigMesh } from '../../lib/rig/describe-rig';

const f = Math.fround;
const add = (a: number, b: number) => f(a + b);
const mul = (a: number, b: number) => f(a * b);

type Vector = number[];

/** (a x + b y) + c z. */
const dot = (a: readonly number[], b: readonly number[]) =>
    add(add(mul(a[0]!, b[0]!), mul(a[1]!, b[1]!)), mul(a[2]!, b[2]!));

const cross = ([ax, ay, az]: Vector, [bx, by, bz]: Vector) => [
    f(mul(ay!, bz!) - mul(az!, by!)),
    f(mul(az!, bx!) - mul(ax!, bz!)),
    f(mul(ax!, by!) - mul(ay!, bx!)),
];

export interface StrictSkinned {
    readonly positions: Float32Array;
    readonly normals: Float32Array;
    /** Least x y z, greatest x y z. */
    readonly box: Float32Array;
}

const at = (list: Float32Array, v: number): Vector => [list[v * 3]!, list[v * 3 + 1]!, list[v * 3 + 2]!];

const known = new WeakMap<RigMesh, boolean[][]>();

/** Which targets move each vertex: in all poses the same. */
function movesOf(mesh: RigMesh): boolean[][] {
    let moves = known.get(mesh);
    if (moves === undefined) {
        moves = Array.from({ length: mesh.vertexCount }, (_, v) =>
            mesh.targets.map(
                (t) =>
                    (t.positions !== null && at(t.positions, v).some((x) => x !== 0)) ||
                    (mesh.normals !== null && t.normals !== null && at(t.normals, v).some((x) => x !== 0)),
            ),
        );
        known.set(mesh, moves);
    }
    return moves;
}

/**
 * @param palette [joint][12] of one pose.
 * @param weights Of the mesh's targets in that pose.
 */
export function skinStrictly(mesh: RigMesh, palette: Float32Array, weights: ArrayLike<number>): StrictSkinned {
    const { vertexCount, influences, targets } = mesh;
    const positions = new Float32Array(vertexCount * 3);
    const normals = new Float32Array(mesh.normals === null ? 0 : vertexCount * 3);
    const moved = movesOf(mesh);
    for (let v = 0; v < vertexCount; v++) {
        const moves = moved[v]!;
        const morphed = (base: Float32Array, property: 'positions' | 'normals'): Vector => {
            let value = at(base, v).map((x) => x + 0);
            for (const [t, target] of targets.entries()) {
                if (!moves[t] || weights[t] === 0) continue;
                const list = target[property];
                const delta = list === null ? [0, 0, 0] : at(list, v);
                value = value.map((x, c) => add(x, mul(weights[t]!, delta[c]!)));
            }
            return value;
        };
        const blended = blend(mesh, palette, v, influences);
        const rows = [0, 4, 8].map((o) => [blended[o]!, blended[o + 1]!, blended[o + 2]!, blended[o + 3]!]);
        const p = morphed(mesh.positions, 'positions');
        for (const [c, row] of rows.entries()) positions[v * 3 + c] = add(dot(row, p), row[3]!);
        if (mesh.normals === null) continue;
        const n = morphed(mesh.normals, 'normals');
        const [c0, c1, c2] = [0, 1, 2].map((column) => rows.map((row) => row[column]!)) as [Vector, Vector, Vector];
        const cofactors = [cross(c1, c2), cross(c2, c0), cross(c0, c1)];
        const sign = dot(c0, cofactors[0]!) < 0 ? -1 : 1;
        const turned = [0, 1, 2].map((row) => {
            return (
                sign *
                dot(
                    cofactors.map((column) => column[row]!),
                    n,
                )
            );
        });
        const square = dot(turned, turned);
        const length = square === 0 ? 1 : f(Math.sqrt(square));
        for (const [c, x] of turned.entries()) normals[v * 3 + c] = f(x / length);
    }
    return { positions, normals, box: boxOf(positions) };
}

function blend({ joints, weights }: RigMesh, palette: Float32Array, v: number, influences: number): Float32Array {
    const first = v * influences;
    const own = weights.subarray(first, first + influences);
    if (own.every((weight) => weight === 0)) {
        return palette.slice(joints[first]! * 12, joints[first]! * 12 + 12);
    }
    let sum: Float32Array | null = null;
    for (let set = 0; set < influences; set += 4) {
        let part: Float32Array | null = null;
        for (let k = set; k < set + 4; k++) {
            if (own[k] === 0) continue;
            const product = new Float32Array(12);
            const o = joints[first + k]! * 12;
            for (let i = 0; i < 12; i++) product[i] = mul(own[k]!, palette[o + i]!);
            part = part === null ? product : plus(part, product);
        }
        if (part !== null) sum = sum === null ? part : plus(sum, part);
    }
    return sum!;
}

function plus(a: Float32Array, b: Float32Array): Float32Array {
    const sum = new Float32Array(12);
    for (let i = 0; i < 12; i++) sum[i] = add(a[i]!, b[i]!);
    return sum;
}

/** By the same comparisons in the same order; a NaN does not count. */
export function boxOf(positions: Float32Array): Float32Array {
    const box = Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    for (let i = 0; i < positions.length; i++) {
        const value = positions[i]!;
        if (value < box[i % 3]!) box[i % 3] = value;
        if (value > box[3 + (i % 3)]!) box[3 + (i % 3)] = value;
    }
    return box.map((x) => x + 0);
}
