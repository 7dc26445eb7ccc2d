// SPDX-License-Identifier: MIT

/**
 * What the strict kernels are meant to reach, and whether they do on this machine: all measured in one run, in
 * interleaved rounds. Ratios of two implementations hold on other machines, too, and are what decides; times are those
 * of the machine that the targets were set on.
 */

import { createData, T } from '../dist/bench/data.js';
import { describeMachine } from '../dist/bench/machine.js';
import { measure, resultsOf } from '../dist/bench/measure.js';
import { createSubjects } from '../dist/bench/subjects.js';
import poselane from '../dist/index.js';
import { target, targetLines } from './judge.mjs';

/** Ticks are of a clock of so many GHz, that of the machine of the targets, whatever the clock is here. */
const TICKS_PER_NS = 2.596;
const LIST = 1024;
const SKELETON = 64;

/**
 * The parents of a humanoid of 64 joints, depth first: how long the chains are decides how fast a skeleton can be
 * transformed, and those of `poselane bench` are deeper. Judged are 16 of them in one call, as the joints of a crowd
 * would be: one alone is over before the clock, and the start of its first chain, stop to count. What it takes is
 * measured beside them, without a verdict.
 */
function humanoid() {
    const parents = [-1];
    const add = (parent, count = 1) => {
        let last = parent;
        for (let k = 0; k < count; k++) last = parents.push(last) - 1;
        return last;
    };
    const hips = add(0);
    const chest = add(hips, 3);
    const head = add(chest, 2);
    for (let k = 0; k < 3; k++) add(head); // Jaw and eyes.
    for (let side = 0; side < 2; side++) {
        const upperArm = add(chest, 2);
        add(upperArm); // A twist bone, as after each of the next three.
        const foreArm = add(upperArm);
        add(foreArm);
        const hand = add(foreArm);
        for (let finger = 0; finger < 5; finger++) add(hand, 3);
    }
    for (let side = 0; side < 2; side++) {
        const thigh = add(hips);
        add(thigh);
        const shin = add(thigh);
        add(shin);
        add(shin, 2);
    }
    return parents;
}

/** The parents of so many humanoids, one after the other. */
export function crowd(skeletons) {
    const parents = humanoid();
    return Array.from({ length: skeletons }, (_, k) =>
        parents.map((parent) => (parent < 0 ? parent : parent + k * SKELETON)),
    ).flat();
}

/** Ticks per joint: of each routine, on lists of so many, by SSE2, AVX2 and AVX-512. */
const TICKS = [
    ['slerpJoints', LIST, 6.0, 4.2, 3.7],
    ['slerpJointsPerJoint', LIST, 9, 5.5, 4],
    ['lerpJoints', LIST, 5.5, 4.5, 3.2],
    ['convertJointQuatsToJointMats', LIST, 6.5, 3.7, 3.0],
    ['convertJointMatsToJointQuats', LIST, 7.5, 4.4, 4.4],
    ['transformSkeleton', LIST, 8, 5.9, 5.9],
    ['untransformSkeleton', LIST, 6.5, 5, 4.5],
];
const TIERS = ['strict/sse2', 'strict/avx2', 'strict/avx512'];

const isSkeleton = (routine) => /Skeleton/.test(routine);
const HUMANOIDS = `${LIST / SKELETON} humanoids of ${SKELETON}`;
const ONE_HUMANOID = 'one humanoid a call';

/** At least so many times as fast as another implementation of slerpJoints, on lists of 1024. */
const RATIOS = [
    ['strict/avx512', 'paper/sse', 5.5],
    ['strict/avx512', 'paper/c', 12],
    ['strict/avx2', 'paper/sse', 4.8],
];
/** Where the other implementation stands for something else in the targets. */
const STANDS_FOR = { 'paper/c': ' (libm)' };

/** One whole call of slerpJoints from JavaScript on 64 joints, in ns; `bound` to its buffers before. */
const CALLS = [
    { implementation: 'strict/avx512', bound: false, most: 200 },
    { implementation: 'strict/avx2', bound: false, most: 220 },
    { implementation: poselane.defaultImplementation, bound: true, most: 170 },
];

/** ns per joint of the TypeScript twin, slerpJoints of 64 joints. */
const TWIN = { implementation: 'strict/typescript', n: SKELETON, most: 45 };

/** What sets the names of these cases apart from each other and from those of `createSubjects`. */
const BOUND = ', bound';
const UNBOUND = ', one call';

/** So many calls for a sample: some tenths of a millisecond, so that neither clock nor loop count. */
const CALLS_A_SAMPLE = 2000;

/**
 * Calls as a program makes them, one after the other. Joints are not put back in between: strict slerp has no branches,
 * so what is in them makes no difference to its time.
 */
