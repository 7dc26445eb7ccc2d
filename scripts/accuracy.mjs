// SPDX-License-Identifier: MIT

/**
 * Measures every implementation against double precision and writes docs/accuracy.md with its plots (npm run accuracy).
 *
 *     node scripts/accuracy.mjs            measures on millions of pairs, a few minutes, and writes
 *     node scripts/accuracy.mjs --check    measures quickly and writes nothing: fails where the document lacks a row,
 *                                          or where an error is greater than it says
 *     --quick                              some of the pairs; figures are lower then than the document's
 *     --json                               prints all numbers and writes nothing
 *     --folder docs                        where the document is
 *     --measurement file                   with --check or --quick: keeps what was measured in this file; where it is
 *                                          there already, nothing is measured again
 *
 * Works on dist/ and the built addon: npm run build.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { markdown, maxColumn, readMarkdown } from './accuracy/document.mjs';
import {
    measureBlends,
    measureByAngle,
    measureByLength,
    measureChains,
    measureConversions,
    measureFunctions,
    measureNormalization,
    measureOutside,
    measurePolynomials,
} from './accuracy/measure.mjs';
import { alongChains, byAngle, byLength } from './accuracy/plots.mjs';
import { Errors } from './accuracy/reference.mjs';
import { measuredOnce, root } from './lib.mjs';

const { values: options } = parseArgs({
    options: {
        check: { type: 'boolean' },
        quick: { type: 'boolean' },
        json: { type: 'boolean' },
        folder: { type: 'string' },
        measurement: { type: 'string' },
    },
});
const folder = path.resolve(options.folder ?? path.join(root, 'docs'));
const document = path.join(folder, 'accuracy.md');
const quick = options.quick || options.check;

const library = createRequire(import.meta.url)('../dist/index.js');

/** The CPU's name, with its family and model where the name leaves them open. */
function cpu() {
    const [{ model }] = os.cpus();
    const file = '/proc/cpuinfo';
    const info = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const [family, number] = ['cpu family', 'model'].map(
        (key) => new RegExp(`^${key}\\s*: (\\d+)$`, 'm').exec(info)?.[1],
    );
    return family && number ? `${model} (family ${family}, model ${number})` : model;
}

/** The same with errors as the numbers that they come to, which can be kept in a file. */
function plain(value) {
    if (value instanceof Errors) return value.toJSON();
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, plain(of)]));
}

const measure = () =>
    plain({
        machine: { cpu: cpu(), platform: `${os.type()} ${os.arch()}`, node: process.versions.node },
        quick,
        blends: measureBlends(library, quick, (what) => {
            if (!options.json && !options.check) console.log(what);
        }),
        normalization: measureNormalization(library, quick),
        functions: measureFunctions(library, quick),
        polynomials: measurePolynomials(),
        conversions: measureConversions(library, quick),
        chains: measureChains(library, quick),
        outside: measureOutside(library, quick),
    });

const measured = await measuredOnce(quick && options.measurement, measure);

/** The rows that the document must have, each with the greatest errors that it states first. */
function* rows() {
    for (const { routine, label, byCpu, sets } of measured.blends.rows) {
        const limits = Object.entries(sets ?? {}).map(([set, { max }]) => ({
            what: `max on (${set})`,
            column: maxColumn(set),
            measured: max,
        }));
        yield { key: `${routine}: ${label}`, byCpu, limits };
    }
    const others = [
        ...measured.normalization.map((one) => [one, one.errors?.max]),
        ...measured.functions.map((one) => [one, one.max]),
        ...measured.conversions.toMats.map((one) => [one, one.max]),
        ...measured.conversions.roundTrip.map((one) => [one, one.errors?.max]),
        ...measured.chains.map((one) => [one, one.chains?.[0].rotation]),
    ];
    for (const [{ routine, label, byCpu, reason }, max] of others) {
        const limits = reason === undefined ? [{ what: 'first column', column: 0, measured: max }] : [];
        yield { key: `${routine}: ${label}`, byCpu, limits };
    }
}

/** Room for pairs that quick mode draws and the document's run did not. */
const SPARE = 1.25;
/** What rsqrtps and rcpps may cost on any CPU; where lengths are off, they are not what costs most. */
const BY_CPU = 1e-6;

function check() {
    const found = fs.existsSync(document) ? readMarkdown(fs.readFileSync(document, 'utf8')) : new Map();
    const faults = [];
    let count = 0;
    for (const { key, byCpu, limits } of rows()) {
        count++;
        const cells = found.get(key);
        if (!cells) {
            faults.push(`no row for ${key}`);
            continue;
        }
        for (const { what, column, measured: actual } of limits) {
            const stated = Number(cells[column]);
            // Where the document's machine could not run it, there is nothing to compare.
            if (Number.isNaN(stated)) continue;
            const limit = Math.max(stated * SPARE, byCpu ? BY_CPU : 0);
            if (!(actual <= limit))
                faults.push(`${key}: ${what} is ${actual.toExponential(2)}, stated ${cells[column]}`);
        }
    }
    for (const fault of faults) console.error(`${path.relative(root, document)}: ${fault}`);
    const what = faults.length === 0 ? 'current' : `${faults.length} faults, run npm run accuracy`;
    console.log(`${path.relative(root, document)}: ${count} rows, ${what}`);
    process.exitCode = faults.length === 0 && count > 0 ? 0 : 1;
}

function write() {
    const degrees = (from, to, step) => {
        const list = [];
        for (let d = from; d <= to; d += step) list.push((d * Math.PI) / 180);
        return list;
    };
    const decades = (from, to, each) => {
        const list = [];
        for (let k = from * each; k <= to * each; k++) list.push(10 ** (k / each));
        return list;
    };
    const { curve } = measured.chains.find((one) => one.curve);
    const files = {
        'accuracy.md': markdown(measured),
        'accuracy/slerp-by-angle.svg': byAngle(
            measureByAngle(library, decades(-7, 0, 8)),
            measureByAngle(library, degrees(0, 180, 1.5)),
        ),
        'accuracy/slerp-by-length.svg': byLength(measureByLength(library, decades(-7, -2, 4))),
        'accuracy/chain-drift.svg': alongChains(curve),
    };
    for (const [name, content] of Object.entries(files)) {
        const file = path.join(folder, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, content);
        console.log(`${path.relative(root, file)}: written`);
    }
}

if (options.json) console.log(JSON.stringify(measured, (key, value) => (key === 'curve' ? undefined : value), 2));
else if (options.check) check();
else write();
