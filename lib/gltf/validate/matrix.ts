// SPDX-License-Identifier: MIT

import { significant } from '../../messages';
import { invalid, type Report } from '../report';

/**
 * How far the fourth row of a matrix may be from 0 0 0 1, which glTF demands of every matrix here. Palettes are
 * 3x4 and drop the row: within this it is rounding of an exporter, beyond it a projection that they cannot hold.
 */
const ROW_TOLERANCE = 1e-5;

/** Refuses the column-major 4x4 matrix at `offset` where its fourth row is not 0 0 0 1. */
export function checkLastRow(m: Float32Array, offset: number, pointer: string, clause: string, report: Report): void {
    for (let column = 0; column < 4; column++) {
        const value = m[offset + column * 4 + 3]!;
        if (Math.abs(value - (column === 3 ? 1 : 0)) <= ROW_TOLERANCE) continue;
        const which = offset === 0 ? '' : `matrix ${offset / 16}: `;
        invalid(
            report,
            pointer,
            `${which}the fourth row must be 0 0 0 1, column ${column} has ${significant(value)} (${clause})`,
        );
    }
}
