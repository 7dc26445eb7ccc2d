// SPDX-License-Identifier: MIT

/**
 * Runtimes for an installed poselane: the command that runs a script, its option `noAddons` if it has one, and the platform of the addon.
 * `start` throws the reason if this machine cannot run it.
 */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { HOST, requireCommand, root, runCommand } from '../../lib.mjs';
import { fetchNode, fetchTool } from '../tools.mjs';
import { bunOnMusl } from './musl.mjs';

const EXE = process.platform === 'win32' ? '.exe' : '';

/** Names of the packages with the programs. `deno` and `bun` are scripts that choose one. */
const DENO = process.platform === 'linux' ? `${HOST}-glibc` : HOST;
const BUN = HOST.replace('win32', 'windows').replace('arm64', 'aarch64');

export const ARM64 = {
    toolchain: path.join(root, 'scripts/build/prebuild/toolchain-linux-arm64.cmake'),
    emulator() {
        const libraries = '/usr/aarch64-linux-gnu';
        if (!fs.existsSync(libraries)) throw new Error(`no ${libraries} (Debian: g++-aarch64-linux-gnu)`);
        return [requireCommand(['qemu-aarch64-static', 'qemu-aarch64'], 'qemu-user'), '-L', libraries];
    },
};

const node = (major) => ({
    name: `Node ${major}`,
    platform: HOST,
    start: async () => ({ command: [await fetchNode(major)], noAddons: '--no-addons' }),
});

const deno = {
    name: 'Deno',
    platform: HOST,
    start: async () => {
        const folder = await fetchTool(`@deno/${DENO}`, 'latest');
        return { command: [path.join(folder, `deno${EXE}`), 'run', '--allow-all'] };
    },
};

const bun = {
    name: 'Bun',
    platform: HOST,
    start: async () => ({ command: [path.join(await fetchTool(`@oven/bun-${BUN}`, 'latest'), `bin/bun${EXE}`)] }),
};

const musl = { name: 'Bun on musl', platform: 'linux-x64', start: bunOnMusl, quick: true };

const arm64 = {
    name: 'Node 20 on arm64 (qemu)',
    platform: 'linux-arm64',
    start: async () => ({ command: [...ARM64.emulator(), await fetchNode('20', 'linux', 'arm64')] }),
};

const windows = {
    name: 'Node 20 on Windows (Wine)',
    platform: 'win32-x64',
    start: async () => {
        const wine = requireCommand(['wine', 'wine64'], 'wine');
        const folder = path.join(root, 'build/tools/wine');
        const env = { ...process.env, WINEPREFIX: folder, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' };
        if (!fs.existsSync(path.join(folder, 'system.reg'))) {
            const { status, output } = await runCommand(wine, ['winecfg', '-v', 'win10'], { env });
            if (status !== 0) throw new Error(`winecfg: ${output.trim().split('\n').at(-1)}`);
        }
        const asSeen = (file) => `Z:${path.resolve(file).replaceAll('/', '\\')}`;
        return { command: [wine, await fetchNode('20', 'win32', 'x64')], env, asSeen };
    },
};

/** `quick`: one of each kind, for CI on Debian. */
export const RUNTIMES = [
    { ...node('20') },
    { ...node('22') },
    { ...node('24') },
    { ...node('26'), quick: true },
    { ...deno, quick: true },
    { ...bun, quick: true },
    musl,
    arm64, // CI does more with it: test/long/arm64.mjs
    windows,
];
