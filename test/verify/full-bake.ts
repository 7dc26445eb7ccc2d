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

export type FullOptions = Pick<BakeOptions, 'fps' | 'layout' | 'dtype' | 'hitJoints'>;

export const { claimSource } = require('../support/claim-source.cjs') as {
    /** Writes a manifest that says it is the bake of another file, because nothing is compared with an input of another one. */
    claimSource(manifest: string, input: string): Promise<string>;
};

let written = 0;

/** One skin, the first. */
export async function fullBake(input: string, options: FullOptions = {}): Promise<FullBake> {
    const { outputs } = await bakeFile(input, { fps: 30, skin: 0, emit: ALL, root: 'keep', ...options });
    return bakeOf(JSON.parse(outputs[0]!.json), Buffer.from(outputs[0]!.bin));
}

/** The same bake once more, to be spoilt by itself. */
export function copyOf({ manifest, bin }: FullBake): FullBake {
    return bakeOf(structuredClone(manifest), Buffer.from(bin));
}

function bakeOf(manifest: LooseJson, bin: Buffer): FullBake {
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

/** Verifies a bake of the file, with default options but for the rate. */
export async function bakeAndVerify(input: string, folder: string, fps: number | string = 60): Promise<Verification> {
    const { outputs } = await bakeFile(input, { fps });
    const [files] = await writeBake(outputs, folder);
    return verifyBake(input, files!.json);
}
