// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

interface Result {
    work: string;
    name: string;
    milliseconds: { min: number; median: number };
    nanoseconds: { min: number; median: number };
}

interface Target {
    what: string;
    sense: '<=' | '>=' | null;
    wanted: number | null;
    min: number | null;
    ok: boolean | null;
}

function run(...options: string[]) {
    return runNode([join(ROOT, 'bench/rig/run.mjs'), ...options]);
}

/** Runs code that has the exports of bench/harness.mjs. */
function withHarness(code: string) {
    const file = pathToFileURL(join(ROOT, 'bench/harness.mjs')).href;
    const source = `import { checkAgreement, measure } from ${JSON.stringify(file)};\n${code}`;
    return runNode(['--input-type=module', '-e', source]);
}

describe('bench/rig/run.mjs', () => {
    const least = ['--quick', '--rounds', '1', '--warm', '1'];
    const { stdout, stderr } = run(...least, '--part', 'poses', '--part', 'skinning', '--json');
    if (stderr !== '') throw new Error(stderr);
    const measured = JSON.parse(stdout) as { poses: Result[]; skinning: Result[]; targets: Target[] };

    test('every work has the Rig, in TypeScript too, and what it is compared with', () => {
        const works = (results: Result[]) => [...new Set(results.map(({ work }) => work))];
        expect(works(measured.poses)).toEqual(['64 poses', '1 pose', '200 poses']);
        expect(works(measured.skinning)).toEqual(
            ['64 poses', '1 pose'].flatMap((poses) =>
                ['skinVertices, positions and normals', 'skinVertices, positions', 'bounds'].map(
                    (what) => `${what}, ${poses}`,
                ),
            ),
        );
        for (const results of [measured.poses, measured.skinning]) {
            for (const work of works(results)) {
                const names = results.filter((one) => one.work === work).map(({ name }) => name);
                expect(names).toEqual(expect.arrayContaining(['strict/typescript', 'flat JavaScript']));
            }
            for (const { milliseconds, nanoseconds } of results) {
                expect(milliseconds.min).toBeGreaterThan(0);
                expect(nanoseconds.median).toBeGreaterThanOrEqual(nanoseconds.min);
            }
        }
    });

    test('targets are of the parts that were measured, and judged by the minimum', () => {
        expect(measured.targets.length).toBeGreaterThanOrEqual(16);
        expect(measured.targets.some(({ what }) => what.includes('Knight'))).toBe(false);
        for (const { what, sense, wanted, min, ok } of measured.targets) {
            const reached = min === null ? null : sense === '<=' ? min <= wanted! : min >= wanted!;
            expect([what, ok]).toEqual([what, reached]);
        }
        const find = (what: string) => measured.targets.find((one) => one.what === what)!;
        const ratio = find('evaluate + toGlobal + palettes, 64 poses: strict/avx2 over three.js');
        const of = (name: string) =>
            measured.poses.find((one) => one.work === '64 poses' && one.name === name)?.milliseconds.min;
        const fastest = Math.min(of('three.js, one character')!, of('three.js, one a pose')!);
        const own = of('strict/avx2');
        if (own === undefined) expect(ratio.min).toBeNull();
        else expect(ratio.min).toBeCloseTo(fastest / own, 6);
    });

    test('refuses options that it does not have', () => {
        expect(run('--part', 'poems').stderr).toContain('--part poems: needs one of poses, skinning, knight, growth');
        expect(run('--rounds', '0').stderr).toContain('--rounds 0: a whole number from 1 up');
    });
});

describe('bench/harness.mjs', () => {
    test('nothing is measured that gives something else', () => {
        const subject = `const subject = (name, value) => {
            const out = new Float32Array(20);
            return { name, units: 1, outputs: [out], run: (call) => out.fill(value + call) };
        };`;
        const one = withHarness(`${subject} checkAgreement('x', [subject('a', 0.5), subject('b', 0.50004)], 1e-4);`);
        expect([one.status, one.stderr]).toEqual([0, '']);
        const other = withHarness(`${subject} checkAgreement('x', [subject('a', 0.5), subject('b', 0.5002)], 1e-4);`);
        expect(other.stderr).toContain('Error: x: b is off by 0.000');
        const idle = withHarness(`${subject}
            const b = subject('b', 0.5);
            checkAgreement('x', [subject('a', 0.5), { ...b, run() {} }], 1e-4);`);
        expect(idle.stderr).toContain('Error: x: b is off by 0.5 from a');
        const nan = withHarness(`${subject} checkAgreement('x', [subject('a', 0.5), subject('b', NaN)], 1e-4);`);
        expect(nan.stderr).toContain('Error: x: b is off by NaN from a');
    });

    test('calls are numbered one after another, and each subject has as many samples as rounds', () => {
        const { stdout } = withHarness(`
            const calls = [];
            const busy = () => { const end = performance.now() + 1; while (performance.now() < end); };
            const run = (call) => { calls.push(call); busy(); };
            const [one] = await measure([{ name: 'a', way: 'w', units: 1000, outputs: [], run }], { rounds: 3, sample: 2, warm: 4 });
            console.log(JSON.stringify({ one, calls }));
        `);
        const { one, calls } = JSON.parse(stdout) as { one: Result & { way: string }; calls: number[] };
        expect(calls).toEqual(calls.map((_, i) => i));
        expect(one).toMatchObject({ name: 'a', way: 'w' });
        expect(one.milliseconds.min).toBeGreaterThanOrEqual(1);
        expect(one.nanoseconds.min).toBeCloseTo(one.milliseconds.min * 1000, 6);
    });
});
