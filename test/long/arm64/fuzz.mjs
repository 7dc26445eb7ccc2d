// SPDX-License-Identifier: MIT

/**
 * The fuzz targets of native/fuzz for 64-bit ARM under qemu-aarch64: what was found before, and random inputs, since
 * the cross-compiler has no libFuzzer. strict/neon must have the bits of strict/scalar, and be as right as it claims.
 * First a kernel that gives one wrong bit has to be found.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { grouped } from '../../../scripts/docs/reliability.mjs';
import { root, runCommand, runOrThrow } from '../../../scripts/lib.mjs';

const TARGETS = ['kernels', 'rig'];
const TOOLCHAIN = path.join(root, 'scripts/build/prebuild/toolchain-linux-arm64.cmake');
/** An emulated run of millions takes hours. */
const TIMEOUT = 24 * 3_600_000;

function buildTargets(build) {
    runOrThrow('cmake', ['-S', root, '-B', build, '-DPOSELANE_FUZZ=ON', `-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}`]);
    const targets = [...TARGETS, 'kernels_wrong'].map((name) => `fuzz_${name}`);
    runOrThrow('cmake', ['--build', build, '--parallel', '2', '--target', ...targets]);
}

function knownInputs(target) {
    const folder = path.join(root, 'native/fuzz/regressions', target);
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
}

/**
 * @param emulator The command that runs a program for ARM.
 * @param runs Random inputs for each target.
 * @returns Whether nothing was found.
 */
export async function fuzz({ emulator: [command, ...first], build, runs }) {
    buildTargets(build);
    const seed = String(Date.now() % 1_000_000_000);
    const start = (target, args, env = {}) =>
        runCommand(command, [...first, path.join(build, `fuzz_${target}`), '--seed', seed, ...args], {
            env: { ...process.env, ...env },
            timeout: TIMEOUT,
        });

    const wrong = await start('kernels_wrong', ['--runs', '20000'], { POSELANE_FUZZ_WRONG: 'bit' });
    const proved = wrong.status !== 0 && /strict\/wrong (and \S+ )?differ in float/.test(wrong.output);
    if (!proved) console.error(`arm64: a wrong bit was not found (${wrong.status}): ${wrong.output.slice(-500)}`);

    const fuzzed = await Promise.all(
        TARGETS.map(async (target) => {
            const files = knownInputs(target);
            const before = performance.now();
            const { status, output } = await start(target, ['--runs', String(runs), ...files]);
            const seconds = (performance.now() - before) / 1000;
            const ok =
                status === 0 &&
                output.includes(`${files.length} files and ${runs} random inputs, nothing found`) &&
                /^implementations: .*strict\/neon/m.test(output);
            const inputs = `${files.length} known inputs and ${grouped(runs)} random ones (seed ${seed})`;
            const ended = ok ? `nothing found, ${grouped(runs / seconds)} inputs a second` : `FAILED (${status})`;
            console.log(`arm64: fuzz_${target}: ${inputs}, ${seconds.toFixed(0)} s: ${ended}`);
            // What it found comes last; the files that went before are named as well.
            if (!ok) console.error(output.trim().split('\n').slice(-10).join('\n'));
            return ok;
        }),
    );
    return proved && fuzzed.every(Boolean);
}
