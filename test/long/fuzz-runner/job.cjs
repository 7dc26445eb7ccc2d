// SPDX-License-Identifier: MIT
'use strict';

/** The loop of a process that runs cases. watch.cjs is its parent. */

const fs = require('node:fs');
const path = require('node:path');
const { createGauge } = require('./memory.cjs');

/** CPU time, as the limit is. On a busy machine any amount of time passes. */
function cpuMilliseconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
}

function describeError(error) {
    return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : `threw ${String(error)}`;
}

/** Writes the number of the case and the memory before the first one where the parent finds both after a crash. */
function createProgress(folder, baseline) {
    const file = fs.openSync(path.join(folder, 'progress'), 'w');
    const bytes = Buffer.alloc(16);
    bytes.writeDoubleLE(baseline, 8);
    return (n) => {
        bytes.writeDoubleLE(n);
        fs.writeSync(file, bytes, 0, 16, 0);
    };
}

/** Keeps the input of the case, if it has one, in the folder. */
function sendFinding(folder, { n, subject, input }, error, prefix = '') {
    const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6).join('\n') : '';
    const saved = path.join(folder, `${n}.${input?.isGlb ? 'glb' : 'json'}`);
    if (input) fs.writeFileSync(saved, input.bytes ?? input.text);
    process.send({ finding: { n, subject, message: prefix + describeError(error), stack, saved } });
}

async function runCases({ createContext, drawCase, runCase }, work) {
    const { folder, seed, first, step, last, until, growth } = work;
    fs.mkdirSync(folder, { recursive: true });
    const rejected = [];
    process.on('unhandledRejection', (reason) => rejected.push(reason));
    const context = await createContext(work);
    const gauge = createGauge(growth);
    const progress = createProgress(folder, gauge.baseline);
    let size = 'small';
    for (let n = first; n < last && Date.now() < until && size === 'small'; n += step) {
        progress(n);
        const before = cpuMilliseconds();
        const drawn = { n, ...drawCase(seed, n) };
        let outcome = {};
        try {
            outcome = await runCase(context, drawn);
        } catch (error) {
            sendFinding(folder, drawn, error);
        }
        for (const reason of rejected.splice(0)) {
            sendFinding(folder, drawn, reason, 'unhandled rejection, of this case or the ones before: ');
        }
        const milliseconds = Math.round(cpuMilliseconds() - before);
        process.send({ done: { n, subject: drawn.subject, from: drawn.input?.seed, milliseconds, ...outcome } });
        size = gauge.judge();
    }
    process.send({ ended: { big: size === 'big', peak: gauge.peak() } }, () => process.exit(0));
}

/**
 * Runs the cases that the parent asks for.
 *
 * @param fuzzer `createContext(work)` makes what all cases share; `drawCase(seed, n)` gives a case's `{ subject }` and more; `runCase`
 *   gives `{ done }`, `{ refused }` and `{ compared }`, and throws what is a finding. It may set the case's `input`, `{ seed, bytes }`.
 */
function serve(fuzzer) {
    // A test requires the same file for `drawCase`, without a parent.
    if (!process.send) return;
    process.once('message', (work) => {
        runCases(fuzzer, work).catch((error) => {
            process.send({ failed: String(error?.stack ?? error) }, () => process.exit(1));
        });
    });
}

module.exports = { serve };
