// SPDX-License-Identifier: MIT

/** Vertices of an FBX mesh as attributes of glTF. */

import type { Mesh } from './babylon';
import type { FbxBlendShape, FbxChannel, FbxModel, FbxSkin } from './types';

/** Attributes, one element for each different vertex. */
export interface Vertices {
    readonly positions: Float32Array;
    readonly normals: Float32Array | null;
    /** With v pointing down, as in glTF. */
    readonly uvs: readonly Float32Array[];
    /** Red, green, blue, alpha. */
    readonly colors: Float32Array | null;
    /** The triangles of each material. */
    readonly triangles: ReadonlyMap<number, number[]>;
    /** The control point of each vertex. */
    readonly points: readonly number[];
}

/** Gives vertices of a control point with equal attributes one number: the loader repeats them for each triangle. */
export function verticesOf({ geometry: given }: FbxModel, mesh: Mesh, unit: number): Vertices {
    const geometry = given!;
    const placed = mesh.getVerticesData('position')!;
    const normals = mesh.getVerticesData('normal');
    const points = geometry.controlPointIndices ?? Uint32Array.from({ length: placed.length / 3 }, (_, i) => i);
    const lists: { readonly data: ArrayLike<number>; readonly width: number }[] = [
        ...(normals === null ? [] : [{ data: normals, width: 3 }]),
        ...geometry.uvSets.map(({ data }) => ({ data, width: 2 })),
        ...(geometry.colors === null ? [] : [{ data: geometry.colors, width: 4 }]),
    ];
    const equal = (a: number, b: number) =>
        lists.every(({ data, width }) => {
            for (let c = 0; c < width; c++) if (data[a * width + c] !== data[b * width + c]) return false;
            return true;
        });
    const corners: number[] = [];
    const byPoint = new Map<number, number[]>();
    const numberOf = (corner: number): number => {
        const found = byPoint.get(points[corner]!) ?? [];
        byPoint.set(points[corner]!, found);
        const same = found.find((vertex) => equal(corners[vertex]!, corner));
        if (same !== undefined) return same;
        found.push(corners.length);
        return corners.push(corner) - 1;
    };
    const triangles = new Map<number, number[]>();
    for (const [i, corner] of geometry.indices.entries()) {
        const material = geometry.materialIndices?.[Math.floor(i / 3)] ?? 0;
        const list = triangles.get(material) ?? [];
        triangles.set(material, list);
        list.push(numberOf(corner));
    }
    const take = (data: ArrayLike<number>, width: number, map = (x: number, _c: number) => x) =>
        Float32Array.from({ length: corners.length * width }, (_, i) =>
            map(data[corners[Math.floor(i / width)]! * width + (i % width)]!, i % width),
        );
    return {
        positions: take(placed, 3, (x) => x * unit),
        normals: normals && take(normals, 3),
        uvs: geometry.uvSets.map(({ data }) => take(data, 2, (x, c) => (c === 1 ? 1 - x : x))),
        // Exporters often write an alpha of 0, which the loader ignores too.
        colors: geometry.colors && take(geometry.colors, 4, (x, c) => (c === 3 ? 1 : x)),
        triangles: new Map([...triangles].sort(([a], [b]) => a - b)),
        points: corners.map((corner) => points[corner]!),
    };
}

/** Joints and weights, four for each vertex and set. Vertices without a weight use `free`, a joint of their own. */
export function influencesOf({ points }: Vertices, { boneIndices, boneWeights }: FbxSkin, free: number) {
    const of = points.map((point) => {
        const weights = boneWeights[point] ?? [];
        const sum = weights.reduce((total, weight) => total + weight, 0);
        const bones = boneIndices[point] ?? [];
        return sum > 0 ? bones.map((bone, i) => [bone, weights[i]! / sum] as const) : [[free, 1] as const];
    });
    const isFree = of.some(([first]) => first![0] === free);
    const sets = Math.ceil(of.reduce((max, { length }) => Math.max(max, length), 1) / 4);
    const influences = Array.from({ length: sets }, (_, set) => {
        const at = (i: number) => of[Math.floor(i / 4)]![set * 4 + (i % 4)];
        const length = points.length * 4;
        return {
            joints: Uint16Array.from({ length }, (_, i) => at(i)?.[0] ?? 0),
            weights: Float32Array.from({ length }, (_, i) => at(i)?.[1] ?? 0),
        };
    });
    return { isFree, sets: influences };
}

