// SPDX-License-Identifier: MIT

/**
 * Writes docs/benchmarks.md and the charts in docs/benchmarks/ from what a run of the benchmarks measured:
 *
 *     npx poselane bench --papers --peers --kernels slerpJoints,convertJointMatsToJointQuats --n 100000 --json run.json
 *     node scripts/benchmarks-doc.mjs run.json            writes the document
 *     node scripts/benchmarks-doc.mjs run.json --check    fails if it is not what would be written
 *
 * The run behind the document in the repository is docs/benchmarks/run.json, the default. The targets of the strict
 * kernels come from docs/benchmarks/targets.json beside it, of another run:
 *
 *     node bench/joints.mjs --targets --json > docs/benchmarks/targets.json
 *
 * docs/benchmarks/missed.json says why a target is missed; each one that is has to be there.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib.mjs';
import { barChart } from './svg-plot.mjs';

const RUN = 'docs/benchmarks/run.json';
const TARGETS = 'docs/benchmarks/targets.json';
const MISSED = 'docs/benchmarks/missed.json';
/** Ticks of slerpJoints by a plain loop over acosf, sinf and sqrtf: bench/variants/blend/README.md. */
const FLOAT_LIBM = 39.0;

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' } },
});
const run = JSON.parse(fs.readFileSync(positionals[0] ?? path.join(root, RUN), 'utf8'));
if (run.format !== 'poselane-bench' || run.version !== 1 || !run.papers) {
    throw new Error("needs what 'poselane bench --papers --json' wrote");
}
const { machine, papers, results } = run;
const { machine: machineOfTargets, targets } = JSON.parse(fs.readFileSync(path.join(root, TARGETS), 'utf8'));
const explanations = JSON.parse(fs.readFileSync(path.join(root, MISSED), 'utf8'));
const ELEMENTS = 1024;
const UNIT = papers.unit === 'ticks' ? 'TSC cycles' : 'ns';
const isPeer = (name) => run.peers.some((peer) => peer.name === name);

// ---- Numbers --------------------------------------------------------------------------------------------------------

/** A minimum in the unit of the tables, wherever it was timed. */
function inUnit({ unit, min }) {
    if (unit === papers.unit) return min;
    return unit === 'ns' ? min * machine.ticksPerNs : min / machine.ticksPerNs;
}

function find(routine, implementation, timed, n = ELEMENTS) {
    return results.find(
        (one) => one.routine === routine && one.implementation === implementation && one.timed === timed && one.n === n,
    );
}

const inNs = ({ unit, min }) => (unit === 'ns' ? min : min / machine.ticksPerNs);

/** The fastest implementation that was timed in the addon, or else the fastest of all. */
function best(routine, timed = 'addon') {
    const all = results.filter((one) => one.routine === routine && one.n === ELEMENTS && !isPeer(one.implementation));
    const candidates = all.some((one) => one.timed === timed) ? all.filter((one) => one.timed === timed) : all;
    return candidates.reduce((least, one) => (inUnit(one) < inUnit(least) ? one : least));
}

/** What the plain function of that name needs, called from JavaScript. */
const plain = (routine) => find(routine, machine.tier, 'javascript') ?? best(routine, 'javascript');

const times = (value, decimals = 1) => (value === null ? '–' : `${value.toFixed(decimals)}×`);
const one = (value) => (value === null || value === undefined ? '–' : value.toFixed(1));
const two = (value) => (value === null || value === undefined ? '–' : value.toFixed(2));
const brief = (value) => (value >= 99.95 ? value.toFixed(0) : value.toFixed(1));

// ---- Markdown -------------------------------------------------------------------------------------------------------

