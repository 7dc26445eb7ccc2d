// SPDX-License-Identifier: MIT

import { LANES, type PoseKernels, type RigTables } from './kernel-contract';
import { typescriptRig } from './typescript';
import { wrapTime } from './wrap-time';

/** A rotation and then a translation, in double precision: tx ty tz x y z w. */
type Rigid = Float64Array;

const rigid = (): Rigid => Float64Array.of(0, 0, 0, 0, 0, 0, 1);

/**
 * How a slot moves between two times: its transform at `t0`, inverted, times that at `t1`, wraps counted. The samples are
 * those of `evaluate`; what is done with them is in double precision, + - x / and square roots alone, so that it is the
 * same everywhere. Sampling four poses of one slot needs no SIMD: there is one implementation.
 */
export class RootMotion {
    private readonly slot = new Int32Array(1);
    private readonly kernels: PoseKernels;
    private readonly data: Float32Array;
    private readonly hints: Uint16Array;
    private readonly times = new Float64Array(4);
    private readonly at = [rigid(), rigid(), rigid(), rigid()] as const;
    private readonly total = rigid();
    private readonly cycle = rigid();
    private readonly scratch = rigid();

    constructor(private readonly tables: RigTables) {
        const hintGroups = tables.clips.some(({ groups }) => groups.length > 0) ? 1 : 0;
        this.kernels = typescriptRig.load(tables).select({
            slots: this.slot,
            places: new Int32Array(0),
            parents: Int32Array.of(-1),
            matrices: Int32Array.of(-1),
            hintGroups,
        });
        this.data = new Float32Array((22 + tables.restWeights.length) * LANES);
        this.hints = new Uint16Array(hintGroups * LANES);
    }

    /**
     * @param out tx ty tz x y z w.
     * @returns Whether the result is finite in float32; where it is not, nothing was written.
     */
    delta(out: Float32Array, clip: number, t0: number, t1: number, slot: number, wrap: boolean): boolean {
        if (t1 < t0) {
            if (!this.forward(clip, t1, t0, slot, wrap)) return false;
            invert(this.total);
        } else if (!this.forward(clip, t0, t1, slot, wrap)) {
            return false;
        }
        for (const value of this.total) if (!Number.isFinite(Math.fround(value))) return false;
        out.set(this.total);
        return true;
    }

    /** From `t0` to `t1`, which is not before it, into `total`. */
    private forward(clip: number, t0: number, t1: number, slot: number, wrap: boolean): boolean {
        const { duration } = this.tables.clips[clip]!;
        let cycles = 0;
        this.times.fill(0);
        if (wrap && duration > 0) {
            const first = cycleOf(t0, duration);
            const last = cycleOf(t1, duration);
            this.times[0] = wrapTime(t0, duration);
            this.times[1] = wrapTime(t1, duration);
            cycles = last - first;
            if (!Number.isFinite(cycles)) return false;
        } else if (!wrap) {
            this.times[0] = t0;
            this.times[1] = t1;
        }
        this.times[3] = duration;
        this.slot[0] = slot;
        this.kernels.evaluate(this.data, this.hints, 4, clip, this.times, false);
        const [from, to, start, end] = this.at;
        for (let lane = 0; lane < 4; lane++) this.read(this.at[lane]!, lane);

        this.total.set(from);
        invert(this.total);
        if (cycles > 0) {
            multiply(this.total, this.total, end, this.scratch);
            this.cycle.set(start);
            invert(this.cycle);
            multiply(this.cycle, this.cycle, end, this.scratch);
            this.appendCycles(cycles - 1);
            this.scratch.set(start);
            invert(this.scratch);
            this.cycle.set(this.scratch);
            multiply(this.total, this.total, this.cycle, this.scratch);
        }
        multiply(this.total, this.total, to, this.scratch);
        return true;
    }

    /** total x cycle^count, by squaring: a clock that has run for years costs no more than one that just started. */
    private appendCycles(count: number): void {
        for (let left = count; left > 0; left = Math.floor(left / 2)) {
            if (left % 2 === 1) multiply(this.total, this.total, this.cycle, this.scratch);
            if (left > 1) multiply(this.cycle, this.cycle, this.cycle, this.scratch);
        }
    }

    private read(pose: Rigid, lane: number): void {
        for (let c = 0; c < 7; c++) pose[c] = this.data[c * LANES + lane]!;
        normalize(pose);
    }
}

/** How many whole durations have passed; the same rounding as `wrapTime`. */
function cycleOf(time: number, duration: number): number {
    const cycles = Math.floor(time / duration);
    return time - duration * cycles >= duration ? cycles + 1 : cycles;
}

function normalize(pose: Rigid): void {
    const [x, y, z, w] = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
    const square = x * x + y * y + z * z + w * w;
    const length = square === 0 ? 1 : Math.sqrt(square);
    pose[3] = x / length;
    pose[4] = y / length;
    pose[5] = z / length;
    pose[6] = w / length;
}

function invert(pose: Rigid): void {
    pose[3] = -pose[3]!;
    pose[4] = -pose[4]!;
    pose[5] = -pose[5]!;
    const [x, y, z] = [pose[0]!, pose[1]!, pose[2]!];
    rotate(pose, pose, -x, -y, -z, 0, 0, 0);
}

/** out = a x b; `scratch` is written. */
function multiply(out: Rigid, a: Rigid, b: Rigid, scratch: Rigid): void {
    const [ax, ay, az, aw] = [a[3]!, a[4]!, a[5]!, a[6]!];
    const [bx, by, bz, bw] = [b[3]!, b[4]!, b[5]!, b[6]!];
    rotate(scratch, a, b[0]!, b[1]!, b[2]!, a[0]!, a[1]!, a[2]!);
    scratch[3] = aw * bx + ax * bw + ay * bz - az * by;
    scratch[4] = aw * by + ay * bw + az * bx - ax * bz;
    scratch[5] = aw * bz + az * bw + ax * by - ay * bx;
    scratch[6] = aw * bw - ax * bx - ay * by - az * bz;
    normalize(scratch);
    out.set(scratch);
}

/** The translation of `out` = the rotation of `pose` applied to v, plus d. */
function rotate(out: Rigid, pose: Rigid, vx: number, vy: number, vz: number, dx: number, dy: number, dz: number): void {
    const [x, y, z, w] = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
    const cx = 2 * (y * vz - z * vy);
    const cy = 2 * (z * vx - x * vz);
    const cz = 2 * (x * vy - y * vx);
    out[0] = vx + w * cx + (y * cz - z * cy) + dx;
    out[1] = vy + w * cy + (z * cx - x * cz) + dy;
    out[2] = vz + w * cz + (x * cy - y * cx) + dz;
}
