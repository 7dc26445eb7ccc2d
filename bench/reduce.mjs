// SPDX-License-Identifier: MIT

/**
 * `poselane reduce` beside glTF-Transform's resample and gltfpack: how many bytes of keys each leaves, and how far its clips are off, by
 * `verifyReduced`; poselane at the error of each of the others, and at other bounds; playback of reduced clips by the Rig. Then what was
 * to be reached beside what is. Build first (npm run build).
 *
 *     node bench/reduce.mjs [--model Fox --model Knight ...] [--rounds 3] [--others FOLDER] [--json] [--from run.json ...] [--write]
 *
 * --others: a folder whose node_modules has the packages of `PACKAGES`; without it npm installs them into a temporary one.
 * --from: what --json printed of other models, instead of measuring these again.
 * --write: into docs/reduce-benchmarks.md. All takes half an hour, most of it for KayKit's characters, which have 76 clips.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { root } from '../scripts/lib.mjs';
import { measure, measureWorks, partsOf, ratioOf, roundsOf } from './harness.mjs';
import { playback } from './rig/scenes.mjs';

const load = createRequire(import.meta.url);
const { reduceFile, Rig } = load('../dist/index.js');
const { decodeStored } = load('../dist/gltf/decode.js');
const { readGltf } = load('../dist/gltf/read.js');
const { readWhole } = load('../dist/gltf/read-whole.js');
const { animationBytes } = load('../dist/reduce/write/animation-bytes.js');
const { writeReduced } = load('../dist/reduce/write/write.js');
const { openSource } = load('../dist/rig/retarget/read.js');
const { verifyReduced } = load('../dist/verify/reduced.js');

/** As far as they are there: all but the first are in no repository of ours. */
const MODELS = {
    example: 'examples/character.glb',
    Fox: '../shared/models/Fox.glb',
    RobotExpressive: '../shared/models/RobotExpressive/RobotExpressive.glb',
    RiggedFigure: '../shared/models/RiggedFigure/RiggedFigure.gltf',
    Knight: '../shared/models/KayKit/Knight.glb',
    Rogue: '../shared/models/KayKit/Rogue.glb',
};
const PACKAGES = ['gltfpack@1.3.0', '@gltf-transform/core@4.5.1', '@gltf-transform/functions@4.5.1'];
/** Percent of the extent. */
const BOUND = 0.1;
const BOUNDS = [0.01, 0.03, BOUND, 0.3, 1];
/** Rows of poselane, which those of others follow. */
const OWN = 2;
const PLAYED = ['RobotExpressive', 'Knight'];
const PAGE = path.join(root, 'docs/reduce-benchmarks.md');
const [BEGIN, END] = ['<!-- bench:reduce -->', '<!-- /bench:reduce -->'];

const { values: options } = parseArgs({
    options: {
        from: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        model: { type: 'string', multiple: true },
        others: { type: 'string' },
        rounds: { type: 'string' },
        write: { type: 'boolean', default: false },
    },
});
const rounds = roundsOf(options.rounds, 3);
const earlier = options.from.map((file) => JSON.parse(fs.readFileSync(file, 'utf8')));
const wanted = partsOf(options.model, MODELS).filter((name) => !earlier.some((run) => isIn(run, name)));
const machine = machineText();
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-reduce-'));
try {
    await MeshoptEncoder.ready;
    const results = earlier.flatMap((run) => run.results);
    const played = earlier.flatMap((run) => run.played);
    let others;
    for (const name of wanted) {
        const source = path.join(root, MODELS[name]);
        if (!fs.existsSync(source)) continue;
        others ??= await loadOthers(options.others ?? installed(path.join(scratch, 'others')));
        results.push({ machine, ...(await measureModel(name, source, others)) });
        if (PLAYED.includes(name)) played.push(await measurePlayback(name, source, reducedFile(name)));
        console.error(`${name}: done`);
    }
    for (const list of [results, played]) list.sort((a, b) => placeOf(a) - placeOf(b));
    const run = { results, played, targets: targetsOf(results, played) };
    const lines = pageOf(run);
    console.log(options.json ? JSON.stringify(run, null, 2) : lines.join('\n'));
    if (options.write) {
        const [before, rest] = fs.readFileSync(PAGE, 'utf8').split(BEGIN);
        const after = rest.slice(rest.indexOf(END));
        fs.writeFileSync(PAGE, `${before}${[BEGIN, ...lines].join('\n')}\n${after}`);
    }
} finally {
    fs.rmSync(scratch, { recursive: true, force: true });
}

