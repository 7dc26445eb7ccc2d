// SPDX-License-Identifier: MIT

/**
 * npm run check:package [-- --tarball file]: checks the packed tarball as a user has it.
 *
 * - publint and @arethetypeswrong/cli find nothing.
 * - Programs that use every entry point compile with skipLibCheck off: `import` and `require`, for Node, bundlers and browsers, and by an
 *   older TypeScript that reads only `main` and `types`.
 * - Bundles by esbuild run as docs/install.md says.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { binary, endWith, root, runCommand } from '../lib.mjs';
import { tarballOf, unpackedAsInstalled } from '../release/package.mjs';

const require = createRequire(import.meta.url);

const USER = `
import * as BABYLON from '@babylonjs/core';
import * as THREE from 'three';
import { createBakedAnimation } from 'poselane/babylon';
import { BakedTable } from 'poselane/table';
import { createBakedCrowd } from 'poselane/three';
import { createBakedCrowd as createForWebGPU } from 'poselane/three/webgpu';
import * as WEBGPU from 'three/webgpu';

export function play(json: string, bin: ArrayBuffer, model: THREE.Object3D, other: BABYLON.Mesh): void {
    const table = BakedTable.open(json, bin);
    createBakedCrowd(THREE, table, model, 3);
    createForWebGPU(WEBGPU, table, model, 3);
    createBakedAnimation(BABYLON, table, [other]);
}
`;

const NODE_USER = `
import { bakeFile, BakedTable as SameTable, Rig, slerpJoints, type BakeResult, type Poses } from 'poselane';
import { bakeFile as sameBakeFile } from 'poselane/bake';
import { BakedTable } from 'poselane/table';

export async function use(file: string): Promise<Poses> {
    slerpJoints(new Float32Array(8), new Float32Array(8), 0.5);
    const { outputs }: BakeResult = await bakeFile(file, { fps: 60 });
    const [same, sameBake]: [typeof BakedTable, typeof bakeFile] = [SameTable, sameBakeFile];
    await sameBake({ bytes: new Uint8Array(8), name: file });
    same.open(JSON.stringify(outputs[0]!.manifest), outputs[0]!.bin);
    // @ts-expect-error: the baker has no such option
    await bakeFile(file, { framesPerSecond: 60 });
    return (await Rig.load(file)).createPoses(2);
}
`;

/** test/types on the packed declarations, without the part for browsers. */
const API = fs
    .readFileSync(path.join(root, 'test/types/api.types.ts'), 'utf8')
    .replace("'../../lib';", "'poselane';")
    .replace("'../../lib/format/manifest.schema.json'", "'poselane/manifest.schema.json'")
    .replace(/import \* as browser.*/g, '')
    .replace(/\/\*\*[^/]*\*\/\s*export function browsers[\s\S]*$/, '');

/** A program for browsers: the main entry has the kernels and the Rig, poselane/bake has the baker. */
const BROWSER_USER = `
import { compiledModule, Rig, ready, slerpJoints, useModule } from 'poselane';
import { bakeFile } from 'poselane/bake';
import { BakedTable } from 'poselane/table';
import { Rig as TypescriptRig } from 'poselane/typescript';
slerpJoints(new Float32Array(8), new Float32Array(8), 0.5);
await ready();
useModule(compiledModule()!);
export const found = [Rig, BakedTable, TypescriptRig, bakeFile({ bytes: new ArrayBuffer(8), name: 'hero.glb' })];
`;

/** TypeScript 5.6, a dependency of @arethetypeswrong/cli. TypeScript 7 has no `node10`. */
const olderTypescript = require.resolve('typescript/lib/tsc.js', {
    paths: [path.join(root, 'node_modules/@arethetypeswrong/core')],
});
const typescript = binary('typescript', 'tsc');

const NODE16 = { module: 'node16', moduleResolution: 'node16' };
const PROJECTS = [
    { name: 'node16, import, with three.js and Babylon', file: 'user.mts', text: USER, options: NODE16 },
    { name: 'node16, import', file: 'user.mts', text: NODE_USER, options: NODE16 },
    {
        name: 'node16, import, the test of the types',
        file: 'user.mts',
        text: API,
        options: { ...NODE16, resolveJsonModule: true },
    },
    { name: 'node16, require', file: 'user.cts', text: NODE_USER, options: NODE16 },
    { name: 'bundler', file: 'user.ts', text: NODE_USER, options: { module: 'esnext', moduleResolution: 'bundler' } },
    {
        name: 'bundler, browser',
        file: 'user.ts',
        text: BROWSER_USER,
        options: { module: 'esnext', moduleResolution: 'bundler', customConditions: ['browser'] },
    },
    {
        name: 'node16, import, TypeScript 5.6',
        file: 'user.mts',
        text: NODE_USER,
        tsc: olderTypescript,
        options: NODE16,
    },
    {
        name: 'node10, TypeScript 5.6',
        file: 'user.ts',
        text: NODE_USER,
        tsc: olderTypescript,
        options: { module: 'commonjs', moduleResolution: 'node10' },
    },
];

