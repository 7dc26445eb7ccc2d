// SPDX-License-Identifier: MIT

/** The check of the compiled objects finds what it is there to find: each fault is compiled, and seen. */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { nativeSkipReason } from '../support/implementations';
import { scratchFolder } from '../support/temporary-folder';

const ROOT = path.join(__dirname, '../..');
const { findCompiler } = require('../../scripts/compiler.cjs') as { findCompiler(): string | null };

const reason =
    process.platform === 'linux' && process.arch === 'x64'
        ? findCompiler() === null
            ? 'no C++ compiler'
            : null
        : 'needs x86-64 Linux';

function testHere(title: string, body: () => void): void {
    if (reason === null) test(title, body);
    else test.skip(`${title} [skipped: ${reason}]`, body);
}

const folder = scratchFolder();

function compile(source: string, flags: string[], compiler = findCompiler()!): string {
    const object = path.join(folder(), 'object.o');
    const [command, ...args] = compiler.split(' ');
    const options = [...args, '-std=c++17', '-O2', '-ffp-contract=off', ...flags, '-c', '-x', 'c++', '-', '-o', object];
    const { status, stderr } = spawnSync(command!, options, { input: source, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return object;
}

/** What the check says of an object; nothing where it passes. */
function check(object: string, isa: string, kind: string, least = 1, architecture = 'x64'): string {
    const script = path.join(ROOT, 'scripts/check-objects.mjs');
    const of = ['--object', object, '--isa', isa, '--kind', kind, '--architecture', architecture];
    const options = [...of, '--least', String(least)];
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(stderr === '' ? 0 : 1);
    return stderr;
}

/** No more than is used: the whole of immintrin.h takes longer to read than all the rest. */
function headerOf(body: string): string {
    if (/_mm(256|512)/.test(body)) return '#include <immintrin.h>';
    return body.includes('_mm_') ? '#include <xmmintrin.h>' : '';
}

/** A translation unit with a table of 13 kernels and a name, like those of native/isa, around what is to be found. */
const unit = (body: string) => `
${headerOf(body)}
extern float a[64], b[64], c[64];
extern double d[8];
namespace {
${body}
}
namespace poselane {
struct Kernels { const char* name; void (*kernels[13])(); };
extern const Kernels kStrictTest;
const Kernels kStrictTest = {"strict/test", {run, run, run, run, run, run, run, run, run, run, run, run, run}};
}
`;

/** Keeps what the unit computes. */
const KEPT = 'asm volatile("" : : : "memory");';

const LOOP = `void run() { for (int i = 0; i < 64; i++) a[i] = a[i] * b[i] + c[i]; ${KEPT} }`;

describe('scripts/check-objects.mjs', () => {
    testHere('an object with nothing wrong passes', () => {
        expect(check(compile(unit(LOOP), []), 'sse2', 'strict')).toBe('');
        expect(check(compile(unit(LOOP), ['-O3', '-mavx2']), 'avx2', 'strict')).toBe('');
        expect(check(compile(unit(LOOP), ['-O3', '-mavx512f']), 'avx512', 'strict')).toBe('');
    });

    testHere('a product and a sum that the compiler fused are found', () => {
        const object = compile(unit(LOOP), ['-O3', '-mavx2', '-mfma', '-ffp-contract=fast']);
        expect(check(object, 'avx2', 'strict')).toMatch(/\d fused multiply-adds, the first: vfmadd\d+ps /);
        expect(check(object, 'avx', 'other')).toMatch(/\d fused multiply-adds/);
        expect(check(object, 'fma', 'fast')).toBe('');
    });

    const intrinsic = (statement: string) => unit(`void run() { ${statement}; ${KEPT} }`);

    for (const [what, statement, flags, isa, found] of [
        [
            'rsqrtps',
            '_mm_store_ps(a, _mm_rsqrt_ps(_mm_load_ps(b)))',
            [],
            'sse2',
            '1 approximations, the first: rsqrtps',
        ],
        ['rcpss', '_mm_store_ss(a, _mm_rcp_ss(_mm_load_ss(b)))', [], 'sse2', '1 approximations, the first: rcpss'],
        [
            'vrsqrtps',
            '_mm256_storeu_ps(a, _mm256_rsqrt_ps(_mm256_loadu_ps(b)))',
            ['-mavx2'],
            'avx2',
            '1 approximations, the first: vrsqrtps',
        ],
        [
            'vrcp14ps',
            '_mm512_storeu_ps(a, _mm512_rcp14_ps(_mm512_loadu_ps(b)))',
            ['-mavx512f'],
            'avx512',
            '1 approximations, the first: vrcp14ps',
        ],
        [
            'vrsqrt14ps',
            '_mm512_storeu_ps(a, _mm512_rsqrt14_ps(_mm512_loadu_ps(b)))',
            ['-mavx512f'],
            'avx512',
            '1 approximations, the first: vrsqrt14ps',
        ],
        [
            'vfnmsub',
            '_mm256_storeu_ps(a, _mm256_fnmsub_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b), _mm256_loadu_ps(c)))',
            ['-mavx2', '-mfma'],
            'avx2',
            '1 fused multiply-adds, the first: vfnmsub',
        ],
        [
            'vfmaddsub of 512 bits',
            '_mm512_storeu_ps(a, _mm512_fmaddsub_ps(_mm512_loadu_ps(a), _mm512_loadu_ps(b), _mm512_loadu_ps(c)))',
            ['-mavx512f'],
            'avx512',
            '1 fused multiply-adds, the first: vfmaddsub',
        ],
        [
            'another rounding',
            '_mm512_storeu_ps(a, _mm512_add_round_ps(_mm512_loadu_ps(a), _mm512_loadu_ps(b), ' +
                '_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))',
            ['-mavx512f'],
            'avx512',
            '1 roundings of their own, the first: vaddps {rz-sae}',
        ],
        ['the x87', 'd[0] = (double)((long double)d[1] * d[2])', [], 'sse2', 'x87 instructions, the first: f'],
        ['AVX', '_mm256_storeu_ps(a, _mm256_loadu_ps(b))', ['-mavx'], 'sse2', 'AVX instructions, the first: vmov'],
        ['AVX', '_mm256_storeu_ps(a, _mm256_loadu_ps(b))', ['-mavx'], 'core', 'AVX instructions, the first: vmov'],
        [
            'AVX-512',
            '_mm512_storeu_ps(a, _mm512_loadu_ps(b))',
            ['-mavx512f'],
            'avx2',
            'AVX-512 instructions, the first: vmov',
        ],
        [
            'a mask register with 256 bits',
            '_mm256_mask_storeu_ps(a, _mm256_cmp_ps_mask(_mm256_loadu_ps(b), _mm256_loadu_ps(c), 1), _mm256_loadu_ps(b))',
            ['-mavx512f', '-mavx512vl'],
            'fma',
            'AVX-512 instructions, the first: vcmp',
        ],
    ] as const) {
        testHere(`${what} in a strict object for ${isa} is found`, () => {
            expect(check(compile(intrinsic(statement), [...flags]), isa, 'strict')).toContain(found);
        });
    }

    testHere('a function that the linker would merge with another of its name is found', () => {
        const merged = 'inline __attribute__((noinline)) float merged(float x) { return x * x; }\n';
        const body = unit(`void run() { a[0] = merged(b[0]); ${KEPT} }`).replace('namespace {', `${merged}namespace {`);
        expect(check(compile(body, []), 'avx2', 'strict')).toContain('1 weak or unique symbols, the first: _Z6mergedf');
        expect(check(compile(body, []), 'core', 'strict')).toContain('1 weak or unique symbols');
    });

    testHere('code that would run when the addon is loaded is found', () => {
        const statements = `volatile float now = 3;\nfloat first = now * now;\nvoid run() { a[0] = first; ${KEPT} }`;
        const object = compile(unit(statements), []);
        expect(check(object, 'avx2', 'strict')).toContain('code that runs when the addon is loaded');
    });

    testHere('an object without kernels does not pass', () => {
        const object = compile('int nothing() { return 0; }', []);
        expect(check(object, 'sse2', 'strict')).toContain('no table of kernels');
        expect(check(object, 'sse2', 'strict', 1000)).toMatch(/only \d instructions/);
        const few = unit(LOOP).replace('{run, run, run,', '{');
        expect(check(compile(few, []), 'sse2', 'strict')).toContain('only 11 addresses in the table of kernels');
    });

    describe('of 64-bit ARM', () => {
        const COMPILER = 'aarch64-linux-gnu-g++';
        const missing = spawnSync(COMPILER, ['--version']).status === 0 ? null : `${COMPILER} is not installed`;
        const faultsOf = (source: string, kind: string, flags: string[] = []) =>
            check(compile(source, flags, COMPILER), 'neon', kind, 1, 'arm64');
        const neon = (statement: string) => `#include <arm_neon.h>\n${intrinsic(statement)}`;

        function testOfArm(title: string, body: () => void): void {
            const skip = reason ?? missing;
            if (skip === null) test(title, body);
            else test.skip(`${title} [skipped: ${skip}]`, body);
        }

        testOfArm('an object with nothing wrong passes', () => {
            expect(faultsOf(unit(LOOP), 'strict', ['-O3'])).toBe('');
        });

        testOfArm('a product and a sum that the compiler fused are found', () => {
            const flags = ['-O3', '-ffp-contract=fast'];
            expect(faultsOf(unit(LOOP), 'strict', flags)).toMatch(/\d fused multiply-adds, the first: fmla\s/);
            expect(faultsOf(unit(LOOP), 'other', flags)).toMatch(/\d fused multiply-adds/);
            expect(faultsOf(unit(LOOP), 'fast', flags)).toBe('');
        });

        for (const [mnemonic, statement, what] of [
            ['fmadd', 'a[0] = __builtin_fmaf(a[1], b[1], c[1])', 'fused multiply-adds'],
            ['fmsub', 'a[0] = __builtin_fmaf(-a[1], b[1], c[1])', 'fused multiply-adds'],
            ['fnmadd', 'a[0] = -__builtin_fmaf(a[1], b[1], c[1])', 'fused multiply-adds'],
            ['fnmsub', 'a[0] = __builtin_fmaf(a[1], b[1], -c[1])', 'fused multiply-adds'],
            ['fmls', 'vst1q_f32(a, vfmsq_f32(vld1q_f32(c), vld1q_f32(a), vld1q_f32(b)))', 'fused multiply-adds'],
            ['frsqrte', 'vst1q_f32(a, vrsqrteq_f32(vld1q_f32(b)))', 'approximations'],
            ['frsqrts', 'vst1q_f32(a, vrsqrtsq_f32(vld1q_f32(b), vld1q_f32(c)))', 'approximations'],
            ['frecpe', 'vst1q_f32(a, vrecpeq_f32(vld1q_f32(b)))', 'approximations'],
            ['fmax', 'vst1q_f32(a, vmaxq_f32(vld1q_f32(b), vld1q_f32(c)))', 'maxima that do not keep -0'],
            ['frecps', 'vst1q_f32(a, vrecpsq_f32(vld1q_f32(b), vld1q_f32(c)))', 'approximations'],
        ] as const) {
            testOfArm(`${mnemonic} is found`, () => {
                expect(faultsOf(neon(statement), 'strict')).toMatch(new RegExp(`1 ${what}, the first: ${mnemonic}\\s`));
            });
        }
    });

    const without = nativeSkipReason() ?? reason;
    const title = 'an addon whose objects are not there does not pass';
    if (without !== null) test.skip(`${title} [skipped: ${without}]`, () => {});
    else {
        test(title, () => {
            const release = path.join(folder(), 'Release');
            fs.mkdirSync(release, { recursive: true });
            const file = path.join(release, 'poselane.node');
            fs.copyFileSync(path.join(ROOT, 'build/Release/poselane.node'), file);
            const script = path.join(ROOT, 'scripts/check-addon.mjs');
            const { status, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
            expect(stderr).toContain('native/isa/strict_avx512.cpp: no object of it in ');
            expect(stderr).toContain('native/isa/strict_scalar.cpp: no object of it in ');
            expect(status).toBe(1);
        });
    }
});
