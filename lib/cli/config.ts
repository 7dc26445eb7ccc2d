// SPDX-License-Identifier: MIT

/** Config files of `poselane bake`. Keys are the options as Commander names them; values are read like those of flags. */

import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, type Option } from 'commander';
import { BAKE_OPTIONS } from '../bake/plan/option-table';
import { describe } from '../base/arguments';
import { InputError, UsageError } from '../base/errors';
import { nearNames } from '../base/names';
import { isServer } from '../cache/place';
import { isWithin } from '../gltf/files';
import type { BakeArguments } from './bake-options';
import type { BakeJobResult } from './batch/bake-job';
import { messageOf } from './flags';
import { expandInputs, findInputs, type Input } from './inputs';
import { addLibraryOptions, hasValue, isList, isMap, takesPath } from './library-options';

const NAMES = ['json', 'js', 'mjs', 'cjs'].map((extension) => `poselane.config.${extension}`);

type Values = Partial<BakeArguments>;

interface Layer {
    readonly values: Values;
    /** The place of each option in the file, by flag. */
    readonly places: ReadonlyMap<string, string>;
}

interface Recipe extends Layer {
    /** Files, patterns. */
    readonly files: readonly string[];
}

/** Flags and config of a command. */
export interface Settings {
    readonly config: string | null;
    /** Files, patterns. */
    readonly names: readonly string[];
    /** Options without those of recipes. */
    readonly given: BakeArguments;
    readonly recipes: readonly Recipe[];
    /** Flags that the user typed. They override the config. */
    readonly flags: Values;
    /** The place of each option in the config, by flag. */
    readonly places: ReadonlyMap<string, string>;
}

export type InputSettings = Pick<Settings, 'given' | 'places'>;

/**
 * Reads the config again, each time.
 *
 * @param command `poselane bake`, parsed.
 * @param names The inputs in the arguments.
 * @throws UsageError for a wrong config, or for two of them.
 */
export async function readSettings(command: Command, names: readonly string[]): Promise<Settings> {
    const all = command.opts<Values & { config?: string | false }>();
    const flags: Values = Object.fromEntries(
        Object.entries(all).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
    );
    const config = findConfig(all.config);
    const { inputs, recipes, ...rest } = config === null ? {} : await loadConfig(config);
    const folder = config === null ? '' : relative('', dirname(resolve(config)));
    const file = config === null ? '' : basename(config);
    const options = command.options.filter((option) => option.attributeName() !== 'config');
    const top = layerOf(rest, options, ['inputs', 'recipes'], { file, prefix: '', folder });
    const read = recipes === undefined ? [] : recipesOf(recipes, file, folder, options);
    const own = inputs === undefined ? [] : textsOf(inputs, `${file}: inputs`).map((name) => within(folder, name));
    return {
        config,
        names: names.length > 0 ? names : own,
        given: { ...all, ...top.values, ...flags } as BakeArguments,
        recipes: read,
        flags,
        places: top.places,
    };
}

/**
 * The files to bake.
 *
 * @param results Earlier bakes of this process. A pattern may find their outputs, which are not inputs.
 */
export async function inputsOf(
    { names, given: { out, exclude } }: Pick<Settings, 'names' | 'given'>,
    results: ReadonlyMap<string, BakeJobResult>,
): Promise<Input[]> {
    if (out === undefined) throw new UsageError("required option '-o, --out <folder>' not specified");
    if (names.length === 0) throw new UsageError("missing required argument 'inputs'");
    const written = new Set<string>();
    for (const { outputs, files } of results.values()) {
        const bakes = outputs.flatMap(({ stem }) => ['json', 'bin', 'glb'].map((kind) => `${stem}.bake.${kind}`));
        for (const name of [...bakes, ...files.map((file) => file.name)]) written.add(name);
    }
    const found = await findInputs(names, { exclude, out });
    const inputs = found.filter(({ path }) => !written.has(basename(path)) || !isWithin(resolve(out), resolve(path)));
    if (inputs.length > 0) return inputs;
    throw new InputError(
        'FILE_UNREADABLE',
        names.join(', '),
        '',
        'this finds only outputs of this bake; name the inputs',
    );
}

/** Finds the recipes of each input. A later recipe overrides an earlier one. */
export async function settingsOf(
    { given, recipes, flags, places }: Settings,
    inputs: readonly string[],
): Promise<ReadonlyMap<string, InputSettings>> {
    const matched = await Promise.all(recipes.map(({ files }) => matchesOf(files)));
    const made = new Map<string, InputSettings>();
    const found = inputs.map((input) => {
        const own = recipes.filter((_, index) => matched[index]!.has(resolve(input)));
        const key = own.map((recipe) => recipes.indexOf(recipe)).join();
        if (!made.has(key)) {
            made.set(key, {
                given: Object.assign({}, given, ...own.map(({ values }) => values), flags),
                places: new Map([places, ...own.map((recipe) => recipe.places)].flatMap((all) => [...all])),
            });
        }
        return [input, made.get(key)!] as const;
    });
    return new Map(found);
}

/** Names a wrong option by its place in the config, if it is there. */
export function inConfig(error: unknown, { flags }: Settings, places: ReadonlyMap<string, string>): unknown {
    if (!(error instanceof UsageError)) return error;
    const text = messageOf(error);
    const [flag = ''] = /^--[a-z-]+(?=:? )/.exec(text) ?? [];
    const place = places.get(flag);
    if (place === undefined || camelCase(flag) in flags) return error;
    return new UsageError(`${place}${text.slice(flag.length)}`);
}

