// SPDX-License-Identifier: MIT

import { describe } from '../base/arguments';
import { namingOptions, type OptionNames, typeError, UsageError } from '../base/errors';
import { type Length, readLength } from '../base/length';

/** Options of a reduction: the tolerances, and the clips. Unknown options are rejected. */
export interface ReduceOptions {
    /**
     * Maximum displacement of any vertex at any time: a number in the model's units, or a text: `'0.5mm'`, `'2cm'`,
     * `'0.01m'` (a unit of the model is a meter, glTF 2.0, 3.4), or `'0.1%'` of the extent. Default `'0.1%'`.
     */
    maxError?: number | string;
    /** Animations to reduce, by name, or by number as `#3`. The others are unchanged. Default: all. */
    clips?: readonly string[];
    /**
     * Joints whose origins are judged like vertices, by name. A string is the source of a RegExp with the flag `u`.
     * Default: none.
     */
    keepJoints?: string | RegExp;
    /**
     * Maximum rotation error of nodes that carry no vertex, such as a socket for a weapon, degrees. Their origins are
     * judged like vertices. Default 0.5.
     */
    maxAngle?: number;
    /**
     * Maximum movement in the reduced clip of a foot that is still in the source. Same forms as `maxError`. Default: a
     * quarter of `maxError`. `Infinity` means no limit besides `maxError`.
     */
    maxSlide?: number | string;
    /** Whether rotations may be stored as normalized integers of 16 or 8 bits. Default true. */
    quantize?: boolean;
    /**
     * Whether to remove channels that equal the rest pose of their node at all times. The clips then play correctly
     * only on models with this rest pose. Default false: such a channel keeps one key.
     */
    dropRest?: boolean;
    /** `'meshopt'`: compress the animations' buffer views with EXT_meshopt_compression. Default `'none'`. */
    compress?: 'none' | 'meshopt';
    /** Whether warnings are errors: an InputError with the warning's code. Default false. */
    strict?: boolean;
}

/** Checked options, with all defaults filled in. */
export interface ReduceRecipe {
    readonly maxError: Length;
    readonly clips: readonly string[] | undefined;
    readonly keepJoints: RegExp | null;
    /** Radians. */
    readonly maxAngle: number;
    /** Null means a quarter of `maxError`. */
    readonly maxSlide: Length | null;
    readonly quantize: boolean;
    readonly dropRest: boolean;
    readonly compress: 'none' | 'meshopt';
    readonly strict: boolean;
}

type Check = readonly [needs: string, holds: (value: unknown) => boolean];

const isString = (value: unknown) => typeof value === 'string';
const isLength: Check = ['a number or string', (value) => typeof value === 'number' || isString(value)];
const isBoolean: Check = ['true or false', (value) => typeof value === 'boolean'];

/** Type checks, for callers without TypeScript. */
const TYPES: Readonly<Record<keyof ReduceOptions, Check>> = {
    maxError: isLength,
    clips: ['a list of strings', (value) => Array.isArray(value) && value.every(isString)],
    keepJoints: ['a string or RegExp', (value) => isString(value) || isRegExp(value)],
    maxAngle: ['a number', (value) => typeof value === 'number'],
    maxSlide: isLength,
    quantize: isBoolean,
    dropRest: isBoolean,
    compress: ['a string', isString],
    strict: isBoolean,
};

const COMPRESSIONS = ['none', 'meshopt'] as const;

/** Radians in a degree. */
const DEGREE = Math.PI / 180;

/**
 * Checks options.
 *
 * @param routine Name of the caller, for messages.
 * @throws TypeError `ERR_ARGUMENT_TYPE` for an option of the wrong type; UsageError for another wrong option.
 */
export function reduceRecipeOf(routine: string, options: ReduceOptions): ReduceRecipe {
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options must be an object, got ${describe(options)}`);
    }
    for (const key of Object.keys(options)) {
        if (!Object.hasOwn(TYPES, key)) {
            throw new UsageError(`${routine}: there is no option ${key}, only ${Object.keys(TYPES).join(', ')}`);
        }
        const value = options[key as keyof ReduceOptions];
        const [needs, holds] = TYPES[key as keyof ReduceOptions];
        if (value === undefined || holds(value)) continue;
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.${key} must be ${needs}, got ${describe(value)}`);
    }
    const { maxError = '0.1%', clips, keepJoints, maxAngle = 0.5, maxSlide, compress = 'none' } = options;
    if (clips?.length === 0)
        throw usage((name) => `${name('clips')}: the list is empty; leave it out to reduce all clips`);
    if (!(maxAngle > 0 && maxAngle <= 90))
        throw usage((name) => `${name('maxAngle')}: ${maxAngle} is out of range: needs degrees above 0 and at most 90`);
    if (!COMPRESSIONS.includes(compress))
        throw usage((name) => `${name('compress')}: there is no '${compress}', only ${COMPRESSIONS.join(', ')}`);
    return {
        maxError: readLength('maxError', maxError),
        clips,
        keepJoints: keepJoints === undefined ? null : expressionOf(keepJoints),
        maxAngle: maxAngle * DEGREE,
        maxSlide: maxSlide === undefined ? null : maxSlide === Infinity ? FREE : readLength('maxSlide', maxSlide),
        quantize: options.quantize ?? true,
        dropRest: options.dropRest ?? false,
        compress,
        strict: options.strict ?? false,
    };
}

/** No limit. */
const FREE: Length = { of: 'units', value: Infinity };

function expressionOf(given: string | RegExp): RegExp {
    try {
        // The flags g and y keep state between calls, so every other joint would be skipped.
        if (typeof given !== 'string') return new RegExp(given.source, given.flags.replace(/[gy]/g, ''));
        return new RegExp(given, 'u');
    } catch (error) {
        const why = (error as Error).message;
        throw usage((name) => `${name('keepJoints')}: '${String(given)}' is not a regular expression: ${why}`);
    }
}

function usage(message: (name: OptionNames) => string): UsageError {
    return namingOptions((name) => new UsageError(message(name)));
}

/** Also true for a RegExp of another realm. */
function isRegExp(value: unknown): boolean {
    return Object.prototype.toString.call(value) === '[object RegExp]';
}