function callSubjects({ n, joints, blendJoints }) {
    return CALLS.flatMap(({ implementation: name, bound }) => {
        if (!isAvailable(name)) return [];
        const blended = joints.slice();
        const { slerpJoints } = poselane.implementation(name);
        const call = bound ? poselane.bindSlerpJoints(blended, blendJoints) : null;
        const run = bound ? () => call.run(T) : () => slerpJoints(blended, blendJoints, T);
        return [
            {
                routine: 'slerpJoints',
                implementation: `${name}${bound ? BOUND : UNBOUND}`,
                n,
                timed: 'javascript',
                unit: 'ns',
                sample(milliseconds) {
                    const samples = [];
                    const end = performance.now() + milliseconds;
                    do {
                        const start = process.hrtime.bigint();
                        for (let k = 0; k < CALLS_A_SAMPLE; k++) run();
                        samples.push(Number(process.hrtime.bigint() - start) / CALLS_A_SAMPLE);
                    } while (performance.now() < end);
                    return samples;
                },
            },
        ];
    });
}

const isAvailable = (name) => poselane.implementations().some((one) => one.name === name && one.available);

/** The cases that some target is about. */
function subjects() {
    const inAddon = new Set([
        ...TICKS.flatMap(([routine, n]) =>
            TIERS.flatMap((name) =>
                (isSkeleton(routine) ? [n, SKELETON] : [n]).map((joints) => `${routine} ${name} ${joints}`),
            ),
        ),
        ...RATIOS.flatMap((pair) => pair.slice(0, 2).map((name) => `slerpJoints ${name} ${LIST}`)),
    ]);
    return [LIST, SKELETON].flatMap((n) => {
        const data = createData(n, 'random');
        data.parents.set(crowd(n / SKELETON));
        const wanted = createSubjects(data).filter(({ routine, implementation, timed }) =>
            timed === 'addon'
                ? inAddon.has(`${routine} ${implementation} ${n}`)
                : routine === 'slerpJoints' && implementation === TWIN.implementation && n === TWIN.n,
        );
        return n === SKELETON ? [...wanted, ...callSubjects(data)] : wanted;
    });
}

/**
 * Measures everything that has a target.
 *
 * @returns For each target what it is, what is wanted, and the `min` and `median` that were achieved, both null where
 * it cannot run here; `ok` by the minimum. Of ratios `min` is that of the minima. Where nothing is wanted, `sense`,
 * `wanted` and `ok` are null.
 */
export async function measureTargets({ rounds = 30, milliseconds = 2 } = {}) {
    const machine = describeMachine();
    const results = resultsOf(await measure(subjects(), { rounds, milliseconds }));
    const find = (routine, implementation, n, timed) =>
        results.find(
            (one) =>
                one.routine === routine && one.implementation === implementation && one.n === n && one.timed === timed,
        );
    const inTicks = (result) => {
        const scale = result.unit === 'ns' ? TICKS_PER_NS : TICKS_PER_NS / machine.ticksPerNs;
        return { min: result.min * scale, median: result.median * scale };
    };
    const times = TICKS.flatMap(([routine, n, ...limits]) =>
        TIERS.map((name, k) => {
            const found = find(routine, name, n, 'addon');
            const what = `${routine}, ${isSkeleton(routine) ? HUMANOIDS : `n = ${n}`}: ${name}`;
            return target(what, '<=', limits[k], 'ticks', found && inTicks(found));
        }),
    );
    const oneHumanoid = TICKS.filter(([routine]) => isSkeleton(routine)).flatMap(([routine]) =>
        TIERS.map((name) => {
            const found = find(routine, name, SKELETON, 'addon');
            return target(`${routine}, ${ONE_HUMANOID}: ${name}`, null, null, 'ticks', found && inTicks(found));
        }),
    );
    const ratios = RATIOS.map(([fast, slow, least]) => {
        const [one, other] = [fast, slow].map((name) => find('slerpJoints', name, LIST, 'addon'));
        const ratio = one && other && { min: other.min / one.min, median: other.median / one.median };
        const what = `slerpJoints, n = ${LIST}: ${fast} over ${slow}${STANDS_FOR[slow] ?? ''}`;
        return target(what, '>=', least, 'times', ratio);
    });
    const calls = CALLS.map(({ implementation: name, bound, most }) => {
        const found = find('slerpJoints', `${name}${bound ? BOUND : UNBOUND}`, SKELETON, 'javascript');
        const whole = found && { min: found.min * SKELETON, median: found.median * SKELETON };
        return target(`one call on ${SKELETON} joints${bound ? BOUND : ''}: ${name}`, '<=', most, 'ns', whole);
    });
    const twin = find('slerpJoints', TWIN.implementation, TWIN.n, 'javascript');
    return {
        machine,
        targets: [
            ...ratios,
            ...times,
            ...oneHumanoid,
            ...calls,
            target(`slerpJoints, n = ${TWIN.n}: ${TWIN.implementation}`, '<=', TWIN.most, 'ns', twin),
        ],
    };
}

/** As text for a terminal. */
export function targetsText({ machine, targets }) {
    const { cpu, node, ticksPerNs, withoutAddon } = machine;
    const clock = ticksPerNs === null ? 'no time stamp counter' : `time stamp counter ${ticksPerNs.toFixed(3)} GHz`;
    const lines = [
        `Targets of the strict kernels, on ${cpu}, Node ${node}, ${clock}${withoutAddon ? ', without the addon' : ''}`,
        `ticks of ${TICKS_PER_NS} GHz and ns per joint, of calls for the whole call; ratios decide, times are for one machine`,
        '',
    ];
    lines.push(...targetLines(targets));
    return lines.join('\n');
}
