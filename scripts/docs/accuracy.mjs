// SPDX-License-Identifier: MIT

/**
 * `npm run accuracy`: measures every implementation against double precision on millions of pairs, and writes docs/tables/accuracy.md.
 *
 *     node scripts/docs/accuracy.mjs --check [file …]
 *
 * --check: measure some of the pairs, write nothing, and fail if a file lacks a row or has another error than the measured one.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib.mjs';
import { interpolate, MatErrors, matrixOf, product, QuatErrors } from './accuracy/reference.mjs';
import { chain, random, SETS, unitQuaternion, withTranslations } from './accuracy/sets.mjs';

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false } },
});
/** With fewer pairs errors are a little lower. */
const quick = options.check;
const DOCUMENT = path.join(root, 'docs/tables/accuracy.md');

const require = createRequire(import.meta.url);
const library = require('../../dist/index.js');
const { cpuModel } = require('../../dist/bench/machine.js');

// ---- Measurements -----------------------------------------------------------------------------------------------

/** Routines with rsqrtps or rcpps, whose results depend on the CPU. */
const BY_CPU = {
    'paper/sse': ['slerpJoints', 'lerpJoints', 'convertJointMatsToJointQuats', 'slerpQuats', 'lerpQuats'],
    'intel/avx': ['slerpQuats'],
};

/** Left out, because it does not run on x86-64. It has the bits of all strict/*. */
const LEFT_OUT = 'strict/neon';

/** The implementations of a routine, `eberly/*` with three numbers of terms. `cells` is undefined if one cannot run here. */
const variants = (routine) =>
    library
        .implementations()
        .filter(({ name, routines }) => routines.includes(routine) && name !== LEFT_OUT)
        .flatMap(({ name, available, maxTerms }) =>
            (maxTerms && routine !== 'slerp' ? [8, 12, 16] : [undefined]).map((terms) => ({
                name,
                terms,
                byCpu: BY_CPU[name]?.includes(routine) ?? false,
                run: available ? library.implementation(name, { terms })[routine] : undefined,
                cells: undefined,
            })),
        );

const exact = (value) => value.toExponential(2);
const rough = (value) => value.toExponential(1);
const ERROR_COLUMNS = ['max', 'RMS', 'rotation', 'length'];
const errorCells = ({ max, rms, rotation, length }) => [exact(max), rough(rms), rough(rotation), exact(length)];

/** Routines on two lists, and their references. Routines with "Per" in their name take one time for each pair. */
const BLENDS = {
    slerpQuats: 'slerp',
    slerpQuatsPerQuat: 'slerp',
    lerpQuats: 'lerp',
    slerpJoints: 'slerp',
    slerpJointsPerJoint: 'slerp',
    lerpJoints: 'lerp',
    slerp: 'slerp',
    slerpTransformed: 'slerp',
    slerpOptimized: 'slerp',
    slerpOptimizedExact: 'slerp',
    lerp: 'lerp',
};

function measureBlends() {
    const sections = Object.entries(BLENDS).map(([routine, kind]) => ({
        routine,
        against: kind === 'slerp' ? 'slerp' : 'the normalised lerp',
        columns: [
            ...ERROR_COLUMNS.map((column, k) => (k === 0 ? '(a) max' : column)),
            ...['(b) max', '(c) max', '(d) max', ...(isOnJoints(routine) ? ['translation'] : [])],
        ],
        kind,
        rows: variants(routine).map((row) => ({ ...row, errors: {}, translation: 0 })),
    }));
    for (const [set, { chunks }] of Object.entries(SETS)) {
        const next = random(0x7e57);
        for (const chunk of chunks(quick)) {
            const right = { slerp: interpolate(chunk, 'slerp'), lerp: interpolate(chunk, 'lerp') };
            const lists = { quats: [chunk.from, chunk.to], joints: withTranslations(chunk, next) };
            for (const { routine, kind, rows } of sections) {
                const stride = isOnJoints(routine) ? 8 : 4;
                const [from, to] = stride === 8 ? lists.joints : lists.quats;
                for (const row of rows) {
                    if (!row.run) continue;
                    const result = blend(row.run, routine, chunk, from, to, stride);
                    row.errors[set] ??= new QuatErrors();
                    row.errors[set].add(result, stride, right[kind]);
                    if (stride === 8) {
                        const worst = translationError(result, from, to, chunk.times);
                        row.translation = Math.max(row.translation, worst);
                    }
                }
            }
        }
    }
    for (const { routine, rows } of sections) {
        for (const row of rows) {
            if (!row.run) continue;
            const { a, ...others } = row.errors;
            row.cells = [...errorCells(a), ...Object.values(others).map(({ max }) => exact(max))];
            if (isOnJoints(routine)) row.cells.push(exact(row.translation));
        }
    }
    return sections;
}