function machineText() {
    const cpu = os.cpus()[0]?.model.trim() ?? 'unknown';
    const processors = `${os.availableParallelism()} processors, load ${os.loadavg()[0].toFixed(1)} at the start`;
    return `Node ${process.version}, ${cpu}, ${processors}, ${rounds} round${rounds === 1 ? '' : 's'}`;
}

function isIn({ results }, model) {
    return results.some(({ name }) => name === model);
}

function placeOf({ name }) {
    return Object.keys(MODELS).indexOf(name);
}

function reducedFile(name) {
    return path.join(scratch, `${name}.glb`);
}

function installed(folder) {
    fs.mkdirSync(folder);
    const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', ...PACKAGES];
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' });
    if (status !== 0) throw new Error(`npm install ${PACKAGES.join(' ')}: ${stderr}`);
    return folder;
}

/** By name: each makes `to`, a GLB, of `from`. */
async function loadOthers(folder) {
    const packages = createRequire(path.join(path.resolve(folder), 'x.js'));
    const { NodeIO } = packages('@gltf-transform/core');
    const { resample } = packages('@gltf-transform/functions');
    const gltfpack = path.join(path.resolve(folder), 'node_modules/gltfpack/cli.js');
    const transform = (given) => async (from, to) => {
        const io = new NodeIO();
        const document = await io.read(from);
        await document.transform(resample(given));
        await io.write(to, document);
    };
    // Nodes keep their names, by which its channels are found again.
    const pack = (flags) => async (from, to) => {
        const args = [gltfpack, '-i', from, '-o', to, '-kn', ...flags];
        const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
        if (status !== 0) throw new Error(`gltfpack: ${stderr}`);
    };
    return {
        'glTF-Transform resample': transform({}),
        'glTF-Transform resample, 1e-3': transform({ tolerance: 1e-3 }),
        'gltfpack -noq': pack(['-noq']),
        gltfpack: pack([]),
    };
}

async function measureModel(name, source, others) {
    const files = Object.fromEntries(Object.keys(others).map((who, i) => [who, path.join(scratch, `${i}.glb`)]));
    const own = reducedFile(name);
    const reduced = async (to, given) => {
        const result = await reduceFile(source, given, { threads: os.availableParallelism() });
        fs.writeFileSync(to, result.bytes);
        return result;
    };
    const timed = (work) => async () => {
        const start = performance.now();
        await work();
        return performance.now() - start;
    };
    let first;
    const milliseconds = await measureWorks(
        {
            poselane: timed(async () => {
                first = await reduced(own, {});
            }),
            ...Object.fromEntries(
                Object.entries(others).map(([who, run]) => [who, timed(() => run(source, files[who]))]),
            ),
        },
        rounds,
    );
    const { extent } = first;
    /** Poselane's, which has to be within the bound. */
    const judged = async (what, file, given) => {
        const { clips, maxError, worst, problems } = await verifyReduced(source, file, given);
        const over = clips.filter(({ ok }) => !ok);
        const max = (list) => significant(Math.max(...list));
        const off = max(over.map(({ error }) => error / maxError));
        const turned = max(over.map(({ turn }) => turn?.angle ?? 0));
        const faults = [
            ...(over.length === 0
                ? []
                : [`${over.length} of ${clips.length} clips: off by ${off} bounds, turned by ${turned}°`]),
            ...problems.map(({ code, pointer }) => `${code} ${pointer}`),
        ];
        return { what, ...(await bytesOf(file)), error: worst?.error ?? 0, faults };
    };
    const bounds = [];
    for (const bound of BOUNDS) {
        const maxError = `${bound}%`;
        const file = bound === BOUND ? own : path.join(scratch, 'bound.glb');
        if (bound !== BOUND) await reduced(file, { maxError });
        bounds.push(await judged(`poselane, ${maxError}`, file, { maxError }));
    }
    const floats = path.join(scratch, 'floats.glb');
    await reduced(floats, { quantize: false });
    const rows = [
        { ...bounds[BOUNDS.indexOf(BOUND)], what: 'poselane', milliseconds: milliseconds.poselane },
        await judged('poselane, `quantize: false`', floats),
    ];
    for (const [who, file] of Object.entries(files)) {
        const error = await errorOf(source, file);
        const row = { what: who, ...(await bytesOf(file)), error, milliseconds: milliseconds[who] };
        // gltfpack's `-noq` is about meshes.
        const same = rows.find((other) => other.error === error);
        rows.push({ ...row, ours: same ? same.ours : await atError(error) });
    }
    return {
        name,
        extent,
        before: await bytesOf(source),
        clips: first.clips.length,
        rows,
        bounds,
    };

    /** Poselane with the error of another one as its bound; null where there is none, or float32 cannot keep that. */
    async function atError(maxError) {
        if (maxError === 0) return null;
        const file = path.join(scratch, 'equal.glb');
        try {
            await reduced(file, { maxError });
        } catch (error) {
            if (error.code === 'ERR_TOLERANCE') return null;
            throw error;
        }
        return judged('poselane at an equal error', file, { maxError });
    }
}

