// SPDX-License-Identifier: MIT

/**
 * npm run docs:site: the guides and the API as a site, in build/site (start at index.html), by TypeDoc. Fails where a public
 * symbol lacks something (scripts/check/docs.mjs), or where a link or picture of the site leads nowhere.
 *
 * TypeDoc needs an older TypeScript than the library, so it has a package.json of its own, in docs/site; its packages are installed
 * there when they are missing.
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

const tools = path.join(root, 'docs/site');
const site = path.join(root, 'build/site');
const api = path.join(root, 'build/site-api.json');

function run(command, args, options = {}) {
    const { status, error } = spawnSync(command, args, { cwd: tools, stdio: 'inherit', ...options });
    if (error || status !== 0) {
        console.error(`docs: ${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
        process.exit(1);
    }
}

/** npm keeps a copy of the lock that it installed from. */
function isInstalled() {
    const kept = path.join(tools, 'node_modules/.package-lock.json');
    return (
        fs.existsSync(kept) && fs.statSync(kept).mtimeMs >= fs.statSync(path.join(tools, 'package-lock.json')).mtimeMs
    );
}

if (!process.argv.includes('--check')) {
    // On Windows npm is a script, which needs a shell.
    if (!isInstalled()) run('npm', ['ci', '--no-fund', '--no-audit'], { shell: process.platform === 'win32' });
    fs.rmSync(site, { recursive: true, force: true });
    run(process.execPath, [path.join(tools, 'node_modules/typedoc/bin/typedoc'), '--options', tools]);
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
