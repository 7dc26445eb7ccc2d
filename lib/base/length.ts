// SPDX-License-Identifier: MIT

/** Lengths as users write them: one parser for all commands and functions. */

import { namingOptions, UsageError } from './errors';
import { significant } from './messages';

/** A length as given: units, or a share of the extent. */
export type Length =
    | { readonly of: 'units'; readonly value: number }
    | { readonly of: 'extent'; readonly value: number };

/** Units per model unit, a meter (3.4). The value is divided by them: 1000 is exact and 0.001 is not. */
const PER_UNIT: Readonly<Record<string, number>> = { mm: 1000, cm: 100, m: 1, '%': 100 };

/** The forms of a length, for messages. */
export const LENGTH_FORMS =
    "a number in the model's units, or one with mm, cm, m or % of the extent, such as 0.5mm or 0.1%";

/**
 * Reads a length: a number in the model's units, or a text such as `'0.5mm'`, `'2cm'`, `'0.01m'`, `'0.1%'` of the
 * extent, or `'0.002'` in the model's units.
 *
 * @param option Name of the option, for messages.
 * @param allowsZero Whether 0 is allowed.
 * @throws UsageError, in which the option can be renamed.
 */
export function readLength(option: string, given: number | string, allowsZero = false): Length {
    const [, digits, unit = 'm'] =
        typeof given === 'number'
            ? ['', String(given)]
            : (/^\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(mm|cm|m|%)?\s*$/i.exec(given) ?? []);
    const number = Number(digits);
    if ((number > 0 || (allowsZero && number === 0)) && number < Infinity) {
        return { of: unit === '%' ? 'extent' : 'units', value: number / PER_UNIT[unit.toLowerCase()]! };
    }
    throw namingOptions((name) => {
        const shown = typeof given === 'number' || Number.isFinite(number) ? String(given).trim() : `'${given}'`;
        const rule = number <= 0 ? (allowsZero ? 'be 0 or more' : 'be greater than 0') : `be ${LENGTH_FORMS}`;
        return new UsageError(`${name(option)} is ${shown}; it must ${rule}`);
    });
}

/** Shares of the extent beyond which a length was probably meant in other units. */
const [TINY, HUGE] = [1e-5, 0.1];

/**
 * Compares a tolerance with the model: a hint for messages. Empty for a share of the extent.
 *
 * @param always Gives the hint for plausible lengths, too.
 */
export function extentHint(length: Length | null, extent: number, always = true): string {
    if (length?.of !== 'units' || !(extent > 0)) return '';
    const share = length.value / extent;
    if (!always && share >= TINY && share <= HUGE) return '';
    const [given, size, percent] = [length.value, extent, extent / 100].map((one) => significant(one, 3));
    return `${given} is ${significant(share * 100, 3)}% of the model's extent of ${size} units; 1% is ${percent}`;
}

export function unitsOf({ of, value }: Length, extent: number): number {
    return of === 'extent' ? value * extent : value;
}
