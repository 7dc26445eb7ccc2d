// SPDX-License-Identifier: MIT

/**
 * npm run fuzz:native: builds the fuzz targets of native/fuzz with libFuzzer, AddressSanitizer (which looks for leaks, too) and
 * UndefinedBehaviorSanitizer, runs what is kept, and then fuzzes. Ends with 1 at a finding, and names the
 * file that makes it again.
 *
 * --seconds n  for each target (15)
 * --runs n     instead: n executions of each target, over all jobs
 * --target t   only kernels or rig
 * --jobs n     processes at a time (2)
 * --prove      first makes sure that faulty kernels are found: a wrong bit, an overrun, a joint that nobody named, an error, a
 *              table of the Rig that is written, a box that is wrong in a bit
 * --by-calls   compiled in half the time, and half as fast (clang)
 *
 * Ctrl-C ends a run early, with the numbers that it has come to.
 *
 * Seeds and found inputs are in native/fuzz/regressions/<target>/<routine>-<what>. The environment variable
 * POSELANE_FUZZ_ROUTINE has the name of the routine; with --target, the fuzzer then runs only this routine. Add a fixed test for
 * each fault as well: an input gives another case when the drawing of cases changes.
 *
 * Without clang: the same targets, built by the available compiler, on random inputs.
 *
 * --arm64: for 64-bit ARM, by Debian's cross-compiler, run by qemu: random inputs, and no sanitizer.
 */

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSanitized, built, clang } from '../../scripts/build/sanitized-build.mjs';
import { cmake, root } from '../../scripts/lib.mjs';
import { ARM64 } from '../../scripts/release/runtimes/runtimes.mjs';

const { values: options } = parseArgs({
    options: {
        seconds: { type: 'string', default: '15' },
        runs: { type: 'string' },
        target: { type: 'string' },
        jobs: { type: 'string', default: '2' },
        prove: { type: 'boolean', default: false },
        'by-calls': { type: 'boolean', default: false },
        arm64: { type: 'boolean', default: false },
    },
});

const jobs = Number(options.jobs);
const targets = ['kernels', 'rig'].filter((name) => options.target === undefined || name === options.target);
if (targets.length === 0 || !(jobs >= 1)) {
    console.error('fuzz-native: --target is kernels or rig, --jobs at least 1');
    process.exit(2);
}

const libfuzzer = clang && !options.arm64;
const emulator = options.arm64 ? ARM64.emulator() : [];
const folder = options.arm64 ? path.join(root, 'build-fuzz/arm64') : built.folder;
/** The command that runs a target. */
const commandOf = (target) => [...emulator, path.join(folder, `fuzz_${target}`)];

/** Inputs that reached something new, kept from run to run; and those that were wrong. */
const corpusOf = (target) => path.join(folder, 'corpus', target);
const findings = path.join(folder, 'findings');

