// SPDX-License-Identifier: MIT

import { describe } from '../base/arguments';
import { typeError } from '../base/errors';

/** Options of sampling. */
export interface SampleOptions {
    /**
     * What times outside a clip mean: its nearest end (`'clamp'`, the default), or the clip over and over. The last row of clips with
     * `loop` is then left out, because it is the first row again (but for `root`, which ends elsewhere).
     */
    loop?: 'clamp' | 'wrap';
    /** Between two rows: a mixture of both (`'linear'`, the default), or the nearest: time x fps, rounded half up. */
    between?: 'linear' | 'nearest';
}

/** `'linear'`, the default, or `'nearest'`. Whether it is nearest. */
export function checkBetween(routine: string, between: unknown): boolean {
    if (between === undefined || between === 'linear') return false;
    if (between === 'nearest') return true;
    const got = describe(between);
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.between must be 'linear' or 'nearest', got ${got}`);
}
