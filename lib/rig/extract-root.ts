// SPDX-License-Identifier: MIT

import type { RootParts } from '../format/manifest';
import { blockFloats, GLOBAL_FLOATS, LANES, LOCAL_FLOATS, type RigTables, type SlotTables } from './kernels/contract';
import type { PosesState } from './poses';
import {
    conjugate,
    createRigid,
    invert,
    multiply,
    normalize,
    orient,
    type Rigid,
    rotate,
    type Similarity,
    similarityOf,
    turn,
} from './rigid';

/**
 * Min squared length of the yaw quaternion before it is normalized. Below this a joint is upside down and has no yaw.
 */
const UPSIDE_DOWN = 1e-12;

/**
 * Computes the motion of a slot in the scene since a reference pose, and removes it from poses. It works on one slot
 * per pose in double precision, so there is one implementation.
 */
export class RootExtractor {
    /** Slots with nothing but matrices above them. Moving these moves all other slots. */
    private readonly carriers: Int32Array;
    /** For each carrier, the product of the matrices above it; null if there are none. */
    private readonly above: readonly (Similarity | null)[];
    /** Slots that cannot be moved, each with the slot whose matrix prevents it. */
    private readonly fixed: readonly (readonly [slot: number, matrix: number])[];
    private readonly reference = createRigid();
    private readonly now = createRigid();
    private readonly motion = createRigid();
    private readonly back = createRigid();
    private readonly inner = createRigid();
    private readonly local = createRigid();
    private readonly moved = createRigid();
    private readonly scratch = createRigid();
    /** A position, then the directions of the x and y axes. */
    private readonly frame = new Float64Array(9);
    private readonly axes = new Float64Array(9);

    constructor(
        private readonly tables: RigTables,
        parents: Int32Array,
        matrixOfSlot: Int32Array,
    ) {
        const { matrices, skins } = tables;
        const joints = new Set(skins.flatMap((skin) => [...skin.joints]));
        const globals = new Map<number, ArrayLike<number>>();
        const carriers: number[] = [];
        const above: (Similarity | null)[] = [];
        const fixed: [number, number][] = [];
        for (let slot = 0; slot < parents.length; slot++) {
            const parent = parents[slot]!;
            const global = globals.get(parent);
            if (parent >= 0 && global === undefined) continue;
            const matrix = matrixOfSlot[slot]!;
            if (matrix >= 0) {
                const own = matrices.subarray(matrix * GLOBAL_FLOATS, (matrix + 1) * GLOBAL_FLOATS);
                globals.set(slot, global === undefined ? own : product(global, own));
                if (joints.has(slot)) fixed.push([slot, slot]);
                continue;
            }
            const similarity = global === undefined ? null : similarityOf(global, 0);
            if (global !== undefined && similarity === null) fixed.push([slot, parent]);
            carriers.push(slot);
            above.push(similarity);
        }
        this.carriers = Int32Array.from(carriers);
        this.above = above;
        this.fixed = fixed;
    }

    /** The slot whose matrix keeps poses of these slots from being moved; -1 where they can be. */
    fixedBy({ places }: SlotTables): number {
        for (let i = 0; i < this.fixed.length; i++) {
            if (places[this.fixed[i]![0]]! >= 0) return this.fixed[i]![1];
        }
        return -1;
    }

    /**
     * @param from One pose, or as many as `poses`; not of the same memory if `inPlace`.
     * @param out `[pose][7]`: tx ty tz x y z w.
     * @param inPlace Whether the inverse of the motion, as `out` has it, is applied to the locals of the poses.
     */
    extract(
        poses: PosesState,
        from: PosesState,
        out: Float32Array,
        slot: number,
        parts: RootParts,
        inPlace: boolean,
    ): void {
        for (let pose = 0; pose < poses.count; pose++) {
            if (pose === 0 || from.count > 1) this.read(this.reference, from, pose, slot);
            this.read(this.now, poses, pose, slot);
            this.between(parts);
            for (let c = 0; c < 7; c++) out[pose * 7 + c] = this.motion[c]! + 0; // no -0
            if (inPlace) this.takeOut(poses, pose, out);
        }
    }

