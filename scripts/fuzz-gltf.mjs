// SPDX-License-Identifier: MIT

/**
 * Mutates real glTF files, and bakes' manifests, and gives them to everything that reads them, in processes of their own. Each
 * has to end in success or in one of poselane's own errors: a raw TypeError, a crash, more than 10 s of CPU time, a GiB more memory, an
 * unhandled rejection, or a file left behind by what failed is a finding. A share of the cases is done without the addon as
 * well, and must come to the same bytes or the same error.
 *
 * node scripts/fuzz-gltf.mjs [--files n | --seconds n] [--jobs 2] [--seed s] [--case n] [--docs] [--out result.json]
 *
 * A case is made by seed and number alone: `--seed s --case n` runs one again. Findings lie in build/fuzz-gltf/.
 */

import { fork } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSeeds } from './fuzz-gltf/seeds.mjs';
import { root } from './lib.mjs';
import { writeReliability } from './reliability-doc.mjs';

const { values: options } = parseArgs({
    options: {
        files: { type: 'string' },
        seconds: { type: 'string' },
        jobs: { type: 'string', default: '2' },
        seed: { type: 'string', default: 'poselane' },
        case: { type: 'string' },
        docs: { type: 'boolean', default: false },
        out: { type: 'string' },
    },
});

/** Of CPU time, because the machine may be busy; of any time, what no busy machine needs. */
const HANG_SECONDS = 10;
const HANG_WALL_MS = 120_000;
const MOST_GROWTH = 2 ** 30;
const here = path.dirname(fileURLToPath(import.meta.url));

const count = (text, otherwise) => (text === undefined ? otherwise : Number(text));
const one = options.case === undefined ? null : Number(options.case);
const jobs = one === null ? count(options.jobs, 2) : 1;
const last = one === null ? count(options.files, Number.MAX_SAFE_INTEGER) : one + 1;
const seconds = one === null ? count(options.seconds, options.files === undefined ? 60 : Infinity) : 60;
for (const n of [jobs, last, seconds]) if (!(n > 0)) throw new Error('files, seconds and jobs are numbers above 0');

const scratch = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'poselane-fuzz-'));
const kept = path.join(root, 'build/fuzz-gltf');
fs.rmSync(kept, { recursive: true, force: true });
fs.mkdirSync(kept, { recursive: true });

const started = Date.now();
const until = seconds === Infinity ? Number.MAX_SAFE_INTEGER : started + seconds * 1000;
const findings = [];
const running = new Set();

function found(finding) {
    findings.push(finding);
    if (finding.saved && fs.existsSync(finding.saved)) {
        fs.copyFileSync(finding.saved, path.join(kept, `${finding.n}${path.extname(finding.saved)}`));
    }
    if (findings.length > 40) return;
    console.log(`FOUND case ${finding.n} (${finding.subject}): ${finding.message}\n${finding.stack ?? ''}`);
}

function rssOf(pid) {
    try {
        return Number(fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
    } catch {
        return 0;
    }
}

/** Seconds of CPU time, from ticks of a hundredth. */
function cpuOf(pid) {
    try {
        const [, fields] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        const [user, system] = fields.split(' ').slice(11, 13).map(Number);
        return (user + system) / 100;
    } catch {
        return 0;
    }
}

/** One process after the other, each where the one before was ended. */
function runJob(job, seeds) {
    const total = { files: 0, cpu: 0, done: 0, refused: 0, compared: 0, codes: {}, subjects: {}, slowest: 0, peak: 0 };
    const folder = path.join(scratch, `job${job}`);
    const progress = path.join(folder, 'progress');
    const add = (counts) => {
        for (const name of ['files', 'cpu', 'done', 'refused', 'compared']) total[name] += counts[name];
        for (const list of ['codes', 'subjects']) {
            for (const [name, n] of Object.entries(counts[list])) total[list][name] = (total[list][name] ?? 0) + n;
        }
        if (counts.slowest > total.slowest) total.slow = counts.slow;
        total.slowest = Math.max(total.slowest, counts.slowest);
    };
    const current = () => {
        try {
            return fs.readFileSync(progress).readDoubleLE(0);
        } catch {
            return -1;
        }
    };
    return new Promise((resolve, reject) => {
        const start = (first) => {
            fs.rmSync(progress, { force: true });
            const child = fork(path.join(here, 'fuzz-gltf/job.cjs'), [], {
                execArgv: ['--max-old-space-size=1024'],
                stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
            });
            running.add(child);
            let counts = null;
            let ended = false;
            let why = null;
            let before = { n: -1, since: Date.now(), cpu: 0 };
            let baseline = 0;
            const watch = setInterval(() => {
                const n = current();
                const rss = rssOf(child.pid);
                total.peak = Math.max(total.peak, rss);
                if (n >= 0 && baseline === 0) baseline = rss;
                if (n !== before.n) before = { n, since: Date.now(), cpu: cpuOf(child.pid) };
                else if (n >= 0 && !ended) {
                    if (cpuOf(child.pid) - before.cpu > HANG_SECONDS) why ??= 'takes more than 10 s of CPU time';
                    if (Date.now() - before.since > HANG_WALL_MS) why ??= 'takes more than two minutes';
                }
                if (baseline > 0 && rss - baseline > MOST_GROWTH) why ??= `takes ${Math.round(rss / 2 ** 20)} MiB`;
                if (why !== null) child.kill('SIGKILL');
            }, 100);
            child.on('message', (message) => {
                if (message.finding) found(message.finding);
                if (message.counts) counts = message.counts;
                if (message.ended) ended = true;
                if (message.failed) reject(new Error(message.failed));
            });
            child.on('exit', (code, signal) => {
                clearInterval(watch);
                running.delete(child);
                if (counts !== null) add(counts);
                if (ended && code === 0) {
                    // Where it stopped for the memory that it had, another goes on.
                    if (counts.next < last && Date.now() < until) start(counts.next);
                    else resolve(total);
                    return;
                }
                const n = current();
                const message = why ?? `the process ended with ${signal ?? code}`;
                found({ n, key: `${options.seed}/${n}`, subject: '?', message });
                // What that process did after its last report is done again by nobody: at most 500 files, not counted.
                if (n < 0) reject(new Error(message));
                else start(n + jobs);
            });
            child.send({ seeds, folder, seed: options.seed, first, step: one === null ? jobs : 1, last, until });
        };
        start(one ?? job);
    });
}

process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
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
    codes: merged('codes'),
    subjects: merged('subjects'),
    findings: findings.map(({ n, subject, message }) => ({ case: n, subject, message })),
};
fs.writeFileSync(options.out ?? path.join(kept, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
console.log(JSON.stringify({ ...result, findings: findings.length }));
if (options.docs) writeReliability('fuzz-gltf', result);
process.exit(findings.length === 0 && result.files > 0 ? 0 : 1);
