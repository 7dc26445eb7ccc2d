// SPDX-License-Identifier: MIT

/**
 * Bundles the command, its worker and that of `reduceFile` into one file each, because loading two hundred small files takes longer than a
 * small bake. A small file in front of each bundle makes Node 22 store its compiled code, which halves the time that loading takes.
 */

import * as fs from 'node:fs';
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
        const file = path.join(root, 'dist', `${entry}.js`);
        const bundle = path.join(root, 'dist', `${entry}.bundle.js`);
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
            outfile: bundle,
        });
        fs.writeFileSync(file, entryOf(path.basename(bundle)));
    }
}

/** Node stores code that is compiled after this call, in the folder for temporary files, unless NODE_DISABLE_COMPILE_CACHE is set. */
function entryOf(bundle) {
    return `#!/usr/bin/env node
// SPDX-License-Identifier: MIT
'use strict';
require('node:module').enableCompileCache?.();
module.exports = require('./${bundle}');
`;
}
