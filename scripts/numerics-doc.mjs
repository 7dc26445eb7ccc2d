// SPDX-License-Identifier: MIT

/**
 * docs/numerics.md: what the strict kernels calculate, in which order, why so, and how it compares. Made of the prose in
 * docs/numerics/template.md, the list of routines in routines.json and the measurements in measured.json beside it.
 *
 *     node scripts/numerics-doc.mjs              writes the document and its plots from measured.json
 *     node scripts/numerics-doc.mjs --measure    measures first, on millions of pairs, some minutes
 *     node scripts/numerics-doc.mjs --check      fails if the document is not what would be written, or not true: a
 *                                                quick measurement must not exceed it, the forms must have the bits of
 *                                                strict/typescript, every link and every source must be there
 *     --quick                                    --measure on few pairs; figures are lower then
 *     --folder docs                              where the document is
 *     --measurement file                         with --check: keeps what was measured in this file; where it is there
 *                                                already, nothing is measured again
 *
 * Works on dist/ and the built addon: npm run build.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { binary, measuredOnce, NOT_IN_DOCUMENTS, root, runNode } from './lib.mjs';
import { SETS } from './numerics/coefficients.mjs';
import { numbersOf, TABLES } from './numerics/document.mjs';
import {
    curveByAngle,
    curveOfThresholds,
    measureCoefficients,
    measureConstant,
    measureEstimates,
    measureFits,
    measureForms,
    measureLengths,
    measureLerps,
    measureNaNs,
    measureSlerps,
    measureThresholds,
    sameBitsAs,
} from './numerics/measure.mjs';
import { plots } from './numerics/plots.mjs';

const { values: options } = parseArgs({
    options: {
        measure: { type: 'boolean' },
        check: { type: 'boolean' },
        quick: { type: 'boolean' },
        folder: { type: 'string' },
        measurement: { type: 'string' },
    },
});
const folder = path.resolve(options.folder ?? path.join(root, 'docs'));
const PAGE = 'numerics.md';
const PLOTS = 'numerics';
const MEASURED = path.join(folder, 'numerics/measured.json');
const TWIN = 'strict/typescript';

const require = createRequire(import.meta.url);
const library = require('../dist/index.js');

const faults = [];
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const exists = (file) => fs.existsSync(path.join(root, file));

// ---- Measurements ---------------------------------------------------------------------------------------------------

function cpu() {
    const [{ model }] = os.cpus();
    const file = '/proc/cpuinfo';
    const info = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const [family, number] = ['cpu family', 'model'].map(
        (key) => new RegExp(`^${key}\\s*: (\\d+)$`, 'm').exec(info)?.[1],
    );
    return family && number ? `${model} (family ${family}, model ${number})` : model;
}

/** Eberly's bound and what the error really is, by the number of terms. */
function eberlyBounds() {
    const { ok, output } = runNode('scripts/eberly-table.mjs', ['--json']);
    if (!ok) throw new Error(output);
    return JSON.parse(output).square.map(({ n, bound, max }) => ({
        n,
        bound: Number(bound.toPrecision(4)),
        max: Number(max.toPrecision(4)),
    }));
}

async function measure(quick) {
    const log = options.check ? () => {} : console.log;
    const { forms, apart } = measureForms(quick, log);
    return {
        machine: { cpu: cpu(), platform: `${os.type()} ${os.arch()}`, node: process.versions.node },
        quick,
        // Of the sets in full; docs/accuracy.md says what they are.
        pairs: { a: 4_020_000, b: 2_961_400, c: 4_020_000 },
        coefficients: measureCoefficients(quick),
        forms,
        apart,
        lerps: measureLerps(quick, log),
        slerps: await measureSlerps(library, quick, log),
        nans: await measureNaNs(quick),
        estimates: measureEstimates(quick, log),
        thresholds: await measureThresholds(library),
        lengths: measureLengths(quick),
        constant: await measureConstant(library),
        eberly: eberlyBounds(),
        ...(options.check
            ? {}
            : {
                  fits: measureFits(),
                  curves: {
                      byAngle: await curveByAngle(library, quick),
                      thresholds: await curveOfThresholds(quick),
                  },
              }),
    };
}

// ---- The page -------------------------------------------------------------------------------------------------------

/** Links to the places "path: text" of a list, each of which has to be there. */
function places(list, owner) {
    return list
        .map((reference) => {
            const [, file, text] = /^(\S+): (.+)$/.exec(reference) ?? [];
            if (!file) faults.push(`routines.json, ${owner}: "${reference}" is not "path: text"`);
            else if (!exists(file)) faults.push(`routines.json, ${owner}: ${file} does not exist`);
            else if (!new RegExp(`\\b${text}\\b`).test(read(file)))
                faults.push(`routines.json, ${owner}: ${file} does not contain "${text}"`);
            return file ? `[\`${text}\`](${path.posix.relative('docs', file)})` : reference;
        })
        .join(', ');
}

