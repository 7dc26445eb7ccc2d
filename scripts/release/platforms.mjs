// SPDX-License-Identifier: MIT

/** prebuilds/platforms.json: platforms of the npm package, the implementations in each addon, and how it was tested. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../lib.mjs';

export const PLATFORMS = JSON.parse(fs.readFileSync(path.join(root, 'prebuilds/platforms.json'), 'utf8'));

const [BEGIN, END] = ['<!-- platforms -->', '<!-- /platforms -->'];
const WITHOUT = 'none: the fallback, or built from source';

function table() {
    const rows = Object.entries(PLATFORMS).map(([platform, { name, prebuilt, tested, implementations }]) => {
        const best = implementations[0].startsWith('strict/') ? implementations[0] : '';
        const addon = prebuilt ? `prebuilt, up to \`${best}\`` : WITHOUT;
        return `| ${name} (\`${platform}\`) | ${addon} | ${tested} |`;
    });
    return [
        '| platform | addon in the npm package | tested so far |',
        '|---|---|---|',
        ...rows,
        `| anything else with Node 20 or later | ${WITHOUT} | not yet |`,
    ].join('\n');
}

/** docs/install.md with a new table of platforms. */
export function withTable(text) {
    const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
    if (before < 0 || after < before) throw new Error(`docs/install.md has no ${BEGIN} … ${END}`);
    return `${text.slice(0, before + BEGIN.length)}\n${table()}\n${text.slice(after)}`;
}
