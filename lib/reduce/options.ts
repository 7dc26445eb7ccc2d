// SPDX-License-Identifier: MIT

import { type Length, readLength } from '../base/length';
import { checkTableOptions, type OptionTable, readPattern, usage } from '../base/option-table';
import { CLIP_OPTIONS, type ClipOptions, type ClipRecipe, clipRecipeOf } from '../clips/options';

/**
 * Options of a reduction. A value of the wrong type is a TypeError `ERR_ARGUMENT_TYPE`. An unknown option, or a value outside its range,
 * is a UsageError.
 */
export interface ReduceOptions extends ClipOptions {
    /**
     * Maximum displacement of any vertex at any time: a number in model units, or a text: `'0.5mm'`, `'2cm'`, `'0.01m'`, or `'0.1%'` of
     * the extent (the default). A model unit is one meter (glTF 2.0, 3.4).
     */
    maxError?: number | string;
    /** Names of the animations to reduce, or `'#3'` for animation 3; the others do not change. The default is all of them. */
    clips?: readonly string[];
    /**
     * Names of joints whose origins `maxError` bounds, like vertices. A string is the source of a RegExp with the flag `u`. Default: none.
     */
    keepJoints?: string | RegExp;
    /**
     * Maximum rotation of nodes without vertices, such as the socket of a weapon: degrees, above 0, at most 90. `maxError` bounds their
     * origins. Default 0.5.
     */
    maxAngle?: number;
    /**
     * Maximum distance that a foot slides in the reduced clip while it is planted in the source: a length, like `maxError`, or `Infinity` for
     * no such bound. Default: a quarter of `maxError`.
     */
    maxSlide?: number | string;
    /** Whether rotations may be stored as normalized integers of 16 or 8 bits. Default true. */
    quantize?: boolean;
    /**
     * Whether to remove channels that always equal the rest pose of their node. The clips then fit only models with this rest pose.
     * Default false: such a channel keeps one key.
     */
    dropRest?: boolean;
    /** `'meshopt'` compresses the buffer views of animations (EXT_meshopt_compression). Default `'none'`. */
    compress?: ReduceRecipe['compress'];
    /** Whether the first warning becomes an InputError with the warning's code. Default false. */
    strict?: boolean;
}

/** How to check each option, and its flag. A new option needs an entry here and a member of `ReduceOptions`. */
export const REDUCE_OPTIONS = {
    maxError: {
        kind: 'length',
        value: '<length>',
        help: 'maximum displacement of any vertex at any time (default: 0.1% of the extent)',
    },
    clips: { kind: 'texts', value: '<names>', help: 'reduce only these clips: a,b or #3 by number; may repeat' },
    keepJoints: {
        kind: 'pattern',
        value: '<regex>',
        help: 'joints whose origins --max-error bounds, like vertices: those whose name matches',
    },
    maxAngle: {
        kind: 'number',
        value: '<degrees>',
        help: 'maximum rotation of nodes without vertices, such as sockets (default: 0.5)',
    },
    maxSlide: {
        kind: 'bound',
        value: '<length>',
        help: 'maximum distance that a standing foot slides, or none for no bound (default: a quarter of --max-error)',
    },
    quantize: { kind: 'switch', default: true, help: 'store all values as float32' },
    dropRest: {
        kind: 'switch',
        help: 'remove channels that always equal the rest pose; the clips then fit only models with this rest pose',
    },
    compress: {
        kind: 'choice',
        choices: ['none', 'meshopt'],
        value: '<how>',
        help: 'compression of animation buffer views',
    },
    strict: { kind: 'switch', help: 'fail at the first warning' },
    ...CLIP_OPTIONS,
} as const satisfies OptionTable<keyof ReduceOptions>;

/** Checked options, with defaults. */
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
    readonly compress: (typeof REDUCE_OPTIONS)['compress']['choices'][number];
    readonly strict: boolean;
    readonly animations: ClipOptions['animations'];
    /** Null without clips of other files. */
    readonly clipRecipe: ClipRecipe | null;
}

/** Radians in a degree. */
const DEGREE = Math.PI / 180;

const UNBOUNDED: Length = { of: 'units', value: Infinity };

/**
 * Checks options and fills in defaults.
 *
 * @param routine The function's name, for messages.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, UsageError.
 */
export function reduceRecipeOf(routine: string, options: ReduceOptions): ReduceRecipe {
    checkTableOptions(routine, REDUCE_OPTIONS, options);
    const { maxError = '0.1%', clips, keepJoints, maxAngle = 0.5, maxSlide, compress = 'none' } = options;
    if (!(maxAngle > 0 && maxAngle <= 90)) {
        throw usage((name) => `${name('maxAngle')} is ${maxAngle}; it must be above 0 and at most 90 degrees`);
    }
    return {
        maxError: readLength('maxError', maxError),
        clips,
        keepJoints: keepJoints === undefined ? null : readPattern('keepJoints', keepJoints),
        maxAngle: maxAngle * DEGREE,
        maxSlide: maxSlide === undefined ? null : maxSlide === Infinity ? UNBOUNDED : readLength('maxSlide', maxSlide),
        quantize: options.quantize ?? true,
        dropRest: options.dropRest ?? false,
        compress,
        strict: options.strict ?? false,
        animations: options.animations,
        clipRecipe: clipRecipeOf(options),
    };
}
