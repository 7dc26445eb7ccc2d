// SPDX-License-Identifier: MIT

import { describe } from '../base/arguments';
import { typeError } from '../base/errors';

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
    const got = describe(between);
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.between must be 'linear' or 'nearest', got ${got}`);
}
