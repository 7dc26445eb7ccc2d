// SPDX-License-Identifier: MIT

import { rangeError } from '../../base/errors';
import { FLOAT, SHORT } from '../../gltf/validate/accessors';
import { matricesOf } from '../model/skeleton';
import { type Clip, isMoving, OFF_UNIT } from './clip';
import { type Fitter, type FitterInput, PASSES, REMOVALS_PER_YIELD, tolerancesOf, tracksPerYield } from './fitter';
import { offUnit } from './rounding';

/** Steps of the twins in one call. */
const STEPS_PER_CALL = 8;

/** A function of the addon: native/addon/fit_clip_call.cpp. False: refused. */
export type FitClip = (...args: unknown[]) => unknown;

/** `FitPhase` in native/rig/kernels.h. */
const PHASES = [
    'place',
    'levers',
    'constants',
    'tracks',
    'adapt',
    'restore',
    'keepAll',
    'candidates',
    'removals',
    'singles',
    'coarsen',
] as const;

type Phase = (typeof PHASES)[number];

/** `FitNumbers` in native/rig/kernels.h: the step, the factor, and the lever. */
const NUMBERS = 13;
/** Numbers of a track in `ints`. The fourth is its number of keys. */
const INTS = 7;
const COUNT = 3;

interface Saved {
    readonly ints: Int32Array;
    readonly knots: Int32Array;
    readonly values: Float64Array;
    readonly numbers: Float64Array;
}

/** The fitter in the addon. */
export class NativeFitter implements Fitter<Saved> {
    readonly tolerances: Float64Array;
    readonly levers: Float64Array;
    private readonly clip: Clip;
    private readonly ints: Int32Array;
    /** `[track][time + 1]`, and `[track][time + 1][4]`. */
    private readonly knots: Int32Array;
    private readonly values: Float64Array;
    private readonly tables: readonly unknown[];
    private readonly options: Float64Array;
    private list = new Int32Array(1);

    constructor(
        input: FitterInput,
        private readonly native: FitClip,
    ) {
        const { clip, bound, quantize, earlier } = input;
        const { model, tracks, times } = clip;
        this.clip = clip;
        this.tolerances = tolerancesOf(input);
        this.levers =
            (earlier?.levers as Float64Array | undefined)?.slice() ?? new Float64Array(tracks.length * NUMBERS);
        this.ints = new Int32Array(tracks.length * INTS);
        this.knots = new Int32Array(tracks.length * (times.length + 1));
        this.values = new Float64Array(this.knots.length * 4);
        this.options = Float64Array.of(bound, quantize ? 1 : 0, OFF_UNIT, offUnit(SHORT), offUnit(FLOAT));
        const own: number[] = [0];
        for (const [t, track] of tracks.entries()) {
            // biome-ignore format: in the order of native/addon/fit_clip_call.cpp
            const flags = [track.constant, isMoving(track), track.joined, track.unit, track.exact];
            const bits = flags.reduce((sum, flag, i) => sum + (flag ? 1 << i : 0), 0);
            const target = (track.target.byteOffset - clip.targets.byteOffset) / track.target.BYTES_PER_ELEMENT;
            this.ints.set([track.node, track.place, bits, 1, own.length, track.own?.length ?? -1, target], t * INTS);
            for (const knot of track.own ?? []) own.push(knot);
            this.levers[t * NUMBERS] = 0;
            this.levers[t * NUMBERS + 1] = 0;
        }
        const corners = new Float64Array(model.nodes.length * 24);
        for (const [node, list] of model.corners.entries()) corners.set(list, node * 24);
        this.tables = [
            times,
            clip.at,
            model.rest,
            matricesOf(model),
            corners,
            model.points,
            clip.weights,
            clip.source,
            clip.placed,
            clip.trial,
            clip.errors,
            clip.allLocals,
            clip.localMatrices,
            clip.targets,
            this.tolerances,
            this.levers,
            this.values,
            model.parents,
            model.starts,
            this.ints,
            Int32Array.from(own),
            this.knots,
        ];
        this.run('place');
        if (earlier === undefined) this.run('levers');
    }

    private run(phase: Phase, number = 0, from = 0, to = 0): number {
        const { native, options, tables, list } = this;
        const result = native(PHASES.indexOf(phase), from, to, number, options, ...tables, list);
        if (typeof result === 'number') return result;
        throw rangeError(
            'ERR_RIG_INVALID',
            `fitClip: the tables do not fit together, or there is no memory to ${phase}`,
        );
    }

    setConstants(): void {
        this.run('constants');
    }

    *fitAll(factor: number): Generator<void, boolean> {
        const perYield = STEPS_PER_CALL * tracksPerYield(this.clip);
        const { length } = this.clip.tracks;
        let keeps = false;
        for (let from = 0; from < length; from += perYield) {
            keeps = this.run('tracks', factor, from, Math.min(length, from + perYield)) === 1;
            yield;
        }
        return keeps;
    }

    adapt(): void {
        this.run('adapt');
    }

    size(): number {
        return this.moving().reduce((sum, t) => sum + this.count(t) * (1 + this.clip.tracks[t]!.width), 0);
    }

    /** Indices of the tracks that move and can lose keys. */
    private moving(): number[] {
        return this.clip.tracks.flatMap((track, t) => (isMoving(track) ? t : []));
    }

    private count(track: number): number {
        return this.ints[track * INTS + COUNT]!;
    }

    save(): Saved {
        const { ints, knots, values, levers } = this;
        return { ints: ints.slice(), knots: knots.slice(), values: values.slice(), numbers: levers.slice() };
    }

    restore({ ints, knots, values, numbers }: Saved): void {
        this.ints.set(ints);
        this.knots.set(knots);
        this.values.set(values);
        for (let t = 0; t < numbers.length; t += NUMBERS) this.levers[t] = numbers[t]!;
        this.run('restore');
    }

    keepAll(): void {
        this.run('keepAll');
    }

    *polish(): Generator<void, void> {
        for (const limit of PASSES) {
            const keys = this.moving().reduce((sum, t) => sum + this.count(t), 0);
            this.list = new Int32Array(2 * keys + 1);
            const count = this.run('candidates', limit);
            let removed = 0;
            const perYield = STEPS_PER_CALL * REMOVALS_PER_YIELD;
            for (let from = 0; from < count; from += perYield) {
                removed += this.run('removals', 0, from, Math.min(count, from + perYield));
                yield;
            }
            removed += this.run('singles');
            if (removed === 0) break;
        }
    }

    *coarsen(): Generator<void, void> {
        const order = this.moving().sort((a, b) => this.count(b) - this.count(a));
        this.list = Int32Array.from(order);
        const perYield = STEPS_PER_CALL * tracksPerYield(this.clip);
        for (let from = 0; from < order.length; from += perYield) {
            this.run('coarsen', 0, from, Math.min(order.length, from + perYield));
            yield;
        }
    }

    end(): void {
        const room = this.clip.times.length + 1;
        for (const [t, track] of this.clip.tracks.entries()) {
            if (track.kept) continue;
            const count = this.count(t);
            track.knots = Array.from(this.knots.subarray(t * room, t * room + count));
            track.values = this.values.slice(t * room * 4, t * room * 4 + count * track.width);
            track.step = this.levers[t * NUMBERS]!;
        }
    }
}
