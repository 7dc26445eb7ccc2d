// SPDX-License-Identifier: MIT

/**
 * npm run check:licences: every source file names its licence, and the notice of the 2005 listings stands exactly where
 * it is owed: in each file under the LGPL, and in no other. And nothing that is to run in a browser imports a file under
 * the LGPL, itself or through others; imports of types alone, which leave nothing in the program, do not count. Nor does
 * what verifies bakes and reduced files import anything of what makes them: a fault that both shared could not be found. Files are read and
 * decompressed in one way, which three files of the verifier may ask for, and nodes of two files are told by their names in one, lib/clips.
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
/** What browsers are given. */
const BROWSER =
    /^lib\/((browser|typescript|webassembly|table|three|babylon|report\/page|strict|rig\/kernels)\/.*\.ts|lists\/functions\.ts)$/;
/** What verifies, and what it is to judge. */
const VERIFIER = /^lib\/verify\//;
const JUDGED = /^lib\/(bake|reduce|rig|strict|papers|lists|table|addon|numbers)\//;
const READER = /^lib\/gltf\//;
const MAY_READ = /^lib\/verify\/(gltf|bake|clips)-file\.ts$/;
const LGPL = 'LGPL-2.1-or-later';
const SPDX = /SPDX-License-Identifier: (\S+)/;

const files = listFiles(root).filter((file) => SOURCE.test(file));

const faults = [];
const licences = new Map();
for (const file of files) {
    const head = fs.readFileSync(path.join(root, file), 'utf8').split('\n').slice(0, 30).join('\n');
    const licence = SPDX.exec(head.split('\n').slice(0, 3).join('\n'))?.[1];
    const notice = head.split('\n').some((line) => /^[\s/*#]*Copyright \(C\) 2005 Id Software, Inc\./.test(line));
    licences.set(file, licence);
    if (licence !== 'MIT' && licence !== LGPL) {
        faults.push(`${file}: no SPDX line in the first three lines (found ${licence ?? 'none'})`);
    } else if ((licence === LGPL) !== notice) {
        faults.push(`${file}: ${licence}, but ${notice ? "it carries id's notice" : "id's notice is missing"}`);
    }
}

const forBrowsers = files.filter((file) => BROWSER.test(file));
const verifiers = files.filter((file) => VERIFIER.test(file));
/**
 * What they import when they run, and so on: by esbuild, which makes the ES modules for browsers, leaves types out, and fails where an
 * import leads nowhere.
 */
const importsOf = (platform, entryPoints) =>
    buildSync({
        absWorkingDir: root,
        entryPoints,
        bundle: true,
        splitting: true,
        format: 'esm',
        platform,
        packages: 'external',
        outdir: root,
        write: false,
        metafile: true,
    }).metafile.inputs;

/** The way from a file to the nearest that is wanted, both included; null where there is none. */
function wayTo(inputs, isWanted, file, seen = new Set()) {
    if (isWanted(file)) return [file];
    if (seen.has(file)) return null;
    seen.add(file);
    for (const { path: imported } of inputs[file].imports.filter(({ external }) => !external)) {
        const way = wayTo(inputs, isWanted, imported, seen);
        if (way) return [file, ...way];
    }
    return null;
}

const inBrowsers = importsOf('browser', forBrowsers);
for (const file of forBrowsers) {
    const way = wayTo(inBrowsers, (other) => licences.get(other) === LGPL, file);
    if (way) faults.push(`${file}: reaches a file under the LGPL: ${way.join(' -> ')}`);
}
const inNode = importsOf('node', verifiers);
for (const file of verifiers) {
    const way = wayTo(inNode, (other) => JUDGED.test(other), file);
    if (way) faults.push(`${file}: reaches what it is to judge: ${way.join(' -> ')}`);
    if (MAY_READ.test(file)) continue;
    for (const { path: imported } of inNode[file].imports) {
        if (READER.test(imported)) faults.push(`${file}: imports the baker's reader: ${imported}`);
    }
}

if (files.length === 0) faults.push('there are no files');
const checked = `${files.length} files, ${verifiers.length} that verify and ${forBrowsers.length} for browsers checked`;
endWith(faults, 'licences', `${checked}, ${faults.length} faults`);
