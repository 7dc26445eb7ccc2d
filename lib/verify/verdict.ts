// SPDX-License-Identifier: MIT

import type { VerifyProblem } from './check-manifest';
import type { RetargetVerdict } from './retargeted';

/** The maximum error of one array in one clip, by the ratio of error to tolerance. */
export interface ArrayVerdict {
    /** `palette`, `hit`, ... */
    readonly array: string;
    /** Whether `share` is within `tolerance`. */
    readonly ok: boolean;
    /** Column of the palette: a joint, then attachments; -1 for an item that is neither. */
    readonly joint: number;
    /** Name of the joint, slot, weight or side of a box. */
    readonly what: string;
    /** Frame within the clip. */
    readonly frame: number;
    /** Time in the input's clip, seconds: a float32. */
    readonly time: number;
    /** Displacement in model units; for morph weights, their difference. */
    readonly error: number;
    /** `error` as a share of the extent. */
    readonly share: number;
    /** Maximum `share` that is ok there: the requested tolerance and, far from the origin, the rounding of float32. */
    readonly tolerance: number;
    /** Who judged. */
    readonly oracle: 'double' | 'three';
    /** Why three.js cannot judge this clip, and its error. `oracle` is then `'double'`. */
    readonly note?: string;
}

/** Maximum error of a clip's playback with linear interpolation. It shows whether the frame rate is high enough. */
export interface PlaybackVerdict {
    /** Column of the palette; -1 if there is no error. */
    readonly joint: number;
    /** Name of the joint or mesh. */
    readonly what: string;
    /** Time in the input's clip, seconds: of the frame before. */
    readonly time: number;
    /** Model units. */
    readonly error: number;
    /** `error` as a share of the extent. */
    readonly share: number;
}

/** The result for one clip. */
export interface ClipVerdict {
    /** Name of the clip. Can repeat or be empty. */
    readonly name: string;
    /** Animation index in the input. */
    readonly animation: number;
    /** Whether all of `arrays` are ok. */
    readonly ok: boolean;
    /** One for each array of the bake. */
    readonly arrays: readonly ArrayVerdict[];
    /** Does not affect `ok`, which is about the rows. Null if the rows are wrong. */
    readonly playback: PlaybackVerdict | null;
}

/** The result of {@link verifyBake}. */
export interface Verification {
    /** Whether there is no problem and every value of every array is within its tolerance. */
    readonly ok: boolean;
    /** Faults other than wrong values. */
    readonly problems: readonly VerifyProblem[];
    /** In the order of the bake. */
    readonly clips: readonly ClipVerdict[];
    /**
     * Clips that were retargeted from another skeleton, the worst first: how well they keep what their sources show.
     * They do not affect `ok`, which is about the rows.
     */
    readonly retargeted: readonly RetargetVerdict[];
    /** The maximum share of all; null if nothing could be judged. */
    readonly worst: (ArrayVerdict & { readonly clip: string; readonly animation: number }) | null;
    /** The length that shares are relative to, in model units. */
    readonly extent: number;
    /** Number of judged rows. */
    readonly rows: number;
}

/** The verdict with the largest ratio of share to tolerance. */
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
