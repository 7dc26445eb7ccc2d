// SPDX-License-Identifier: MIT

/**
 * Makes one file of all that the command needs of this package, and one of what its threads need: to look up, read and
 * compile two hundred small files takes longer than a small bake. dist/cli/main.js and its worker.js become a few lines
 * that load these; the files that they are made of stay for the library.
 *
 * Beside each lies what V8 made of it, for the same Node and processor to take up: another one makes its own again. V8
 * knows its own version in it, but not the processor that it was made for (what x64 wrote, arm64 takes up and runs
 * wrongly), so that is in the file's name.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../lib.mjs';

const NOTICE = [
    'SPDX-License-Identifier: LGPL-2.1-or-later',
    'Made of the files beside it, each with its own licence; the ports of the listings of 2005 among them are',
    'Copyright (C) 2005 Id Software, Inc. See LICENSE.',
];

/** What dist/cli/main.js becomes: this function, called with the name of the bundle. */
function loadBundle(name) {
    const { readFileSync } = require('node:fs');
    const { Script } = require('node:vm');
    const filename = `${__dirname}/${name}.js`;
    let cachedData;
    try {
        cachedData = readFileSync(`${__dirname}/${name}.${process.platform}-${process.arch}.cache`);
    } catch {
        // It is a matter of milliseconds.
    }
    const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
    // An import() of its own would need an experimental option, and fail in code out of a cache.
    const importModule = (specifier) => import(specifier);
    script.runInThisContext()(exports, require, module, __filename, __dirname, importModule);
    return script;
}

/** @returns Whether V8's code could be kept as well. */
export function bundleCommand() {
    let cached = true;
    for (const entry of ['main', 'worker']) {
        const file = path.join(root, 'dist/cli', `${entry}.js`);
        const bundle = `${entry}.bundle`;
        const { outputFiles } = buildSync({
            entryPoints: [file],
            bundle: true,
            // Other packages are loaded as ever, and only where they are needed.
            packages: 'external',
            platform: 'node',
            format: 'cjs',
            target: 'node20',
            // So that a byte is a character.
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

/** Keeps what V8 has compiled once a small file has been baked: all that is called then, and nothing else. */
function cacheCode(file, bundle) {
    const script = path.join(root, 'scripts/build/cache-code.cjs');
    const example = path.join(root, 'examples/character.glb');
    const { status, stderr } = spawnSync(process.execPath, [script, file, bundle, example], { encoding: 'utf8' });
    if (status !== 0) process.stderr.write(`build: the command will start a little slower: ${stderr}\n`);
    return status === 0;
}
