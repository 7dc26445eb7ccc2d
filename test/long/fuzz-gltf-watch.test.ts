// SPDX-License-Identifier: MIT

/** That whoever watches the glTF fuzzer's processes blames a case for what it does itself, and for nothing else. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

const scripts = resolve(__dirname, 'fuzz-gltf');
const { runCases } = require(join(scripts, 'watch.cjs')) as {
    runCases(script: string, work: object, options: object): Promise<Total>;
};
const { drawCase } = require(join(scripts, 'case.cjs')) as {
    drawCase(seed: string, n: number): { subject: string };
};
const { MANIFEST_SUBJECTS, SUBJECTS } = require(join(scripts, 'subjects.cjs')) as Record<string, object>;

const folder = scratchFolder();
const BOUNDS = { growth: 160 * 2 ** 20, seconds: 1, wallMilliseconds: 60_000 };

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
            const files = [];
            const report = () => ({ files, next: n + step, peak: gauge.peak() });
            for (; n < last; n += step) {
                const progress = Buffer.alloc(16);
                progress.writeDoubleLE(n, 0);
                progress.writeDoubleLE(gauge.baseline, 8);
                fs.writeFileSync(folder + '/progress', progress);
                await cases[n]?.();
                files.push(n);
                if (files.length % 3 === 0) process.send({ counts: report() });
                size = gauge.judge();
                if (size !== 'small') break;
            }
            process.send({ counts: report(), big: size === 'big', ended: true }, () => process.exit(0));
        });`,
    );
    const findings: Finding[] = [];
    const counted: number[] = [];
    const total = await runCases(
        script,
        { folder: work, first: 0, step: 1, last, until: Number.MAX_SAFE_INTEGER },
        {
            bounds: BOUNDS,
            onFinding: (finding: Finding) => findings.push(finding),
            onCounts: ({ files }: { files: number[] }) => counted.push(...files),
        },
    );
    return { ...total, findings, counted: counted.sort((a, b) => a - b) };
}

const all = (code: string) => Object.fromEntries(Array.from({ length: 12 }, (_, n) => [n, code]));
const numbers = Array.from({ length: 12 }, (_, n) => n);

test.each([
    ['at once, and lets it go', 'take(220)'],
    ['and keeps it for a while', 'const big = take(220); await new Promise((end) => setTimeout(end, 1000)); big[0]++'],
])('a case that takes much %s is found, by its number', async (_, code) => {
    const { findings, again, counted } = await watched({ 7: code });
    expect(findings).toEqual([{ n: 7, message: expect.stringMatching(/^takes \d+ MiB in a process of its own$/) }]);
    expect(again).toEqual([{ n: 7, mib: expect.any(Number) }]);
    // Those before it once, although their process may have been killed; its own may have come to its end or not.
    expect(counted.filter((n) => n !== 7)).toEqual(numbers.filter((n) => n !== 7));
});

test('what cases hold together is no finding', async () => {
    const { findings, again, counted } = await watched(all('held.push(take(40))'));
    expect(findings).toEqual([]);
    expect(again.length).toBeGreaterThan(0);
    for (const { mib } of again) expect(mib).toBeLessThan(160);
    // Each case was brought to its end, and counted once.
    expect(counted).toEqual(numbers);
});

test('a case whose process is killed after telling of it is counted once', async () => {
    const code = `const send = process.send.bind(process);
        process.send = (message, ...rest) => {
            process.send = send;
            send(message, ...rest);
            if (message.counts.files.length < 6) return;
            held.push(take(220));
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        };`;
    const { findings, again, counted } = await watched({ 5: code });
    expect(findings).toEqual([]);
    expect(again).toEqual([{ n: 5, mib: expect.any(Number) }]);
    expect(counted).toEqual(numbers);
});

test('what nobody holds any more is collected between cases', async () => {
    // 240 MiB in all, and never more than 80 at a time where it is.
    const { findings, again, processes, counted } = await watched(all('take(20)'));
    expect({ findings, again, processes, counted }).toEqual({
        findings: [],
        again: [],
        processes: 1,
        counted: numbers,
    });
});

test('a case that hangs or crashes is a finding at once, and those behind it are run', async () => {
    const { findings, again, counted } = await watched({ 4: 'for (;;);', 6: "process.kill(process.pid, 'SIGKILL')" });
    expect(findings).toEqual([
        { n: 4, message: 'takes more than 1 s of CPU time' },
        { n: 6, message: 'the process ended with SIGKILL' },
    ]);
    expect(again).toEqual([]);
    expect(counted).toEqual([0, 1, 2, 3, 5, 7, 8, 9, 10, 11]);
});

test('the subject of a case is known without running it', () => {
    const known = [...Object.keys(SUBJECTS!), ...Object.keys(MANIFEST_SUBJECTS!).map((name) => `manifest ${name}`)];
    const drawn = Array.from({ length: 1000 }, (_, n) => drawCase('seed', n).subject);
    expect(drawn).toEqual(Array.from({ length: 1000 }, (_, n) => drawCase('seed', n).subject));
    expect(new Set(drawn)).toEqual(new Set(known));
});
