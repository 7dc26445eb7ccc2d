// SPDX-License-Identifier: MIT

import { type ArrayCheck, type Judged, scaleOf } from './arrays/check';
import type { VerifyOptions } from './options';

const TOLERANCE = 1e-5;

/** Of half floats what the manifest promises. Boxes are those of the rows as they are baked. */
export function toleranceOf(judged: Judged, { array }: ArrayCheck, { tolerance }: VerifyOptions): number {
    const halves = array === 'palette' || array === 'bounds' ? ofHalves(judged) : 0;
    return tolerance ?? (halves || TOLERANCE);
}

/** The share of the extent that half floats may be off by: `maxError`, or a thousandth; 0 where the palette has none. */
export function ofHalves({ files: { manifest }, yard }: Judged): number {
    if (manifest.arrays.palette?.dtype !== 'f16') return 0;
    const { maxError } = manifest.recipe;
    return maxError === undefined ? 1e-3 : maxError / scaleOf(yard);
}
