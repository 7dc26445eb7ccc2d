// SPDX-License-Identifier: MIT

import { existsSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { InputError, UsageError } from '../base/errors';
import { whyUnreadable } from '../base/messages';
import { isWithin } from '../gltf/files';

export interface Input {
    readonly path: string;
    /**
     * Path relative to the folder or pattern that named it, with slashes. For plainly named files, relative to the folder that they share.
     */
    readonly tree: string;
    /** An unreadable folder, which is reported like an unreadable file. */
    readonly isFolder?: true;
}

/** Plainly named files get their `tree` last. */
type Found = Omit<Input, 'tree'> & { readonly tree: string | null };

interface Kind {
    readonly taken: RegExp;
    readonly what: string;
}

/** Models, without outputs of the baker: a folder may have both. A .vrm or .vrma is a GLB. */
const MODELS: Kind = { taken: /(?<!\.baked?)\.(glb|gltf|vrma?|fbx|bvh)$/i, what: '.glb, .gltf, .vrm, .fbx or .bvh' };
/** Files that `verify` judges: bakes, one file of each folder for an engine, and reduced models. */
export const JUDGED: Kind = {
    taken: /\.bake\.json$|-remap_info\.json$|_palette\.exr$|(?<!\.baked)\.(glb|gltf|vrm)$/i,
    what: '.bake.json, .bake.glb, -remap_info.json, _palette.exr, .glb, .gltf or .vrm',
};

interface FindOptions {
    readonly exclude?: readonly string[];
    /** Output folder, which is skipped inside input folders. */
    readonly out?: string;
    readonly kind?: Kind;
}

/** Refuses an empty name, which mostly comes from an unset variable. */
export function refuseName(argument: string, name: string): void {
    if (name === '') throw new UsageError(`${argument}: the name of the file is empty`);
    refuseSecret(argument, name);
}

/**
 * Refuses a URL that may contain a password, without repeating it.
 *
 * @throws UsageError, unless a file of this name exists.
 */
export function refuseSecret(argument: string, name: string): void {
    if (!/^\s*[a-z][a-z0-9+.-]+:[/\\]|:[/\\]{2}|:[^/\\]*@/i.test(name) || existsSync(name)) return;
    if (/^(https?|file):\/\/[^@?#]*$/i.test(name)) return;
    const rule = 'it is a URL with a user, a query or a fragment, or one that is not read';
    throw new UsageError(`${argument}: ${rule}: name a file, or a file:, https: or http: URL that is only a path`);
}

/** @throws UsageError for an output that is a URL, which would become a local folder. */
export function refuseUrl(option: string, name: string): void {
    refuseSecret(option, name);
    if (/^\s*[a-z][a-z0-9+.-]+:[/\\]{2}/i.test(name))
        throw new UsageError(`${option}: it is a URL, and outputs are files of this machine: name a path`);
}

export async function expandInputs(names: readonly string[]): Promise<string[]> {
    return (await findInputs(names)).map(({ path }) => path);
}

/**
 * Finds the files that arguments name: existing files, the files in folders, and the matches of patterns. Patterns are expanded here
 * because Windows shells do not. Files of a folder or pattern are sorted by code units. Each file comes once.
 *
 * @throws UsageError for `-`, an empty name, and if `exclude` leaves no file; InputError `FILE_UNREADABLE` for a pattern or folder without
 * files. A missing plain path stays in the list, and is reported when it is read.
 */
export async function findInputs(
    names: readonly string[],
    { exclude = [], out, kind = MODELS }: FindOptions = {},
): Promise<Input[]> {
    const found: Found[] = [];
    for (const name of names) {
        refuseName('inputs', name);
        if (name === '-') {
            throw new UsageError("standard input is not read: name files ('./-' for one that is called so)");
        }
        if (isFolder(name)) found.push(...(await filesOf(name, out, kind)));
        else if (isPattern(name)) found.push(...(await matchesOf(slashes(name))));
        else found.push({ path: name, tree: null });
    }
    const plain = found.filter(({ tree }) => tree === null).map(({ path }) => resolve(path));
    const shared = commonFolder(plain.map(dirname));
    const seen = new Set<string>();
    const inputs = found.flatMap(({ path, tree, ...rest }) => {
        const full = resolve(path);
        if (seen.has(full)) return [];
        seen.add(full);
        return { path, tree: tree ?? below(shared, full) ?? basename(full), ...rest };
    });
    const left = exclude.length === 0 ? inputs : inputs.filter(not(excluder(exclude)));
    if (left.length < inputs.length && left.length === 0)
        throw new UsageError(`--exclude: no file is left of ${inputs.length}`);
    return left;
}

function isFolder(name: string): boolean {
    try {
        return statSync(name).isDirectory();
    } catch {
        return false; // to be reported where it is read
    }
}

/** Whether the arguments are one file, not a folder or pattern. */
export function isPlainFile(names: readonly string[]): boolean {
    return names.length === 1 && !isFolder(names[0]!) && !isPattern(names[0]!);
}

/** An existing file is not a pattern, whatever its name. */
function isPattern(name: string): boolean {
    if (existsSync(name)) return false;
    // Loaded here: most calls need no patterns, and start faster without it.
    return (require('tinyglobby') as typeof import('tinyglobby')).isDynamicPattern(slashes(name));
}

/** Does not follow links to folders, which may be circular. Skips names that begin with a dot, as patterns do. */
async function filesOf(folder: string, out: string | undefined, { taken, what }: Kind): Promise<Input[]> {
    const avoided = out !== undefined && isWithin(resolve(folder), resolve(out)) ? resolve(out) : null;
    const trees: string[] = [];
    const unreadable = new Set<string>();
    const walk = async (tree: string): Promise<void> => {
        const at = join(folder, tree);
        if (resolve(at) === avoided) return;
        const entries = await readdir(at, { withFileTypes: true }).catch((cause) => {
            // One below does not keep the others from being found.
            if (tree !== '') {
                unreadable.add(tree);
                trees.push(tree);
                return [];
            }
            throw new InputError('FILE_UNREADABLE', at, '', `cannot read the folder: ${whyUnreadable(cause)}`);
        });
        for (const entry of entries) {
            if (entry.name.startsWith('.')) continue;
            const path = posix.join(tree, entry.name);
            if (entry.isDirectory()) await walk(path);
            else if (taken.test(entry.name) && (entry.isFile() || (await isLinkedFile(join(folder, path))))) {
                trees.push(path);
            }
        }
    };
    await walk('');
    if (trees.length === 0) {
        throw new InputError('FILE_UNREADABLE', folder, '', `no ${what} file is in this folder, or in one below it`);
    }
    return sorted(trees).map((tree) => {
        const path = join(folder, tree);
        return unreadable.has(tree) ? { path, tree, isFolder: true } : { path, tree };
    });
}

async function isLinkedFile(path: string): Promise<boolean> {
    return (await stat(path).catch(() => null))?.isFile() === true;
}

/** @param pattern Uses slashes. */
async function matchesOf(pattern: string): Promise<{ path: string; tree: string | null }[]> {
    const { glob } = require('tinyglobby') as typeof import('tinyglobby');
    // The folders before the first character that may be special.
    const [base = ''] = /^[^*?{[(\\]*\//.exec(pattern) ?? [];
    const trees = await glob(pattern.slice(base.length), { expandDirectories: false, cwd: base === '' ? '.' : base });
    if (trees.length === 0) throw new InputError('FILE_UNREADABLE', pattern, '', 'no file matches this pattern');
    return sorted(trees).map((tree) => ({ path: join(base, tree), tree: tree.startsWith('../') ? null : tree }));
}

function sorted(paths: string[]): string[] {
    return paths.sort((a, b) => (a < b ? -1 : 1));
}

function slashes(name: string): string {
    return sep === '\\' ? name.replaceAll('\\', '/') : name;
}

function commonFolder(folders: readonly string[]): string {
    let common = folders[0] ?? '';
    for (const folder of folders) {
        while (common !== folder && !isWithin(common, folder) && dirname(common) !== common) common = dirname(common);
    }
    return common;
}

/** Path relative to a folder. Null outside of it, such as on another drive of Windows. */
function below(folder: string, path: string): string | null {
    return isWithin(folder, path) ? slashes(relative(folder, path)) : null;
}

const not = (test: (input: Input) => boolean) => (input: Input) => !test(input);

/** A pattern without a slash matches names anywhere. Others are paths relative to the current folder. */
function excluder(patterns: readonly string[]): (input: Input) => boolean {
    const { escapePath } = require('tinyglobby') as typeof import('tinyglobby');
    const picomatch = require('picomatch') as (
        patterns: readonly string[],
        options: { readonly dot: boolean },
    ) => (path: string) => boolean;
    const here = process.cwd();
    const named: string[] = [];
    const placed: string[] = [];
    for (const given of patterns) {
        const pattern = slashes(given).replace(/\/+$/, '');
        if (pattern === '') throw new UsageError('--exclude: the pattern is empty');
        if (pattern.startsWith('**/')) named.push(pattern);
        else if (!pattern.includes('/')) named.push(`**/${pattern}`);
        else placed.push(isAbsolute(given) ? pattern : posix.join(escapePath(slashes(here)), pattern));
    }
    const matcher = (list: readonly string[]) => picomatch([...list, ...list.map((one) => `${one}/**`)], { dot: true });
    const [isNamed, isPlaced] = [matcher(named), matcher(placed)];
    return ({ path, tree }) => {
        const full = resolve(path);
        return isNamed(tree) || isNamed(below(here, full) ?? '') || isPlaced(slashes(full));
    };
}

/** Part i of n, counted from 1. */
export interface Shard {
    readonly index: number;
    readonly count: number;
}

/** Every n-th input. The shards 1/n to n/n, together, have each input once. */
export function takeShard<T>(inputs: readonly T[], { index, count }: Shard): T[] {
    return inputs.filter((_, i) => i % count === index - 1);
}