const isOnJoints = (routine) => routine.includes('Joints');

/** Runs a routine on all lists of a chunk. Routines on joints work in place. */
function blend(run, routine, { times }, from, to, stride) {
    const result = stride === 8 ? from.slice() : new Float32Array(from.length);
    const list = from.length / times.length;
    times.forEach((t, i) => {
        const part = (all) => all.subarray(i * list, (i + 1) * list);
        const time = routine.includes('Per') ? new Float32Array(list / stride).fill(t) : t;
        if (stride === 8) run(part(result), part(to), time);
        else run(part(result), part(from), part(to), time);
    });
    return result;
}

/** Max error of a component of a translation, relative to the larger of the two that it is between. */
function translationError(blended, joints, blendJoints, times) {
    const list = blended.length / times.length;
    let worst = 0;
    for (let o = 0; o < blended.length; o += 8) {
        const t = times[Math.floor(o / list)];
        for (let k = o + 4; k < o + 8; k++) {
            const [a, b] = [joints[k], blendJoints[k]];
            const size = Math.max(Math.abs(a), Math.abs(b));
            const error = Math.abs(blended[k] - (a + (b - a) * t)) / size;
            if (size > 0 && !(error <= worst)) worst = error;
        }
    }
    return worst;
}

/** Quaternions of lengths from 0.5 to 3, against the exact quotients. */
function measureNormalization() {
    const rows = variants('normalizeJoints').map((row) => ({ ...row, errors: new QuatErrors() }));
    const next = random(0x4012);
    const q = new Float64Array(4);
    for (let chunk = 0; chunk < (quick ? 1 : 100); chunk++) {
        const list = new Float32Array(40_000 * 8);
        const right = new Float64Array(list.length / 2);
        for (let o = 0; o < list.length; o += 8) {
            unitQuaternion(next, q);
            const length = 0.5 + 2.5 * next();
            for (let k = 0; k < 4; k++) list[o + k] = q[k] * length;
            const size = Math.hypot(...list.subarray(o, o + 4));
            for (let k = 0; k < 4; k++) right[o / 2 + k] = list[o + k] / size;
        }
        for (const { run, errors } of rows) {
            if (!run) continue;
            const normalized = list.slice();
            run(normalized);
            errors.add(normalized, 8, { right, other: new Map() });
        }
    }
    for (const row of rows) if (row.run) row.cells = errorCells(row.errors);
    return { routine: 'normalizeJoints', against: 'quaternions of lengths 0.5 … 3', columns: ERROR_COLUMNS, rows };
}

/** Quaternions to matrices, and back. An implementation with only one way takes the other one from TypeScript. */
function measureConversions() {
    const there = variants('convertJointQuatsToJointMats').map((row) => ({ ...row, errors: new MatErrors() }));
    const back = variants('convertJointMatsToJointQuats').map((row) => ({ ...row, errors: new QuatErrors() }));
    const otherWay = library.implementation('paper/typescript').convertJointQuatsToJointMats;
    const next = random(0xc0);
    const q = new Float64Array(4);
    const count = 40_000;
    for (let chunk = 0; chunk < (quick ? 1 : 100); chunk++) {
        const quats = new Float32Array(count * 8);
        const right = new Float64Array(count * 4);
        const matrices = new Float64Array(count * 12);
        // Either sign is right.
        const other = new Map();
        for (let i = 0; i < count; i++) {
            unitQuaternion(next, q);
            quats.set(q, i * 8);
            const rounded = Float64Array.from(quats.subarray(i * 8, i * 8 + 4));
            right.set(rounded, i * 4);
            other.set(
                i,
                rounded.map((x) => -x),
            );
            matrices.set(matrixOf(rounded), i * 12);
        }
        const mats = new Float32Array(count * 12);
        for (const { run, errors } of there) {
            if (!run) continue;
            run(mats, quats);
            errors.add(mats, matrices);
        }
        const returned = new Float32Array(count * 8);
        for (const { name, run, errors } of back) {
            if (!run) continue;
            (there.find((row) => row.name === name)?.run ?? otherWay)(mats, quats);
            run(returned, mats);
            errors.add(returned, 8, { right, other });
        }
    }
    const columns = ['max', 'R Rᵀ - I'];
    for (const row of there) if (row.run) row.cells = [row.errors.rotation, row.errors.orthonormal].map(exact);
    for (const row of back) if (row.run) row.cells = errorCells(row.errors);
    return [
        { routine: 'convertJointQuatsToJointMats', against: 'the formula', columns, rows: there },
        { routine: 'convertJointMatsToJointQuats', against: 'there and back', columns: ERROR_COLUMNS, rows: back },
    ];
}

