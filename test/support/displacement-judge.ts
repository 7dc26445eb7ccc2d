// SPDX-License-Identifier: MIT

import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { BACKENDS, type Baked, bakeFileOn, palettesOf } from './baked';
import { worstDisplacement, yardstick } from './displacement';
import { compareBake, type ExpectedClip } from './displacement-check';
import { frameTimes } from './frame-times';
import { threePalettes } from './three-oracle';

/** Greatest error of baked palettes against the double evaluator, in extents: the tolerance of docs/verify.md. */
export const BAKE_LIMIT = 1e-5;
/** How closely three.js, which rounds rotations to float32, has to confirm the double evaluator. */
export const ORACLE_LIMIT = 1.5e-6;

/** A bake that passed, for a test to look into. */
export interface Judged {
    readonly baked: Baked;
    /** Where joint `joint` of the palette takes a point, at a frame of an animation. */
    at(animation: number, frame: number, joint: number, point?: readonly [number, number, number]): number[];
}

/**
 * Bakes a file with every backend and requires: the same bytes and manifest from each, the rows that the rules give,
 * and every joint's matrix within `BAKE_LIMIT` of the double evaluator. (Of attachments: attachments.test.ts.)
 *
 * @param three Whether three.js is a judge of the double evaluator here: not for non-unit keys, matrix nodes with
 * shear (it decomposes them) and duplicate key times.
 * @param plain The same content for the evaluator, where it could not decode the file itself.
 * @returns One for each skin.
 */
export async function judge(
    path: string,
    { fps = 60, three = true, plain = path }: { fps?: number | [number, number]; three?: boolean; plain?: string } = {},
): Promise<Judged[]> {
    const [num, den] = typeof fps === 'number' ? [fps, 1] : fps;
    const evaluator = await DoubleEvaluator.load(plain);
    const clips = Array.from({ length: evaluator.animationCount }, (_, animation) => {
        return { animation, times: frameTimes(evaluator.duration(animation), num, den) };
    });
    const rows = clips.reduce((sum, { times }) => sum + times.length, 0);
    expect(rows).toBeGreaterThan(0);

    const rate = den === 1 ? num : `${num}/${den}`;
    const bakes = await Promise.all(
        BACKENDS.map((backend) => bakeFileOn(backend, path, rate, { attachments: 'none' })),
    );
    for (const bake of bakes) {
        expect(bake).toHaveLength(evaluator.skinCount);
        for (const [skin, { manifest, bin }] of bake.entries()) {
            expect(bin.equals(bakes[0]![skin]!.bin)).toBe(true);
            expect(manifest).toEqual(bakes[0]![skin]!.manifest);
        }
    }

    return bakes[0]!.map((baked, skin) => {
        const joints = evaluator.joints(skin).length;
        expect(baked.manifest.skin.joints.map(({ node }) => node)).toEqual(evaluator.joints(skin));
        const expected = clips.map((clip): ExpectedClip => {
            return { ...clip, palettes: evaluator.palettes(skin, clip.animation, clip.times) };
        });
        if (three) expect(confirmByThree(plain, evaluator, skin, expected)).toEqual([]);

        const palettes = palettesOf(baked);
        const agreement = compareBake(baked, palettes, expected, yardstick(evaluator, skin), BAKE_LIMIT);
        expect(agreement.complaints).toEqual([]);
        expect(agreement.compared).toBe(rows * joints);

        return {
            baked,
            at(animation, frame, joint, [x, y, z] = [0, 0, 0]) {
                const { firstRow } = baked.manifest.clips.find((clip) => clip.animation === animation)!;
                const m = palettes.subarray(((firstRow + frame) * joints + joint) * 16);
                return [0, 1, 2].map((row) => m[row]! * x + m[4 + row]! * y + m[8 + row]! * z + m[12 + row]! + 0);
            },
        };
    });
}

/** Whether the double evaluator is right, by three.js: one line for each clip where they part. */
export function confirmByThree(
    path: string,
    evaluator: DoubleEvaluator,
    skin: number,
    clips: readonly ExpectedClip[],
): string[] {
    const joints = evaluator.joints(skin).length;
    const request = clips.map(({ animation, times }) => ({ animation, times }));
    const [shown] = threePalettes([{ file: path, skin, clips: request }], [joints]);
    const yard = yardstick(evaluator, skin);
    return clips.flatMap(({ animation, times, palettes }, index) => {
        const { error, row, joint, compared } = worstDisplacement(shown![index]!, palettes, joints, yard);
        expect(compared).toBe(times.length * joints);
        if (error <= ORACLE_LIMIT * yard.extent) return [];
        const where = `animation ${animation}, frame ${row} (t = ${times[row]}), joint ${joint}`;
        return [`${where}: three.js and the double evaluator differ by ${error / yard.extent} x extent`];
    });
}
