// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { implementations } from '../../../lib/lists';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');

interface Target {
    what: string;
    sense: '<=' | '>=' | null;
    wanted: number | null;
    unit: string;
    min: number | null;
    median: number | null;
    ok: boolean | null;
}

function run(...options: string[]) {
    const script = join(ROOT, 'bench/lists/run.mjs');
    // How often makes no difference to what is tested: it takes half a second rather than three.
    return runNode([script, '--targets', '--rounds', '2', ...options]);
}

describe('npm run bench: targets', () => {
    const { stdout, stderr } = run('--json');
    if (stderr !== '') throw new Error(stderr);
    const { targets } = JSON.parse(stdout) as { targets: Target[] };
    const find = (words: string) => targets.find(({ what }) => words.split(' ').every((word) => what.includes(word)))!;

    test('the ratios, the columns of three instruction sets, calls from JavaScript, the TypeScript twin', () => {
        expect(find('strict/avx512 over paper/sse')).toMatchObject({ sense: '>=', wanted: 5.5, unit: 'times' });
        expect(find('strict/avx512 over paper/c')).toMatchObject({ sense: '>=', wanted: 12 });
        expect(find('strict/avx2 over paper/sse')).toMatchObject({ sense: '>=', wanted: 4.8 });
        expect(find('slerpJoints, 1024: strict/sse2')).toMatchObject({ sense: '<=', wanted: 6, unit: 'ticks' });
        expect(find('untransformSkeleton 64: strict/avx512')).toMatchObject({ wanted: 4.5 });
        expect(find('call 64 joints: strict/avx512')).toMatchObject({ sense: '<=', wanted: 200, unit: 'ns' });
        expect(find('one call bound')).toMatchObject({ wanted: 170 });
        expect(find('slerpJoints, 64: strict/typescript')).toMatchObject({ wanted: 45, unit: 'ns' });
        expect(find('strict/avx512 over paper/c (libm)')).toMatchObject({ wanted: 12 });
        expect(targets.filter(({ unit, wanted }) => unit === 'ticks' && wanted !== null)).toHaveLength(21);
    });

    test('one skeleton a call stands beside those of many, without a verdict', () => {
        const beside = targets.filter(({ wanted }) => wanted === null);
        expect(beside.map(({ what }) => what)).toEqual(
            ['transformSkeleton', 'untransformSkeleton'].flatMap((routine) =>
                ['sse2', 'avx2', 'avx512'].map((isa) => `${routine}, one humanoid a call: strict/${isa}`),
            ),
        );
        expect(beside.every(({ ok, sense }) => ok === null && sense === null)).toBe(true);
    });

    test('measured where they can be, and judged by the minimum', () => {
        const missing = implementations()
            .filter(({ available }) => !available)
            .map(({ name }) => name);
        for (const { what, sense, wanted, min, median, ok } of targets) {
            if (missing.some((name) => what.includes(name))) {
                expect([what, min, ok]).toEqual([what, null, null]);
            } else {
                expect([what, min! > 0, median! > 0]).toEqual([what, true, true]);
                const isReached = wanted === null ? null : sense === '<=' ? min! <= wanted : min! >= wanted;
                expect([what, ok]).toEqual([what, isReached]);
            }
        }
    });

    test('as text: a line for each, with its verdict, and the machine', () => {
        const lines = run().stdout.split('\n');
        expect(lines[0]).toMatch(/^Targets of the strict kernels, on .+, Node v/);
        for (const { what } of targets) {
            expect(lines.find((line) => line.startsWith(`${what} `))).toMatch(
                /(ok|MISS|no target|not available here)$/,
            );
        }
    });
});
