// SPDX-License-Identifier: MIT

import * as fs from 'node:fs';
import * as path from 'node:path';
import { runProgram } from '../support/processes';

const OUT = path.resolve(__dirname, '..', '..', 'build', 'oracle', 'oracle.node');

const SOURCES = [
    'oracle_addon.c',
    'slerping_clock_cycles.S',
    'from_quaternion_to_matrix_and_back.S',
    'the_skeleton_assembly_line.S',
].map((name) => path.join(__dirname, name));

const DEPENDENCIES = [...SOURCES, path.join(__dirname, 'listing.inc'), __filename];

function mtime(file: string): number | undefined {
    return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Builds the oracle addon; an error where there is a compiler, but the compilation fails. */
export function buildOracle(): { path: string } | { unavailable: string } {
    if (process.platform !== 'linux' || process.arch !== 'x64') {
        return {
            unavailable: `the listings are built on x86-64 Linux only, not on ${process.arch} ${process.platform}`,
        };
    }
    const built = mtime(OUT);
    if (built !== undefined && DEPENDENCIES.every((file) => mtime(file)! <= built)) return { path: OUT };

    const compiler = ['gcc', 'cc'].find((name) => runProgram(name, ['--version']).status === 0);
    if (compiler === undefined) return { unavailable: 'no C compiler (neither gcc nor cc can be run)' };

    const headers = require('node-api-headers').include_dir as string;
    fs.mkdirSync(path.dirname(OUT), { recursive: true });
    // Test workers may build at the same time: each writes its own file, and the rename is atomic.
    const partial = `${OUT}.${process.pid}.tmp`;
    const args = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-I', headers, '-o', partial, ...SOURCES];
    try {
        const { status, stderr } = runProgram(compiler, args, { cwd: __dirname });
        if (status !== 0) throw new Error(`${compiler} ${args.join(' ')}\nexited with ${status}\n${stderr}`);
        fs.renameSync(partial, OUT);
    } finally {
        fs.rmSync(partial, { force: true });
    }
    return { path: OUT };
}
