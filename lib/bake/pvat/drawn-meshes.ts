// SPDX-License-Identifier: MIT

/** The triangles of a character. Only bakes with vertices read them. */

import type { Document, Primitive } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { InputError } from '../../base/errors';
import type { GltfScene, Rescaling, SkinnedMesh, SkinnedPrimitive, SkinnedSurface } from '../../gltf/scene';
import type { Character } from '../../rig/measure/characters';
import { checkMeshes } from '../../rig/source/check-meshes';
import { floatsOf, primitivesOf, surfaceOf } from '../../rig/source/document-meshes';
import type { Refuse } from '../../rig/source/source';
import type { BakePlan } from '../plan/plan';
import { rescaled } from '../plan/shared-skins';

/** A mesh of a character at one node. */
export interface DrawnMesh extends SkinnedMesh {
    /** The column that moves the whole mesh; -1 if a skin deforms it. */
    readonly column: number;
    /** The Document's primitives, in the order of `primitives`. */
    readonly sources: readonly Primitive[];
    /** Triangles of each of `primitives`. */
    readonly triangles: readonly Uint32Array[];
}

/** Modes of a primitive (glTF 2.0, 5.24.4). Lower values are points and lines. */
export const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;

/** A node's mesh, and the column that moves it, as in {@link DrawnMesh}. */
export interface PlacedMesh {
    readonly node: number;
    readonly mesh: number;
    readonly column: number;
    /** Missing for a mesh whose vertices are as the Document has them. */
    readonly rescaling?: Rescaling | undefined;
}

/** All meshes that a character draws. */
export function placedMeshesOf(
    { skins: all, skinnedMeshes }: GltfScene,
    { skins, joints, attachments }: Character,
): PlacedMesh[] {
    const own = new Set(skins);
    return [
        ...skinnedMeshes
            .filter(({ skin }) => own.has(skin))
            .map(({ node, mesh, skin }) => ({ node, mesh, column: -1, rescaling: all[skin]!.rescaling })),
        ...attachments.map(({ node, mesh }, i) => ({ node, mesh, column: joints + i })),
    ];
}

/** The primitives of a mesh with triangles that a joint or a column moves. Lines and points are left out. */
export function drawnPrimitivesOf(document: Document, { mesh, column }: PlacedMesh): Primitive[] {
    return document
        .getRoot()
        .listMeshes()
        [mesh]!.listPrimitives()
        .filter((primitive) => {
            const has = (semantic: string) => primitive.getAttribute(semantic) !== null;
            return (
                primitive.getMode() >= TRIANGLES &&
                has('POSITION') &&
                (column >= 0 || has('JOINTS_0') || has('WEIGHTS_0'))
            );
        });
}

/**
 * The meshes of a character, with normals, bound to columns of the palette instead of joints.
 *
 * @throws InputError `GLTF_INVALID` for a mesh that cannot be skinned, as in `Rig.load`.
 */
export function drawnMeshesOf(
    { scene, file }: Pick<BakePlan, 'scene' | 'file'>,
    { nodes, inverseBindMatrices }: Character,
    placed: readonly PlacedMesh[],
    document: Document,
): DrawnMesh[] {
    const refuse: Refuse = (where, rule) => {
        throw new InputError('GLTF_INVALID', file, `/${where.join('/')}`, rule);
    };
    // Nodes can share meshes.
    const read = new Map<string, Pick<DrawnMesh, 'primitives' | 'sources' | 'triangles'> & { surfaces: Surfaces }>();
    const drawn = placed.map((one): DrawnMesh => {
        const { node, mesh, column, rescaling } = one;
        const key = `${mesh} ${column < 0}`;
        let found = read.get(key);
        if (found === undefined) {
            const sources = drawnPrimitivesOf(document, one);
            const triangles = sources.map((source) => trianglesOf(source, mesh, refuse));
            const { primitives, surfaces } =
                column < 0 ? primitivesOf(sources, mesh, refuse, null) : rigidPrimitivesOf(sources);
            found = {
                sources,
                triangles,
                primitives,
                surfaces: surfaces.map((surface, i) => withNormals(surface, primitives[i]!, triangles[i]!)),
            };
            read.set(key, found);
        }
        const primitives = column < 0 ? found.primitives : found.primitives.map((each) => moved(each, column));
        const own = { ...found, node, mesh, skin: 0, column, primitives };
        return rescaling === undefined ? own : { ...own, ...rescaled(own, rescaling) };
    });
    const skins = [{ name: '', joints: nodes, inverseBindMatrices }];
    checkMeshes({ nodes: scene.nodes, skins, skinnedMeshes: drawn }, refuse);
    // A rig has one list of vertices for each mesh, but here nodes with one mesh have different columns.
    return drawn.map((mesh, number) => ({ ...mesh, mesh: number }));
}

