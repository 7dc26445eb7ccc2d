// SPDX-License-Identifier: MIT

/**
 * A picture of triangles, drawn with + - * / and square roots alone, so that it is the same on every machine: flat shading, a
 * depth buffer, no antialiasing.
 */

/** @param background 0 to 255, red green blue. */
export function createPicture(width, height, background) {
    const pixels = new Uint8Array(width * height * 3);
    for (let i = 0; i < pixels.length; i++) pixels[i] = background[i % 3];
    return { width, height, pixels, depth: new Float64Array(width * height).fill(-Infinity) };
}

/** Light from above the viewer's left shoulder, in view space. */
const LIGHT = [-0.36, 0.64, 0.68];
const AMBIENT = 0.35;

/**
 * Draws one triangle.
 *
 * @param corners Three points in view space: x to the right, y up, z to the viewer, in pixels.
 * @param colour Linear, 0 to 1.
 */
export function drawTriangle({ width, height, pixels, depth }, [a, b, c], colour) {
    const ab = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const ac = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const normal = [ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]];
    // Twice the area on the picture; what is turned away from the viewer is not drawn.
    const area = normal[2];
    if (!(area > 0)) return;
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const facing = (normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2]) / length;
    const light = AMBIENT + (1 - AMBIENT) * Math.max(facing, 0);
    // A square root is near enough to what screens expect of linear light.
    const shown = colour.map((value) => Math.round(255 * Math.sqrt(value * light)));

    const least = (k) => Math.min(a[k], b[k], c[k]);
    const most = (k) => Math.max(a[k], b[k], c[k]);
    const [left, right] = [Math.max(0, Math.floor(least(0))), Math.min(width - 1, Math.ceil(most(0)))];
    const [low, high] = [Math.max(0, Math.floor(least(1))), Math.min(height - 1, Math.ceil(most(1)))];
    for (let y = low; y <= high; y++) {
        for (let x = left; x <= right; x++) {
            const px = x + 0.5 - a[0];
            const py = y + 0.5 - a[1];
            const u = (px * ac[1] - py * ac[0]) / area;
            const v = (ab[0] * py - ab[1] * px) / area;
            if (u < 0 || v < 0 || u + v > 1) continue;
            const z = a[2] + u * ab[2] + v * ac[2];
            const at = (height - 1 - y) * width + x;
            if (z <= depth[at]) continue;
            depth[at] = z;
            for (let k = 0; k < 3; k++) pixels[at * 3 + k] = shown[k];
        }
    }
}
