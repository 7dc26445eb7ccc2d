// SPDX-License-Identifier: MIT

/** That state which threads would share is found, in what the tools print. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';

function load(): { writableState(symbols: string, sections: string): string[] } {
    const source = readFileSync(join(__dirname, '../../../scripts/check/state.mjs'), 'utf8');
    const { code } = transformSync(source, { module: { type: 'commonjs' }, jsc: { target: 'es2022' } });
    const module = { exports: {} as ReturnType<typeof load> };
    new Function('module', 'exports', code)(module, module.exports);
    return module.exports;
}

const { writableState } = load();

const SYMBOLS = `
00000000001161b0 l    d  .data	0000000000000000              .data
00000000001161b8 l     O .bss	0000000000000001              completed.0
00000000001161b0 l     O .data	0000000000000000              __dso_handle
0000000000115da0 l     O .data.rel.ro	00000000000000c0      poselane::kPaperC
`;
const SECTIONS = `
  [19] .data.rel.ro      PROGBITS        0000000000115140 115140 000c98 00  WA  0   0 32
  [23] .data             PROGBITS        00000000001161b0 1161b0 000008 00  WA  0   0  8
  [24] .bss              NOBITS          00000000001161b8 1161b8 000008 00  WA  0   0  1
`;

test('an addon without state', () => expect(writableState(SYMBOLS, SECTIONS)).toEqual([]));

test.each(['.data', '.bss', '.tbss', '.tdata'])('a variable in %s', (section) => {
    const line = `00000000001161c0 l     O ${section}	0000000000000004              _ZN8poselane5countE\n`;
    expect(writableState(SYMBOLS + line, SECTIONS)).toEqual([
        `_ZN8poselane5countE in ${section} can be written, by all threads and contexts`,
    ]);
});

test('the same where the names were stripped', () => {
    const sections = SECTIONS.replace('000008 00  WA  0   0  1', '001000 00  WA  0   0  1');
    expect(writableState('', sections)).toEqual(['.bss has 4096 bytes that can be written']);
});
