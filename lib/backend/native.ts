// SPDX-License-Identifier: MIT

import * as path from 'node:path';
import { type PoselaneError, stateError } from '../errors';
import type { NativeAddon } from './contract';

// node-gyp-build has no types. It looks in build/ (a source build) and prebuilds/ of the folder that it is given.
const nodeGypBuild = require('node-gyp-build') as (folder: string) => NativeAddon;

export type NativeLoad =
    | { readonly addon: NativeAddon; readonly error: null }
    | { readonly addon: null; readonly error: PoselaneError };

/** Loads the addon, or says why it cannot be loaded. Never prints, never throws. */
export function loadNative(): NativeLoad {
    try {
        return { addon: nodeGypBuild(path.join(__dirname, '..', '..')), error: null };
    } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        return {
            addon: null,
            error: stateError(
                'ERR_NATIVE_UNAVAILABLE',
                `the native addon did not load (${reason.split('\n', 1)[0]})`,
                cause,
            ),
        };
    }
}
