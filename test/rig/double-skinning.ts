// SPDX-License-Identifier: MIT

/** Linear blend skinning in double precision: glTF 2.0, sections 3.7.2.2 (morph targets) and 3.7.3.3. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Accessor, type Document, Logger, type Primitive, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import type { Matrix } from './double-reference';

type Numbers = ArrayLike<number>;

export interface Geometry {
    readonly positions: Numbers;
    readonly normals: Numbers | null;
    readonly influences: number;
    readonly joints: Numbers;
    readonly weights: Numbers;
    readonly targets: readonly { readonly positions: Numbers | null; readonly normals: Numbers | null }[];
}

export interface Skinned {
    readonly positions: number[];
    /** A unit vector; NaN if the blended matrix has no inverse. */
    readonly normals: number[];
}

/**
 * @param palette Column-major, one matrix for each joint.
 * @param weights Weights of the targets.
 */
export function skinDouble(geometry: Geometry, palette: readonly Matrix[], weights: Numbers): Skinned {
    const { influences, targets } = geometry;
    const count = geometry.positions.length / 3;
    const out: Skinned = { positions: [], normals: [] };
    for (let v = 0; v < count; v++) {
        const morphed = (base: Numbers, property: 'positions' | 'normals') =>
            [0, 1, 2].map((c) =>
                targets.reduce((sum, t, i) => sum + weights[i]! * (t[property]?.[v * 3 + c] ?? 0), base[v * 3 + c]!),
            );
        const blended = new Array<number>(16).fill(0);
        for (let k = v * influences; k < (v + 1) * influences; k++) {
            if (geometry.weights[k] === 0) continue;
            const matrix = palette[geometry.joints[k]!]!;
            for (let i = 0; i < 16; i++) blended[i]! += geometry.weights[k]! * matrix[i]!;
        }
        const rows = [0, 1, 2].map((row) => [0, 1, 2].map((column) => blended[column * 4 + row]!));
        const position = morphed(geometry.positions, 'positions');
        for (const [row, r] of rows.entries()) {
            out.positions.push(r.reduce((sum, x, c) => sum + x * position[c]!, blended[12 + row]!));
        }
        if (geometry.normals === null) continue;
        const normal = inverseTransposeTimes(rows, morphed(geometry.normals, 'normals'));
        const length = Math.hypot(...normal) || 1;
        out.normals.push(...normal.map((x) => x / length));
    }
    return out;
}

/** Solves M^T n = v for n by elimination with pivots, without cofactors. */
function inverseTransposeTimes(m: readonly number[][], v: readonly number[]): number[] {
    const rows = [0, 1, 2].map((r) => [m[0]![r]!, m[1]![r]!, m[2]![r]!, v[r]!]);
    for (let column = 0; column < 3; column++) {
        const rest = rows.slice(column).map((row) => Math.abs(row[column]!));
        const pivot = column + rest.indexOf(Math.max(...rest));
        [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
        const top = rows[column]!;
        for (const [r, row] of rows.entries()) {
            if (r === column) continue;
            const factor = row[column]! / top[column]!;
            for (let c = column; c < 4; c++) row[c]! -= factor * top[c]!;
        }
    }
    return rows.map((row, i) => row[3]! / row[i]!);
}

/** A file as read by glTF-Transform. */
export function readDocument(path: string): Promise<Document> {
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(ALL_EXTENSIONS);
    const bytes = readFileSync(path);
    if (path.endsWith('.glb')) return io.readBinary(new Uint8Array(bytes));
    const json = JSON.parse(bytes.toString()) as { buffers?: { uri?: string }[]; images?: { uri?: string }[] };
    const uris = [...(json.buffers ?? []), ...(json.images ?? [])].flatMap(({ uri = 'data:' }) => {
        return uri.startsWith('data:') ? [] : [uri];
    });
    const read = (uri: string) => new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri))));
    return io.readJSON({ json: json as never, resources: Object.fromEntries(uris.map((uri) => [uri, read(uri)])) });
}

/** The vertices of a node's mesh, by primitive. Weights are divided by their sum. Joint 0 moves vertices without weights. */
export function geometryOf(document: Document, node: number): Geometry {
    const list = document.getRoot().listNodes()[node]!.getMesh()!.listPrimitives();
    const all = (of: (primitive: Primitive) => Accessor | null) => {
        const parts = list.map(of);
        if (!parts.every((part) => part !== null)) return null;
        return parts.flatMap((part) =>
            Array.from({ length: part.getCount() }, (_, i) => part.getElement(i, [])).flat(),
        );
    };
    const attribute = (name: string) => all((primitive) => primitive.getAttribute(name));
    const positions = attribute('POSITION')!;
    const none = new Array<number>((positions.length / 3) * 4).fill(0);
    return {
        positions,
        normals: attribute('NORMAL'),
        influences: 4,
        joints: attribute('JOINTS_0') ?? none,
        weights: (attribute('WEIGHTS_0') ?? none).map((weight, i, every) => {
            const sum = every.slice(i - (i % 4), i - (i % 4) + 4).reduce((total, other) => total + other, 0);
            return sum === 0 ? Number(i % 4 === 0) : weight / sum;
        }),
        targets: list[0]!.listTargets().map((_, t) => ({
            positions: all((primitive) => primitive.listTargets()[t]!.getAttribute('POSITION')),
            normals: all((primitive) => primitive.listTargets()[t]!.getAttribute('NORMAL')),
        })),
    };
}
