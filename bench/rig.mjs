// SPDX-License-Identifier: MIT

// The Rig beside three.js and beside plain JavaScript over flat arrays: 64 joints with translation, rotation and scale
// tracks of 61 keys, from clip and time to palettes. All in alternating rounds of one process, because machines drift.
// Build first (npm run build).
//
//     node bench/rig.mjs [--rounds 9] [--json]
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
    options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '9' } },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) fail(`--rounds ${options.rounds}: needs a whole number from 1 up`);
const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist');
if (!existsSync(join(dist, 'rig/rig.js'))) fail(`${dist} is missing: run npm run build first.`);
const load = createRequire(import.meta.url);
const { Rig } = load(join(dist, 'rig/rig.js'));
const { sourceOfParts } = load(join(dist, 'rig/from-parts.js'));
const { nativeRigs } = load(join(dist, 'rig/native.js'));
const { typescriptRig } = load(join(dist, 'rig/typescript/index.js'));
const THREE = await import('three');

/** Ticks are of the clock of the machine that the targets were set on. */
const TICKS_PER_NS = 2.596;
const JOINTS = 64;
const KEYS = 61;
const DURATION = 2;
/** A sample lasts about so many milliseconds. */
const SAMPLE = 4;

const parts = createParts();
const results = [];
for (const count of [64, 1, 200]) results.push(...measure(`${count} poses`, subjects(count)));
for (const count of [16, 64, 256, 1024, 4096, 16384, 64000]) {
    results.push(...measure(`growth: ${count} poses in one call`, rigSubjects(count, count, true)));
    if (count > 64) results.push(...measure(`growth: ${count} poses, 64 at a time`, rigSubjects(count, 64, true)));
}
report();

/** A hierarchy as deep as a humanoid's, and one clip whose tracks share their key times. */
function createParts() {
    let state = 1;
    const next = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 31 - 1;
    };
    const rotation = () => {
        const q = [next(), next(), next(), next()];
        const length = Math.hypot(...q);
        return q.map((x) => x / length);
    };
    const parents = Array.from({ length: JOINTS }, (_, i) => (i === 0 ? -1 : i % 5 === 0 ? i >> 1 : i - 1));
    const rest = parents.flatMap(() => [next(), next(), next(), ...rotation(), 1, 1, 1]);
    const times = Float32Array.from({ length: KEYS }, (_, key) => (key * DURATION) / (KEYS - 1));
    const keys = (make) => Float32Array.from(Array.from(times, make).flat());
    const channels = parents.flatMap((_, node) => [
        { node, path: 'translation', times, values: keys(() => [next(), next(), next()]) },
        { node, path: 'rotation', times, values: keys(rotation) },
        { node, path: 'scale', times, values: keys(() => [1 + 0.1 * next(), 1 + 0.1 * next(), 1 + 0.1 * next()]) },
    ]);
    const inverseBindMatrices = Float32Array.from({ length: JOINTS * 16 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0));
    return { parents, rest, skins: [{ joints: parents.map((_, i) => i), inverseBindMatrices }], clips: [{ channels }] };
}

/** Every pose at its own time. */
function timesOf(count) {
    return Float32Array.from({ length: count }, (_, i) => (DURATION * ((i * 0.6180339887) % 1) + i / count) % DURATION);
}

function subjects(count) {
    return [...rigSubjects(count, count), flatSubject(count), threeSubject(count)];
}

/** `chunk` poses at a time, their memory used again and again. */
function rigSubjects(count, chunk, onlyBest = false) {
    const implementations = nativeRigs.flatMap(({ implementation }) => implementation ?? []);
    const chosen = onlyBest && implementations.length > 0 ? [implementations[0]] : [...implementations, typescriptRig];
    return chosen.map((implementation) => {
        const source = sourceOfParts(parts);
        const rig = new Rig(source, new Uint8Array(JOINTS).fill(1), implementation);
        const poses = rig.createPoses(chunk);
        const out = new Float32Array(count * JOINTS * 16);
        const times = timesOf(count);
        const calls = [];
        for (let first = 0; first < count; first += chunk) {
            const poseCount = Math.min(chunk, count - first);
            calls.push({
                poseCount,
                times: times.subarray(first, first + poseCount),
                out: out.subarray(first * JOINTS * 16, (first + poseCount) * JOINTS * 16),
            });
        }
        return {
            name: implementation.name,
            count,
            out,
            run() {
                for (const call of calls) {
                    poses.count = call.poseCount;
                    rig.evaluate(poses, 0, call.times);
                    rig.toGlobal(poses);
                    rig.palettes(poses, 0, call.out);
                }
            },
        };
    });
}

