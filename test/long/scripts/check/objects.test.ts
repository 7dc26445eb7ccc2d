// SPDX-License-Identifier: MIT

/** The check of the compiled objects finds what it is there to find: each fault is compiled, and seen. */

import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode, runProgram } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';

const ROOT = path.join(__dirname, '../../../..');
const { findCompiler } = require('../../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

const reason =
    process.platform === 'linux' && process.arch === 'x64'
        ? findCompiler() === null
            ? 'no C++ compiler'
            : null
        : 'needs x86-64 Linux';

const folder = scratchFolder();
const SCRIPT = path.join(ROOT, 'scripts/check/objects.mjs');

function compile(name: string, source: string, flags: readonly string[], compiler: string): string {
    const object = path.join(folder(), name);
    const [command, ...args] = compiler.split(' ');
    const options = [...args, '-std=c++17', '-O2', '-ffp-contract=off', ...flags, '-c', '-x', 'c++', '-', '-o', object];
    const { status, stderr } = runProgram(command!, options, { input: source });
    if (status !== 0) throw new Error(stderr);
    return object;
}

/** A check of an object that is compiled from `source`: `says` is found, or null where it passes. */
interface Check {
    readonly source: string;
    readonly flags?: readonly string[];
    readonly isa: string;
    readonly kind: 'strict' | 'fast' | 'other';
    readonly least?: number;
    readonly says: RegExp | string | null;
}

/** Faults of every object: a process for all of them, since one takes longer to start than to check. */
function faultsOf(compiler: string, architecture: string, checks: readonly Check[]): string[] {
    const objects = new Map<string, string>();
    const requests = checks.map(({ source, flags = [], isa, kind, least = 1 }) => {
        const key = JSON.stringify([source, flags]);
        if (!objects.has(key)) {
            objects.set(key, compile(`${architecture}-${objects.size}.o`, source, flags, compiler));
        }
        return [objects.get(key), { isa, kind, least, architecture }];
    });
    const program = `
        import { faultsOfObject } from ${JSON.stringify(pathToFileURL(SCRIPT).href)};
        const requests = ${JSON.stringify(requests)};
        console.log(JSON.stringify(requests.map((request) => faultsOfObject(...request).faults.join('\\n'))));
    `;
    const options = ['--input-type=module', '-'];
    const { status, stdout, stderr } = runNode(options, { input: program });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
}

/** Tests whose objects are compiled and checked together, when the first of them runs. */
function testsOf(compiler: () => string, architecture: string, skip: string | null) {
    const all: Check[] = [];
    let answers: string[] | undefined;
    return (title: string, ...checks: Check[]): void => {
        const first = all.length;
        all.push(...checks);
        const body = () => {
            answers ??= faultsOf(compiler(), architecture, all);
            for (const [i, { says }] of checks.entries()) {
                const faults = answers[first + i]!;
                if (says === null) expect(faults).toBe('');
                else expect(faults).toMatch(says);
            }
        };
        if (skip === null) test(title, body);
        else test.skip(`${title} [skipped: ${skip}]`, body);
    };
}

/** A translation unit with a table of 13 kernels and a name, like those of native/isa, around what is to be found. */
const unit = (body: string) => `
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

const computing = (statement: string) => unit(`void run() { ${statement}; ${KEPT} }`);
/** An instruction as it stands: the headers with the intrinsics take longer to read than all the rest. */
const executing = (instruction: string) => unit(`void run() { asm volatile("${instruction}"); }`);

describe('scripts/check/objects.mjs', () => {
    const testHere = testsOf(() => findCompiler()!, 'x64', reason);

    testHere(
        'an object with nothing wrong passes',
        { source: unit(LOOP), isa: 'sse2', kind: 'strict', says: null },
        { source: unit(LOOP), flags: ['-O3', '-mavx2'], isa: 'avx2', kind: 'strict', says: null },
        { source: unit(LOOP), flags: ['-O3', '-mavx512f'], isa: 'avx512', kind: 'strict', says: null },
    );

    const fused = { source: unit(LOOP), flags: ['-O3', '-mavx2', '-mfma', '-ffp-contract=fast'] };
    testHere(
        'a product and a sum that the compiler fused are found',
        { ...fused, isa: 'avx2', kind: 'strict', says: /\d fused multiply-adds, the first: vfmadd\d+ps / },
        { ...fused, isa: 'avx', kind: 'other', says: /\d fused multiply-adds/ },
        { ...fused, isa: 'fma', kind: 'fast', says: null },
    );

    for (const [what, source, isa, says, flags = []] of [
        ['rsqrtps', executing('rsqrtps %xmm1, %xmm0'), 'sse2', '1 approximations, the first: rsqrtps'],
        ['rcpss', executing('rcpss %xmm1, %xmm0'), 'sse2', '1 approximations, the first: rcpss'],
        ['vrsqrtps', executing('vrsqrtps %ymm1, %ymm0'), 'avx2', '1 approximations, the first: vrsqrtps'],
        ['vrcp14ps', executing('vrcp14ps %zmm1, %zmm0'), 'avx512', '1 approximations, the first: vrcp14ps'],
        ['vrsqrt14ps', executing('vrsqrt14ps %zmm1, %zmm0'), 'avx512', '1 approximations, the first: vrsqrt14ps'],
        ['vfnmsub', executing('vfnmsub231ps %ymm2, %ymm1, %ymm0'), 'avx2', '1 fused multiply-adds, the first: vfnmsub'],
        [
            'vfmaddsub of 512 bits',
            executing('vfmaddsub231ps %zmm2, %zmm1, %zmm0'),
            'avx512',
            '1 fused multiply-adds, the first: vfmaddsub',
        ],
        [
            'another rounding',
            executing('vaddps {rz-sae}, %zmm2, %zmm1, %zmm0'),
            'avx512',
            '1 roundings of their own, the first: vaddps {rz-sae}',
        ],
        ['the x87', computing('d[0] = (double)((long double)d[1] * d[2])'), 'sse2', 'x87 instructions, the first: f'],
        ['AVX', unit(LOOP), 'sse2', 'AVX instructions, the first: vmov', ['-mavx']],
        ['AVX', unit(LOOP), 'core', 'AVX instructions, the first: vmov', ['-mavx']],
        ['AVX-512', executing('vmovups %zmm1, (%rax)'), 'avx2', '1 AVX-512 instructions, the first: vmov'],
        [
            'a mask register with 256 bits',
            executing('vcmpltps %ymm2, %ymm1, %k1'),
            'fma',
            '1 AVX-512 instructions, the first: vcmp',
        ],
    ] as const) {
        testHere(`${what} in a strict object for ${isa} is found`, { source, flags, isa, kind: 'strict', says });
    }

    const merged = 'inline __attribute__((noinline)) float merged(float x) { return x * x; }\n';
    const weak = computing('a[0] = merged(b[0])').replace('namespace {', `${merged}namespace {`);
    testHere(
        'a function that the linker would merge with another of its name is found',
        { source: weak, isa: 'avx2', kind: 'strict', says: '1 weak or unique symbols, the first: _Z6mergedf' },
        { source: weak, isa: 'core', kind: 'strict', says: '1 weak or unique symbols' },
    );

    const constructed = `volatile float now = 3;\nfloat first = now * now;\nvoid run() { a[0] = first; ${KEPT} }`;
    testHere('code that would run when the addon is loaded is found', {
        source: unit(constructed),
        isa: 'avx2',
        kind: 'strict',
        says: 'code that runs when the addon is loaded',
    });

    const nothing = { source: 'int nothing() { return 0; }', isa: 'sse2', kind: 'strict' } as const;
    const few = unit(LOOP).replace('{run, run, run,', '{');
    testHere(
        'an object without kernels does not pass',
        { ...nothing, says: 'no table of kernels' },
        { ...nothing, least: 1000, says: /only \d instructions/ },
        { source: few, isa: 'sse2', kind: 'strict', says: 'only 11 addresses in the table of kernels' },
    );

    describe('of 64-bit ARM', () => {
        const COMPILER = 'aarch64-linux-gnu-g++';
        const missing = runProgram(COMPILER, ['--version']).status === 0 ? null : `${COMPILER} is not installed`;
        const testOfArm = testsOf(() => COMPILER, 'arm64', reason ?? missing);

        testOfArm('an object with nothing wrong passes', {
            source: unit(LOOP),
            flags: ['-O3'],
            isa: 'neon',
            kind: 'strict',
            says: null,
        });

        const fused = { source: unit(LOOP), flags: ['-O3', '-ffp-contract=fast'], isa: 'neon' };
        testOfArm(
            'a product and a sum that the compiler fused are found',
            { ...fused, kind: 'strict', says: /\d fused multiply-adds, the first: fmla\s/ },
            { ...fused, kind: 'other', says: /\d fused multiply-adds/ },
            { ...fused, kind: 'fast', says: null },
        );

        for (const [mnemonic, source, what] of [
            ['fmadd', computing('a[0] = __builtin_fmaf(a[1], b[1], c[1])'), 'fused multiply-adds'],
            ['fmsub', computing('a[0] = __builtin_fmaf(-a[1], b[1], c[1])'), 'fused multiply-adds'],
            ['fnmadd', computing('a[0] = -__builtin_fmaf(a[1], b[1], c[1])'), 'fused multiply-adds'],
            ['fnmsub', computing('a[0] = __builtin_fmaf(a[1], b[1], -c[1])'), 'fused multiply-adds'],
            ['fmls', executing('fmls v0.4s, v1.4s, v2.4s'), 'fused multiply-adds'],
            ['frsqrte', executing('frsqrte v0.4s, v1.4s'), 'approximations'],
            ['frsqrts', executing('frsqrts v0.4s, v1.4s, v2.4s'), 'approximations'],
            ['frecpe', executing('frecpe v0.4s, v1.4s'), 'approximations'],
            ['fmax', executing('fmax v0.4s, v1.4s, v2.4s'), 'maxima that do not keep -0'],
            ['frecps', executing('frecps v0.4s, v1.4s, v2.4s'), 'approximations'],
        ] as const) {
            const says = new RegExp(`1 ${what}, the first: ${mnemonic}\\s`);
            testOfArm(`${mnemonic} is found`, { source, isa: 'neon', kind: 'strict', says });
        }
    });
});
