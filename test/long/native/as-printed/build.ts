// SPDX-License-Identifier: MIT

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runProgram } from '../../../support/processes';

const { findCompiler } = require('../../../../scripts/build/compiler.cjs') as { findCompiler(): string | null };

const ROOT = path.resolve(__dirname, '../../../..');
const OUT = path.join(ROOT, 'build/as-printed/as_printed.node');

// Flags by file, as in the real build: what is not AVX's own must run without it.
const SOURCES = [
    { file: path.join(__dirname, 'as_printed_addon.cpp'), flags: [] },
    { file: path.join(ROOT, 'native/papers/slerping_clock_cycles.cpp'), flags: [] },
    { file: path.join(ROOT, 'native/papers/benefits_of_avx.cpp'), flags: ['-mavx'] },
    { file: path.join(ROOT, 'native/papers/test_only/benefits_of_avx_as_printed.cpp'), flags: ['-mavx'] },
];

const HEADERS = ['native', 'native/papers', 'native/papers/test_only'].flatMap((folder) =>
    fs
        .readdirSync(path.join(ROOT, folder))
        .filter((name) => name.endsWith('.h'))
        .map((name) => path.join(ROOT, folder, name)),
);

const DEPENDENCIES = [...SOURCES.map(({ file }) => file), ...HEADERS, __filename];

function mtime(file: string): number | undefined {
    return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function run(compiler: string, flags: readonly string[]): void {
    // CXX may be a command line with flags or a launcher of its own.
    const [command, ...own] = compiler.split(' ');
    const args = [...own, ...flags];
    const { status, stderr } = runProgram(command!, args, { cwd: ROOT });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}\nexited with ${status}\n${stderr}`);
}

/** Builds the test addon with Intel's listing as printed; an error where there is a compiler, but the compilation fails. */
export function buildAsPrinted(): { path: string } | { skipped: string } {
    if (process.platform !== 'linux' || process.arch !== 'x64') return { skipped: 'needs x86-64 Linux' };
    const compiler = findCompiler();
    if (compiler === null) return { skipped: 'no C++ compiler' };
    if (!/^flags\s*:.* avx\b/m.test(fs.readFileSync('/proc/cpuinfo', 'utf8'))) return { skipped: 'the CPU lacks AVX' };

    const built = mtime(OUT);
    if (built !== undefined && DEPENDENCIES.every((file) => mtime(file)! <= built)) return { path: OUT };

    const headers = require('node-api-headers').include_dir as string;
    fs.mkdirSync(path.dirname(OUT), { recursive: true });
    // Test workers may build at the same time: each in a folder of its own, and the rename is atomic.
    const folder = fs.mkdtempSync(path.join(path.dirname(OUT), 'partial-'));
    try {
        const common = [
            '-std=c++17',
            '-O2',
            '-fPIC',
            '-ffp-contract=off',
            '-fvisibility=hidden',
            '-Wall',
            '-Wextra',
            '-I',
            headers,
        ];
        const objects = SOURCES.map(({ file, flags: own }) => {
            const object = path.join(folder, `${path.basename(file)}.o`);
            run(compiler, [...common, ...own, '-c', file, '-o', object]);
            return object;
        });
        const partial = path.join(folder, 'as_printed.node');
        run(compiler, ['-shared', '-o', partial, ...objects]);
        fs.renameSync(partial, OUT);
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
    return { path: OUT };
}
