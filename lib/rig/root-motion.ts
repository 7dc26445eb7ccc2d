// SPDX-License-Identifier: MIT

import { typescriptRig } from './kernels';
import { LANES, type RigTables } from './kernels/contract';
import type { PoseKernels } from './kernels/table';
import { cycleOf } from './kernels/wrap-time';
import { append, createRigid, invert, multiply, normalize, type Rigid } from './rigid';

/**
 * The motion of a slot between two times: inverse of its transform at `t0`, times its transform at `t1`, including
 * completed cycles. The samples are those of `evaluate`; the rest is in double precision. There is one implementation,
 * because two poses of one slot need no SIMD.
 */
export class RootMotion {
    private readonly slot = new Int32Array(1);
    private readonly kernels: PoseKernels;
    private readonly data: Float32Array;
    private readonly times = new Float64Array(2);
    /** Transforms of the slot at the two times, at 0 and at the duration of the clip. */
    private readonly from = createRigid();
    private readonly to = createRigid();
    private readonly first = createRigid();
    private readonly last = createRigid();
    private readonly total = createRigid();
    private readonly cycle = createRigid();
    private readonly scratch = createRigid();

    constructor(private readonly tables: RigTables) {
        this.kernels = typescriptRig.load(tables).select({
            slots: this.slot,
            places: new Int32Array(0),
            parents: Int32Array.of(-1),
            matrices: Int32Array.of(-1),
        });
        this.data = new Float32Array((22 + tables.restWeights.length) * LANES);
    }

    /**
     * @param out tx ty tz x y z w.
     * @returns Whether the result is finite in float32; if not, nothing was written.
     */
    delta(out: Float32Array, clip: number, t0: number, t1: number, slot: number, wrap: boolean): boolean {
        if (t1 < t0) {
            if (!this.forward(clip, t1, t0, slot, wrap)) return false;
            invert(this.total);
        } else if (!this.forward(clip, t0, t1, slot, wrap)) {
            return false;
        }
        for (let c = 0; c < 7; c++) if (!Number.isFinite(Math.fround(this.total[c]!))) return false;
        for (let c = 0; c < 7; c++) out[c] = this.total[c]!;
        return true;
    }

    /** Writes the motion from `t0` to `t1` into `total`. `t1` must not be before `t0`. */
    private forward(clip: number, t0: number, t1: number, slot: number, wrap: boolean): boolean {
        const cycles = wrap ? this.cyclesBetween(clip, t0, t1) : 0;
        if (!Number.isFinite(cycles)) return false;
        this.slot[0] = slot;
        this.times[0] = t0;
        this.times[1] = t1;
        this.sample(clip, wrap, this.from, this.to);
        this.total.set(this.from);
        invert(this.total);
        if (cycles > 0) {
            this.times[0] = 0;
            this.times[1] = this.tables.clips[clip]!.duration;
            this.sample(clip, false, this.first, this.last);
            multiply(this.total, this.total, this.last, this.scratch);
            this.cycle.set(this.first);
            invert(this.cycle);
            multiply(this.cycle, this.cycle, this.last, this.scratch);
            append(this.total, this.cycle, cycles - 1, this.scratch);
            invert(this.first);
            multiply(this.total, this.total, this.first, this.scratch);
        }
        multiply(this.total, this.total, this.to, this.scratch);
        return true;
    }

    /** How often the clip restarts between the two times; 0 for a clip of duration 0. */
    private cyclesBetween(clip: number, t0: number, t1: number): number {
        const { duration } = this.tables.clips[clip]!;
        return duration > 0 ? cycleOf(t1, duration) - cycleOf(t0, duration) : 0;
    }

    /** Samples the slot at both `times`. */
    private sample(clip: number, wrap: boolean, a: Rigid, b: Rigid): void {
        this.kernels.evaluate(this.data, 2, clip, this.times, wrap);
        this.read(a, 0);
        this.read(b, 1);
    }

    private read(pose: Rigid, lane: number): void {
        for (let c = 0; c < 7; c++) pose[c] = this.data[c * LANES + lane]!;
        normalize(pose);
    }
}
