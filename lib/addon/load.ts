// SPDX-License-Identifier: MIT

/** Loads the addon, unless POSELANE_BACKEND forbids it. */

import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { type PoselaneError, stateError } from '../base/errors';
import type { NativeAddon } from './addon';

// node-gyp-build has no types. It looks in build/ (a source build) and prebuilds/ of the folder that it is given, and then in prebuilds/
// beside Node itself; it takes any addon that it finds there.
const nodeGypBuild = require('node-gyp-build') as {
    (folder: string): NativeAddon;
    resolve(folder: string): string;
};

const ROOT = path.join(__dirname, '..', '..');

export type AddonLoad =
    | { readonly addon: NativeAddon; readonly error: null }
    | { readonly addon: null; readonly error: PoselaneError | null };

let version: string | undefined;

/**
 * Version of the package. Throws unless the package two folders up is poselane: in a bundle, this file can be anywhere.
 */
export function packageVersion(): string {
    version ??= readVersion();
    return version;
}

function readVersion(): string {
    const file = path.join(ROOT, 'package.json');
    const { name, version } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    if (name === 'poselane') return version;
    throw new Error(`${ROOT} is not the folder of poselane, which bundlers have to leave external`);
}

/** Throws if there is no addon, or if it belongs to another package or another version, whose functions may differ. */
function findAddon(): NativeAddon {
    const version = packageVersion();
    const file = nodeGypBuild.resolve(ROOT);
    // Not by require(file): bundlers warn about computed names.
    const addon = path.basename(file) === 'poselane.node' ? nodeGypBuild(ROOT) : undefined;
    if (addon?.version === version) return addon;
    throw new Error(`${file} is not the addon of poselane ${version}, but ${addon?.version ?? 'another'}`);
}

/** Loads the addon, or returns the reason why it cannot be loaded. Does not print or throw. */
function loadAddon(): AddonLoad {
    try {
        return { addon: findAddon(), error: null };
    } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const message = `the native addon did not load (${reason.split('\n', 1)[0]})`;
        return { addon: null, error: stateError('ERR_NATIVE_UNAVAILABLE', message, cause) };
    }
}

/** POSELANE_BACKEND: `ts`, `wasm`, `native` or the name of an implementation; undefined where it is not set or empty. */
export const forcedBackend: string | undefined = process.env.POSELANE_BACKEND || undefined;

const loaded: AddonLoad =
    forcedBackend !== undefined && /^(ts|wasm|.*\/(typescript|wasm))$/.test(forcedBackend)
        ? { addon: null, error: null }
        : loadAddon();

/** The addon; `null` if it did not load or is disabled. */
export const addon: NativeAddon | null = loaded.addon;

/** The reason why the addon is not in use, with the loader's error as `cause`; `null` if it loaded or is disabled. */
export const nativeLoadError: PoselaneError | null = loaded.error;