function table(header, rows) {
    const all = [header, header.map((_, k) => (k === 0 ? '---' : '---:')), ...rows];
    return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function tableOf2005() {
    const rows = [];
    for (const { title, published, here, speedUp, routine } of papers.joints) {
        const of = (name) => here.find(({ implementation }) => implementation === name);
        const others = here.filter(({ implementation }) => !['paper/c', 'paper/sse'].includes(implementation));
        const cell = (found) => (found ? `${brief(found.min)} (${brief(found.median)})` : '–');
        const { c, sse } = published;
        rows.push([`**${title}**, C`, c.p4At130nm, c.p4At90nm, '`paper/c`', cell(of('paper/c'))]);
        rows.push(['SSE', sse.p4At130nm, sse.p4At90nm, '`paper/sse`', cell(of('paper/sse'))]);
        rows.push(['C → SSE', times(speedUp.p4At130nm), times(speedUp.p4At90nm), '', times(speedUp.here)]);
        for (const found of others) {
            const mark = found.timed === 'javascript' ? ' *' : '';
            rows.push(['', '', '', `\`${found.implementation}\`${mark}`, cell(found)]);
        }
        const fastest = best(routine);
        rows.push(['fastest here', '', '', `\`${fastest.implementation}\``, brief(inUnit(fastest))]);
    }
    return table(['routine', 'P4 130 nm', 'P4 90 nm', 'implementation', `here: minimum (median), ${UNIT}`], rows);
}

/** Every routine of the strict kernels, beside the listings and the fast ones. */
function tableOfStrict() {
    const routines = [
        ...papers.joints.map(({ routine }) => routine),
        'slerpJointsPerJoint',
        'normalizeJoints',
        'slerpQuats',
        'slerpQuatsPerQuat',
        'lerpQuats',
    ];
    const names = [
        'paper/c',
        'paper/sse',
        'strict/typescript',
        'strict/scalar',
        'strict/sse2',
        'strict/avx2',
        'strict/avx512',
        'fast/avx2',
        'fast/avx512',
    ];
    return table(
        ['routine', ...names.map((name) => `\`${name}\``)],
        routines.map((routine) => [
            routine,
            ...names.map((name) => {
                const found = find(routine, name, 'addon') ?? find(routine, name, 'javascript');
                return found ? brief(inUnit(found)) : '–';
            }),
        ]),
    );
}

function tableOfTargets() {
    const value = (number) => (number === null ? '–' : number >= 100 ? number.toFixed(0) : number.toFixed(2));
    return table(
        ['', 'target', 'minimum', 'median', ''],
        targets.map(({ what, sense, wanted, unit, min, median, ok }) => [
            what,
            wanted === null ? unit : `${sense === '<=' ? '≤' : '≥'} ${wanted} ${unit}`,
            value(min),
            value(median),
            min === null ? 'not available' : wanted === null ? '' : ok ? 'reached' : '**missed**',
        ]),
    );
}

/** Why the missed ones are; '' where none is. */
function missedTargets() {
    const missed = targets.filter(({ ok }) => ok === false).map(({ what }) => what);
    if (missed.length === 0) return '';
    const unexplained = missed.filter((what) => !explanations.some((one) => one.targets.includes(what)));
    if (unexplained.length > 0) throw new Error(`${MISSED} does not say why: ${unexplained.join('; ')}`);
    const rows = explanations
        .map(({ targets: about, why, tried }) => [about.filter((what) => missed.includes(what)), why, tried])
        .filter(([about]) => about.length > 0)
        .map(([about, why, tried]) => [about.join('<br>'), why, tried]);
    return `
${table(['missed', 'why', 'tried'], rows).replace('---: | ---:', '--- | ---')}
`;
}

/** How much faster slerpJoints is than a loop in floats, by the same run. */
function overFloatLibm() {
    const found = targets.find(({ what }) => what === 'slerpJoints, n = 1024: strict/avx512');
    return found?.min ? `, ${times(FLOAT_LIBM / found.min, 0)} what \`strict/avx512\` takes` : '';
}

function tableOfIntel() {
    return table(
        ['lists of', 'published', 'here', `\`paper/sse\`, ${UNIT}`, `\`intel/avx\`, ${UNIT}`],
        papers.intel.map(({ quaternions, published, here, sse, avx }) => [
            `${quaternions} quaternions`,
            times(published, 2),
            times(here, 2),
            one(sse?.min),
            one(avx?.min),
        ]),
    );
}

function tableOfEberly() {
    return table(
        ['function', '32-bit', '64-bit', 'implementation', 'here, one pair', 'here, list of pairs'],
        papers.eberly.map(({ title, published32Bit, published64Bit, implementation, times: atTimes, lists }) => [
            title,
            one(published32Bit),
            one(published64Bit),
            `\`${implementation}\``,
            two(atTimes),
            two(lists),
        ]),
    );
}

function tableOfJavascript() {
    const routines = [...papers.joints.map(({ routine }) => routine), 'slerpQuats'];
    const peers = run.peers.filter(({ version }) => version !== null).map(({ name }) => name);
    const cell = (routine, name) => {
        const found = find(routine, name, 'javascript');
        return found ? one(inNs(found)) : '–';
    };
    return table(
        ['routine', `poselane: \`${machine.tier}\``, '`strict/typescript`', ...peers],
        routines.map((routine) => {
            return [
                routine,
                one(inNs(plain(routine))),
                cell(routine, 'strict/typescript'),
                ...peers.map((name) => cell(routine, name)),
            ];
        }),
    );
}

/** Long lists beside those of 1024, for routines that were measured with them; '' where none was. */
function learntBranches() {
    const long = 100_000;
    const rows = [];
    for (const { routine, title } of papers.joints) {
        for (const implementation of ['paper/c', 'paper/sse']) {
            const [short, far] = [ELEMENTS, long].map((n) => find(routine, implementation, 'addon', n));
            if (short && far) rows.push([title, `\`${implementation}\``, one(inUnit(short)), one(inUnit(far))]);
        }
    }
    if (rows.length === 0) return '';
    return `
### Branches that are learnt by heart

The tables above repeat one list of ${ELEMENTS} joints, as those of 2005 did; here the joints are random. A branch predictor
of today learns that list by heart, which flatters the C code. On ${long} random joints, too many to learn, the C code
is slower and the SIMD code, which has no branches, hardly. (It is not the length: ${long} joints that repeat the
same ${ELEMENTS} again and again take as long per joint as ${ELEMENTS}.)

${table(['routine', 'implementation', `${ELEMENTS} joints, ${UNIT}`, `${long} joints, ${UNIT}`], rows)}
`;
}

// ---- Charts ---------------------------------------------------------------------------------------------------------

/** One bar each: [what is written below it, value]; bars without a value are left out. */
function chart(title, subtitle, label, bars) {
    const shown = bars.filter(([, value]) => value !== null && value !== undefined);
    return barChart({
        title,
        subtitle,
        width: Math.max(480, 90 + shown.length * 72),
        height: 360,
        y: { label, scale: 'log', min: 1 },
        categories: shown.map(([category]) => category),
        series: [{ name: 'minimum; less is faster', values: shown.map(([, value]) => value) }],
        format: brief,
    });
}

function chartOf(routine, title, published) {
    const value = (implementation, timed) => {
        const found = find(routine, implementation, timed);
        return found ? inUnit(found) : null;
    };
    const fastest = best(routine);
    const calm = plain(routine);
    const inAddon = ['paper/c', 'paper/sse', 'strict/sse2', 'strict/avx2', 'strict/avx512'];
    const twin = 'strict/typescript';
    const shown = [...inAddon, twin];
    const bars = [
        ['C, P4\n130 nm', published?.c.p4At130nm],
        ['SSE, P4\n130 nm', published?.sse.p4At130nm],
        ...inAddon.map((name) => [name.replace('/', '/\n'), value(name, 'addon')]),
        [fastest.implementation.replace('/', '/\n'), shown.includes(fastest.implementation) ? null : inUnit(fastest)],
        [`${calm.implementation}\nfrom JS`, inUnit(calm)],
        ['TypeScript', calm.implementation === twin ? null : value(twin, 'javascript')],
        ...run.peers.map(({ name }) => [name.replace(' ', '\n'), value(name, 'javascript')]),
    ];
    const what = published ? `${UNIT} per joint` : `${UNIT} per quaternion`;
    return chart(
        title,
        `${what}, ${ELEMENTS} elements, hot cache${published ? '; P4: Pentium 4, published 2005' : ''}; ${machine.cpu}`,
        `${what} (log)`,
        bars,
    );
}

function chartOfEberly() {
    return barChart({
        title: 'Slerp of one pair: Eberly (2011), Table 2',
        subtitle: `ns per slerp (log); less is faster; here: ${machine.cpu}`,
        y: { label: 'ns per slerp', scale: 'log', min: 1 },
        categories: papers.eberly.map(({ title, implementation }) => `${title}\n${implementation}`),
        series: [
            { name: '32-bit code, Core 2 Quad 2.83 GHz', values: papers.eberly.map((row) => row.published32Bit) },
            { name: '64-bit code, Core i7 1.73 GHz', values: papers.eberly.map((row) => row.published64Bit) },
            { name: 'here', values: papers.eberly.map(({ times: atTimes, lists }) => atTimes ?? lists) },
        ],
        format: brief,
    });
}

function chartOfIntel() {
    return barChart({
        title: 'AVX over SSE: Intel (2011), table 1',
        subtitle: `times as fast, on lists of plain quaternions; here: ${machine.cpu}`,
        width: 480,
        height: 320,
        y: { label: 'times as fast', min: 0 },
        categories: papers.intel.map(({ quaternions }) => `${quaternions} quaternions`),
        series: [
            { name: 'published', values: papers.intel.map(({ published }) => published) },
            { name: 'intel/avx over paper/sse here', values: papers.intel.map(({ here }) => here) },
        ],
        format: two,
    });
}

// ---- The recipe -----------------------------------------------------------------------------------------------------

/** A part of scripts/bench-recipe.sh, indented for a YAML block. */
function step(name, indent) {
    const script = fs.readFileSync(path.join(root, 'scripts/bench-recipe.sh'), 'utf8');
    const [, lines] = new RegExp(`^# >>> ${name}\\n([\\s\\S]*?)^# <<< ${name}$`, 'm').exec(script);
    return lines
        .trimEnd()
        .split('\n')
        .map((line) => ' '.repeat(indent) + line)
        .join('\n');
}

function recipe() {
    return `name: benchmarks
on: [push, pull_request]
jobs:
  poselane:
    runs-on: ubuntu-latest
    env:
      POSELANE: npx poselane
      BENCH_OPTIONS: '' # e.g. --kernels slerpJoints,transformSkeleton --n 1024
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
          cache: npm
      - run: npm ci
      - id: cpu
        run: |
${step('cpu', 10)}
      # The baseline is the default branch's: pull requests are held against it and never become it.
      - uses: actions/cache/restore@v4
        with:
          path: bench-base.json
          key: poselane-bench-v1-\${{ steps.cpu.outputs.key }}
      - name: Measure, and compare with the baseline where there is one
        run: |
${step('measure', 10)}
      - uses: actions/cache/save@v4
        if: github.ref_name == github.event.repository.default_branch
        with:
          path: bench-base.json
          key: poselane-bench-v1-\${{ steps.cpu.outputs.key }}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: bench
          path: bench.json`;
}

// ---- The document ---------------------------------------------------------------------------------------------------

function markdown(charts) {
    const picture = (file) => `![${charts.get(file).alt}](benchmarks/${file})`;
    const missing = run.peers.filter(({ version }) => version === null).map(({ name }) => name);
    const versions = run.peers
        .filter(({ version }) => version !== null)
        .map(({ name, version }) => `${name} ${version}`);
    return `<!-- generated by scripts/benchmarks-doc.mjs; do not edit -->

# Benchmarks

${machine.cpu} (${machine.cores} cores seen, load ${machine.load} when it began), ${machine.platform}, Node ${machine.node}, poselane ${run.poselane}; plain functions:
\`${machine.tier}\`. ${
        machine.ticksPerNs === null
            ? 'There is no time stamp counter: everything is in nanoseconds.'
            : `Time stamp counter: ${machine.ticksPerNs.toFixed(3)} ticks a nanosecond. It runs at one rate, whatever the core does; the\nclocks that were published in 2005 are the Pentium 4's own.`
    }
Data: ${run.settings.data}; t = ${run.settings.t}, seed ${run.settings.seed}; ${run.settings.rounds}
interleaved rounds in ${run.settings.processes} processes. Everything is hot in the cache, the fastest of all repetitions counts, and the time of
reading the clock is subtracted.

\`\`\`sh
npx poselane bench --papers            # the tables, on your machine
npx poselane bench                     # everything, also as called from JavaScript
npx poselane bench --help
\`\`\`

The Rig, which evaluates skeletons and clips, has [a page of its own](rig-benchmarks.md).

## The papers of 2005

J.M.P. van Waveren: *Slerping Clock Cycles*, *From Quaternion to Matrix and Back*, *The Skeleton Assembly Line*. Clock
cycles per element, ${ELEMENTS} elements; on two Pentium 4 as published, and here.

${tableOf2005()}

\\* called from JavaScript; all others are timed in the addon.
${learntBranches()}
### Each routine

Logarithmic. "From JS", "TypeScript" (\`strict/typescript\`) and other libraries: called from JavaScript, with all checks.

${papers.joints.map(({ routine }) => picture(`${routine}.svg`)).join('\n\n')}

## The strict kernels

What the plain functions use: the same bits in every column \`strict/*\` ([numerics](numerics.md)). ${UNIT} per element, ${ELEMENTS}
elements, minimum; \`strict/typescript\` as called from JavaScript.

${tableOfStrict()}

Forms of the kernels that were tried and lost are in \`bench/variants/\`, with what they measured.

What they were meant to reach, and what they do, from another run (\`npm run bench\` prints it on your machine): ${machineOfTargets.cpu}, Node
${machineOfTargets.node.replace(/^v/, '')}. Ticks are of 2.596 GHz. Ratios are what holds on other machines; times are for one.

- Skeletons are measured as 16 humanoids of 64 joints in one call. One alone takes a few hundred ticks, so that the clock,
  whose step is 26 ticks here, and the start of its first chain, which nothing overlaps, count: its figures go by steps of 0.4
  ticks a joint. They stand beside, without a verdict.
- "libm" is \`paper/c\`, which calls libm's functions in double precision. A plain loop over \`acosf\`, \`sinf\` and \`sqrtf\` takes
  ${FLOAT_LIBM.toFixed(1)} ticks a joint ([variants](../bench/variants/blend/README.md))${overFloatLibm()}.

${tableOfTargets()}
${missedTargets()}
## Intel, 2011

*Benefits of Intel AVX for Quaternion Slerp*, table 1: AVX against the SSE listing of 2005 on lists of plain quaternions.
67 leaves a rest of 3, which the document's code computes one by one and \`intel/avx\` by masked moves.

${tableOfIntel()}

${picture('intel.svg')}

## Eberly, 2011

*A Fast and Accurate Algorithm for Computing SLERP*, Table 2: nanoseconds per slerp, from seconds for 2²⁸ calls (32-bit
code on a Core 2 Quad Q9550 at 2.83 GHz, 64-bit code on a Core i7 Q740 at 1.73 GHz). Here: one pair at ${ELEMENTS} times, and
lists of ${ELEMENTS} pairs. "Slerp" is the usual one by arc cosine and sine.

${tableOfEberly()}

${picture('eberly.svg')}

## Beside other libraries

Nanoseconds per element, ${ELEMENTS} elements, all called from JavaScript on the same data in the same rounds: ${versions.join(', ')}.${
        missing.length > 0 ? ` Not installed: ${missing.join(', ')}.` : ''
    }
Their objects and views were made beforehand. "Flat JavaScript" is a loop over flat arrays as one writes it without a
library, in doubles.

${tableOfJavascript()}

${picture('slerpQuats.svg')}

## On CI hosts

\`poselane bench --compare base.json --max-regression 10%\` measures what an earlier \`--json base.json\` has, and ends with
exit code 4 when a kernel is slower by more than that. Hosted machines are shared, and differ from day to day. Therefore

- judged are ratios to \`paper/c\`, measured in the same rounds a few milliseconds apart (\`paper/c\` itself can only be
  judged by \`--absolute\`, which refuses another CPU model or Node version with exit code 2);
- on the same CPU model only rounds are compared in which \`paper/c\` was about as fast, because the other half of a busy
  core slows scalar code more than SIMD code;
- the rounds are spread over several processes, and what looks slower is measured up to four times more in new ones,
  with pauses; it is slower only if all measurements together still say so;
- what the clock cannot tell apart on a short list is no regression.

| exit code | |
| --- | --- |
| 0 | nothing is slower by more than allowed |
| 2 | a wrong option, or nothing to compare |
| 3 | the base is missing or no output of \`poselane bench\` |
| 4 | slower: each case is named on stderr, with by how much |

For a project that depends on poselane, on GitHub Actions:

\`\`\`yaml
${recipe()}
\`\`\`

The first run of the default branch on a CPU model makes the baseline, which is kept for its like; raise \`v1\` in the key to begin anew.
[\`scripts/bench-recipe.sh\`](../scripts/bench-recipe.sh) does the same steps on your machine, with a folder for the cache;
a test runs it.

*This page and its charts: \`node scripts/benchmarks-doc.mjs run.json\`, from
\`poselane bench --papers --peers --kernels slerpJoints,convertJointMatsToJointQuats --n 100000 --json run.json\`;
[this run](benchmarks/run.json).*
`;
}

