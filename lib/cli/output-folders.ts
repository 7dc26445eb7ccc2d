// SPDX-License-Identifier: MIT

import { rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/errors';
import { stemOf } from '../base/names';
import { realPlace } from '../files/output-files';
import { type Input, refuseUrl } from './inputs';

export interface Target extends Input {
    /** Subfolder of `--out` and of the page folder; '.' without `--keep-tree`. */
    readonly below: string;
    readonly folder: string;
    readonly place: string;
    /** The real path and the stem of the outputs, in lower case because file systems may ignore case. */
    readonly key: string;
}

export async function targetsOf(inputs: readonly Input[], out: string, keepTree = false): Promise<Target[]> {
    const places = new Map<string, string>();
    const targets: Target[] = [];
    for (const input of inputs) {
        const below = keepTree ? dirname(input.tree) : '.';
        const folder = below === '.' ? out : join(out, below);
        const place = places.get(folder) ?? (await realPlace(folder));
        places.set(folder, place);
        const key = join(place, stemOf(basename(input.path))).toLowerCase();
        targets.push({ ...input, below, folder, place, key });
    }
    return targets;
}

/** The key without the suffix of a skin: `hero.glb` writes `hero.skin0.bake.json`. */
export function withoutSkin(key: string): string {
    return key.replace(/\.skin\d+$/, '');
}

/**
 * Checks all inputs, of every shard, before any work.
 *
 * @param verb The verb of the command, for messages.
 * @param alike Maps a key to another key of the same files.
 * @returns The inputs by the keys of their targets.
 * @throws UsageError if two inputs would write the same files.
 */
export function refuseCollisions(
    targets: readonly Target[],
    verb: string,
    alike: (key: string) => string = (key) => key,
): ReadonlyMap<string, string> {
    const files = targets.filter(({ isFolder }) => !isFolder);
    const byKey = new Map<string, Target>();
    for (const target of files) {
        for (const taken of [target.key, alike(target.key)]) {
            const other = byKey.get(taken);
            if (other !== undefined) throw collision(other, target, verb);
        }
        byKey.set(target.key, target);
    }
    for (const [key, target] of byKey) {
        const other = byKey.get(alike(key));
        if (other !== undefined && other !== target) throw collision(other, target, verb);
    }
    return new Map(files.map(({ key, path }) => [key, path]));
}

function collision(a: Target, b: Target, verb: string): UsageError {
    const helps = a.below === b.below && dirname(a.tree) !== dirname(b.tree);
    const advice = `${verb} them into different folders${helps ? ', as --keep-tree does' : ''}`;
    return new UsageError(`'${a.path}' and '${b.path}' would write the same files: ${advice}`);
}

/**
 * The missing folders of some paths, with their missing parents; deeper ones first.
 *
 * @throws UsageError if a file is in the way.
 */
export async function missingFolders(option: string, folders: Iterable<string>): Promise<string[]> {
    const missing = new Set<string>();
    const there = new Set<string>();
    for (const folder of folders) {
        if (folder === '') throw new UsageError(`${option}: the name of the folder is empty`);
        if (folder === '-') {
            const what = option === '--out' ? 'a bake is' : 'these are';
            throw new UsageError(
                `${option}: ${what} several files, which standard output cannot take: name a folder ('./-')`,
            );
        }
        refuseUrl(option, folder);
        for (let at = resolve(folder); !missing.has(at) && !there.has(at); at = dirname(at)) {
            const found = await stat(at).catch(() => null);
            if (found?.isDirectory() || at === dirname(at)) there.add(at);
            else if (found !== null) throw new UsageError(`${option}: '${at}' is not a folder`);
            else missing.add(at);
        }
    }
    return [...missing].sort((a, b) => b.length - a.length);
}

/** Removes new folders that stayed empty, deepest first. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
    // Ignores folders that are not empty or do not exist.
    for (const folder of folders) await rmdir(folder).catch(() => {});
}
