// SPDX-License-Identifier: MIT

import { existsSync } from 'node:fs';
import { basename, isAbsolute, resolve, sep } from 'node:path';
import { InputError, UsageError } from '../errors';
import { stemOf } from '../names';

/** A file or folder without a name is a variable that was never set, mostly. */
export function refuseEmpty(argument: string, name: string): void {
    if (name === '') throw new UsageError(`${argument}: the name of the file is empty`);
}

/**
 * The files that arguments name: what exists as it is, and patterns expanded, because a shell on Windows does not, and
 * quoted ones reach us on every system. Files of one pattern are sorted by code units, each file comes once.
 *
 * @throws UsageError for `-` and an empty name; InputError `FILE_UNREADABLE` for a pattern that nothing matches. A plain path
 * that does not exist stays in the list, to be reported where it is read.
 */
export async function expandInputs(names: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const name of names) {
        refuseEmpty('inputs', name);
        if (name === '-') {
            throw new UsageError("standard input is not read: name files ('./-' for one that is called so)");
        }
        if (existsSync(name)) found.push(name);
        else found.push(...(await matchesOf(name)));
    }
    const seen = new Set<string>();
    return found.filter((file) => {
        const path = resolve(file);
        const first = !seen.has(path);
        seen.add(path);
        return first;
    });
}

async function matchesOf(pattern: string): Promise<string[]> {
    // Loaded here: most calls need no patterns, and start faster without it.
    const { glob, isDynamicPattern } = require('tinyglobby') as typeof import('tinyglobby');
    if (!isDynamicPattern(slashes(pattern))) return [pattern];
    const files = await glob(slashes(pattern), { expandDirectories: false, absolute: isAbsolute(pattern) });
    if (files.length === 0) throw new InputError('FILE_UNREADABLE', pattern, '', 'no file matches this pattern');
    return files.sort((a, b) => (a < b ? -1 : 1));
}

/** Patterns know one kind of slash. */
function slashes(name: string): string {
    return sep === '\\' ? name.replaceAll('\\', '/') : name;
}

/**
 * Before any work, and for all inputs, whichever of them this process bakes.
 *
 * @returns The inputs by what their outputs are called after, in small letters.
 * @throws UsageError where two inputs would write the same files. File systems may not tell capitals from small letters.
 */
export function refuseCollisions(inputs: readonly string[]): ReadonlyMap<string, string> {
    const byStem = new Map<string, string>();
    for (const input of inputs) {
        const stem = stemOf(basename(input)).toLowerCase();
        // With several skins, `hero.glb` writes `hero.skin0.bake.json`.
        for (const taken of [stem, stem.replace(/\.skin\d+$/, '')]) {
            const other = byStem.get(taken);
            if (other !== undefined) throw collision(other, input);
        }
        byStem.set(stem, input);
    }
    for (const [stem, input] of byStem) {
        const other = byStem.get(stem.replace(/\.skin\d+$/, ''));
        if (other !== undefined && other !== input) throw collision(other, input);
    }
    return byStem;
}

function collision(a: string, b: string): UsageError {
    return new UsageError(`'${a}' and '${b}' would write the same files: bake them into different folders`);
}

/** Part i of n, from 1. */
export interface Shard {
    readonly index: number;
    readonly count: number;
}

/**
 * Every n-th input: without knowing of each other, n processes with the shards 1/n to n/n bake each input once.
 */
export function takeShard(inputs: readonly string[], { index, count }: Shard): string[] {
    return inputs.filter((_, i) => i % count === index - 1);
}
