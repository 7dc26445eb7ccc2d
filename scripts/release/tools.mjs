// SPDX-License-Identifier: MIT

/** Programs of the npm registry (Node's versions, package managers, …), each in a folder of its own below build/tools. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root, runCommand } from '../lib.mjs';

/** npm's own script, run by this Node: no shell in between, and the same on Windows. */
export function npmCommand() {
    const beside = path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');
    const shared = path.join(path.dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
    const given = process.env.npm_execpath;
    const script = [given?.endsWith('npm-cli.js') ? given : '', beside, shared].find((file) => fs.existsSync(file));
    return script ? [process.execPath, script] : ['npm'];
}

/** The environment less what an outer npm has put there for its own package. */
export function plainEnvironment() {
    const kept = Object.entries(process.env).filter(
        ([name]) => !/^npm_(lifecycle|package|execpath|command)/i.test(name),
    );
    return Object.fromEntries(kept);
}

const WEEK = 7 * 24 * 3600 * 1000;

/**
 * Installs a package without its scripts, unless it is there; the folder of the package. A version that is not a whole one,
 * such as `latest`, is asked for again after a week; where nobody answers, what is there stays.
 *
 * @param target `{ os, cpu, libc }` of the machine that it is for, where that is not this one.
 * @param others What is installed beside it, `name@version` each.
 * @throws Error What the registry, or npm, said.
 */
export async function fetchTool(name, version, target = {}, others = []) {
    const folder = path.join(root, 'build/tools', `${name.replace(/\W+/g, '-')}-${version}`);
    const installed = path.join(folder, 'node_modules', name);
    const finished = path.join(folder, 'installed');
    const age = fs.existsSync(finished) ? Date.now() - fs.statSync(finished).mtimeMs : Infinity;
    const moves = !/^\d+\.\d+\.\d+/.test(version);
    if (age < (moves ? WEEK : Infinity)) return installed;
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
    const [command, ...npm] = npmCommand();
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    if (!moves) flags.push('--prefer-offline');
    const foreign = Object.entries(target).map(([key, value]) => `--${key}=${value}`);
    if (foreign.length > 0) foreign.push('--force');
    const args = [...npm, 'install', ...flags, ...foreign, `${name}@${version}`, ...others];
    const { status, output } = await runCommand(command, args, { cwd: folder, env: plainEnvironment() });
    if (status !== 0 && age < Infinity) return installed;
    if (status !== 0)
        throw new Error(`npm install ${name}@${version}: ${output.trim().split('\n').slice(0, 3).join('; ')}`);
    fs.writeFileSync(finished, '');
    return installed;
}

/** The executable of a Node of the registry. */
export async function fetchNode(version, platform = process.platform, arch = process.arch) {
    const system = platform === 'win32' ? 'win' : platform;
    const target = platform === process.platform && arch === process.arch ? {} : { os: platform, cpu: arch };
    const folder = await fetchTool(`node-${system}-${arch}`, version, target);
    return path.join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}
