// SPDX-License-Identifier: MIT

/**
 * node test/long/browsers.mjs: the golden bits of all routines and of the Rig in Debian's browsers, by the package's entry for browsers.
 * Build first (npm run build).
 *
 * Options: --only "Firefox,Chromium", --required (a browser that is not installed is a failure).
 */

import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { BROWSERS, runInBrowser } from '../../scripts/browsers.mjs';
import { root, tryStarted } from '../../scripts/lib.mjs';
import { goldenFaults } from './sweep/emulated.mjs';

const { values: options } = parseArgs({
    options: { only: { type: 'string' }, required: { type: 'boolean', default: false } },
});

function bundle() {
    const { outputFiles } = buildSync({
        entryPoints: [path.join(root, 'test/long/browsers/page.mjs')],
        alias: { 'node:crypto': path.join(root, 'test/long/browsers/crypto.mjs') },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        logLevel: 'error',
    });
    return outputFiles[0].text;
}

const code = bundle();
let failed = 0;
for (const name of options.only?.split(',') ?? Object.keys(BROWSERS)) {
    failed += await tryStarted(name, options.required, BROWSERS[name].find, async () => {
        const { userAgent, value } = await runInBrowser(name, code);
        return {
            faults: goldenFaults(value, ['strict/wasm']),
            done: `golden bits (${/(Firefox|Chrome)\/[\d.]+/.exec(userAgent)[0]}, ${value.implementation})`,
        };
    });
}
process.exit(failed === 0 ? 0 : 1);
