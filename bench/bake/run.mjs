// SPDX-License-Identifier: MIT

/**
 * `npm run bench:bake`: only evaluation in one process, then the command `poselane bake` in processes of its own: cold start, a character
 * beside three.js, many files, more and more threads, and how long `bakeFiles` blocks its caller. Prints Markdown: minimum (median), in
 * milliseconds.
 *
 *     node bench/bake/run.mjs [--part evaluation --part cold --part character --part batch --part jobs --part server]
 *         [--rounds 15] [--json]
 */

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import poselane from '../../dist/index.js';
import { root } from '../../scripts/lib.mjs';
import { cell, EXAMPLE, MODEL, measureWorks, partsOf, roundsOf, table } from '../harness.mjs';
import { loadModel, palettesOf } from './three-bake.mjs';

const PARTS = {
    evaluation: measureEvaluation,
    cold: measureColdStart,
    character: measureCharacter,
    batch: measureBatch,
    jobs: measureJobs,
    server: measureServer,
};
const TOOL = path.join(root, 'dist/cli/main.js');
const FPS = 60;
const FILES = 100;
const CHARACTERS = 20;
/** In model units, for each number of a palette. */
const TOLERANCE = 1e-4;

const { values: options } = parseArgs({
    options: {
        json: { type: 'boolean', default: false },
        part: { type: 'string', multiple: true },
        rounds: { type: 'string' },
    },
});
const rounds = roundsOf(options.rounds, 15);
const parts = partsOf(options.part, PARTS);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-bench-'));
const load = os.loadavg()[0].toFixed(1);
const results = {};
try {
    for (const part of parts) results[part] = await PARTS[part]();
} finally {
    fs.rmSync(folder, { recursive: true, force: true });
}
if (options.json) {
    const model = path.basename(MODEL, '.glb');
    console.log(JSON.stringify({ rounds, processors: os.availableParallelism(), load, model, ...results }, null, 2));
} else {
    console.log(
        `${os.cpus()[0]?.model}, ${os.availableParallelism()} processors, load ${load}, Node ${process.version}`,
    );
    console.log(`${path.basename(MODEL)} at ${FPS} Hz, ${rounds} rounds; minimum (median)\n`);
    const rows = Object.entries(results).flatMap(([part, times]) =>
        Object.entries(times).map(([name, time]) => [`${part}: ${name}`, cell(time)]),
    );
    console.log(table(['', 'ms'], rows));
}

/** All clips in one process. Both sides write to a new array, except bakePalettes. */
async function measureEvaluation() {
    const bake = () => poselane.bakeFile(MODEL, { fps: FPS, attachments: 'none' });
    const [{ manifest, bin }] = (await bake()).outputs;
    const expected = paletteOf(manifest, bin);
    const model = await loadModel(MODEL);
    checkPalettes(expected, palettesOf(model, FPS), TOLERANCE);
    const bakePalettes = await preparedRig(manifest, expected);
    return measureWorks(
        {
            'three.js': timed(() => palettesOf(model, FPS)),
            'three.js with parsing': timed(async () => palettesOf(await loadModel(MODEL), FPS)),
            bakePalettes: timed(bakePalettes),
            'bakeFile, its evaluation only': async () => (await bake()).stats.evaluationMilliseconds,
            bakeFile: timed(bake),
        },
        rounds,
    );
}

/** Every frame of every clip in one call of `bakePalettes`. */
async function preparedRig({ clips }, expected) {
    const rig = await poselane.Rig.load(MODEL);
    const rows = expected.length / 16 / rig.skins[0].joints.length;
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
    run();
    checkPalettes(expected, palettes, 0);
    return run;
}

/**
 * Times whole processes in interleaved rounds.
 *
 * @param subjects By name: arguments of Node, or a list of such lists for several processes at once.
 * @param before By name: what runs before that subject and is not timed.
 * @returns By name: minimum and median, in milliseconds.
 */
async function timeProcesses(subjects, rounds, before = {}) {
    const works = Object.entries(subjects).map(([name, args]) => {
        const work = timed(() => Promise.all((Array.isArray(args[0]) ? args : [args]).map(runNode)));
        const prepared = () => {
            before[name]?.();
            return work();
        };
        return [name, prepared];
    });
    // The first run of each brings the files into the system's cache.
    for (const [, work] of works) await work();
    return measureWorks(Object.fromEntries(works), rounds);
}

/** The milliseconds that `work` takes. */
function timed(work) {
    return async () => {
        const start = performance.now();
        await work();
        return performance.now() - start;
    };
}

