// SPDX-License-Identifier: MIT

import { wrongType } from '../base/arguments';

/** Options of sampling. */
export interface SampleOptions {
    /**
     * Handling of times outside a clip: clamp to its nearest end (`'clamp'`), or repeat the clip (`'wrap'`). A list has
     * one number for each pose: 0 to clamp, 1 to wrap. By default, clips with `loop` in the manifest repeat and others
     * clamp. A repeated clip with `loop` leaves out its last row, because it equals the first row; not for `root`,
     * which ends elsewhere.
     */
    loop?: 'clamp' | 'wrap' | Uint8Array;
    /** Between two rows: interpolate (`'linear'`, the default), or the nearest: time x fps, rounded half up. */
    between?: 'linear' | 'nearest';
}

/** Checks `'linear'` (the default) or `'nearest'`. Returns whether it is nearest. */
export function checkBetween(routine: string, between: unknown): boolean {
    if (between === undefined || between === 'linear') return false;
    if (between === 'nearest') return true;
    throw wrongType(routine, 'options.between', "'linear' or 'nearest'", between);
}
