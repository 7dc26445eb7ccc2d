// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions, UsageError } from '../../base/errors';
import type { ManifestRoot } from '../../format/manifest';
import { GLOBAL_FLOATS } from '../../rig/kernels/contract';
import type { Character } from '../../rig/measure/characters';
import { rotationMatrix } from '../../rig/measure/geometry';
import type { Poses } from '../../rig/poses';
import type { Rig } from '../../rig/rig';
import { conjugate, createRigid, invert, normalize, type Rigid, type Similarity, similarityOf } from '../../rig/rigid';
import type { RootRecipe } from '../plan/options';
import type { BakePlan } from '../plan/plan';

/** Maximum difference between `local` and the root motion that non-unit rotations may cause, relative to the extent. */
const LONG = 1e-6;

/** Motion below this, relative to the extent or to a turn, counts as none. */
const STILL = 1e-4;

/** The root motion of a character's poses: motion since the first frame of the clip, in the scene. */
export class Motion {
    readonly recipe: ManifestRoot;
    /** Column of the joint; -1 if the character does not have it. */
    readonly joint: number;
    /** Whether rows are made in place. */
    readonly inPlace: boolean;
    /** Maxima so far: distance, and the sine of half the turn. */
    private travelled = 0;
    private turned = 0;
    private readonly file: string;
    private readonly start: Float64Array;
    private readonly slot: number;
    /** Whether locals are made in place too. */
    private readonly movesLocals: boolean;
    /** The first frame of `clip`. */
    private readonly first: Poses;
    private clip = -1;
    private readonly rows: Float32Array;
    /** From the output's space to the scene; null if they are the same. */
    private readonly frame: Similarity | null;
    /** Slots whose ancestors all have a matrix instead of TRS. */
    private readonly tops: readonly number[];
    private readonly rigid = createRigid();
    private readonly inner = createRigid();
    private readonly scratch = createRigid();
    private readonly inverse = new Float64Array(12);

    /**
     * @param root Slot of the space's root. `globals` are those of the rest pose, which `poses` hold at this point.
     * @throws UsageError if the space does not allow root motion, or if it cannot be removed from locals.
     */
    constructor(
        { file, recipe }: Pick<BakePlan, 'file' | 'recipe'>,
        { root: node, nodes, joints }: Character,
        private readonly rig: Rig,
        root: number,
        globals: Float32Array,
        private readonly poses: Poses,
    ) {
        const { mode, motion } = recipe.root as RootRecipe;
        this.recipe = { mode, motion, node };
        this.joint = nodes.slice(0, joints || nodes.length).indexOf(node);
        this.inPlace = mode !== 'keep';
        this.file = file;
        this.start = Float64Array.of(Math.fround(recipe.window.from));
        this.slot = rig.slotOf(node);
        this.movesLocals = this.inPlace && recipe.emit.has('local');
        this.first = rig.createPoses(1, { only: [this.slot] });
        this.rows = new Float32Array(poses.capacity * 7);
        const inScene = recipe.space === 'scene' || root < 0;
        this.frame = inScene ? null : similarityOf(globals, root * GLOBAL_FLOATS);
        if (!inScene && this.frame === null) {
            const what = `the skin's root (node ${rig.slots[root]!.node}) has unequal scale or shear at rest`;
            throw namingOptions((name) => {
                const rule = `${what}: root motion is not a rigid motion in its space`;
                return new UsageError(`${inputName(file)}: ${name('space')}: ${rule}, use 'scene'`);
            });
        }
        const free: boolean[] = [];
        for (const { parent } of rig.slots) free.push(parent < 0 || (rig.slots[parent]!.hasMatrix && free[parent]!));
        this.tops = [...rig.slots.keys()].filter((slot) => free[slot]! && !rig.slots[slot]!.hasMatrix);
        if (this.movesLocals) this.refuseMatrices();
    }

