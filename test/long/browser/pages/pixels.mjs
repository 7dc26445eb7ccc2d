// SPDX-License-Identifier: MIT

/** Pixels of a canvas, immediately after it was drawn. */
export function pixelsOf(canvas, x = 0, width = canvas.width) {
    const copy = document.createElement('canvas');
    copy.width = width;
    copy.height = canvas.height;
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, x, 0, width, canvas.height, 0, 0, width, canvas.height);
    return context.getImageData(0, 0, width, canvas.height).data;
}

/** Counts pixels that differ by more than 2 in a channel, and pixels of the first picture that differ from its first pixel. */
export function comparePixels(a, b) {
    let differing = 0;
    let drawn = 0;
    for (let i = 0; i < a.length; i += 4) {
        if (apart(a, i, b, i)) differing++;
        if (apart(a, i, a, 0)) drawn++;
    }
    return { differing, drawn };
}

function apart(a, i, b, j) {
    for (let c = 0; c < 3; c++) if (Math.abs(a[i + c] - b[j + c]) > 2) return true;
    return false;
}
