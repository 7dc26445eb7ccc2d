// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { type Verification, verifyBake } from '../../lib/verify';
import type { LooseJson } from '../gltf/support/builder';

/** A bake with every array: for the verifier to judge, and for tests to spoil. */
export interface FullBake {
    readonly manifest: LooseJson;
    readonly bin: Buffer;
    /** Element `index` of an array, as it is stored in the bin. */
    at(array: string, index: number): number;
    /** Changes an element. */
    set(array: string, index: number, value: number): void;
    /** Writes both files, lengths and hashes put right, and returns the manifest's path. */
    write(folder: string): string;
}

export const ALL = ['palette', 'hit', 'local', 'morph', 'bounds', 'root'] as const;

export const { claimSource } = require('../support/claim-source.cjs') as {
    /** Writes a manifest that says it is the bake of another file, because nothing is compared with an input of another one. */
    claimSource(manifest: string, input: string): Promise<string>;
};

let written = 0;

/** One skin, the first. */
export async function fullBake(input: string, options: BakeOptions = {}): Promise<FullBake> {
    const { outputs } = await bakeFile(input, { fps: 30, skin: 0, emit: ALL, root: 'keep', ...options });
    return copyOf({ manifest: JSON.parse(outputs[0]!.json), bin: Buffer.from(outputs[0]!.bin) });
}

/** The same bake once more, to be spoilt by itself. */
export function copyOf(bake: Pick<FullBake, 'manifest' | 'bin'>): FullBake {
    const [manifest, bin] = [structuredClone(bake.manifest), Buffer.from(bake.bin)];
    return {
        manifest,
        bin,
        at: (array, index) => bin.readFloatLE(manifest.arrays[array].byteOffset + index * 4),
        set: (array, index, value) => bin.writeFloatLE(value, manifest.arrays[array].byteOffset + index * 4),
        write(folder) {
            const stem = `full${written++}`;
            const sha256 = createHash('sha256').update(bin).digest('hex');
            manifest.binary = { uri: `${stem}.bake.bin`, byteLength: bin.length, sha256 };
            writeFileSync(join(folder, `${stem}.bake.bin`), bin);
            writeFileSync(join(folder, `${stem}.bake.json`), JSON.stringify(manifest));
            return join(folder, `${stem}.bake.json`);
        },
    };
}

/** The problems of a bake, in a form that tests can state. */
export function complaints({ problems, clips }: Verification): string[] {
    return [
        ...problems.map(({ code, pointer }) => `${code} ${pointer}`),
        ...clips.flatMap(({ animation, arrays }) =>
            arrays
                .filter(({ ok }) => !ok)
                .map(({ array, joint, frame }) => `${array}: clip ${animation}, frame ${frame}, joint ${joint}`),
        ),
    ];
}

/** Verifies a bake of the file as the baker writes it, but for what `change` does to the manifest. */
export async function bakeAndVerify(
    input: string,
    folder: string,
    options: BakeOptions,
    change: (manifest: LooseJson) => void = () => {},
): Promise<Verification> {
    const [output] = (await bakeFile(input, options)).outputs;
    const manifest = JSON.parse(output!.json);
    change(manifest);
    const [files] = await writeBake([{ ...output!, json: JSON.stringify(manifest) }], folder);
    return verifyBake(input, files!.json);
}
