// SPDX-License-Identifier: MIT

import type { SceneChannel } from '../../gltf/scene';
import { LANES, LOCAL_FLOATS } from '../../rig/kernels/contract';
import type { Rig } from '../../rig/rig';
import { frameTimesOf, type Timeline } from '../plan/frames';

export interface DenseChannel {
    readonly node: number;
    readonly path: SceneChannel['path'];
    readonly interpolation: 'LINEAR' | 'STEP';
    /** `width` numbers for each key. A constant channel has one key. */
    readonly values: Float32Array;
    readonly width: number;
    readonly constant: boolean;
}

const BATCH = 256;
const PLACE = { translation: 0, rotation: 3, scale: 7 } as const;
const WIDTH = { translation: 3, rotation: 4, scale: 3 } as const;

/**
 * Key times, from 0, and the times in the clip that they are sampled at. The two differ if only a part of the clip is
 * wanted.
 */
export function keyTimesOf(timeline: Timeline): Float32Array {
    const { start, duration, rate, frameCount } = timeline;
    if (start === 0) return frameTimesOf(timeline);
    const last = Math.fround(duration);
    return frameTimesOf({ start: 0, duration, last, rate, frameCount, lastShortened: timeline.lastShortened });
}

export function sampleClip(
    rig: Rig,
    clip: number,
    channels: readonly SceneChannel[],
    timeline: Timeline,
): DenseChannel[] {
    const times = frameTimesOf(timeline);
    const weights = new Map(rig.meshes.map((mesh) => [mesh.node, mesh]));
    const rows = channels.map(({ node, path }) => {
        const slot = rig.slotOf(node);
        const width = path === 'weights' ? weights.get(node)!.weightCount : WIDTH[path];
        return { slot, width, values: new Float32Array(times.length * width) };
    });
    const poses = rig.createPoses(Math.min(times.length, BATCH));
    for (let first = 0; first < times.length; first += BATCH) {
        poses.count = Math.min(BATCH, times.length - first);
        rig.evaluate(poses, clip, times.subarray(first, first + poses.count));
        for (const [index, { node, path }] of channels.entries()) {
            const { slot, width, values } = rows[index]!;
            const float =
                path === 'weights'
                    ? poses.weightsOffset + weights.get(node)!.firstWeight * LANES
                    : (slot * LOCAL_FLOATS + PLACE[path]) * LANES;
            for (let pose = 0; pose < poses.count; pose++) {
                const from = Math.floor(pose / LANES) * poses.blockFloats + float + (pose % LANES);
                for (let c = 0; c < width; c++) values[(first + pose) * width + c] = poses.data[from + c * LANES]!;
            }
        }
    }
    return channels.map(({ node, path, interpolation }, index) => {
        const { width, values } = rows[index]!;
        const constant = isConstant(values, width);
        if (path === 'rotation' && interpolation !== 'STEP') keepHemisphere(values);
        const kept = constant ? values.slice(0, width) : values;
        return {
            node,
            path,
            interpolation: interpolation === 'STEP' ? 'STEP' : 'LINEAR',
            values: kept,
            width,
            constant,
        };
    });
}

function isConstant(values: Float32Array, width: number): boolean {
    for (let i = width; i < values.length; i++) if (values[i] !== values[i - width]) return false;
    return true;
}

/** Puts each rotation into the hemisphere of the one before: not all players interpolate the shorter way. */
function keepHemisphere(values: Float32Array): void {
    for (let at = 4; at < values.length; at += 4) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += values[at + c]! * values[at + c - 4]!;
        if (dot < 0) for (let c = 0; c < 4; c++) values[at + c] = -values[at + c]!;
    }
}
