// SPDX-License-Identifier: MIT

/**
 * How the shape of a skeleton decides what TransformSkeleton and UntransformSkeleton cost: ticks per joint of 1,024
 * joints called from JavaScript, minimum and median. `bound` leaves out the copy and the check of the parents, which
 * bindTransformSkeleton makes once. Needs `npm run build`; how many results TransformSkeleton keeps in registers is
 * MatLanes::kKept of native/lanes/*/mats.h.
 */

import { createData } from '../../../dist/bench/data.js';
import { describeMachine } from '../../../dist/bench/machine.js';
import poselane from '../../../dist/index.js';
import { crowd } from '../../targets.mjs';

const JOINTS = 1024;
const ROUNDS = 60;
const CALLS = 20;
const { ticksPerNs } = describeMachine();

const upTo = (parentOf) => Int32Array.from({ length: JOINTS }, (_, joint) => parentOf(joint));
const SHAPES = {
    humanoids: Int32Array.from(crowd(JOINTS / 64)),
    'one chain': upTo((joint) => joint - 1),
    'pairs: the joint before the last': upTo((joint) => Math.max(joint - 2, -1)),
    'all of one parent': upTo((joint) => (joint === 0 ? -1 : 0)),
};

/** One sample: some calls on fresh matrices, whose making is not timed. */
function sample({ mats, fresh, run }) {
    mats.set(fresh);
    const start = process.hrtime.bigint();
    for (let call = 0; call < CALLS; call++) run();
    return Number(process.hrtime.bigint() - start) / CALLS / JOINTS;
}

const { mats: fresh } = createData(JOINTS, 'random');
const cases = [];
for (const [shape, parents] of Object.entries(SHAPES)) {
    for (const routine of ['transformSkeleton', 'untransformSkeleton']) {
        const add = (name, makeRun) => {
            const mats = fresh.slice();
            cases.push({ shape, routine, name, mats, fresh, run: makeRun(mats), samples: [] });
        };
        for (const name of ['paper/sse', 'strict/sse2', 'strict/avx2', 'strict/avx512']) {
            if (!poselane.implementations().some((one) => one.name === name && one.available)) continue;
            const call = poselane.implementation(name)[routine];
            add(name, (mats) => () => call(mats, parents));
        }
        const bind =
            routine === 'transformSkeleton' ? poselane.bindTransformSkeleton : poselane.bindUntransformSkeleton;
        add(`${poselane.defaultImplementation}, bound`, (mats) => bind(mats, parents).run);
    }
}
for (let round = 0; round < ROUNDS; round++) {
    for (const one of cases) one.samples.push(sample(one));
}
for (const { shape, routine, name, samples } of cases) {
    samples.sort((a, b) => a - b);
    const [min, median] = [samples[0], samples[samples.length >> 1]].map((ns) => (ns * (ticksPerNs ?? 1)).toFixed(2));
    console.log(`${shape.padEnd(34)}${routine.padEnd(22)}${name.padEnd(24)}${min.padStart(6)} / ${median}`);
}
