// SPDX-License-Identifier: MIT

import { describe } from '../base/arguments';
import { namingOptions, type OptionNames, typeError, UsageError } from '../base/errors';
import { type Length, readLength } from '../base/length';

/** What to reduce, and how far it may be off. Unknown options are refused. */
export interface ReduceOptions {
    /**
     * The maximum displacement of any vertex at any time: a number in the model's units, or a text: `'0.5mm'`, `'2cm'`, `'0.01m'` (a unit
     * of the model is a metre, glTF 2.0, 3.4), or `'0.1%'` of the extent. Default `'0.1%'`.
     */
    maxError?: number | string;
    /** Animations by name, or by number as `#3`; the others stay as they are. Default: all. */
    clips?: readonly string[];
    /** Joints whose origins count as vertices do, by name; a string is the source of a RegExp with the flag `u`. Default: none. */
    keepJoints?: string | RegExp;
    /**
     * The maximum rotation of nodes that carry no vertex, such as a socket for a weapon, degrees; their origins count as vertices do.
     * Default 0.5.
     */
    maxAngle?: number;
    /**
     * The maximum way that a foot which stands in the source goes in the reduced clip, as `maxError`. Default: a quarter of `maxError`;
     * `Infinity` for no bound of their own.
     */
    maxSlide?: number | string;
    /** Whether values of rotations may be normalised integers of 16 or 8 bits. Default true. */
    quantize?: boolean;
    /**
     * Whether channels go that equal the rest pose of their node at all times. The clips then play right on models with this rest pose
     * only. Default false: such a channel keeps one key.
     */
    dropRest?: boolean;
    /** `'meshopt'`: the animations' buffer views by EXT_meshopt_compression. Default `'none'`. */
    compress?: 'none' | 'meshopt';
    /** Whether a warning is an error: an InputError with the warning's code. Default false. */
    strict?: boolean;
}

/** Options that have been checked, with every default in its place. */
export interface ReduceRecipe {
    readonly maxError: Length;
    readonly clips: readonly string[] | undefined;
    readonly keepJoints: RegExp | null;
    /** Radians. */
    readonly maxAngle: number;
    /** Null: a quarter of `maxError`. */
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

/** What TypeScript would refuse, for those who do without it. */
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

/** Of a degree, in radians. */
const DEGREE = Math.PI / 180;

/**
 * Checks options.
 *
 * @param routine For messages.
 * @throws TypeError `ERR_ARGUMENT_TYPE` for what is of the wrong type, UsageError for what is wrong otherwise.
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
        throw usage((name) => `${name('maxAngle')}: ${maxAngle} is no angle here: needs degrees above 0, at most 90`);
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

/** No bound. */
const FREE: Length = { of: 'units', value: Infinity };

function expressionOf(given: string | RegExp): RegExp {
    try {
        // A RegExp that searches on from where it was (g, y) would give every other joint.
        if (typeof given !== 'string') return new RegExp(given.source, given.flags.replace(/[gy]/g, ''));
        return new RegExp(given, 'u');
    } catch (error) {
        const why = (error as Error).message;
        throw usage((name) => `${name('keepJoints')}: '${String(given)}' is no regular expression: ${why}`);
    }
}

function usage(message: (name: OptionNames) => string): UsageError {
    return namingOptions((name) => new UsageError(message(name)));
}

/** Those of another realm, too. */
function isRegExp(value: unknown): boolean {
    return Object.prototype.toString.call(value) === '[object RegExp]';
}
