// SPDX-License-Identifier: MIT
'use strict';

const { findCompiler } = require('../../scripts/build/compiler.cjs');

/**
 * Why the package need not run on its addon; null if it does. Each test of the addon asks this first: otherwise it
 * would compare the fallback with itself, and always pass.
 *
 * @param poselane The package.
 * @param asked The `POSELANE_BACKEND` that it was loaded under.
 * @returns The words in which tests are skipped for it.
 * @throws Error where the addon could be there and is not.
 */
function withoutAddon({ backend, nativeLoadError }, asked = process.env.POSELANE_BACKEND) {
    if (backend === 'native') return null;
    if (asked === 'ts' || asked === 'wasm') return `POSELANE_BACKEND=${asked}`;
    if (nativeLoadError !== null && findCompiler() === null) return 'no C++ compiler';
    const cause = nativeLoadError ?? undefined;
    throw new Error(`the addon is not what would be tested: ${cause?.message ?? `POSELANE_BACKEND=${asked}`}`, {
        cause,
    });
}

module.exports = { withoutAddon };
