// SPDX-License-Identifier: MIT
'use strict';

/**
 * Runs cases in processes, and watches them. A process ends when it has them all, when it holds much memory, or when a case made it
 * too big, hung or crashed; then another goes on behind that case.
 */

const { fork } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { MOST_GROWTH } = require('./memory.cjs');

/** Seconds are of CPU time, because the machine may be busy; of any time, what no busy machine needs. */
const BOUNDS = { growth: MOST_GROWTH, seconds: 10, wallMilliseconds: 120_000 };

const POLL_MILLISECONDS = 100;
const mib = (bytes) => Math.round(bytes / 2 ** 20);
const running = new Set();
process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
});

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

/** The case that a job is at, -1 before the first, and what its process had before that one. */
function readProgress(file) {
    try {
        const bytes = fs.readFileSync(file);
        return { n: bytes.readDoubleLE(0), baseline: bytes.readDoubleLE(8) };
    } catch {
        return { n: -1, baseline: 0 };
    }
}

/**
 * One process.
 *
 * @returns `{ counts, ended, n, big, why, peak }`: whether it came to an end by itself; the case that it was at; whether that
 *   one made it too big; what else ended it.
 */
function runProcess(script, work, bounds, onFinding) {
    const progress = path.join(work.folder, 'progress');
    fs.rmSync(progress, { force: true });
    const child = fork(script, [], {
        execArgv: ['--max-old-space-size=1024', '--expose-gc'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    running.add(child);
    return new Promise((resolve, reject) => {
        let [counts, ended, big, why, peak] = [null, false, false, null, 0];
        let before = { n: -1, since: Date.now(), cpu: 0 };
        const watch = setInterval(() => {
            const { n, baseline } = readProgress(progress);
            const rss = rssOf(child.pid);
            peak = Math.max(peak, rss);
            if (n !== before.n) before = { n, since: Date.now(), cpu: cpuOf(child.pid) };
            else if (n >= 0 && !ended) {
                if (cpuOf(child.pid) - before.cpu > bounds.seconds)
                    why ??= `takes more than ${bounds.seconds} s of CPU time`;
                if (Date.now() - before.since > bounds.wallMilliseconds) why ??= 'takes more than two minutes';
            }
            if (n >= 0 && rss - baseline > bounds.growth) big = true;
            if (why !== null || big) child.kill('SIGKILL');
        }, POLL_MILLISECONDS);
        child.on('message', (message) => {
            if (message.finding) onFinding(message.finding);
            if (message.counts) counts = message.counts;
            if (message.big) big = true;
            if (message.ended) ended = true;
            if (message.failed) reject(new Error(message.failed));
        });
        child.on('exit', (code, signal) => {
            clearInterval(watch);
            running.delete(child);
            const done = ended && code === 0;
            if (!done && !big) why ??= `the process ended with ${signal ?? code}`;
            resolve({
                counts,
                ended: done,
                n: readProgress(progress).n,
                big,
                why,
                peak: Math.max(peak, counts?.peak ?? 0),
            });
        });
        child.send(work);
    });
}

/**
 * All cases `first`, `first + step` ... below `last`, until it is `until`.
 *
 * A process that grew too big may have held memory of earlier cases. So the case is run again in a process of its own, and is a
 * finding only where that one grows too big as well.
 *
 * @param script What a process runs: job.cjs.
 * @param work What it is given.
 * @param onFinding Takes `{ n, message }` and what else the job says.
 * @param onCounts Takes what each process has counted.
 * @returns `{ peak, processes, again }`: bytes; how many processes there were; `{ n, mib }` of the cases that were run again.
 */
async function runCases(script, work, { onFinding, onCounts = () => {}, bounds = BOUNDS }) {
    const total = { peak: 0, processes: 0, again: [] };
    const run = async (part) => {
        const end = await runProcess(script, { ...part, growth: bounds.growth }, bounds, onFinding);
        total.processes++;
        total.peak = Math.max(total.peak, end.peak);
        return end;
    };
    const count = ({ counts }) => counts !== null && onCounts(counts);
    // What is still to be done, the next at the end.
    const ranges = [{ first: work.first, last: work.last }];
    while (ranges.length > 0 && Date.now() < work.until) {
        const { first, last } = ranges.pop();
        if (first >= last) continue;
        const end = await run({ ...work, first, last });
        const { counts, ended, n, big, why } = end;
        count(end);
        if (why !== null) onFinding({ n, message: why });
        if (n < 0 && !ended) throw new Error(why ?? 'the process took too much memory before its first case');
        if (big) {
            const alone = await run({ ...work, first: n, last: n + 1, until: Number.MAX_SAFE_INTEGER });
            // A process that was killed may have told of it before.
            if (!ended && !(counts?.next > n)) count(alone);
            total.again.push({ n, mib: mib(alone.peak) });
            const also = alone.big ? `takes ${mib(alone.peak)} MiB in a process of its own` : alone.why;
            if (also !== null) onFinding({ n, message: also });
        }
        ranges.push({ first: n + work.step, last });
        // What a process that was killed did after its last report is done once more, to be counted.
        if (!ended) ranges.push({ first: counts?.next ?? first, last: n });
    }
    return total;
}

module.exports = { BOUNDS, runCases };