const lists = () => JSON.parse(read('docs/numerics/routines.json'));

function table(head, rows) {
    return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** From each routine to its order, its TypeScript and its source over Lanes. */
function routines() {
    const list = lists().routines;
    const has = library.implementations().find(({ name }) => name === TWIN)?.routines ?? [];
    for (const routine of has) {
        if (!list.some((one) => one.routine === routine)) faults.push(`routines.json lacks ${routine} of ${TWIN}`);
    }
    for (const { routine } of list) {
        if (!has.includes(routine)) faults.push(`routines.json: ${TWIN} has no ${routine}`);
    }
    const rows = list.map(({ routine, order, typescript, lanes }) => [
        `\`${routine}\``,
        `[${order}](#${anchor(order)})`,
        places(typescript, routine),
        places(lanes, routine),
    ]);
    return table(['routine', 'order', 'TypeScript', 'C++ over `Lanes`'], rows);
}

/** The same for the steps that the blends share. */
function steps() {
    const rows = lists().steps.map(({ step, typescript, lanes }) => [
        step,
        places(typescript, step),
        places(lanes, step),
    ]);
    return table(['step', 'TypeScript', 'C++ over `Lanes`'], rows);
}

const anchor = (heading) =>
    heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replace(/ /g, '-');

function page(measured) {
    const prose = read('docs/numerics/template.md').replace(/^<!--[\s\S]*?-->\s*/, '');
    const numbers = numbersOf(measured);
    const tables = { ...TABLES, routines, steps };
    const used = new Set();
    const text = prose
        .replace(/^<!-- insert: (\w+) -->$/gm, (line, name) => {
            used.add(name);
            if (tables[name]) return tables[name](measured);
            faults.push(`template.md: cannot do ${line}`);
            return '';
        })
        .replace(/\{\{(\w+)\}\}/g, (_, name) => {
            if (numbers[name] === undefined) faults.push(`template.md: no number ${name}`);
            return numbers[name];
        });
    for (const name of Object.keys(tables)) {
        if (!used.has(name)) faults.push(`template.md: nothing says "insert: ${name}"`);
    }
    const note = measured.quick ? '\n**QUICK MODE: figures are too low.**\n' : '';
    return `<!-- generated by scripts/numerics-doc.mjs from docs/numerics/; do not edit -->\n${note}\n${text.trimEnd()}\n`;
}

/** Links within the page, to files and to pictures, which are written beside it. */
function checkLinks(text, pictures) {
    const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map((match) => anchor(match[1])));
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        const [file, heading] = target.split('#');
        if (file === '') {
            if (!anchors.has(heading)) faults.push(`${PAGE}: no anchor ${target}`);
        } else if (!/^[a-z]+:/.test(target) && !pictures.includes(file) && !exists(path.posix.join('docs', file))) {
            faults.push(`${PAGE}: no file ${target}`);
        }
    }
}

function filesOf(measured) {
    const pictures = Object.entries(
        plots({
            byAngle: measured.curves.byAngle,
            thresholds: measured.curves.thresholds,
            constant: measured.constant,
            fits: measured.fits,
            eberly: measured.eberly,
        }),
    ).map(([name, svg]) => [`${PLOTS}/${name}`, svg]);
    const text = page(measured);
    for (const [name] of pictures) {
        if (!text.includes(`](${name})`)) faults.push(`${PAGE} does not show ${name}`);
    }
    checkLinks(
        text,
        pictures.map(([name]) => name),
    );
    return [[PAGE, text], ...pictures];
}

// ---- What has to be true --------------------------------------------------------------------------------------------

/** The coefficients in the code are those that were measured. */
function checkCoefficients() {
    const compare = (file, name, inCode) => {
        if (JSON.stringify(inCode) !== JSON.stringify(SETS[name]))
            faults.push(`${file}: ${name} is not that of scripts/numerics/coefficients.mjs`);
    };
    const { PS9, PQ8 } = require('../dist/strict/coefficients.js');
    compare('lib/strict/coefficients.ts', 'PS9', PS9);
    compare('lib/strict/coefficients.ts', 'PQ8', PQ8);
    // In C++ a comment with the set's name comes before the array with its rows.
    const header = 'native/kernels/coefficients.h';
    const text = read(header);
    for (const name of ['PS9', 'PQ8', 'PS7', 'PQ7']) {
        const [, rows] = new RegExp(`/// ${name}:[^]*?constexpr double [^=]*= \\{\\n([^;]*)\\n\\};`).exec(text) ?? [];
        const numbers = rows?.split('\n').map((line) => line.match(/-?\d[\d.e-]*/g).map(Number));
        compare(header, name, numbers);
    }
}