/** What a careful programmer writes without this library: flat arrays, no objects, no allocation, one pose after another. */
function flatSubject(count) {
    const { parents, clips, skins } = parts;
    const { channels } = clips[0];
    const keyTimes = channels[0].times;
    const tracks = channels.map(({ values }) => values);
    const parentList = Int32Array.from(parents);
    const binds = Float32Array.from(skins[0].inverseBindMatrices);
    const worlds = new Float32Array(JOINTS * 12);
    const out = new Float32Array(count * JOINTS * 16);
    const times = timesOf(count);
    const cursors = new Int32Array(count);
    const { acos, sin } = Math;

    function key(pose) {
        const time = times[pose];
        let k = cursors[pose];
        if (keyTimes[k] > time) k = 0;
        while (k < KEYS - 2 && keyTimes[k + 1] <= time) k++;
        cursors[pose] = k;
        return k;
    }

    function evaluatePose(pose) {
        const k = key(pose);
        const s = (times[pose] - keyTimes[k]) / (keyTimes[k + 1] - keyTimes[k]);
        for (let joint = 0; joint < JOINTS; joint++) {
            const T = tracks[joint * 3];
            const R = tracks[joint * 3 + 1];
            const S = tracks[joint * 3 + 2];
            const t = k * 3;
            const tx = T[t] + (T[t + 3] - T[t]) * s;
            const ty = T[t + 1] + (T[t + 4] - T[t + 1]) * s;
            const tz = T[t + 2] + (T[t + 5] - T[t + 2]) * s;
            const sx = S[t] + (S[t + 3] - S[t]) * s;
            const sy = S[t + 1] + (S[t + 4] - S[t + 1]) * s;
            const sz = S[t + 2] + (S[t + 5] - S[t + 2]) * s;
            const r = k * 4;
            const dot = R[r] * R[r + 4] + R[r + 1] * R[r + 5] + R[r + 2] * R[r + 6] + R[r + 3] * R[r + 7];
            const cosine = dot < 0 ? -dot : dot;
            let from = 1 - s;
            let to = s;
            if (cosine < 0.9995) {
                const angle = acos(cosine);
                const scale = 1 / sin(angle);
                from = sin(from * angle) * scale;
                to = sin(to * angle) * scale;
            }
            if (dot < 0) to = -to;
            const x = from * R[r] + to * R[r + 4];
            const y = from * R[r + 1] + to * R[r + 5];
            const z = from * R[r + 2] + to * R[r + 6];
            const w = from * R[r + 3] + to * R[r + 7];
            const m0 = (1 - 2 * (y * y + z * z)) * sx;
            const m1 = 2 * (x * y - w * z) * sy;
            const m2 = 2 * (x * z + w * y) * sz;
            const m4 = 2 * (x * y + w * z) * sx;
            const m5 = (1 - 2 * (x * x + z * z)) * sy;
            const m6 = 2 * (y * z - w * x) * sz;
            const m8 = 2 * (x * z - w * y) * sx;
            const m9 = 2 * (y * z + w * x) * sy;
            const m10 = (1 - 2 * (x * x + y * y)) * sz;
            const g = joint * 12;
            const parent = parentList[joint];
            if (parent < 0) {
                worlds[g] = m0;
                worlds[g + 1] = m1;
                worlds[g + 2] = m2;
                worlds[g + 3] = tx;
                worlds[g + 4] = m4;
                worlds[g + 5] = m5;
                worlds[g + 6] = m6;
                worlds[g + 7] = ty;
                worlds[g + 8] = m8;
                worlds[g + 9] = m9;
                worlds[g + 10] = m10;
                worlds[g + 11] = tz;
            } else {
                for (let row = 0; row < 12; row += 4) {
                    const p = parent * 12 + row;
                    const p0 = worlds[p];
                    const p1 = worlds[p + 1];
                    const p2 = worlds[p + 2];
                    worlds[g + row] = p0 * m0 + p1 * m4 + p2 * m8;
                    worlds[g + row + 1] = p0 * m1 + p1 * m5 + p2 * m9;
                    worlds[g + row + 2] = p0 * m2 + p1 * m6 + p2 * m10;
                    worlds[g + row + 3] = p0 * tx + p1 * ty + p2 * tz + worlds[p + 3];
                }
            }
            const b = joint * 16;
            const o = (pose * JOINTS + joint) * 16;
            for (let row = 0; row < 3; row++) {
                const g0 = worlds[g + row * 4];
                const g1 = worlds[g + row * 4 + 1];
                const g2 = worlds[g + row * 4 + 2];
                out[o + row] = g0 * binds[b] + g1 * binds[b + 1] + g2 * binds[b + 2];
                out[o + 4 + row] = g0 * binds[b + 4] + g1 * binds[b + 5] + g2 * binds[b + 6];
                out[o + 8 + row] = g0 * binds[b + 8] + g1 * binds[b + 9] + g2 * binds[b + 10];
                out[o + 12 + row] =
                    g0 * binds[b + 12] + g1 * binds[b + 13] + g2 * binds[b + 14] + worlds[g + row * 4 + 3];
            }
            out[o + 15] = 1;
        }
    }

    return {
        name: 'flat JavaScript',
        count,
        out,
        run() {
            for (let pose = 0; pose < count; pose++) evaluatePose(pose);
        },
    };
}

