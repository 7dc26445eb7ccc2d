// SPDX-License-Identifier: MIT

/**
 * A production character and the example, from file to files, beside three.js: doing the same work, and as it would be without
 * a baker, for the palettes alone.
 */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ratioOf } from '../harness.mjs';
import { here, root, TOOL, timeProcesses, withFolder } from './processes.mjs';

const FPS = '60';
const KNIGHT = '../shared/models/KayKit/Knight.glb';
const EXAMPLE = 'examples/character.glb';
/** Of numbers of the palette, in model units. */
const APART = 1e-4;
/** Of the figures, in extents: as exact as a bake has to be itself. */
const FIGURES_APART = 1e-5;
/** Of how late jumps are, seconds. */
const LATE_APART = 1e-6;

/** @returns One entry for each model, or `{ model, skipped }`, which says why there is none. */
export async function measureEndToEnd({ rounds }) {
    const results = [];
    for (const model of [KNIGHT, EXAMPLE]) results.push(await measureModel(model, rounds));
    return results;
}

function measureModel(model, rounds) {
    const path = join(root, model);
    if (!existsSync(path)) return { model, skipped: `${model} is absent` };
    return withFolder(async (folder) => {
        const drawn = join(folder, 'palettes.bin');
        const same = join(folder, 'same');
        const { three, palettes, bake } = await timeProcesses(
            {
                three: [here('three-bake-errors.mjs'), path, same, FPS],
                palettes: [here('three-bake.mjs'), path, drawn, FPS],
                // three.js poses the skin's joints alone.
                bake: [TOOL, 'bake', path, '-o', folder, '--fps', FPS, '--attachments', 'none', '--quiet'],
            },
            rounds,
        );
        const baked = join(folder, `${basename(path, '.glb')}.bake`);
        checkPalettes(drawn, baked);
        checkPalettes(`${same}.bin`, baked);
        checkFigures(`${same}.json`, baked);
        return {
            model,
            three,
            palettes,
            bake,
            ratio: ratioOf(three, bake),
            palettesRatio: ratioOf(palettes, bake),
        };
    });
}

// A benchmark of things that do not give the same result would mean nothing.

function checkPalettes(drawn, baked) {
    const { arrays } = readJson(`${baked}.json`);
    const { byteOffset, byteLength } = arrays.palette;
    const floats = (bytes) => new Float32Array(Uint8Array.from(bytes).buffer);
    const ours = floats(readFileSync(`${baked}.bin`).subarray(byteOffset, byteOffset + byteLength));
    const theirs = floats(readFileSync(drawn));
    if (ours.length !== theirs.length) throw new Error(`three.js gives ${theirs.length} numbers, not ${ours.length}`);
    for (const [i, value] of ours.entries()) {
        if (!(Math.abs(value - theirs[i]) < APART)) throw new Error(`three.js is ${theirs[i] - value} off at ${i}`);
    }
}

function checkFigures(drawn, baked) {
    const { extent, clips } = readJson(`${baked}.json`);
    const theirs = readJson(drawn);
    const near = (what, value, other, apart) => {
        if (!(Math.abs(value - other) <= apart)) throw new Error(`${what}: ${other} by three.js, not ${value}`);
    };
    near('extent', extent, theirs.extent, FIGURES_APART * extent);
    near('clips', clips.length, theirs.clips.length, 0);
    for (const [index, { name, bounds, error, discontinuities, firstRow, frameCount, duration }] of clips.entries()) {
        const other = theirs.clips[index];
        near(`${name}: first row`, firstRow, other.firstRow, 0);
        near(`${name}: frames`, frameCount, other.frameCount, 0);
        near(`${name}: duration`, duration, other.duration, 0);
        if (`${discontinuities}` !== `${other.discontinuities}`) {
            throw new Error(`${name}: jumps at ${other.discontinuities} by three.js, not ${discontinuities}`);
        }
        bounds.forEach((side, k) => {
            near(`${name}: side ${k}`, side, other.bounds[k], FIGURES_APART * extent);
        });
        near(`${name}: late`, error.maxLate, other.error.maxLate, LATE_APART);
        for (const figure of ['maxLerp', 'maxNearest']) {
            near(`${name}: ${figure}`, error[figure], other.error[figure], FIGURES_APART * extent);
            near(`${name}: ${figure}Share`, error[`${figure}Share`], other.error[`${figure}Share`], FIGURES_APART);
        }
    }
}

function readJson(path) {
    return JSON.parse(readFileSync(path, 'utf8'));
}
