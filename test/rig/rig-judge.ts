// SPDX-License-Identifier: MIT

import { Rig } from '../../lib/rig/rig';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { worstDisplacement, yardstick } from '../support/displacement';
import { frameTimes } from '../support/frame-times';
import { posed } from './scenes';

/** Max error of palettes against the double evaluator, in extents: the tolerance of docs/verify.md. */
const RIG_LIMIT = 1e-5;

interface JudgeOptions {
    readonly fps?: number | readonly [num: number, den: number];
    /** The same content for the double evaluator, if it cannot decode the file. */
    readonly plain?: string;
}

/** A verified rig, for further checks. */
export interface JudgedRig {
    readonly rig: Rig;
    readonly evaluator: DoubleEvaluator;
    /** Position of a point of joint `joint` of a skin at a time of a clip. */
    at(clip: number, time: number, joint: number, point?: readonly number[], skin?: number): number[];
    /** The max error, in extents. */
    readonly worst: number;
}

/** Column-major palettes of a skin in every pose. */
export function palettesOf(rig: Rig, poses: ReturnType<Rig['createPoses']>, skin: number): Float32Array {
    const out = new Float32Array(poses.count * rig.skins[skin]!.joints.length * 16);
    rig.palettes(poses, skin, out);
    return out;
}

/**
 * Loads a file and requires every palette of every skin and clip within `RIG_LIMIT` of the double evaluator, at the frames
 * of `fps` and between them. One call mixes all clips of a file, so blocks have lanes of several.
 */
export async function judgeRig(path: string, { fps = 60, plain = path }: JudgeOptions = {}): Promise<JudgedRig> {
    const rig = await Rig.load(path);
    const evaluator = await DoubleEvaluator.load(plain);
    const [num, den] = typeof fps === 'number' ? [fps, 1] : fps;
    const clips = Array.from({ length: evaluator.animationCount }, (_, clip) => {
        const duration = evaluator.duration(clip);
        expect(rig.clips[clip]!.duration).toBe(duration);
        const between = Array.from({ length: 7 }, (_, i) => Math.fround(((i + 0.37) / 7) * duration));
        return [...frameTimes(duration, num, den), ...between].map((time) => ({ clip, time }));
    });
    // Poses of all clips in turn.
    const longest = Math.max(...clips.map(({ length }) => length));
    const rows = Array.from({ length: longest }, (_, i) => clips.flatMap((times) => times[i] ?? [])).flat();
    expect(rows.length).toBeGreaterThan(0);
    const times = rows.map(({ time }) => time);
    const poses = posed(
        rig,
        times,
        Uint16Array.from(rows, ({ clip }) => clip),
    );
    let worst = 0;
    expect(rig.skins.length).toBe(evaluator.skinCount);
    for (const [skin, { joints }] of rig.skins.entries()) {
        expect([...joints].map((slot) => rig.slots[slot]!.node)).toEqual(evaluator.joints(skin));
        const yard = yardstick(evaluator, skin);
        const palettes = palettesOf(rig, poses, skin);
        for (const [row, { clip, time }] of rows.entries()) {
            const own = palettes.subarray(row * joints.length * 16, (row + 1) * joints.length * 16);
            const found = worstDisplacement(own, evaluator.palette(skin, clip, time), joints.length, yard);
            expect(found.compared).toBe(joints.length);
            const error = found.error / yard.extent;
            if (!(error <= RIG_LIMIT)) {
                throw new Error(`clip ${clip}, time ${time}, joint ${found.joint}: off by ${error} x extent`);
            }
            worst = Math.max(worst, error);
        }
    }
    return {
        rig,
        evaluator,
        worst,
        at(clip, time, joint, [x, y, z] = [0, 0, 0], skin = 0) {
            const m = palettesOf(rig, posed(rig, [time], clip), skin).subarray(joint * 16);
            return [0, 1, 2].map((row) => m[row]! * x! + m[4 + row]! * y! + m[8 + row]! * z! + m[12 + row]! + 0);
        },
    };
}