/** The worst joint of chains of bones of length 1. */
function measureChains() {
    const lengths = [64, 256, 1024];
    const rows = variants('transformSkeleton').map((row) => ({ ...row, errors: lengths.map(() => new MatErrors()) }));
    const next = random(0xcaa1);
    const { convertJointQuatsToJointMats } = library.implementation('paper/typescript');
    const mats = new Float32Array(lengths.at(-1) * 12);
    const parents = Int32Array.from({ length: lengths.at(-1) }, (_, i) => i - 1);
    for (let k = 0; k < (quick ? 10 : 200); k++) {
        convertJointQuatsToJointMats(mats, chain(next, lengths.at(-1)));
        const right = Float64Array.from(mats);
        for (let o = 12; o < right.length; o += 12) {
            right.set(product(right.subarray(o - 12, o), right.subarray(o, o + 12)), o);
        }
        for (const { run, errors } of rows) {
            if (!run) continue;
            const result = mats.slice();
            run(result, parents);
            for (const [at, length] of lengths.entries()) errors[at].add(result, right.subarray(0, length * 12));
        }
    }
    for (const row of rows) {
        if (!row.run) continue;
        row.cells = row.errors.flatMap((e) => [e.rotation, e.orthonormal, e.translation]).map(exact);
    }
    const columns = lengths.flatMap((length) => [`${length} joints: rotation`, 'R Rᵀ - I', 'translation']);
    return { routine: 'transformSkeleton', against: 'chains of bones of length 1', columns, rows };
}

/** Products of pairs of matrices with translations of length 1. The second one of a pair is the child of the first one. */
function measureProducts() {
    const count = 2000;
    const next = random(0x9a1);
    const { convertJointQuatsToJointMats } = library.implementation('paper/typescript');
    const parents = Int32Array.from({ length: count }, (_, i) => (i % 2 === 0 ? -1 : i - 1));
    const sections = ['untransformSkeleton', 'transformJoints'].map((routine) => ({
        routine,
        against: 'the product of two matrices, with translations of length 1',
        columns: ['rotation max', 'translation max'],
        rows: variants(routine).map((row) => ({ ...row, errors: new MatErrors() })),
    }));
    for (let chunk = 0; chunk < (quick ? 10 : 1000); chunk++) {
        const mats = new Float32Array(count * 12);
        convertJointQuatsToJointMats(mats, chain(next, count));
        const at = (i) => mats.subarray(i * 12, i * 12 + 12);
        for (const { routine, rows } of sections) {
            const inverse = routine === 'untransformSkeleton';
            const right = Float64Array.from(mats);
            for (let i = 0; i < count; i += 2) {
                right.set(product(at(i), at(i + 1), inverse), (inverse ? i + 1 : i) * 12);
            }
            for (const { run, errors } of rows) {
                if (!run) continue;
                const result = mats.slice();
                if (inverse) {
                    run(result, parents);
                } else {
                    const products = mats.slice();
                    run(products, mats, mats.subarray(12), count - 1);
                    for (let i = 0; i < count; i += 2) result.set(products.subarray(i * 12, i * 12 + 12), i * 12);
                }
                errors.add(result, right);
            }
        }
    }
    for (const { rows } of sections) {
        for (const row of rows) if (row.run) row.cells = [row.errors.rotation, row.errors.translation].map(exact);
    }
    return sections;
}

// ---- The document ---------------------------------------------------------------------------------------------------

/** Implementations with the same errors share a line. */
function table({ columns, rows }) {
    const lines = new Map();
    for (const { name, terms, byCpu, cells } of rows) {
        const rest = `${terms ? `, ${terms} terms` : ''}${byCpu ? ' *' : ''} | ${(cells ?? ['not measured']).join(' | ')} |`;
        lines.set(rest, [...(lines.get(rest) ?? []), `\`${name}\``]);
    }
    return [
        `| implementation | ${columns.join(' | ')} |`,
        `| --- |${' ---: |'.repeat(columns.length)}`,
        ...[...lines].map(([rest, names]) => `| ${names.join(', ')}${rest}`),
    ].join('\n');
}

