// SPDX-License-Identifier: MIT

import { Rig } from '../../lib/rig/rig';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { worstDisplacement, yardstick } from '../support/displacement';
import { ENGINES, type EngineName } from '../support/engines';
import { frameTimes } from '../support/frame-times';

/** Greatest error of palettes against the double evaluator, in extents (shared/baking.md, "Accuracy"). */
const RIG_LIMIT = 1e-5;
/** How closely other engines have to agree with the Rig itself. */
const ENGINE_LIMIT = 2e-5;

export interface JudgeOptions {
    readonly fps?: number | readonly [num: number, den: number];
    /** Other engines that judge as well. */
    readonly engines?: readonly EngineName[];
    /** The same content for the double evaluator and the engines, where they could not decode the file itself. */
    readonly plain?: string;
}

/** A rig that passed, for a test to look into. */
export interface JudgedRig {
    readonly rig: Rig;
    readonly evaluator: DoubleEvaluator;
    /** Where joint `joint` of a skin takes a point, at a time of a clip. */
    at(clip: number, time: number, joint: number, point?: readonly number[], skin?: number): number[];
    /** The worst error, in extents. */
    readonly worst: number;
}

/**
 * Loads a file and requires every palette of every skin and clip within `RIG_LIMIT` of the double evaluator: at the frames
 * of `fps`, and between them; all clips of a file mixed in one call, so that blocks hold lanes of several.
 */
export async function judgeRig(
    path: string,
    { fps = 60, engines = [], plain = path }: JudgeOptions = {},
): Promise<JudgedRig> {
    const rig = await Rig.load(path);
    const evaluator = DoubleEvaluator.open(plain);
    const [num, den] = typeof fps === 'number' ? [fps, 1] : fps;
    const clips = Array.from({ length: evaluator.animationCount }, (_, animation) => {
        const duration = evaluator.duration(animation);
        expect(rig.clips[animation]!.duration).toBe(duration);
        const between = Array.from({ length: 7 }, (_, i) => Math.fround(((i + 0.37) / 7) * duration));
        // Ascending: three.js does not always find its way back.
        return { animation, times: [...frameTimes(duration, num, den), ...between].sort((a, b) => a - b) };
    });
    // One pose of each clip in turn, as long as each has some.
    const rows: { animation: number; time: number }[] = [];
    for (let i = 0; clips.some(({ times }) => i < times.length); i++) {
        for (const { animation, times } of clips) if (i < times.length) rows.push({ animation, time: times[i]! });
    }
    expect(rows.length).toBeGreaterThan(0);
    const poses = rig.createPoses(rows.length);
    const clipOf = Uint16Array.from(rows, ({ animation }) => animation);
    rig.evaluate(
        poses,
        clipOf,
        Float32Array.from(rows, ({ time }) => time),
    );
    rig.toGlobal(poses);

    let worst = 0;
    expect(rig.skins.length).toBe(evaluator.skinCount);
    for (const [skin, { joints }] of rig.skins.entries()) {
        expect([...joints].map((slot) => rig.slots[slot]!.node)).toEqual(evaluator.joints(skin));
        const width = joints.length * 16;
        const palettes = new Float32Array(rows.length * width);
        rig.palettes(poses, skin, palettes);
        const yard = yardstick(evaluator, skin);
        const answers = engines.map((engine) => {
            const [shown] = ENGINES[engine]([{ file: plain, skin, clips }], [joints.length]);
            return { engine, shown: shown! };
        });
        for (const [index, { animation, times }] of clips.entries()) {
            const actual = new Float32Array(times.length * width);
            let row = 0;
            for (const [i, { animation: other }] of rows.entries()) {
                if (other === animation) actual.set(palettes.subarray(i * width, (i + 1) * width), row++ * width);
            }
            const expected = evaluator.palettes(skin, animation, times);
            const found = worstDisplacement(actual, expected, joints.length, yard);
            expect(found.compared).toBe(times.length * joints.length);
            const error = found.error / yard.extent;
            const where = (at: typeof found) => `clip ${animation}, time ${times[at.row]}, joint ${at.joint}`;
            if (!(error <= RIG_LIMIT)) throw new Error(`${where(found)}: off by ${error} x extent`);
            worst = Math.max(worst, error);
            for (const { engine, shown } of answers) {
                const parted = worstDisplacement(actual, shown[index]!, joints.length, yard);
                const by = parted.error / yard.extent;
                if (!(by <= ENGINE_LIMIT)) throw new Error(`${where(parted)}: ${engine} differs by ${by} x extent`);
            }
        }
    }
    return {
        rig,
        evaluator,
        worst,
        at(clip, time, joint, [x, y, z] = [0, 0, 0], skin = 0) {
            const one = rig.createPoses(1);
            rig.evaluate(one, clip, Float32Array.of(time));
            rig.toGlobal(one);
            const out = new Float32Array(rig.skins[skin]!.joints.length * 16);
            rig.palettes(one, skin, out);
            const m = out.subarray(joint * 16);
            return [0, 1, 2].map((row) => m[row]! * x! + m[4 + row]! * y! + m[8 + row]! * z! + m[12 + row]! + 0);
        },
    };
}
