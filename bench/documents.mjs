// SPDX-License-Identifier: MIT

/**
 * Measures the tables of times in README.md and docs/, and writes them there. Between `<!-- name -->` and `<!-- /name -->` a document has
 * only what this writes. Takes some three minutes on a quiet machine. rig/ozz.cpp says how to build its program.
 *
 *     npm run build && node bench/documents.mjs path/to/ozz-bench
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cell, resultTable, table } from './harness.mjs';

const root = join(import.meta.dirname, '..');
const ozz = process.argv[2];
if (ozz === undefined) throw new Error('needs the program of bench/rig/ozz.cpp');

const run = (script, ...args) =>
    JSON.parse(execFileSync(process.execPath, [join(root, 'bench', script), '--json', ...args], { encoding: 'utf8' }));
const parts = ['poses', 'skinning', 'loading'].flatMap((part) => ['--part', part]);
const { machine, model: loaded, poses, skinning, loading } = run('rig/run.mjs', ...parts, '--ozz', ozz);
const { processors, model, jobs } = run('bake/run.mjs', '--part', 'jobs');
const { cpu, node, tier } = machine;
const on = `On one thread of an ${cpu}, Node ${node.slice(1)}`;

function write(file, name, text) {
    const path = join(root, file);
    const [before, rest] = readFileSync(path, 'utf8').split(`<!-- ${name} -->\n`);
    const [, after] = rest.split(`<!-- /${name} -->`);
    writeFileSync(path, `${before}<!-- ${name} -->\n${text}\n<!-- /${name} -->${after}`);
}

const OZZ = 'ozz-animation 0.16';
const short = (nanoseconds) => `${Number(nanoseconds.toPrecision(3))}`;
const names = [...new Set(poses.map(({ name }) => name))].sort((a, b) => Number(a === OZZ) - Number(b === OZZ));
const columns = [...new Set(poses.map((one) => one.poses))];

/** The minimum of the subjects whose name starts so; undefined if none has the column. */
function timeOf(results, name, column) {
    const times = results.filter((one) => one.name.startsWith(name) && [one.poses, one.work].includes(column));
    return times.map(({ nanoseconds }) => nanoseconds.min).sort((a, b) => a - b)[0];
}

const label = (name) => name.replace(/strict\/\w+/, '`$&`');
const ordered = names.flatMap((name) => poses.filter((one) => one.name === name));
const rigTable = ordered.map((one) => ({ ...one, name: label(one.name) }));
write('docs/tables/rig-benchmarks.md', 'poses', `${on}; minimum (median):\n\n${resultTable(rigTable, 'poses')}`);
const skinTable = skinning.map((one) => ({ ...one, name: label(one.name) }));
write('docs/tables/rig-benchmarks.md', 'skinning', `${on}; minimum (median):\n\n${resultTable(skinTable, 'work')}`);

const subjects = [...new Set(names.map((name) => (name.startsWith('three.js') ? 'three.js' : name)))];
const rows = subjects.map((name) => [
    label(name),
    ...columns.map((column) => {
        const time = timeOf(poses, name, column);
        return time === undefined ? '–' : short(time);
    }),
]);
write('docs/benchmarks.md', 'rig', `${on}:\n\n${table(['ns per joint and pose', ...columns], rows)}`);

const loadRows = Object.entries(loading).map(([name, time]) => [
    name.startsWith('Rig') ? `\`${name}\`` : name,
    cell(time),
    `${(time.median / loading['Rig.deserialize'].median).toFixed(1)}×`,
]);
const loadHead = [`${loaded}, ms`, 'minimum (median)', 'ratio of medians'];
write('docs/benchmarks.md', 'loading', `On an ${cpu}, Node ${node.slice(1)}:\n\n${table(loadHead, loadRows)}`);

const counts = Object.keys(jobs).flatMap((name) => /^bake -j (\d+)$/.exec(name)?.[1] ?? []);
const jobRows = counts.map((n) => [n, ...['bake -j', 'bake, processes:', 'reduce -j'].map((work) => jobCell(work, n))]);
function jobCell(work, n) {
    const of = (count) => jobs[`${work} ${count}`];
    return `${cell(of(n))}, ${(of('1').min / of(n).min).toFixed(2)}×`;
}
const head = ['', `20 × ${model}, \`bake -j\``, 'the same by processes', `${model}, \`reduce -j\``];
const jobsOn = `On ${processors} processors, ${cpu}, Node ${node.slice(1)}; ms, and how many times as fast as with one:`;
write('docs/benchmarks.md', 'jobs', `${jobsOn}\n\n${table(head, jobRows)}`);

const CASES = [
    ['200 characters of 64 joints, one clip: sampling, hierarchy, palettes; per joint', '200 poses', [OZZ, 'three.js']],
    ['each its own of 76 clips', '200 poses, 76 clips', [OZZ]],
    ['the same, other clips in each frame', '200 poses, 76 clips, jumping', [OZZ]],
    ['one character, in one call', '1 pose', [OZZ], `one call, ${tier}`],
];
const speed = (title, ours, name, theirs) =>
    `| ${title} | ${short(ours)} ns | ${name} ${short(theirs)} ns | ${short(theirs / ours)}× |`;
const speeds = CASES.flatMap(([title, column, rivals, ours = tier]) =>
    rivals.map((name, i) =>
        speed(i ? 'the same' : title, timeOf(poses, ours, column), name, timeOf(poses, name, column)),
    ),
);
const skin = ['skin 5,000 vertices in 64 poses; per vertex', timeOf(skinning, tier, 'positions')];
speeds.push(speed(...skin, 'three.js', timeOf(skinning, 'three.js', 'positions')));
// By `poselane bench --peers`, rig/ik.mjs and web/live.mjs.
const kept = readFileSync(join(root, 'README.md'), 'utf8').match(/^\| (?:slerp|1,000 characters).*$/gm);
const speedHead = '| | poselane | compared with | ratio |\n|---|---:|---:|---:|';
write('README.md', 'speed', [speedHead, ...speeds, ...kept].join('\n'));