function runNode(args) {
    return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
        let stderr = '';
        child.stderr.on('data', (text) => {
            stderr += text;
        });
        child.on('error', reject);
        child.on('close', (status) => (status === 0 ? resolve() : reject(new Error(`${args.join(' ')}: ${stderr}`))));
    });
}

function paletteOf({ arrays: { palette } }, bin) {
    const bytes = bin.subarray(palette.byteOffset, palette.byteOffset + palette.byteLength);
    return new Float32Array(Uint8Array.from(bytes).buffer);
}

function checkPalettes(expected, found, tolerance) {
    if (found.length !== expected.length) throw new Error(`${found.length} numbers, expected ${expected.length}`);
    const at = found.findIndex((x, i) => !(Math.abs(x - expected[i]) <= tolerance));
    if (at >= 0) throw new Error(`number ${at} is ${found[at]}, expected ${expected[at]}`);
}

function measureColdStart() {
    const parse = [path.join(root, 'bench/bake/bare-parse.mjs'), EXAMPLE];
    return timeProcesses({ 'bare parse': parse, bake: [TOOL, 'bake', EXAMPLE, '-o', folder, '--quiet'] }, rounds);
}

async function measureCharacter() {
    const drawn = path.join(folder, 'palettes.bin');
    const times = await timeProcesses(
        {
            'three.js, palettes only': [path.join(root, 'bench/bake/three-bake.mjs'), MODEL, drawn, `${FPS}`],
            // three.js poses the joints of the skin only.
            poselane: [TOOL, 'bake', MODEL, '-o', folder, '--fps', `${FPS}`, '--attachments', 'none', '--quiet'],
        },
        rounds,
    );
    const baked = path.join(folder, `${path.basename(MODEL, '.glb')}.bake`);
    const manifest = JSON.parse(fs.readFileSync(`${baked}.json`, 'utf8'));
    const found = new Float32Array(Uint8Array.from(fs.readFileSync(drawn)).buffer);
    checkPalettes(paletteOf(manifest, fs.readFileSync(`${baked}.bin`)), found, TOLERANCE);
    return times;
}

/** `poselane bake` of copies of a model. */
function batchOf(model, count) {
    const models = path.join(folder, path.basename(model, '.glb'));
    fs.mkdirSync(models);
    for (let i = 0; i < count; i++) fs.copyFileSync(model, path.join(models, `${i}.glb`));
    return (...given) => [TOOL, 'bake', models, '-o', path.join(folder, 'out'), '--quiet', ...given];
}

/** Copies of the example with an empty and a full cache. */
function measureBatch() {
    const cache = path.join(folder, 'cache');
    const bake = batchOf(EXAMPLE, FILES);
    return timeProcesses({ 'empty cache': bake('--cache', cache), 'full cache': bake('--cache', cache) }, rounds, {
        'empty cache': () => fs.rmSync(cache, { recursive: true, force: true }),
    });
}

/** Copies of the model, and the clips of one, by up to as many threads as there are processors; the copies also by processes. */
function measureJobs() {
    const processors = os.availableParallelism();
    const counts = [1, 2, 4, 8, 16, 32, 64].filter((n) => n < processors).concat(processors);
    const bake = batchOf(MODEL, CHARACTERS);
    const reduced = path.join(folder, 'reduced.glb');
    const shards = (n) => Array.from({ length: n }, (_, i) => bake('-j', '1', '--shard', `${i + 1}/${n}`));
    const subjects = counts.flatMap((n) => [
        [`bake -j ${n}`, bake('-j', `${n}`)],
        [`bake, processes: ${n}`, shards(n)],
        [`reduce -j ${n}`, [TOOL, 'reduce', MODEL, '-o', reduced, '--quiet', '-j', `${n}`]],
    ]);
    return timeProcesses(Object.fromEntries(subjects), Math.min(rounds, 3));
}

/** The longest delay of the event loop while `bakeFiles` bakes, beside a process that bakes nothing. */
async function measureServer() {
    const delayWhile = async (work) => {
        const monitor = monitorEventLoopDelay({ resolution: 1 });
        monitor.enable();
        await work();
        monitor.disable();
        return monitor.max / 1e6;
    };
    const results = poselane.bakeFiles(Array(rounds * 4 + 1).fill(MODEL), { options: { fps: FPS }, concurrency: 1 });
    const next = async () => {
        const { value } = await results.next();
        if (value.error) throw value.error;
    };
    // Starts the thread.
    await next();
    const several = async () => {
        for (let k = 0; k < 4; k++) await next();
    };
    return measureWorks(
        {
            'longest delay while baking': () => delayWhile(several),
            'longest delay while idle': () => delayWhile(() => new Promise((done) => setTimeout(done, 500))),
        },
        rounds,
    );
}
