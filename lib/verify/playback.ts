// SPDX-License-Identifier: MIT

import { significant } from '../base/messages';
import { columnName, type Judged, type RowPose } from './arrays/check';
import { matrixReader } from './arrays/matrices';
import { QtsReader } from './arrays/qts';
import type { AddProblem, JudgedClip } from './check-manifest';
import { nameOf } from './gltf';
import { displacement, scaleOf } from './metric';
import { Morphs } from './morphs';
import { type Pose, paletteOf, poseAt } from './pose';
import type { BakeClip } from './read-bake';
import { type Sampler, unsureAt } from './sampler';
import type { PlaybackVerdict } from './verdict';

/** Samples of an interval for the manifest's errors: every eighth. */
const EIGHTHS = 8;

/**
 * Tolerances of the manifest's errors: a share of themselves; a share of the extent; two roundings of a column's
 * position between two frames, up to 4 extents (rounding.ts handles the rest); and a multiple of the float32 error at
 * the clip's frames. That multiple applies once for the rows and once for the poses. If all frames are at keys, the
 * frames have no error, but the poses between them do.
 */
const OF_ITSELF = 1e-3;
const OF_EXTENT = 1e-7;
const BETWEEN = 2 * 2 ** -24;
const NEAR = 4;
const OF_FRAMES = 2;

/** Maximum distance of the first and last row of a loop, in extents. */
const LOOP = 1e-4;
/** The smallest step of float32. */
const STEP32 = 2 ** -149;
/** Maximum `unsureAt` of a rotation that the other tolerances cover. */
const UNSURE = 2;
/** Error of in-place rows from root motion rounded to float32, as a share of the extent (docs/format.md). */
const OF_MOTION = 1e-6;

/** Plays the rows of a clip and compares them with the input, frame by frame. */
export class Playback {
    private readonly read: ((row: number) => Float64Array) | null;
    /** For `qts16`: interpolates between the row before and the last one. */
    private readonly qts: QtsReader | null;
    private readonly halves: boolean;
    private readonly jumps: ReadonlySet<number>;
    private readonly first: Float64Array;
    private before: Float64Array;
    private now: Float64Array;
    private readonly shown: Float64Array;
    private scratch: Pose | undefined;
    private maxLerp = 0;
    private worst = { joint: -1, time: 0 };
    private maxNearest = 0;
    private farthest = -1;
    private atFrames = 0;
    private rounding = 0;
    /** Maximum distance of a column from the origin between two frames. */
    private away = 0;
    private readonly morphs: Morphs;
    private readonly countsMorphs: boolean;
    /** The interpolated rotations. */
    private readonly rotations: readonly Sampler[];
    private maxMorph = 0;
    private worstMorph = { node: -1, time: 0 };

    constructor(
        private readonly judged: Judged,
        private readonly clip: JudgedClip,
    ) {
        const { palette } = judged.files.manifest.arrays;
        const { nodes } = judged.subject;
        this.qts = palette?.layout === 'qts16' ? new QtsReader(judged, palette) : null;
        this.read = palette === undefined ? null : matrixReader(judged, palette, nodes.length);
        this.halves = palette?.dtype === 'f16';
        this.jumps = new Set(clip.jumps);
        this.rotations = judged.subject.evaluator
            .channelsOf(clip.animation)
            .flatMap(({ path, sampler }) => (path === 'rotation' && sampler.interpolation !== 'STEP' ? [sampler] : []));
        this.morphs = new Morphs(judged, clip.animation);
        this.countsMorphs = judged.files.manifest.clips[clip.index]!.error?.maxMorph !== undefined;
        this.first = new Float64Array(nodes.length * 16);
        this.before = new Float64Array(nodes.length * 16);
        this.now = new Float64Array(nodes.length * 16);
        this.shown = new Float64Array(nodes.length * 16);
    }

    /** Adds the next frame. A bake without a palette is judged by the input's own rows in float32. */
    add(frame: number, pose: RowPose): void {
        const { judged, clip } = this;
        const exact = paletteOf(judged.subject, pose);
        [this.before, this.now] = [this.now, this.before];
        const row = clip.firstRow + frame;
        this.now.set(this.qts?.next(row) ?? this.read?.(row) ?? Float32Array.from(exact));
        if (frame === 0) this.first.set(this.now);
        this.atFrames = Math.max(this.atFrames, this.distance(this.now, exact));
        this.rounding = Math.max(this.rounding, pose.rounding.worst);
        // Before a jump, a player holds the row. That is a delay, not an error.
        if (frame === 0 || this.jumps.has(frame)) return;
        const [from, to] = [clip.times[frame - 1]!, clip.times[frame]!];
        if (this.countsMorphs) {
            const { distance, node } = this.morphs.between(from, to, [this.before, this.now]);
            if (distance > this.maxMorph) {
                this.maxMorph = distance;
                this.worstMorph = { node, time: from };
            }
        }
        const length = frame === clip.times.length - 1 ? clip.lastInterval : 1;
        for (let k = 1; k < EIGHTHS; k++) {
            const share = k / EIGHTHS;
            this.scratch = poseAt(judged.subject, clip.animation, from + (to - from) * share, this.scratch);
            const meant = paletteOf(judged.subject, this.scratch);
            // Sampling rounds only between keys, and all frames can be at keys.
            if (share === 0.5 || this.isUnsure(this.scratch.time))
                this.rounding = Math.max(this.rounding, judged.roundingOf(this.scratch).worst);
            for (let at = 12; share === 0.5 && at < meant.length; at += 16)
                this.away = Math.max(this.away, Math.hypot(meant[at]!, meant[at + 1]!, meant[at + 2]!));
            for (let i = 0; this.qts === null && i < this.shown.length; i++) {
                this.shown[i] = this.before[i]! + (this.now[i]! - this.before[i]!) * share;
            }
            this.qts?.between(share, this.shown);
            const off = this.distance(this.shown, meant);
            if (off > this.maxLerp) {
                this.maxLerp = off;
                this.worst = { joint: this.farthest, time: from };
            }
            const nearest = share * length < 0.5 ? this.before : this.now;
            this.maxNearest = Math.max(this.maxNearest, this.distance(nearest, meant));
        }
    }

