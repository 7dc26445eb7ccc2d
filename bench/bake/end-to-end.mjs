// SPDX-License-Identifier: MIT

/** A production character and the example, from file to files, beside three.js doing the same. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { here, ratioOf, root, TOOL, timeProcesses, withFolder } from './processes.mjs';

const FPS = '60';
const KNIGHT = '../shared/models/KayKit/Knight.glb';
const EXAMPLE = 'examples/character.glb';
/** Of numbers of the palette, in model units. */
const APART = 1e-4;

/** @returns One entry for each model, or `{ model, skipped }`, which says why there is none. */
export function measureEndToEnd({ rounds }) {
    return [KNIGHT, EXAMPLE].map((model) => {
        const path = join(root, model);
        if (!existsSync(path)) return { model, skipped: `${model} is absent` };
        return withFolder((folder) => {
            const drawn = join(folder, 'three.bin');
            const { three, bake } = timeProcesses(
                {
                    three: [here('three-bake.mjs'), path, drawn, FPS],
                    bake: [TOOL, 'bake', path, '-o', folder, '--fps', FPS, '--quiet'],
                },
                rounds,
            );
            checkSame(drawn, join(folder, `${basename(path, '.glb')}.bake`));
            return { model, three, bake, ratio: ratioOf(three, bake) };
        });
    });
}

/** A benchmark of two things that do not give the same result would mean nothing. */
function checkSame(drawn, baked) {
    const { arrays } = JSON.parse(readFileSync(`${baked}.json`, 'utf8'));
    const { byteOffset, byteLength } = arrays.palette;
    const floats = (bytes) => new Float32Array(Uint8Array.from(bytes).buffer);
    const ours = floats(readFileSync(`${baked}.bin`).subarray(byteOffset, byteOffset + byteLength));
    const theirs = floats(readFileSync(drawn));
    if (ours.length !== theirs.length) throw new Error(`three.js gives ${theirs.length} numbers, not ${ours.length}`);
    for (const [i, value] of ours.entries()) {
        if (!(Math.abs(value - theirs[i]) < APART)) throw new Error(`three.js is ${theirs[i] - value} off at ${i}`);
    }
}
