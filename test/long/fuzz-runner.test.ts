// SPDX-License-Identifier: MIT

/** The watcher of the fuzzers' processes blames a case for its own faults only, and counts each case once. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scratchFolder } from '../support/temporary-folder';

interface Finding {
    readonly n: number;
    readonly message: string;
}
interface Total {
    readonly processes: number;
    readonly again: readonly { n: number; mib: number }[];
}

const scripts = resolve(__dirname, 'fuzz-runner');
const { runCases } = require(join(scripts, 'watch.cjs')) as {
    runCases(script: string, work: object, bounds: object, handlers: object): Promise<Total>;
};

const folder = scratchFolder();
const BOUNDS = { growth: 160 * 2 ** 20, seconds: 1, wallSeconds: 60 };
const LAST = 12;

/** Runs twelve cases: `cases[n]` is code that sees `take(mib)` and the process's `held`. */
async function watched(cases: Record<number, string>) {
    const [script, work] = [join(folder(), 'job.cjs'), join(folder(), 'work')];
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    const bodies = Object.entries(cases).map(([n, code]) => `${n}: async () => { ${code} }`);
    writeFileSync(
        script,
        `const { serve } = require(${JSON.stringify(join(scripts, 'job.cjs'))});
        const take = (mib) => Buffer.alloc(mib * 2 ** 20, 1);
        const held = [];
        const cases = { ${bodies.join()} };
        serve({
            createContext() {},
            drawCase: () => ({ subject: 'any' }),
            runCase: (context, { n }) => cases[n]?.(),
        });`,
    );
    const findings: Finding[] = [];
    const counted: number[] = [];
    const total = await runCases(
        script,
        { folder: work, first: 0, step: 1, last: LAST, until: Number.MAX_SAFE_INTEGER },
        BOUNDS,
        {
            onFinding: ({ n, message }: Finding) => findings.push({ n, message }),
            onCase: ({ n }: { n: number }) => counted.push(n),
        },
    );
    return { ...total, findings, counted };
}

const numbers = Array.from({ length: LAST }, (_, n) => n);
const all = (code: string) => Object.fromEntries(numbers.map((n) => [n, code]));

test.each([
    ['at once and releases it', 'take(220)'],
    ['and keeps it for a while', 'const big = take(220); await new Promise((end) => setTimeout(end, 1000)); big[0]++'],
])('a case that takes much memory %s is found by its number', async (_, code) => {
    const { findings, again, counted } = await watched({ 7: code });
    expect(findings).toEqual([{ n: 7, message: expect.stringMatching(/^takes \d+ MiB in a process of its own$/) }]);
    expect(again).toEqual([{ n: 7, mib: expect.any(Number) }]);
    // The process of case 7 may be killed before it counts the case.
    expect(counted.filter((n) => n !== 7)).toEqual(numbers.filter((n) => n !== 7));
});

test('memory that cases hold together is not a finding', async () => {
    const { findings, again, counted } = await watched(all('held.push(take(40))'));
    expect(findings).toEqual([]);
    expect(again.length).toBeGreaterThan(0);
    for (const { mib } of again) expect(mib).toBeLessThan(160);
    expect(counted).toEqual(numbers);
});

test('memory that nothing holds is collected between cases', async () => {
    // 240 MiB in all, and never more than 80 at a time.
    const { findings, again, processes, counted } = await watched(all('take(20)'));
    expect({ findings, again, processes, counted }).toEqual({
        findings: [],
        again: [],
        processes: 1,
        counted: numbers,
    });
});

test('cases that hang, crash, throw and reject are findings, and the cases behind them run', async () => {
    const { findings, again, counted } = await watched({
        2: 'throw new TypeError("raw")',
        3: 'Promise.reject("late"); await new Promise(setImmediate)',
        4: 'for (;;);',
        6: "process.kill(process.pid, 'SIGKILL')",
    });
    expect(findings).toEqual([
        { n: 2, message: 'TypeError: raw' },
        { n: 3, message: 'unhandled rejection, of this case or the ones before: threw late' },
        { n: 4, message: 'takes more than 1 s of CPU time' },
        { n: 6, message: 'the process ended with SIGKILL' },
    ]);
    expect(again).toEqual([]);
    expect(counted).toEqual([0, 1, 2, 3, 5, 7, 8, 9, 10, 11]);
});

test.each([
    ['gltf', ['bake', 'rig', 'browser rig', 'file', 'inspect', 'document', 'verify'], ['table', 'verify', 'diff']],
    ['cache', ['folder', 'server'], []],
])('seed and number give the subject of a case of fuzz-%s, and all subjects occur', (name, subjects, ofManifests) => {
    const { drawCase } = require(`./fuzz-${name}/job.cjs`) as { drawCase(seed: string, n: number): object };
    const drawn = (seed: string) => Array.from({ length: 1000 }, (_, n) => drawCase(seed, n) as { subject: string });
    expect(drawn('a')).toEqual(drawn('a'));
    expect(drawn('a')).not.toEqual(drawn('b'));
    const known = [...subjects, ...ofManifests.map((one) => `manifest ${one}`)];
    expect(new Set(drawn('a').map(({ subject }) => subject))).toEqual(new Set(known));
});
