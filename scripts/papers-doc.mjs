// SPDX-License-Identifier: MIT

/**
 * docs/papers.md: what the five documents behind poselane propose, where it is in the sources, and what is wrong in
 * them. Made of the prose in docs/papers/template.md, the lists in defects.json, repairs.json and routines.json beside
 * it, eberly-table.md (of scripts/eberly-table.mjs) and bench-papers.md (measured speeds, of scripts/benchmarks-doc.mjs).
 *
 *     node scripts/papers-doc.mjs            writes docs/papers.md
 *     node scripts/papers-doc.mjs --check    fails if that is not what it would write
 *     node scripts/papers-doc.mjs --json     prints the lists, with the files and implementations of each routine
 *
 * Whatever a list says about a source has to be there, or nothing is written: each function must be defined in the
 * namespace that routines.json names, each function of those namespaces must be listed, and each "path: text" in
 * `see` or `typescript` must be a file with that text in it.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib.mjs';

/** By key, in the order of the page. */
const DOCUMENTS = {
    S: { title: 'Slerping Clock Cycles', author: 'J.M.P. van Waveren', year: '2005' },
    Q: { title: 'From Quaternion to Matrix and Back', author: 'J.M.P. van Waveren', year: '2005' },
    K: { title: 'The Skeleton Assembly Line', author: 'J.M.P. van Waveren', year: '2005' },
    I: { title: 'Benefits of Intel AVX for Quaternion Slerp', author: 'P. Mehrotra, R. Hubbard', year: 'about 2011' },
    E: { title: 'A Fast and Accurate Algorithm for Computing SLERP', author: 'D. Eberly', year: '2011' },
};
const KINDS = ['scan', 'scan or defect', 'defect', 'trap', 'gap', 'none'];
/** The implementation in TypeScript of each document's routines. */
const IN_TYPESCRIPT = { S: 'paper', Q: 'paper', K: 'paper', I: 'intel', E: 'eberly' };

const FOLDER = 'docs/papers';
const PAGE = 'docs/papers.md';
const PORTS = ['native/papers', 'native/papers/test_only'];

const faults = [];
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const exists = (file) => fs.existsSync(path.join(root, file));
const list = (name) => JSON.parse(read(`${FOLDER}/${name}`));

const defects = list('defects.json');
const repairs = list('repairs.json');
const routines = list('routines.json');

// ---- What the sources say -------------------------------------------------------------------------------------------

