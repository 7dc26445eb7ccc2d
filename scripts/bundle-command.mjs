// SPDX-License-Identifier: MIT

/**
 * Makes one file of all that the command needs of this package, and one of what its threads need: to look up, read and
 * compile two hundred small files takes longer than a small bake. They replace dist/cli/main.js and its worker.js; the
 * files that they are made of stay for the library.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from './lib.mjs';

const NOTICE = [
    'SPDX-License-Identifier: LGPL-2.1-or-later',
    'Made of the files beside it, each with its own licence; the ports of the listings of 2005 among them are',
    'Copyright (C) 2005 Id Software, Inc. See LICENSE.',
];

export function bundleCommand() {
    for (const entry of ['cli/main.js', 'cli/worker.js']) {
        const file = path.join(root, 'dist', entry);
        const { outputFiles } = buildSync({
            entryPoints: [file],
            bundle: true,
            // Other packages are loaded as ever, and only where they are needed.
            packages: 'external',
            platform: 'node',
            format: 'cjs',
            target: 'node20',
            minifyWhitespace: true,
            minifySyntax: true,
            write: false,
            outfile: file,
        });
        const [first, ...rest] = outputFiles[0].text.split('\n');
        const hashbang = first.startsWith('#!') ? `${first}\n` : '';
        const code = hashbang === '' ? outputFiles[0].text : rest.join('\n');
        fs.writeFileSync(file, `${hashbang}/*\n * ${NOTICE.join('\n * ')}\n */\n${code}`);
    }
}
