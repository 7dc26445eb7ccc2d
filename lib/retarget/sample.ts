// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel, SceneNode } from '../gltf/scene';
import { matrixOf, mix, normalized, type Quat, slerp, type Vec } from './math';
import { localOf, type Place, parentsFirst, placed, vecOf } from './model';

/** A pose at a time: the places of nodes in the scene. */
export type PoseAt = (time: number) => Place[];

/** @param wanted Nodes that poses have, besides those above them. */
export function posesOf(nodes: readonly SceneNode[], { channels }: SceneAnimation, wanted: Iterable<number>): PoseAt {
    const needed = new Set<number>();
    for (const node of wanted) for (let at = node; at >= 0; at = nodes[at]!.parent) needed.add(at);
    const order = parentsFirst(nodes).filter((node) => needed.has(node));
    const rest = nodes.map(localOf);
    const byNode = new Map<number, Partial<Record<SceneChannel['path'], SceneChannel>>>();
    for (const channel of channels) {
        if (nodes[channel.node]!.matrix !== null) continue;
        byNode.set(channel.node, { ...byNode.get(channel.node), [channel.path]: channel });
    }
    return (time) => {
        const pose: Place[] = [];
        for (const node of order) {
            const { translation, rotation, scale } = byNode.get(node) ?? {};
            const at = translation === undefined ? rest[node]!.at : vectorAt(translation, time);
            let { linear } = rest[node]!;
            if (rotation !== undefined || scale !== undefined) {
                const own = nodes[node]!;
                const turn = rotation === undefined ? normalized(quatOf(own.rotation, 0)) : rotationAt(rotation, time);
                linear = matrixOf(turn, scale === undefined ? vecOf(own.scale) : vectorAt(scale, time));
            }
            pose[node] = placed(pose[nodes[node]!.parent], at, linear);
        }
        return pose;
    };
}

const quatOf = (values: ArrayLike<number>, at: number): Quat => [
    values[at]!,
    values[at + 1]!,
    values[at + 2]!,
    values[at + 3]!,
];

function vectorAt(channel: SceneChannel, time: number): Vec {
    const { values, interpolation } = channel;
    const { key, t, span } = intervalAt(channel, time);
    const cubic = interpolation === 'CUBICSPLINE';
    const value = (index: number) => vecOf(values, cubic ? index * 9 + 3 : index * 3);
    if (t === 0) return value(key);
    if (!cubic) return mix(value(key), value(key + 1), t);
    return vecOf(hermite(values, key, 3, t, span));
}

function rotationAt(channel: SceneChannel, time: number): Quat {
    const { values, interpolation } = channel;
    const { key, t, span } = intervalAt(channel, time);
    const cubic = interpolation === 'CUBICSPLINE';
    const value = (index: number) => quatOf(values, cubic ? index * 12 + 4 : index * 4);
    if (t === 0) return normalized(value(key));
    if (!cubic) return slerp(value(key), value(key + 1), t);
    return normalized(quatOf(hermite(values, key, 4, t, span), 0));
}

/** The key before the time, and the share of the way to the next one: 0 at a key, outside the keys, and for STEP. */
function intervalAt({ times, interpolation }: SceneChannel, time: number): { key: number; t: number; span: number } {
    let low = 0;
    let high = times.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (times[middle]! <= time) low = middle + 1;
        else high = middle;
    }
    const key = Math.max(low - 1, 0);
    if (low === 0 || low === times.length || interpolation === 'STEP') return { key, t: 0, span: 0 };
    const span = times[low]! - times[key]!;
    return { key, t: (time - times[key]!) / span, span };
}

/** glTF 2.0, appendix C.5. */
function hermite(values: Float32Array, key: number, width: number, t: number, span: number): number[] {
    const at = key * 3 * width;
    const [t2, t3] = [t * t, t * t * t];
    return Array.from({ length: width }, (_, c) => {
        const [from, leaving] = [values[at + width + c]!, values[at + 2 * width + c]!];
        const [arriving, to] = [values[at + 3 * width + c]!, values[at + 4 * width + c]!];
        return (
            (2 * t3 - 3 * t2 + 1) * from +
            span * (t3 - 2 * t2 + t) * leaving +
            (3 * t2 - 2 * t3) * to +
            span * (t3 - t2) * arriving
        );
    });
}

/** Max distance of the times below, in seconds. Legs bend between keys, so the keys of joints do not hold a foot. */
const STEP = 1 / 120;
/** Max number of times between keys. In longer clips, they are further apart. */
const MOST = 30_000;

/** All key times of a clip, and times between them at most `STEP` apart. Before a jump of STEP keys, the float32 just before it. */
export function timesOf({ channels }: SceneAnimation): Float32Array {
    const found = new Set<number>();
    const moving = channels.filter(({ path }) => path !== 'weights');
    for (const { times, interpolation } of moving) {
        for (const time of times) {
            found.add(time);
            if (interpolation === 'STEP' && time > 0) found.add(beforeOf(time));
        }
    }
    const keys = [...found].sort((a, b) => a - b);
    const all: number[] = [];
    const step = Math.max(STEP, ((keys.at(-1) ?? 0) - (keys[0] ?? 0)) / MOST);
    for (const [index, time] of keys.entries()) {
        const next = keys[index + 1];
        all.push(time);
        if (next === undefined) continue;
        const parts = Math.ceil((next - time) / step - 1e-3);
        for (let i = 1; i < parts; i++) all.push(Math.fround(time + ((next - time) * i) / parts));
    }
    return Float32Array.from(all).filter((time, i, list) => i === 0 || time > list[i - 1]!);
}

function beforeOf(time: number): number {
    const bits = new Uint32Array(Float32Array.of(time).buffer);
    bits[0]!--;
    return new Float32Array(bits.buffer)[0]!;
}
