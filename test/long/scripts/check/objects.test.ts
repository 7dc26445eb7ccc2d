// SPDX-License-Identifier: MIT

/** The check of the compiled objects finds each of its faults in an object compiled with it. */

import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode, runProgram } from '../../../support/processes';
import { scratchFolder } from '../../../support/temporary-folder';
import { testUnless } from '../../../support/unless';

const ROOT = path.join(__dirname, '../../../..');
const { findCompiler } = require('../../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };
const SCRIPT = pathToFileURL(path.join(ROOT, 'scripts/check/objects.mjs')).href;

const elsewhere = (process.platform !== 'linux' || process.arch !== 'x64') && 'needs x86-64 Linux';
const without = elsewhere || (findCompiler() === null && 'no C++ compiler');
const ARM = 'aarch64-linux-gnu-g++';
const withoutArm = elsewhere || (runProgram(ARM, ['--version']).status !== 0 && `${ARM} is not installed`);

const folder = scratchFolder();

function compile(object: string, source: string, flags: readonly string[], compiler: string): void {
    const [command, ...args] = compiler.split(' ');
    const options = [...args, '-std=c++17', '-O2', '-ffp-contract=off', ...flags, '-c', '-x', 'c++', '-', '-o', object];
    const { status, stderr } = runProgram(command!, options, { input: source });
    if (status !== 0) throw new Error(stderr);
}

/** The first fault that the check finds in an object compiled from `source`, or nothing. */
type Row = [
    what: string,
    source: string,
    isa: string,
    kind: 'strict' | 'fast' | 'other',
    found: RegExp | '',
    ...string[],
];

/** Judges all objects in one process, since one takes longer to start than to check. */
function expectFaults(rows: readonly Row[], compiler: string, architecture: string, least = 1): void {
    const requests = rows.map(([, source, isa, kind, , ...flags], i) => {
        const object = path.join(folder(), `${architecture}-${least}-${i}.o`);
        compile(object, source, flags, compiler);
        return [object, { isa, kind, least, architecture }];
    });
    const program = `
        import { faultsOfObject } from ${JSON.stringify(SCRIPT)};
        const requests = ${JSON.stringify(requests)};
        console.log(JSON.stringify(requests.map((request) => faultsOfObject(...request).faults.join('\\n'))));
    `;
    const { status, stdout, stderr } = runNode(['--input-type=module', '-'], { input: program });
    expect([status, stderr]).toEqual([0, '']);
    const faults: string[] = JSON.parse(stdout);
    const named = (of: (row: Row, i: number) => unknown) => rows.map((row, i) => [row[0], row[2], row[3], of(row, i)]);
    const wanted = named(([, , , , found]) => (found === '' ? '' : expect.stringMatching(found)));
    expect(named((_, i) => faults[i])).toEqual(wanted);
}

/** A translation unit with a name and a table of 13 kernels, like those of native/isa, around the faulty code. */
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
const LOOP = unit(`void run() { for (int i = 0; i < 64; i++) a[i] = a[i] * b[i] + c[i]; ${KEPT} }`);
const computing = (statement: string) => unit(`void run() { ${statement}; ${KEPT} }`);
/** An instruction in assembly: the headers of the intrinsics take longer to read than all the rest. */
const executing = (instruction: string) => unit(`void run() { asm volatile("${instruction}"); }`);
const strict = (instruction: string, isa: string, found: RegExp): Row => [
    instruction,
    executing(instruction),
    isa,
    'strict',
    found,
];

testUnless(without, 'scripts/check/objects.mjs finds faults in objects for x86-64, and none in those without', () => {
    const fused = ['-O3', '-mavx2', '-mfma', '-ffp-contract=fast'];
    const merged = 'inline __attribute__((noinline)) float merged(float x) { return x * x; }\n';
    const weak = computing('a[0] = merged(b[0])').replace('namespace {', `${merged}namespace {`);
    const early = unit(`volatile float now = 3;\nfloat first = now * now;\nvoid run() { a[0] = first; ${KEPT} }`);
    const x87 = computing('d[0] = (double)((long double)d[1] * d[2])');
    const none = 'int nothing() { return 0; }';
    const rows: Row[] = [
        ['nothing wrong', LOOP, 'sse2', 'strict', ''],
        ['nothing wrong', LOOP, 'avx2', 'strict', '', '-O3', '-mavx2'],
        ['nothing wrong', LOOP, 'avx512', 'strict', '', '-O3', '-mavx512f'],
        ['fused by the compiler', LOOP, 'avx2', 'strict', /\d fused multiply-adds, the first: vfmadd\d+ps /, ...fused],
        ['fused by the compiler', LOOP, 'avx', 'other', /\d fused multiply-adds/, ...fused],
        ['fused by the compiler', LOOP, 'fma', 'fast', '', ...fused],
        strict('rsqrtps %xmm1, %xmm0', 'sse2', /1 approximations, the first: rsqrtps/),
        strict('rcpss %xmm1, %xmm0', 'sse2', /1 approximations, the first: rcpss/),
        strict('vrsqrtps %ymm1, %ymm0', 'avx2', /1 approximations, the first: vrsqrtps/),
        strict('vrcp14ps %zmm1, %zmm0', 'avx512', /1 approximations, the first: vrcp14ps/),
        strict('vrsqrt14ps %zmm1, %zmm0', 'avx512', /1 approximations, the first: vrsqrt14ps/),
        strict('vfnmsub231ps %ymm2, %ymm1, %ymm0', 'avx2', /1 fused multiply-adds, the first: vfnmsub/),
        strict('vfmaddsub231ps %zmm2, %zmm1, %zmm0', 'avx512', /1 fused multiply-adds, the first: vfmaddsub/),
        strict(
            'vaddps {rz-sae}, %zmm2, %zmm1, %zmm0',
            'avx512',
            /1 roundings of their own, the first: vaddps \{rz-sae\}/,
        ),
        ['the x87', x87, 'sse2', 'strict', /x87 instructions, the first: f/],
        ['AVX', LOOP, 'sse2', 'strict', /AVX instructions, the first: vmov/, '-mavx'],
        ['AVX', LOOP, 'core', 'strict', /AVX instructions, the first: vmov/, '-mavx'],
        strict('vmovups %zmm1, (%rax)', 'avx2', /1 AVX-512 instructions, the first: vmov/),
        // A mask register with 256 bits.
        strict('vcmpltps %ymm2, %ymm1, %k1', 'fma', /1 AVX-512 instructions, the first: vcmp/),
        ['what the linker merges', weak, 'avx2', 'strict', /1 weak or unique symbols, the first: _Z6mergedf/],
        ['what the linker merges', weak, 'core', 'strict', /1 weak or unique symbols/],
        ['code that runs early', early, 'avx2', 'strict', /code that runs when the addon is loaded/],
        ['no kernels', none, 'sse2', 'strict', /no table of kernels/],
        [
            '11 of 13',
            LOOP.replace('{run, run, run,', '{'),
            'sse2',
            'strict',
            /only 11 addresses in the table of kernels/,
        ],
    ];
    expectFaults(rows, findCompiler()!, 'x64');
    expectFaults([['few instructions', none, 'sse2', 'strict', /only \d instructions/]], findCompiler()!, 'x64', 1000);
});

testUnless(
    withoutArm,
    'scripts/check/objects.mjs finds faults in objects for 64-bit ARM, and none in those without',
    () => {
        const fused = ['-O3', '-ffp-contract=fast'];
        const [multiplied, approximated] = ['fused multiply-adds', 'approximations'];
        const instructions = [
            [computing('a[0] = __builtin_fmaf(a[1], b[1], c[1])'), 'fmadd', multiplied],
            [computing('a[0] = __builtin_fmaf(-a[1], b[1], c[1])'), 'fmsub', multiplied],
            [computing('a[0] = -__builtin_fmaf(a[1], b[1], c[1])'), 'fnmadd', multiplied],
            [computing('a[0] = __builtin_fmaf(a[1], b[1], -c[1])'), 'fnmsub', multiplied],
            [executing('fmls v0.4s, v1.4s, v2.4s'), 'fmls', multiplied],
            [executing('frsqrte v0.4s, v1.4s'), 'frsqrte', approximated],
            [executing('frsqrts v0.4s, v1.4s, v2.4s'), 'frsqrts', approximated],
            [executing('frecpe v0.4s, v1.4s'), 'frecpe', approximated],
            [executing('frecps v0.4s, v1.4s, v2.4s'), 'frecps', approximated],
            [executing('fmax v0.4s, v1.4s, v2.4s'), 'fmax', 'maxima that do not keep -0'],
        ] as const;
        const rows: Row[] = [
            ['nothing wrong', LOOP, 'neon', 'strict', '', '-O3'],
            ['fused by the compiler', LOOP, 'neon', 'strict', /\d fused multiply-adds, the first: fmla\s/, ...fused],
            ['fused by the compiler', LOOP, 'neon', 'other', /\d fused multiply-adds/, ...fused],
            ['fused by the compiler', LOOP, 'neon', 'fast', '', ...fused],
            ...instructions.map(([source, mnemonic, what]): Row => {
                return [mnemonic, source, 'neon', 'strict', new RegExp(`1 ${what}, the first: ${mnemonic}\\s`)];
            }),
        ];
        expectFaults(rows, ARM, 'arm64');
    },
);