/** The functions that a C++ file defines: `{ space, name, hidden }`, hidden if in an unnamed namespace. */
function definitions(file) {
    const found = [];
    const spaces = [];
    const lines = read(file).split('\n');
    lines.forEach((line, number) => {
        const opens = /^namespace (\w+ )?\{$/.exec(line);
        if (opens) spaces.push(opens[1]?.trim() ?? '');
        else if (/^\} \/\/ namespace/.test(line)) spaces.pop();
        // A definition begins at the margin and has its body before the next line there that ends in a semicolon.
        const name = /^(?:[A-Za-z][\w:<>*&, ()]* )\**(\w+)\(/.exec(line)?.[1];
        if (!name || /^(?:#|return|else|static_assert)/.test(line)) return;
        const signature = lines.slice(number, number + 8).join('\n');
        if (!/^[^;{]*\{/.test(signature)) return;
        const named = spaces.filter((space) => space !== '' && space !== 'poselane');
        if (named.length > 0) found.push({ file, space: named.at(-1), name, hidden: spaces.includes('') });
    });
    return found;
}

const functions = PORTS.flatMap((folder) =>
    fs
        .readdirSync(path.join(root, folder))
        .filter((name) => /\.(cpp|h)$/.test(name))
        .flatMap((name) => definitions(`${folder}/${name}`)),
);

/** "path: text", both checked. */
function place(reference, owner) {
    const [, file, text] = /^(\S+): (.+)$/.exec(reference) ?? [];
    if (!file) faults.push(`${owner}: "${reference}" is not "path: text"`);
    else if (!exists(file)) faults.push(`${owner}: ${file} does not exist`);
    else if (!read(file).includes(text)) faults.push(`${owner}: ${file} does not contain "${text}"`);
    return { file, text };
}

/** A routine with its C++ functions, its TypeScript function and the implementations that have it. */
function located(routine) {
    const owner = `routines.json, ${routine.document}, ${routine.paper}`;
    const cpp = routine.in.flatMap((space) =>
        routine.cpp.flatMap((name) => functions.filter((one) => one.space === space && one.name === name)),
    );
    for (const space of routine.in) {
        if (!cpp.some((one) => one.space === space)) {
            faults.push(`${owner}: no ${routine.cpp.map((name) => `${space}::${name}`).join(' or ')} in ${PORTS[0]}`);
        }
    }
    for (const name of routine.cpp) {
        if (!cpp.some((one) => one.name === name)) faults.push(`${owner}: ${name} is defined nowhere`);
    }
    const typescript = routine.typescript === null ? null : place(routine.typescript, owner);
    if (typescript?.file && !new RegExp(`(?:function|const) ${typescript.text}\\b`).test(read(typescript.file))) {
        faults.push(`${owner}: ${typescript.file} defines no ${typescript.text}`);
    }
    const named = routine.in.map((space) => space.replace('_', '/').replace(/_/g, '-'));
    if (typescript) named.push(`${IN_TYPESCRIPT[routine.document]}/typescript`);
    const implementations = routine.function === null ? [] : (routine.implementations ?? named);
    return { ...routine, cpp, typescript, implementations };
}

const map = routines.map(located);

for (const { space, name, file, hidden } of functions) {
    const listed = map.some((routine) => routine.cpp.some((one) => one.space === space && one.name === name));
    if (!hidden && !listed) faults.push(`routines.json lacks ${space}::${name} of ${file}`);
}

for (const { id, document, kind, see, wrong, poselane } of defects) {
    if (!DOCUMENTS[document]) faults.push(`defects.json, ${id}: no document ${document}`);
    if (!KINDS.includes(kind)) faults.push(`defects.json, ${id}: no kind ${kind}`);
    if (wrong === '' || (poselane !== '' && see.length === 0 && kind !== 'defect')) {
        faults.push(`defects.json, ${id}: says too little`);
    }
}
const ids = defects.map(({ id }) => id);
if (new Set(ids).size !== ids.length) faults.push('defects.json: an id is there twice');

// ---- The page -------------------------------------------------------------------------------------------------------

const cell = (text) => String(text).replace(/\|/g, '\\|');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`.replace(/ {2,}/g, ' ');
const table = (head, rows, align = head.map(() => '---')) => [row(head), row(align), ...rows.map(row)].join('\n');
const anchor = (heading) =>
    heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replace(/ /g, '-');
const fromPage = (file) => path.posix.relative('docs', file);
const link = (text, file) => `[${text}](${fromPage(file)})`;

/** A name as such; any other text by the file that it is in, tests with the text, which is their title. */
function evidence(reference) {
    const { file, text } = place(reference, 'defects.json');
    if (!file) return '';
    if (/^[\w:]+$/.test(text)) return link(`\`${text}\``, file);
    const base = path.posix.basename(file);
    return file.startsWith('test/') && base.endsWith('.test.ts') ? `${link(base, file)} "${text}"` : link(base, file);
}

function documents() {
    const count = (key) =>
        map.filter((one) => one.document === key && one.function !== null && one.place !== 'ours').length;
    return table(
        ['document', 'author', 'year', 'public routines', 'entries in its table of defects'],
        Object.entries(DOCUMENTS).map(([key, { title, author, year }]) => [
            `[${title}](#${anchor(title)})`,
            author,
            year,
            count(key),
            defects.filter(({ document }) => document === key).length,
        ]),
        ['---', '---', '---', '---:', '---:'],
    );
}

function counts() {
    const rows = Object.entries(DOCUMENTS).map(([key, { title }]) => [
        title,
        ...KINDS.map((kind) => defects.filter((one) => one.document === key && one.kind === kind).length || ''),
    ]);
    const sums = KINDS.map((kind) => defects.filter((one) => one.kind === kind).length);
    rows.push([`all ${defects.length}`, ...sums]);
    return table(['', ...KINDS], rows, ['---', ...KINDS.map(() => '---:')]);
}

function routineTable(key) {
    const rows = map
        .filter(({ document }) => document === key)
        .map((routine) => {
            const { paper, typescript, implementations, cpp } = routine;
            const name = /^\w+$/.test(paper) ? `\`${paper}\`` : paper;
            const native = new Map(cpp.map((one) => [`${one.space}::${one.name}`, one.file]));
            return [
                name,
                routine.place,
                [...native].map(([text, file]) => link(`\`${text}\``, file)).join(', '),
                typescript ? link(`\`${typescript.text}\``, typescript.file) : '',
                routine.function === null
                    ? 'not public'
                    : `\`${routine.function}\` of ${implementations.map((one) => `\`${one}\``).join(', ')}`,
            ];
        });
    return table(['in the document', 'where', 'C++', 'TypeScript', 'in poselane'], rows);
}

function defectTable(key) {
    const rows = defects
        .filter(({ document }) => document === key)
        .map(({ id, where, kind, wrong, right, effect, poselane, see }) => [
            `<a id="d${id}"></a>${id} ${kind}`,
            where,
            wrong,
            right,
            effect,
            [poselane, see.map(evidence).join(', ')].filter((text) => text !== '').join(' '),
        ]);
    return table(['', 'where', 'what is wrong', 'what is right', 'measured effect', 'in poselane'], rows);
}

function repairSections() {
    const parts = repairs.listings.map(({ id, routine, repairs: all }) => {
        const rows = all.map(({ printed, repaired, why }) => [printed, repaired, why]);
        return `### ${id}\n\n${routine}.\n\n${table(['as the scan has it', 'repaired', 'why'], rows)}`;
    });
    const rows = repairs.choices.map(({ symbol, choice, why }) => [symbol, choice, why]);
    const marks = fs
        .readdirSync(path.join(root, 'test/oracle'))
        .filter((name) => /\.(S|inc)$/.test(name))
        .sort()
        .map((name) => [name, read(`test/oracle/${name}`).split('repaired: REPAIRS').length - 1]);
    const marked = marks.map(([name, count]) => [link(`\`${name}\``, `test/oracle/${name}`), count]);
    return [
        table(['transcription', 'marked lines'], marked, ['---', '---:']),
        '### Choices\n\nWhere the papers are silent, or contradict themselves:',
        table(['what', 'chosen', 'why'], rows),
        ...parts,
    ].join('\n\n');
}

/** Another generated document, its links as seen from docs/ and its headings below those of this page's sections. */
function included(file) {
    const text = read(file)
        .replace(/^<!--[\s\S]*?-->\s*/, '')
        .trim();
    const levels = [...text.matchAll(/^(#+) /gm)].map((match) => match[1].length);
    const deeper = Math.max(0, 3 - Math.min(3, ...levels));
    const relative = (target) => fromPage(path.posix.join(path.posix.dirname(file), target));
    return text
        .replace(/^(#+) /gm, (_, marks) => `${'#'.repeat(deeper)}${marks} `)
        .replace(/\]\((?![a-z]+:|#|\/)([^)\s]+)\)/g, (_, target) => `](${relative(target)})`);
}

function bench() {
    return included(`${FOLDER}/bench-papers.md`);
}

const INSERTS = {
    documents,
    counts,
    routines: routineTable,
    defects: defectTable,
    repairs: repairSections,
    eberly: () => included(`${FOLDER}/eberly-table.md`),
    bench,
};

function page() {
    const prose = read(`${FOLDER}/template.md`).replace(/^<!--[\s\S]*?-->\s*/, '');
    const used = new Set();
    const text = prose.replace(/^<!-- insert: (\w+)(?: (\w+))? -->$/gm, (line, name, argument) => {
        used.add([name, argument].filter(Boolean).join(' '));
        if (INSERTS[name]) return INSERTS[name](argument);
        faults.push(`template.md: cannot do ${line}`);
        return '';
    });
    for (const key of Object.keys(DOCUMENTS)) {
        for (const wanted of [`routines ${key}`, `defects ${key}`]) {
            if (!used.has(wanted)) faults.push(`template.md: nothing says "insert: ${wanted}"`);
        }
    }
    return `<!-- generated by scripts/papers-doc.mjs from docs/papers/; do not edit -->\n\n${text.trimEnd()}\n`;
}

/** Links within the page and to files. */
function checkLinks(text) {
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => anchor(match[1]));
    const anchors = new Set([...headings, ...ids.map((id) => `d${id}`)]);
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (target.startsWith('#')) {
            if (!anchors.has(target.slice(1))) faults.push(`${PAGE}: no anchor ${target}`);
        } else if (!/^[a-z]+:/.test(target) && !exists(path.posix.join('docs', target.split('#')[0]))) {
            faults.push(`${PAGE}: no file ${target}`);
        }
    }
}

const { values: options } = parseArgs({ options: { check: { type: 'boolean' }, json: { type: 'boolean' } } });
const text = page();
checkLinks(text);

if (faults.length > 0) {
    for (const fault of new Set(faults)) console.error(fault);
    process.exitCode = 1;
} else if (options.json) {
    console.log(JSON.stringify({ routines: map, defects, repairs }, null, 2));
} else if (options.check) {
    const current = exists(PAGE) && read(PAGE) === text;
    if (!current) process.exitCode = 1;
    console.log(`${PAGE}: ${current ? 'current' : 'differs, run node scripts/papers-doc.mjs'}`);
} else {
    fs.writeFileSync(path.join(root, PAGE), text);
    console.log(`${PAGE}: written`);
}
