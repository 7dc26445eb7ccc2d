// SPDX-License-Identifier: MIT

import { append, createRigid, invert, multiply, normalize, type Rigid } from '../rig/rigid';

/** Adds the motion of whole rounds of a clip to the motion within one, in double precision, rounded once. */
export class Rounds {
    private readonly cycle = createRigid();
    private readonly total = createRigid();
    private readonly within = createRigid();
    private readonly scratch = createRigid();

    /**
     * @param motion tx ty tz x y z w at `at`, within the round. Output: cycle^rounds x motion.
     * @param cycle The motion of one round, at `end`.
     * @param rounds A whole number. Negative rounds lead back.
     */
    append(motion: Float32Array, at: number, cycle: ArrayLike<number>, end: number, rounds: number): void {
        if (rounds === 0) return;
        const { total, within, scratch } = this;
        read(this.cycle, cycle, end);
        read(within, motion, at);
        if (rounds < 0) invert(this.cycle);
        for (let c = 0; c < 7; c++) total[c] = c === 6 ? 1 : 0;
        append(total, this.cycle, rounds < 0 ? -rounds : rounds, scratch);
        multiply(total, total, within, scratch);
        for (let c = 0; c < 7; c++) motion[at + c] = total[c]!;
    }
}

function read(to: Rigid, from: ArrayLike<number>, at: number): void {
    for (let c = 0; c < 7; c++) to[c] = from[at + c]!;
    normalize(to);
}
