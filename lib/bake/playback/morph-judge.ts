// SPDX-License-Identifier: MIT

import type { GltfScene, RigidMesh, SceneChannel, SkinnedMesh } from '../../gltf/scene';
import type { Character } from '../plan/character';
import { jumpTimesOf } from '../plan/frames';
import { SAMPLES } from '../rows/batch-size';
import { addPoint, emptyBox } from '../rows/geometry';
import { linearPartsOf } from '../rows/instances';
import type { ClipFrames } from './playback';
import { HELD } from './playback-error';

/** The vertices of a primitive that morph targets displace, and the columns that move each vertex. */
interface Displaced {
    /** For each target, x y z of all vertices of the primitive; null if it displaces none. */
    readonly targets: readonly (Float32Array | null)[];
    readonly vertices: readonly number[];
    /** Columns of vertex i of `vertices`. */
    readonly columns: readonly (readonly number[])[];
}

/** The mesh of a node whose weights a clip animates. */
interface MorphedMesh {
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
interface MovedWeights {
    readonly mesh: MorphedMesh;
    readonly channel: SceneChannel;
    readonly jumps: Float32Array;
}

/** The interval with the maximum error of a mesh's weights. */
export interface MorphPlace {
    /** Squared distance. */
    readonly squared: number;
    readonly node: number;
    /** First frame of the interval. */
    readonly frame: number;
}

/** Returns the palette of a frame as 4x4 matrices. */
export type RowOf = (frame: number) => Float32Array;

/**
 * Measures errors of morph weights by how far they displace vertices. The error is the longest M d over all vertices. d
 * is the sum of the targets' displacements times the errors of their weights. M is the matrix of a column that moves
 * the vertex, at either frame of the interval. A skinned vertex is a weighted mean of its columns, so its error is at
 * most the maximum over these.
 * An instanced mesh can have very many vertices times instances. There d is a corner of the box around the vertices' d,
 * and M is the column's matrix times an instance's.
 */
export class MorphJudge {
    private readonly meshes = new Map<number, MorphedMesh>();
    private readonly moved = new Map<number, readonly MovedWeights[]>();
    private readonly displacement = new Float64Array(3);

    constructor(
        private readonly scene: GltfScene,
        private readonly character: Character,
    ) {}

    /** Whether a clip animates weights of the character's meshes. */
    moves(animation: number): boolean {
        return this.movedBy(animation).length > 0;
    }

    /** Times at which weights jump, ascending for each mesh. */
    jumpsOf(animation: number): number[] {
        return this.movedBy(animation).flatMap(({ jumps }) => [...jumps]);
    }

    /**
     * Compares weights interpolated between frames with those of the clip. The samples are at the clip's keys and, for
     * splines, at every eighth of an interval. An interval with jumps is judged in the parts between them.
     *
     * @param from First interval.
     * @param end The interval after the last one.
     * @param min Squared distance.
     * @param stop Whether to stop at the first error above `min`.
     * @returns The maximum error; null if none exceeds `min`.
     */
    judge(
        { animation, times, nearest }: Pick<ClipFrames, 'animation' | 'times' | 'nearest'>,
        from: number,
        end: number,
        rowOf: RowOf,
        min: number,
        stop = false,
    ): MorphPlace | null {
        let place: MorphPlace | null = null;
        for (let frame = from; frame < end && !(stop && place !== null); frame++) {
            if (nearest[frame] === HELD) continue;
            for (const { mesh, channel, jumps } of this.movedBy(animation)) {
                if (channel.interpolation === 'STEP') continue; // between jumps nothing changes
                eachError(channel, jumps, times[frame]!, times[frame + 1]!, (errors) => {
                    const before = place?.squared ?? min;
                    const squared = this.reachOf(mesh, errors, [frame, frame + 1], rowOf, before);
                    if (squared > before) place = { squared, node: mesh.node, frame };
                });
            }
        }
        return place;
    }

    /** Squared distance between the vertices at two times of a clip. `rowOf` returns their rows for 0 and 1. */
    apart(animation: number, a: number, b: number, rowOf: RowOf): number {
        return this.movedBy(animation).reduce((max, { mesh, channel }) => {
            const [first, last] = [weightsAt(channel, a), weightsAt(channel, b)];
            const errors = last.map((weight, k) => weight - first[k]!);
            return this.reachOf(mesh, errors, [0, 1], rowOf, max);
        }, 0);
    }

    /** Squared displacement of vertices by the weights' jump at a time. */
    jumpAt(animation: number, time: number, row: Float32Array): number {
        return this.movedBy(animation).reduce((max, { mesh, channel }) => {
            const before = weightsAt(channel, time, 'before');
            const errors = weightsAt(channel, time).map((weight, k) => weight - before[k]!);
            return this.reachOf(mesh, errors, [0], () => row, max);
        }, 0);
    }

    private movedBy(animation: number): readonly MovedWeights[] {
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
            return [{ mesh, channel, jumps: jumpTimesOf([channel]) }];
        });
    }

    /**
     * Squared length of the longest displacement by errors of weights, over the rows of some frames. Returns `min` if
     * none exceeds it.
     */
    private reachOf(
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

/** Calls back with the errors of weights interpolated from one time to another, at each sample. */
function eachError(
    channel: SceneChannel,
    jumps: Float32Array,
    from: number,
    to: number,
    look: (errors: Float64Array) => void,
): void {
    const { times, interpolation } = channel;
    if (to <= times[0]! || from >= times[times.length - 1]!) return;
    let begin = from;
    const within = [...jumps].filter((jump) => jump > from && jump <= to);
    for (const end of within.at(-1) === to ? within : [...within, to]) {
        const first = weightsAt(channel, begin);
        const last = weightsAt(channel, end, end === to && within.at(-1) !== to ? 'at' : 'before');
        const points = keysBetween(times, begin, end);
        if (interpolation === 'CUBICSPLINE')
            for (let k = 1; k <= SAMPLES; k++) points.push(begin + (end - begin) * (k / (SAMPLES + 1)));
        for (const time of points) {
            const share = (time - begin) / (end - begin);
            look(weightsAt(channel, time).map((is, k) => first[k]! + (last[k]! - first[k]!) * share - is));
        }
        begin = end;
    }
}

function keysBetween(times: Float32Array, from: number, to: number): number[] {
    const found: number[] = [];
    for (let key = keysUpTo(times, from); key < times.length && times[key]! < to; key++) found.push(times[key]!);
    return found;
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
