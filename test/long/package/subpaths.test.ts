// SPDX-License-Identifier: MIT

/** poselane/table, /three and /babylon as a user of the built package meets them. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runNode } from '../../support/processes';

const ROOT = join(__dirname, '../../..');
const SUBPATHS = ['table', 'three', 'three/webgpu', 'babylon'];

function printed(args: string[], cwd = ROOT): string {
    const { stdout, stderr } = runNode(args, { cwd });
    expect(stderr).toBe('');
    return stdout;
}

test.each(['', ...SUBPATHS])('poselane/%s: `import` has every export of `require`, the same objects', (subpath) => {
    const name = subpath === '' ? 'poselane' : `poselane/${subpath}`;
    const script = `
        import * as imported from '${name}';
        import { createRequire } from 'node:module';
        const require = createRequire(process.cwd() + '/x.js');
        const required = require('${name}');
        const names = Object.keys(required);
        const loaded = Object.keys(require.cache).filter((file) => /\\.node$|node_modules|papers/.test(file));
        console.log(JSON.stringify({ names, missing: names.filter((n) => imported[n] !== required[n]), loaded }));
    `;
    const { names, missing, loaded } = JSON.parse(printed(['--input-type=module', '-e', script]));
    expect(names.length).toBeGreaterThan(subpath === '' ? 10 : 0);
    expect(missing).toEqual([]);
    // Without the addon.
    if (subpath !== '') expect(loaded).toEqual([]);
});

test('the main entry has the same BakedTable', () => {
    const script = `console.log(require('poselane').BakedTable === require('poselane/table').BakedTable)`;
    expect(printed(['-e', script]).trim()).toBe('true');
});

test('the JSON Schema of manifests is where docs/format.md says', () => {
    const script = `console.log(require('poselane/manifest.schema.json').title)`;
    expect(printed(['-e', script]).trim()).toBe('poselane-bake manifest, version 1');
    expect(readFileSync(join(ROOT, 'docs/format.md'), 'utf8')).toContain("`require('poselane/manifest.schema.json')`");
});

const USER = `
import * as BABYLON from '@babylonjs/core';
import { type BakedAnimation, createBakedAnimation } from 'poselane/babylon';
import { BakedTable } from 'poselane/table';
import { createBakedCrowd } from 'poselane/three';
import { createBakedCrowd as createForWebGPU } from 'poselane/three/webgpu';
import * as THREE from 'three';
import * as WEBGPU from 'three/webgpu';

export function play(json: string, bin: ArrayBuffer, model: THREE.Object3D, other: BABYLON.Mesh): BakedAnimation {
    const table = BakedTable.open(json, bin);
    const crowd = createBakedCrowd(THREE, table, model, 3, { maxSize: 4096 });
    crowd.pose(0, Float64Array.of(0, 1, 2), { loop: 'wrap' });
    new THREE.Scene().add(crowd.group, createForWebGPU(WEBGPU, table, model, 3).group);
    // @ts-expect-error: no such array
    table.sample('colours', 0, Float64Array.of(0), new Float32Array(16));
    return createBakedAnimation(BABYLON, table, [other]);
}
`;

test.each(['node16', 'bundler'])('TypeScript finds the types (moduleResolution %s)', (moduleResolution) => {
    const folder = mkdtempSync(join(tmpdir(), 'poselane-types-'));
    try {
        mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
        symlinkSync(ROOT, join(folder, 'node_modules/poselane'));
        for (const name of ['three', '@babylonjs', '@types/three']) {
            symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
        }
        writeFileSync(join(folder, 'user.mts'), USER);
        const compilerOptions = {
            module: moduleResolution === 'node16' ? 'node16' : 'esnext',
            moduleResolution,
            target: 'es2022',
            lib: ['es2022', 'dom'],
            types: [],
            strict: true,
            noEmit: true,
            skipLibCheck: true,
        };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.mts'] }));
        const manifest = require.resolve('typescript/package.json');
        const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
        const { stdout, status } = runNode([join(dirname(manifest), bin.tsc), '-p', folder]);
        expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
});