function markdown(sections) {
    const pairs = Object.keys(SETS).map((set) => sections[0].rows.find(({ run }) => run).errors[set].pairs);
    const sets = Object.entries(SETS).map(
        ([set, { title }], k) => `- (${set}) ${pairs[k].toLocaleString('en')} ${title}`,
    );
    return `<!-- written by npm run accuracy -->

# Errors of every implementation

Measured on: ${cpuModel()}, ${process.platform}-${process.arch}, Node ${process.versions.node}, by \`npm run accuracy\`. Every max is a sampled maximum, not a
bound. [Numerics](../numerics.md#accuracy) has a summary.

| column | |
| --- | --- |
| max | max absolute error of a component |
| RMS | root mean square over all components |
| rotation | max angle, in radians, between the rotations of the normalized results |
| length | max relative error of a length |
| translation | max error of a component, relative to the larger of the two that it is between |
| R Rᵀ - I | max entry of it, for the rotation R of a matrix |

Rows marked * depend on the CPU. All lists have 67 pairs, which is not a multiple of 4, 8 or 16. Angles are those between quaternions. Where
two quaternions are a right angle apart, both ways are right. \`slerpQuatTimes\` has the bits of \`slerpQuatsPerQuat\`.

${sets.join('\n')}

${sections.map((one) => `### ${one.routine}\n\nAgainst: ${one.against}.\n\n${table(one)}`).join('\n\n')}
`;
}

/** The cells of each row of a document, by routine, implementation and terms. */
function readRows(text) {
    const found = new Map();
    let routine = '';
    for (const line of text.split('\n')) {
        routine = /^### (\w+)/.exec(line)?.[1] ?? routine;
        const [, first, cells] = /^\| (`.+?) \|(.*)\|$/.exec(line) ?? [];
        if (first === undefined) continue;
        const terms = /, \d+ terms/.exec(first)?.[0] ?? '';
        for (const [, name] of first.matchAll(/`([^`]+)`/g)) {
            found.set(
                `${routine}: ${name}${terms}`,
                cells.split('|').map((cell) => cell.trim()),
            );
        }
    }
    return found;
}

/**
 * The check measures some of the document's pairs, so an error is above the stated one only by rounding of the text. An error below half
 * of it is that of another routine.
 */
const [MIN, MAX] = [0.5, 1.06];
/** Limits of errors by rsqrtps and rcpps on any CPU. */
const anyCpu = (column) => (column === 'length' ? 1.1e-6 : 1e-6);

function faultsOf(text, sections) {
    const stated = readRows(text);
    return sections.flatMap(({ routine, columns, rows }) =>
        rows.flatMap(({ name, terms, byCpu, cells }) => {
            const key = `${routine}: ${name}${terms ? `, ${terms} terms` : ''}`;
            const row = stated.get(key);
            if (!row) return [`no row for ${key}`];
            return columns.flatMap((column, k) => {
                const [found, wanted] = [Number(cells?.[k]), Number(row[k])];
                // The check measures too few pairs for an RMS. A machine that could not measure states no number.
                if (!cells || column === 'RMS' || Number.isNaN(wanted)) return [];
                const holds = byCpu
                    ? found <= Math.max(wanted * MAX, anyCpu(column))
                    : found >= wanted * MIN && found <= wanted * MAX;
                return holds ? [] : [`${key}: ${column} is ${cells[k]}, stated ${row[k]}`];
            });
        }),
    );
}

const sections = [
    ...measureBlends(),
    measureNormalization(),
    ...measureConversions(),
    measureChains(),
    ...measureProducts(),
];
if (options.check) {
    for (const file of positionals.length > 0 ? positionals : [DOCUMENT]) {
        const faults = faultsOf(fs.readFileSync(file, 'utf8'), sections);
        for (const fault of faults) console.error(`${path.basename(file)}: ${fault}`);
        console.log(`${path.basename(file)}: ${faults.length === 0 ? 'holds' : `${faults.length} faults`}`);
        if (faults.length > 0) process.exitCode = 1;
    }
} else {
    fs.writeFileSync(DOCUMENT, markdown(sections));
    console.log(`${path.relative(root, DOCUMENT)}: written`);
}
