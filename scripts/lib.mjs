// SPDX-License-Identifier: MIT

/** What the scripts of this folder share. */

import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v8 from 'node:v8';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** No command needs half an hour: one that takes as long hangs. */
const LONGEST = 1_800_000;

/** As prebuilds are named. */
export const HOST = `${process.platform}-${process.arch}`;

const require = createRequire(import.meta.url);

/** The file behind a package's command, so that it can be run by this very Node without a shell. */
export function binary(packageName, command = packageName) {
    const manifest = require.resolve(`${packageName}/package.json`);
    const { bin } = require(manifest);
    return path.join(path.dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
}

/** Runs Node on a script in the repository's root; everything that it printed comes back as one text. */
export function runNode(script, args, env = {}) {
    const { status, error, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
        cwd: root,
        // node-gyp takes npm's log level for its own, and `npm run --silent` sets that to nothing.
        env: { ...process.env, npm_config_loglevel: 'notice', ...env },
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        timeout: LONGEST,
    });
    return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}` };
}

/** Runs a command to its end: { status, stdout, output }, the last of both streams in one; it never rejects. */
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
        // What a process that was killed has started may hold its streams open for ever.
        child.on('exit', (_, signal) => signal && [child.stdout, child.stderr].map((stream) => stream.destroy()));
        child.on('close', (status, signal) => resolve({ status: status ?? signal, stdout, output }));
    });
}

/**
 * Runs a command to its end in the repository's root; what it printed on stdout.
 *
 * @throws Error The command, and all that it printed.
 */
export function runOrThrow(command, args, { input = '', cwd = root } = {}) {
    const options = { cwd, input, encoding: 'utf8', maxBuffer: 1 << 28, timeout: LONGEST };
    const { status, error, stdout, stderr } = spawnSync(command, args, options);
    if (error) throw new Error(`${command}: ${error.message}`);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
    return stdout;
}

/** The first of these commands that is installed. */
export function findCommand(commands) {
    return commands.find(
        (command) => spawnSync(command, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0,
    );
}

/** Above Node's own headers, where they lie beside its executable; otherwise node-gyp would fetch them from nodejs.org. */
export function headersFolder() {
    if (process.env.npm_config_nodedir) return process.env.npm_config_nodedir;
    const prefix = path.resolve(path.dirname(process.execPath), '..');
    return fs.existsSync(path.join(prefix, 'include/node/node_api.h')) ? prefix : null;
}

/** What `measure` gives, kept in a file, if one is named: read from it where it is there already. */
export async function measuredOnce(file, measure) {
    if (file && fs.existsSync(file)) return v8.deserialize(fs.readFileSync(file));
    const measured = await measure();
    // NaN and what is missing stay what they are, unlike in JSON.
    if (file) fs.writeFileSync(file, v8.serialize(measured));
    return measured;
}
