// SPDX-License-Identifier: MIT

import { GLOBAL_FLOATS } from '../../rig/kernels/contract';
import type { Rig } from '../../rig/rig';
import { readLocals } from '../batch';
import type { ManifestSlot } from '../manifest';
import { type BakedArray, floatArray } from './array';

/** Local transforms of the joints and all nodes above them, `[row][slot]`: translation, rotation, scale. */
export function localArray(rig: Rig): BakedArray {
    const all = Int32Array.from(rig.slots.keys());
    const slots = rig.slots.map(({ node, name, parent, hasMatrix }, slot): ManifestSlot => {
        if (!hasMatrix) return { node, name, parent };
        const at = slot * GLOBAL_FLOATS;
        return { node, name, parent, matrix: Array.from(rig.rest.matrices.subarray(at, at + GLOBAL_FLOATS)) };
    });
    const about = { name: 'local', layout: 'trs', row: [slots.length, 10], about: { slots } } as const;
    return floatArray(about, (rows, { poses }) => readLocals(rows, poses, all));
}
