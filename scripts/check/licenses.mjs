// SPDX-License-Identifier: MIT

/**
 * npm run check:licenses: every source file names its license. The notice of the 2005 listings is in each file under the LGPL and in no
 * other. No file for browsers imports a file under the LGPL, directly or through others; imports of types do not count.
 *
 * --folder path: of another working tree.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { endWith, listFiles, root as ownRoot } from '../lib.mjs';

const { values: options } = parseArgs({ options: { folder: { type: 'string' } } });
const root = options.folder ?? ownRoot;

const SOURCE = /\.(ts|mts|js|mjs|cjs|cpp|c|h|S|inc|cmake)$|^CMakeLists\.txt$|^\.ci\/run$/;
/** Files for browsers. */
const BROWSER =
    /^lib\/((browser|typescript|webassembly|table|three|babylon|report\/page|strict|rig\/kernels)\/.*\.ts|lists\/functions\.ts)$/;
const LGPL = 'LGPL-2.1-or-later';
const SPDX = /SPDX-License-Identifier: (\S+)/;

const files = listFiles(root).filter((file) => SOURCE.test(file));

const faults = [];
const licenses = new Map();
for (const file of files) {
    const head = fs.readFileSync(path.join(root, file), 'utf8').split('\n').slice(0, 30).join('\n');
    const license = SPDX.exec(head.split('\n').slice(0, 3).join('\n'))?.[1];
    const notice = head.split('\n').some((line) => /^[\s/*#]*Copyright \(C\) 2005 Id Software, Inc\./.test(line));
    licenses.set(file, license);
    if (license !== 'MIT' && license !== LGPL) {
        faults.push(`${file}: no SPDX line in the first three lines (found ${license ?? 'none'})`);
    } else if ((license === LGPL) !== notice) {
        faults.push(`${file}: ${license}, but ${notice ? "it carries id's notice" : "id's notice is missing"}`);
    }
}

const forBrowsers = files.filter((file) => BROWSER.test(file));
/** Esbuild leaves out imports of types, and fails where an import leads nowhere. */
const { inputs } = buildSync({
    absWorkingDir: root,
    entryPoints: forBrowsers,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    packages: 'external',
    outdir: root,
    write: false,
    metafile: true,
}).metafile;

/** The imports that lead from a file to the nearest file under the LGPL, both included; null if none does. */
function wayToLgpl(file, seen = new Set()) {
    if (licenses.get(file) === LGPL) return [file];
    if (seen.has(file)) return null;
    seen.add(file);
    for (const { path: imported } of inputs[file].imports.filter(({ external }) => !external)) {
        const way = wayToLgpl(imported, seen);
        if (way) return [file, ...way];
    }
    return null;
}

for (const file of forBrowsers) {
    const way = wayToLgpl(file);
    if (way) faults.push(`${file}: reaches a file under the LGPL: ${way.join(' -> ')}`);
}

if (files.length === 0) faults.push('there are no files');
const checked = `${files.length} files, ${forBrowsers.length} for browsers checked`;
endWith(faults, 'licenses', `${checked}, ${faults.length} faults`);
