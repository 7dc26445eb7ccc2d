// SPDX-License-Identifier: MIT

import type { GltfScene, RigidMesh, SceneChannel, SkinnedMesh } from '../../gltf/scene';
import type { Character, CharacterScene } from './characters';
import { addPoint, emptyBox } from './geometry';
import { linearPartsOf } from './instances';

/** The vertices of a primitive that morph targets displace, and the columns that move each vertex. */
interface Displaced {
    /** For each target, x y z of all vertices of the primitive; null if it displaces none. */
    readonly targets: readonly (Float32Array | null)[];
    readonly vertices: readonly number[];
    /** Columns of vertex i of `vertices`. */
    readonly columns: readonly (readonly number[])[];
}

/** The mesh of a node whose weights a clip animates. */
export interface MorphedMesh {
    readonly node: number;
    readonly primitives: readonly Displaced[];
    /** Longest displacement of each target. */
    readonly reach: Float64Array;
    /** Columns that move displaced vertices. */
    readonly columns: readonly number[];
    /** The linear part of each instance's transform, column by column; null for meshes without instances. */
    readonly places: Float32Array | null;
    /** Upper bound of the instances' squared scale, times 3 for the corners of a box. */
    readonly squaredPlaces: number;
}

/** The weights that a clip gives a mesh. */
export interface MovedWeights {
    readonly mesh: MorphedMesh;
    readonly channel: SceneChannel;
}

/** Returns the palette of a frame as 4x4 matrices. */
export type RowOf = (frame: number) => Float32Array;

/** Measures how far changes of morph weights displace vertices. */
export class MorphReach {
    private readonly meshes = new Map<number, MorphedMesh>();
    private readonly moved = new Map<number, readonly MovedWeights[]>();
    private readonly displacement = new Float64Array(3);

    constructor(
        private readonly scene: CharacterScene & Pick<GltfScene, 'animations'>,
        private readonly character: Character,
    ) {}

    /** Whether a clip animates weights of the character's meshes. */
    moves(animation: number): boolean {
        return this.movedBy(animation).length > 0;
    }

    /** Squared distance between the vertices at two times of a clip. `rowOf` returns their rows for 0 and 1. */
    apart(animation: number, a: number, b: number, rowOf: RowOf): number {
        return this.movedBy(animation).reduce((max, { mesh, channel }) => {
            const [first, last] = [weightsAt(channel, a), weightsAt(channel, b)];
            const errors = last.map((weight, k) => weight - first[k]!);
            return this.reachOf(mesh, errors, [0, 1], rowOf, max);
        }, 0);
    }

    protected movedBy(animation: number): readonly MovedWeights[] {
        let moved = this.moved.get(animation);
        if (moved === undefined) {
            moved = this.findMoved(animation);
            this.moved.set(animation, moved);
        }
        return moved;
    }

    private findMoved(animation: number): MovedWeights[] {
        const { scene, character } = this;
        const { channels } = scene.animations[animation]!;
        // The last channel of a node wins.
        const byNode = new Map(channels.flatMap((one) => (one.path === 'weights' ? [[one.node, one]] : [])));
        if (byNode.size === 0) return [];
        const skinned = scene.skinnedMeshes.filter(({ skin }) => character.skins.includes(skin));
        const placed: (readonly [SkinnedMesh | RigidMesh, number])[] = [
            ...skinned.map((mesh) => [mesh, -1] as const),
            ...character.attachments.map((mesh, i) => [mesh, character.joints + i] as const),
        ];
        return placed.flatMap(([placedMesh, column]) => {
            const { node } = placedMesh;
            const channel = byNode.get(node);
            if (channel === undefined || scene.nodes[node]!.weights.length === 0) return [];
            let mesh = this.meshes.get(node);
            if (mesh === undefined) {
                mesh = morphedMesh(placedMesh, column, character.joints);
                this.meshes.set(node, mesh);
            }
            return [{ mesh, channel }];
        });
    }

    /**
     * Squared length of the longest displacement by errors of weights, over the rows of some frames. Returns `min` if
     * none exceeds it.
     */
    protected reachOf(
        { primitives, reach, columns, places, squaredPlaces }: MorphedMesh,
        errors: Float64Array,
        frames: readonly number[],
        rowOf: RowOf,
        min: number,
    ): number {
        let bound = 0;
        for (let k = 0; k < reach.length; k++) bound += Math.abs(errors[k] ?? 0) * reach[k]!;
        if (bound === 0) return min;
        let max = min;
        const d = this.displacement;
        for (const frame of frames) {
            const row = rowOf(frame);
            if (bound * bound * squaredPlaces * squaredScale(row, columns) <= max) continue;
            const box = emptyBox();
            for (const { targets, vertices, columns: ofVertex } of primitives) {
                for (const [i, vertex] of vertices.entries()) {
                    d.fill(0);
                    for (let k = 0; k < targets.length; k++) {
                        const [target, error] = [targets[k]!, errors[k] ?? 0];
                        if (target === null || error === 0) continue;
                        for (let axis = 0; axis < 3; axis++) d[axis]! += error * target[vertex * 3 + axis]!;
                    }
                    if (places !== null) {
                        addPoint(box, d[0]!, d[1]!, d[2]!);
                        continue;
                    }
                    for (const column of ofVertex[i]!) {
                        const squared = squaredLength(row, column * 16, d);
                        if (!(squared <= max)) max = squared >= 0 ? squared : Infinity;
                    }
                }
            }
            if (places === null || box[0]! > box[3]!) continue;
            for (let place = 0; place < places.length; place += 9) {
                for (let corner = 0; corner < 8; corner++) {
                    const [x, y, z] = [0, 1, 2].map((c) => box[c + 3 * ((corner >> c) & 1)]!) as [
                        number,
                        number,
                        number,
                    ];
                    for (let c = 0; c < 3; c++)
                        d[c] = places[place + c]! * x + places[place + 3 + c]! * y + places[place + 6 + c]! * z;
                    const squared = squaredLength(row, columns[0]! * 16, d);
                    if (!(squared <= max)) max = squared >= 0 ? squared : Infinity;
                }
            }
        }
        return max;
    }
}

