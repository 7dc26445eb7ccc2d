// SPDX-License-Identifier: MIT

/**
 * Mutates real glTF files, and bakes' manifests, and gives them to everything that reads them, in processes of their own. Each
 * has to end in success or in one of poselane's own errors: a raw TypeError, a crash, more than 10 s of CPU time, a GiB more memory
 * than a process had that does nothing else, an unhandled rejection, or a file left behind by what failed is a finding. A share of the cases is done without the addon as
 * well, and must come to the same bytes or the same error.
 *
 * node test/long/fuzz-gltf.mjs [--files n | --seconds n] [--from n] [--jobs 2] [--seed s] [--case n] [--out result.json] [--kept folder]
 *
 * A case is made by seed and number alone: `--seed s --case n` runs one again. Findings lie in build/fuzz-gltf/, or the
 * folder that is named, which is emptied first. Fails where the addon could be there and is not.
 */

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/lib.mjs';
import cases from './fuzz-gltf/case.cjs';
import { writeSeeds } from './fuzz-gltf/seeds.mjs';
import watch from './fuzz-gltf/watch.cjs';

const { values: options } = parseArgs({
    options: {
        files: { type: 'string' },
        seconds: { type: 'string' },
        jobs: { type: 'string', default: '2' },
        seed: { type: 'string', default: 'poselane' },
        from: { type: 'string' },
        case: { type: 'string' },
        out: { type: 'string' },
        kept: { type: 'string', default: path.join(root, 'build/fuzz-gltf') },
    },
});

const script = fileURLToPath(new URL('fuzz-gltf/job.cjs', import.meta.url));

const count = (text, otherwise) => (text === undefined ? otherwise : Number(text));
const one = options.case === undefined ? null : Number(options.case);
const jobs = one === null ? count(options.jobs, 2) : 1;
const from = one ?? count(options.from, 0);
const last = one === null ? from + count(options.files, Number.MAX_SAFE_INTEGER - from) : one + 1;
const seconds = one === null ? count(options.seconds, options.files === undefined ? 60 : Infinity) : 60;
for (const n of [jobs, last - from, seconds])
    if (!(n > 0)) throw new Error('files, seconds and jobs are numbers above 0');
if (!(from >= 0)) throw new Error('cases are numbered from 0');

const scratch = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'poselane-fuzz-'));
const { kept } = options;
fs.rmSync(kept, { recursive: true, force: true });
fs.mkdirSync(kept, { recursive: true });

const started = Date.now();
const until = seconds === Infinity ? Number.MAX_SAFE_INTEGER : started + seconds * 1000;
const findings = [];

function found({ n, ...rest }) {
    const { key, subject } = cases.drawCase(options.seed, n);
    const finding = { n, key, subject, ...rest };
    // Of a case that was run again.
    if (findings.some((other) => other.n === n && other.message === finding.message)) return;
    findings.push(finding);
    if (finding.saved && fs.existsSync(finding.saved)) {
        fs.copyFileSync(finding.saved, path.join(kept, `${finding.n}${path.extname(finding.saved)}`));
    }
    if (findings.length > 40) return;
    console.log(`FOUND case ${finding.n} (${finding.subject}): ${finding.message}\n${finding.stack ?? ''}`);
}

/** What its processes have counted. */
async function runJob(job, seeds) {
    const total = { files: 0, cpu: 0, done: 0, refused: 0, compared: 0, codes: {}, subjects: {}, slowest: 0 };
    const onCounts = (counts) => {
        for (const name of ['files', 'cpu', 'done', 'refused', 'compared']) total[name] += counts[name];
        for (const list of ['codes', 'subjects']) {
            for (const [name, n] of Object.entries(counts[list])) total[list][name] = (total[list][name] ?? 0) + n;
        }
        if (counts.slowest > total.slowest) total.slow = counts.slow;
        total.slowest = Math.max(total.slowest, counts.slowest);
    };
    const folder = path.join(scratch, `job${job}`);
    const work = { seeds, folder, seed: options.seed, first: from + job, step: jobs, last, until };
    return { ...(await watch.runCases(script, work, { onFinding: found, onCounts })), ...total };
}

process.on('exit', () => {
    fs.rmSync(scratch, { recursive: true, force: true });
});

const seeds = path.join(scratch, 'seeds');
const written = await writeSeeds(seeds);
console.log(`fuzz-gltf: seed '${options.seed}', ${written.length} files to mutate, ${jobs} jobs`);
const begun = Date.now();
const totals = await Promise.all(Array.from({ length: jobs }, (_, job) => runJob(job, seeds)));
const wall = (Date.now() - begun) / 1000;
const sum = (name) => totals.reduce((all, total) => all + total[name], 0);
const merged = (name) => {
    const all = {};
    for (const total of totals) for (const [key, n] of Object.entries(total[name])) all[key] = (all[key] ?? 0) + n;
    return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
};
const result = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    command: ['npm run fuzz:gltf --', ...process.argv.slice(2)].join(' '),
    seed: options.seed,
    seeds: written.length,
    jobs,
    seconds: Math.round(wall),
    files: sum('files'),
    filesPerSecond: Math.round(sum('files') / wall),
    filesPerCpuSecond: Math.round(sum('files') / sum('cpu')),
    succeeded: sum('done'),
    refused: sum('refused'),
    compared: sum('compared'),
    slowestMilliseconds: Math.max(...totals.map(({ slowest }) => slowest)),
    slowest: totals.map(({ slow }) => slow),
    peakMiB: Math.round(Math.max(...totals.map(({ peak }) => peak)) / 2 ** 20),
    processes: sum('processes'),
    runAgain: totals.flatMap(({ again }) => again),
    codes: merged('codes'),
    subjects: merged('subjects'),
    findings: findings.map(({ n, subject, message }) => ({ case: n, subject, message })),
};
fs.writeFileSync(options.out ?? path.join(kept, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
console.log(JSON.stringify({ ...result, findings: findings.length }));
process.exit(findings.length === 0 && result.files > 0 ? 0 : 1);
