// SPDX-License-Identifier: MIT

/**
 * Bundles the command and its worker into one file each, because loading two hundred small files takes longer than a small bake.
 * dist/cli/main.js and worker.js become a few lines that load the bundles.
 *
 * Beside each bundle is V8's code cache of it. V8 rejects a cache of another version, but not of another processor, so the file's name has
 * the processor. On Node 20 a bake of the example takes 597 ms of processor time without the bundle, 409 with it, 343 with the cache too.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../lib.mjs';

const NOTICE = [
    'SPDX-License-Identifier: LGPL-2.1-or-later',
    'Bundle of the files beside it, each with its own license. Ports of the listings of 2005 in it are',
    'Copyright (C) 2005 Id Software, Inc. See LICENSE.',
];

/** The code of dist/cli/main.js, which calls this function with the name of the bundle. */
function loadBundle(name) {
    const { readFileSync } = require('node:fs');
    const { Script } = require('node:vm');
    const filename = `${__dirname}/${name}.js`;
    let cachedData;
    try {
        cachedData = readFileSync(`${__dirname}/${name}.${process.platform}-${process.arch}.cache`);
    } catch {
        // The start is slower without it.
    }
    const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
    // An import() of its own would need an experimental option, and fail in code out of a cache.
    const importModule = (specifier) => import(specifier);
    script.runInThisContext()(exports, require, module, __filename, __dirname, importModule);
    return script;
}

/** @returns Whether the code cache was made. */
export function bundleCommand() {
    let cached = true;
    for (const entry of ['main', 'worker']) {
        const file = path.join(root, 'dist/cli', `${entry}.js`);
        const bundle = `${entry}.bundle`;
        const { outputFiles } = buildSync({
            entryPoints: [file],
            bundle: true,
            // Other packages are loaded when they are needed.
            packages: 'external',
            platform: 'node',
            format: 'cjs',
            target: 'node20',
            // One byte is one character.
            charset: 'ascii',
            minifyWhitespace: true,
            minifySyntax: true,
            write: false,
            outfile: file,
        });
        const [first, ...rest] = outputFiles[0].text.split('\n');
        const hashbang = first.startsWith('#!') ? `${first}\n` : '';
        const code = hashbang === '' ? outputFiles[0].text : rest.join('\n');
        const notice = `/*\n * ${NOTICE.join('\n * ')}\n */\n`;
        // As Node wraps modules.
        const imports = code.replace(/\bimport\(/g, 'importModule(');
        const wrapped = `(function (exports, require, module, __filename, __dirname, importModule) {${imports}\n})`;
        fs.writeFileSync(path.join(root, 'dist/cli', `${bundle}.js`), `${notice}${wrapped}\n`);
        const stub = `${hashbang}// SPDX-License-Identifier: MIT\n'use strict';\n`;
        fs.writeFileSync(file, `${stub}${loadBundle}\nloadBundle('${bundle}');\n`);
        cached = cacheCode(file, bundle) && cached;
    }
    return cached;
}

/** Makes the code cache of the functions that a bake of a small file calls. */
function cacheCode(file, bundle) {
    const script = path.join(root, 'scripts/build/cache-code.cjs');
    const example = path.join(root, 'examples/character.glb');
    const { status, stderr } = spawnSync(process.execPath, [script, file, bundle, example], { encoding: 'utf8' });
    if (status !== 0) process.stderr.write(`build: the command will start a little slower: ${stderr}\n`);
    return status === 0;
}
