// SPDX-License-Identifier: MIT

import { isFloat32Array } from '../../base/arguments';
import type { Wrap } from '../../base/call-arguments';
import { stateError } from '../../base/errors';
import { LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import { wrapTime, wrapTime32 } from '../kernels/wrap-time';
import type { Blocks } from './blocks';

/** Evaluates the block at an address, for the clips and times from `first` on. */
export function createEvaluateBlock({ region, tables, view, workspace, run, heap }: Blocks) {
    const durations = Float64Array.from(tables.clips, ({ duration }) => duration);
    return (
        at: number,
        poses: number,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        wrap: Wrap,
        first: number,
    ): void => {
        const { ints, doubles } = heap;
        ints[region.times >>> 2] = poses;
        // Reads an internal slot: the caller may have changed the list's prototype.
        const wrapped = isFloat32Array(times) ? wrapTime32 : wrapTime;
        for (let i = 0; i < poses; i++) {
            const clip = typeof clips === 'number' ? clips : clips[first + i]!;
            if (clip >= durations.length)
                throw stateError('ERR_BUFFER_CHANGED', 'evaluate: the clips changed while the call ran');
            ints[(region.times >>> 2) + 1 + i] = clip;
            doubles[(region.times >>> 3) + 9 + i] = times[first + i]!;
            if (wrap === true || (wrap !== false && wrap[first + i] !== 0))
                wrapped(doubles, (region.times >>> 3) + 9 + i, durations, clip);
        }
        run.evaluate!(region.view, view, at, region.times, workspace);
    };
}

export function createEvaluate(
    { blockAt, inBlock, copyInLocals, copyOutLocals }: Blocks,
    evaluateBlock: ReturnType<typeof createEvaluateBlock>,
): PoseKernels['evaluate'] {
    return (data, count, clips, times, wrap) => {
        for (let b = 0; b * LANES < count; b++) {
            const at = blockAt(data, b);
            const poses = inBlock(count, b);
            // The other poses of the block stay as they are.
            if (poses < LANES) copyInLocals(at, data, b);
            evaluateBlock(at, poses, clips, times, wrap, b * LANES);
            copyOutLocals(at, data, b);
        }
    };
}
