// SPDX-License-Identifier: MIT

import { LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';

/** Gives the palettes of the block at an address, as those of the poses from `first` on. */
export function createPaletteBlock({ region, tables, skinPlaces, locals, give, run }: Blocks) {
    return (at: number, poses: number, skin: number, out: Float32Array, mat4: boolean, first: number): void => {
        const { length: joints } = tables.skins[skin]!.joints;
        const length = joints * (mat4 ? 16 : 12);
        run.palettes!(
            at + locals * 4,
            poses,
            skinPlaces[skin]!,
            region.inverseBinds[skin]!,
            joints,
            region.tile,
            mat4 ? 1 : 0,
        );
        give(out, first * length, region.tile, poses * length);
    };
}

export function createPalettes(
    { locals, globals, blockAt, inBlock, copyIn }: Blocks,
    paletteBlock: ReturnType<typeof createPaletteBlock>,
): PoseKernels['palettes'] {
    return (data, count, skin, out, format) => {
        for (let b = 0; b * LANES < count; b++) {
            const at = blockAt(data, b);
            copyIn(at, data, b, locals, globals);
            paletteBlock(at, inBlock(count, b), skin, out, format === 'mat4', b * LANES);
        }
    };
}