/** One process: `ended` resolves with its status and output. */
function start(target, args, env = {}) {
    const [command, ...first] = commandOf(target);
    const child = spawn(command, [...first, ...args], {
        cwd: root,
        // Most of an execution is allocation otherwise. Kernels free nothing, so freed memory need not be kept.
        env: {
            ...process.env,
            ASAN_OPTIONS: 'malloc_context_size=0:quarantine_size_mb=0:thread_local_quarantine_size_kb=0',
            UBSAN_OPTIONS: 'print_stacktrace=1',
            ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Keeps the first lines of a long run, which name the target, and the last.
    let [head, tail] = ['', ''];
    const take = (chunk) => {
        const room = 20_000 - head.length;
        head += String(chunk).slice(0, room);
        tail = (tail + String(chunk).slice(room)).slice(-200_000);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const ended = new Promise((resolve) => {
        child.on('close', (status, signal) =>
            resolve({ ok: status === 0 && signal === null, output: `${head}${tail}` }),
        );
    });
    return { child, ended };
}

const run = (target, args, env) => start(target, args, env).ended;

const numberIn = (output, pattern) => Number(output.match(pattern)?.[1] ?? Number.NaN);
/** The names that the program says once, sorted; none where it has not come to its first input. */
const implementationsIn = (output) =>
    output
        .match(/^implementations: (.*)$/m)?.[1]
        .split(' ')
        .sort() ?? [];
const lastNumber = (output, pattern) => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? Number.NaN);

const ADDRESS_SANITIZER = /heap-buffer-overflow/;

/** The faults that the wrong twin of each target (native/fuzz/wrong_*.h) must report. */
const FAULTS = {
    kernels: {
        bit: /strict\/wrong and \S+ differ in float|\S+ and strict\/wrong differ in float/,
        overrun: ADDRESS_SANITIZER,
        neighbour: /strict\/wrong, slerpJoints: joint 0 is not named and has changed/,
        inaccurate: /paper\/wrong, slerpQuats, element \d+: off by/,
    },
    rig: {
        bit: /strict\/wrong differs from strict\/scalar in float/,
        overrun: ADDRESS_SANITIZER,
        table: /a table of the rig has changed/,
        stream: /strict\/wrong: streamPalettes and palettes differ/,
        bounds: /strict\/wrong differs from strict\/scalar in float/,
    },
};

/** Whether the target with the fault reports it. */
async function isFound(target, fault, report) {
    const random = ['--runs', '20000'];
    const byLibfuzzer = [
        '-runs=20000',
        '-max_len=64',
        '-len_control=0',
        '-seed=1',
        `-artifact_prefix=${findings}/wrong-`,
    ];
    const { ok, output } = await run(target, libfuzzer ? byLibfuzzer : random, {
        POSELANE_FUZZ_WRONG: fault,
    });
    return !ok && report.test(output);
}

/** Names of the faults that were not found. */
async function missedFaults() {
    fs.mkdirSync(findings, { recursive: true });
    const faults = targets
        .flatMap((target) => Object.entries(FAULTS[target]).map(([fault, report]) => ({ target, fault, report })))
        .filter(({ report }) => !options.arm64 || report !== ADDRESS_SANITIZER);
    const results = await Promise.all(
        faults.map(async ({ target, fault, report }) =>
            (await isFound(target, fault, report)) ? null : `${target}: ${fault}`,
        ),
    );
    return results.filter((fault) => fault !== null);
}

/** Runs the stored inputs, files named <routine>-<what>: one process for each routine, which gets its name. */
async function replay(target) {
    const folder = path.join('native/fuzz/regressions', target);
    const files = fs.readdirSync(path.join(root, folder)).sort();
    const routineOf = (name) => name.slice(0, name.indexOf('-'));
    for (const routine of new Set(files.map(routineOf))) {
        const own = files.filter((name) => routineOf(name) === routine).map((name) => path.join(folder, name));
        const { ok, output } = await run(target, own, { POSELANE_FUZZ_ROUTINE: routine });
        if (ok) continue;
        process.stderr.write(output);
        console.error(`fuzz-native: ${target}: one of ${folder}/${routine}-* fails again`);
        return null;
    }
    return files.length;
}

async function fuzz(target, wanted) {
    fs.mkdirSync(corpusOf(target), { recursive: true });
    fs.mkdirSync(findings, { recursive: true });
    const begun = performance.now();
    const each = wanted === null ? null : Math.ceil(wanted / jobs);
    const processes = Array.from({ length: jobs }, (_, job) =>
        libfuzzer
            ? start(target, [
                  each === null ? `-max_total_time=${options.seconds}` : `-runs=${each}`,
                  '-max_len=256',
                  '-len_control=0',
                  // Choosing inputs by how rare they are takes longer than running them.
                  '-entropic=0',
                  // Inputs are kept for the edges that they reach. How often they reach them is how long the lists are,
                  // and the fuzzer would spend its time on the longest: four times fewer executions a second.
                  '-use_counters=0',
                  '-use_cmp=0',
                  '-reload=60',
                  '-print_final_stats=1',
                  `-artifact_prefix=${findings}/${target}-`,
                  `-seed=${(Date.now() % 1_000_000) * 16 + job + 1}`,
                  corpusOf(target),
              ])
            : start(target, [
                  '--seed',
                  String(Date.now() + job),
                  '--runs',
                  String(each ?? 3000 * Number(options.seconds)),
              ]),
    );
    // libFuzzer then ends as if its time were over.
    const endEarly = () => {
        for (const { child } of processes) child.kill('SIGUSR1');
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, endEarly);
    const results = await Promise.all(processes.map(({ ended }) => ended));
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, endEarly);
    const seconds = (performance.now() - begun) / 1000;
    const executions = results.reduce(
        (sum, { output }) =>
            sum + numberIn(output, libfuzzer ? /stat::number_of_executed_units: (\d+)/ : /and (\d+) random inputs/),
        0,
    );
    const edges = libfuzzer ? Math.max(...results.map(({ output }) => lastNumber(output, /cov: (\d+)/g))) : null;
    const failed = results.find(({ ok }) => !ok);
    if (failed) {
        process.stderr.write(failed.output.split('\n').slice(-60).join('\n'));
        const file = failed.output.match(/Test unit written to (\S+)/)?.[1];
        const again = [...commandOf(target), file ?? '(no file)'].join(' ');
        console.error(`fuzz-native: ${target}: FOUND; again, with the routine's name, by`);
        console.error(`POSELANE_FUZZ_ROUTINE=? ${again}`);
    }
    const [implementations, ...others] = results.map(({ output }) => implementationsIn(output));
    const same = others.every((names) => names.join() === implementations.join());
    // Detects a run that succeeded, but did nothing.
    const strange = options.arm64 ? !implementations.includes('strict/neon') : implementations.length === 0;
    const idle = !(executions > 0) || strange || !same;
    if (idle && !failed) {
        console.error(
            `fuzz-native: ${target}: ${executions} executions of ${implementations.join(', ') || 'no implementation'}`,
        );
    }
    const ok = failed === undefined && !idle;
    return { implementations, executions, seconds, edges, ok };
}

try {
    const programs = targets.map((name) => `fuzz_${name}`);
    if (options.arm64) {
        cmake(folder, { POSELANE_FUZZ: 'ON', CMAKE_TOOLCHAIN_FILE: ARM64.toolchain }, programs);
        console.log('fuzz-native: built for arm64');
    } else {
        console.log(`fuzz-native: ${buildSanitized(programs, { byCalls: options['by-calls'] })}`);
    }
} catch (error) {
    console.error(`fuzz-native: ${error.message}`);
    process.exit(1);
}
let ok = true;
if (options.prove) {
    const missed = await missedFaults();
    console.log(
        `fuzz-native: faulty kernels: ${missed.length === 0 ? 'all found' : `NOT found: ${missed.join(', ')}`}`,
    );
    ok = missed.length === 0;
}
for (const target of targets) {
    const replayed = await replay(target);
    if (replayed === null) {
        ok = false;
        continue;
    }
    const wanted = options.runs === undefined ? null : Number(options.runs);
    const result = await fuzz(target, wanted);
    ok &&= result.ok;
    const edges = result.edges === null ? '' : `, ${result.edges} edges`;
    console.log(
        `fuzz-native: ${target}: ${replayed} known inputs, ${result.executions} executions in ` +
            `${result.seconds.toFixed(0)} s (${(result.executions / result.seconds).toFixed(0)}/s, ${jobs} processes)${edges}: ` +
            `${result.ok ? 'nothing found' : 'FAILED'} in ${result.implementations.join(', ')}`,
    );
}
process.exit(ok ? 0 : 1);
