// SPDX-License-Identifier: MIT

import { describe } from '../arguments';
import { namingOptions, type OptionNames, typeError, UsageError } from '../errors';

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
    /** Whether values of rotations and weights may be normalised integers of 16 or 8 bits. Default true. */
    quantize?: boolean;
    /** Whether tracks that are smaller so become CUBICSPLINE. Default false. */
    spline?: boolean;
    /** `'meshopt'`: the animations' buffer views by EXT_meshopt_compression. Default `'none'`. */
    compress?: 'none' | 'meshopt';
    /** Whether a warning is an error: an InputError with the warning's code. Default false. */
    strict?: boolean;
}

/** A length as it was given. */
export type Length = { readonly of: 'units'; readonly value: number } | { readonly of: 'extent'; readonly value: number };

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
    readonly spline: boolean;
    readonly compress: 'none' | 'meshopt';
    readonly strict: boolean;
}
