// SPDX-License-Identifier: MIT

import { describe } from '../arguments';
import { typeError, UsageError } from '../errors';

const LENGTH = /^(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?) ?(mm|cm|m|%)?$/i;

/** Model units of each unit: one of a glTF model is a metre (3.4). Divided by, because 1000 is exact and 0.001 is not. */
const PER_UNIT: Readonly<Record<string, number>> = { mm: 1000, cm: 100, m: 1 };

/** A length in the model's units, given its extent. */
export type LengthOf = (extent: number) => number;

/**
 * A number in the model's units, or a text: `'0.5mm'`, `'2cm'`, `'0.01m'`, `'0.1%'` of the extent, `'0.002'` in the model's units.
 *
 * @throws TypeError for what is neither, UsageError for a number below 0, not finite, or a text that is no length.
 */
export function readLength(routine: string, argument: string, value: unknown): LengthOf {
    if (typeof value === 'number') {
        if (value >= 0 && value < Infinity) return () => value;
        throw new UsageError(`${routine}: ${argument} must be a number from 0 up, got ${describe(value)}`);
    }
    if (typeof value !== 'string') {
        const need = "a number or a text such as '0.5mm' or '0.1%'";
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${argument} must be ${need}, got ${describe(value)}`);
    }
    const [, digits, unit = 'm'] = LENGTH.exec(value.trim()) ?? [];
    const number = Number(digits);
    if (digits === undefined || !(number < Infinity)) {
        const need = "a length such as '0.5mm', '2cm', '0.01m' or '0.1%' (of the extent)";
        throw new UsageError(`${routine}: ${argument} must be ${need}, got ${describe(value)}`);
    }
    if (unit === '%') return (extent) => (number / 100) * extent;
    return () => number / PER_UNIT[unit.toLowerCase()]!;
}
