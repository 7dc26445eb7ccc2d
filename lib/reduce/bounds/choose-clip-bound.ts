// SPDX-License-Identifier: MIT

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { evaluationImplementation } from '../../rig/implementations';
import { TRS } from '../model/affine';
import { matricesOf } from '../model/skeleton';
import { boundClipTwin } from './clip-bound';
import type { ComparedTrack } from './derivative-bounds';

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
        const { curves, numbers } = curvesOf(tracks);
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

const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'];

/** The tracks as native/addon/bound_call.cpp reads them. */
function curvesOf(tracks: readonly ComparedTrack[]): { readonly curves: Int32Array; readonly numbers: Float64Array } {
    const all = tracks.flatMap(({ source, reduced }) => [source, reduced]);
    const numbers = new Float64Array(all.reduce((sum, { times, values }) => sum + times.length + values.length, 0));
    const curves: number[] = [];
    let at = 0;
    for (const { node, place, source, reduced } of tracks) {
        curves.push(node * TRS + place);
        for (const { interpolation, times, values } of [source, reduced]) {
            curves.push(INTERPOLATIONS.indexOf(interpolation), times.length, at);
            numbers.set(times, at);
            numbers.set(values, at + times.length);
            at += times.length + values.length;
        }
    }
    return { curves: Int32Array.from(curves), numbers };
}
