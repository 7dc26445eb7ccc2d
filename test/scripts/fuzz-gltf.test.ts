// SPDX-License-Identifier: MIT

/** That the glTF fuzzer makes the same file of the same key, and takes nothing for a success that is none. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../lib/errors';
import { skinnedModel } from '../gltf/support/builder';
import { scratchFolder } from '../support/temporary-folder';

interface File {
    readonly seed: string;
    readonly isGlb: boolean;
    readonly bytes: Buffer;
    readonly beside: object;
}
type Subject = (poselane: object, file: File, random: object, places: object) => Promise<string>;

const { createSeed, mutatedFile } = require('../../scripts/fuzz-gltf/mutate.cjs') as {
    createSeed(name: string, bytes: Buffer, beside: object, weight: number): object;
    mutatedFile(seeds: object[], key: string): File;
};
const { SUBJECTS, outcomeOf } = require('../../scripts/fuzz-gltf/subjects.cjs') as {
    SUBJECTS: Record<string, Subject>;
    outcomeOf(
        subject: Subject,
        poselane: object,
        file: File,
        key: string,
        places: object,
    ): Promise<{ refused?: string }>;
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
