// SPDX-License-Identifier: MIT

/**
 * npm run arm64: the addon for 64-bit ARM Linux, cross-compiled, checked and run by Node for arm64 under qemu-user. What it
 * does there is held against the same files as on x86-64: the golden bits of every routine and of the Rig from
 * strict/neon, strict/scalar and strict/typescript, from the addon also where another arithmetic is in force; the bytes of
 * bakes. Then the implementations are compared with each other on other cases (sweep.mjs).
 *
 * Needs Debian's g++-aarch64-linux-gnu, cmake and qemu-user, and the npm registry for Node itself (kept in build/tools/).
 * Says so where one of them is missing; with --required that is a failure.
 *
 * Options: --required; --addon file: this addon, e.g. a prebuild, in place of one that is compiled here; --quick: of
 * sweep.mjs the Rig alone, bakes by strict/neon alone, and no other arithmetic; --fuzz n: in place of all that, the fuzz
 * targets of native/fuzz with n random inputs each (arm64/fuzz.mjs).
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { findCommand, root, runNode, runOrThrow } from '../../scripts/lib.mjs';
import { fetchNode } from '../../scripts/release/tools.mjs';
import { fuzz } from './arm64/fuzz.mjs';
import bakes from './sweep/bakes.cjs';
import { goldenFaults, NODE_FLAGS, outputOf } from './sweep/emulated.mjs';
import other from './sweep/other-arithmetic.cjs';

const NODE_VERSION = '20';
const COMPILER = 'aarch64-linux-gnu-g++';
/** Where Debian keeps the libraries of the other architecture. */
const LIBRARIES = '/usr/aarch64-linux-gnu';

const TIERS = ['strict/neon', 'strict/scalar'];
const STRICT = [...TIERS, 'strict/typescript'];
/** Whatever of these is listed is there. */
const CONDITIONAL = /^(strict|fast|intel)\//;

const folder = path.join(root, 'build-arm64');
const otherArithmetic = path.join(folder, 'float_control.node');

const { values: options } = parseArgs({
    options: {
        required: { type: 'boolean', default: false },
        addon: { type: 'string' },
        quick: { type: 'boolean', default: false },
        fuzz: { type: 'string' },
    },
});

function skip(reason) {
    console.log(`arm64: not run, ${reason}`);
    process.exit(options.required ? 1 : 0);
}

/** @returns The folder that the package finds the addon in, when POSELANE_PREBUILD names it. */
function placeAddon(headers) {
    if (options.addon === undefined) return buildAddon(headers);
    const given = path.join(folder, 'given');
    fs.mkdirSync(path.join(given, 'build/Release'), { recursive: true });
    fs.copyFileSync(options.addon, path.join(given, 'build/Release/poselane.node'));
    return given;
}

function buildAddon(headers) {
    const build = path.join(folder, 'build');
    const addon = path.join(build, 'Release/poselane.node');
    const settings = {
        CMAKE_BUILD_TYPE: 'Release',
        CMAKE_SYSTEM_NAME: 'Linux',
        CMAKE_SYSTEM_PROCESSOR: 'aarch64',
        CMAKE_CXX_COMPILER: COMPILER,
        CMAKE_JS_INC: headers,
        CMAKE_LIBRARY_OUTPUT_DIRECTORY: path.dirname(addon),
    };
    runOrThrow('cmake', [
        '-S',
        root,
        '-B',
        build,
        ...Object.entries(settings).map(([key, value]) => `-D${key}=${value}`),
    ]);
    runOrThrow('cmake', ['--build', build, '--parallel', '2']);
    const { ok, output } = runNode(path.join(root, 'scripts/check/addon.mjs'), [addon, '--architecture', 'arm64']);
    process.stdout.write(output);
    if (!ok) throw new Error('the compiled objects have faults');
    return folder;
}

/** A program of Node's on the emulated machine, with the addon for it. */
function emulated(emulator, args, env = {}) {
    return outputOf([...emulator.command, ...args], { POSELANE_PREBUILD: emulator.addon, ...env });
}

/** @param expected The strict implementations that must have run, routines and Rig. */
async function reportFaults(emulator, expected, args) {
    const report = JSON.parse(await emulated(emulator, ['test/long/sweep/report.cjs', ...args]));
    const missing = expected.filter((name) => !report.names.includes(name)).map((name) => `${name} was not run`);
    return { report, faults: [...goldenFaults(report, expected), ...missing] };
}

async function checkGolden(emulator) {
    const { report, faults } = await reportFaults(emulator, STRICT, []);
    const available = report.available.filter((name) => CONDITIONAL.test(name)).sort();
    const expected = [...STRICT, 'intel/typescript'].sort();
    if (available.join() !== expected.join()) {
        faults.push(`has ${available.join(', ')}; expected ${expected.join(', ')}`);
    }
    return { faults, done: `golden bits of ${report.names.join(', ')}` };
}

