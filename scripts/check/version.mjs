// SPDX-License-Identifier: MIT

/**
 * node scripts/check/version.mjs --tag v1.2.3 --repository owner/name [--folder .]: checks, before a release is built, that
 * the tag is the version, that the change log has its date, and that package.json names the publishing repository.
 * Otherwise npm rejects the provenance in the very last step, and the README's links are broken on npmjs.com.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { endWith, root } from '../lib.mjs';

const { values: options } = parseArgs({
    options: {
        tag: { type: 'string', default: '' },
        repository: { type: 'string', default: '' },
        folder: { type: 'string', default: root },
    },
});
const read = (name) => fs.readFileSync(path.join(options.folder, name), 'utf8');
const { version, repository } = JSON.parse(read('package.json'));
const faults = [];

if (options.tag !== `v${version}`) faults.push(`the tag is '${options.tag}', package.json has version ${version}`);
const dated = read('CHANGELOG.md')
    .split('\n')
    .some((line) => line.startsWith(`## [${version}] - `) && / \d{4}-\d{2}-\d{2}$/.test(line));
if (!dated) faults.push(`CHANGELOG.md has no heading '## [${version}] - <year>-<month>-<day>'`);
const url = repository?.url ?? repository ?? '';
const named = /github(?:\.com)?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url)?.[1];
if (named === undefined || named !== options.repository) {
    faults.push(`package.json needs repository.url 'git+https://github.com/${options.repository}.git', has '${url}'`);
}

endWith(faults, 'version');
