// SPDX-License-Identifier: MIT

import { matricesOfQts, PIVOT_FLOATS, QTS_FLOATS } from '../../format/qts';
import type { Character } from '../../rig/measure/characters';
import { BOX_NUMBERS, type CentredBoxes, squaredDistance } from '../../rig/measure/displacement';
import { keyTimesOf } from '../plan/frames';
import { allowedRounding, ROUNDING_SHARE } from '../plan/tolerance';
import { pivotsOf, takeApart } from './qts';
import type { RigPlan, SkinRig } from './skin-rig';

/** Distance of a matrix from a rotation and a uniform scale, relative to the scale, that rounding to half floats has too. */
const UNIFORM = 1e-3;

/** The parts of a `SkinModel` that are used. */
interface Posed extends Pick<SkinRig, 'channels'> {
    readonly character: Pick<Character, 'inverseBindMatrices'>;
    readonly rowFloats: number;
    readonly extent: number;
    readonly jointBoxes: CentredBoxes;
    readonly poses: { readonly capacity: number };
    evaluate(clip: number, times: Float64Array, palette: Float32Array): void;
}

/**
 * Describes the columns of a `qts16` palette: lib/format/qts.ts. A column is stretched if a rotation and a uniform scale
 * displace its vertices by more than half of the tolerance of half floats, at a key or halfway between two keys. The other
 * half is for the rounding. The choice does not depend on the rate, because the search for a rate depends on the choice.
 *
 * @param most Maximum number of matrices that are tried.
 */
export function qtsPivotsOf(plan: Pick<RigPlan, 'recipe' | 'clips'>, model: Posed, most = Infinity): Float32Array {
    const { character, channels, extent, jointBoxes, poses, rowFloats } = model;
    const pivots = pivotsOf(character.inverseBindMatrices);
    const columns = pivots.length / PIVOT_FLOATS;
    const { from, to } = plan.recipe.window;
    const allowed = Math.min(allowedRounding(plan, model), ROUNDING_SHARE * extent) / 2;
    const clips = plan.clips.map(({ animation }) => {
        const keys = keyTimesOf(channels.get(animation)!);
        const end = Math.min(to, keys.at(-1) ?? from);
        return { animation, times: withMiddles([from, ...keys.filter((key) => key > from && key < end), end]) };
    });
    const matrices = clips.reduce((sum, { times }) => sum + times.length * columns, 0);
    const step = Math.max(1, Math.ceil(matrices / most));
    const palette = new Float32Array(poses.capacity * rowFloats);
    const [packed, matrix] = [new Float32Array(QTS_FLOATS), new Float32Array(16)];
    const isOff = (column: number, m: number) => {
        const box = jointBoxes.subarray(column * BOX_NUMBERS, (column + 1) * BOX_NUMBERS);
        const p = column * PIVOT_FLOATS;
        if (box[3]! < 0 || takeApart(packed, 0, -1, palette, m, pivots, p) <= UNIFORM) return false;
        matricesOfQts(matrix, packed, pivots.subarray(p, p + PIVOT_FLOATS));
        return squaredDistance(box, matrix, palette.subarray(m, m + 16)) > allowed * allowed;
    };
    const stretched = new Set<number>();
    for (const { animation, times } of clips) {
        const tried = times.filter((_, i) => i % step === 0);
        for (let first = 0; first < tried.length; first += poses.capacity) {
            const own = tried.subarray(first, first + poses.capacity);
            model.evaluate(animation, own, palette.subarray(0, own.length * rowFloats));
            for (let mat = 0; mat < own.length * columns; mat++)
                if (!stretched.has(mat % columns) && isOff(mat % columns, mat * 16)) stretched.add(mat % columns);
        }
    }
    let texel = 2 * columns;
    for (let column = 0; column < columns; column++)
        if (stretched.has(column)) pivots[column * PIVOT_FLOATS + 3] = texel++;
    return pivots;
}

function withMiddles(times: readonly number[]): Float64Array {
    return Float64Array.from({ length: times.length * 2 - 1 }, (_, i) => (times[i >> 1]! + times[(i + 1) >> 1]!) / 2);
}
