// SPDX-License-Identifier: MIT

/** Tables of options. One entry gives an option its choices, its checks and its flag on the command line. */

import { isArray, wrongType } from './arguments';
import { namingOptions, type OptionNames, UsageError } from './errors';

/** How the value of an option is written, in code and after its flag. */
export type OptionKind =
    | 'switch'
    | 'number'
    /** At least `min`. */
    | 'whole'
    | 'text'
    | 'texts'
    /** One of `choices`. */
    | 'choice'
    /** The source of a RegExp with the flag `u`, or a RegExp. */
    | 'pattern'
    /** See `parseFps`. */
    | 'rate'
    /** See `readLength`. */
    | 'length'
    /** A length, or `Infinity`, which the command calls `none`. */
    | 'bound'
    /** Paths, or objects with bytes and name. */
    | 'files'
    /** New names by old names. */
    | 'renames'
    /** Names of joints by role. */
    | 'roles';

/** All that checks and flags need to know of an option. */
export interface OptionEntry {
    readonly kind: OptionKind;
    /** The only allowed values. The first is the default. */
    readonly choices?: readonly string[];
    /** The default that the command passes to the library. A switch that is true by default has the flag `--no-…`. */
    readonly default?: string | boolean;
    readonly min?: number;
    /** The placeholder of the value in `--help`. A switch has none. */
    readonly value?: string;
    /** The description in `--help`. */
    readonly help: string;
}

export type OptionTable<Option extends string = string> = Readonly<Record<Option, OptionEntry>>;

const isNumber = (value: unknown) => typeof value === 'number';
const isString = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !isArray(value);
/** Accepts a RegExp of another realm. */
const isRegExp = (value: unknown) => Object.prototype.toString.call(value) === '[object RegExp]';

type Check = readonly [needs: string, holds: (value: unknown) => boolean];

const TEXT: Check = ['a string', isString];
const NUMBER: Check = ['a number', isNumber];
const NUMBER_OR_TEXT: Check = ['a number or string', (value) => isNumber(value) || isString(value)];

const NAMES: Check = ['an object of strings', (value) => isObject(value) && Object.values(value).every(isString)];

/** The checks that TypeScript makes, for callers without TypeScript. */
const CHECKS: Readonly<Record<OptionKind, Check>> = {
    switch: ['true or false', (value) => typeof value === 'boolean'],
    number: NUMBER,
    whole: NUMBER,
    text: TEXT,
    texts: ['a list of strings', (value) => Array.isArray(value) && value.every(isString)],
    choice: TEXT,
    pattern: ['a string or RegExp', (value) => isString(value) || isRegExp(value)],
    rate: NUMBER_OR_TEXT,
    length: NUMBER_OR_TEXT,
    bound: NUMBER_OR_TEXT,
    files: [
        'a list of paths, or of objects with bytes and name',
        (value) => isArray(value) && value.every((one) => isString(one) || isObject(one)),
    ],
    renames: NAMES,
    roles: NAMES,
};

/** Checks that options are an object, that the table has each, and their values. Throws as `checkOptionValues`. */
export function checkTableOptions(routine: string, table: OptionTable, options: unknown): void {
    if (typeof options !== 'object' || options === null) throw wrongType(routine, 'options', 'an object', options);
    const unknown = Object.keys(options).find((option) => !Object.hasOwn(table, option));
    if (unknown !== undefined) {
        throw new UsageError(`${routine}: there is no option ${unknown}, only ${Object.keys(table).join(', ')}`);
    }
    checkOptionValues(routine, table, options);
}

/** Checks options of the table, no others. Throws TypeError `ERR_ARGUMENT_TYPE`, UsageError. */
export function checkOptionValues(routine: string, table: OptionTable, options: object): void {
    for (const [option, entry] of Object.entries(table)) {
        const value = (options as Readonly<Record<string, unknown>>)[option];
        if (value === undefined) continue;
        const [needs, holds] = CHECKS[entry.kind];
        if (!holds(value)) throw wrongType(routine, `options.${option}`, needs, value);
        checkValue(option, entry, value as string | number | readonly string[]);
    }
}

function checkValue(option: string, { kind, choices, min }: OptionEntry, value: string | number | readonly string[]) {
    const wrong = choices && [value].flat().find((one) => !choices.includes(one as string));
    if (wrong !== undefined) {
        const has = kind === 'texts' ? 'has' : 'is';
        throw usage((name) => `${name(option)} ${has} '${wrong}'; it must be one of ${choices!.join(', ')}`);
    }
    if (kind === 'whole' && !(Number.isInteger(value) && (value as number) >= min!)) {
        throw usage((name) => `${name(option)} is ${value}; it must be a whole number of at least ${min}`);
    }
    if (kind === 'texts' && (value as readonly string[]).length === 0) {
        const needed = choices === undefined ? 'leave it out for all' : `it must have one of ${choices.join(', ')}`;
        throw usage((name) => `${name(option)} is an empty list; ${needed}`);
    }
}

/** An error about options, which the command line calls by their flags. */
export function usage(message: (name: OptionNames) => string): UsageError {
    return namingOptions((name) => new UsageError(message(name)));
}

/** @throws UsageError for a text that is not a regular expression. */
export function readPattern(option: string, pattern: string | RegExp): RegExp {
    try {
        // With the flags g and y, `test` would match only every second name.
        if (typeof pattern !== 'string') return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
        return new RegExp(pattern, 'u');
    } catch (error) {
        const why = (error as Error).message;
        throw usage((name) => `${name(option)} is '${pattern}', which is not a regular expression: ${why}`);
    }
}
