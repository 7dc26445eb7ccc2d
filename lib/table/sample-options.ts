// SPDX-License-Identifier: MIT

import { wrongType } from '../base/arguments';

/** Options of sampling. */
export interface SampleOptions {
    /**
     * Handling of times outside a clip: clamp to its nearest end (`'clamp'`, the default), or repeat the clip
     * (`'wrap'`). With `'wrap'`, the last row of clips with `loop` is left out, because it equals the first row; not
     * for `root`, which ends elsewhere.
     */
    loop?: 'clamp' | 'wrap';
    /** Between two rows: interpolate (`'linear'`, the default), or the nearest: time x fps, rounded half up. */
    between?: 'linear' | 'nearest';
}

/** Checks `'linear'` (the default) or `'nearest'`. Returns whether it is nearest. */
export function checkBetween(routine: string, between: unknown): boolean {
    if (between === undefined || between === 'linear') return false;
    if (between === 'nearest') return true;
    throw wrongType(routine, 'options.between', "'linear' or 'nearest'", between);
}