/**
 * How far another tool's clips are off. Its file may have other meshes and nodes: its channels are put on the source's nodes, which
 * `verifyReduced` can judge. Nodes without a vertex at or below them are left out.
 */
async function errorOf(source, file) {
    const wanted = { surfaces: true, rigid: true };
    const [own, other] = [await readGltf(source, wanted), await readGltf(file, wanted)];
    const names = pathsOf(other.nodes);
    const theirs = own.animations.map(
        ({ name }, i) => other.animations.find((one) => one.name === name) ?? other.animations[i],
    );
    let placeless = theirs.reduce((sum, { channels }) => sum + channels.length, 0);
    const paths = pathsOf(own.nodes);
    const animations = own.animations.map(({ channels }, animation) => {
        const kept = [];
        const removed = [];
        for (const { pointer, node, path: property } of channels) {
            const found = theirs[animation].channels.find(
                (one) => one.path === property && names[one.node] === paths[node],
            );
            if (found === undefined) removed.push(pointer);
            else {
                const { interpolation, times, values } = found;
                kept.push({ pointer, path: property, interpolation, times, values });
                placeless--;
            }
        }
        return { animation, channels: kept, removed };
    });
    if (placeless > 0) throw new Error(`${file}: ${placeless} channels of nodes that the source does not have`);
    const { bytes } = await writeReduced(openSource('bench', source, 'source').files, animations, { compress: 'none' });
    const transplanted = path.join(scratch, 'transplanted.glb');
    fs.writeFileSync(transplanted, bytes);
    const { worst } = await verifyReduced(source, transplanted, { maxAngle: Infinity });
    return worst?.error ?? 0;
}

/** Names from the root down, with the place among siblings of the same name. */
function pathsOf(nodes) {
    const seen = new Map();
    const paths = [];
    const pathOf = (node) => {
        if (node < 0) return '';
        if (paths[node] === undefined) {
            const own = `${pathOf(nodes[node].parent)}/${nodes[node].name}`;
            seen.set(own, (seen.get(own) ?? 0) + 1);
            paths[node] = `${own}#${seen.get(own)}`;
        }
        return paths[node];
    };
    for (const node of nodes.keys()) pathOf(node);
    return paths;
}

