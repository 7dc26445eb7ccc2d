// SPDX-License-Identifier: MIT

/** bench/variants/papers: what its README says of bits, errors and instructions; not of times, which are the machine's. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runProgram } from '../../support/processes';

const { findCompiler } = require('../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

const ROOT = join(__dirname, '../../..');

interface Variants {
    forms: { group: string; name: string; error?: number; sameBits: boolean }[];
    loops: { name: string; quaternions: number; shuffles: number; logic: number }[];
}

function skipReason(): string | null {
    if (process.platform !== 'linux' || process.arch !== 'x64') return 'needs x86-64 Linux';
    if (!/^flags\s*:.* fma .*\bavx2\b/m.test(readFileSync('/proc/cpuinfo', 'utf8')))
        return 'the CPU lacks AVX2 and FMA';
    if (runProgram('objdump', ['--version']).status !== 0) return 'no objdump';
    return findCompiler() === null ? 'no C++ compiler' : null;
}

const reason = skipReason();
if (reason !== null) {
    it.skip(`bench/variants/papers [skipped: ${reason}]`, () => {});
} else {
    describe('bench/variants/papers', () => {
        const { status, stdout, stderr } = runNode([
            join(ROOT, 'bench/variants/papers/run.mjs'),
            ...['--rounds', '1', '--json'],
        ]);
        if (status !== 0) throw new Error(stderr);
        const { forms, loops } = JSON.parse(stdout) as Variants;
        const errorOf = (group: string, name: string) => {
            const form = forms.find((one) => one.group === group && one.name === name);
            if (form?.error === undefined) throw new Error(`no error of ${group}, ${name}`);
            return form.error;
        };

        it('has forms with the bits of others, which the program itself compares', () => {
            expect(forms.filter(({ sameBits }) => sameBits).map(({ name }) => name)).toEqual([
                'movss, shufps',
                'movss, shufps',
                'movss, shufps',
                "of section 6's functions",
                'straight port',
                'not unrolled',
                'unrolled (listing)',
                'aligned loads and stores',
            ]);
        });

        it.each([
            ['angle', 'arc cosine, degree 7', 1e-7, 3e-7],
            ['angle', 'arc cosine, degree 3', 6e-5, 6.8e-5],
            ['angle', 'arc tangent, degree 9', 1e-5, 1.2e-5],
            ['sine', 'degree 5', 1.6e-4, 1.7e-4],
            ['slerpQuats, SSE', 'appendix A', 1e-7, 1e-6],
            ['slerpQuats, SSE', 'arc cosine, degree 7', 1e-7, 1e-6],
            ['slerpQuats, SSE', 'arc cosine, degree 3', 1e-5, 1e-4],
            ['slerpQuats, SSE', 'arc tangent, degree 9, sine, degree 5', 1e-4, 2e-4],
            ['slerpQuats, AVX', 'straight port', 1e-7, 1e-6],
            ['slerpQuats, Eberly, n = 8', 'sse4, fused', 1e-5, 3.9e-5],
        ])('%s, %s: off by more than %d and less than %d', (group, name, least, most) => {
            expect(errorOf(group, name)).toBeGreaterThan(least);
            expect(errorOf(group, name)).toBeLessThan(most);
        });

        it("the straight port has Intel's 36 shuffles for 8 quaternions, the listing 16", () => {
            const counts = loops.map(({ quaternions, shuffles, logic }) => [quaternions, shuffles, logic]);
            expect(counts).toEqual([
                [4, 20, 9],
                [8, 36, 10],
                [8, 16, 10],
                [16, 32, 20],
            ]);
        });
    });
}
