// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { compiledRigs } from '../../../lib/rig/compiled';
import { BACKENDS, type Backend, type BakedFiles, bakeFilesOn, withoutAddon } from '../../support/baked';
import { CHARACTER, describeModel, FOX, KNIGHT, type Model, RIGGED_FIGURE, SIMPLE_SKIN } from '../../support/models';

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

async function expectSame(path: string, options: object): Promise<void> {
    const reference = await bakeFilesOn('ts', path, options);
    expect(reference[0]!.bin.length).toBeGreaterThan(0);
    for (const backend of others) {
        const baked = await bakeFilesOn(backend, path, options);
        expect([backend, hashed(baked)]).toEqual([backend, hashed(reference)]);
        expect(baked[0]!.json).toBe(reference[0]!.json);
    }
}

test.each(RECIPES)('%s: the same bytes on every instruction set and the fallback', async (_, options) => {
    await expectSame(CHARACTER.path, options);
});

const ALL = { fps: 30, emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root', 'jointBounds'] };
const AUTO = { fps: 'auto', renormalize: true, maxError: 0.75 };
/** This layout rejects the example, whose belly is squashed. */
const QTS16 = { fps: 20, layout: 'qts16', emit: ['palette', 'bounds', 'jointBounds'] };

// The Knight has 76 clips: thirteen frames of each second are rows enough.
for (const [model, ...options] of [
    [FOX, ALL, AUTO, QTS16],
    [SIMPLE_SKIN, ALL, AUTO, QTS16],
    [RIGGED_FIGURE, { fps: 60 }],
    [KNIGHT, { fps: 13 }],
] as [Model, ...object[]][]) {
    describeModel(model, () => {
        test.each(options)('%j: the same bytes on every instruction set and the fallback', async (own) => {
            await expectSame(model.path, own);
        });
    });
}

test('all recipes differ', async () => {
    const bins = new Set<string>();
    for (const [, options] of RECIPES) bins.add((await bakeFilesOn(BACKENDS[0]!, CHARACTER.path, options))[0]!.json);
    expect(bins.size).toBe(RECIPES.length);
});

test.each(BACKENDS)('the example is baked to the bytes of earlier releases (%s)', async (backend) => {
    const [baked] = (await bakeFilesOn(backend, CHARACTER.path, bakes.RECIPES.everything!)) as [BakedFiles];
    expect(bakes.goldenHashes(baked)).toEqual(bakes.GOLDEN);
});
