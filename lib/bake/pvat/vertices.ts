// SPDX-License-Identifier: MIT

/** The vertices of characters, in batches of rows. */

import type { Document } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import type { Clock } from '../../base/progress';
import { LANES } from '../../rig/kernels/contract';
import { addPoint, type Box } from '../../rig/measure/geometry';
import type { Poses } from '../../rig/poses';
import type { BakePlan } from '../plan/plan';
import { allFinite } from '../rows/floats';
import { rigOfCharacter, type SkinRig } from '../rows/skin-rig';
import type { PvatAnimation } from './container';
import { type DrawnMesh, drawnMeshesOf, placedMeshesOf } from './drawn-meshes';

/** One clip: an animation of the file, and the times of its rows. */
export interface Rows extends PvatAnimation {
    readonly animation: number;
    /** Seconds, one for each row. */
    readonly times: Float32Array;
}

/** A character with its rig, ready for evaluation. */
export interface Model extends SkinRig {
    readonly meshes: readonly PlacedVertices[];
    readonly poses: Poses;
}

/** One of the rig's meshes, and the number of its first vertex in the output. */
export interface PlacedVertices {
    readonly drawn: DrawnMesh;
    /** Index into `rig.meshes`. */
    readonly mesh: number;
    readonly count: number;
    readonly first: number;
}

export const STEPS = 65535;
/** Maximum number of vertices, over all poses of a batch, that are calculated at once. */
const BATCH_VERTICES = 1 << 20;

/** The characters of a plan that have triangles. */
export function modelsOf(plan: BakePlan, document: Document): Model[] {
    let first = 0;
    return plan.characters.flatMap((character): Model[] => {
        const placed = placedMeshesOf(plan.scene, character);
        const drawn = drawnMeshesOf(plan, character, placed, document);
        const skinRig = rigOfCharacter(plan, character, drawn);
        const indexOf = new Map(skinRig.rig.meshes.map(({ node }, index) => [node, index]));
        const meshes = drawn.flatMap((one): PlacedVertices[] => {
            const mesh = indexOf.get(one.node)!;
            const count = skinRig.rig.meshes[mesh]!.vertexCount;
            if (count === 0) return [];
            first += count;
            return [{ drawn: one, mesh, count, first: first - count }];
        });
        if (meshes.length === 0) return [];
        const vertices = meshes.reduce((max, { count }) => Math.max(max, count), 0);
        const poses = skinRig.rig.createPoses(Math.max(1, Math.min(LANES, Math.floor(BATCH_VERTICES / vertices))));
        return [{ ...skinRig, meshes, poses }];
    });
}

/** @param visit Called after each batch. The model's poses then have globals. */
export async function eachBatch(
    { clips, clock }: { readonly clips: readonly Rows[]; readonly clock: Clock },
    { rig, poses }: Model,
    visit: (row: number, clip: Rows) => void,
): Promise<void> {
    for (const clip of clips) {
        for (let at = 0; at < clip.times.length; at += poses.capacity) {
            const times = clip.times.subarray(at, at + poses.capacity);
            poses.count = times.length;
            rig.evaluate(poses, clip.animation, times);
            rig.toGlobal(poses);
            visit(clip.frameStart + at, clip);
            if (clock.advance(times.length)) await clock.turnOver();
        }
    }
}

export function addBounds(box: Box, { rig, meshes, poses }: Model): void {
    const boxes = new Float32Array(poses.count * 6);
    for (const { mesh } of meshes) {
        rig.bounds(poses, 0, mesh, boxes);
        for (let i = 0; i < boxes.length; i += 3) addPoint(box, boxes[i]!, boxes[i + 1]!, boxes[i + 2]!);
    }
}

/** The triangles of a mesh with the file's vertex numbers. Reverses their winding if the rows mirror them. */
export function trianglesOf(model: Model, { drawn, first }: PlacedVertices, rows: Rows): Uint32Array[] {
    const mirrored = isMirrored(model, drawn.column, rows);
    let start = first;
    return drawn.triangles.map((list, i) => {
        const moved = list.map((index) => index + start);
        start += drawn.primitives[i]!.positions.length / 3;
        if (mirrored) for (let t = 0; t < moved.length; t += 3) moved.subarray(t, t + 2).reverse();
        return moved;
    });
}

function determinantOf(m: Float32Array): number {
    const minor = (a: number, b: number) => m[4 + a]! * m[8 + b]! - m[4 + b]! * m[8 + a]!;
    return m[0]! * minor(1, 2) + m[1]! * minor(2, 0) + m[2]! * minor(0, 1);
}

/** Returns a function that writes the rows of a model's poses. It returns false if a vertex is not finite. */
export function rowWriter({ rig, meshes, poses }: Model, texels: Uint16Array, rows: number, box: Box) {
    const floats = poses.capacity * meshes.reduce((max, { count }) => Math.max(max, count), 0) * 3;
    const positions = new Float32Array(floats);
    const normals = new Float32Array(floats);
    const sizes = [0, 1, 2].map((axis) => box[axis + 3]! - box[axis]!);
    return (row: number): boolean => {
        for (const { mesh, count, first } of meshes) {
            rig.skinVertices(poses, 0, mesh, positions, normals);
            if (!allFinite(positions.subarray(0, poses.count * count * 3))) return false;
            let at = 0;
            for (let pose = 0; pose < poses.count; pose++) {
                for (let v = first; v < first + count; v++, at += 3) {
                    const texel = (v * rows + row + pose) * 4;
                    for (let axis = 0; axis < 3; axis++) {
                        const size = sizes[axis]!;
                        const share = size > 0 ? (positions[at + axis]! - box[axis]!) / size : 0;
                        texels[texel + axis] = Math.round(share * STEPS);
                    }
                    texels[texel + 3] = octahedral(normals[at]!, normals[at + 1]!, normals[at + 2]!);
                }
            }
        }
        return true;
    };
}

/** A direction in two bytes: its point on an octahedron whose lower half is folded over the upper one. */
function octahedral(x: number, y: number, z: number): number {
    const sum = Math.abs(x) + Math.abs(y) + Math.abs(z) || 1;
    let u = x / sum;
    let v = y / sum;
    if (z < 0) {
        const folded = (1 - Math.abs(v)) * (u < 0 ? -1 : 1);
        v = (1 - Math.abs(u)) * (v < 0 ? -1 : 1);
        u = folded;
    }
    return Math.round((u + 1) * 127.5) | (Math.round((v + 1) * 127.5) << 8);
}

/**
 * Whether a column mirrors: the sign of its determinant in the first row of the clip where that is not 0. Exporters
 * hide parts by a scale of 0.
 *
 * @param column -1 for a skinned mesh. Its joints are all mirrored or all not.
 */
function isMirrored({ rig }: Model, column: number, { animation, times }: Rows): boolean {
    const columns = rig.skins[0]!.joints.length;
    const palette = new Float32Array(columns * 16);
    for (let row = 0; row < times.length; row++) {
        rig.bakePalettes(null, animation, times.subarray(row, row + 1), 0, palette);
        for (let c = 0; c < columns; c++) {
            if (column >= 0 && c !== column) continue;
            const determinant = determinantOf(palette.subarray(c * 16));
            if (determinant !== 0) return determinant < 0;
        }
    }
    return false;
}
