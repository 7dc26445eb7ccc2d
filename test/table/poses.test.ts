// SPDX-License-Identifier: MIT

import { BakedTable } from '../../lib/table';
import { loopsOf } from '../../lib/table/poses';
import { ruler } from './small-bake';

/** A table of two clips. */
const table = (...loops: readonly [boolean, boolean]) => {
    const { manifest, bin } = ruler(loops.map((loop) => ({ frameCount: 3, duration: Math.fround(0.2), loop })));
    return BakedTable.open(manifest, bin);
};

test('several tables of a model: a clip repeats by default if it does in all of them', () => {
    const optionsOf = loopsOf([table(true, true), table(true, false)], 4);
    expect(optionsOf(Uint16Array.of(0, 1, 0), 3, undefined)?.loop).toEqual(Uint8Array.of(1, 0, 1, 0));
    expect(optionsOf(1, 2, { between: 'nearest' })).toEqual({ between: 'nearest', loop: Uint8Array.of(0, 0, 1, 0) });
    expect(optionsOf(1, 2, undefined)).toEqual({ between: undefined, loop: Uint8Array.of(0, 0, 1, 0) });
});

test('options of the caller have precedence, and one table follows its own manifest', () => {
    const given = { loop: 'wrap' } as const;
    expect(loopsOf([table(true, true), table(true, false)], 4)(1, 2, given)).toBe(given);
    expect(loopsOf([table(true, false)], 4)(1, 2, undefined)).toBeUndefined();
});
