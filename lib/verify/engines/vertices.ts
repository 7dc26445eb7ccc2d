// SPDX-License-Identifier: MIT

import { columnsOfBake } from '../columns';
import type { DoubleEvaluator } from '../evaluator';
import type { BakeManifest } from '../read-bake';
import { skinnedPrimitives, verticesOf } from '../vertices';

/** The vertices of a primitive. Lists have x y z of each. */
export interface Vertices {
    readonly positions: Float64Array;
    readonly normals: Float64Array | null;
    /** Displacements by morph targets. */
    readonly targets: readonly Readonly<Record<'POSITION' | 'NORMAL', Float64Array | null>>[];
    readonly influences: number;
    /** Numbers of matrices, `vertices * influences`. */
    readonly joints: Int32Array;
    readonly weights: Float64Array;
}

/** A primitive of the input at a node. */
export interface Drawn extends Vertices {
    readonly node: number;
    /** Null for a mesh that only its node moves. Its matrices are those of all nodes. */
    readonly skin: number | null;
}

/** A primitive of the input at a node; null if there is none. */
export function drawnOf(evaluator: DoubleEvaluator, node: number, primitive: number, morphs: boolean): Drawn | null {
    const { file, nodes } = evaluator;
    const { json, numbers } = file;
    const { mesh, skin } = nodes[node] ?? {};
    const { attributes, targets = [] } = json.meshes?.[mesh ?? -1]?.primitives?.[primitive] ?? {};
    const read = (accessor = -1) => numbers.get(accessor) ?? null;
    const positions = read(attributes?.POSITION);
    if (positions === null) return null;
    const own = {
        node,
        positions,
        normals: read(attributes?.NORMAL),
        targets: morphs
            ? targets.map(({ POSITION, NORMAL }) => ({ POSITION: read(POSITION), NORMAL: read(NORMAL) }))
            : [],
    };
    const count = positions.length / 3;
    if (skin === undefined) {
        const joints = new Int32Array(count).fill(node);
        return { ...own, skin: null, influences: 1, joints, weights: new Float64Array(count).fill(1) };
    }
    const pointer = `/meshes/${mesh}/primitives/${primitive}`;
    const at = skinnedPrimitives(json, skin).findIndex((one) => one.pointer === pointer);
    if (at < 0) return null;
    const joints = evaluator.joints(skin);
    const columns = { skins: [skin], rescaled: [], nodes: joints, joints: joints.length, binds: new Float64Array(0) };
    const { influences, joints: of, signed } = verticesOf(file, columns)[at]!;
    return { ...own, skin, influences, joints: of, weights: signed! };
}

/** Numbers that `poseVertex` writes. */
export const POSED = 7;

const blended = new Float64Array(16);

/**
 * Writes x y z of a vertex's position, x y z of its normal, of any length, and how many times the normal's direction is
 * off by the rounding of matrices; infinity where there is no normal.
 *
 * @param matrices Column-major, 16 numbers each.
 * @param weights Weights of morph targets.
 */
export function poseVertex(
    out: Float64Array,
    { positions, normals, targets, influences, joints, weights: shares }: Vertices,
    vertex: number,
    matrices: Float64Array,
    weights: readonly number[],
): void {
    const m = blended.fill(0);
    let [sum, size] = [0, 0];
    for (let k = vertex * influences; k < (vertex + 1) * influences; k++) {
        const share = shares[k]!;
        if (share === 0) continue;
        let squared = 0;
        for (let i = 0; i < 16; i++) {
            const x = matrices[joints[k]! * 16 + i]!;
            m[i]! += share * x;
            if (i < 12) squared += x * x;
        }
        sum += share;
        size += Math.abs(share) * Math.sqrt(squared);
    }
    for (let i = 0; i < 16; i++) m[i]! /= sum;
    const morphed = (list: Float64Array, name: 'POSITION' | 'NORMAL', axis: number) => {
        let x = list[vertex * 3 + axis]!;
        for (let t = 0; t < targets.length; t++) x += weights[t]! * (targets[t]![name]?.[vertex * 3 + axis] ?? 0);
        return x;
    };
    const [x, y, z] = [
        morphed(positions, 'POSITION', 0),
        morphed(positions, 'POSITION', 1),
        morphed(positions, 'POSITION', 2),
    ];
    for (let row = 0; row < 3; row++) out[row] = m[row]! * x + m[4 + row]! * y + m[8 + row]! * z + m[12 + row]!;
    out.fill(NaN, 3, 6);
    out[6] = Infinity;
    if (normals === null) return;
    const [nx, ny, nz] = [morphed(normals, 'NORMAL', 0), morphed(normals, 'NORMAL', 1), morphed(normals, 'NORMAL', 2)];
    // The inverse transpose, times the determinant: its columns are cross products of two columns.
    const cross = (a: number, b: number, row: number) => {
        const [r, s] = [(row + 1) % 3, (row + 2) % 3];
        return m[a + r]! * m[b + s]! - m[a + s]! * m[b + r]!;
    };
    const determinant = m[0]! * cross(4, 8, 0) + m[1]! * cross(4, 8, 1) + m[2]! * cross(4, 8, 2);
    const sign = determinant < 0 ? -1 : 1;
    for (let row = 0; row < 3; row++)
        out[3 + row] = sign * (cross(4, 8, row) * nx + cross(8, 0, row) * ny + cross(0, 4, row) * nz);
    const length = Math.hypot(out[3]!, out[4]!, out[5]!);
    if (length > 0) out[6] = ((size / sum) ** 2 * Math.hypot(nx, ny, nz)) / length;
}

/** Matrices and morph weights of parts at a time. */
export function posesOf(evaluator: DoubleEvaluator, parts: readonly Drawn[], animation: number, time: number) {
    const globals = evaluator.globals(animation, time);
    const palettes = new Map<number | null, Float64Array>([[null, globals]]);
    return parts.map(({ node, skin, targets }) => {
        const matrices = palettes.get(skin) ?? evaluator.palette(skin!, animation, time);
        palettes.set(skin, matrices);
        return { matrices, weights: targets.length > 0 ? evaluator.weights(node, animation, time) : [] };
    });
}

/**
 * The triangles of the input that move, as node and primitive.
 *
 * @param skin The only skin that was baked, which brings equal ones and its attachments; undefined for all.
 */
export function movingOf(
    evaluator: DoubleEvaluator,
    skin: number | undefined,
    attachments: BakeManifest['recipe']['attachments'],
): (readonly [node: number, primitive: number])[] {
    const { nodes, file } = evaluator;
    const all = evaluator.skinCount === 0 ? [null] : Array.from({ length: evaluator.skinCount }, (_, i) => i);
    const columns = (skin === undefined ? all : [skin]).map((one) => columnsOfBake(evaluator, one, undefined));
    const skins = new Set(columns.flatMap((one) => one.skins));
    const rigid = new Set(attachments ? [] : columns.flatMap((one) => one.nodes.slice(one.joints)));
    return nodes.flatMap(({ mesh = -1, skin: own }, node) => {
        if (!(own === undefined ? rigid.has(node) : skins.has(own))) return [];
        const { primitives = [] } = file.json.meshes?.[mesh] ?? {};
        return primitives.flatMap(({ mode = 4, attributes }, primitive) => {
            const moves = own === undefined || (attributes.JOINTS_0 ?? attributes.WEIGHTS_0) !== undefined;
            return mode >= 4 && attributes.POSITION !== undefined && moves ? [[node, primitive] as const] : [];
        });
    });
}
