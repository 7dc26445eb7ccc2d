// SPDX-License-Identifier: MIT

import { InputError, inputName, ToleranceError } from '../../base/errors';
import { significant } from '../../base/messages';
import { halfOf, MAX_HALF, valueOfHalf } from '../../format/half';
import { matricesOfQts, PIVOT_FLOATS, QTS_FLOATS, qtsRowFloats, TEXEL } from '../../format/qts';
import { squaredDistance } from '../../rig/measure/displacement';
import { columnName } from '../plan/character';
import { isGodot3 } from '../plan/options';
import { type BakePlan, clipName } from '../plan/plan';
import { allFinite, firstNotFinite } from './floats';
import { type Mixing, stretchedRow, takeApart, takeHemisphere } from './qts';
import type { SkinModel } from './skin-model';

interface Frames {
    /** Animation index. */
    readonly animation: number;
    readonly times: Float32Array;
}

/**
 * Evaluates the rows of a clip as they are baked: in the output's space, and rounded to half floats if these are
 * wanted.
 */
export class RowSource implements Mixing {
    readonly pivots: Float32Array | null;
    readonly mixedFloats: number;
    private exact = new Float32Array(0);
    /** For `qts16`: room for the row before a batch and the batch itself, and the part that is in use. */
    private packed = new Float32Array(0);
    private mixed = new Float32Array(0);

    constructor(
        private readonly plan: Pick<BakePlan, 'scene' | 'file' | 'recipe'>,
        private readonly model: SkinModel,
    ) {
        this.pivots = plan.recipe.layout === 'qts16' ? model.pivots() : null;
        this.mixedFloats = this.pivots === null ? model.rowFloats : qtsRowFloats(this.pivots);
    }

    /**
     * The rows of the last call, with the row before them, in the form that players interpolate.
     *
     * @param palette The same rows as matrices.
     * @returns `palette` itself; for `qts16` its rows.
     */
    asMixed(palette: Float32Array): Float32Array {
        return this.pivots === null ? palette : this.mixed;
    }

    /**
     * @param palette Output, 4x4 matrices: as many rows as fit, from frame `first` on.
     * @param before 1 if these rows continue those of the call before, 0 otherwise.
     * @returns Squared error of half floats; 0 for float32.
     * @throws InputError `NOT_FINITE`; ToleranceError for numbers beyond half floats.
     */
    evaluate({ animation, times }: Frames, first: number, palette: Float32Array, before: 0 | 1): number {
        const end = first + palette.length / this.model.rowFloats;
        this.model.evaluate(animation, times.subarray(first, end), palette);
        return this.finish(animation, first, palette, before);
    }

    /** The rest of `evaluate`, for poses of the model. */
    finish(animation: number, first: number, palette: Float32Array, before: 0 | 1): number {
        if (!allFinite(palette)) throw this.notFinite(animation, first, palette);
        if (this.plan.recipe.dtype === 'f32') return 0;
        if (this.exact.length < palette.length) this.exact = new Float32Array(palette.length);
        const exact = this.exact.subarray(0, palette.length);
        exact.set(palette);
        if (this.pivots === null) this.roundHalves(animation, first, palette);
        else this.pack(animation, first, palette, before, this.pivots);
        return squaredDistance(this.model.jointBoxes, palette, exact);
    }

    private roundHalves(animation: number, first: number, palette: Float32Array): void {
        for (let i = 0; i < palette.length; i++) {
            const value = palette[i]!;
            if (value > MAX_HALF || value < -MAX_HALF) throw this.beyondHalves(animation, first, i >> 4, value);
            palette[i] = valueOfHalf(halfOf(value));
        }
    }

    /** Converts matrices to `qts16` rows, and replaces them by the matrices that these rows mean. */
    private pack(animation: number, first: number, palette: Float32Array, before: 0 | 1, pivots: Float32Array): void {
        const width = this.mixedFloats;
        const columns = pivots.length / PIVOT_FLOATS;
        const mats = palette.length / 16;
        const end = width + (mats / columns) * width;
        const packed = this.packed.length < end ? new Float32Array(end) : this.packed;
        if (before === 1) packed.set(this.mixed.subarray(-width));
        const round = (mat: number, from: number, floats: number) => {
            for (let k = from; k < from + floats; k++) {
                const value = packed[k]!;
                if (value > MAX_HALF || value < -MAX_HALF) throw this.beyondHalves(animation, first, mat, value);
                packed[k] = valueOfHalf(halfOf(value)) + 0; // +0 for -0
            }
        };
        for (let mat = 0, row = width; row < end; row += width) {
            for (let p = 0, to = row; p < pivots.length; p += PIVOT_FLOATS, to += QTS_FLOATS, mat++) {
                const third = pivots[p + 3]! * TEXEL;
                if (third > 0) {
                    for (const [axis, at] of [to, to + TEXEL, row + third].entries())
                        stretchedRow(packed, at, axis, palette, mat * 16, pivots, p);
                    round(mat, row + third, TEXEL);
                    round(mat, to, QTS_FLOATS);
                    continue;
                }
                const above = before === 1 || row > width ? to - width : -1;
                takeApart(packed, to, above, palette, mat * 16, pivots, p);
                round(mat, to, QTS_FLOATS);
                takeHemisphere(packed, to, above);
            }
        }
        this.packed = packed;
        this.mixed = packed.subarray((1 - before) * width, end);
        matricesOfQts(palette, packed.subarray(width, end), pivots);
    }

    private beyondHalves(animation: number, first: number, mat: number, value: number): ToleranceError {
        const where = `${inputName(this.plan.file)}: ${this.describe(animation, first, mat)}`;
        const rule = `${significant(value)} is beyond half floats, which end at ${MAX_HALF}: ${this.instead}`;
        return new ToleranceError(`${where}: ${rule}`);
    }

    get instead(): string {
        if (isGodot3(this.plan.recipe))
            return 'move the model to the origin, bake clips that travel far by themselves, or use Godot 4';
        return this.pivots === null ? 'use f32' : "use 'mat4' or 'mat3x4'";
    }

    /** @param palette Rows from frame `first` on. */
    private notFinite(animation: number, first: number, palette: Float32Array): InputError {
        const where = this.describe(animation, first, firstNotFinite(palette));
        const rule = `${where}: the baked matrix is not finite`;
        return new InputError('NOT_FINITE', this.plan.file, `/animations/${animation}`, rule);
    }

    private describe(animation: number, first: number, mat: number): string {
        const { scene } = this.plan;
        const { character } = this.model;
        const column = mat % character.nodes.length;
        const frame = first + (mat - column) / character.nodes.length;
        return `${clipName(scene, animation)}, frame ${frame}, ${columnName(scene, character, column)}`;
    }
}
