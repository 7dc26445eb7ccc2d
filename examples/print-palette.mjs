// SPDX-License-Identifier: MIT

/**
 * Prints one moment of a baked clip: where each joint's matrix takes the point (0, 0, 0) of the bind pose.
 * It is also the shortest reader of the format: node examples/print-palette.mjs <x.bake.json> [clip] [seconds]
 */

import * as fs from 'node:fs';
import * as path from 'node:path';

const [manifestPath, clipName, seconds = '0'] = process.argv.slice(2);
if (manifestPath === undefined) {
    console.error('usage: node examples/print-palette.mjs <x.bake.json> [clip] [seconds]');
    process.exit(2);
}
const manifest = JSON.parse(fs.readFileSync(manifestPath, 'utf8'));
const bin = fs.readFileSync(path.join(path.dirname(manifestPath), decodeURIComponent(manifest.binary.uri)));
const { byteOffset, shape } = manifest.arrays.palette;
const [rows, joints] = shape;
const palette = new Float32Array(bin.buffer, bin.byteOffset + byteOffset, rows * joints * 16);

const clip = clipName === undefined ? manifest.clips[0] : manifest.clips.find(({ name }) => name === clipName);
if (clip === undefined) {
    console.error(`no clip ${clipName}; there are ${manifest.clips.map(({ name }) => name).join(', ')}`);
    process.exit(2);
}
const frame = Math.min(Math.max(Math.round(Number(seconds) * (clip.fps ?? 0)), 0), clip.frameCount - 1);
const row = clip.firstRow + frame;
console.log(
    `${clip.name}, frame ${frame} of ${clip.frameCount}, row ${row} of ${rows}: the translations of ${joints} joints`,
);
for (const [joint, { name }] of manifest.skin.joints.entries()) {
    const matrix = palette.subarray((row * joints + joint) * 16, (row * joints + joint + 1) * 16);
    const cells = [...matrix.subarray(12, 15)].map((v) => v.toFixed(4).padStart(10));
    console.log(`${String(joint).padStart(4)}  ${name.padEnd(20)}${cells.join('')}`);
}
