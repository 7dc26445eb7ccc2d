// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { type Verification, verifyBake } from '../../lib/verify';
import type { LooseJson } from '../gltf/support/builder';

/** A bake with every array, which tests can change. */
export interface FullBake {
    readonly manifest: LooseJson;
    readonly bin: Buffer;
    /** Element `index` of an array in the bin. */
    at(array: string, index: number): number;
    /** Changes an element. */
    set(array: string, index: number, value: number): void;
    /** Writes both files with current lengths and hashes, and returns the manifest's path. */
    write(folder: string): string;
}

export const ALL = ['palette', 'hit', 'local', 'morph', 'bounds', 'root'] as const;

export const { claimSource } = require('../support/claim-source.cjs') as {
    /** Writes a manifest that claims to be the bake of another file. Without that, nothing would be compared. */
    claimSource(manifest: string, input: string): Promise<string>;
};

let written = 0;

/** The bake of the first skin. */
export async function fullBake(input: string, options: BakeOptions = {}): Promise<FullBake> {
    const { outputs } = await bakeFile(input, { fps: 30, skin: 0, emit: ALL, root: 'keep', ...options });
    return copyOf({ manifest: JSON.parse(outputs[0]!.json), bin: Buffer.from(outputs[0]!.bin) });
}

/** A copy of the bake that can be changed. */
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

/** The problems of a bake as short lines. */
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

/** Verifies a bake of the file, with changes to its manifest by `change`. */
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
