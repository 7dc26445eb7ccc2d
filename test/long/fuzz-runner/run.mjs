// SPDX-License-Identifier: MIT

/** The command line of a fuzzer: its options, its processes, what they count and find. */

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../../scripts/lib.mjs';
import watch from './watch.cjs';

/** Further findings are in the record only. */
const PRINTED_FINDINGS = 40;

function optionsOf(name, jobs) {
    const { values } = parseArgs({
        options: {
            cases: { type: 'string' },
            seconds: { type: 'string' },
            from: { type: 'string', default: '0' },
            case: { type: 'string' },
            jobs: { type: 'string', default: String(jobs) },
            seed: { type: 'string', default: 'poselane' },
            out: { type: 'string' },
            kept: { type: 'string', default: path.join(root, 'build', name) },
        },
    });
    if (values.case !== undefined) Object.assign(values, { jobs: '1', from: values.case, cases: '1' });
    const numbers = {
        jobs: Number(values.jobs),
        from: Number(values.from),
        cases: Number(values.cases ?? Number.MAX_SAFE_INTEGER / 2),
        seconds: Number(values.seconds ?? (values.cases === undefined ? 60 : 1e9)),
    };
    for (const [option, value] of Object.entries(numbers)) {
        const fits = option === 'from' ? value >= 0 : value > 0;
        if (!fits) throw new Error(`--${option} is ${value}; it must be ${option === 'from' ? 'at least' : 'above'} 0`);
    }
    return { ...values, ...numbers };
}

/** Adds one for a name. */
const add = (counts, name) => {
    counts[name] = (counts[name] ?? 0) + 1;
};

const sorted = (counts) => Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Runs a fuzzer and ends the process: with 1 if anything was found, or no case ran.
 *
 * @param name Names the command and the folder below build/ that keeps the findings.
 * @param script The processes' script, which calls `serve` of job.cjs.
 * @param prepare Writes what all processes need into a folder, and gives what goes into their `work`.
 */
export async function runFuzzer({ name, script, jobs: usualJobs, bounds, prepare = () => ({}) }) {
    const options = optionsOf(name, usualJobs);
    const { jobs, from, cases, seconds, seed, kept } = options;
    const scratch = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `poselane-${name}-`));
    process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));
    fs.rmSync(kept, { recursive: true, force: true });
    fs.mkdirSync(kept, { recursive: true });

    const findings = [];
    const total = { cases: 0, succeeded: 0, refused: 0, compared: 0, codes: {}, subjects: {}, slowest: null };
    let cpuMilliseconds = 0;
    const onFinding = ({ n, subject = 'the process', message, stack = '', saved }) => {
        // A case may run twice.
        if (findings.some((other) => other.case === n && other.message === message)) return;
        findings.push({ case: n, subject, message });
        if (saved && fs.existsSync(saved)) fs.copyFileSync(saved, path.join(kept, path.basename(saved)));
        if (findings.length <= PRINTED_FINDINGS) console.log(`FOUND case ${n} (${subject}): ${message}\n${stack}`);
    };
    const onCase = ({ n, subject, from: file, milliseconds, refused, compared, done }) => {
        total.cases++;
        cpuMilliseconds += milliseconds;
        add(total.subjects, subject);
        if (done) total.succeeded++;
        if (refused !== undefined) total.refused++;
        if (refused !== undefined) add(total.codes, refused.split(' ', 1)[0]);
        if (compared) total.compared++;
        if (milliseconds > (total.slowest?.milliseconds ?? 0)) {
            total.slowest = { case: n, subject, from: file, milliseconds };
        }
    };

    const prepared = await prepare(scratch);
    console.log(`${name}: seed '${seed}', ${jobs} jobs`);
    const begun = Date.now();
    const work = { ...prepared, seed, step: jobs, last: from + cases, until: begun + seconds * 1000 };
    const ends = await Promise.all(
        Array.from({ length: jobs }, (_, job) => {
            const own = { ...work, folder: path.join(scratch, `job${job}`), first: from + job };
            fs.mkdirSync(own.folder);
            return watch.runCases(script, own, bounds, { onFinding, onCase });
        }),
    );
    const wall = (Date.now() - begun) / 1000;
    const result = {
        date: new Date().toISOString().slice(0, 10),
        node: process.version,
        command: [`npm run ${name.replace('-', ':')} --`, ...process.argv.slice(2)].join(' '),
        seed,
        jobs,
        seconds: Math.round(wall),
        ...total,
        codes: sorted(total.codes),
        subjects: sorted(total.subjects),
        casesPerSecond: Math.round(total.cases / wall),
        casesPerCpuSecond: Math.round((total.cases / cpuMilliseconds) * 1000),
        peakMiB: Math.round(Math.max(...ends.map(({ peak }) => peak)) / 2 ** 20),
        processes: ends.reduce((sum, { processes }) => sum + processes, 0),
        runAgain: ends.flatMap(({ again }) => again),
        findings,
    };
    fs.writeFileSync(options.out ?? path.join(kept, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
    console.log(JSON.stringify({ ...result, findings: findings.length }));
    process.exit(findings.length === 0 && result.cases > 0 ? 0 : 1);
}
