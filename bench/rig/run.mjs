// SPDX-License-Identifier: MIT

/**
 * `npm run bench:rig`: the Rig beside three.js and plain JavaScript over flat arrays. All subjects of a part must give the same result,
 * and are measured in interleaved rounds. Prints Markdown: minimum (median), in nanoseconds; loading in milliseconds.
 *
 *     node bench/rig/run.mjs [--part poses --part skinning --part growth --part loading] [--rounds 40] [--warm 50] [--json] [--ozz program]
 *
 * --warm: milliseconds that each subject runs before its first sample. --ozz: the program of ozz.cpp, which says how to build it.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
    cell,
    checkAgreement,
    MODEL,
    measure,
    measureWorks,
    partsOf,
    resultTable,
    roundsOf,
    table,
} from '../harness.mjs';
import { flatPoses } from './flat-poses.mjs';
import { flatSkin } from './flat-skinning.mjs';
import { createRig, defaultRig, describeMachine, implementations, Rig } from './library.mjs';
import { rigBake, rigPoses } from './pose-subjects.mjs';
import { createCharacter, createParts, durationOf, playback } from './scenes.mjs';
import { threePoses, threeSkin } from './three-subjects.mjs';

const PARTS = { poses: measurePoses, skinning: measureSkinning, growth: measureGrowth, loading: measureLoading };
const TITLES = {
    poses: 'evaluate + toGlobal + palettes, 64 joints: ns per joint and pose',
    skinning: '5,000 vertices, 48 joints: ns per vertex and pose',
    growth: 'How cost grows: ns per joint and pose',
    loading: `Loading ${basename(MODEL)} from memory, once in a new process: ms`,
};
/** Chains of some 20 rotations: with acos and sin in doubles, or with a polynomial in floats. */
const POSE_TOLERANCE = 2e-3;
const SKIN_TOLERANCE = 1e-4;

const { values: options } = parseArgs({
    options: {
        json: { type: 'boolean', default: false },
        ozz: { type: 'string' },
        part: { type: 'string', multiple: true },
        rounds: { type: 'string' },
        warm: { type: 'string' },
    },
});
const settings = {
    rounds: roundsOf(options.rounds, 40),
    ...(options.warm === undefined ? {} : { warm: Number(options.warm) }),
};

const CLIPS = 76;
/** The clips of `count` poses in a call: one for all, one for each, or a new one for each in each call. */
const MIXES = {
    '1 pose': { count: 1 },
    '64 poses': { count: 64 },
    '200 poses': { count: 200 },
    '200 poses, 76 clips': { count: 200, clipOf: (pose) => (pose * 29) % CLIPS },
    '200 poses, 76 clips, jumping': {
        count: 200,
        clipOf: (pose, call) => (pose * 29 + call * 37) % CLIPS,
        jumps: true,
    },
};

/** From clip and time to palettes. */
async function measurePoses() {
    const parts = createParts({ clips: CLIPS });
    const results = options.ozz ? JSON.parse(execFileSync(options.ozz, { encoding: 'utf8' })) : [];
    const rigs = implementations.map((one) => createRig(parts, one));
    for (const [poses, { count, clipOf, jumps }] of Object.entries(MIXES)) {
        // The times repeat after two seconds at 60 Hz, the duration of the clips.
        const times = playback(durationOf(parts), count, 120);
        const clips = clipOf && times.map((all, call) => Uint16Array.from(all, (_, pose) => clipOf(pose, call)));
        const out = new Float32Array(count * parts.parents.length * 16);
        const labels = { poses, times, clips, out };
        const three = { ...labels, clips: clips?.[0] };
        const subjects = [
            ...rigs.map((rig) => rigPoses(rig, { ...labels, chunk: count })),
            rigBake(rigs[0], { ...labels, name: `one call, ${rigs[0].implementation}` }),
            flatPoses(parts, labels),
            ...(clips ? [] : [threePoses(parts, { ...three, name: 'three.js, one character', characters: 1 })]),
            ...(jumps ? [] : [threePoses(parts, { ...three, name: 'three.js, one for each pose', characters: count })]),
        ];
        checkAgreement(poses, subjects, POSE_TOLERANCE);
        results.push(...(await measure(subjects, settings)));
    }
    return results;
}

async function measureSkinning() {
    const parts = createCharacter();
    const [times] = playback(durationOf(parts), 64, 1);
    const matrices = matricesOf(parts, times);
    const others = { 'positions and normals': [flatSkin(parts, matrices)], positions: [threeSkin(parts, matrices)] };
    const results = [];
    for (const work of ['positions and normals', 'positions', 'bounds']) {
        const subjects = [
            ...implementations.map((one) => rigSkin(parts, times, one, work)),
            ...(others[work] ?? []),
        ].map((subject) => ({ ...subject, work }));
        checkAgreement(work, subjects, SKIN_TOLERANCE);
        results.push(...(await measure(subjects, settings)));
    }
    return results;
}

