// SPDX-License-Identifier: MIT

/** Errors of everything that blends two lists, quaternions or joints. */

import { Errors, interpolate } from '../reference.mjs';
import { random, SETS, withTranslations } from '../sets.mjs';
import { asRow, calls, variants } from './variants.mjs';

/** Routines on two lists of quaternions, and what they approximate. */
const BLENDS = {
    slerpQuats: 'slerp',
    slerp: 'slerp',
    slerpTransformed: 'slerp',
    slerpOptimized: 'slerp',
    slerpOptimizedExact: 'slerp',
    lerp: 'lerp',
    lerpQuats: 'lerp',
    slerpQuatsPerQuat: 'slerp',
};
const JOINT_BLENDS = { slerpJoints: 'slerp', slerpJointsPerJoint: 'slerp', lerpJoints: 'lerp' };

/** Those of them that take a list of times, one for each pair. */
const PER_PAIR = ['slerpQuatsPerQuat', 'slerpJointsPerJoint'];

/** Runs a routine on all lists of a chunk. */
function runOn({ routine, run }, { lists, perPair }) {
    for (const args of PER_PAIR.includes(routine) ? perPair : lists) run(...args);
}

/** Errors of slerps and lerps on the sets (a) to (d), and how far a lerp is from the slerp. */
export function measureBlends(library, quick, log) {
    const blends = Object.keys(BLENDS).flatMap((routine) => variants(library, routine));
    const jointBlends = Object.keys(JOINT_BLENDS).flatMap((routine) => variants(library, routine));
    const errors = new Map([...blends, ...jointBlends].map((variant) => [variant, {}]));
    const translation = new Map(jointBlends.map((variant) => [variant, 0]));
    const lerpFromSlerp = new Errors();
    const [sse, c] = ['paper/sse', 'paper/c'].map((name) => blends.find((variant) => variant.name === name));
    let sseFromC = 0;
    for (const [set, { chunks }] of Object.entries(SETS)) {
        log(`set (${set})`);
        for (const measured of errors.values()) measured[set] = new Errors();
        const next = random(0x7e57);
        for (const chunk of chunks(quick)) {
            const right = { slerp: interpolate(chunk, 'slerp'), lerp: interpolate(chunk, 'lerp') };
            if (set === 'a') lerpFromSlerp.add(right.lerp.right, 4, right.slerp);
            const list = calls(chunk);
            const { result } = list;
            for (const variant of blends) {
                if (!variant.run) continue;
                runOn(variant, list);
                errors.get(variant)[set].add(result, 4, right[BLENDS[variant.routine]]);
            }
            if (set === 'a' && sse.run && c.run) {
                const [inSse, inC] = [sse, c].map((variant) => {
                    runOn(variant, list);
                    return result.slice();
                });
                // Save where rounding decides which way round is shorter.
                for (let i = 0; i < result.length; i++) {
                    if (!right.slerp.other.has(i >> 2)) sseFromC = Math.max(sseFromC, Math.abs(inSse[i] - inC[i]));
                }
            }
            const { joints, blendJoints } = withTranslations(chunk, next);
            for (const variant of jointBlends) {
                if (!variant.run) continue;
                const blended = joints.slice();
                const list8 = (chunk.pairs / chunk.times.length) * 8;
                chunk.times.forEach((t, i) => {
                    const [first, end] = [i * list8, (i + 1) * list8];
                    const times = PER_PAIR.includes(variant.routine) ? new Float32Array(list8 / 8).fill(t) : t;
                    variant.run(blended.subarray(first, end), blendJoints.subarray(first, end), times);
                });
                errors.get(variant)[set].add(blended, 8, right[JOINT_BLENDS[variant.routine]]);
                const worst = translationError(blended, joints, blendJoints, chunk.times, list8);
                translation.set(variant, Math.max(translation.get(variant), worst));
            }
        }
    }
    return {
        rows: [...errors].map(([variant, sets]) =>
            asRow(variant, {
                sets,
                ...(translation.has(variant) ? { translation: translation.get(variant) } : {}),
            }),
        ),
        lerpFromSlerp,
        sseFromC: sse.run && c.run ? sseFromC : undefined,
    };
}

/** The greatest error of any component of a translation, relative to the greater of the two that it lies between. */
function translationError(blended, joints, blendJoints, times, list) {
    let worst = 0;
    for (let o = 0; o < blended.length; o += 8) {
        const t = times[Math.floor(o / list)];
        for (let k = o + 4; k < o + 8; k++) {
            const [a, b] = [joints[k], blendJoints[k]];
            const size = Math.max(Math.abs(a), Math.abs(b));
            const error = Math.abs(blended[k] - (a + (b - a) * t)) / size;
            if (size > 0 && !(error <= worst)) worst = error;
        }
    }
    return worst;
}