/** Keys, bytes, and bytes by gzip, of all animations; and by gzip what meshopt makes of them. */
async function bytesOf(file) {
    const whole = await readWhole(openSource('bench', file, 'file').files);
    const used = new Set(
        whole.json.animations.flatMap(({ samplers }) => samplers.flatMap((one) => [one.input, one.output])),
    );
    const infos = whole.accessors.filter(({ index }) => used.has(index));
    const stored = await decodeStored(infos, [], whole.buffers, whole.report);
    /** By the size of an element, of which meshopt needs whole words. */
    const streams = new Map();
    for (const info of infos) {
        const { buffer, byteOffset, byteLength } = stored.get(info);
        const size = byteLength / info.count;
        const stride = Math.ceil(size / 4) * 4;
        const elements = new Uint8Array(info.count * stride);
        for (let i = 0; i < info.count; i++)
            elements.set(new Uint8Array(buffer, byteOffset + i * size, size), i * stride);
        streams.set(stride, [...(streams.get(stride) ?? []), elements]);
    }
    const encoded = [...streams].map(([stride, parts]) => {
        const bytes = Buffer.concat(parts);
        return MeshoptEncoder.encodeGltfBuffer(bytes, bytes.length / stride, stride, 'ATTRIBUTES', 0);
    });
    const meshopt = gzipSync(Buffer.concat(encoded), { level: 9 }).length;
    return { ...(await animationBytes(whole)), meshopt };
}

/** The Rig's `evaluate` on 64 poses of one clip after another, each of which goes on by 1/60 s from turn to turn. */
async function measurePlayback(name, source, reduced) {
    const [POSES, TURNS] = [64, 8];
    const subjects = [];
    for (const [what, file] of Object.entries({ source, reduced })) {
        const rig = await Rig.load(file, { meshes: false });
        const poses = rig.createPoses(POSES);
        const times = rig.clips.map(({ duration }) => playback(duration || 1, POSES, TURNS));
        const count = times.length;
        subjects.push({
            what,
            units: POSES * rig.slots.length,
            outputs: [],
            run(call) {
                const clip = call % count;
                rig.evaluate(poses, clip, times[clip][Math.floor(call / count) % TURNS]);
            },
        });
    }
    const [before, after] = await measure(subjects, { rounds: 60, sample: 5, warm: 500 });
    const ratio = ratioOf(after.nanoseconds, before.nanoseconds);
    return { name, source: before.nanoseconds, reduced: after.nanoseconds, ratio };
}

function targetsOf(results, played) {
    const targets = [];
    const add = (what, wanted, reached, ok) => targets.push({ what, wanted, reached, ok });
    const own = results.flatMap(ownOf);
    const over = own.filter(({ faults }) => faults.length > 0).length;
    add('reduced files that `verifyReduced` refuses', 'none', `${over} of ${own.length}`, over === 0);
    for (const { name, before, rows } of results) {
        const left = rows[0].gzip / before.gzip;
        add(`${name}: gzip bytes left at 0.1%`, '≤ 35%', percent(left, 1), left <= 0.35);
    }
    for (const who of results[0]?.rows.slice(OWN).map(({ what }) => what) ?? []) {
        const ratios = results.flatMap(({ name, rows }) => {
            const row = rows.find(({ what }) => what === who);
            return row.ours ? [{ name, ratio: row.ours.gzip / row.gzip }] : [];
        });
        if (ratios.length === 0) continue;
        const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
        const half = ratios.filter(({ ratio }) => ratio <= 0.5).length;
        const reached = `${percent(worst.ratio, 0)} at most (${worst.name}); half or less on ${half} of ${ratios.length}`;
        add(`poselane's gzip bytes at the error of ${who}, of its own`, '< 100%, goal 50%', reached, worst.ratio < 1);
    }
    const knight = results.find(({ name }) => name === 'Knight');
    if (knight) {
        const { min, median } = knight.rows[0].milliseconds;
        const reached = `${seconds(min)} s, median ${seconds(median)} s`;
        add(`Knight's ${knight.clips} clips, ${os.availableParallelism()} threads`, '≤ 3 s', reached, min <= 3000);
    }
    for (const { name, ratio } of played) {
        const reached = `${ratio.min.toFixed(2)}×, median ${ratio.median.toFixed(2)}×`;
        add(
            `${name}: time of the Rig's \`evaluate\` in playback, over the source's`,
            '≤ 1.5×',
            reached,
            ratio.min <= 1.5,
        );
    }
    return targets;
}

function ownOf({ name, rows, bounds }) {
    const differ = rows.filter(({ error }, i) => rows.findIndex((other) => other.error === error) === i);
    return [...bounds, ...rows.slice(1, OWN), ...differ.flatMap(({ ours }) => ours ?? [])].map((one) => ({
        ...one,
        name,
    }));
}