    /** Measures the poses of a batch. If locals are baked, makes them in place. */
    measure(clip: number): void {
        const { rig, first, slot, poses } = this;
        if (clip !== this.clip) rig.evaluate(first, clip, this.start);
        this.clip = clip;
        const options = { slot, from: first, motion: this.recipe.motion, inPlace: this.movesLocals };
        rig.extractRoot(poses, this.rows, options);
        for (let at = 0; at < poses.count * 7; at++) {
            const size = Math.abs(this.rows[at]!);
            if (at % 7 < 3 && size > this.travelled) this.travelled = size;
            if (at % 7 > 2 && at % 7 < 6 && size > this.turned) this.turned = size;
        }
    }

    /** Whether no pose so far has moved by more than a share of the extent. */
    standsStill(extent: number): boolean {
        const travelled = this.travelled / Math.abs(this.frame?.scale ?? 1);
        return travelled <= STILL * extent && this.turned <= STILL;
    }

    /** The inverse motion of a pose in the scene, row-major 3x4. Valid until the next call. */
    inverseOf(pose: number): Float64Array {
        const { rigid, inverse } = this;
        this.readRigid(pose);
        normalize(rigid);
        invert(rigid);
        const [tx, ty, tz, x, y, z, w] = rigid as unknown as [number, number, number, number, number, number, number];
        const m = rotationMatrix(x, y, z, w);
        for (const [row, t] of [tx, ty, tz].entries()) inverse.set([m[row]!, m[3 + row]!, m[6 + row]!, t], row * 4);
        return inverse;
    }

    /** Writes the motion of as many poses as `rows` has room for, in the output's space: `[pose][7]`. */
    read(rows: Float32Array): void {
        for (let row = 0; row * 7 < rows.length; row++) {
            this.readRigid(row);
            if (this.frame !== null) conjugate(this.inner, this.rigid, this.frame, this.scratch);
            const motion: Rigid = this.frame === null ? this.rigid : this.inner;
            for (let c = 0; c < 7; c++) rows[row * 7 + c] = motion[c]! + 0; // +0 for -0
        }
    }

    /**
     * A quaternion that is not of unit length also scales, so its inverse does not remove all of it.
     *
     * @throws InputError `NON_UNIT_ROTATION` for locals in place.
     */
    refuseLong(animation: number): void {
        if (!this.movesLocals) return;
        const { rig, poses } = this;
        const trs = new Float32Array(10);
        for (let pose = 0; pose < poses.count; pose++) {
            this.readRigid(pose);
            const turned = 2 * Math.sqrt(Math.max(0, 1 - this.rigid[6]! * this.rigid[6]!));
            for (const slot of this.tops) {
                const { node, name } = rig.slots[slot]!;
                const [, , , x, y, z, w] = rig.getLocal(poses, pose, slot, trs) as unknown as number[];
                const off = Math.abs(x! * x! + y! * y! + z! * z! + w! * w! - 1);
                if (!(off * turned > LONG)) continue;
                throw namingOptions((option) => {
                    const what = `the rotation of node ${node} '${name}' is not of unit length, and the array local cannot be in place`;
                    const rule = `${what}: ${option('renormalize')} helps where it is its keys; or leave 'local' out of ${option('emit')}`;
                    return new InputError('NON_UNIT_ROTATION', this.file, `/animations/${animation}`, rule);
                });
            }
        }
    }

    private readRigid(pose: number): void {
        for (let c = 0; c < 7; c++) this.rigid[c] = this.rows[pose * 7 + c]!;
    }

    private refuseMatrices(): void {
        const { rig, slot } = this;
        try {
            rig.extractRoot(rig.createPoses(1), this.rows, { slot, from: rig.createPoses(1) });
        } catch (error) {
            if ((error as { code?: unknown }).code !== 'ERR_MATRIX_SLOT') throw error;
            throw namingOptions((name) => {
                const what = (error as Error).message.replace(/^extractRoot: /, '');
                const rule = `${what}: leave 'local' out of ${name('emit')}, or use 'keep'`;
                return new UsageError(`${inputName(this.file)}: ${name('root')}: ${rule}`);
            });
        }
    }
}
