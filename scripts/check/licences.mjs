// SPDX-License-Identifier: MIT

/**
 * npm run check:licences: every source file names its licence, and the notice of the 2005 listings stands exactly where
 * it is owed: in each file under the LGPL, and in no other. And nothing that is to run in a browser imports a file under
 * the LGPL, itself or through others; imports of types alone, which leave nothing in the program, do not count. Nor does
 * what verifies bakes import anything of what makes them: a fault that both shared could not be found. Files are read and
 * decompressed in one way; two files of the verifier may ask for that.
 *
 * --folder path: of another working tree.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root as ownRoot } from '../lib.mjs';
import { importsOf } from './imports.mjs';

const { values: options } = parseArgs({ options: { folder: { type: 'string' } } });
const root = options.folder ?? ownRoot;

const SOURCE = /\.(ts|mts|js|mjs|cjs|cpp|c|h|S|inc|cmake)$|^CMakeLists\.txt$|^\.ci\/run$/;
/** What browsers are given. */
const BROWSER = /^lib\/((browser|table|three|babylon|strict|rig\/kernels)\/.*\.ts|lists\/functions\.ts)$/;
/** What verifies, and what it is to judge. */
const VERIFIER = /^lib\/verify\//;
const JUDGED = /^lib\/(bake|rig|strict|papers|lists|table|addon|numbers)\//;
const READER = /^lib\/gltf\//;
const MAY_READ = /^lib\/verify\/(gltf|bake)-file\.ts$/;
const LGPL = 'LGPL-2.1-or-later';
const SPDX = /SPDX-License-Identifier: (\S+)/;

const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
});
if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
const files = listed.stdout.split('\n').filter((file) => SOURCE.test(file) && fs.existsSync(path.join(root, file)));

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

const imports = new Map();
/** Of a file that many ways lead through. */
function importsOnce(file) {
    if (!imports.has(file)) imports.set(file, importsOf(root, file));
    return imports.get(file);
}

/** The way from a file to the nearest that is wanted, both included; null where there is none. */
function wayTo(isWanted, file, seen = new Set()) {
    if (isWanted(file)) return [file];
    if (seen.has(file)) return null;
    seen.add(file);
    for (const imported of importsOnce(file)) {
        const way = wayTo(isWanted, imported, seen);
        if (way) return [file, ...way];
    }
    return null;
}

const forBrowsers = files.filter((file) => BROWSER.test(file));
for (const file of forBrowsers) {
    const way = wayTo((other) => licences.get(other) === LGPL, file);
    if (way) faults.push(`${file}: reaches a file under the LGPL: ${way.join(' -> ')}`);
}
const verifiers = files.filter((file) => VERIFIER.test(file));
for (const file of verifiers) {
    const way = wayTo((other) => JUDGED.test(other), file);
    if (way) faults.push(`${file}: reaches what it is to judge: ${way.join(' -> ')}`);
    if (MAY_READ.test(file)) continue;
    for (const imported of importsOnce(file)) {
        if (READER.test(imported)) faults.push(`${file}: imports the baker's reader: ${imported}`);
    }
}

for (const fault of faults) console.error(fault);
const checked = `${files.length} files, ${verifiers.length} that verify and ${forBrowsers.length} for browsers checked`;
console.log(`licences: ${checked}, ${faults.length} faults`);
process.exit(faults.length === 0 && files.length > 0 ? 0 : 1);
