// SPDX-License-Identifier: MIT
'use strict';

/**
 * Runs cases in a process and watches it. A process ends after its last case, when it holds much memory, and when a case grew too
 * big, hung or crashed. Another process then continues behind that case.
 */

const { fork } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const POLL_MILLISECONDS = 100;
const mib = (bytes) => Math.round(bytes / 2 ** 20);
const running = new Set();
process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
});

/** Resident bytes and seconds of CPU time. Zeros where the system has no /proc, and after the process ended. */
function usageOf(pid) {
    try {
        const pages = Number(fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
        const [, fields] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        const [user, system] = fields.split(' ').slice(11, 13).map(Number);
        return { rss: pages * 4096, cpu: (user + system) / 100 };
    } catch {
        return { rss: 0, cpu: 0 };
    }
}

/** The current case of a process, -1 before the first, and the memory that the process had before its first. */
function readProgress(file) {
    try {
        const bytes = fs.readFileSync(file);
        return { n: bytes.readDoubleLE(0), baseline: bytes.readDoubleLE(8) };
    } catch {
        return { n: -1, baseline: 0 };
    }
}

/** @returns `{ n, ended, big, why, peak }`: the last case; whether all cases ran; whether the case grew too big; any other fault. */
function runProcess(script, work, bounds, { onFinding, onCase }) {
    const progress = path.join(work.folder, 'progress');
    fs.rmSync(progress, { force: true });
    const child = fork(script, [], {
        execArgv: ['--max-old-space-size=1024', '--expose-gc'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    running.add(child);
    return new Promise((resolve, reject) => {
        const end = { n: -1, ended: false, big: false, why: null, peak: 0 };
        let current = { n: -1, since: Date.now(), cpu: 0 };
        const watch = setInterval(() => {
            const { n, baseline } = readProgress(progress);
            const { rss, cpu } = usageOf(child.pid);
            end.peak = Math.max(end.peak, rss);
            if (n !== current.n) current = { n, since: Date.now(), cpu };
            if (n < 0 || end.ended) return;
            if (cpu - current.cpu > bounds.seconds) end.why ??= `takes more than ${bounds.seconds} s of CPU time`;
            const waited = Date.now() - current.since;
            if (waited > bounds.wallSeconds * 1000) end.why ??= `takes more than ${bounds.wallSeconds} s`;
            if (rss - baseline > bounds.growth) end.big = true;
            if (end.why !== null || end.big) child.kill('SIGKILL');
        }, POLL_MILLISECONDS);
        child.on('message', ({ failed, finding, done, ended }) => {
            if (failed) reject(new Error(failed));
            if (finding) onFinding(finding);
            if (done) onCase(done);
            if (ended) Object.assign(end, { ended: true, ...ended, peak: Math.max(end.peak, ended.peak) });
        });
        child.on('exit', (code, signal) => {
            clearInterval(watch);
            running.delete(child);
            end.ended &&= code === 0;
            if (!end.ended && !end.big) end.why ??= `the process ended with ${signal ?? code}`;
            end.n = readProgress(progress).n;
            resolve(end);
        });
        child.send({ ...work, growth: bounds.growth });
    });
}

/**
 * Runs the cases `first`, `first + step` ... below `last`, until the time `until`.
 *
 * A process that grew too big may hold memory of earlier cases. The case then runs again in its own process. It is a finding
 * only if that process grows too big as well.
 *
 * @param script The script of a process, which calls `serve` of job.cjs.
 * @param work The message to the process.
 * @param bounds `{ growth, seconds, wallSeconds }` of a case: bytes, CPU time, and time on any machine.
 * @param handlers `onFinding({ n, message })`, and `onCase(counts)` once for each case that ended.
 * @returns `{ peak, processes, again }`: bytes; number of processes; `{ n, mib }` of the cases that ran again.
 */
async function runCases(script, work, bounds, { onFinding, onCase = () => {} }) {
    const total = { peak: 0, processes: 0, again: [] };
    let counted = -1;
    const countOnce = (done) => {
        if (done.n > counted) onCase(done);
        counted = Math.max(counted, done.n);
    };
    const run = async (part) => {
        const end = await runProcess(script, { ...work, ...part }, bounds, { onFinding, onCase: countOnce });
        total.processes++;
        total.peak = Math.max(total.peak, end.peak);
        if (end.why !== null) onFinding({ n: end.n, message: end.why });
        if (end.n < 0 && !end.ended) throw new Error(end.why ?? 'the process grew too big before its first case');
        return end;
    };
    let { first } = work;
    while (first < work.last && Date.now() < work.until) {
        const { n, big } = await run({ first });
        if (big) {
            const alone = await run({ first: n, last: n + 1, until: Number.MAX_SAFE_INTEGER });
            total.again.push({ n, mib: mib(alone.peak) });
            if (alone.big) onFinding({ n, message: `takes ${mib(alone.peak)} MiB in its own process` });
        }
        first = Math.max(n, first) + work.step;
    }
    return total;
}

module.exports = { runCases };
