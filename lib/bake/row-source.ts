// SPDX-License-Identifier: MIT

import { InputError, inputName, ToleranceError } from '../errors';
import { significant } from '../messages';
import { GREATEST_HALF, halfOf, valueOfHalf } from '../numbers/half';
import { columnName } from './character';
import { squaredDistance } from './displacement';
import { allFinite, firstNotFinite } from './floats';
import { type BakePlan, clipName } from './plan';
import type { ClipFrames } from './playback';
import type { SkinModel } from './skin-model';

/**
 * The rows of a clip as they are baked: evaluated, in the output's space, and of half floats where these are wanted.
 */
export class RowSource {
    private exact = new Float32Array(0);

    constructor(
        private readonly plan: Pick<BakePlan, 'scene' | 'file' | 'recipe'>,
        private readonly model: SkinModel,
    ) {}

    /**
     * @param palette Written, 4x4 matrices: the rows of frames from `first` on, as many as it has room for.
     * @returns How far half floats are off, squared; 0 for float32.
     * @throws InputError `NOT_FINITE`; ToleranceError for numbers beyond half floats.
     */
    evaluate({ animation, times }: ClipFrames, first: number, palette: Float32Array): number {
        const { model } = this;
        const end = first + palette.length / model.rowFloats;
        model.evaluate(animation, times.subarray(first, end), palette);
        if (!allFinite(palette)) throw this.notFinite(animation, first, palette);
        if (this.plan.recipe.dtype === 'f32') return 0;
        if (this.exact.length < palette.length) this.exact = new Float32Array(palette.length);
        const exact = this.exact.subarray(0, palette.length);
        exact.set(palette);
        for (let i = 0; i < palette.length; i++) {
            const value = palette[i]!;
            if (value > GREATEST_HALF || value < -GREATEST_HALF) {
                const where = `${inputName(this.plan.file)}: ${this.describe(animation, first, i >> 4)}`;
                throw new ToleranceError(
                    `${where}: ${significant(value)} is beyond half floats, which end at ${GREATEST_HALF}: use f32`,
                );
            }
            palette[i] = valueOfHalf(halfOf(value));
        }
        return squaredDistance(model.jointBoxes, palette, exact);
    }

    /** @param palette Of the frames from `first` on. */
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
