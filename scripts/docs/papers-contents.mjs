// SPDX-License-Identifier: MIT

/**
 * Writes docs/tables/papers-contents.md from papers-contents.json: all that the five documents contain. Fails where a file,
 * a name in it, a test or a command is gone.
 *
 *     node scripts/docs/papers-contents.mjs            writes the page
 *     node scripts/docs/papers-contents.mjs --check    fails where the page is another one
 *
 * A row, by `|`: what; its place in the document; names in the code, `file: name`, or alone where they are in the
 * document's `source`; `test: part of a title`; one of COMMANDS, or nothing for that of the test; the routines of poselane.
 * Where there is no code a row ends with `gap: why` instead.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { endWith, root } from '../lib.mjs';

const PAGE = 'docs/tables/papers-contents.md';
/** The commands, and what has to be in which file for each. */
const COMMANDS = {
    bench: ['npx poselane bench --papers', 'lib/cli/bench.ts', "'--papers"],
    accuracy: ['npm run accuracy', 'package.json', '"accuracy":'],
    table: ['node scripts/docs/eberly-table.mjs', 'scripts/docs/eberly-table.mjs', ''],
    figures: ['node scripts/docs/eberly-table.mjs --figures', 'scripts/docs/eberly-table.mjs', 'figures: {'],
    variants: ['node bench/variants/papers/run.mjs', 'bench/variants/papers/run.mjs', ''],
};
/** Where the files are that rows name. */
const FOLDERS = [
    ...['lib/papers', 'lib/bench', 'native/papers', 'native/papers/test_only', 'native/core'],
    ...['bench/variants/papers', 'scripts/docs', 'test/oracle'],
];

const faults = [];
/** The text of a file; it has to have this in it. */
function expectIn(file, has, what) {
    const whole = path.join(root, file);
    if (!existsSync(whole) || !has(readFileSync(whole, 'utf8'))) faults.push(`no ${what} in ${file}`);
}

const link = (words, file) => `[${words}](../../${file})`;

function codeOf(reference, source) {
    const [, name, symbol] = /^(?:(\S+): )?(\S+)$/.exec(reference);
    const folder = FOLDERS.find((one) => existsSync(path.join(root, one, name ?? '')));
    const file = name ? `${folder}/${name}` : source;
    expectIn(file, (text) => symbol.split('::').every((word) => new RegExp(`\\b${word}\\b`).test(text)), symbol);
    return link(`\`${symbol}\``, file);
}

function rowOf(row, source) {
    const [what, where, code, test, command, routines] = [...row.split('|').map((cell) => cell.trim()), '', '', ''];
    if (code.startsWith('gap: ')) return `| ${what} | ${where} | **gap**: ${code.slice(5)} | | | |`;
    const [, name, title] = /^(\S+): (.+)$/.exec(test);
    const file = `test/${name}.test.ts`;
    expectIn(file, (text) => text.includes(title), `test "${title}"`);
    if (command !== '' && !(command in COMMANDS)) faults.push(`no command ${command} in COMMANDS: ${row}`);
    const [line, inFile, has] = COMMANDS[command] ?? [`npx jest test/${name}`, file, ''];
    expectIn(inFile, (text) => text.includes(has), line);
    const cells = [
        code
            .split(', ')
            .map((one) => codeOf(one, source))
            .join(', '),
        `${link(path.basename(file), file)} "${title}"`,
    ];
    return `| ${[what, where, ...cells, `\`${line}\``, routines].join(' | ')} |`;
}

const documents = Object.entries(
    JSON.parse(readFileSync(path.join(root, 'scripts/docs/papers-contents.json'), 'utf8')),
);
const tables = documents.map(([title, { source, rows }]) => [
    `\n## ${title}\n`,
    '| in the document | where | code | test | command | in poselane |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => rowOf(row, source)),
]);
const all = documents.flatMap(([, { rows }]) => rows);
const gaps = all.filter((row) => row.includes('| gap: ')).length;
const page = `<!-- written by node scripts/docs/papers-contents.mjs -->

# What is in the five documents

A row for each listing, routine, table, figure and claim of speed of [the five documents](../papers.md), and for what was added beside them
("ours"): ${all.length} rows, ${gaps} of them gaps. \`npx poselane\` runs wherever the package is installed, the other commands in a clone.
${tables.flat().join('\n')}
`;
const file = path.join(root, PAGE);
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== page)
    faults.push(`${PAGE} is not what this script writes`);
endWith(faults, 'papers-contents', `${all.length} rows, ${gaps} gaps, ${faults.length} faults`);