    /** Where a slot is in the scene, and how it is turned. Its own scale does not count. */
    private read(to: Rigid, { data, slots, weights }: PosesState, pose: number, slot: number): void {
        const { frame } = this;
        const lane = laneOf(slots, weights, pose);
        const own = slots.places[slot]!;
        for (let c = 0; c < 9; c++) frame[c] = c === 3 || c === 7 ? 1 : 0;
        for (let place = own; place >= 0; place = slots.parents[place]!) {
            const matrix = slots.matrices[place]!;
            if (matrix >= 0) this.applyMatrix(matrix * GLOBAL_FLOATS);
            else this.applyLocal(data, lane + place * LOCAL_FLOATS * LANES, place !== own);
        }
        for (let c = 0; c < 3; c++) to[c] = frame[c]!;
        for (let c = 0; c < 6; c++) this.axes[c] = frame[3 + c]!;
        orient(to, this.axes);
    }

    private applyMatrix(at: number): void {
        const { frame } = this;
        const { matrices } = this.tables;
        for (let v = 0; v < 9; v += 3) {
            const x = frame[v]!;
            const y = frame[v + 1]!;
            const z = frame[v + 2]!;
            for (let row = 0; row < 3; row++) {
                const m = at + row * 4;
                const turned = matrices[m]! * x + matrices[m + 1]! * y + matrices[m + 2]! * z;
                frame[v + row] = v === 0 ? turned + matrices[m + 3]! : turned;
            }
        }
    }

    private applyLocal(data: Float32Array, at: number, scaled: boolean): void {
        const { frame, local, moved, scratch } = this;
        for (let c = 0; c < 7; c++) local[c] = data[at + c * LANES]!;
        for (let v = 0; v < 9; v += 3) {
            for (let c = 0; c < 3; c++) {
                scratch[c] = scaled ? frame[v + c]! * data[at + (7 + c) * LANES]! : frame[v + c]!;
            }
            rotate(moved, local, scratch, v === 0 ? local : NONE);
            for (let c = 0; c < 3; c++) frame[v + c] = moved[c]!;
        }
    }

    /** The parts of `now` x `reference`^-1 that count, into `motion`; its rotation with w of 0 or above. */
    private between(parts: RootParts): void {
        const { motion, back, scratch, now, reference } = this;
        const flat = parts !== 'xyz+rotation';
        back.set(reference);
        invert(back);
        multiply(motion, now, back, scratch);
        if (flat) {
            const y = motion[4]!;
            const w = motion[6]!;
            const square = y * y + w * w;
            const length = Math.sqrt(square);
            motion[3] = 0;
            motion[4] = square < UPSIDE_DOWN ? 0 : y / length;
            motion[5] = 0;
            motion[6] = square < UPSIDE_DOWN ? 1 : w / length;
        }
        rotate(scratch, motion, reference, NONE);
        for (let c = 0; c < 3; c++) {
            motion[c] = parts === 'yaw' || (flat && c === 1) ? 0 : now[c]! - scratch[c]!;
        }
        if (motion[6]! < 0) for (let c = 3; c < 7; c++) motion[c] = -motion[c]!;
    }

    /** Moves a pose back by the motion that was written for it. */
    private takeOut({ data, slots, weights }: PosesState, pose: number, out: Float32Array): void {
        const { back, inner, local, moved, scratch } = this;
        const lane = laneOf(slots, weights, pose);
        for (let c = 0; c < 7; c++) back[c] = out[pose * 7 + c]!;
        normalize(back);
        invert(back);
        for (let i = 0; i < this.carriers.length; i++) {
            const place = slots.places[this.carriers[i]!]!;
            if (place < 0) continue;
            const above = this.above[i]!;
            if (above !== null) conjugate(inner, back, above, scratch);
            const by = above === null ? back : inner;
            const at = lane + place * LOCAL_FLOATS * LANES;
            for (let c = 0; c < 7; c++) local[c] = data[at + c * LANES]!;
            rotate(moved, by, local, by);
            turn(moved, by, local);
            for (let c = 0; c < 7; c++) data[at + c * LANES] = moved[c]!;
        }
    }
}

const NONE = createRigid();

function laneOf({ slots }: SlotTables, weights: number, pose: number): number {
    return (pose >> 4) * blockFloats(slots.length, weights) + (pose & 15);
}

/** The product of two row-major 3x4 matrices. */
function product(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
    return Float64Array.from({ length: GLOBAL_FLOATS }, (_, i) => {
        const [row, column] = [i - (i % 4), i % 4];
        const sum = a[row]! * b[column]! + a[row + 1]! * b[4 + column]! + a[row + 2]! * b[8 + column]!;
        return column === 3 ? sum + a[row + 3]! : sum;
    });
}