function camelCase(flag: string): string {
    return flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function findConfig(asked: string | false | undefined): string | null {
    if (asked === false) return null;
    if (asked === '') throw new UsageError('--config: the name of the file is empty');
    if (asked !== undefined) return asked;
    const [found = null, other] = NAMES.filter((name) => existsSync(name));
    if (other !== undefined) throw new UsageError(`both ${found} and ${other} are here: name one by --config`);
    return found;
}

async function loadConfig(file: string): Promise<Record<string, unknown>> {
    const config = await load(file).catch((error) => {
        throw new UsageError(`${basename(file)}: ${messageOf(error)}`, { cause: error });
    });
    return objectOf(config, basename(file));
}

async function load(file: string): Promise<unknown> {
    if (extname(file) === '.json') return parsed(await readFile(file, 'utf8'));
    const path = resolve(file);
    const { mtimeMs } = await stat(path);
    // --watch loads it again, past two module caches.
    delete require.cache[path];
    return (await import(`${pathToFileURL(path).href}?${mtimeMs}`)).default;
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch (error) {
        throw new Error(`this is not JSON: ${(error as Error).message}`);
    }
}

function objectOf(value: unknown, place: string): Record<string, unknown> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new UsageError(`${place}: needs an object, got ${describe(value)}`);
}

function recipesOf(recipes: unknown, file: string, folder: string, whole: readonly Option[]): Recipe[] {
    if (!Array.isArray(recipes)) throw new UsageError(`${file}: recipes: needs a list, got ${describe(recipes)}`);
    const { options } = addLibraryOptions(new Command(), BAKE_OPTIONS);
    return recipes.map((recipe: unknown, index) => {
        const prefix = `recipes[${index}]`;
        const { files, ...rest } = objectOf(recipe, `${file}: ${prefix}`);
        const patterns = textsOf(files, `${file}: ${prefix}.files`).map((name) => within(folder, name));
        return { files: patterns, ...layerOf(rest, options, ['files'], { file, prefix: `${prefix}.`, folder }, whole) };
    });
}

interface Where {
    readonly file: string;
    readonly prefix: string;
    /** Folder of the config, relative to the current one. */
    readonly folder: string;
}

/** @param whole Options that only the top level may have. */
function layerOf(
    given: Record<string, unknown>,
    options: readonly Option[],
    others: readonly string[],
    { file, prefix, folder }: Where,
    whole: readonly Option[] = [],
): Layer {
    const values: Record<string, unknown> = {};
    const places = new Map<string, string>();
    for (const [key, value] of Object.entries(given)) {
        const option = options.find((one) => one.attributeName() === key);
        if (option === undefined) {
            if (whole.some((one) => one.attributeName() === key)) {
                throw new UsageError(`${file}: ${prefix}${key}: this is for all files: needs to be at the top level`);
            }
            const known = [...others, ...options.map((one) => one.attributeName())].map((name) => ({ name }));
            throw new UsageError(`${file}: ${prefix}${key}: there is no such key, ${nearNames(key, known)}`);
        }
        const place = `${file}: ${prefix}${key}`;
        values[key] = hasValue(option) ? readValue(option, value, place, folder) : switchOf(value, place);
        places.set(option.long!, place);
    }
    return { values, places };
}

function switchOf(value: unknown, place: string): boolean {
    if (typeof value === 'boolean') return value;
    throw new UsageError(`${place}: needs true or false, got ${describe(value)}`);
}

function readValue(option: Option, value: unknown, place: string, folder: string): unknown {
    const map = isMap(option) && typeof value === 'object' && value !== null && !Array.isArray(value);
    const list = map ? Object.entries(value).map(([from, to]) => renamed(from, to, place)) : value;
    const given = isList(option) ? textsOf(list, place) : [textOf(list, place)];
    if (given.length === 0) return value; // Commander cannot parse zero flags
    const isRemote = (name: string) => option.long === '--cache' && isServer(place, name);
    const isPlace = (name: string) => takesPath(option) || (option.flags.endsWith('<pattern>') && isPlaced(name));
    const texts = given.map((name) => (!isRemote(name) && isPlace(name) ? within(folder, name) : name));
    const command = new Command()
        .exitOverride()
        .configureOutput({ outputError: () => {} })
        .addOption(option);
    try {
        command.parse(
            texts.map((text) => `${option.long}=${text}`),
            { from: 'user' },
        );
    } catch (error) {
        throw new UsageError((error as Error).message.replace(/^error: option '.*?' argument /, `${place}: `));
    }
    return command.getOptionValue(option.attributeName());
}

function renamed(from: string, to: unknown, place: string): string {
    if (!from.includes('=')) return `${from}=${textOf(to, place)}`;
    throw new UsageError(`${place}: '${from}' has a '=', where the name would end`);
}

function textOf(value: unknown, place: string): string {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw new UsageError(`${place}: needs a string or a number, got ${describe(value)}`);
}

function textsOf(value: unknown, place: string): string[] {
    if (typeof value === 'string') return [value];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    throw new UsageError(`${place}: needs a string or a list of strings, got ${describe(value)}`);
}

/** Whether a pattern of `--exclude` is a path, not a name. */
function isPlaced(pattern: string): boolean {
    return pattern.includes('/') && !pattern.startsWith('**/');
}

/** Makes a path or pattern relative to the current folder. */
function within(folder: string, name: string): string {
    if (folder === '' || name === '' || isAbsolute(name) || /^https?:/i.test(name)) return name;
    const { escapePath, isDynamicPattern } = require('tinyglobby') as typeof import('tinyglobby');
    const path = join(folder, name);
    return isDynamicPattern(name) && !existsSync(path) ? join(escapePath(folder), name) : path;
}

async function matchesOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all(
        names.map((name) =>
            expandInputs([name]).catch((error) => {
                if (error instanceof InputError) return []; // a recipe may match no file
                throw error;
            }),
        ),
    );
    return new Set(found.flat().map((file) => resolve(file)));
}