/** The forms that are compared under the names of the chosen ones are the chosen ones. */
function checkBits() {
    const compared = sameBitsAs(library, TWIN, true);
    if (compared === null) faults.push(`${TWIN} lacks a routine of which scripts/numerics/forms.mjs has the form`);
    else if (compared === 0) faults.push(`scripts/numerics/forms.mjs does not have the bits of ${TWIN}`);
}

/** Every implementation has its row. */
function checkRows({ slerps }) {
    for (const { name, routines: has } of library.implementations()) {
        for (const routine of ['slerpQuats', 'slerpQuatsPerQuat']) {
            if (!has.includes(routine) || NOT_IN_DOCUMENTS.includes(name)) continue;
            const found = slerps.some((one) => one.routine === routine && one.label.split(',')[0] === name);
            if (!found) faults.push(`measured.json: no row for ${routine} of ${name}`);
        }
    }
}

/** What quick mode may draw and the document's run did not. */
const SPARE = 1.25;
const BY_CPU = 1e-6;

function checkFigures(stated, now) {
    const compare = (what, actual, limit, byCpu = false) => {
        const most = Math.max(Number(limit) * SPARE, byCpu ? BY_CPU : 0);
        if (Number(actual) > most) faults.push(`${what} is ${actual}, stated ${limit}`);
    };
    for (const key of ['forms', 'lerps', 'slerps']) {
        for (const row of now[key]) {
            const name = row.label ?? row.name;
            const known = stated[key].find(
                (one) => (one.label ?? one.name) === name && (one.routine ?? null) === (row.routine ?? null),
            );
            if (!known) {
                faults.push(`measured.json: no row for ${row.routine ? `${row.routine} of ` : ''}${name}`);
                continue;
            }
            for (const set of ['a', 'b', 'c']) {
                if (row[set] && known[set])
                    compare(`${key}, ${name}: (${set}) max`, row[set].max, known[set].max, row.byCpu);
            }
        }
    }
    for (const { name, weight } of now.coefficients) {
        const known = stated.coefficients.find((one) => one.name === name);
        compare(`coefficients, ${name}`, weight, known?.weight ?? 0);
    }
    // Each failure has to show itself again.
    if (!(now.nans[0].share > 0.5)) faults.push('the formula without a case no longer gives NaN for small angles');
    if (!(now.estimates.differ > 0.1)) faults.push("two makers' estimates no longer give different bits");
    for (const { n, bound, max } of now.eberly) {
        if (!(max > 4 * bound)) faults.push(`Eberly's bound holds for ${n} terms`);
    }
    for (const { name, length, turn } of now.thresholds) {
        if (!(length > 1e-7 || turn > 1e-7)) faults.push(`${name}: nothing jumps at its threshold`);
    }
}

// ---- What to do -----------------------------------------------------------------------------------------------------

if (options.measure) {
    const measured = await measure(options.quick ?? false);
    checkCoefficients();
    checkBits();
    fs.mkdirSync(path.dirname(MEASURED), { recursive: true });
    fs.writeFileSync(MEASURED, `${JSON.stringify(measured)}\n`);
    // Laid out as the check of the sources wants it.
    const { ok, output } = runNode(binary('@biomejs/biome', 'biome'), ['format', '--write', MEASURED]);
    if (!ok) throw new Error(output);
}

const measured = JSON.parse(fs.readFileSync(MEASURED, 'utf8'));
const files = filesOf(measured);
if (options.check) {
    for (const [name, content] of files) {
        const file = path.join(folder, name);
        if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== content)
            faults.push(`${name} differs, run node scripts/numerics-doc.mjs`);
    }
    checkCoefficients();
    checkBits();
    checkRows(measured);
    checkFigures(measured, await measuredOnce(options.measurement, () => measure(true)));
}

const name = path.relative(root, path.join(folder, PAGE));
for (const fault of new Set(faults)) console.error(`${name}: ${fault}`);
if (faults.length > 0) {
    console.log(`${name}: ${new Set(faults).size} faults, run node scripts/numerics-doc.mjs --measure`);
    process.exitCode = 1;
} else if (options.check) {
    console.log(`${name}: current`);
} else {
    for (const [file, content] of files) {
        const to = path.join(folder, file);
        fs.mkdirSync(path.dirname(to), { recursive: true });
        fs.writeFileSync(to, content);
        console.log(`${path.relative(root, to)}: written`);
    }
}
