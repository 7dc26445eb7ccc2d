// SPDX-License-Identifier: MIT
// Twin: native/rig/play_track.h

import { between, prepareBetween } from '../../strict/between';
import { TRS } from '../model/affine';
import { type Clip, type Track, writeMatrices } from './clip';

/**
 * Writes a track's values, as its keys are played, into the locals of samples `from` to `to - 1`, and the node's
 * matrices.
 */
export function playTrack(clip: Clip, track: Track, from: number, to: number): void {
    const { at, locals } = clip;
    const { knots, values, width, place, node } = track;
    const out = locals[node]!;
    const last = knots.length - 1;
    let k = 0;
    let played = -1;
    for (let s = from; s < to; s++) {
        while (k < last && knots[k + 1]! * 2 <= s) k++;
        const o = s * TRS + place;
        const v = k * width;
        if (k === last || knots[k]! * 2 >= s) {
            for (let c = 0; c < width; c++) out[o + c] = values[v + c]!;
        } else {
            const start = at[knots[k]! * 2]!;
            if (played !== k) prepareBetween(width, values, v, v + width);
            played = k;
            between(out, o, (at[s]! - start) / (at[knots[k + 1]! * 2]! - start));
        }
    }
    writeMatrices(clip, node, from, to);
}
