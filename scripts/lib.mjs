// SPDX-License-Identifier: MIT

import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Half an hour. A command that takes longer hangs. */
const LONGEST = 1_800_000;

/** Name of this platform in prebuilds/. */
export const HOST = `${process.platform}-${process.arch}`;

const require = createRequire(import.meta.url);

/** The script of a package's command, which this Node can run without a shell. */
export function binary(packageName, command = packageName) {
    const manifest = require.resolve(`${packageName}/package.json`);
    const { bin } = require(manifest);
    return path.join(path.dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
}

/** Runs Node on a script in the repository's root. `output` is stdout and stderr. */
export function runNode(script, args, env = {}) {
    const { status, error, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
        cwd: root,
        // node-gyp uses npm's log level, and `npm run --silent` sets it to silent.
        env: { ...process.env, npm_config_loglevel: 'notice', ...env },
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        timeout: LONGEST,
    });
    return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}` };
}

/** Runs a command: `{ status, stdout, output }`. `output` is both streams. Never rejects. */
export function runCommand(command, args, { env = process.env, cwd = root, timeout = LONGEST } = {}) {
    return new Promise((resolve) => {
        const child = spawn(command, args, { cwd, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
        let [stdout, output] = ['', ''];
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding('utf8').on('data', (text) => {
                output += text;
                if (stream === child.stdout) stdout += text;
            });
        }
        child.on('error', (error) => resolve({ status: null, stdout, output: error.message }));
        // Children of a killed process may keep its streams open.
        child.on('exit', (_, signal) => signal && [child.stdout, child.stderr].map((stream) => stream.destroy()));
        child.on('close', (status, signal) => resolve({ status: status ?? signal, stdout, output }));
    });
}

/** @returns Stdout of a command. @throws Error The command, and its output. */
export function runOrThrow(command, args, { input = '', cwd = root, env = process.env } = {}) {
    // In English, because scripts search the output for words.
    const english = { ...env, LC_ALL: 'C' };
    const options = { cwd, input, env: english, encoding: 'utf8', maxBuffer: 1 << 28, timeout: LONGEST };
    const { status, error, stdout, stderr } = spawnSync(command, args, options);
    if (error) throw new Error(`${command}: ${error.message}`);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
    return stdout;
}

/** The first of these commands that is installed and whose `--version` matches `version`. */
export function findCommand(commands, version = /(?:)/) {
    return commands.find((command) => {
        const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8', timeout: 60_000 });
        return status === 0 && version.test(stdout);
    });
}

/** @param packageName In Debian, for the error where none of the commands is installed. */
export function requireCommand(commands, packageName) {
    const found = findCommand(commands);
    if (found === undefined) throw new Error(`${commands[0]} is not installed (Debian: ${packageName})`);
    return found;
}

/** Configures this project with CMake in a folder, and builds the targets, if any. */
export function cmake(folder, settings, targets = [], env = process.env) {
    const defined = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
    runOrThrow('cmake', ['-S', root, '-B', folder, ...defined], { env });
    const jobs = String(os.availableParallelism());
    if (targets.length > 0)
        runOrThrow('cmake', ['--build', folder, '--parallel', jobs, '--target', ...targets], { env });
}

/** Files below a folder that git tracks or does not ignore. */
export function listFiles(folder = root, ...patterns) {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns];
    const files = runOrThrow('git', args, { cwd: folder }).split('\0').filter(Boolean);
    return files.filter((file) => fs.existsSync(path.join(folder, file)));
}

/** All files below a folder. */
export function filesBelow(folder) {
    return fs
        .readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

/** Does the work for each item, `jobs` of them at a time. */
export async function forEachOf(items, jobs, work) {
    const waiting = [...items];
    const worker = async () => {
        while (waiting.length > 0) await work(waiting.shift());
    };
    await Promise.all(Array.from({ length: jobs }, worker));
}

/**
 * Runs a check, and prints its faults or its result, and the seconds.
 *
 * @param check Returns `{ faults, done }`. An error that it throws is a fault.
 * @returns The number of faults.
 */
export async function tryOut(name, check) {
    const start = performance.now();
    const { faults, done } = await check().catch(({ message }) => ({ faults: [message] }));
    for (const fault of faults) console.error(`${name}: ${fault}`);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name}: ${faults.length === 0 ? done : 'FAILED'} (${seconds} s)`);
    return faults.length;
}

/** `tryOut` with the result of `start`. If `start` throws, the check is skipped, which is a failure if it is required. */
export async function tryStarted(name, required, start, check) {
    let started;
    try {
        started = await start();
    } catch (error) {
        console.log(`${name}: ${required ? 'FAILED, ' : ''}skipped: ${error.message}`);
        return required ? 1 : 0;
    }
    return tryOut(name, () => check(started));
}

/** Prints the faults and the summary, and ends the process, with 1 if there are faults. */
export function endWith(faults, name, summary = `${faults.length} faults`) {
    for (const fault of faults) console.error(`${name}: ${fault}`);
    console.log(`${name}: ${summary}`);
    process.exit(faults.length === 0 ? 0 : 1);
}

/** The folder above Node's headers, if they are beside its executable. Without it node-gyp downloads them. */
export function headersFolder() {
    if (process.env.npm_config_nodedir) return process.env.npm_config_nodedir;
    const prefix = path.resolve(path.dirname(process.execPath), '..');
    return fs.existsSync(path.join(prefix, 'include/node/node_api.h')) ? prefix : null;
}
