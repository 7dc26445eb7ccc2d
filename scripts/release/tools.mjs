// SPDX-License-Identifier: MIT

/** Programs of the npm registry (versions of Node, package managers, …), each in its own folder of build/tools. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { root, runCommand } from '../lib.mjs';

/** npm's script, run by this Node without a shell. */
export function npmCommand() {
    const beside = path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');
    const shared = path.join(path.dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
    const given = process.env.npm_execpath;
    const script = [given?.endsWith('npm-cli.js') ? given : '', beside, shared].find((file) => fs.existsSync(file));
    return script ? [process.execPath, script] : ['npm'];
}

/** The environment without the variables of an outer npm. */
export function plainEnvironment() {
    const kept = Object.entries(process.env).filter(
        ([name]) => !/^npm_(lifecycle|package|execpath|command)/i.test(name),
    );
    return Object.fromEntries(kept);
}

const WEEK = 7 * 24 * 3600 * 1000;

/**
 * Installs a package without its scripts, and returns its folder. A version such as `latest` is installed again after a week; if that
 * fails, the old one stays.
 *
 * @param target `{ os, cpu, libc }` of another machine.
 * @param others Packages to install beside it, each `name@version`.
 * @throws Error The message of the registry or of npm.
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

/** The executable of a Node from the registry. */
export async function fetchNode(version, platform = process.platform, arch = process.arch) {
    const system = platform === 'win32' ? 'win' : platform;
    const target = platform === process.platform && arch === process.arch ? {} : { os: platform, cpu: arch };
    const folder = await fetchTool(`node-${system}-${arch}`, version, target);
    return path.join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}