/**
 * The Rig's calls that skin. The poses do not change between calls.
 *
 * @param call `positions and normals`, `positions` or `bounds`.
 */
function rigSkin(parts, times, implementation, call) {
    const { rig, poses } = posed(parts, times, implementation);
    const vertices = times.length * rig.meshes[0].vertexCount;
    const lengths = { 'positions and normals': [vertices * 3, vertices * 3], positions: [vertices * 3] };
    const outputs = (lengths[call] ?? [times.length * 6]).map((length) => new Float32Array(length));
    const run =
        call === 'bounds'
            ? () => rig.bounds(poses, 0, 0, outputs[0])
            : () => rig.skinVertices(poses, 0, 0, outputs[0], outputs[1]);
    return { name: implementation.name, units: vertices, outputs, run };
}

/** Input of the other libraries: the poses as palettes and as global matrices, both `[pose][joint][12]`. */
function matricesOf(parts, times) {
    const { rig, poses } = posed(parts, times);
    const joints = rig.skins[0].joints.length;
    const palettes = new Float32Array(times.length * joints * 12);
    rig.palettes(poses, 0, palettes, 'mat3x4');
    const globals = new Float32Array(times.length * joints * 12);
    rig.joints(poses, rig.skins[0].joints, globals);
    return { count: times.length, joints, palettes, globals };
}

function posed(parts, times, implementation) {
    const rig = createRig(parts, implementation);
    const poses = rig.createPoses(times.length);
    rig.evaluate(poses, 0, times);
    rig.toGlobal(poses);
    return { rig, poses };
}

/** One quantity at a time grows; the others are those of `createParts`. */
async function measureGrowth() {
    const subjects = [
        ...[64, 1024, 16_384, 64_000].flatMap((poses) => growthSubjects(`${poses} poses`, { poses })),
        ...[8, 16, 128, 512].flatMap((joints) => growthSubjects(`${joints} joints`, { joints })),
        ...[2, 100, 1000, 10_000].flatMap((keys) => growthSubjects(`${keys} keys`, { keys })),
        ...[64, 192].flatMap((groups) => growthSubjects(`${groups} lists of key times`, { groups })),
    ];
    return measure(subjects, settings);
}

function growthSubjects(size, { poses = 64, ...scene }) {
    const parts = createParts(scene);
    const rig = createRig(parts, defaultRig);
    const times = playback(durationOf(parts), poses, Math.max(2, Math.min(240, Math.floor(1e6 / poses))));
    const out = new Float32Array(poses * parts.parents.length * 16);
    const labels = { times, out, size };
    const subjects = [
        rigPoses(rig, { ...labels, name: 'three calls on all poses', chunk: poses }),
        rigPoses(rig, { ...labels, name: 'three calls on 64 poses at a time', chunk: 64 }),
        rigPoses(rig, { ...labels, name: 'three calls on 16 poses at a time', chunk: 16 }),
        rigBake(rig, { ...labels, name: 'bakePalettes, 64 poses at a time', chunk: 64 }),
    ];
    checkAgreement(size, subjects, 0);
    return [...subjects, rigPoses(rig, { ...labels, name: 'evaluate only', chunk: poses, calls: ['evaluate'] })];
}

/** By name: minimum and median of the milliseconds. */
async function measureLoading() {
    const folder = mkdtempSync(join(tmpdir(), 'poselane-bench-'));
    const file = join(folder, 'model.rig');
    writeFileSync(file, (await Rig.load(MODEL)).serialize());
    const script = join(import.meta.dirname, 'load.mjs');
    const once = (subject, path) => () => Number(execFileSync(process.execPath, [script, subject, path]));
    const works = {
        'Rig.deserialize': once('deserialize', file),
        'Rig.load': once('load', MODEL),
        'three.js, GLTFLoader': once('three', MODEL),
    };
    try {
        return await measureWorks(works, settings.rounds);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

const machine = describeMachine();
const results = {};
for (const part of partsOf(options.part, PARTS)) results[part] = await PARTS[part]();
if (options.json) {
    const model = basename(MODEL, '.glb');
    console.log(JSON.stringify({ machine, settings, model, ...results }, null, 2));
} else {
    console.log(`The Rig on ${machine.cpu}, Node ${machine.node}, ${settings.rounds} rounds; minimum (median)`);
    for (const [part, list] of Object.entries(results)) {
        if (part === 'loading') {
            const rows = Object.entries(list).map(([name, time]) => [name, cell(time)]);
            console.log(`\n${TITLES[part]}\n\n${table(['', 'ms'], rows)}`);
            continue;
        }
        const [column, row] = part === 'growth' ? ['name', 'size'] : [part === 'poses' ? 'poses' : 'work', 'name'];
        console.log(`\n${TITLES[part]}\n\n${resultTable(list, column, row)}`);
    }
}
