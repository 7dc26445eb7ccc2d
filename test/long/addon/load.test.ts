// SPDX-License-Identifier: MIT

/** An addon of another package or version is not used. The fallback runs, and gives the reason. */

import { copyFileSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { itNative } from '../../support/implementations';
import { runNode } from '../../support/processes';
import { scratchFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '../../..');
const { version } = require('../../../package.json') as { version: string };
const { resolve: ownAddon } = require('node-gyp-build') as { resolve(folder: string): string };
const folder = scratchFolder();

/** An addon of another package: swc's. */
function otherAddon(): string {
    const packages = join(ROOT, 'node_modules/@swc');
    const files = readdirSync(packages).flatMap((name) =>
        readdirSync(join(packages, name)).map((file) => join(name, file)),
    );
    return join(packages, files.find((file) => file.endsWith('.node'))!);
}

function copyTo(addon: string, file: string): void {
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(addon, file);
}

/** Backend and error of the package in its own process, where it must work in any case. */
function load(file: string, prebuild = ''): { backend: string; error: { code: string; message: string } | null } {
    const program = `
        const { backend, nativeLoadError: error, slerpJoints } = require(${JSON.stringify(file)});
        slerpJoints(new Float32Array(8), new Float32Array(8), 0.5);
        console.log(JSON.stringify({ backend, error: error && { code: error.code, message: error.message } }));`;
    const env = { ...process.env, POSELANE_BACKEND: '', ...(prebuild === '' ? {} : { POSELANE_PREBUILD: prebuild }) };
    const { stdout, stderr } = runNode(['-e', program], { cwd: ROOT, env });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
}

/** This build under another name or version. */
function packageOf(name: string, itsVersion: string): string {
    const root = join(folder(), `${name}-${itsVersion}`);
    cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
    writeFileSync(join(root, 'package.json'), JSON.stringify({ name, version: itsVersion }));
    copyTo(ownAddon(ROOT), join(root, 'build/Release/poselane.node'));
    return join(root, 'dist/index.js');
}

const UNAVAILABLE = 'ERR_NATIVE_UNAVAILABLE';

itNative('poselane of the same version', () => {
    expect(load(packageOf('poselane', version))).toEqual({ backend: 'native', error: null });
});

itNative('poselane of another version', () => {
    const { backend, error } = load(packageOf('poselane', '9.8.7'));
    expect([backend, error?.code]).toEqual(['wasm', UNAVAILABLE]);
    expect(error?.message).toContain(`is not the addon of poselane 9.8.7, but ${version}`);
});

test('a bundle in a package that has its own addon', () => {
    const app = join(folder(), 'app');
    const outfile = join(app, 'dist/server/index.cjs');
    const entry = join(ROOT, 'dist/index.js');
    buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
    writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', version }));
    copyTo(otherAddon(), join(app, 'build/Release/other.node'));
    const { backend, error } = load(outfile);
    expect([backend, error?.code]).toEqual(['wasm', UNAVAILABLE]);
    expect(error?.message).toContain('is not the folder of poselane, which bundlers have to leave external');
});

test.each(['other.node', 'poselane.node'])("another package's addon by the name of %s", (name) => {
    const elsewhere = join(folder(), `by-${name}`);
    copyTo(otherAddon(), join(elsewhere, 'build/Release', name));
    const { backend, error } = load(join(ROOT, 'dist/index.js'), elsewhere);
    expect([backend, error?.code]).toEqual(['wasm', UNAVAILABLE]);
    expect(error?.message).toContain(`${name} is not the addon of poselane ${version}, but another`);
});