const charts = new Map();
for (const published of papers.joints) {
    const alt = `${published.title}: published clock cycles and those here, as in the table`;
    charts.set(`${published.routine}.svg`, {
        alt,
        svg: chartOf(published.routine, published.title, published.published),
    });
}
charts.set('slerpQuats.svg', {
    alt: 'Slerp of lists of plain quaternions: poselane and other libraries',
    svg: chartOf('slerpQuats', 'Slerp of lists of plain quaternions', null),
});
charts.set('intel.svg', { alt: "Intel's speed-up and the one here", svg: chartOfIntel() });
charts.set('eberly.svg', { alt: "Eberly's times and those here", svg: chartOfEberly() });

/** The tables alone, for docs/papers.md. */
function papersFragment() {
    return `<!-- generated by scripts/benchmarks-doc.mjs; do not edit -->

${machine.cpu}, Node ${machine.node}. The three papers of 2005: clock cycles per element, ${ELEMENTS} elements in cache, on two
Pentium 4 as published; here ticks of the time stamp counter, minimum (median).

${tableOf2005()}

\\* called from JavaScript; all others are timed in the addon.

Intel's AVX against the SSE listing:

${tableOfIntel()}

Eberly's Table 2, nanoseconds per slerp:

${tableOfEberly()}

How this was measured, and more: [benchmarks](../benchmarks.md).
`;
}

const files = new Map([
    ['docs/benchmarks.md', markdown(charts)],
    ['docs/papers/bench-papers.md', papersFragment()],
]);
for (const [name, { svg }] of charts) files.set(`docs/benchmarks/${name}`, svg);
for (const [name, content] of files) {
    const file = path.join(root, name);
    if (options.check) {
        const current = fs.existsSync(file) && fs.readFileSync(file, 'utf8') === content;
        if (!current) process.exitCode = 1;
        console.log(`${name}: ${current ? 'current' : 'differs, run node scripts/benchmarks-doc.mjs'}`);
    } else {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, content);
        console.log(`${name}: written`);
    }
}
