// SPDX-License-Identifier: MIT

import type { VerifyProblem } from './check-manifest';

/** The worst value of one array in one clip: the one with the largest ratio of error to tolerance. */
export interface ArrayVerdict {
    /** `palette`, `hit`, ... */
    readonly array: string;
    /** Whether `share` is within `tolerance`. */
    readonly ok: boolean;
    /** Column of the palette: a joint, then attachments; -1 where the worst value is of neither. */
    readonly joint: number;
    /** The joint, slot, weight or side of a box, in words. */
    readonly what: string;
    /** Within the clip. */
    readonly frame: number;
    /** Seconds within the input's clip: a float32. */
    readonly time: number;
    /** Its displacement in model units; for morph weights the difference. */
    readonly error: number;
    /** `error` as a share of the extent. */
    readonly share: number;
    /** Maximum `share` that is ok there: what was asked for and, far from the origin, what float32 cannot keep. */
    readonly tolerance: number;
    /** The judge. */
    readonly oracle: 'double' | 'three';
    /** Why three.js is no judge of this clip, and how far off it is. `oracle` is then `'double'`. */
    readonly note?: string;
}

/** How far playback of a clip's rows, interpolated linearly, is off at worst: it says how well the rate was chosen. */
export interface PlaybackVerdict {
    /** Column of the palette; -1 where nothing is off. */
    readonly joint: number;
    /** The joint or mesh in words. */
    readonly what: string;
    /** Seconds within the input's clip: of the frame before. */
    readonly time: number;
    /** Model units. */
    readonly error: number;
    /** `error` as a share of the extent. */
    readonly share: number;
}

/** The result for one clip. */
export interface ClipVerdict {
    /** The clip's name; may repeat or be empty. */
    readonly name: string;
    /** Animation index in the input. */
    readonly animation: number;
    /** Whether all of `arrays` are. */
    readonly ok: boolean;
    /** One for each array of the bake. */
    readonly arrays: readonly ArrayVerdict[];
    /** No part of `ok`, which is about the rows; null where these are wrong. */
    readonly playback: PlaybackVerdict | null;
}

/** The result of {@link verifyBake}. */
export interface Verification {
    /** Whether there is no problem, and every value of every array is within tolerance. */
    readonly ok: boolean;
    /** Faults other than wrong values. */
    readonly problems: readonly VerifyProblem[];
    /** In the order of the bake. */
    readonly clips: readonly ClipVerdict[];
    /** The worst share of all; null where nothing could be judged. */
    readonly worst: (ArrayVerdict & { readonly clip: string; readonly animation: number }) | null;
    /** The length that shares refer to, in model units. */
    readonly extent: number;
    /** Rows judged. */
    readonly rows: number;
}

/** The verdict that is furthest beyond its tolerance, or nearest to it. */
export function worstOfAll(clips: readonly ClipVerdict[]): Verification['worst'] {
    let worst: Verification['worst'] = null;
    for (const { name, animation, arrays } of clips) {
        for (const verdict of arrays) {
            const [own, other] = [verdict.share / verdict.tolerance, worst && worst.share / worst.tolerance];
            if (other === null || !(own <= other)) worst = { ...verdict, clip: name, animation };
        }
    }
    return worst;
}
