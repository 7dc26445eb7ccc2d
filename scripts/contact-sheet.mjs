// SPDX-License-Identifier: MIT

/**
 * node scripts/contact-sheet.mjs [--out docs/baking/contact-sheet.png]: the example's clips as a sheet of pictures, a clip a
 * row, its frames from left to right. Bakes the example, skins its vertices by rows of the palette, and draws them without a
 * browser. Build first (npm run build). The same pixels on every machine; a test compares them with the picture in docs/.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { NodeIO } from '@gltf-transform/core';
import poselane from '../dist/index.js';
import { encodePng } from './contact-sheet/png.mjs';
import { createPicture, drawTriangle } from './contact-sheet/raster.mjs';
import { root } from './lib.mjs';

const { values: options } = parseArgs({
    options: { out: { type: 'string', default: path.join(root, 'docs/baking/contact-sheet.png') } },
});

const CELL = { width: 130, height: 180, columns: 8 };
const MARGIN = 8;
const BACKGROUND = [246, 244, 240];

/** To the right, up, and to the viewer: from the front, a little from the side and from above. */
const VIEW = [
    [0.8, 0, -0.6],
    [-0.168, 0.96, -0.224],
    [0.576, 0.28, 0.768],
];

const file = path.join(root, 'examples/character.glb');
const { manifest, bin } = (await poselane.bakeFile(file, { fps: 30 })).outputs[0];
const meshes = await readMeshes();
const joints = manifest.skin.joints.length;
const { byteOffset, shape } = manifest.arrays.palette;
const palette = new Float32Array(bin.slice(byteOffset, byteOffset + shape[0] * joints * 64).buffer);
const picture = createPicture(CELL.width * CELL.columns, CELL.height * manifest.clips.length, BACKGROUND);
const frame = frameOf(manifest.clips);

for (const [line, { firstRow, frameCount, loop }] of manifest.clips.entries()) {
    // The last row of a loop is its first again.
    const frames = loop ? frameCount - 1 : frameCount;
    for (let column = 0; column < CELL.columns; column++) {
        const row = firstRow + Math.floor((column * frames) / CELL.columns);
        const centre = [(column + 0.5) * CELL.width, (manifest.clips.length - line - 0.5) * CELL.height];
        for (const mesh of meshes) drawMesh(mesh, row, centre);
    }
}
mkdirSync(path.dirname(path.resolve(options.out)), { recursive: true });
writeFileSync(options.out, encodePng(picture));
console.log(`contact sheet: ${manifest.clips.length} clips, ${picture.width} x ${picture.height} -> ${options.out}`);

async function readMeshes() {
    const document = await new NodeIO().read(file);
    return document
        .getRoot()
        .listMeshes()
        .flatMap((mesh) => mesh.listPrimitives())
        .map((primitive) => ({
            positions: primitive.getAttribute('POSITION').getArray(),
            joints: primitive.getAttribute('JOINTS_0').getArray(),
            weights: primitive.getAttribute('WEIGHTS_0'),
            indices: primitive.getIndices().getArray(),
            colour: primitive.getMaterial().getBaseColorFactor().slice(0, 3),
        }));
}

/** Where the view looks, and how many pixels a unit has: everything that a clip ever reaches fits in. */
function frameOf(clips) {
    const box = clips[0].bounds.map((_, k) => (k < 3 ? Math.min : Math.max)(...clips.map(({ bounds }) => bounds[k])));
    const centre = [0, 1, 2].map((k) => (box[k] + box[k + 3]) / 2);
    const reach = VIEW.map((axis) =>
        axis.reduce((sum, value, k) => sum + (Math.abs(value) * (box[k + 3] - box[k])) / 2, 0),
    );
    const scale = Math.min((CELL.width / 2 - MARGIN) / reach[0], (CELL.height / 2 - MARGIN) / reach[1]);
    return { centre, scale };
}

function drawMesh({ positions, joints: of, weights, indices, colour }, row, [x, y]) {
    const points = [];
    const share = [0, 0, 0, 0];
    for (let v = 0; v < positions.length / 3; v++) {
        const place = [0, 0, 0];
        weights.getElement(v, share);
        for (let i = 0; i < 4; i++) {
            const mat = (row * joints + of[v * 4 + i]) * 16;
            for (let k = 0; k < 3; k++) {
                let sum = palette[mat + 12 + k];
                for (let c = 0; c < 3; c++) sum += palette[mat + c * 4 + k] * positions[v * 3 + c];
                place[k] += share[i] * sum;
            }
        }
        const seen = VIEW.map((axis) => axis.reduce((sum, value, k) => sum + value * (place[k] - frame.centre[k]), 0));
        points.push([x + seen[0] * frame.scale, y + seen[1] * frame.scale, seen[2] * frame.scale]);
    }
    for (let i = 0; i < indices.length; i += 3) {
        drawTriangle(picture, [points[indices[i]], points[indices[i + 1]], points[indices[i + 2]]], colour);
    }
}
