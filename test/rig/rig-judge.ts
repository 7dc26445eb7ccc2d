// SPDX-License-Identifier: MIT

import { Rig } from '../../lib/rig/rig';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { worstDisplacement, yardstick } from '../support/displacement';
import { ENGINE_NAMES, ENGINES, type EngineName } from '../support/engines';
import { frameTimes } from '../support/frame-times';
import type { MatrixRequest } from '../support/oracle-process';
import { posed } from './scenes';

/** Greatest error of palettes against the double evaluator, in extents: the tolerance of docs/verify.md. */
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

/** No more times of a clip than this are asked of engines: they judge how a file is read, and are slow. */
const ENGINE_TIMES = 40;

/** Palettes by skin and clip, at the times that an engine was asked for. */
type Shown = readonly (readonly Float64Array[])[];

/** A rig to be judged, once the engines have answered. */
export interface PreparedRig {
    readonly engines: readonly EngineName[];
    /** One for each skin, with its number of joints. */
    readonly requests: readonly { request: MatrixRequest; joints: number }[];
    judge(answers: readonly { engine: EngineName; shown: Shown }[]): JudgedRig;
}

/**
 * Loads a file and requires every palette of every skin and clip within `RIG_LIMIT` of the double evaluator: at the frames
 * of `fps`, and between them; all clips of a file mixed in one call, so that blocks hold lanes of several.
 */
export async function judgeRig(path: string, options: JudgeOptions = {}): Promise<JudgedRig> {
    const prepared = await prepareRig(path, options);
    return prepared.judge(answersOf([prepared])[0]!);
}

/** What the engines show of each of some rigs: one process for each engine, since that takes long to start. */
export function answersOf(rigs: readonly PreparedRig[]): { engine: EngineName; shown: Shown }[][] {
    const answers: { engine: EngineName; shown: Shown }[][] = rigs.map(() => []);
    for (const engine of ENGINE_NAMES) {
        const judged = rigs.filter(({ engines }) => engines.includes(engine));
        if (judged.length === 0) continue;
        const asked = judged.flatMap(({ requests }) => requests);
        const shown = ENGINES[engine](
            asked.map(({ request }) => request),
            asked.map(({ joints }) => joints),
        );
        for (const rig of judged) {
            answers[rigs.indexOf(rig)]!.push({ engine, shown: shown.splice(0, rig.requests.length) });
        }
    }
    return answers;
}

/** Of some times `most` at most, the first and the last among them, evenly. */
function thinned(times: readonly number[], most: number): number[] {
    if (times.length <= most) return [...times.keys()];
    return Array.from({ length: most }, (_, i) => Math.round((i * (times.length - 1)) / (most - 1)));
}

export async function prepareRig(
    path: string,
    { fps = 60, engines = [], plain = path }: JudgeOptions = {},
): Promise<PreparedRig> {
    const rig = await Rig.load(path);
    const evaluator = await DoubleEvaluator.load(plain);
    const [num, den] = typeof fps === 'number' ? [fps, 1] : fps;
    const clips = Array.from({ length: evaluator.animationCount }, (_, animation) => {
        const duration = evaluator.duration(animation);
        expect(rig.clips[animation]!.duration).toBe(duration);
        const between = Array.from({ length: 7 }, (_, i) => Math.fround(((i + 0.37) / 7) * duration));
        // Ascending: three.js does not always find its way back.
        const times = [...frameTimes(duration, num, den), ...between].sort((a, b) => a - b);
        return { animation, times, asked: thinned(times, ENGINE_TIMES) };
    });
    const forEngines = clips.map(({ animation, times, asked }) => ({ animation, times: asked.map((i) => times[i]!) }));
    const requests = rig.skins.map(({ joints }, skin) => {
        return { request: { file: plain, skin, clips: forEngines }, joints: joints.length };
    });
    return { engines, requests, judge: (answers) => judge(rig, evaluator, clips, answers) };
}

interface JudgedClip {
    readonly animation: number;
    readonly times: readonly number[];
    /** Which of them engines were asked for. */
    readonly asked: readonly number[];
}

function judge(
    rig: Rig,
    evaluator: DoubleEvaluator,
    clips: readonly JudgedClip[],
    answers: readonly { engine: EngineName; shown: Shown }[],
): JudgedRig {
    // One pose of each clip in turn, as long as each has some.
    const rows: { animation: number; time: number }[] = [];
    for (let i = 0; clips.some(({ times }) => i < times.length); i++) {
        for (const { animation, times } of clips) if (i < times.length) rows.push({ animation, time: times[i]! });
    }
    expect(rows.length).toBeGreaterThan(0);
    const times = rows.map(({ time }) => time);
    const poses = posed(
        rig,
        times,
        Uint16Array.from(rows, ({ animation }) => animation),
    );

    let worst = 0;
    expect(rig.skins.length).toBe(evaluator.skinCount);
    for (const [skin, { joints }] of rig.skins.entries()) {
        expect([...joints].map((slot) => rig.slots[slot]!.node)).toEqual(evaluator.joints(skin));
        const width = joints.length * 16;
        const palettes = new Float32Array(rows.length * width);
        rig.palettes(poses, skin, palettes);
        const yard = yardstick(evaluator, skin);
        for (const [index, { animation, times, asked }] of clips.entries()) {
            const actual = new Float32Array(times.length * width);
            let row = 0;
            for (const [i, { animation: other }] of rows.entries()) {
                if (other === animation) actual.set(palettes.subarray(i * width, (i + 1) * width), row++ * width);
            }
            const expected = evaluator.palettes(skin, animation, times);
            const found = worstDisplacement(actual, expected, joints.length, yard);
            expect(found.compared).toBe(times.length * joints.length);
            const error = found.error / yard.extent;
            const where = (row: number, joint: number) => `clip ${animation}, time ${times[row]}, joint ${joint}`;
            if (!(error <= RIG_LIMIT)) throw new Error(`${where(found.row, found.joint)}: off by ${error} x extent`);
            worst = Math.max(worst, error);
            if (answers.length === 0) continue;
            const own = new Float32Array(asked.length * width);
            for (const [i, row] of asked.entries()) {
                own.set(actual.subarray(row * width, (row + 1) * width), i * width);
            }
            for (const { engine, shown } of answers) {
                const parted = worstDisplacement(own, shown[skin]![index]!, joints.length, yard);
                const by = parted.error / yard.extent;
                if (!(by <= ENGINE_LIMIT)) {
                    throw new Error(`${where(asked[parted.row]!, parted.joint)}: ${engine} differs by ${by} x extent`);
                }
            }
        }
    }
    return {
        rig,
        evaluator,
        worst,
        at(clip, time, joint, [x, y, z] = [0, 0, 0], skin = 0) {
            const out = new Float32Array(rig.skins[skin]!.joints.length * 16);
            rig.palettes(posed(rig, [time], clip), skin, out);
            const m = out.subarray(joint * 16);
            return [0, 1, 2].map((row) => m[row]! * x! + m[4 + row]! * y! + m[8 + row]! * z! + m[12 + row]! + 0);
        },
    };
}
