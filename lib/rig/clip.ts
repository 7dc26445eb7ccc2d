// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel } from '../gltf/scene';
import type { SlotTable } from './slots';

/** How a channel is sampled, and so which routine of `sample.ts` or `slerp.ts` does it. */
export type TrackKind = 'step3' | 'step4' | 'lerp' | 'slerp' | 'cubic' | 'cubicRotation';

/** A channel that changes over time, bound to where its value goes. */
export interface Track {
    readonly kind: TrackKind;
    /** The list that holds the value: JointQuats (8 floats a slot) or scales (3 floats a slot). */
    readonly list: 'quats' | 'scales';
    /** First float of the value within a pose of that list. */
    readonly offset: number;
    readonly values: Float32Array;
}

/** Tracks with the same key times: the search for the keys is done once for all of them. */
export interface TrackGroup {
    readonly times: Float32Array;
    readonly tracks: readonly Track[];
}

/** One animation, packed for one skin's slots. */
export interface Clip {
    /** The rest pose with the clip's constant channels put in; what no track writes stays so in every frame. */
    readonly baseQuats: Float32Array;
    readonly baseScales: Float32Array;
    readonly groups: readonly TrackGroup[];
    /** The slots whose scale is not 1 1 1 throughout. */
    readonly scaledSlots: Int32Array;
    /** The channels that move slots of this skin, for whoever wants their keys; later ones of equal target replace. */
    readonly channels: readonly SceneChannel[];
}

const PATHS = ['translation', 'rotation', 'scale'] as const;

/**
 * Packs the channels of an animation that move a slot. Left out: channels of other nodes, which cannot reach the skin,
 * channels of morph weights, and channels of nodes with a `matrix`, which must not have any (glTF 2.0, section 3.5.3).
 */
export function packClip(animation: SceneAnimation, slots: SlotTable): Clip {
    const channels = channelsOfSlots(animation, slots);
    const baseQuats = slots.restQuats.slice();
    const baseScales = slots.restScales.slice();
    const groups = new Map<Float32Array, Track[]>();
    const scaleMoves = new Uint8Array(slots.nodes.length);
    for (const channel of channels) {
        const slot = slots.slotOfNode[channel.node]!;
        const track = trackOf(channel, slot);
        if (isConstant(channel)) {
            const base = track.list === 'quats' ? baseQuats : baseScales;
            base.set(channel.values.subarray(0, widthOf(channel)), track.offset);
            continue;
        }
        if (channel.path === 'scale') scaleMoves[slot] = 1;
        const group = groups.get(channel.times);
        if (group === undefined) groups.set(channel.times, [track]);
        else group.push(track);
    }
    return {
        baseQuats,
        baseScales,
        groups: Array.from(groups, ([times, tracks]) => ({ times, tracks })),
        scaledSlots: slots.nodes
            .map((_, slot) => slot)
            .filter(
                (slot) =>
                    scaleMoves[slot] === 1 ||
                    baseScales[slot * 3] !== 1 ||
                    baseScales[slot * 3 + 1] !== 1 ||
                    baseScales[slot * 3 + 2] !== 1,
            ),
        channels,
    };
}

function channelsOfSlots(animation: SceneAnimation, slots: SlotTable): SceneChannel[] {
    const byTarget = new Map<number, SceneChannel>();
    const hasMatrix = new Set(slots.matrixSlots);
    for (const channel of animation.channels) {
        const path = PATHS.indexOf(channel.path as (typeof PATHS)[number]);
        const slot = slots.slotOfNode[channel.node] ?? -1;
        if (path >= 0 && slot >= 0 && !hasMatrix.has(slot)) byTarget.set(slot * PATHS.length + path, channel);
    }
    return Array.from(byTarget.values());
}

/** Floats of one value. */
export function widthOf(channel: SceneChannel): 3 | 4 {
    return channel.path === 'rotation' ? 4 : 3;
}

function trackOf(channel: SceneChannel, slot: number): Track {
    const { values, path } = channel;
    const place =
        path === 'scale'
            ? ({ list: 'scales', offset: slot * 3 } as const)
            : ({ list: 'quats', offset: slot * 8 + (path === 'translation' ? 4 : 0) } as const);
    return { kind: kindOf(channel), ...place, values };
}

function kindOf({ interpolation, path }: SceneChannel): TrackKind {
    const rotation = path === 'rotation';
    switch (interpolation) {
        case 'STEP':
            return rotation ? 'step4' : 'step3';
        case 'LINEAR':
            return rotation ? 'slerp' : 'lerp';
        case 'CUBICSPLINE':
            return rotation ? 'cubicRotation' : 'cubic';
    }
}

/** Whether sampling gives the first key's value, bit for bit, at every time. Exporters write many such channels. */
function isConstant(channel: SceneChannel): boolean {
    const { interpolation, path, times, values } = channel;
    if (interpolation === 'CUBICSPLINE') return false; // tangents may leave the keys; rotations are normalised
    if (times.length === 1) return true;
    // Between equal rotations slerp differs from the key by what the key's length differs from 1.
    if (interpolation === 'LINEAR' && path === 'rotation') return false;
    const width = widthOf(channel);
    for (let i = width; i < times.length * width; i++) {
        if (!Object.is(values[i], values[i - width])) return false;
    }
    return true;
}
