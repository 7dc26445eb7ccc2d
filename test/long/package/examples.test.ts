// SPDX-License-Identifier: MIT

/** Every `@example` of lib/ compiles against the types of the package, as strictly as the package itself. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as node from '../../../lib';
import * as babylon from '../../../lib/babylon';
import * as browser from '../../../lib/browser';
import * as bake from '../../../lib/browser/bake';
import * as three from '../../../lib/three';
import { runNode } from '../../support/processes';

const root = join(__dirname, '../../..');
const lib = join(root, 'lib');
const entries: Readonly<Record<string, object>> = { node, browser, bake, three, babylon };

/** Declarations that the examples assume. */
const GIVEN = `
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import * as BABYLON from '@babylonjs/core';
import * as THREE from 'three';
import * as node from 'LIB/index.js';
import * as browser from 'LIB/browser/index.js';
import * as bake from 'LIB/browser/bake/index.js';
import * as three from 'LIB/three/index.js';
import * as babylon from 'LIB/babylon/index.js';
declare const bytes: ArrayBuffer, parts: node.RigParts, worker: Worker, capsules: node.Capsules;
declare const rig: node.Rig, poses: node.Poses, otherPoses: node.Poses, table: node.BakedTable;
declare const times: Float64Array, pose: Float32Array, otherPose: Float32Array, nextPose: Float32Array, wave: Float32Array;
declare const walk: Float32Array, upperBody: Float32Array, mats: Float32Array, palette: Float32Array, out: Float32Array;
declare const inverseBindMats: Float32Array, between: Float32Array, before: Float32Array, after: Float32Array;
declare const scene: THREE.Scene, gltf: import('three/addons/loaders/GLTFLoader.js').GLTF;
declare const babylonScene: BABYLON.Scene, ankles: Float32Array, targets: Float32Array, time: number;
declare function playSound(): void;
`;

const examples = (readdirSync(lib, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .flatMap((file) => {
        const blocks = readFileSync(join(lib, file), 'utf8').matchAll(/ \* @example\n((?: +\*(?!\/| @).*\n)+)/g);
        return [...blocks].map(([, text]) => ({ file, code: text!.replace(/^ +\* ?(```.*)?/gm, '') }));
    });

test('the examples of the documentation compile', () => {
    expect(examples.length).toBeGreaterThan(40);
    const folder = mkdtempSync(join(root, 'build/examples-'));
    const sources = examples.map(({ file, code }, i) => {
        const folder = file.startsWith('browser/bake/')
            ? 'bake'
            : file.replace('typescript/', 'browser/').split('/')[0]!;
        const entry = folder !== 'bake' || file.startsWith('browser/') ? folder : 'node';
        const exports = entries[entry] ?? node;
        const names = Object.keys(exports).filter((name) => name !== 'default');
        return `export async function example${i}() {\nconst { ${names} } = ${entry in entries ? entry : 'node'};\n{ // ${file}\n${code}}\n}\n`;
    });
    try {
        writeFileSync(join(folder, 'examples.mts'), GIVEN.replaceAll('LIB', '../../lib') + sources.join('\n'));
        const options = { noEmit: true, rootDir: root, lib: ['es2023', 'dom'], noUnusedLocals: false };
        const config = { extends: '../../tsconfig.json', compilerOptions: options, include: ['examples.mts'] };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
        const tsc = join(root, 'node_modules/typescript/bin/tsc');
        expect(runNode([tsc, '-p', folder], { cwd: root }).stdout).toBe('');
    } finally {
        rmSync(folder, { recursive: true });
    }
});
