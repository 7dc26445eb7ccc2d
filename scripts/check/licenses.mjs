// SPDX-License-Identifier: MIT

/**
 * npm run check:licenses: every source file names its license. The notice of the 2005 listings is in each file under the LGPL and in no
 * other. In lib these are only the files of lib/papers, which no bundle for browsers contains: test/browser/bundle.test.ts.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { endWith, listFiles, root } from '../lib.mjs';

const SOURCE = /\.(ts|mts|js|mjs|cjs|cpp|c|h|S|inc|cmake|gd|gdshader)$|^CMakeLists\.txt$|^\.ci\/run$/;
const LGPL = 'LGPL-2.1-or-later';
const SPDX = /SPDX-License-Identifier: (\S+)/;

const files = listFiles().filter((file) => SOURCE.test(file));

const faults = [];
for (const file of files) {
    const head = fs.readFileSync(path.join(root, file), 'utf8').split('\n').slice(0, 30).join('\n');
    const license = SPDX.exec(head.split('\n').slice(0, 3).join('\n'))?.[1];
    const notice = head.split('\n').some((line) => /^[\s/*#]*Copyright \(C\) 2005 Id Software, Inc\./.test(line));
    if (license !== 'MIT' && license !== LGPL) {
        faults.push(`${file}: no SPDX line in the first three lines (found ${license ?? 'none'})`);
    } else if ((license === LGPL) !== notice) {
        faults.push(`${file}: ${license}, but ${notice ? "it carries id's notice" : "id's notice is missing"}`);
    } else if (license === LGPL && /^lib\/(?!papers\/)/.test(file)) {
        faults.push(`${file}: ${LGPL}, but not in lib/papers`);
    }
}

if (files.length === 0) faults.push('there are no files');
endWith(faults, 'licenses', `${files.length} files checked, ${faults.length} faults`);
