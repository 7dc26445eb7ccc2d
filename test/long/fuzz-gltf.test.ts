// SPDX-License-Identifier: MIT

/** The glTF fuzzer makes a case again from its key, and finds one planted fault of each kind. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../lib/base/errors';
import { Rig as BrowserRig } from '../../lib/browser';
import { Rig } from '../../lib/rig';
import { skinnedModel } from '../gltf/support/builder';
import { patched } from '../gltf/support/faults';
import { scratchFolder } from '../support/temporary-folder';

const { createSeed, mutatedFile } = require('./fuzz-gltf/mutate.cjs');
const { SUBJECTS } = require('./fuzz-gltf/subjects.cjs');
const { isTyped, outcomeOf } = require('./fuzz-runner/outcome.cjs');

const folder = scratchFolder();
const bytes = Buffer.from(skinnedModel().toGlb());
const seeds = [createSeed('a.glb', bytes, {}, 1), createSeed('a.gltf', Buffer.from(skinnedModel().toGltf()), {}, 1)];

test('a file is made by its key only, and nearly each is another one', () => {
    const hexOf = (key: string): string => mutatedFile(seeds, key).bytes.toString('hex');
    const files = Array.from({ length: 300 }, (_, i) => hexOf(`key/${i}`));
    expect(files).toEqual(Array.from({ length: 300 }, (_, i) => hexOf(`key/${i}`)));
    expect(new Set(files).size).toBeGreaterThan(200);
    const haveJson = files.map((hex) => Buffer.from(hex, 'hex').toString('latin1').includes('"asset"'));
    expect(new Set(haveJson)).toEqual(new Set([true, false]));
});

const moved = patched(skinnedModel(), { '/nodes/0/translation': [1, 2, 3] }).toGlb();
const leaving = {
    bakeFile: async () => ({ outputs: [], files: [] }),
    writeBake: async (_: object, out: string) => {
        mkdirSync(out, { recursive: true });
        writeFileSync(join(out, 'half.bin'), '');
        throw new UsageError('after all');
    },
};

test.each([
    ['bake', { readGltfBytes: () => Promise.reject(new TypeError('raw')) }, 'raw'],
    ['file', leaving, 'left behind: half.bin'],
    ['inspect', { runCommand: async () => 1 }, 'inspect ends with 1'],
    [
        'browser rig',
        { Rig, BrowserRig: { load: () => BrowserRig.load(moved) } },
        /^Node [0-9a-f]{64}, browser [0-9a-f]{64}$/,
    ],
    ['browser rig', { Rig, BrowserRig: { load: () => BrowserRig.load(new Uint8Array(3)) } }, /browser NOT_GLTF/],
])('%s: a fault is a finding', async (subject, broken, message) => {
    const file = { seed: 'a.glb', isGlb: true, bytes, beside: {} };
    const run = outcomeOf(SUBJECTS[subject], broken, file, 'key', { folder: join(folder(), 'work') }, isTyped);
    await expect(run).rejects.toThrow(message);
});