function pageOf({ results, played, targets }) {
    const missing = Object.keys(MODELS).filter((name) => !isIn({ results }, name));
    const refused = results.flatMap(ownOf).filter(({ faults }) => faults.length > 0);
    return [
        ...(missing.length > 0 ? [`Not measured: ${missing.join(', ')}.`, ''] : []),
        '| target | wanted | reached | |',
        '|---|---|---|---|',
        ...targets.map(
            ({ what, wanted, reached, ok }) =>
                `| ${what} | ${wanted} | ${reached} | ${ok ? 'reached' : '**missed**'} |`,
        ),
        ...(refused.length > 0
            ? ['', 'Refused by `verifyReduced`, which allows nodes that carry no vertex to turn by 0.5°:', '']
            : []),
        ...refused.map(({ name, what, faults }) => `- ${name}, ${what}: ${faults.join(', ')}`),
        ...results.flatMap(modelLines),
        ...curveLines(results),
        ...playedLines(played),
    ];
}

function modelLines({ name, machine, extent, clips, before, rows }) {
    return [
        '',
        `### ${name}`,
        '',
        `${clips} clip${clips === 1 ? '' : 's'}, extent ${extent.toPrecision(4)}; the source has ${before.keys} keys, ${before.bytes} bytes, ${before.gzip} by gzip, ${before.meshopt} by meshopt and gzip. ${machine}.`,
        '',
        '| | error / bound | keys | bytes | gzip | left | meshopt + gzip | s | poselane at this error, gzip | of theirs |',
        '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
        ...rows.map(({ what, error, keys, bytes, gzip, meshopt, milliseconds, ours }) => {
            const cells = [
                what,
                significant((error / extent) * (100 / BOUND)),
                keys,
                bytes,
                gzip,
                percent(gzip / before.gzip, 1),
                meshopt,
                milliseconds ? seconds(milliseconds.min) : '',
                ours ? `${ours.gzip}` : ours === null ? 'none' : '',
                ours ? percent(ours.gzip / gzip, 0) : '',
            ];
            return `| ${cells.join(' | ')} |`;
        }),
    ];
}

function curveLines(results) {
    if (results.length === 0) return [];
    const cell = (gzip, error, { before, extent }) =>
        `${percent(gzip / before.gzip, 1)} at ${significant((error / extent) * 100)}%`;
    const names = results.map(({ name }) => name);
    return [
        '',
        '### Bytes against error',
        '',
        'Gzip bytes left, and the error as a share of the extent.',
        '',
        `| | ${names.join(' | ')} |`,
        `|---|${names.map(() => '---:|').join('')}`,
        ...BOUNDS.map((_, i) => {
            const cells = results.map((one) => cell(one.bounds[i].gzip, one.bounds[i].error, one));
            return `| ${results[0].bounds[i].what} | ${cells.join(' | ')} |`;
        }),
        ...results[0].rows.slice(OWN).map(({ what }) => {
            const cells = results.map((one) => {
                const row = one.rows.find((other) => other.what === what);
                return cell(row.gzip, row.error, one);
            });
            return `| ${what} | ${cells.join(' | ')} |`;
        }),
    ];
}

function playedLines(played) {
    if (played.length === 0) return [];
    const cell = ({ min, median }) => `${min.toFixed(2)} (${median.toFixed(2)})`;
    return [
        '',
        '### Playback by the Rig',
        '',
        'ns a slot and pose, minimum (median) of 60 rounds in turns: `evaluate` on 64 poses, all clips one after another.',
        '',
        '| | source | reduced | ratio |',
        '|---|---:|---:|---:|',
        ...played.map(
            ({ name, source, reduced, ratio }) => `| ${name} | ${cell(source)} | ${cell(reduced)} | ${cell(ratio)} |`,
        ),
    ];
}

function percent(x, digits) {
    return `${(x * 100).toFixed(digits)}%`;
}

function significant(x) {
    return x === 0 ? '0' : `${Number(x.toPrecision(2))}`;
}

function seconds(milliseconds) {
    return significant(milliseconds / 1000);
}
