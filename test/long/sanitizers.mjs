// SPDX-License-Identifier: MIT

/**
 * npm run sanitizers: builds the addon with AddressSanitizer and UndefinedBehaviorSanitizer, and runs the tests that use the addon
 * most, or `--all`. Ends with 1 if a test fails or a sanitizer reports anything in any process.
 *
 * First it proves that sanitizers report: an addon that reads too far, and one that overflows, must end their processes. The
 * package must have loaded the sanitized addon.
 *
 * --all            every test but those that start a browser or a compiler, and three that measure memory
 * --tests a,b      these instead
 * --by-calls       compiled in half the time, and half as fast (clang)
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSanitized, built, sanitizerLibrary } from '../../scripts/build/sanitized-build.mjs';
import { binary, root, runNode } from '../../scripts/lib.mjs';

const { values: options } = parseArgs({
    options: {
        all: { type: 'boolean', default: false },
        tests: { type: 'string' },
        'by-calls': { type: 'boolean', default: false },
    },
});

/** Every call into the addon, refused arguments, and hostile ones. */
const QUICK = [
    'test/native/refusals',
    'test/lists/backend',
    'test/lists/bind',
    'test/lists/edges',
    'test/lists/every-list',
    'test/lists/errors',
    'test/rig/native\\.',
    'test/strict/golden',
    'test/bake/playback/playback-error',
    'test/reduce/fit/fitter',
    'test/long/fuzz/api',
    'test/long/fuzz/regressions',
    'test/long/fuzz/flip-indices',
];
/** Browsers and compilers do not run with a preloaded sanitizer. The last three measure memory, which would include the sanitizer's. */
const NEVER = [
    'test/long/browser/chromium',
    'test/long/browser/variants',
    'test/examples/',
    'test/long/farm/',
    'test/long/package/builds',
    'test/long/native/memory',
    'test/long/rig/rig-memory',
];

const wanted = options.tests?.split(',') ?? (options.all ? [] : QUICK);
const testFiles = fs
    .readdirSync(path.join(root, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'));
const unmatched = wanted.filter(
    (pattern) => !testFiles.some((file) => new RegExp(pattern).test(path.join('test', file))),
);

const reports = path.join(built.folder, 'reports');

function stop(message) {
    console.error(`sanitizers: ${message}`);
    process.exit(1);
}

// Jest ignores patterns that match nothing.
if (unmatched.length > 0) stop(`no test is called ${unmatched.join(' or ')}`);

let library;
try {
    console.log(`sanitizers: ${buildSanitized(['poselane', 'overrun'], { byCalls: options['by-calls'] })}`);
    library = sanitizerLibrary();
} catch (error) {
    stop(error.message);
}

/** node-gyp-build looks into the folder that POSELANE_PREBUILD names before any other. */
const environment = {
    LD_PRELOAD: library,
    // V8 and Node free little before they end, so native/fuzz looks for leaks. The quarantine of freed memory shows later uses. It is
    // small, because tests of memory would count it.
    ASAN_OPTIONS: `detect_leaks=0:quarantine_size_mb=16:log_path=${reports}/asan`,
    UBSAN_OPTIONS: `print_stacktrace=1:halt_on_error=1:log_path=${reports}/ubsan`,
    POSELANE_PREBUILD: built.addonFolder,
    POSELANE_BACKEND: 'native',
};

function reported() {
    return fs.readdirSync(reports).map((name) => fs.readFileSync(path.join(reports, name), 'utf8'));
}

function clearReports() {
    fs.rmSync(reports, { recursive: true, force: true });
    fs.mkdirSync(reports, { recursive: true });
}

function prove() {
    const wrong = JSON.stringify(built.overrun);
    const call = (name) => {
        clearReports();
        const { ok, output } = runNode('-e', [`require(${wrong}).${name}(); console.log('went on')`], environment);
        return { ok, seen: [output, ...reported()].join('\n') };
    };
    const right = call('nothing');
    if (!right.ok || /Sanitizer|runtime error/.test(right.seen)) stop(`nothing wrong is reported:\n${right.seen}`);
    for (const [name, report] of [
        ['readTooFar', /AddressSanitizer: heap-buffer-overflow/],
        ['overflow', /runtime error: signed integer overflow/],
    ]) {
        const { ok, seen } = call(name);
        if (ok || !report.test(seen)) stop(`${name} was not reported:\n${seen}`);
    }
    clearReports();
    const { output } = runNode(
        '-p',
        [
            `const p = require('./dist'); JSON.stringify([p.backend, Object.keys(require.cache).filter((f) => f.endsWith('.node'))])`,
        ],
        environment,
    );
    if (output.trim() !== JSON.stringify(['native', [built.addon]]))
        stop(`the package has not loaded ${built.addon}: ${output}`);
    if (!fs.readFileSync(built.addon).includes('__asan_init')) stop(`${built.addon} has no AddressSanitizer`);
    console.log('sanitizers: both wrong addons were reported, and the package loads the sanitized one');
}

function test() {
    const start = performance.now();
    const ignored = NEVER.flatMap((name) => ['--testPathIgnorePatterns', name]);
    const { status } = spawnSync(
        process.execPath,
        // A sanitized call takes several times as long.
        [binary('jest'), '--testTimeout=600000', '--maxWorkers=2', ...ignored, '--testPathPatterns', wanted.join('|')],
        { cwd: root, env: { ...process.env, ...environment }, stdio: 'inherit' },
    );
    const seen = reported();
    for (const text of seen) process.stderr.write(`${text}\n`);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(`sanitizers: ${seen.length} reports, tests ${status === 0 ? 'passed' : 'FAILED'}, ${seconds} s`);
    return status === 0 && seen.length === 0;
}

prove();
process.exit(test() ? 0 : 1);
