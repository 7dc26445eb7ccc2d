// SPDX-License-Identifier: MIT

/**
 * Bundles the command, its worker and that of `reduceFile` into one file each, because loading two hundred small files takes longer than a
 * small bake.
 */

import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../lib.mjs';

const NOTICE = [
    'SPDX-License-Identifier: LGPL-2.1-or-later',
    'Bundle of the files beside it, each with its own license. Ports of the listings of 2005 in it are',
    'Copyright (C) 2005 Id Software, Inc. See LICENSE.',
];

export function bundleCommand() {
    for (const entry of ['cli/main', 'cli/worker', 'reduce/worker']) {
        buildSync({
            // Not from dist: esbuild leaves out unused functions of ES modules only.
            entryPoints: [path.join(root, 'lib', `${entry}.ts`)],
            bundle: true,
            // Other packages are loaded when they are needed.
            packages: 'external',
            platform: 'node',
            format: 'cjs',
            target: 'node20',
            charset: 'ascii',
            minifyWhitespace: true,
            minifySyntax: true,
            banner: { js: `/*\n * ${NOTICE.join('\n * ')}\n */` },
            outfile: path.join(root, 'dist', `${entry}.js`),
        });
    }
}
