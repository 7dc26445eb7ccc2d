// SPDX-License-Identifier: MIT

/**
 * Writes docs/rig-benchmarks.md and its plots from docs/benchmarks/rig.json, what bench/rig/run.mjs measured:
 *
 *     npm run build && node scripts/rig-benchmarks-doc.mjs --measure     measures everything first, in about a minute
 *     node scripts/rig-benchmarks-doc.mjs --measure growth               some parts only; of the same machine as the others
 *     node scripts/rig-benchmarks-doc.mjs                                writes the document
 *     node scripts/rig-benchmarks-doc.mjs --check                        fails if it is not what would be written
 *
 * --folder path: of another place than docs. docs/benchmarks/rig-missed.json says why a target is missed; each one that is
 * has to be there. What was measured is kept where one is not: say why, then write the document.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { targetsOf } from '../bench/rig/targets.mjs';
import { root, runNode } from './lib.mjs';
import { rigBenchmarksMarkdown } from './rig-benchmarks/markdown.mjs';
import { rigPlots } from './rig-benchmarks/plots.mjs';

const PARTS = ['poses', 'skinning', 'knight', 'growth'];
const DIGITS = 5;

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, folder: { type: 'string' }, measure: { type: 'boolean' } },
});
const folder = options.folder ?? path.join(root, 'docs');
const measuredFile = path.join(folder, 'benchmarks/rig.json');
const missedFile = path.join(folder, 'benchmarks/rig-missed.json');

if (options.measure) measureParts(positionals.length > 0 ? positionals : PARTS);

const { machine, loads, parts } = JSON.parse(fs.readFileSync(measuredFile, 'utf8'));
const absent = PARTS.filter((part) => !parts[part]);
if (absent.length > 0) throw new Error(`rig.json lacks ${absent.join(', ')}: run with --measure`);
const targets = targetsOf(parts);
const explanations = explanationsOf(targets.filter(({ ok }) => ok === false).map(({ what }) => what));
const files = new Map([
    ['rig-benchmarks.md', rigBenchmarksMarkdown({ machine, loads, parts, targets, explanations })],
    ...Object.entries(rigPlots(parts.growth, machine)).map(([name, svg]) => [`benchmarks/${name}`, svg]),
]);
for (const [name, content] of files) {
    const file = path.join(folder, name);
    if (!options.check) {
        fs.writeFileSync(file, content);
        console.log(`${name}: written`);
    } else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== content) {
        process.exitCode = 1;
        console.error(`${name} differs, run node scripts/rig-benchmarks-doc.mjs`);
    } else {
        console.log(`${name}: current`);
    }
}

/** Each part in a process of its own, so that none finds the optimising compiler as another left it. */
function measureParts(wanted) {
    const before = fs.existsSync(measuredFile) ? JSON.parse(fs.readFileSync(measuredFile, 'utf8')) : null;
    const isPartial = wanted.length < PARTS.length;
    const { loads, parts } = isPartial && before ? before : { loads: {}, parts: {} };
    const measured = { machine: null, loads, parts };
    for (const part of wanted) {
        const { ok, output } = runNode('bench/rig/run.mjs', ['--part', part, '--json']);
        if (!ok) throw new Error(output);
        const run = JSON.parse(output);
        const { cpu, cores, node, platform, tier } = run.machine;
        const own = { cpu, cores, node, platform, tier, rounds: run.settings.rounds };
        measured.machine ??= isPartial && before ? before.machine : own;
        if (JSON.stringify(measured.machine) !== JSON.stringify(own)) {
            throw new Error('the other parts were measured elsewhere, or otherwise: measure all of them');
        }
        measured.loads[part] = run.machine.load;
        measured.parts[part] = run[part];
        console.log(`${part}: measured`);
    }
    const rounded = (_key, value) => (typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value);
    fs.writeFileSync(measuredFile, `${JSON.stringify(measured, rounded, 2)}\n`);
}

/** Why those are missed. */
function explanationsOf(missed) {
    const all = JSON.parse(fs.readFileSync(missedFile, 'utf8'));
    const unexplained = missed.filter((what) => !all.some((one) => one.targets.includes(what)));
    if (unexplained.length > 0) throw new Error(`rig-missed.json does not say why: ${unexplained.join('; ')}`);
    return all
        .map((one) => ({ ...one, targets: one.targets.filter((what) => missed.includes(what)) }))
        .filter((one) => one.targets.length > 0);
}
