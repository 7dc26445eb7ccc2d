// SPDX-License-Identifier: MIT

/**
 * npm run check:licences: every source file names its licence, and the notice of the 2005 listings stands exactly where
 * it is owed: in each file under the LGPL, and in no other.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from './lib.mjs';

const SOURCE = /\.(ts|mts|js|mjs|cjs|cpp|c|h|S|inc|cmake)$|^CMakeLists\.txt$|^\.ci\/run$/;
const SPDX = /SPDX-License-Identifier: (\S+)/;

const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
});
if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
const files = listed.stdout.split('\n').filter((file) => SOURCE.test(file) && fs.existsSync(path.join(root, file)));

const faults = [];
for (const file of files) {
    const head = fs.readFileSync(path.join(root, file), 'utf8').split('\n').slice(0, 30).join('\n');
    const licence = SPDX.exec(head.split('\n').slice(0, 3).join('\n'))?.[1];
    const notice = head.split('\n').some((line) => /^[\s/*#]*Copyright \(C\) 2005 Id Software, Inc\./.test(line));
    if (licence !== 'MIT' && licence !== 'LGPL-2.1-or-later') {
        faults.push(`${file}: no SPDX line in the first three lines (found ${licence ?? 'none'})`);
    } else if ((licence === 'LGPL-2.1-or-later') !== notice) {
        faults.push(`${file}: ${licence}, but ${notice ? "it carries id's notice" : "id's notice is missing"}`);
    }
}
for (const fault of faults) console.error(fault);
console.log(`licences: ${files.length} files checked, ${faults.length} faults`);
process.exit(faults.length === 0 && files.length > 0 ? 0 : 1);
