// SPDX-License-Identifier: MIT

/**
 * npm run check:tidy: clang-tidy over every native file that this machine builds (.clang-tidy says what for, and what not). The
 * compile commands are CMake's; Node's headers are those of the package node-api-headers.
 *
 * Files to look at may be named: node scripts/check/tidy.mjs native/addon/addon.cpp
 */

import { execFile, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { findCommand, root, runOrThrow } from '../lib.mjs';

const require = createRequire(import.meta.url);
const build = path.join(root, 'build-tidy');

function versionOf(command) {
    const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
    return status === 0 ? /version (\d+)\./.exec(stdout)?.[1] : undefined;
}

// One version, because versions know other checks.
const command = ['clang-tidy-14', 'clang-tidy'].find((name) => versionOf(name) === '14');
if (command === undefined || findCommand(['cmake']) === undefined) {
    console.log('clang-tidy: not run, clang-tidy 14 or CMake is not installed (Debian: clang-tidy-14, cmake)');
    process.exit(process.env.CI ? 1 : 0);
}

function compileCommands() {
    const headers = require('node-api-headers').include_dir;
    const options = ['-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', `-DCMAKE_JS_INC=${headers}`];
    runOrThrow('cmake', ['-S', root, '-B', build, ...options]);
    return JSON.parse(fs.readFileSync(path.join(build, 'compile_commands.json'), 'utf8'));
}

/** What clang-tidy finds in a file, as it says it; '' where that is nothing. */
async function findingsIn(file) {
    try {
        await promisify(execFile)(command, ['-p', build, '--quiet', file], { cwd: root, maxBuffer: 1 << 28 });
        return '';
    } catch (error) {
        return `${error.stdout || error.message}\n${error.stdout ? '' : error.stderr}`;
    }
}

const named = process.argv.slice(2).map((file) => path.resolve(file));
const files = compileCommands()
    .map(({ file }) => file)
    .filter((file) => named.length === 0 || named.includes(file))
    // The longest first, so that none of them is left to run alone.
    .sort((a, b) => Number(b.includes('/isa/')) - Number(a.includes('/isa/')));

const start = performance.now();
const waiting = [...files];
let faulty = 0;
async function work() {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const findings = await findingsIn(file);
        if (findings === '') continue;
        faulty++;
        console.error(findings);
    }
}
await Promise.all(Array.from({ length: os.availableParallelism() }, work));
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(
    `clang-tidy: ${files.length} files, ${faulty === 0 ? 'nothing found' : `${faulty} not clean`} (${seconds} s)`,
);
process.exit(faulty === 0 && files.length > 0 ? 0 : 1);
