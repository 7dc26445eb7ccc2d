// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledRigs } from '../../../lib/rig/compiled';
import { BACKENDS, type Backend, type BakedFiles, bakeFilesOn, withoutAddon } from '../../support/baked';
import { CHARACTER } from '../../support/models';
import { runNode } from '../../support/processes';

interface Hashes {
    kernel: string;
    bin: string;
    manifest: string;
}

const bakes = require('../sweep/bakes.cjs') as {
    RECIPES: Record<string, object>;
    GOLDEN: Hashes;
    goldenHashes(baked: { json: string; bin: Uint8Array }): Hashes;
};
const RECIPES = Object.entries(bakes.RECIPES);

const tiers = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name as Backend);
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
    const [baked] = (await bakeFilesOn(backend, CHARACTER.path, bakes.RECIPES.everything!)) as [BakedFiles];
    expect(bakes.goldenHashes(baked)).toEqual(bakes.GOLDEN);
});

describe('the command', () => {
    const MAIN = join(__dirname, '../../../dist/cli/main.js');
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
        const { status, stderr } = runNode(argv, { cwd: folder, env });
        expect([status, stderr.replace(/^poselane: warning (NO_MORPH|PLAYBACK_ERROR_LARGE).*\n/gm, '')]).toEqual([
            0,
            '',
        ]);
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
