// SPDX-License-Identifier: MIT

/** The addon, and what POSELANE_BACKEND says of it. */

import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { type PoselaneError, stateError } from '../errors';
import type { NativeAddon } from './addon';

// node-gyp-build has no types. It looks in build/ (a source build) and prebuilds/ of the folder that it is given, and then in
// prebuilds/ beside Node itself; of what it finds there it takes any addon.
const nodeGypBuild = require('node-gyp-build') as {
    (folder: string): NativeAddon;
    resolve(folder: string): string;
};

const ROOT = path.join(__dirname, '..', '..');

export type AddonLoad =
    | { readonly addon: NativeAddon; readonly error: null }
    | { readonly addon: null; readonly error: PoselaneError | null };

/** Throws where there is another package than poselane two folders up, or none: this file is in a bundle, which may lie anywhere. */
function packageVersion(): string {
    const file = path.join(ROOT, 'package.json');
    const { name, version } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    if (name === 'poselane') return version;
    throw new Error(`${ROOT} is not the folder of poselane, which bundlers have to leave external`);
}

/** Throws where there is no addon, another package's, or one of another version, whose functions may be other ones. */
function findAddon(): NativeAddon {
    const version = packageVersion();
    const file = nodeGypBuild.resolve(ROOT);
    // Not by require(file): bundlers warn of names that they cannot know.
    const addon = path.basename(file) === 'poselane.node' ? nodeGypBuild(ROOT) : undefined;
    if (addon?.version === version) return addon;
    throw new Error(`${file} is not the addon of poselane ${version}, but ${addon?.version ?? 'another'}`);
}

/** Loads the addon, or says why it cannot be loaded. Never prints, never throws. */
function loadAddon(): AddonLoad {
    try {
        return { addon: findAddon(), error: null };
    } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const message = `the native addon did not load (${reason.split('\n', 1)[0]})`;
        return { addon: null, error: stateError('ERR_NATIVE_UNAVAILABLE', message, cause) };
    }
}

/** POSELANE_BACKEND: `ts`, `native` or the name of an implementation; undefined where it is not set or empty. */
export const forcedBackend: string | undefined = process.env.POSELANE_BACKEND || undefined;

const loaded: AddonLoad =
    forcedBackend === 'ts' || forcedBackend?.endsWith('/typescript') ? { addon: null, error: null } : loadAddon();

/** The addon; `null` where it did not load or was not wanted. */
export const addon: NativeAddon | null = loaded.addon;

/** Why the addon is not in use, with the loader's error as `cause`; `null` where it loaded or was not wanted. */
export const nativeLoadError: PoselaneError | null = loaded.error;