const faults = [];

async function checkTypes(folder, { name, file, text, tsc = typescript, options }, number) {
    const source = path.join(folder, file.replace('user', `user${number}`));
    fs.writeFileSync(source, text);
    const config = path.join(folder, `tsconfig.${number}.json`);
    const compilerOptions = {
        target: 'es2022',
        lib: ['es2022', 'dom', 'esnext.disposable'],
        types: ['node'],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        ...options,
    };
    fs.writeFileSync(config, JSON.stringify({ compilerOptions, files: [path.basename(source)] }));
    const { status, output } = await runCommand(process.execPath, [tsc, '-p', config], { cwd: folder });
    // Faults in declarations of other packages do not count.
    const lines = output.split('\n').filter((line) => /error TS/.test(line));
    const ours = lines.filter((line) => !/node_modules\/(?!poselane\/)/.test(line));
    for (const line of ours.slice(0, 10)) faults.push(`types (${name}): ${line}`);
    const theirs = lines.length - ours.length;
    console.log(`types (${name}): ${ours.length} faults${theirs > 0 ? `, and ${theirs} of other packages` : ''}`);
    if (status !== 0 && lines.length === 0) faults.push(`types (${name}): tsc ended with ${status}: ${output}`);
}

async function checkBundle(folder, name, { text = `console.log(require('poselane').backend)`, expected, ...options }) {
    const outfile = path.join(folder, `bundle-${name}.cjs`);
    await build({
        stdin: { contents: text, resolveDir: folder, sourcefile: 'user.cjs' },
        outfile,
        bundle: true,
        logLevel: 'silent',
        platform: 'node',
        ...options,
    });
    const env = { ...process.env, POSELANE_BACKEND: '' };
    const { output } = await runCommand(process.execPath, [outfile], { cwd: folder, env });
    if (output.trim() !== expected) faults.push(`esbuild (${name}): prints ${output.trim()}, not ${expected}`);
    else console.log(`esbuild (${name}): ${expected}`);
}

async function checkBundles(folder) {
    await checkBundle(folder, 'all in one', { expected: 'wasm' });
    await checkBundle(folder, 'external', { external: ['poselane'], expected: 'native' });
    await checkBundle(folder, 'packages external', { packages: 'external', expected: 'native' });
    const text = `
        import { backend, ready, slerpJoints } from 'poselane';
        const pose = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0);
        slerpJoints(pose, Float32Array.of(0, 0, 0, 1, 2, 4, 6, 0), 0.5);
        const long = new Float32Array(80);
        slerpJoints(long, long, 0.5);
        ready().then((now) => console.log(backend === now, now, pose.join(' ')));`;
    await checkBundle(folder, 'for browsers', { text, platform: 'browser', expected: 'true wasm 0 0 0 1 1 2 3 0' });
}

const { values: options } = parseArgs({ options: { tarball: { type: 'string' } } });
const tarball = await tarballOf(options.tarball);
const folder = path.join(unpackedAsInstalled(tarball, 'user'), '../..');

const attwOptions = ['--format', 'ascii', '--no-emoji', '--exclude-entrypoints', 'manifest.schema.json'];
const attw = [binary('@arethetypeswrong/cli', 'attw'), tarball, ...attwOptions];
const [linted, resolved] = await Promise.all([
    publint({ pack: { tarball: new Uint8Array(fs.readFileSync(tarball)).buffer }, strict: true }),
    runCommand(process.execPath, attw),
    ...PROJECTS.map((project, number) => checkTypes(folder, project, number)),
    checkBundles(folder),
]);
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'node_modules/poselane/package.json'), 'utf8'));
for (const message of linted.messages) faults.push(`publint: ${formatMessage(message, manifest, { color: false })}`);
console.log(`publint: ${linted.messages.length} messages`);
if (resolved.status !== 0) faults.push(`attw: ${resolved.output}`);
else console.log('attw: nothing found');

endWith(faults, 'package', `${path.relative(root, tarball)}: ${faults.length} faults`);
