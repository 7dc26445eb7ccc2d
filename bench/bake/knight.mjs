// SPDX-License-Identifier: MIT

/**
 * Baking a production character, all clips at 60 Hz: three.js against poselane, in interleaved rounds of one process,
 * because machines drift. Build first (npm run build); POSELANE_BACKEND chooses the backend.
 *
 *     node bench/bake/knight.mjs [model.glb] [--rounds 7] [--json]
 *
 * The default model is not part of this repository: Knight.glb of KayKit's "Character Pack: Adventurers" (CC0), expected as
 * ../shared/models/KayKit/Knight.glb. Any other .glb that holds its own buffers can be named.
 */

import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import poselane from '../../dist/index.js';
import { measureWorks, ratioOf, roundsOf, spread } from '../harness.mjs';
import { root } from './processes.mjs';
import { loadModel, palettesOf } from './three-model.mjs';

const FPS = 60;
/** Of numbers of the palettes, model units. */
const APART = 1e-4;

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = roundsOf(options.rounds, 7);
const model = resolve(positionals[0] ?? join(root, '../shared/models/KayKit/Knight.glb'));
if (!existsSync(model)) {
    console.error(
        `${model} is absent: nothing measured. Another .glb can be named: node bench/bake/knight.mjs model.glb`,
    );
    process.exit(1);
}

// Not timed: the reference for all, and where the optimising compiler sees the code for the first time.
const [{ manifest, bin }] = (await poselane.bakeFile(model, { fps: FPS, attachments: 'none' })).outputs;
const { byteOffset, byteLength } = manifest.arrays.palette;
const expected = new Float32Array(Uint8Array.from(bin.subarray(byteOffset, byteOffset + byteLength)).buffer);
const { clips, skin } = manifest;
const rows = expected.length / 16 / skin.joints.length;
checkSame('three.js', palettesOf(await loadModel(model), FPS), APART);
const bakeRig = await preparedRig();

/** Milliseconds of evaluation alone, within the whole work. */
const evaluation = { three: [], poselane: [] };
const all = await measureWorks(
    {
        async three() {
            const start = performance.now();
            const parsed = await loadModel(model);
            const begin = performance.now();
            palettesOf(parsed, FPS);
            evaluation.three.push(performance.now() - begin);
            return performance.now() - start;
        },
        async poselane() {
            const start = performance.now();
            const { stats } = await poselane.bakeFile(model, { fps: FPS, attachments: 'none' });
            evaluation.poselane.push(stats.evaluationMilliseconds);
            return performance.now() - start;
        },
        rig() {
            const start = performance.now();
            bakeRig();
            return performance.now() - start;
        },
    },
    rounds,
);
report();

// A benchmark of things that do not give the same result would mean nothing.
function checkSame(who, palettes, tolerance) {
    if (palettes.length !== expected.length)
        throw new Error(`${who} gives ${palettes.length} numbers, not ${expected.length}`);
    const at = palettes.findIndex((x, i) => !(Math.abs(x - expected[i]) <= tolerance));
    if (at >= 0) throw new Error(`${who} is ${palettes[at] - expected[at]} off at ${at}`);
}

/**
 * The Rig alone: every frame of every clip in one call of `bakePalettes`, into an array that is used again. The other two
 * write to a new one every time, whose pages the operating system clears as they are touched: for three.js that is next
 * to nothing, for the others a quarter of the time.
 */
async function preparedRig() {
    const rig = await poselane.Rig.load(model);
    const clipOf = new Uint16Array(rows);
    const times = new Float32Array(rows);
    for (const { animation, firstRow, frameCount, duration } of clips) {
        clipOf.fill(animation, firstRow, firstRow + frameCount);
        for (let frame = 0; frame < frameCount; frame++) {
            times[firstRow + frame] = frame === frameCount - 1 ? duration : Math.min(frame / FPS, duration);
        }
    }
    const poses = rig.createPoses(16, { only: rig.skins[0].joints });
    const palettes = new Float32Array(expected.length);
    const run = () => rig.bakePalettes(poses, clipOf, times, 0, palettes);
    for (let i = 0; i < 3; i++) run();
    checkSame('the Rig', palettes, 0);
    return run;
}

function report() {
    const rounded = ({ min, median }) => ({ min: round2(min), median: round2(median) });
    const summary = (which) => ({ evaluate: rounded(spread(evaluation[which])), withParsing: rounded(all[which]) });
    const [three, ours] = [summary('three'), summary('poselane')];
    const rig = rounded(all.rig);
    const over = (which) => rounded(ratioOf(three[which], ours[which]));
    const result = {
        model: basename(model),
        fps: FPS,
        clips: clips.length,
        joints: skin.joints.length,
        rows,
        rounds,
        backend: poselane.backend,
        node: process.version,
        cpu: cpus()[0]?.model.trim() ?? 'unknown',
        milliseconds: { three, poselane: ours, rig: { evaluate: rig } },
        ratio: {
            rig: rounded(ratioOf(three.evaluate, rig)),
            evaluate: over('evaluate'),
            withParsing: over('withParsing'),
        },
    };
    if (options.json) {
        console.log(JSON.stringify(result, null, 2));
        return;
    }
    const line = (name, { min, median }) =>
        `  ${name.padEnd(12)}${String(min).padStart(9)}${String(median).padStart(9)}`;
    const times = ({ min, median }) => `  three.js takes ${min} times as long by the minimum, ${median} by the median`;
    console.log(
        [
            `${result.model}: ${clips.length} clips at ${FPS} Hz, ${rows} rows of ${result.joints} joints, ${rounds} rounds`,
            `Node ${result.node}, ${result.cpu}, backend ${result.backend}`,
            '',
            'evaluation alone, ms     min   median',
            line('three.js', three.evaluate),
            line('poselane', ours.evaluate),
            times(result.ratio.evaluate),
            line('the Rig', rig),
            times(result.ratio.rig),
            'with reading and parsing (poselane: bounds, checksums and manifest too), ms',
            line('three.js', three.withParsing),
            line('poselane', ours.withParsing),
            times(result.ratio.withParsing),
        ].join('\n'),
    );
}

function round2(x) {
    return Math.round(x * 100) / 100;
}
