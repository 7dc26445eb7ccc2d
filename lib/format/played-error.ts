// SPDX-License-Identifier: MIT

/** The error of interpolated rows. A separate module, because commands print it before they load the baker. */

import type { ManifestError } from './manifest';

type PlayedError = Pick<ManifestError, 'maxLerpShare' | 'maxMorphShare'>;

/** An error above this share of the extent is easy to see. */
export const LARGE_SHARE = 0.01;

/** The larger error, as a share of the extent. */
export function playedShare({ maxLerpShare, maxMorphShare = 0 }: PlayedError): number {
    return Math.max(maxLerpShare, maxMorphShare);
}

/** Whether the error of morph weights is larger than that of the matrices. */
export function byMorph({ maxLerpShare, maxMorphShare = 0 }: PlayedError): boolean {
    return maxMorphShare > maxLerpShare;
}
