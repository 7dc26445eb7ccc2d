// SPDX-License-Identifier: MIT

import { basename, dirname } from 'node:path';
import { InputError } from '../base/errors';
import { stemOf } from '../base/names';
import { readChecked } from '../gltf/read';
import { isOfFolder, readFacts } from '../verify/engines/read';
import { readBake } from '../verify/read-bake';
import { findInputs, type Input, isPlainFile } from './inputs';

interface BakeInput {
    readonly input: string;
    /** Whether the bake has clips of other files. */
    readonly hasOthers: boolean;
}

export interface InputFinder {
    /**
     * The only named file, or the one with the name in the manifest. If several have it: the one with the hash in the manifest, else the
     * one in the folder of the bake.
     */
    ofBake(bake: Input): Promise<BakeInput>;
    /**
     * The only named file, or the one with the same name, without extensions. If several have it: the one in the same folder.
     * If there is none: the file whose name is a prefix, such as `hero` for `hero.small.glb`. Null if there is none either.
     */
    ofReduced(model: Input): string | null;
    readonly paths: readonly string[];
}

async function sourceOf(path: string) {
    return isOfFolder(path) ? (await readFacts(path)).source : (await readBake(path)).manifest.source;
}

export async function inputFinder(named: string): Promise<InputFinder> {
    const inputs = isPlainFile([named]) ? null : await findInputs([named]);
    const byName = new Map<string, Input[]>();
    for (const input of inputs ?? []) {
        byName.set(basename(input.path), [...(byName.get(basename(input.path)) ?? []), input]);
    }
    const hashes = new Map<string, string>();
    const hashOf = async (path: string) => {
        // An unreadable file is not the input.
        const hash = hashes.get(path) ?? (await readChecked(path).then(({ sha256 }) => sha256, String));
        hashes.set(path, hash);
        return hash;
    };
    const ofBake = async (bake: Input): Promise<BakeInput> => {
        const { name, sha256, animations = [] } = await sourceOf(bake.path);
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
    const all = inputs ?? [{ path: named, tree: basename(named) }];
    const ofReduced = ({ path, tree }: Input): string | null => {
        const name = stemOf(basename(path));
        const matches = (exact: boolean) =>
            all.filter((input) => {
                const stem = stemOf(basename(input.path));
                return exact ? stem === name : name.startsWith(stem) && /[._-]/.test(name[stem.length]!);
            });
        // The longest prefix first.
        const near = matches(false).sort((a, b) => basename(b.path).length - basename(a.path).length);
        const exact = matches(true);
        const found = exact.find((input) => dirname(input.tree) === dirname(tree)) ?? exact[0] ?? near[0];
        return found?.path ?? null;
    };
    return { ofBake, ofReduced, paths: all.map(({ path }) => path) };
}
