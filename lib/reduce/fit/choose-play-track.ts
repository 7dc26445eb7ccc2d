// SPDX-License-Identifier: MIT

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { evaluationImplementation } from '../../rig/implementations';
import { playTrackTwin } from './play-track';

type PlayTrack = typeof playTrackTwin;

/** The addon's functions, by the name of the implementation that evaluates poses. */
export const nativePlayTrack: ReadonlyMap<string, PlayTrack> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, playTrack }) =>
        playTrack === undefined ? [] : [[name, beforeTwin(playTrack)] as const],
    ),
);

/** Uses the twin for tracks whose values stay, and for nodes with a matrix. */
function beforeTwin(native: NonNullable<NativeRig['playTrack']>): PlayTrack {
    return (clip, track, from, to) => {
        const { at, blocks, locals, localMatrices, model } = clip;
        const { knots, values, place, node, kept } = track;
        if (!kept && model.matrices[node] === null) {
            const { length } = knots;
            if (indices.length < length) indices = new Int32Array(length * 2);
            for (let k = 0; k < length; k++) indices[k] = knots[k]!;
            if (
                native(locals[node], localMatrices, at, indices, values, length, place, node, blocks, from, to) !==
                false
            )
                return;
        }
        playTrackTwin(clip, track, from, to);
    };
}

export const playTrack: PlayTrack = nativePlayTrack.get(evaluationImplementation) ?? playTrackTwin;

/** Kept between calls. */
let indices = new Int32Array(16);
