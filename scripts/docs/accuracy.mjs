// SPDX-License-Identifier: MIT

/**
 * npm run accuracy: measures every implementation against double precision and writes docs/tables/accuracy.md.
 *
 *     node scripts/docs/accuracy.mjs                    measures on millions of pairs, a few minutes, and writes
 *     node scripts/docs/accuracy.mjs --check [file …]   measures some of the pairs and writes nothing; fails where a
 *                                                       file lacks a row, or states another error than the measured one
 *
 * Works on dist/ and the built addon: npm run build.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib.mjs';
import { Errors, interpolate, offOrthonormal, product, rotationOf, transformChain } from './accuracy/reference.mjs';
import { chain, random, SETS, unitQuaternion, withTranslations } from './accuracy/sets.mjs';

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false } },
});
/** Only some of the pairs: errors come out a little lower. */
const quick = options.check;
const DOCUMENT = path.join(root, 'docs/tables/accuracy.md');

const require = createRequire(import.meta.url);
const library = require('../../dist/index.js');
const { cpuModel } = require('../../dist/bench/machine.js');

// ---- What is measured -----------------------------------------------------------------------------------------------

/** What goes through rsqrtps or rcpps, whose results are the CPU's own. */
const BY_CPU = {
    'paper/sse': ['slerpJoints', 'lerpJoints', 'convertJointMatsToJointQuats', 'slerpQuats', 'lerpQuats'],
    'intel/avx': ['slerpQuats'],
};

/** Left out, because the document is measured on x86-64: its bits, and so its errors, are those of all strict/*. */
const LEFT_OUT = 'strict/neon';

/**
 * Each implementation of a routine; Eberly's polynomial with each of these numbers of terms. `cells` becomes its row,
 * and stays undefined where it cannot run here.
 */
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

/** Routines on two lists, and what they approximate; a time for each pair where the name says "Per". */
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

/** Errors of slerps and lerps on the sets. */
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
                    row.errors[set] ??= new Errors();
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

/** What a routine makes of all lists of a chunk. Those on joints work in place. */
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

/** The max error of any component of a translation, relative to the greater of the two that it lies between. */
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
    const rows = variants('normalizeJoints').map((row) => ({ ...row, errors: new Errors() }));
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

/** Quaternions to matrices, and back; an implementation that has one way only takes the other from TypeScript. */
function measureConversions() {
    const there = variants('convertJointQuatsToJointMats').map((row) => ({ ...row, max: 0, orthonormal: 0 }));
    const back = variants('convertJointMatsToJointQuats').map((row) => ({ ...row, errors: new Errors() }));
    const otherWay = library.implementation('paper/typescript').convertJointQuatsToJointMats;
    const next = random(0xc0);
    const q = new Float64Array(4);
    const count = 40_000;
    for (let chunk = 0; chunk < (quick ? 1 : 100); chunk++) {
        const quats = new Float32Array(count * 8);
        const right = new Float64Array(count * 4);
        const rotations = new Float64Array(count * 9);
        // Either sign is right.
        const other = new Map();
        for (let i = 0; i < count; i++) {
            unitQuaternion(next, q);
            quats.set(q, i * 8);
            right.set(quats.subarray(i * 8, i * 8 + 4), i * 4);
            other.set(
                i,
                right.slice(i * 4, i * 4 + 4).map((x) => -x),
            );
            rotations.set(rotationOf(...right.subarray(i * 4, i * 4 + 4)), i * 9);
        }
        const mats = new Float32Array(count * 12);
        for (const row of there) {
            if (!row.run) continue;
            row.run(mats, quats);
            for (let i = 0; i < count; i++) {
                for (let k = 0; k < 9; k++) {
                    const error = Math.abs(mats[i * 12 + Math.floor(k / 3) * 4 + (k % 3)] - rotations[i * 9 + k]);
                    if (!(error <= row.max)) row.max = error;
                }
                row.orthonormal = Math.max(row.orthonormal, offOrthonormal(mats, i * 12));
            }
        }
        const returned = new Float32Array(count * 8);
        for (const { name, run, errors } of back) {
            if (!run) continue;
            (there.find((row) => row.name === name)?.run ?? otherWay)(mats, quats);
            run(returned, mats);
            errors.add(returned, 8, { right, other });
        }
    }
    for (const row of there) if (row.run) row.cells = [exact(row.max), exact(row.orthonormal)];
    for (const row of back) if (row.run) row.cells = errorCells(row.errors);
    return [
        {
            routine: 'convertJointQuatsToJointMats',
            against: 'the formula',
            columns: ['max', 'R Rᵀ - I'],
            rows: there,
        },
        { routine: 'convertJointMatsToJointQuats', against: 'there and back', columns: ERROR_COLUMNS, rows: back },
    ];
}

