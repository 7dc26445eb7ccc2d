// SPDX-License-Identifier: MIT

/**
 * How the Rig's cost grows, by the default implementation, and over lists of key times by the others, too: each of four things made
 * larger, the others as they were.
 */

import { checkAgreement, measure } from '../harness.mjs';
import { createRig, defaultRig, implementations } from './library.mjs';
import {
    AT_ONCE,
    BAKED,
    CHUNK,
    EACH_ITS_OWN,
    FORWARD,
    IN_BLOCKS,
    IN_CHUNKS,
    JUMPING,
    SMALL_CHUNK,
    THREE_CALLS,
} from './names.mjs';
import { rigBake, rigPoses } from './pose-subjects.mjs';
import { createParts, durationOf, jumps, playback } from './scenes.mjs';

const SCENE = { poses: 64, joints: 64, keys: 61, groups: 1 };

const AXES = {
    poses: { all: [64, 256, 1024, 4096, 16_384, 64_000], quick: [64, 1024, 16_384, 64_000] },
    slots: { all: [8, 16, 32, 48, 64, 96, 128, 256, 512], quick: [8, 64, 512] },
    keys: { all: [2, 4, 10, 31, 100, 316, 1000, 3162, 10_000], quick: [2, 61, 10_000] },
    groups: { all: [1, 2, 4, 8, 16, 32, 64, 128, EACH_ITS_OWN], quick: [1, 64, EACH_ITS_OWN] },
};
/** How many calls of playback before its times come round again; of as many poses as memory has room for. */
const callsFor = (poses) => Math.max(2, Math.min(240, Math.floor(1e6 / poses)));

const subjectsOver = { poses: overPoses, slots: overSlots, keys: overKeys, groups: overGroups };

/** @returns For each measured point `over`, the curve's name `way`, its place `x`, and times. */
export async function measureGrowth({ quick, ...settings }) {
    const results = [];
    for (const [over, points] of Object.entries(AXES)) {
        const subjects = subjectsOver[over](points[quick ? 'quick' : 'all']);
        for (const { name, ...result } of await measure(subjects, settings)) {
            results.push({ over, implementation: name, ...result });
        }
    }
    return results;
}

function overPoses(counts) {
    const parts = createParts();
    const rig = createRig(parts);
    // One list for all: what is written has been written to before, and no point of a curve has a page to itself.
    const out = new Float32Array(Math.max(...counts) * SCENE.joints * 16);
    return counts.flatMap((count) => {
        const times = playback(durationOf(parts), count, callsFor(count));
        const subjects = [
            rigPoses(rig, { way: AT_ONCE, x: count, times, out, chunk: count }),
            rigPoses(rig, { way: IN_CHUNKS, x: count, times, out, chunk: CHUNK }),
            rigBake(rig, { way: BAKED, x: count, times, out, chunk: CHUNK }),
        ];
        checkAgreement(`${count} poses`, subjects, 0);
        return subjects;
    });
}

function overSlots(counts) {
    return counts.flatMap((joints) => {
        const parts = createParts({ joints });
        const rig = createRig(parts);
        const times = playback(durationOf(parts), SCENE.poses, callsFor(SCENE.poses));
        const out = new Float32Array(SCENE.poses * joints * 16);
        const common = { x: joints, times, out, chunk: SCENE.poses };
        return [
            rigPoses(rig, { ...common, way: THREE_CALLS }),
            rigPoses(rig, { ...common, way: IN_BLOCKS, chunk: SMALL_CHUNK }),
            // The last two of poses at rest: they take as long whatever is in them.
            ...['evaluate', 'toGlobal', 'palettes'].map((call) =>
                rigPoses(rig, { ...common, way: call, calls: [call] }),
            ),
        ];
    });
}

function overKeys(counts) {
    return counts.flatMap((keys) => evaluations(createParts({ keys }), keys));
}

function overGroups(counts) {
    return implementations.flatMap((one) => {
        const points = one === defaultRig ? counts : [1, EACH_ITS_OWN];
        return points.flatMap((groups) => evaluations(createParts({ groups }), groups, one));
    });
}

/** `evaluate` alone: the other calls do not know of keys. */
function evaluations(parts, x, implementation = defaultRig) {
    const rig = createRig(parts, implementation);
    const out = new Float32Array(SCENE.poses * SCENE.joints * 16);
    const duration = durationOf(parts);
    const [forward, anywhere] = [playback, jumps].map((make) => make(duration, SCENE.poses, callsFor(SCENE.poses)));
    const common = { x, out, chunk: SCENE.poses, calls: ['evaluate'] };
    return [
        rigPoses(rig, { ...common, way: FORWARD, times: forward }),
        rigPoses(rig, { ...common, way: JUMPING, times: anywhere }),
    ];
}
