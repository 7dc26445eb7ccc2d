// SPDX-License-Identifier: MIT

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeRigs } from '../../lib/rig/native';
import { BACKENDS, type Backend, type BakedFiles, bakeFilesOn, withoutAddon } from '../support/baked';
import { CHARACTER } from '../support/models';

/** Every kind of array, layout, number and space, and what else decides bytes. */
const RECIPES: readonly (readonly [name: string, options: object])[] = [
    ['palette', {}],
    ['palette, mat3x4', { layout: 'mat3x4' }],
    ['palette, f16', { dtype: 'f16', maxError: 1 }],
    ['palette, mat3x4, f16, skin-root', { layout: 'mat3x4', dtype: 'f16', maxError: 1, space: 'skin-root' }],
    ['hit', { emit: ['hit'] }],
    ['hit, some joints, skin-root', { emit: ['hit'], hitJoints: 'l', space: 'skin-root' }],
    ['local', { emit: ['local'] }],
    ['morph', { emit: ['palette', 'morph'] }],
    ['bounds', { emit: ['bounds'] }],
    ['bounds, skin-root', { emit: ['bounds'], space: 'skin-root' }],
    ['root', { emit: ['root'] }],
    ['everything', { emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root'], fps: 24 }],
    ['a rate that was found', { fps: 'auto', maxError: 1 }],
    ['a rate that was made to fit', { fps: 29.97, end: 'fit' }],
    ['a part of the clips', { fps: '24000/1001', from: 0.1, to: 0.63 }],
    ['renormalized', { renormalize: true }],
];

/**
 * What "everything" has been baked to since `strict@1`, of the bin and of the manifest with all but the messages of its warnings.
 * A difference is a breaking change for whoever stores or compares bakes. Where it is meant (another kernel, or an addition to
 * the manifest), the test prints the new hashes: put them here and say in the notes of the release that bakes differ;
 * other bits of poses need another KERNEL_VERSION as well.
 */
const GOLDEN = {
    kernel: 'strict@1',
    bin: '292cc61665878719504c468d17bb0a1b0f0d9234763f0d4d635957747f09c2c2',
    manifest: '18718f8a114924ebba4b7178bfcef7441125e5729f99ddf44532762e4bc6f79a',
};

const tiers = nativeRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name as Backend);
const others = [...tiers, ...BACKENDS].filter((backend) => backend !== 'ts');

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const hashed = (outputs: readonly BakedFiles[]) =>
    outputs.map(({ stem, json, bin }) => ({ stem, json: sha256(json), bin: sha256(bin) }));

test('there are instruction sets to compare, where there is an addon', () => {
    if (withoutAddon() === null) expect(others).toEqual(expect.arrayContaining(['native', 'strict/scalar']));
});

test.each(RECIPES)('%s: the same bytes on every instruction set and the fallback', async (_, options) => {
    const reference = await bakeFilesOn('ts', CHARACTER.path, options);
    expect(reference).toHaveLength(1);
    for (const backend of others) {
        const baked = await bakeFilesOn(backend, CHARACTER.path, options);
        expect([backend, hashed(baked)]).toEqual([backend, hashed(reference)]);
        expect(baked[0]!.json).toBe(reference[0]!.json);
    }
});

test('the recipes are no two alike', async () => {
    const bins = new Set<string>();
    for (const [, options] of RECIPES) bins.add((await bakeFilesOn(BACKENDS[0]!, CHARACTER.path, options))[0]!.json);
    expect(bins.size).toBe(RECIPES.length);
});

test.each(BACKENDS)('the example is baked to the bytes of earlier releases (%s)', async (backend) => {
    const [, options] = RECIPES.find(([name]) => name === 'everything')!;
    const [{ json, bin }] = (await bakeFilesOn(backend, CHARACTER.path, options)) as [BakedFiles];
    const manifest = JSON.parse(json);
    for (const warning of manifest.warnings) delete warning.message;
    expect({
        kernel: manifest.recipe.kernel,
        bin: sha256(bin),
        manifest: sha256(JSON.stringify(manifest)),
    }).toEqual(GOLDEN);
});

describe('the command', () => {
    const MAIN = join(__dirname, '../../dist/cli/main.js');
    const ALL = ['--emit', 'palette,hit,local,morph,bounds,root', '--space', 'skin-root', '--layout', 'mat3x4'];
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), 'poselane-same-'));
        mkdirSync(join(folder, 'in'));
        for (let i = 0; i < 4; i++) copyFileSync(CHARACTER.path, join(folder, `in/c${i}.glb`));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    function bake(out: string, backend: Backend, ...options: string[]): void {
        const argv = [MAIN, 'bake', 'in/*.glb', '-o', out, ...ALL, ...options];
        const env = { ...process.env, POSELANE_BACKEND: backend };
        const { status, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env });
        expect([status, stderr.replace(/^poselane: warning NO_MORPH.*\n/gm, '')]).toEqual([0, '']);
    }

    const files = (out: string) =>
        readdirSync(join(folder, out))
            .sort()
            .map((name) => [name, sha256(readFileSync(join(folder, out, name)))]);

    test('the same bytes with one thread, eight, by shards, and without the addon', () => {
        bake('one', BACKENDS[0]!, '-j', '1');
        bake('eight', BACKENDS[0]!, '-j', '8');
        for (const shard of ['1/2', '2/2']) bake('shards', BACKENDS[0]!, '--shard', shard);
        bake('ts', 'ts', '-j', '2');
        expect(files('one')).toHaveLength(8);
        for (const out of ['eight', 'shards', 'ts']) expect(files(out)).toEqual(files('one'));
        const bins = new Set(files('one').flatMap(([name, hash]) => (name!.endsWith('.bin') ? [hash] : [])));
        expect(bins.size).toBe(1);
    });
});