/** What transformSkeleton adds up along chains of bones of length 1: the worst joint of chains of these lengths. */
function measureChains() {
    const lengths = [64, 256, 1024];
    const rows = variants('transformSkeleton').map((row) => ({ ...row, worst: lengths.map(() => [0, 0, 0]) }));
    const next = random(0xcaa1);
    const { convertJointQuatsToJointMats } = library.implementation('paper/typescript');
    const longest = lengths.at(-1);
    const mats = new Float32Array(longest * 12);
    const parents = Int32Array.from({ length: longest }, (_, i) => i - 1);
    for (let k = 0; k < (quick ? 10 : 200); k++) {
        convertJointQuatsToJointMats(mats, chain(next, longest));
        const right = transformChain(mats);
        for (const { run, worst } of rows) {
            if (!run) continue;
            const m = mats.slice();
            run(m, parents);
            for (let i = 0; i < longest; i++) {
                const errors = [0, offOrthonormal(m, i * 12), 0];
                for (let e = 0; e < 12; e++) {
                    const error = Math.abs(m[i * 12 + e] - right[i * 12 + e]);
                    const where = e % 4 === 3 ? 2 : 0;
                    if (!(error <= errors[where])) errors[where] = error;
                }
                lengths.forEach((length, at) => {
                    if (i < length) worst[at] = worst[at].map((value, which) => Math.max(value, errors[which]));
                });
            }
        }
    }
    for (const row of rows) if (row.run) row.cells = row.worst.flat().map(exact);
    return {
        routine: 'transformSkeleton',
        against: 'chains of bones of length 1',
        columns: lengths.flatMap((length) => [`${length} joints: rotation`, 'R Rᵀ - I', 'translation']),
        rows,
    };
}

/** One product of each of many pairs of matrices with translations of length 1, which are parent and child. */
function measureProducts() {
    const pairs = 1000;
    const next = random(0x9a1);
    const { convertJointQuatsToJointMats } = library.implementation('paper/typescript');
    const sections = ['untransformSkeleton', 'transformJoints'].map((routine) => ({
        routine,
        against: 'the product of two matrices, with translations of length 1',
        columns: ['rotation max', 'translation max'],
        rows: variants(routine).map((row) => ({ ...row, worst: [0, 0] })),
    }));
    const parents = Int32Array.from({ length: 2 * pairs }, (_, i) => (i % 2 === 0 ? -1 : i - 1));
    for (let chunk = 0; chunk < (quick ? 10 : 1000); chunk++) {
        const mats = new Float32Array(2 * pairs * 12);
        convertJointQuatsToJointMats(mats, chain(next, 2 * pairs));
        for (const { routine, rows } of sections) {
            const inverse = routine === 'untransformSkeleton';
            const at = (i) => mats.subarray(i * 12, i * 12 + 12);
            const right = Array.from({ length: pairs }, (_, i) => product(at(2 * i), at(2 * i + 1), inverse));
            for (const { run, worst } of rows) {
                if (!run) continue;
                const result = mats.slice();
                if (inverse) run(result, parents);
                // Each matrix times the next one.
                else run(result, mats, mats.subarray(12), 2 * pairs - 1);
                right.forEach((matrix, i) => {
                    for (let e = 0; e < 12; e++) {
                        const error = Math.abs(result[(2 * i + (inverse ? 1 : 0)) * 12 + e] - matrix[e]);
                        const where = e % 4 === 3 ? 1 : 0;
                        if (!(error <= worst[where])) worst[where] = error;
                    }
                });
            }
        }
    }
    for (const { rows } of sections) for (const row of rows) if (row.run) row.cells = row.worst.map(exact);
    return sections;
}

// ---- The document ---------------------------------------------------------------------------------------------------

/** Implementations with the same errors, mostly because they have the same bits, share a line. */
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

/** What a document says: the cells of each row, by routine (its heading), implementation and terms. */
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
 * The check measures some of the pairs that the document's run measured, so no error can be above the stated one but by the rounding of
 * the text. An error below half of it is not that of the routine that was measured.
 */
const [LEAST, MOST] = [0.5, 1.06];
/** Limits of errors by rsqrtps and rcpps on any CPU; where lengths are off, other errors are larger. */
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
                    ? found <= Math.max(wanted * MOST, anyCpu(column))
                    : found >= wanted * LEAST && found <= wanted * MOST;
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