type Surfaces = readonly SkinnedSurface[];

function rigidPrimitivesOf(sources: readonly Primitive[]): { primitives: SkinnedPrimitive[]; surfaces: Surfaces } {
    const none = { influences: 0, joints: new Uint16Array(0), weights: new Float32Array(0) };
    return {
        primitives: sources.map((source) => ({ ...none, positions: floatsOf(source.getAttribute('POSITION')!) })),
        surfaces: sources.map(surfaceOf),
    };
}

/** The same vertices, moved by one column. */
function moved({ positions }: SkinnedPrimitive, column: number): SkinnedPrimitive {
    const joints = new Uint16Array((positions.length / 3) * 4);
    const weights = new Float32Array(joints.length);
    for (let i = 0; i < joints.length; i += 4) {
        joints[i] = column;
        weights[i] = 1;
    }
    return { positions, influences: 4, joints, weights };
}

/** Splits strips and fans into triangles (glTF 2.0, 3.7.2.1). */
function trianglesOf(primitive: Primitive, mesh: number, refuse: Refuse): Uint32Array {
    const vertices = primitive.getAttribute('POSITION')!.getCount();
    const indices = primitive.getIndices();
    const list =
        indices === null ? Uint32Array.from({ length: vertices }, (_, i) => i) : Uint32Array.from(floatsOf(indices));
    const beyond = list.find((index) => index >= vertices);
    if (beyond !== undefined) {
        refuse(['meshes', mesh, 'primitives'], `an index is ${beyond}, of ${vertices} vertices (3.7.2.1)`);
    }
    const mode = primitive.getMode();
    if (mode === TRIANGLES) return list.subarray(0, list.length - (list.length % 3));
    const triangles = new Uint32Array(Math.max(list.length - 2, 0) * 3);
    for (let i = 0; i + 2 < list.length; i++) {
        const odd = i % 2;
        const corners = mode === TRIANGLE_STRIP ? [i, i + 1 + odd, i + 2 - odd] : [i + 1, i + 2, 0];
        triangles.set(
            corners.map((corner) => list[corner]!),
            i * 3,
        );
    }
    return triangles;
}

/**
 * Adds normals if the file has none: at each vertex the sum of its triangles' normals, weighted by area. A vertex of
 * one triangle gets that triangle's normal, as glTF requires (3.7.2.1). A shared vertex is smoothed.
 */
function withNormals(surface: SkinnedSurface, { positions: p }: SkinnedPrimitive, triangles: Uint32Array) {
    if (surface.normals !== null) return surface;
    const sums = new Float64Array(p.length);
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3];
        for (let k = 0; k < 3; k++) {
            const [y, z] = [(k + 1) % 3, (k + 2) % 3];
            const n =
                (p[b + y]! - p[a + y]!) * (p[c + z]! - p[a + z]!) - (p[b + z]! - p[a + z]!) * (p[c + y]! - p[a + y]!);
            for (const corner of [a, b, c]) sums[corner + k]! += n;
        }
    }
    const normals = new Float32Array(p.length);
    for (let v = 0; v < p.length; v += 3) {
        const [x, y, z] = [sums[v]!, sums[v + 1]!, sums[v + 2]!];
        const length = Math.sqrt(x * x + y * y + z * z) || 1;
        normals.set([x / length, y / length, z / length], v);
    }
    return { ...surface, normals };
}
