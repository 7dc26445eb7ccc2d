// SPDX-License-Identifier: MIT

// Baking a production character, all clips at 60 Hz: three.js against poselane, in alternating rounds of one process,
// because machines drift. Build first (npm run build); POSELANE_BACKEND chooses the backend.
//
//     node bench/bake-knight.mjs [model.glb] [--rounds 7] [--json]
//
// The default model is not part of this repository: Knight.glb of KayKit's "Character Pack: Adventurers" (CC0), expected as
// ../shared/models/KayKit/Knight.glb. Any other .glb can be named.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const FPS = 60;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        json: { type: 'boolean', default: false },
        rounds: { type: 'string', default: '7' },
    },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) fail(`--rounds ${options.rounds}: needs a whole number from 1 up`);
const model = resolve(positionals[0] ?? join(root, '../shared/models/KayKit/Knight.glb'));
if (!existsSync(model)) {
    fail(
        `${model} is absent: nothing measured. The default is Knight.glb of KayKit's "Character Pack: Adventurers"; any .glb ` +
            'that holds its own buffers can be named instead: node bench/bake-knight.mjs model.glb',
    );
}
const dist = join(root, 'dist/index.js');
if (!existsSync(dist)) fail(`${dist} is missing: run npm run build first.`);
const poselane = createRequire(import.meta.url)(dist);

// All that three's GLTFLoader needs in Node.
globalThis.self = globalThis;
const { AnimationMixer, LoopOnce, MeshBasicMaterial } = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

// Not timed: the reference for both, and where the optimising compiler sees the code for the first time.
const { output, clips, joints, rows } = await reference();
const samples = { three: { evaluate: [], all: [] }, poselane: { evaluate: [], all: [] }, rig: { evaluate: [] } };
const bakeRig = await preparedRig();
for (let round = 0; round < rounds; round++) {
    await roundOfThree();
    await roundOfPoselane();
    roundOfRig();
}
report();

async function reference() {
    const [{ manifest, bin }] = (await poselane.bakeFile(model, { fps: FPS })).outputs;
    const { byteOffset, byteLength } = manifest.arrays.palette;
    const palette = new Float32Array(
        bin.buffer.slice(bin.byteOffset + byteOffset, bin.byteOffset + byteOffset + byteLength),
    );
    const wanted = { output: palette, clips: manifest.clips, joints: manifest.skin.joints.length };
    const drawn = poseAll(await parse(), wanted.clips);
    // A benchmark of two things that do not give the same result would mean nothing.
    if (drawn.length !== palette.length) fail(`three.js gives ${drawn.length} numbers, poselane ${palette.length}`);
    let apart = 0;
    for (let k = 0; k < drawn.length; k++) apart = Math.max(apart, Math.abs(drawn[k] - palette[k]));
    if (!(apart < 1e-4)) fail(`three.js and poselane differ by ${apart}`);
    return { ...wanted, rows: palette.length / 16 / wanted.joints };
}

async function roundOfThree() {
    const start = performance.now();
    const gltf = await parse();
    const parsed = performance.now();
    const palettes = poseAll(gltf, clips);
    const end = performance.now();
    if (palettes.length !== output.length) fail('three.js changed its mind');
    samples.three.evaluate.push(end - parsed);
    samples.three.all.push(end - start);
}

async function roundOfPoselane() {
    const start = performance.now();
    const { outputs, stats } = await poselane.bakeFile(model, { fps: FPS });
    const end = performance.now();
    if (outputs[0].bin.byteLength < output.byteLength) fail('poselane changed its mind');
    samples.poselane.evaluate.push(stats.evaluationMilliseconds);
    samples.poselane.all.push(end - start);
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
    let row = 0;
    for (const { animation, frameCount, duration } of clips) {
        for (let frame = 0; frame < frameCount; frame++, row++) {
            clipOf[row] = animation;
            times[row] = timeOf(frame, frameCount, duration);
        }
    }
    const poses = rig.createPoses(16, { only: Uint16Array.from(rig.skins[0].joints) });
    const palettes = new Float32Array(output.length);
    const run = () => rig.bakePalettes(poses, clipOf, times, 0, palettes);
    for (let i = 0; i < 3; i++) run();
    if (palettes.some((x, i) => x !== output[i])) fail('the Rig and the baker differ');
    return run;
}

function roundOfRig() {
    const start = performance.now();
    bakeRig();
    samples.rig.evaluate.push(performance.now() - start);
}

function timeOf(frame, frameCount, duration) {
    return frame === frameCount - 1 ? duration : Math.fround(Math.min(frame / FPS, duration));
}

async function parse() {
    const bytes = readFileSync(model);
    const loader = new GLTFLoader();
    // Images are neither side's work.
    const material = new MeshBasicMaterial();
    loader.register(() => ({ name: 'NO_IMAGES', loadMaterial: () => Promise.resolve(material) }));
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await loader.parseAsync(buffer, '');
    return { gltf, skeleton: await gltf.parser.getDependency('skin', 0) };
}

/** Every frame of every clip, by three.js's own AnimationMixer and Skeleton.update. */
function poseAll({ gltf, skeleton }, baked) {
    const width = skeleton.bones.length * 16;
    const frames = baked.reduce((sum, { frameCount }) => sum + frameCount, 0);
    const palettes = new Float32Array(frames * width);
    let row = 0;
    for (const { animation, frameCount, duration } of baked) {
        const mixer = new AnimationMixer(gltf.scene);
        const action = mixer.clipAction(gltf.animations[animation]);
        action.setLoop(LoopOnce);
        action.clampWhenFinished = true;
        action.play();
        for (let frame = 0; frame < frameCount; frame++, row++) {
            mixer.setTime(timeOf(frame, frameCount, duration));
            gltf.scene.updateMatrixWorld();
            skeleton.update();
            palettes.set(skeleton.boneMatrices.subarray(0, width), row * width);
        }
        mixer.stopAllAction();
        mixer.uncacheRoot(gltf.scene);
    }
    return palettes;
}

function report() {
    const summary = ({ evaluate, all }) => ({ evaluate: spread(evaluate), withParsing: spread(all) });
    const [three, ours] = [summary(samples.three), summary(samples.poselane)];
    const rig = spread(samples.rig.evaluate);
    const ratio = (which, what) => round2(three[which][what] / ours[which][what]);
    const result = {
        model: basename(model),
        fps: FPS,
        clips: clips.length,
        joints,
        rows,
        rounds,
        backend: poselane.backend ?? null,
        node: process.version,
        cpu: cpus()[0]?.model.trim() ?? 'unknown',
        milliseconds: { three, poselane: ours, rig: { evaluate: rig } },
        ratio: {
            rig: { min: round2(three.evaluate.min / rig.min), median: round2(three.evaluate.median / rig.median) },
            evaluate: { min: ratio('evaluate', 'min'), median: ratio('evaluate', 'median') },
            withParsing: { min: ratio('withParsing', 'min'), median: ratio('withParsing', 'median') },
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
            `${result.model}: ${clips.length} clips at ${FPS} Hz, ${rows} rows of ${joints} joints, ${rounds} rounds`,
            `Node ${result.node}, ${result.cpu}, backend ${result.backend ?? 'not told'}`,
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

function spread(times) {
    const sorted = times.toSorted((a, b) => a - b);
    return { min: round2(sorted[0]), median: round2(sorted[Math.floor(sorted.length / 2)]) };
}

function round2(x) {
    return Math.round(x * 100) / 100;
}

function fail(message) {
    console.error(message);
    process.exit(1);
}
