// SPDX-License-Identifier: MIT

/** That whoever watches the glTF fuzzer's processes blames a case for what it does itself, and for nothing else. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scratchFolder } from '../support/temporary-folder';

interface Finding {
    readonly n: number;
    readonly message: string;
}
interface Total {
    readonly peak: number;
    readonly processes: number;
    readonly again: readonly { n: number; mib: number }[];
}

const scripts = resolve(__dirname, '../../scripts/fuzz-gltf');
const { runCases } = require(join(scripts, 'watch.cjs')) as {
    runCases(script: string, work: object, options: object): Promise<Total>;
};
const { drawCase } = require(join(scripts, 'case.cjs')) as {
    drawCase(seed: string, n: number): { subject: string };
};
const { MANIFEST_SUBJECTS, SUBJECTS } = require(join(scripts, 'subjects.cjs')) as Record<string, object>;

const folder = scratchFolder();
const BOUNDS = { growth: 96 * 2 ** 20, seconds: 1, wallMilliseconds: 60_000 };

/** A job as job.cjs is one, whose cases are `cases[n]`, code that sees `take(mib)` and the process's `held`. */
async function watched(cases: Record<number, string>, last = 12) {
    const [script, work] = [join(folder(), 'job.cjs'), join(folder(), 'work')];
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    const bodies = Object.entries(cases).map(([n, code]) => `${n}: async () => { ${code} }`);
    writeFileSync(
        script,
        `const fs = require('node:fs');
        const { createGauge } = require(${JSON.stringify(join(scripts, 'memory.cjs'))});
        const take = (mib) => Buffer.alloc(mib * 2 ** 20, 1);
        const held = [];
        const cases = { ${bodies.join()} };
        process.once('message', async ({ folder, first, step, last, growth }) => {
            const gauge = createGauge(growth);
            let [n, size] = [first, 'small'];
            for (; n < last; n += step) {
                const progress = Buffer.alloc(16);
                progress.writeDoubleLE(n, 0);
                progress.writeDoubleLE(gauge.baseline, 8);
                fs.writeFileSync(folder + '/progress', progress);
                await cases[n]?.();
                fs.appendFileSync(folder + '/done', n + ' ');
                size = gauge.judge();
                if (size !== 'small') break;
            }
            const counts = { next: n + step, peak: gauge.peak() };
            process.send({ counts, big: size === 'big', ended: true }, () => process.exit(0));
        });`,
    );
    const findings: Finding[] = [];
    const total = await runCases(
        script,
        { folder: work, first: 0, step: 1, last, until: Number.MAX_SAFE_INTEGER },
        {
            bounds: BOUNDS,
            onFinding: (finding: Finding) => findings.push(finding),
        },
    );
    const done = readFileSync(join(work, 'done'), 'utf8').trim().split(' ').map(Number);
    return { ...total, findings, done: [...new Set(done)].sort((a, b) => a - b) };
}

const all = (code: string) => Object.fromEntries(Array.from({ length: 12 }, (_, n) => [n, code]));
const numbers = Array.from({ length: 12 }, (_, n) => n);

test.each([
    ['at once, and lets it go', 'take(150)'],
    ['and keeps it for a while', 'const big = take(150); await new Promise((end) => setTimeout(end, 1000)); big[0]++'],
])('a case that takes much %s is found, by its number', async (_, code) => {
    const { findings, again, processes } = await watched({ 7: code });
    expect(findings).toEqual([{ n: 7, message: expect.stringMatching(/^takes \d+ MiB in a process of its own$/) }]);
    expect(again).toEqual([{ n: 7, mib: expect.any(Number) }]);
    // The one before, the one of its own, the one behind.
    expect(processes).toBe(3);
});

test('what cases hold together is no finding', async () => {
    const { findings, again, done } = await watched(all('held.push(take(26))'));
    expect(findings).toEqual([]);
    expect(again.length).toBeGreaterThan(0);
    for (const { mib } of again) expect(mib).toBeLessThan(96);
    // Each case was brought to its end.
    expect(done).toEqual(numbers);
});

test('what nobody holds any more is collected between cases', async () => {
    const { findings, again, processes, done } = await watched(all('take(26)'));
    expect({ findings, again, processes, done }).toEqual({ findings: [], again: [], processes: 1, done: numbers });
});

test('a case that hangs or crashes is a finding at once, and those behind it are run', async () => {
    const { findings, again, done } = await watched({ 4: 'for (;;);', 6: "process.kill(process.pid, 'SIGKILL')" });
    expect(findings).toEqual([
        { n: 4, message: 'takes more than 1 s of CPU time' },
        { n: 6, message: 'the process ended with SIGKILL' },
    ]);
    expect(again).toEqual([]);
    expect(done).toEqual([0, 1, 2, 3, 5, 7, 8, 9, 10, 11]);
});

test('the subject of a case is known without running it', () => {
    const known = [...Object.keys(SUBJECTS!), ...Object.keys(MANIFEST_SUBJECTS!).map((name) => `manifest ${name}`)];
    const drawn = Array.from({ length: 1000 }, (_, n) => drawCase('seed', n).subject);
    expect(drawn).toEqual(Array.from({ length: 1000 }, (_, n) => drawCase('seed', n).subject));
    expect(new Set(drawn)).toEqual(new Set(known));
});
