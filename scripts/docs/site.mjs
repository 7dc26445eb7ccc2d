// SPDX-License-Identifier: MIT

/**
 * npm run docs:site: the guides and the API as a site, in build/site (start at index.html), by TypeDoc. Fails where a public
 * symbol lacks something (scripts/check/docs.mjs), or where a link or picture of the site leads nowhere.
 *
 * --check: the checks alone, of a site that is there.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { faultsOf } from '../check/docs.mjs';
import { root } from '../lib.mjs';
import { deadLinks, pagesIn } from './site/links.mjs';
import { showSources } from './site/sources.mjs';

const site = path.join(root, 'build/site');
const api = path.join(root, 'build/site-api.json');
/** TypeDoc needs an older TypeScript than the library. */
const PACKAGES = ['typedoc@0.28.20', 'typescript@6.0.3'];

if (!process.argv.includes('--check')) {
    fs.rmSync(site, { recursive: true, force: true });
    const args = [
        '--yes',
        ...PACKAGES.flatMap((name) => ['-p', name]),
        'typedoc',
        '--options',
        'docs/site/typedoc.json',
    ];
    // On Windows npx is a script, which needs a shell.
    const { status, error } = spawnSync('npx', args, {
        cwd: root,
        stdio: 'inherit',
        shell: process.platform === 'win32',
    });
    if (error || status !== 0) {
        console.error(`docs: npx ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
        process.exit(1);
    }
    showSources(site);
}

const { faults, symbols } = faultsOf(JSON.parse(fs.readFileSync(api, 'utf8')));
for (const fault of faults) console.error(`docs: ${fault}`);
const pages = pagesIn(site);
const { dead, links } = deadLinks(site, pages);
for (const { page, link } of dead) console.error(`docs: ${page} links to ${link}, which is not there`);
console.log(
    `docs: ${symbols} public symbols, ${faults.length} faults; ${pages.length} pages, ${links} links, ${dead.length} dead`,
);
console.log(`docs: ${path.join(path.relative(process.cwd(), site), 'index.html')}`);
process.exit(faults.length + dead.length === 0 && links > 0 && symbols > 0 ? 0 : 1);
