// SPDX-License-Identifier: MIT

import { significant } from '../base/messages';
import type { Judged } from './arrays/check';
import type { AddProblem } from './check-manifest';
import type { DoubleEvaluator } from './evaluator';
import type { Rescaled } from './gltf';
import { multiply } from './matrix';
import { displacement, scaleOf } from './metric';
import { type Pose, paletteOf } from './pose';

/** Maximum error by a shared palette, in extents. */
const TOLERANCE = 1e-5;
/** Tolerances of the stated error: a share of itself, and of the extent. */
const OF_ITSELF = 1e-3;
const OF_EXTENT = 1e-9;

/**
 * Checks which skins share the palette of the first one by a scale and a translation. How well they do is judged in
 * each row: {@link Sharing}.
 *
 * @param skins The skins that share it as they are.
 */
export function checkRescaled(
    evaluator: DoubleEvaluator,
    skins: readonly number[],
    rescaled: readonly Rescaled[],
    addProblem: AddProblem,
): readonly Rescaled[] {
    const known = new Set(skins);
    return rescaled.filter(({ skin, scale }, i) => {
        const fault =
            skin >= evaluator.skinCount
                ? `the input has ${evaluator.skinCount} skins, none of number ${skin}`
                : known.has(skin)
                  ? `skin ${skin} is listed before`
                  : evaluator.joints(skin).join() !== evaluator.joints(skins[0]!).join()
                    ? `skin ${skin} has other joints`
                    : scale > 0
                      ? null
                      : `the scale is ${scale}, must be greater than 0`;
        known.add(skin);
        if (fault !== null) addProblem('SKIN_DIFFERS', `/skin/rescaled/${i}`, fault);
        return fault === null;
    });
}

/** Compares the vertices of skins that share a palette with those under their own inverse bind matrices. */
export class Sharing {
    private readonly shared;

    constructor(private readonly judged: Judged) {
        const { subject, files } = judged;
        const { evaluator, nodes, joints } = subject;
        this.shared = subject.rescaled.map((rescaled) => {
            const { skin, scale, translation } = rescaled;
            const index = files.manifest.skin!.rescaled!.indexOf(rescaled);
            const [x, y, z] = translation.map((c) => -c / scale) as [number, number, number];
            const back = [1 / scale, 0, 0, 0, 0, 1 / scale, 0, 0, 0, 0, 1 / scale, 0, x, y, z, 1];
            const own = evaluator.inverseBindsOf(skin);
            const binds = new Float64Array(own.length);
            for (let at = 0; at < own.length; at += 16) multiply(binds, at, own, at, back, 0);
            return { skin, index, nodes: nodes.slice(0, joints), binds, error: 0 };
        });
    }

    /** Adds the pose of a row. */
    add(pose: Pose): void {
        const { boxes, subject } = this.judged;
        if (this.shared.length === 0) return;
        const palette = paletteOf(subject, pose);
        for (const one of this.shared) {
            const own = paletteOf(one, pose);
            for (let joint = 0; joint < one.nodes.length; joint++) {
                const corners = boxes.own[joint];
                if (corners == null) continue;
                one.error = Math.max(one.error, displacement(palette, joint * 16, own, joint * 16, corners));
            }
        }
    }

    /** Call it after all rows have been added. */
    check(addProblem: AddProblem): void {
        const { metric, files } = this.judged;
        const extent = scaleOf(metric);
        for (const { skin, index, error } of this.shared) {
            const pointer = `/skin/rescaled/${index}/error`;
            const { error: stated } = files.manifest.skin!.rescaled![index]!;
            const found = significant(error);
            if (!(error <= TOLERANCE * extent))
                addProblem('SKIN_DIFFERS', pointer, `vertices of skin ${skin} are off by ${found}`);
            else if (!(Math.abs(stated - error) <= OF_ITSELF * error + OF_EXTENT * extent))
                addProblem('SKIN_DIFFERS', pointer, `${significant(stated)}, must be ${found}`);
        }
    }
}
