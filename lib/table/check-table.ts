// SPDX-License-Identifier: MIT

import { wrongType } from '../base/arguments';
import type { BakedTable } from './table';

/** Throws unless `table` is a table of this or of another copy of the package. */
export function checkTable(routine: string, table: unknown): void {
    const { arrays, clips, joints } = (table ?? {}) as Partial<BakedTable>;
    if (typeof arrays === 'object' && arrays !== null && Array.isArray(clips) && Array.isArray(joints)) return;
    throw wrongType(routine, 'table', 'a BakedTable', table);
}
