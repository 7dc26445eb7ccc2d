// SPDX-License-Identifier: MIT

/**
 * How the shape of a skeleton decides what TransformSkeleton and UntransformSkeleton cost: ticks per joint of 1,024
 * joints called from JavaScript, minimum and median. `bound` leaves out the copy and the check of the parents, which
 * bindTransformSkeleton makes once. Needs `npm run build`; how many results TransformSkeleton keeps in registers is
 * MatLanes::kKept of the lanes' headers in native/.
 */

import { createData } from '../../dist/bench/data.js';
import { describeMachine } from '../../dist/bench/machine.js';
import { interleave } from '../../dist/bench/measure.js';
import poselane from '../../dist/index.js';
import { spread } from '../harness.mjs';
import { crowd } from '../lists/humanoid.mjs';

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
const NAMES = ['paper/sse', 'strict/sse2', 'strict/avx2', 'strict/avx512'].filter((name) =>
    poselane.implementations().some((one) => one.name === name && one.available),
);
const BINDERS = {
    transformSkeleton: poselane.bindTransformSkeleton,
    untransformSkeleton: poselane.bindUntransformSkeleton,
};

const { mats: fresh } = createData(JOINTS, 'random');

/** A sample is some calls on fresh matrices, whose making is not timed. */
function subject(shape, routine, name, makeRun) {
    const mats = fresh.slice();
    const run = makeRun(mats);
    return {
        label: `${shape.padEnd(34)}${routine.padEnd(22)}${name.padEnd(24)}`,
        sample() {
            mats.set(fresh);
            const start = process.hrtime.bigint();
            for (let call = 0; call < CALLS; call++) run();
            return [(Number(process.hrtime.bigint() - start) / CALLS / JOINTS) * (ticksPerNs ?? 1)];
        },
    };
}

const groups = Object.entries(SHAPES).flatMap(([shape, parents]) =>
    Object.entries(BINDERS).map(([routine, bind]) => [
        ...NAMES.map((name) => {
            const call = poselane.implementation(name)[routine];
            return subject(shape, routine, name, (mats) => () => call(mats, parents));
        }),
        subject(shape, routine, `${poselane.defaultImplementation}, bound`, (mats) => bind(mats, parents).run),
    ]),
);
for (const [{ label }, rounds] of await interleave(groups, { rounds: ROUNDS, milliseconds: 0 })) {
    const { min, median } = spread(rounds.flat());
    console.log(`${label}${min.toFixed(2).padStart(6)} / ${median.toFixed(2)}`);
}
