// SPDX-License-Identifier: MIT

/** The npm package as a tarball, and unpacked as if installed. */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { root, runCommand } from '../lib.mjs';
import { npmCommand, plainEnvironment } from './tools.mjs';

const FOLDER = path.join(root, 'build/package');

/** The named tarball, or a new one by `npm pack`, which builds first. */
export async function tarballOf(named) {
    if (named !== undefined) return path.resolve(named);
    fs.mkdirSync(FOLDER, { recursive: true });
    const [command, ...npm] = npmCommand();
    const args = [...npm, 'pack', '--silent', '--pack-destination', FOLDER];
    const { status, output } = await runCommand(command, args, { env: plainEnvironment() });
    if (status !== 0) throw new Error(`npm pack: ${output}`);
    const { name, version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    return path.join(FOLDER, `${name}-${version}.tgz`);
}

/** Unpacks a tarball, and returns the folder of the package. */
export function unpack(tarball, into) {
    fs.mkdirSync(into, { recursive: true });
    // A relative path, because GNU tar takes C: for another machine.
    const { status, error, stderr } = spawnSync('tar', ['-xzf', path.basename(tarball), '-C', path.resolve(into)], {
        cwd: path.dirname(tarball),
        encoding: 'utf8',
    });
    if (error || status !== 0) throw new Error(`tar: ${error?.message ?? stderr}`);
    return path.join(into, 'package');
}

/** Unpacks the package below build/ with the dependencies of this clone, and returns its folder. */
export function unpackedAsInstalled(tarball, name) {
    const folder = path.join(FOLDER, name);
    fs.rmSync(folder, { recursive: true, force: true });
    const modules = path.join(folder, 'node_modules');
    fs.mkdirSync(modules, { recursive: true });
    // Otherwise this clone's package.json is the nearest, and `poselane` resolves to it.
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "user", "private": true }\n');
    fs.renameSync(unpack(tarball, folder), path.join(modules, 'poselane'));
    for (const dependency of fs.readdirSync(path.join(root, 'node_modules'))) {
        if (dependency.startsWith('.')) continue;
        const target = fs.realpathSync(path.join(root, 'node_modules', dependency));
        fs.symlinkSync(target, path.join(modules, dependency), process.platform === 'win32' ? 'junction' : 'dir');
    }
    return path.join(modules, 'poselane');
}
