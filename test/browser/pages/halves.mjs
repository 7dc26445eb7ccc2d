// SPDX-License-Identifier: MIT

/** For the pages of examples/: compares their two halves. */

import { comparePixels, pixelsOf } from './pixels.mjs';

globalThis.compareHalves = (clip, frame) => {
    globalThis.show(clip, frame);
    const canvas = document.getElementById('canvas');
    const half = canvas.width / 2;
    return comparePixels(pixelsOf(canvas, 0, half), pixelsOf(canvas, half, half));
};
