// SPDX-License-Identifier: MIT

import type { SceneChannel } from '../../gltf/scene';
import { keysUpTo, MorphReach, type RowOf, weightsAt } from '../../rig/measure/morph-reach';
import { jumpTimesOf } from '../plan/frames';
import { SAMPLES } from '../rows/batch-size';
import type { ClipFrames } from './playback';
import { HELD } from './playback-error';

/** The interval with the maximum error of a mesh's weights. */
export interface MorphPlace {
    /** Squared distance. */
    readonly squared: number;
    readonly node: number;
    /** First frame of the interval. */
    readonly frame: number;
}

/**
 * Measures errors of morph weights by how far they displace vertices. The error is the longest M d over all vertices. d
 * is the sum of the targets' displacements times the errors of their weights. M is the matrix of a column that moves
 * the vertex, at either frame of the interval. A skinned vertex is a weighted mean of its columns, so its error is at
 * most the maximum over these.
 * An instanced mesh can have very many vertices times instances. There d is a corner of the box around the vertices' d,
 * and M is the column's matrix times an instance's.
 */
export class MorphJudge extends MorphReach {
    private readonly jumps = new Map<SceneChannel, Float32Array>();

    /** Times at which weights jump, ascending for each mesh. */
    jumpsOf(animation: number): number[] {
        return this.movedBy(animation).flatMap(({ channel }) => [...this.jumpsIn(channel)]);
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
            for (const { mesh, channel } of this.movedBy(animation)) {
                if (channel.interpolation === 'STEP') continue; // between jumps nothing changes
                eachError(channel, this.jumpsIn(channel), times[frame]!, times[frame + 1]!, (errors) => {
                    const before = place?.squared ?? min;
                    const squared = this.reachOf(mesh, errors, [frame, frame + 1], rowOf, before);
                    if (squared > before) place = { squared, node: mesh.node, frame };
                });
            }
        }
        return place;
    }

    /** Squared displacement of vertices by the weights' jump at a time. */
    jumpAt(animation: number, time: number, row: Float32Array): number {
        return this.movedBy(animation).reduce((max, { mesh, channel }) => {
            const before = weightsAt(channel, time, 'before');
            const errors = weightsAt(channel, time).map((weight, k) => weight - before[k]!);
            return this.reachOf(mesh, errors, [0], () => row, max);
        }, 0);
    }

    private jumpsIn(channel: SceneChannel): Float32Array {
        let jumps = this.jumps.get(channel);
        if (jumps === undefined) {
            jumps = jumpTimesOf([channel]);
            this.jumps.set(channel, jumps);
        }
        return jumps;
    }
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