    /** Whether rounding turns a joint by more than usual. */
    private isUnsure(time: number): boolean {
        return this.rotations.some((sampler) => unsureAt(sampler, time) > UNSURE);
    }

    /** Also sets `farthest`. */
    private distance(a: Float64Array, b: Float64Array): number {
        let max = 0;
        for (const [column, corners] of this.judged.boxes.own.entries()) {
            const off = corners === null ? 0 : displacement(a, column * 16, b, column * 16, corners);
            if (!(off > max)) continue;
            max = off;
            this.farthest = column;
        }
        return max;
    }

    /** Call it after all frames have been added. */
    verdict(): PlaybackVerdict {
        const error = this.halves ? Math.max(this.maxLerp, this.atFrames) : this.maxLerp;
        if (this.maxMorph > error) {
            const { node, time } = this.worstMorph;
            const what = `morph weights of node ${node} '${nameOf(this.judged.subject.evaluator.nodes[node])}'`;
            return { joint: -1, time, what, error: this.maxMorph, share: this.maxMorph / scaleOf(this.judged.metric) };
        }
        const what = this.worst.joint < 0 ? '' : columnName(this.judged, this.worst.joint).what;
        return { ...this.worst, what, error, share: error / scaleOf(this.judged.metric) };
    }

    /** Compares the manifest's errors with those found. Call it after all frames have been added. */
    check(stated: BakeClip, addProblem: AddProblem): void {
        const { clip, judged, halves } = this;
        // The stated extent is used; it is judged separately.
        const { extent = judged.metric.extent } = judged.files.manifest;
        const pointer = `/clips/${clip.index}`;
        const scale = scaleOf(judged.metric);
        const nearly = OF_EXTENT * scale + BETWEEN * Math.min(this.away, NEAR * scale);
        // Half floats are exact in their digits, so their error at the frames adds no tolerance.
        const { motion } = judged.subject;
        const moved = motion?.inPlace ? OF_MOTION * scaleOf(judged.metric) : 0;
        const slack = nearly + moved + (halves ? 0 : OF_FRAMES * this.atFrames) + this.rounding + STEP32;
        const compare = (name: string, is: number, must: number, allowed: number) => {
            if (!(Math.abs(is - must) <= allowed)) {
                addProblem(
                    'CLIP_DIFFERS',
                    `${pointer}/error/${name}`,
                    `${significant(is)}, must be ${significant(must)}`,
                );
            }
        };
        if (stated.error !== undefined) {
            const { maxLate } = stated.error;
            if (maxLate !== undefined) compare('maxLate', maxLate, clip.late, OF_ITSELF * clip.late);
            for (const name of ['maxLerp', 'maxMorph', 'maxNearest'] as const) {
                const is = stated.error[name];
                if (is === undefined) continue;
                const must = halves && name !== 'maxMorph' ? Math.max(this[name], this.atFrames) : this[name];
                const allowed = OF_ITSELF * must + slack;
                compare(name, is, must, allowed);
                const share = extent > 0 ? 1 / extent : 0;
                // Below 2^-126 the manifest's extent has lost digits, so shares can differ by that much.
                const lost = allowed + (must * STEP32) / (extent || Infinity);
                const stating = stated.error[`${name}Share`] ?? NaN;
                if (extent > 0 || judged.metric.extent === 0)
                    compare(`${name}Share`, stating, must * share, lost * share + STEP32);
            }
        }
        if (stated.loop === undefined) return;
        let apart = 0;
        for (const [column, corners] of judged.boxes.whole.entries()) {
            const at = column * 16;
            if (corners !== null) apart = Math.max(apart, displacement(this.first, at, this.now, at, corners));
        }
        const [start, end] = [clip.times[0]!, clip.times[clip.times.length - 1]!];
        apart = Math.max(apart, this.morphs.apart(start, end, [this.first, this.now]));
        const limit = LOOP * extent;
        // The baker compared the same rows, if there are any.
        const unsure = OF_ITSELF * limit + (this.read === null ? slack : nearly);
        if (Math.abs(apart - limit) > unsure && stated.loop !== apart <= limit) {
            const found = `first and last row are ${significant(apart)} apart`;
            addProblem('CLIP_DIFFERS', `${pointer}/loop`, `${stated.loop}, but ${found}`);
        }
    }
}
