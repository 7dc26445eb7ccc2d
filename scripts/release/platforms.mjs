// SPDX-License-Identifier: MIT

/** prebuilds/platforms.json: for which platforms the npm package has an addon, and what must be in each. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../lib.mjs';

export const PLATFORMS = JSON.parse(fs.readFileSync(path.join(root, 'prebuilds/platforms.json'), 'utf8'));

const [BEGIN, END] = ['<!-- platforms -->', '<!-- /platforms -->'];

function table() {
    const rows = Object.entries(PLATFORMS).map(([platform, { name, prebuilt, implementations }]) => {
        const best = implementations[0].startsWith('strict/') ? implementations[0] : '';
        return `| ${name} (\`${platform}\`) | ${prebuilt ? `prebuilt, up to \`${best}\`` : 'fallback, or built from source'} |`;
    });
    return [
        '| platform | in the npm package |',
        '|---|---|',
        ...rows,
        '| anything else with Node 20 or later | fallback |',
    ].join('\n');
}

/** The README with its table of platforms made anew. */
export function readmeWithTable(text) {
    const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
    if (before < 0 || after < before) throw new Error(`README.md has no ${BEGIN} … ${END}`);
    return `${text.slice(0, before + BEGIN.length)}\n${table()}\n${text.slice(after)}`;
}
