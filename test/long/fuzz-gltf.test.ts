// SPDX-License-Identifier: MIT

/** The glTF fuzzer makes the same file of the same key, and reports every outcome that is not a success or one of our errors. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as bake from '../../lib/bake';
import { UsageError } from '../../lib/base/errors';
import { Rig as OwnBrowserRig } from '../../lib/browser';
import { Rig } from '../../lib/rig';
import { skinnedModel } from '../gltf/support/builder';
import { scratchFolder } from '../support/temporary-folder';

interface Bake {
    readonly json: string;
    readonly text: string;
    readonly binPath: string;
    readonly bin: Buffer;
    readonly glb: Buffer | null;
}

const { createSeed, mutatedFile } = require('./fuzz-gltf/mutate.cjs');
const { SUBJECTS } = require('./fuzz-gltf/subjects.cjs');
const { isTyped, outcomeOf } = require('./fuzz-runner/outcome.cjs');
const { mutatedBake, placeBake, takeAwayBake, writeBakes } = require('./fuzz-gltf/bakes.cjs');

const folder = scratchFolder();
const seeds = [
    createSeed('a.glb', Buffer.from(skinnedModel().toGlb()), {}, 1),
    createSeed('a.gltf', Buffer.from(skinnedModel().toGltf()), {}, 1),
];
const outcome = (subject: string, poselane: object, file: object): Promise<object> =>
    outcomeOf(SUBJECTS[subject], poselane, file, 'key', { folder: join(folder(), 'work') }, isTyped);

test('a case is made by its key only, and nearly each is another file', () => {
    const hexOf = (key: string): string => mutatedFile(seeds, key).bytes.toString('hex');
    const files = Array.from({ length: 300 }, (_, i) => hexOf(`key/${i}`));
    expect(files).toEqual(Array.from({ length: 300 }, (_, i) => hexOf(`key/${i}`)));
    expect(new Set(files).size).toBeGreaterThan(200);
    const haveJson = files.map((hex) => Buffer.from(hex, 'hex').toString('latin1').includes('"asset"'));
    expect(new Set(haveJson)).toEqual(new Set([true, false]));
});

const file = mutatedFile(seeds, 'any');

test('an error of ours is a refusal, any other error a finding', async () => {
    const throwing = (error: unknown) => ({ readGltfBytes: () => Promise.reject(error) });
    expect(await outcome('bake', throwing(new UsageError('no')), file)).toEqual({ refused: 'USAGE no' });
    const coded = Object.assign(new Error('a'), { code: 'b' });
    for (const error of [new TypeError('raw'), new RangeError('raw'), 'text', coded]) {
        await expect(outcome('bake', throwing(error), file)).rejects.toBe(error);
    }
});

const ending = (code: number, text: string) => ({
    runCommand: async (_: string[], { stderr }: { stderr: { write(text: string): void } }) => {
        stderr.write(text);
        return code;
    },
});
const leaving = {
    bakeFile: async () => ({ outputs: [], files: [] }),
    writeBake: async (_: object, out: string) => {
        mkdirSync(out, { recursive: true });
        writeFileSync(join(out, 'half.bin'), '');
        throw new UsageError('after all');
    },
};

test.each([
    ['a file that a failure leaves behind', 'file', leaving, 'left behind: half.bin'],
    ['inspect that ends with 1', 'inspect', ending(1, 'poselane: TypeError\n'), 'inspect ends with 1'],
    ['inspect that prints two lines', 'inspect', ending(3, 'two\nlines\n'), 'inspect says two'],
])('%s is a finding', async (_, subject, broken, message) => {
    await expect(outcome(subject, broken, file)).rejects.toThrow(message);
});

test('a mutated bake is on the disk while it is judged, and the good one before and after', async () => {
    const seedFolder = folder();
    const named = [1, 2, 3].map((i) => {
        const bytes = Buffer.from(skinnedModel().toGlb());
        writeFileSync(join(seedFolder, `bake${i}.glb`), bytes);
        return createSeed(`bake${i}.glb`, bytes, {}, 100);
    });
    const out = join(seedFolder, 'bakes');
    const good: Bake[] = await writeBakes(bake, named, out, seedFolder);
    expect(good).toHaveLength(3);
    const asGood = () => good.every(({ binPath, bin }) => readFileSync(binPath).equals(bin));
    let changed = 0;
    for (let i = 0; i < 20; i++) {
        const mutated: Bake = mutatedBake(good, `key/${i}`, out);
        expect(asGood()).toBe(true);
        placeBake(mutated);
        expect(readFileSync(mutated.json).equals(mutated.glb ?? Buffer.from(mutated.text))).toBe(true);
        expect(readFileSync(mutated.binPath).equals(mutated.bin)).toBe(true);
        if (!asGood()) changed++;
        takeAwayBake(mutated);
    }
    expect(asGood()).toBe(true);
    expect(changed).toBeGreaterThan(0);
});

describe('the Rig for browsers beside the one for Node', () => {
    const run = (bytes: Uint8Array, BrowserRig: object = OwnBrowserRig) =>
        outcome('browser rig', { Rig, BrowserRig }, { seed: 'a.glb', bytes: Buffer.from(bytes), beside: {} });
    const good = skinnedModel().toGlb();
    const edited = (node: object) => {
        const model = skinnedModel();
        Object.assign(model.json.nodes[0], node);
        return model.toGlb();
    };
    const bad = edited({ children: [99] });
    const other = edited({ translation: [1, 2, 3] });

    test('the same poses are a success, the same code a refusal', async () => {
        expect(await run(good)).toEqual({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
        expect(await run(bad)).toEqual({ refused: expect.stringMatching(/^GLTF_INVALID /) });
    });

    test.each([
        ['other poses', good, other, /^Node [0-9a-f]{64}, browser [0-9a-f]{64}$/],
        ['another code', bad, new Uint8Array(3), /GLTF_INVALID .*, browser NOT_GLTF/],
        ['a refusal beside a success', good, bad, /^Node [0-9a-f]{64}, browser GLTF_INVALID/],
        ['a success beside a refusal', bad, good, /^Node GLTF_INVALID .*, browser [0-9a-f]{64}$/],
    ])('%s: a finding', async (_, bytes, browserBytes, message) => {
        await expect(run(bytes, { load: () => OwnBrowserRig.load(browserBytes) })).rejects.toThrow(message);
    });

    test('a raw error is a finding', async () => {
        await expect(run(good, { load: () => Promise.reject(new TypeError('raw')) })).rejects.toThrow(TypeError);
    });
});
