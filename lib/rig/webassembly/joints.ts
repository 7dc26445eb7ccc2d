// SPDX-License-Identifier: MIT

import { lengthOf } from '../../base/arguments';
import { changedMeanwhile } from '../../lists/targets';
import { GLOBAL_FLOATS, LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';

export function createJoints(blocks: Blocks): PoseKernels['joints'] {
    const { region, slots, locals, globals, blockAt, inBlock, copyIn, give, run, heap } = blocks;
    return (data, count, list, out) => {
        const wanted = lengthOf(list);
        for (let from = 0; from < wanted; from += region.tileJoints) {
            const here = Math.min(region.tileJoints, wanted - from);
            for (let k = 0; k < here; k++) {
                const place = slots.places[list[from + k]!];
                // Another thread may have changed it.
                if (!(place! >= 0)) throw changedMeanwhile('joints');
                heap.ints[(region.places >>> 2) + k] = place!;
            }
            const length = here * GLOBAL_FLOATS;
            for (let b = 0; b * LANES < count; b++) {
                const poses = inBlock(count, b);
                const at = blockAt(data, b);
                copyIn(at, data, b, locals, globals);
                run.joints!(at + locals * 4, poses, region.places, here, region.tile, length);
                for (let pose = 0; pose < poses; pose++) {
                    const to = ((b * LANES + pose) * wanted + from) * GLOBAL_FLOATS;
                    give(out, to, region.tile + pose * length * 4, length);
                }
            }
        }
    };
}
