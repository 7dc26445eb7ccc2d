// SPDX-License-Identifier: MIT

/** That the glTF fuzzer makes the same file of the same key, and takes nothing for a success that is none. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as bake from '../../lib/bake';
import { UsageError } from '../../lib/base/errors';
import { Rig as OwnBrowserRig } from '../../lib/browser';
import { Rig } from '../../lib/rig';
import { skinnedModel } from '../gltf/support/builder';
import { scratchFolder } from '../support/temporary-folder';

interface File {
    readonly seed: string;
    readonly isGlb: boolean;
    readonly bytes: Buffer;
    readonly beside: object;
}
type Subject = (poselane: object, file: File, random: object, places: object) => Promise<string>;

const { createSeed, mutatedFile } = require('./fuzz-gltf/mutate.cjs') as {
    createSeed(name: string, bytes: Buffer, beside: object, weight: number): object;
    mutatedFile(seeds: object[], key: string): File;
};
const { SUBJECTS } = require('./fuzz-gltf/subjects.cjs') as { SUBJECTS: Record<string, Subject> };
const { outcomeOf } = require('./fuzz-gltf/outcome.cjs') as {
    outcomeOf(
        subject: Subject,
        poselane: object,
        file: File,
        key: string,
        places: object,
    ): Promise<{ digest?: string; refused?: string }>;
};

interface Counts {
    begin(): void;
    compared(): void;
    outcome(outcome: { digest?: string; refused?: string }): void;
    end(which: { n: number; subject: string; seed: string }): void;
    report(): Record<string, unknown> & { slowest: number };
}
const { createCounts } = require('./fuzz-gltf/counts.cjs') as { createCounts(): Counts };

interface Bake {
    readonly json: string;
    readonly text: string;
    readonly binPath: string;
    readonly bin: Buffer;
    readonly glb: Buffer | null;
}
const { mutatedBake, placeBake, takeAwayBake, writeBakes } = require('./fuzz-gltf/bakes.cjs') as {
    mutatedBake(bakes: readonly Bake[], key: string, folder: string): Bake;
    placeBake(bake: Bake): void;
    takeAwayBake(bake: Bake): void;
    writeBakes(poselane: object, seeds: readonly object[], folder: string, seedFolder: string): Promise<Bake[]>;
};

const folder = scratchFolder();
const seeds = [
    createSeed('a.glb', Buffer.from(skinnedModel().toGlb()), {}, 1),
    createSeed('a.gltf', Buffer.from(skinnedModel().toGltf()), {}, 1),
];

test('a case is made by its key alone, and nearly each is another file', () => {
    const hexOf = (key: string) => mutatedFile(seeds, key).bytes.toString('hex');
    const files = Array.from({ length: 300 }, (_, i) => hexOf(`key/${i}`));
    expect(files).toEqual(Array.from({ length: 300 }, (_, i) => hexOf(`key/${i}`)));
    expect(new Set(files).size).toBeGreaterThan(200);
    // Some of them still have their JSON, and some have not.
    const texts = files.map((hex) => Buffer.from(hex, 'hex').toString('latin1').includes('"asset"'));
    expect(new Set(texts)).toEqual(new Set([true, false]));
});

const file = mutatedFile(seeds, 'any');
const throwing = (error: unknown) => ({ readGltfBytes: () => Promise.reject(error) });

test('an error of ours is a refusal, any other one a finding', async () => {
    const outcome = await outcomeOf(SUBJECTS.bake!, throwing(new UsageError('no')), file, 'key', {});
    expect(outcome).toEqual({ refused: 'USAGE no' });
    for (const error of [
        new TypeError('raw'),
        new RangeError('raw'),
        'text',
        Object.assign(new Error('a'), { code: 'b' }),
    ]) {
        await expect(outcomeOf(SUBJECTS.bake!, throwing(error), file, 'key', {})).rejects.toBe(error);
    }
});

test('what a failure leaves behind is a finding', async () => {
    const places = { folder: join(folder(), 'work') };
    const broken = {
        bakeFile: async () => ({ outputs: [], files: [] }),
        writeBake: async (_: object, out: string) => {
            mkdirSync(out, { recursive: true });
            writeFileSync(join(out, 'half.bin'), '');
            throw new UsageError('after all');
        },
    };
    await expect(outcomeOf(SUBJECTS.file!, broken, file, 'key', places)).rejects.toThrow('left behind: half.bin');
});

test.each([
    [1, 'poselane: TypeError\n', 'inspect ends with 1'],
    [3, 'two\nlines\n', 'inspect says two'],
])('inspect that ends with %p and %j', async (code, text, says) => {
    const places = { folder: join(folder(), 'work') };
    const broken = {
        runCommand: async (_: string[], { stderr }: { stderr: { write(text: string): void } }) => {
            stderr.write(text);
            return code;
        },
    };
    await expect(outcomeOf(SUBJECTS.inspect!, broken, file, 'key', places)).rejects.toThrow(says);
});

test('a mutated bake is on the disk while it is looked at, and the good one before and after', async () => {
    const seedFolder = folder();
    const named = [1, 2, 3].map((i) => {
        const bytes = Buffer.from(skinnedModel().toGlb());
        writeFileSync(join(seedFolder, `bake${i}.glb`), bytes);
        return createSeed(`bake${i}.glb`, bytes, {}, 100);
    });
    const out = join(seedFolder, 'bakes');
    const good = await writeBakes(bake, named, out, seedFolder);
    expect(good).toHaveLength(3);
    const asGood = () => good.every(({ binPath, bin }) => readFileSync(binPath).equals(bin));
    let changed = 0;
    for (let i = 0; i < 20; i++) {
        const file = mutatedBake(good, `key/${i}`, out);
        expect(asGood()).toBe(true);
        placeBake(file);
        expect(readFileSync(file.json).equals(file.glb ?? Buffer.from(file.text))).toBe(true);
        expect(readFileSync(file.binPath).equals(file.bin)).toBe(true);
        if (!asGood()) changed++;
        takeAwayBake(file);
    }
    expect(asGood()).toBe(true);
    expect(changed).toBeGreaterThan(0);
});

describe('the Rig for browsers beside the one for Node', () => {
    const run = (bytes: Uint8Array, BrowserRig: object = OwnBrowserRig) => {
        const file = { seed: 'a.glb', isGlb: true, bytes: Buffer.from(bytes), beside: {} };
        return outcomeOf(SUBJECTS['browser rig']!, { Rig, BrowserRig }, file, 'key', {});
    };
    const good = skinnedModel().toGlb();
    const bad = skinnedModel();
    bad.json.nodes[0].children = [99];

    test('the same poses are a success, the same code a refusal', async () => {
        expect(await run(good)).toEqual({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
        expect(await run(bad.toGlb())).toEqual({ refused: expect.stringMatching(/^GLTF_INVALID /) });
    });

    test('other poses, another code, and success beside a refusal are findings', async () => {
        const other = skinnedModel();
        other.json.nodes[0].translation = [1, 2, 3];
        const loads = (bytes: Uint8Array) => ({ load: () => OwnBrowserRig.load(bytes) });
        await expect(run(good, loads(other.toGlb()))).rejects.toThrow(/^Node [0-9a-f]{64}, browser [0-9a-f]{64}$/);
        await expect(run(bad.toGlb(), loads(new Uint8Array(3)))).rejects.toThrow(/GLTF_INVALID .*, browser NOT_GLTF/);
        await expect(run(good, loads(bad.toGlb()))).rejects.toThrow(/^Node [0-9a-f]{64}, browser GLTF_INVALID/);
        await expect(run(bad.toGlb(), loads(good))).rejects.toThrow(/^Node GLTF_INVALID .*, browser [0-9a-f]{64}$/);
    });

    test('a raw error is one', async () => {
        const broken = { load: () => Promise.reject(new TypeError('raw')) };
        await expect(run(good, broken)).rejects.toThrow(TypeError);
    });
});

describe('what cases are counted as', () => {
    test('successes, refusals by their code, subjects', () => {
        const counts = createCounts();
        for (const [n, outcome] of [{ digest: 'a' }, { refused: 'USAGE no' }, { refused: 'USAGE never' }].entries()) {
            counts.begin();
            if (n === 1) counts.compared();
            counts.outcome(outcome);
            counts.end({ n, subject: n === 0 ? 'bake' : 'rig', seed: 'a.glb' });
        }
        expect(counts.report()).toMatchObject({
            files: 3,
            done: 1,
            refused: 2,
            compared: 1,
            codes: { USAGE: 2 },
            subjects: { bake: 1, rig: 2 },
        });
    });

    test('the slowest is the one that computes longest, not the one that waits', async () => {
        const counts = createCounts();
        const within = async (n: number, work: () => unknown) => {
            counts.begin();
            await work();
            counts.end({ n, subject: 'bake', seed: 'a.glb' });
        };
        await within(1, () => new Promise((resolve) => setTimeout(resolve, 1000)));
        expect(counts.report().slowest).toBeLessThan(500);
        await within(2, () => {
            const before = process.cpuUsage();
            while (process.cpuUsage(before).user + process.cpuUsage(before).system < 600e3);
        });
        await within(3, () => {});
        const { slowest, slow } = counts.report();
        expect(slow).toEqual({ case: 2, subject: 'bake', seed: 'a.glb', milliseconds: slowest });
        expect(slowest).toBeGreaterThanOrEqual(600);
    });
});
