// SPDX-License-Identifier: MIT

/**
 * Bakes and reduces with hostile caches, in processes of their own: folders with links, pipes, and changed, swapped and made-up entries, and
 * servers that misbehave. Each run has to end with exit code 0 and the bytes that it gives without a cache, within 20 s and half a
 * GiB more memory, and changes nothing outside of its output and the cache. Of entries that somebody made up, whose hashes are right, only
 * the names of files are compared.
 *
 * node test/long/fuzz-cache.mjs [--cases n | --seconds n] [--from n] [--jobs 1] [--seed s] [--case n] [--out result.json] [--kept folder]
 *
 * A case is made by seed and number alone: `--seed s --case n` runs one again. Needs the build, and a system with pipes among its files.
 */

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/lib.mjs';
import watch from './fuzz-gltf/watch.cjs';

const { values: options } = parseArgs({
    options: {
        cases: { type: 'string' },
        seconds: { type: 'string' },
        jobs: { type: 'string', default: '1' },
        seed: { type: 'string', default: 'poselane' },
        from: { type: 'string', default: '0' },
        case: { type: 'string' },
        out: { type: 'string' },
        kept: { type: 'string', default: path.join(root, 'build/fuzz-cache') },
    },
});

const script = fileURLToPath(new URL('fuzz-cache/job.cjs', import.meta.url));
const one = options.case === undefined ? null : Number(options.case);
const jobs = one === null ? Number(options.jobs) : 1;
const from = one ?? Number(options.from);
const cases = one === null ? Number(options.cases ?? Number.MAX_SAFE_INTEGER - from) : 1;
const seconds = Number(options.seconds ?? (options.cases === undefined ? 60 : 1e9));
for (const n of [jobs, cases, seconds]) if (!(n > 0)) throw new Error('cases, seconds and jobs are numbers above 0');
if (!(from >= 0)) throw new Error('cases are numbered from 0');

const bounds = { growth: 2 ** 29, seconds: 20, wallMilliseconds: 60_000 };
const scratch = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'poselane-fuzz-cache-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));
fs.mkdirSync(options.kept, { recursive: true });

const findings = [];
const total = { cases: 0, subjects: {}, slowest: 0, slow: null };
const work = { seed: options.seed, step: jobs, last: from + cases, until: Date.now() + seconds * 1000 };
const begun = Date.now();
const ends = await Promise.all(
    Array.from({ length: jobs }, (_, job) => {
        const folder = path.join(scratch, `job${job}`);
        fs.mkdirSync(folder);
        return watch.runCases(
            script,
            { ...work, folder, first: from + job },
            {
                bounds,
                onFinding({ n, message, stack = '', subject = '' }) {
                    findings.push({ case: n, subject, message });
                    if (findings.length <= 40) console.log(`FOUND case ${n} (${subject}): ${message}\n${stack}`);
                },
                onCounts({ files, subjects, slowest, slow }) {
                    total.cases += files;
                    for (const [name, n] of Object.entries(subjects)) {
                        total.subjects[name] = (total.subjects[name] ?? 0) + n;
                    }
                    if (slowest > total.slowest) Object.assign(total, { slowest, slow });
                },
            },
        );
    }),
);
const result = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    command: ['node test/long/fuzz-cache.mjs', ...process.argv.slice(2)].join(' '),
    seed: options.seed,
    jobs,
    seconds: Math.round((Date.now() - begun) / 1000),
    cases: total.cases,
    subjects: total.subjects,
    slowestMilliseconds: total.slowest,
    slowest: total.slow,
    peakMiB: Math.round(Math.max(...ends.map(({ peak }) => peak)) / 2 ** 20),
    findings,
};
fs.writeFileSync(options.out ?? path.join(options.kept, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
console.log(JSON.stringify({ ...result, findings: findings.length }));
process.exit(findings.length === 0 && result.cases > 0 ? 0 : 1);