/** AnimationMixer, world matrices and Skeleton.update, one character for all poses. */
function threeSubject(count) {
    const bones = parts.parents.map((parent, i) => {
        const bone = new THREE.Bone();
        bone.name = `bone${i}`;
        bone.userData.parent = parent;
        return bone;
    });
    for (const bone of bones) if (bone.userData.parent >= 0) bones[bone.userData.parent].add(bone);
    const inverses = bones.map(() => new THREE.Matrix4());
    const skeleton = new THREE.Skeleton(bones, inverses);
    const kinds = {
        translation: [THREE.VectorKeyframeTrack, 'position'],
        rotation: [THREE.QuaternionKeyframeTrack, 'quaternion'],
        scale: [THREE.VectorKeyframeTrack, 'scale'],
    };
    const tracks = parts.clips[0].channels.map(({ node, path, times, values }) => {
        const [Track, property] = kinds[path];
        return new Track(`bone${node}.${property}`, times, values);
    });
    const mixer = new THREE.AnimationMixer(bones[0]);
    const action = mixer.clipAction(new THREE.AnimationClip('clip', DURATION, tracks));
    action.setLoop(THREE.LoopRepeat, Infinity);
    action.play();
    const times = timesOf(count);
    const out = new Float32Array(count * JOINTS * 16);
    return {
        name: 'three.js',
        count,
        out,
        run() {
            for (let pose = 0; pose < count; pose++) {
                mixer.setTime(times[pose]);
                bones[0].updateMatrixWorld();
                skeleton.update();
                out.set(skeleton.boneMatrices.subarray(0, JOINTS * 16), pose * JOINTS * 16);
            }
        },
    };
}

/** In rounds, each subject in turn. */
function measure(work, list) {
    for (const subject of list) {
        const start = performance.now();
        let warmed = 0;
        while (performance.now() - start < 60 || warmed < 2) {
            subject.run();
            warmed++;
        }
        const once = (performance.now() - start) / warmed;
        subject.repeat = Math.max(1, Math.round(SAMPLE / once));
        subject.samples = [];
    }
    // A benchmark of things that do not give the same result would mean nothing.
    for (const { name, out } of list) {
        for (let i = 0; i < out.length; i += 7) {
            const apart = Math.abs(out[i] - list[0].out[i]);
            if (!(apart < 2e-3 * Math.max(1, Math.abs(out[i])))) fail(`${work}: ${name} is off by ${apart} at ${i}`);
        }
    }
    for (let round = 0; round < rounds; round++) {
        for (const subject of list) {
            const start = performance.now();
            for (let i = 0; i < subject.repeat; i++) subject.run();
            subject.samples.push((performance.now() - start) / subject.repeat);
        }
    }
    return list.map(({ name, count, samples }) => {
        samples.sort((a, b) => a - b);
        const ns = (ms) => (ms * 1e6) / count / JOINTS;
        const [min, median] = [samples[0], samples[samples.length >> 1]];
        return { work, name, milliseconds: { min, median }, nsPerJointAndPose: { min: ns(min), median: ns(median) } };
    });
}

function report() {
    const machine = { cpu: cpus()[0]?.model.trim(), node: process.version, joints: JOINTS, keys: KEYS, rounds };
    if (options.json) {
        console.log(JSON.stringify({ machine, results }, null, 2));
        return;
    }
    console.log(`${machine.cpu}, Node ${machine.node}, ${JOINTS} joints, ${rounds} rounds; minimum (median)`);
    let last = '';
    for (const { work, name, milliseconds, nsPerJointAndPose: ns } of results) {
        if (work !== last) console.log(`\n${work}, evaluate + toGlobal + palettes`);
        last = work;
        const others = results.filter((result) => result.work === work && /JavaScript|three/.test(result.name));
        const ratios = others
            .filter((other) => other.name !== name)
            .map((other) => `${(other.milliseconds.median / milliseconds.median).toFixed(1)}x ${other.name}`);
        const ticks = (ns.min * TICKS_PER_NS).toFixed(1);
        console.log(
            `  ${name.padEnd(18)} ${milliseconds.min.toFixed(4).padStart(9)} (${milliseconds.median.toFixed(4)}) ms,` +
                ` ${ns.min.toFixed(2).padStart(7)} (${ns.median.toFixed(2)}) ns = ${ticks} ticks per joint and pose` +
                `${ratios.length > 0 ? `  ${ratios.join(', ')}` : ''}`,
        );
    }
}

function fail(message) {
    console.error(message);
    process.exit(1);
}
