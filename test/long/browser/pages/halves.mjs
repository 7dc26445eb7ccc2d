// SPDX-License-Identifier: MIT

/** For the pages of examples/: compares their two halves, drawn in the same place; `bakedFrame`: of another frame. */

import { comparePixels, pixelsOf } from './pixels.mjs';

export const compareHalves = (clip, frame, bakedFrame = frame) => {
    const canvas = document.getElementById('canvas');
    const [live, baked] = [frame, bakedFrame].map((shown, half) => {
        globalThis.show(clip, shown, half);
        return pixelsOf(canvas, 0, canvas.width / 2);
    });
    return comparePixels(live, baked);
};
