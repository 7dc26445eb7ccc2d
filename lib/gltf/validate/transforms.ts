// SPDX-License-Identifier: MIT

/** Rules for rotations and matrices anywhere in a file. */

import { significant } from '../../base/messages';
import { invalid, type Report } from '../reading';
import { COMPONENTS } from './accessors';

/**
 * Tolerance for the length of a rotation stored as floats. Beyond it there is a warning. Rounding to float32 gives
 * 1e-7, printing with six digits 1e-6. Writing 0.707 for the square root of a half gives 1.5e-4, which is reported.
 */
export const FLOAT_TOLERANCE = 1e-5;

/** The same by component type. Errors of half a step in four components change the length by one step at most. */
export function unitTolerance(componentType: number): number {
    const { one = Infinity } = COMPONENTS.get(componentType)!;
    return FLOAT_TOLERANCE + 1 / one;
}

/** |length - 1| of the quaternion at `offset`. */
export function lengthError(values: Float32Array, offset: number): number {
    const x = values[offset]!;
    const y = values[offset + 1]!;
    const z = values[offset + 2]!;
    const w = values[offset + 3]!;
    return Math.abs(Math.sqrt(x * x + y * y + z * z + w * w) - 1);
}

/** Tolerance for the fourth row of a matrix. A small difference is rounding, a large one a projection. */
const ROW_TOLERANCE = 1e-5;

/** Rejects the column-major 4x4 matrix at `offset` if its fourth row is not 0 0 0 1. */
export function checkLastRow(m: Float32Array, offset: number, pointer: string, clause: string, report: Report): void {
    for (let column = 0; column < 4; column++) {
        const value = m[offset + column * 4 + 3]!;
        if (Math.abs(value - (column === 3 ? 1 : 0)) <= ROW_TOLERANCE) continue;
        const which = offset === 0 ? '' : `matrix ${offset / 16}: `;
        const rule = `the fourth row must be 0 0 0 1, column ${column} has ${significant(value)} (${clause})`;
        invalid(report, pointer, `${which}${rule}`);
    }
}
