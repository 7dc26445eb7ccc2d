// SPDX-License-Identifier: MIT

import type { Judged } from './arrays/check';
import { scaleOf } from './metric';

const TOLERANCE = 1e-5;

/** The share that an array's errors may have near the origin: of half floats what the manifest promises. */
export function toleranceOf(judged: Judged, array: string): number {
    // Boxes are those of the rows as they are baked.
    const halves = array === 'palette' || array === 'bounds' ? ofHalves(judged) : 0;
    return judged.options.tolerance ?? (halves || TOLERANCE);
}

/** The share of the extent that half floats may be off by: `maxError`, or a thousandth; 0 where the palette has none. */
export function ofHalves({ files: { manifest }, metric }: Judged): number {
    if (manifest.arrays.palette?.dtype !== 'f16') return 0;
    const { maxError } = manifest.recipe;
    return maxError === undefined ? 1e-3 : maxError / scaleOf(metric);
}
