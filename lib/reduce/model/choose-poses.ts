// SPDX-License-Identifier: MIT

import { addon } from '../../addon/load';
import type { SceneChannel } from '../../gltf/scene';
import { evaluationImplementation } from '../../rig/implementations';
import { TRS } from './affine';
import { curvesOf } from './curves';
import { type EachPose, matricesOf, PLACES, places, posesTwin } from './skeleton';

type PosesOf = typeof posesTwin;

/** The addon's functions, by the name of the implementation that evaluates poses. */
export const nativePoses: ReadonlyMap<string, PosesOf> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, poseClip }) =>
        poseClip === undefined ? [] : [[name, beforeTwin(poseClip)] as const],
    ),
);

/** Prepares the poses of a clip. */
export const posesOf: PosesOf = nativePoses.get(evaluationImplementation) ?? posesTwin;

/** Numbers of the poses that are placed at once. */
const AT_ONCE = 1 << 15;

/** Uses the twin for empty lists, which the addon rejects. */
function beforeTwin(native: (...args: unknown[]) => unknown): PosesOf {
    return (skeleton, channels): EachPose => {
        const { indexOf, parents, rest } = skeleton;
        const { curves, numbers } = curvesOf(
            channels.filter(places).map((channel: SceneChannel & { path: keyof typeof PLACES }) => ({
                at: indexOf[channel.node]! * TRS + PLACES[channel.path],
                channels: [channel],
            })),
        );
        const matrices = matricesOf(skeleton);
        const size = parents.length * 12;
        const atOnce = Math.max(1, Math.floor(AT_ONCE / size));
        return (times, use) => {
            const globals = new Float64Array(size * Math.min(atOnce, times.length));
            for (let from = 0; from < times.length; from += atOnce) {
                const some = Float64Array.from(
                    { length: Math.min(atOnce, times.length - from) },
                    (_, i) => times[from + i]!,
                );
                if (native(globals, parents, matrices, rest, curves, numbers, some) === false)
                    return posesTwin(skeleton, channels)(times, use);
                for (let i = 0; i < some.length; i++) use(from + i, globals.subarray(i * size, (i + 1) * size));
            }
        };
    };
}
