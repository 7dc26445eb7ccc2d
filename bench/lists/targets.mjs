// SPDX-License-Identifier: MIT

/**
 * What the strict kernels are meant to reach, and whether they do on this machine: all measured in one run, in
 * interleaved rounds. Ratios of two implementations hold on other machines, too, and are what decides; times are those
 * of the machine that the targets were set on.
 */

import { createData, T } from '../../dist/bench/data.js';
import { measure, resultsOf } from '../../dist/bench/measure.js';
import { createSubjects, javascriptSubject } from '../../dist/bench/subjects.js';
import poselane from '../../dist/index.js';
import { ratioOf } from '../harness.mjs';
import { beside, TICKS_PER_NS, target, targetLines } from '../targets.mjs';
import { crowd, SKELETON } from './humanoid.mjs';

const LIST = 1024;

/** Ticks per joint, on lists of 1024: of each routine by SSE2, AVX2 and AVX-512. */
const TICKS = {
    slerpJoints: [6.0, 4.2, 3.7],
    slerpJointsPerJoint: [9, 5.5, 4],
    lerpJoints: [5.5, 4.5, 3.2],
    convertJointQuatsToJointMats: [6.5, 3.7, 3.0],
    convertJointMatsToJointQuats: [7.5, 4.4, 4.4],
    transformSkeleton: [8, 5.9, 5.9],
    untransformSkeleton: [6.5, 5, 4.5],
};
const TIERS = ['strict/sse2', 'strict/avx2', 'strict/avx512'];

/**
 * Of skeletons 16 are judged in one call, as the joints of a crowd would be: one alone is over before the clock, and the
 * start of its first chain, stop to count. What it takes stands beside them, without a verdict.
 */
const isSkeleton = (routine) => /Skeleton/.test(routine);

/** At least so many times as fast as another implementation of slerpJoints, on lists of 1024. */
const RATIOS = [
    ['strict/avx512', 'paper/sse', '', 5.5],
    ['strict/avx512', 'paper/c', ' (libm)', 12],
    ['strict/avx2', 'paper/sse', '', 4.8],
];

/** One whole call of slerpJoints from JavaScript on 64 joints, in ns; `bound` to its buffers before. */
const CALLS = [
    ['strict/avx512', false, 200],
    ['strict/avx2', false, 220],
    [poselane.defaultImplementation, true, 170],
];

/** ns per joint of the TypeScript twin, slerpJoints of 64 joints. */
const TWIN = ['strict/typescript', 45];

/** What sets the names of calls apart from each other and from those of `createSubjects`. */
const nameOfCall = (implementation, bound) => `${implementation}${bound ? ', bound' : ', one call'}`;

const isAvailable = (name) => poselane.implementations().some((one) => one.name === name && one.available);

/**
 * Calls as a program makes them, one after the other. Joints are not put back in between: strict slerp has no branches,
 * so what is in them makes no difference to its time.
 */
function callSubjects({ n, joints, blendJoints }) {
    return CALLS.filter(([implementation]) => isAvailable(implementation)).map(([implementation, bound]) => {
        const blended = joints.slice();
        const { slerpJoints } = poselane.implementation(implementation);
        const call = bound ? poselane.bindSlerpJoints(blended, blendJoints) : null;
        const run = bound ? () => call.run(T) : () => slerpJoints(blended, blendJoints, T);
        return javascriptSubject({ routine: 'slerpJoints', implementation: nameOfCall(implementation, bound), n }, run);
    });
}

/** The cases that some target is about. */
function subjects() {
    const compared = new Set(RATIOS.flat());
    const isInAddon = ({ routine, implementation, n }) =>
        (TICKS[routine] !== undefined && TIERS.includes(implementation) && (n === LIST || isSkeleton(routine))) ||
        (routine === 'slerpJoints' && compared.has(implementation) && n === LIST);
    return [LIST, SKELETON].flatMap((n) => {
        const data = createData(n, 'random');
        data.parents.set(crowd(n / SKELETON));
        const wanted = createSubjects(data).filter((one) =>
            one.timed === 'addon'
                ? isInAddon(one)
                : one.routine === 'slerpJoints' && one.implementation === TWIN[0] && n === SKELETON,
        );
        return n === SKELETON ? [...wanted, ...callSubjects(data)] : wanted;
    });
}

/** @returns Measures everything that has a target; each is as `target` makes it. */
export async function measureTargets({ ticksPerNs }, { rounds, milliseconds = 2 }) {
    const results = resultsOf(await measure(subjects(), { rounds, milliseconds }));
    const find = (routine, implementation, n, timed = 'addon') =>
        results.find(
            (one) =>
                one.routine === routine && one.implementation === implementation && one.n === n && one.timed === timed,
        );
    const scaled = (found, scale) => found && { min: found.min * scale, median: found.median * scale };
    const inTicks = (found) => found && scaled(found, found.unit === 'ns' ? TICKS_PER_NS : TICKS_PER_NS / ticksPerNs);
    const ticks = (routine, n, how, limits) =>
        TIERS.map((name, k) => {
            const [what, achieved] = [`${routine}, ${how}: ${name}`, inTicks(find(routine, name, n))];
            return limits ? target(what, '<=', limits[k], 'ticks', achieved) : beside(what, 'ticks', achieved);
        });
    const humanoids = `${LIST / SKELETON} humanoids of ${SKELETON}`;
    return [
        ...RATIOS.map(([fast, slow, standsFor, wanted]) => {
            const ratio = ratioOf(find('slerpJoints', slow, LIST), find('slerpJoints', fast, LIST));
            return target(`slerpJoints, n = ${LIST}: ${fast} over ${slow}${standsFor}`, '>=', wanted, 'times', ratio);
        }),
        ...Object.entries(TICKS).flatMap(([routine, limits]) =>
            ticks(routine, LIST, isSkeleton(routine) ? humanoids : `n = ${LIST}`, limits),
        ),
        ...Object.keys(TICKS)
            .filter(isSkeleton)
            .flatMap((routine) => ticks(routine, SKELETON, 'one humanoid a call', null)),
        ...CALLS.map(([name, bound, most]) => {
            const found = find('slerpJoints', nameOfCall(name, bound), SKELETON, 'javascript');
            const what = `one call on ${SKELETON} joints${bound ? ', bound' : ''}: ${name}`;
            return target(what, '<=', most, 'ns', scaled(found, SKELETON));
        }),
        target(
            `slerpJoints, n = ${SKELETON}: ${TWIN[0]}`,
            '<=',
            TWIN[1],
            'ns',
            find('slerpJoints', TWIN[0], SKELETON, 'javascript'),
        ),
    ];
}

/** As text for a terminal. */
export function targetsText({ cpu, node, ticksPerNs, withoutAddon }, targets) {
    const clock = ticksPerNs === null ? 'no time stamp counter' : `time stamp counter ${ticksPerNs.toFixed(3)} GHz`;
    return [
        `Targets of the strict kernels, on ${cpu}, Node ${node}, ${clock}${withoutAddon ? ', without the addon' : ''}`,
        `ticks of ${TICKS_PER_NS} GHz and ns per joint, of calls for the whole call; ratios decide, times are for one machine`,
        '',
        ...targetLines(targets),
    ].join('\n');
}
