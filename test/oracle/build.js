// SPDX-License-Identifier: MIT
'use strict';

// Builds the oracle addon: buildOracle() returns { path } or { unavailable: 'reason' },
// and throws when there is a compiler but the compilation fails.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const OUT = path.resolve(__dirname, '..', '..', 'build', 'oracle', 'oracle.node');

const SOURCES = [
    'oracle_addon.c',
    'slerping_clock_cycles.S',
    'from_quaternion_to_matrix_and_back.S',
    'the_skeleton_assembly_line.S',
].map((name) => path.join(__dirname, name));

const DEPENDENCIES = [...SOURCES, path.join(__dirname, 'listing.inc'), __filename];

function mtime(file) {
    return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function findCompiler() {
    for (const compiler of ['gcc', 'cc']) {
        const probe = spawnSync(compiler, ['--version'], { stdio: 'ignore' });
        if (!probe.error && probe.status === 0) return compiler;
    }
    return undefined;
}

function buildOracle() {
    if (process.platform !== 'linux' || process.arch !== 'x64') {
        return {
            unavailable: `the listings are built on x86-64 Linux only, not on ${process.arch} ${process.platform}`,
        };
    }
    const built = mtime(OUT);
    if (built !== undefined && DEPENDENCIES.every((file) => mtime(file) <= built)) return { path: OUT };

    const compiler = findCompiler();
    if (compiler === undefined) return { unavailable: 'no C compiler (neither gcc nor cc can be run)' };

    const headers = require('node-api-headers').include_dir;
    fs.mkdirSync(path.dirname(OUT), { recursive: true });
    // Test workers may build at the same time: each writes its own file, and the rename is atomic.
    const partial = `${OUT}.${process.pid}.tmp`;
    const args = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-I', headers, '-o', partial, ...SOURCES];
    try {
        const run = spawnSync(compiler, args, { cwd: __dirname, encoding: 'utf8' });
        if (run.error) throw run.error;
        if (run.status !== 0) {
            throw new Error(`${compiler} ${args.join(' ')}\nexited with ${run.status ?? run.signal}\n${run.stderr}`);
        }
        fs.renameSync(partial, OUT);
    } finally {
        fs.rmSync(partial, { force: true });
    }
    return { path: OUT };
}

module.exports = { buildOracle };

if (require.main === module) console.log(buildOracle());