/** A morph target: displacements of each vertex. */
export interface Target {
    readonly name: string;
    readonly positions: Float32Array;
    readonly normals: Float32Array | null;
    /** Maximum displacement. */
    readonly reach: number;
}

/** The targets of a blend shape: one for each shape of each channel. */
export function targetsOf(
    shapes: readonly FbxBlendShape[],
    vertexWeights: ReadonlyMap<number, ArrayLike<number>>,
    vertices: Vertices,
    mesh: Mesh,
    unit: number,
): Target[] {
    const { fbxGeometryDeltaMatrix: turned, fbxGeometryNormalMatrix: turnedNormals } = mesh.metadata as {
        readonly [name: string]: { asArray(): ArrayLike<number> } | null;
    };
    return shapes.flatMap(({ channels }) =>
        channels.flatMap(({ id, name, shapes: list, fullWeights }) =>
            list.map(({ indices, vertices: moved, normals }, i): Target => {
                const own = vertexWeights.get(id);
                const shares = list.length === 1 && own?.length === indices.length ? own : null;
                const places = new Map(Array.from(indices, (point, place) => [point, place]));
                const take = (data: ArrayLike<number>, matrix: ArrayLike<number> | undefined, factor: number) => {
                    const result = new Float32Array(vertices.points.length * 3);
                    for (const [vertex, point] of vertices.points.entries()) {
                        const place = places.get(point);
                        if (place === undefined) continue;
                        const share = (shares === null ? 1 : shares[place]! / 100) * factor;
                        const [x, y, z] = [data[place * 3]!, data[place * 3 + 1]!, data[place * 3 + 2]!];
                        for (let c = 0; c < 3; c++) {
                            const [mx, my, mz] = matrix ? [matrix[c]!, matrix[4 + c]!, matrix[8 + c]!] : UNIT[c]!;
                            result[vertex * 3 + c] = (mx! * x + my! * y + mz! * z) * share;
                        }
                    }
                    return result;
                };
                const positions = take(moved, turned?.asArray(), unit);
                return {
                    name: list.length > 1 ? `${name}_${fullWeights?.[i] ?? i}` : name,
                    positions,
                    normals: normals && vertices.normals && take(normals, turnedNormals?.asArray(), 1),
                    reach: positions.reduce((max, x) => Math.max(max, Math.abs(x)), 0),
                };
            }),
        ),
    );
}

const UNIT = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
];

/**
 * The weights of a channel's shapes at a percentage. Each shape is complete at its full weight, and the mesh itself at
 * 0. Between two of these, and beyond the last, both are mixed linearly.
 */
export function shapeWeights(percent: number, { shapes, fullWeights }: FbxChannel): number[] {
    // With weights for each vertex, there are more of them than shapes.
    const full = fullWeights?.length === shapes.length ? fullWeights : [100];
    const stops = [{ at: 0, shape: -1 }, ...full.map((at, shape) => ({ at, shape }))].sort((a, b) => a.at - b.at);
    const above = stops.findIndex(({ at }, i) => i > 0 && at > percent);
    const upper = above < 0 ? stops.length - 1 : above;
    const [low, high] = [stops[upper - 1]!, stops[upper]!];
    const part = high.at === low.at ? 1 : (percent - low.at) / (high.at - low.at);
    return shapes.map((_, i) => (i === high.shape ? part : i === low.shape ? 1 - part : 0));
}
