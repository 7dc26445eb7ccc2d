// SPDX-License-Identifier: MIT

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { evaluationImplementation } from '../../rig/implementations';
import { TRS } from '../model/affine';
import { curvesOf } from '../model/curves';
import { matricesOf } from '../model/skeleton';
import { boundClipTwin } from './clip-bound';

type BoundClip = typeof boundClipTwin;

/** The addon's functions, by the name of the implementation that evaluates poses. */
export const nativeBoundClip: ReadonlyMap<string, BoundClip> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, boundIntervals }) =>
        boundIntervals === undefined ? [] : [[name, beforeTwin(boundIntervals)] as const],
    ),
);

export const boundClip: BoundClip = nativeBoundClip.get(evaluationImplementation) ?? boundClipTwin;

/** Nodes times intervals between two yields. */
const BETWEEN_YIELDS = 8192;

/** Uses the twin for empty lists, which the addon rejects. */
function beforeTwin(native: NonNullable<NativeRig['boundIntervals']>): BoundClip {
    return function* (model, tracks, times, limits) {
        const { parents, rest, starts, points, slack, factors } = model;
        const { curves, numbers } = curvesOf(
            tracks.map(({ node, place, source, reduced }) => ({ at: node * TRS + place, channels: [source, reduced] })),
        );
        const found = Float64Array.of(0, 0, 0, 0, -1);
        const perYield = Math.ceil(BETWEEN_YIELDS / Math.max(1, parents.length));
        const tables = [found, parents, matricesOf(model), rest, starts, points, slack, factors, curves, numbers];
        for (let i = 0; i < times.length; i += perYield) {
            const end = Math.min(times.length, i + perYield);
            if (native(...tables, times, limits, i, end) === false)
                return yield* boundClipTwin(model, tracks, times, limits);
            yield;
        }
        const [share, error, seen, time, node] = found as unknown as [number, number, number, number, number];
        return { share, error, seen, time, node };
    };
}
