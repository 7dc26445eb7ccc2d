// SPDX-License-Identifier: MIT

/** Before a release is built, the check of its version reports another tag, a missing date and another repository. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const SCRIPT = path.join(__dirname, '../../../../scripts/check/version.mjs');
const folder = scratchFolder();

test.each([
    ['v1.2.3', '## [1.2.3] - 2026-12-01', 'some/where', []],
    [
        'v1.2.4',
        '## [1.2.30] - 2026-12-01',
        'else/where',
        [/^version: the tag is 'v1\.2\.4'/, /no heading '## \[1\.2\.3\] - /, /needs repository\.url .*else\/where/],
    ],
])('tag %s, heading %s, repository %s', (tag, heading, repository, faults) => {
    const manifest = { version: '1.2.3', repository: { url: 'git+https://github.com/some/where.git' } };
    fs.writeFileSync(path.join(folder(), 'package.json'), JSON.stringify(manifest));
    fs.writeFileSync(path.join(folder(), 'CHANGELOG.md'), `# Changelog\n\n${heading}\n`);
    const { status, stderr } = runNode([SCRIPT, '--tag', tag, '--repository', repository, '--folder', folder()]);
    expect(status).toBe(faults.length === 0 ? 0 : 1);
    expect(stderr.split('\n').slice(0, -1)).toEqual(faults.map((fault) => expect.stringMatching(fault)));
});
