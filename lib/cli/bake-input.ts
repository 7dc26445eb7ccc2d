// SPDX-License-Identifier: MIT

import { basename, dirname } from 'node:path';
import { InputError } from '../errors';
import { readChecked } from '../gltf/read';
import { readBake } from '../verify/bake-file';
import { findInputs, type Input, isPlainFile } from './inputs';

/** What a bake was made of. */
interface BakeInput {
    readonly input: string;
    /** Whether it has clips of other files. */
    readonly hasOthers: boolean;
}

/**
 * Gives what finds the input of a bake: a file that is named, or of several the one with the name that the manifest states; of some with
 * the same, the one with the hash, or, where it has changed, the one that lies as the bake does.
 */
export async function inputFinder(named: string) {
    const inputs = isPlainFile([named]) ? null : await findInputs([named]);
    const byName = new Map<string, Input[]>();
    for (const input of inputs ?? []) {
        byName.set(basename(input.path), [...(byName.get(basename(input.path)) ?? []), input]);
    }
    const hashes = new Map<string, string>();
    const hashOf = async (path: string) => {
        // One that cannot be read is not the one.
        const hash = hashes.get(path) ?? (await readChecked(path).then(({ sha256 }) => sha256, String));
        hashes.set(path, hash);
        return hash;
    };
    return async (bake: Input): Promise<BakeInput> => {
        const { name, sha256, animations = [] } = (await readBake(bake.path)).manifest.source;
        const hasOthers = animations.length > 0;
        if (inputs === null) return { input: named, hasOthers };
        const candidates = byName.get(name) ?? [];
        if (candidates.length === 0) {
            const rule = `its input '${name}' is not among those of '${named}'`;
            throw new InputError('FILE_UNREADABLE', bake.path, '/source/name', rule);
        }
        for (const { path } of candidates.length > 1 ? candidates : []) {
            if ((await hashOf(path)) === sha256) return { input: path, hasOthers };
        }
        const near = candidates.find(({ tree }) => dirname(tree) === dirname(bake.tree));
        return { input: (near ?? candidates[0]!).path, hasOthers };
    };
}