async function checkOtherArithmetic(emulator) {
    const disturbed = TIERS.map((name) => `${name}, disturbed`);
    const { faults } = await reportFaults(emulator, disturbed, ['--other-arithmetic', otherArithmetic]);
    return { faults, done: `golden bits of ${TIERS.join(', ')} where another arithmetic is in force` };
}

/** The example, baked in every way: as here, and "everything" as in earlier releases. */
async function checkBakes(emulator) {
    const program = 'test/long/sweep/bakes.cjs';
    const here = JSON.parse(await outputOf([process.execPath, program]));
    const faults = [];
    const backends = options.quick ? ['strict/neon'] : STRICT;
    for (const backend of backends) {
        const there = JSON.parse(await emulated(emulator, [program], { POSELANE_BACKEND: backend }));
        if (there.poses !== backend) faults.push(`bakes: ${there.poses} evaluated poses, not ${backend}`);
        for (const [what, hash] of Object.entries(bakes.GOLDEN)) {
            if (there.golden[what] !== hash) faults.push(`bakes: ${backend} does not have the golden ${what}`);
        }
        for (const [recipe, hashes] of Object.entries(here.bakes)) {
            if (there.bakes[recipe] !== hashes) faults.push(`bakes: ${recipe}: ${backend} differs from ${here.poses}`);
        }
    }
    const count = Object.keys(here.bakes).length;
    return { faults, done: `${count} bakes of the example by ${backends.join(', ')}, as by ${here.poses} here` };
}

/** The command, out of its bundle, says what it runs on. */
async function checkCommand(emulator) {
    const text = await emulated(emulator, ['dist/cli/main.js', 'info']);
    const [, joints, poses] = /joint lists (\S+), poses (\S+)\n/.exec(text) ?? [];
    const faults = joints === 'strict/neon' && poses === joints ? [] : [`poselane info says: ${text}`];
    return { faults, done: `poselane info: joint lists ${joints}, poses ${poses}` };
}

async function checkSweep(emulator) {
    const text = await emulated(emulator, [
        'test/long/sweep.mjs',
        ...(options.quick ? ['--routine', 'Rig', '--beyond-golden'] : []),
    ]);
    const lines = options.quick ? /^Rig: .*/gm : /^(Rig|sweep): .*/gm;
    const faults = STRICT.filter((name) => !text.includes(name)).map((name) => `sweep: ${name} was not compared`);
    return { faults, done: (text.match(lines) ?? []).join('; ') };
}

async function check(what, emulator) {
    const start = performance.now();
    let result;
    try {
        result = await what(emulator);
    } catch (error) {
        result = { faults: [error.message], done: '' };
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    for (const fault of result.faults) console.error(`arm64: ${fault}`);
    console.log(`arm64: ${result.faults.length === 0 ? result.done : 'FAILED'} (${seconds} s)`);
    return result.faults.length;
}

if (process.platform === 'linux' && process.arch === 'arm64') {
    console.log('arm64: this is such a machine: npm test and npm run golden do it without an emulator');
    process.exit(0);
}
if (process.platform !== 'linux') skip('it needs Linux');
if (!findCommand([COMPILER])) skip(`${COMPILER} is not installed (Debian: g++-aarch64-linux-gnu)`);
if (!findCommand(['cmake'])) skip('cmake is not installed');
const qemu = findCommand(['qemu-aarch64-static', 'qemu-aarch64']);
if (qemu === undefined) skip('qemu-aarch64 is not installed (Debian: qemu-user)');

const start = performance.now();
try {
    if (options.fuzz !== undefined) {
        const runs = Number(options.fuzz);
        if (!(Number.isSafeInteger(runs) && runs > 0)) throw new Error('--fuzz: a number of inputs is needed');
        const ok = await fuzz({ emulator: [qemu, '-L', LIBRARIES], build: path.join(folder, 'fuzz'), runs });
        process.exit(ok ? 0 : 1);
    }
    const node = await fetchNode(NODE_VERSION, 'linux', 'arm64');
    const headers = path.join(path.dirname(node), '../include/node');
    const place = placeAddon(headers);
    runOrThrow(COMPILER, other.compilerOptions(headers, otherArithmetic), { input: other.SOURCE });
    const emulator = { command: [qemu, '-L', LIBRARIES, node, ...NODE_FLAGS], addon: place };
    console.log(`arm64: built (${((performance.now() - start) / 1000).toFixed(0)} s)`);
    // Two at a time.
    const waiting = [checkGolden, checkBakes, checkSweep, checkCommand];
    if (!options.quick) waiting.push(checkOtherArithmetic);
    let failed = 0;
    const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
            failed += await check(next, emulator);
        }
    };
    await Promise.all([work(), work()]);
    process.exit(failed === 0 ? 0 : 1);
} catch (error) {
    console.error(`arm64: ${error.message}`);
    process.exit(1);
}
