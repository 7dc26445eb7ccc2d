// SPDX-License-Identifier: MIT

/**
 * node scripts/release/install-tarball.mjs: packs poselane and installs the tarball into empty folders, by npm 11, npm 12, pnpm and Bun,
 * with only Node on the PATH. Nothing is compiled, the prebuilt addon loads with the golden bits, and the command bakes the example to its
 * golden bytes. Without the prebuilds, the fallback makes the same bytes.
 *
 * npm 11 is required. Other managers are skipped, with the reason, if they cannot run here.
 * Options: --tarball file (default: npm pack), --only npm@11,bun, --required (a skipped manager is a failure).
 */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { HOST, root, runCommand, tryStarted } from '../lib.mjs';
import { tarballOf } from './package.mjs';
import { RUNTIMES } from './runtimes/runtimes.mjs';
import { smoke } from './smoke/judge.mjs';
import { fetchNode, fetchTool, plainEnvironment } from './tools.mjs';

/** Keeps the warnings about scripts that npm did not run. */
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=warn'];

/** npm 12 needs a newer Node than poselane. */
const NEWER_NODE = '24';

const npm = (version, node) => async () => {
    const folder = await fetchTool('npm', version);
    return { command: [await node(), path.join(folder, 'bin/npm-cli.js')], install: ['install', ...QUIET] };
};

const MANAGERS = [
    { name: 'npm@11', required: true, start: npm('11', async () => process.execPath) },
    { name: 'npm@12', start: npm('12', () => fetchNode(NEWER_NODE)) },
    {
        name: 'pnpm',
        start: async () => {
            // The package `pnpm` is a script that starts this program.
            const folder = await fetchTool(`@pnpm/exe.${HOST}`, 'latest');
            const program = process.platform === 'win32' ? 'pnpm.exe' : 'pnpm';
            return { command: [path.join(folder, program)], install: ['add', '--prefer-offline'] };
        },
    },
    {
        name: 'bun',
        start: async () => {
            const { command } = await RUNTIMES.find(({ name }) => name === 'Bun').start();
            return { command, install: ['add'] };
        },
    },
];

const COMPILERS = ['cc', 'c++', 'gcc', 'g++', 'clang', 'clang++', 'cl', 'make', 'cmake', 'python3'];

/** An environment with only Node on the PATH; on Windows also the system folder. */
function bareEnvironment(folder) {
    const bin = path.join(folder, 'bin');
    fs.mkdirSync(bin);
    const { CXX: _, CC: __, ...environment } = { ...plainEnvironment(), npm_config_loglevel: 'error' };
    const systemFolders =
        process.platform === 'win32' ? [path.dirname(process.execPath), `${process.env.SystemRoot}\\System32`] : [];
    if (process.platform !== 'win32') {
        fs.symlinkSync(process.execPath, path.join(bin, 'node'));
        // npm starts commands of packages by sh.
        fs.symlinkSync('/bin/sh', path.join(bin, 'sh'));
    }
    const search = [bin, ...systemFolders];
    const there = COMPILERS.filter((name) => search.some((one) => fs.existsSync(path.join(one, name))));
    if (there.length > 0) throw new Error(`${there.join(', ')} on the PATH`);
    const path_ = Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
    return { ...environment, [path_]: search.join(path.delimiter), POSELANE_BACKEND: '' };
}

const golden = JSON.parse(fs.readFileSync(path.join(root, 'test/golden/character.json'), 'utf8'));
const sha256 = (file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex');

const commandOf = (folder) => [process.execPath, path.join(folder, 'node_modules/poselane/dist/cli/main.js')];

async function bakeByCommand(command, folder, env) {
    const out = path.join(folder, 'out');
    const model = path.join(root, 'examples/character.glb');
    const args = ['bake', model, '-o', out, '--fps', String(golden.fps), '--quiet'];
    const { status, output } = await runCommand(command[0], [...command.slice(1), ...args], { cwd: folder, env });
    if (status !== 0 || output !== '') return [`poselane bake ended with ${status} and said: ${output.slice(0, 500)}`];
    const hash = sha256(path.join(out, 'character.bake.bin'));
    fs.rmSync(out, { recursive: true });
    return hash === golden.sha256 ? [] : ['poselane bake made other bytes'];
}

async function faultsOfInstallation(folder, env, backend) {
    const installed = fs.realpathSync(path.join(folder, 'node_modules/poselane'));
    const { report, faults } = await smoke([process.execPath], installed, { backend, env });
    const addon = backend === 'native' ? `prebuilds/${HOST}/poselane.node` : null;
    if (report && report.addon !== addon) faults.push(`took ${report.addon}, not ${addon}`);
    faults.push(...(await bakeByCommand(commandOf(folder), folder, env)));
    return faults;
}

/** @param started The command of the manager, and its arguments to install. */
async function check({ name, required }, { command: [program, ...first], install }, tarball) {
    const outer = path.join(temporary, name);
    const folder = path.join(outer, 'project');
    fs.mkdirSync(folder, { recursive: true });
    const env = bareEnvironment(outer);
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "user", "private": true }\n');
    const version = await runCommand(program, [...first, '--version'], { env });
    const { status, output } = await runCommand(program, [...first, ...install, tarball], { cwd: folder, env });
    if (version.status !== 0) throw new Error(`--version ended with ${version.status}: ${version.output}`);
    if (status !== 0) throw new Error(`installing ended with ${status}: ${output.trim().slice(-1500)}`);
    const faults = [];
    const installed = fs.realpathSync(path.join(folder, 'node_modules/poselane'));
    if (fs.existsSync(path.join(installed, 'build'))) faults.push('something was built');
    // npm 12, pnpm and Bun report packages whose scripts they did not run.
    if (/poselane.*script|script.*poselane|node-gyp/i.test(output)) faults.push(`warns of scripts: ${output.trim()}`);
    faults.push(...(await faultsOfInstallation(folder, env, 'native')));
    if (required) {
        const npx = [program, ...first, 'exec', '--no', '--', 'poselane'];
        faults.push(...(await bakeByCommand(npx, folder, env)).map((fault) => `npx: ${fault}`));
    }
    fs.rmSync(path.join(installed, 'prebuilds'), { recursive: true });
    const without = await faultsOfInstallation(folder, env, 'wasm');
    faults.push(...without.map((fault) => `without the prebuild: ${fault}`));
    const done = 'installed without a compiler; native, and the fallback has the same bytes';
    return { faults, done: `${version.output.trim()} ${done}` };
}

const { values: options } = parseArgs({
    options: {
        tarball: { type: 'string' },
        only: { type: 'string' },
        required: { type: 'boolean', default: false },
    },
});
const only = options.only?.split(',');
const chosen = MANAGERS.filter(({ name }) => only === undefined || only.includes(name));
if (chosen.length === 0) throw new Error(`--only: there are ${MANAGERS.map(({ name }) => name).join(', ')}`);
const tarball = await tarballOf(options.tarball);
// Outside this folder, so that its node_modules is not found.
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-install-'));
try {
    const counts = await Promise.all(
        chosen.map((manager) => {
            const required = manager.required || options.required;
            const checkStarted = (started) => check(manager, started, tarball);
            return tryStarted(manager.name, required, manager.start, checkStarted);
        }),
    );
    process.exitCode = counts.every((count) => count === 0) ? 0 : 1;
} finally {
    fs.rmSync(temporary, { recursive: true, force: true });
}
