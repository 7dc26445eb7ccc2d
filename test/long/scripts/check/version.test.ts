// SPDX-License-Identifier: MIT

/** What a release needs of package.json and the change log is asked before anything is built. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runNode } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const SCRIPT = path.join(__dirname, '../../../../scripts/check/version.mjs');
const folder = scratchFolder();

const GOOD = { version: '1.2.3', repository: { type: 'git', url: 'git+https://github.com/some/where.git' } };
const LOG = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n\n- All.\n';

function faultsOf(manifest: object, changelog: string, tag = 'v1.2.3', repository = 'some/where'): string[] {
    fs.writeFileSync(path.join(folder(), 'package.json'), JSON.stringify(manifest));
    fs.writeFileSync(path.join(folder(), 'CHANGELOG.md'), changelog);
    const options = ['--tag', tag, '--repository', repository, '--folder', folder()];
    const { status, stderr } = runNode([SCRIPT, ...options]);
    expect(status).toBe(stderr === '' ? 0 : 1);
    return stderr.split('\n').slice(0, -1);
}

test('passes where all is said', () => {
    expect(faultsOf(GOOD, LOG)).toEqual([]);
    expect(faultsOf({ ...GOOD, repository: 'github:some/where' }, LOG)).toEqual([]);
});

test('finds another version, a version without a date, and another or no repository', () => {
    expect(faultsOf(GOOD, LOG, 'v1.2.4')).toEqual(["version: the tag is 'v1.2.4', package.json has version 1.2.3"]);
    for (const heading of ['## [1.2.3], to be', '## [1.2.30] - 2026-12-01', '## [1.2.3] - soon']) {
        expect(faultsOf(GOOD, LOG.replace(/## \[1.*/, heading))).toEqual([
            "version: CHANGELOG.md has no heading '## [1.2.3] - <year>-<month>-<day>'",
        ]);
    }
    for (const repository of [undefined, 'github:some/where-else', { url: 'https://elsewhere.org/some/where' }]) {
        expect(faultsOf({ ...GOOD, repository }, LOG)).toEqual([
            expect.stringContaining("needs repository.url 'git+https://github.com/some/where.git'"),
        ]);
    }
});
