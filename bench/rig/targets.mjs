// SPDX-License-Identifier: MIT

/** What the Rig is meant to reach, line by line, and whether it does: ratios of subjects of one run. */

import { ratioOf } from '../harness.mjs';
import { beside, TICKS_PER_NS, target } from '../targets.mjs';
import {
    AT_ONCE,
    BAKED,
    EACH_ITS_OWN,
    FLAT,
    FORWARD,
    IN_CHUNKS,
    JUMPING,
    poseWork,
    SKIN_POSES,
    skinWork,
    THREE_EACH,
    THREE_ONE,
    WITH_NORMALS,
} from './names.mjs';

/** "AVX2 or better": each of those has to reach what is wanted. */
const TIERS = ['strict/avx512', 'strict/avx2'];

/** From so many poses on their palettes are more than a second-level cache holds: 4 MB. */
const PAST_L2 = 1024;

/** Those of the parts that were measured. */
export function targetsOf({ poses, skinning, knight, growth }) {
    return [
        ...(poses ? evaluation(poses) : []),
        ...(knight ? baking(knight) : []),
        ...(skinning ? vertices(skinning) : []),
        ...(growth ? [...linearity(growth), ...keyTimes(growth)] : []),
    ];
}

const find = (results, work, name) => results.find((one) => one.work === work && one.name === name);

function evaluation(results) {
    const of = (work, name) => find(results, work, name)?.milliseconds;
    const three = (work) => fasterOf([THREE_ONE, THREE_EACH].map((name) => of(work, name)));
    const calls = 'evaluate + toGlobal + palettes';
    const [many, one, crowd] = [64, 1, 200].map(poseWork);
    return TIERS.flatMap((name) => {
        const over = (work, other) => ratioOf(other, of(work, name));
        const perJoint = find(results, many, name)?.nanoseconds;
        const ticks = perJoint && { min: perJoint.min * TICKS_PER_NS, median: perJoint.median * TICKS_PER_NS };
        return [
            target(`${calls}, ${many}, per joint and pose: ${name}`, '<=', 20, 'ticks', ticks),
            target(`${calls}, ${many}: ${name} over three.js`, '>=', 25, 'times', over(many, three(many))),
            target(`${calls}, ${many}: ${name} over ${FLAT}`, '>=', 8, 'times', over(many, of(many, FLAT))),
            target(`${calls}, ${one}: ${name} over three.js`, '>=', 6, 'times', over(one, three(one))),
            target(`200 characters of 64 joints: ${name}`, '<=', 0.15, 'ms', of(crowd, name)),
            target(`200 characters of 64 joints: ${name} over three.js`, '>=', 40, 'times', over(crowd, three(crowd))),
        ];
    });
}

/** Of the two ways to use three.js the faster one counts. */
function fasterOf(ways) {
    return ways.filter((one) => one !== undefined).toSorted((a, b) => a.min - b.min)[0];
}

/** Judged is evaluation only; what the baker's takes with its batches and a new array stands beside it. */
function baking({ ratio: over }) {
    const what = 'bake of Knight at 60 Hz, evaluation: over three.js';
    return [
        target(`${what}, bakePalettes`, '>=', 60, 'times', over?.rig),
        beside(`${what}, within bakeFile`, 'times', over?.evaluate),
    ];
}

function vertices(results) {
    // Where none of them skins by itself, TypeScript does it for all.
    const own = TIERS.filter((name) => results.some((one) => one.name === name));
    return (own.length > 0 ? own : ['strict/typescript']).flatMap((name) =>
        SKIN_POSES.flatMap((count) => {
            const work = skinWork(WITH_NORMALS, count);
            const of = (subject) => find(results, work, subject)?.nanoseconds;
            return [
                target(`${work}, per vertex: ${name}`, '<=', 8, 'ns', of(name)),
                target(`${work}: ${name} over ${FLAT}`, '>=', 5, 'times', ratioOf(of(FLAT), of(name))),
            ];
        }),
    );
}

/** Judged is the way that is meant for many poses; the others stand beside it. */
function linearity(growth) {
    return [BAKED, IN_CHUNKS, AT_ONCE].map((way) => {
        const what = `a pose at 1,024 to 64,000 poses, dearest over cheapest: ${way}`;
        const achieved = evenness(growth, way);
        return way === BAKED ? target(what, '<=', 1.1, 'times', achieved) : beside(what, 'times', achieved);
    });
}

/** Reducers, motion capture and Blender give every track key times of its own. */
function keyTimes(growth) {
    const points = growth.filter(({ over }) => over === 'groups');
    return [...new Set(points.map(({ implementation }) => implementation))].flatMap((name) =>
        [
            [FORWARD, 2],
            [JUMPING, 4],
        ].map(([way, wanted]) => {
            const of = (x) =>
                points.find((one) => one.implementation === name && one.way === way && one.x === x)?.nanoseconds;
            const what = `${way}, ${EACH_ITS_OWN} lists of key times over one: ${name}`;
            return target(what, '<=', wanted, 'times', ratioOf(of(EACH_ITS_OWN), of(1)));
        }),
    );
}

/** How many times as much a pose takes where it takes most as where it takes least, past the second-level cache. */
function evenness(growth, way) {
    const points = growth.filter((one) => one.over === 'poses' && one.way === way && one.x >= PAST_L2);
    if (points.length === 0) return undefined;
    const of = (which) => {
        const costs = points.map(({ nanoseconds }) => nanoseconds[which]);
        return Math.max(...costs) / Math.min(...costs);
    };
    return { min: of('min'), median: of('median') };
}