function morphedMesh(
    { node, primitives, surfaces = [], instances }: SkinnedMesh | RigidMesh,
    column: number,
    joints: number,
): MorphedMesh {
    const places = instances === undefined || column < 0 ? null : linearPartsOf(instances);
    const reach: number[] = [];
    const displaced = surfaces.map(({ targets }, index): Displaced => {
        const { positions, influences, joints: slots, weights } = primitives[index]!;
        const vertices: number[] = [];
        const columns: number[][] = [];
        for (let v = 0; v < positions.length / 3; v++) {
            let moves = false;
            for (let k = 0; k < targets.length; k++) {
                const target = targets[k]!.positions;
                const squared = target === null ? 0 : squaredOf(target[v * 3]!, target[v * 3 + 1]!, target[v * 3 + 2]!);
                if (squared === 0) continue;
                moves = true;
                if (!(squared <= (reach[k] ?? 0))) reach[k] = squared >= 0 ? squared : Infinity;
            }
            if (!moves) continue;
            vertices.push(v);
            const own: number[] = [];
            for (let i = v * influences; i < (v + 1) * influences; i++) {
                if (weights[i]! > 0 && !own.includes(slots[i]!)) own.push(slots[i]!);
            }
            // A vertex without weights follows its first joint, as in bounds.
            const first = slots[v * influences] ?? 0;
            if (own.length === 0) own.push(column >= 0 ? column : first < joints ? first : 0);
            columns.push(own);
        }
        return { targets: targets.map((target) => target.positions), vertices, columns };
    });
    return {
        node,
        primitives: displaced,
        reach: Float64Array.from(reach, (squared = 0) => Math.sqrt(squared)),
        columns: [...new Set(displaced.flatMap(({ columns }) => columns.flat()))],
        places,
        squaredPlaces: places === null ? 1 : 3 * largestSquare(places),
    };
}

/** The maximum of the squared Frobenius norms of 3x3 matrices. No matrix stretches a vector by more than its norm. */
function largestSquare(matrices: Float32Array): number {
    let max = 0;
    for (let m = 0; m < matrices.length; m += 9) {
        const sum = matrices.subarray(m, m + 9).reduce((squares, x) => squares + x * x, 0);
        if (!(sum <= max)) max = sum >= 0 ? sum : Infinity;
    }
    return max;
}

/** Number of keys, ascending, up to a time. `side` `before` leaves out keys at the time itself. */
export function keysUpTo(times: ArrayLike<number>, time: number, side: 'at' | 'before' = 'at'): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (side === 'at' ? times[middle]! <= time : times[middle]! < time) low = middle + 1;
        else high = middle;
    }
    return low;
}

/**
 * The weights of a channel at a time, or just before it. In double precision and without the Rig, which has no weights
 * unless they are baked.
 *
 * Source: glTF 2.0, appendix C.
 */
export function weightsAt(channel: SceneChannel, time: number, side: 'at' | 'before' = 'at'): Float64Array {
    const { times, values, interpolation } = channel;
    const cubic = interpolation === 'CUBICSPLINE';
    const width = values.length / times.length / (cubic ? 3 : 1);
    const next = keysUpTo(times, time, side);
    const [stride, value] = cubic ? [3 * width, width] : [width, 0];
    const key = Math.max(next - 1, 0);
    const at = key * stride + value;
    const weights = Float64Array.from(values.subarray(at, at + width));
    if (next === 0 || next === times.length || interpolation === 'STEP') return weights;
    const length = times[next]! - times[key]!;
    const share = (time - times[key]!) / length;
    if (share === 0) return weights;
    const to = at + stride;
    if (!cubic) return weights.map((from, k) => from + (values[to + k]! - from) * share);
    const [square, cube] = [share * share, share * share * share];
    return weights.map(
        (from, k) =>
            (2 * cube - 3 * square + 1) * from +
            length * (cube - 2 * square + share) * values[at + width + k]! +
            (3 * square - 2 * cube) * values[to + k]! +
            length * (cube - square) * values[to - width + k]!,
    );
}

/**
 * Upper bound of the squared scale of columns: the maximum row sum of the transposed linear part times itself. Exact
 * without shear.
 */
function squaredScale(row: Float32Array, columns: readonly number[]): number {
    let max = 0;
    for (const column of columns) {
        const m = column * 16;
        for (let a = 0; a < 3; a++) {
            let sum = 0;
            for (let b = 0; b < 3; b++) {
                const [p, q] = [m + a * 4, m + b * 4];
                sum += Math.abs(row[p]! * row[q]! + row[p + 1]! * row[q + 1]! + row[p + 2]! * row[q + 2]!);
            }
            if (!(sum <= max)) max = sum >= 0 ? sum : Infinity;
        }
    }
    return max;
}

function squaredLength(row: Float32Array, m: number, d: Float64Array): number {
    const [x, y, z] = [d[0]!, d[1]!, d[2]!];
    return squaredOf(
        row[m]! * x + row[m + 4]! * y + row[m + 8]! * z,
        row[m + 1]! * x + row[m + 5]! * y + row[m + 9]! * z,
        row[m + 2]! * x + row[m + 6]! * y + row[m + 10]! * z,
    );
}

function squaredOf(x: number, y: number, z: number): number {
    return x * x + y * y + z * z;
}
