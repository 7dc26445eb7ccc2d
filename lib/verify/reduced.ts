// SPDX-License-Identifier: MIT

import { describe } from '../base/arguments';
import { typeError, UsageError } from '../base/errors';
import { readLength, unitsOf } from '../base/length';
import { nearNames } from '../base/names';
import { morphTargetsOf } from './channels';
import { DoubleEvaluator } from './evaluator';
import { extentOfFile } from './extent';
import { nameOf } from './gltf';
import { readWholeFile } from './gltf-file';
import { checkOptions, checkPaths } from './options';
import { Progress } from './progress';
import { ClipJudge, type ErrorSeries, intervalsOf } from './reduced/judge-clip';
import { nodeName, type Part, pointsOf } from './reduced/points';
import { clipDifferences, comparedAccessors, fileDifferences } from './reduced/same-file';

/** Options of {@link verifyReduced}. */
export interface VerifyReducedOptions {
    /**
     * Maximum displacement: a number in the model's units, or a text: `'0.5mm'`, `'2cm'`, `'0.01m'` (a unit of the
     * model is a meter, glTF 2.0, 3.4), or `'0.1%'` of the extent. Default `'0.1%'`.
     */
    maxError?: number | string;
    /**
     * Joints whose origins are judged like vertices, by name. A string is the source of a RegExp with the flag `u`.
     * Default: none.
     */
    keepJoints?: string | RegExp;
    /**
     * Maximum rotation error, in degrees, of nodes with no vertex at or below them. Their origins are judged like
     * vertices. Default 0.5. `Infinity` ignores these nodes.
     */
    maxAngle?: number;
    /** Cancels the verification: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
    /**
     * Called at intervals.
     *
     * @param done Intervals between keys judged so far.
     * @param total Intervals in all.
     */
    onProgress?(done: number, total: number): void;
}

/** The maximum displacement in a clip. */
export interface ReducedVerdict {
    /** Name of the clip. Can repeat or be empty. */
    readonly name: string;
    /** Its number in the file. */
    readonly animation: number;
    /** Model units. */
    readonly error: number;
    /** `error` as a share of the extent. */
    readonly share: number;
    /** Seconds. */
    readonly time: number;
    /** `vertex 123 of /meshes/0/primitives/1`, or `joint 'Hand' (node 12)`; empty if nothing is displaced. */
    readonly what: string;
    /** Maximum rotation error of a node without vertices: degrees, time, and node; null if there is none. */
    readonly turn: { readonly angle: number; readonly time: number; readonly what: string } | null;
    /** Distance between first and last pose in the reduced clip, model units; null unless the source clip is a loop. */
    readonly seam: number | null;
    /** Whether `error` and `turn` are within their tolerances. */
    readonly ok: boolean;
}

/** A difference between the files that is not a displacement. */
export interface ReducedProblem {
    /** Stable across versions. */
    readonly code: ReducedProblemCode;
    /** JSON pointer (RFC 6901) into the source, or into the reduced file if only that has the place. */
    readonly pointer: string;
    /** For people. May change. */
    readonly message: string;
}

/** The `code` of a {@link ReducedProblem}. */
export type ReducedProblemCode =
    /** Something other than an animation differs from the source. */
    | 'FILE_DIFFERS'
    /** Number, names, start or end of clips differ from the source, or a change that no pose shows. */
    | 'CLIP_DIFFERS'
    /** A clip no longer ends in the pose that it starts with. */
    | 'SEAM_OPEN';

/** The result of {@link verifyReduced}. */
export interface ReducedVerification {
    /** Whether there is no problem and every clip is within `maxError` and `maxAngle`. */
    readonly ok: boolean;
    /** The tolerance, in model units. */
    readonly maxError: number;
    /**
     * The length that shares are relative to, in model units: the size of the source's largest character over its clips
     * (docs/format.md).
     */
    readonly extent: number;
    /** In file order. Empty if the files differ too much for a comparison. */
    readonly clips: readonly ReducedVerdict[];
    /** The verdict in `clips` with the maximum error; null without clips. */
    readonly worst: ReducedVerdict | null;
    /** Differences other than displacements. Empty if the reduced file was made from the source. */
    readonly problems: readonly ReducedProblem[];
    /** Number of judged times, over all clips. */
    readonly times: number;
}

const OPTIONS: readonly string[] = ['maxError', 'keepJoints', 'maxAngle', 'signal', 'onProgress'];

/**
 * Tolerance for float32 arithmetic and storage, added to `maxError`: eight roundings of the pose's size. That size is
 * the extent, or the distance from the origin along the chain of nodes. For angles, eight roundings of 1.
 */
const ROUNDING = 8 * 2 ** -24;
/** A clip whose first and last pose are closer than this, in extents, is a loop. */
const LOOP = 1e-4;

/**
 * Judges a file whose animations poselane or another tool has reduced. Evaluates both files in double precision with
 * code that the reducer does not share, and finds the maximum displacement of any vertex at any time.
 * Samples are at all keys of both files, and several between each two keys. If the error may be larger between samples,
 * intervals are halved until it grows by less than 1e-3 of itself. At a jump, the poses before and after it are
 * compared.
 *
 * @param input Path of the source, `.glb` or `.gltf`.
 * @param reduced Path of the reduced file. Nodes, meshes and skins must be in the source's order.
 * @param options Tolerances.
 * @returns The maximum error of each clip, and other differences. `ok` is false for a file beyond the tolerances.
 * @throws InputError for files that cannot be read, UsageError for wrong options, the signal's reason.
 * @example
 * const { ok, worst } = await verifyReduced('hero.glb', 'hero.small.glb', { maxError: '0.5mm' });
 */
export async function verifyReduced(
    input: string,
    reduced: string,
    options: VerifyReducedOptions = {},
): Promise<ReducedVerification> {
    const { charts: _, ...verification } = await chartReduced(input, reduced, options, 0);
    return verification;
}

/**
 * As {@link verifyReduced}, with errors over time.
 *
 * @param count Number of samples of each clip's chart, besides the time of its maximum error; 0 for no charts.
 */
export async function chartReduced(
    input: string,
    reduced: string,
    options: VerifyReducedOptions,
    count: number,
): Promise<ReducedVerification & { readonly charts: readonly ErrorSeries[] }> {
    const { length, keepJoints, maxAngle } = checkArguments(input, reduced, options);
    options.signal?.throwIfAborted();
    const files = [
        await readWholeFile(input, comparedAccessors),
        await readWholeFile(reduced, comparedAccessors),
    ] as const;
    const evaluators = [new DoubleEvaluator(files[0]), new DoubleEvaluator(files[1])] as const;
    const [source, other] = evaluators;
    const comparable = isComparable(evaluators);
    const points = pointsOf(source, comparable ? other : source, { keepJoints, bare: maxAngle < Infinity });
    const matches = (node: { readonly name?: unknown }) => keepJoints!.test(nameOf(node));
    if (keepJoints !== null && !source.nodes.some(matches)) {
        const near = nearNames(
            keepJoints.source,
            source.nodes.map((node) => ({ name: nameOf(node) })),
        );
        throw new UsageError(`verifyReduced: keepJoints: no node of ${input} matches ${keepJoints}, ${near}`);
    }
    const extent = extentOfFile(source);
    const maxError = unitsOf(length, extent);
    const problems: ReducedProblem[] = [
        ...fileDifferences(files, evaluators, extent).map((one) => ({ code: 'FILE_DIFFERS', ...one }) as const),
        ...clipDifferences(files, evaluators).map((one) => ({ code: 'CLIP_DIFFERS', ...one }) as const),
    ];
    if (!comparable) return { ok: false, maxError, extent, clips: [], worst: null, problems, times: 0, charts: [] };

    const judge = new ClipJudge(source, other, points, extent);
    const animations = Math.min(source.animationCount, other.animationCount);
    const progress = new Progress(options, intervalsOf(evaluators, animations));
    const clips: ReducedVerdict[] = [];
    const charts: ErrorSeries[] = [];
    for (let animation = 0; animation < animations; animation++) {
        if (files.some(({ faults }) => faults.has(animation))) continue;
        const found = await judge.judge(animation, progress);
        if (count > 0) charts.push(await judge.series(animation, count, found.time, progress));
        const { error, time, part, point, turn, seam } = found;
        const rounding = ROUNDING * sizeAt(judge, animation, time, extent);
        // Only the chain of the part with the error is measured, so that distant nodes elsewhere add no tolerance.
        const own = ROUNDING * sizeAt(judge, animation, time, extent, points.parts[part]);
        const angle = (turn.angle * 180) / Math.PI;
        const isLoop = source.duration(animation) > 0 && seam.source <= LOOP * extent;
        if (isLoop && !(seam.reduced <= LOOP * extent + rounding)) {
            const message = `first and last pose are ${seam.reduced} apart, in the source ${seam.source}`;
            problems.push({ code: 'SEAM_OPEN', pointer: `/animations/${animation}`, message });
        }
        const { name, numbers } = points.parts[part] ?? {};
        clips.push({
            name: nameOf(source.file.json.animations![animation]),
            animation,
            error,
            share: error / (extent > 0 ? extent : 1),
            time,
            what: name?.(numbers![point]!) ?? '',
            turn:
                turn.column < 0
                    ? null
                    : { angle, time: turn.time, what: nodeName(source, points.columns[turn.column]!.node) },
            seam: isLoop ? seam.reduced : null,
            ok: error <= maxError + own && turn.angle <= (maxAngle * Math.PI) / 180 + ROUNDING,
        });
    }
    const worst = clips.reduce<ReducedVerdict | null>((a, b) => (a === null || b.error > a.error ? b : a), null);
    const ok = problems.length === 0 && clips.every((clip) => clip.ok);
    return { ok, maxError, extent, clips, worst, problems, times: judge.times, charts };
}

function sizeAt({ source, reduced }: ClipJudge, animation: number, time: number, extent: number, part?: Part): number {
    return Math.max(source.pose(animation, time).size(extent, part), reduced.pose(animation, time).size(extent, part));
}

/** Whether nodes, joints and morph targets correspond in both files. The vertices are the source's. */
function isComparable(evaluators: readonly DoubleEvaluator[]): boolean {
    const [x, y] = evaluators.map(({ file, nodes }) =>
        JSON.stringify([
            nodes.map(({ skin }, node) => [skin, morphTargetsOf(file.json, node)]),
            (file.json.skins ?? []).map(({ joints }) => joints),
        ]),
    );
    return x === y;
}

function checkArguments(input: unknown, reduced: unknown, options: VerifyReducedOptions) {
    checkPaths('verifyReduced', { input, reduced });
    checkOptions('verifyReduced', options, OPTIONS);
    const { maxError = '0.1%', keepJoints, maxAngle = 0.5 } = options;
    if (typeof maxError !== 'number' && typeof maxError !== 'string') {
        const got = describe(maxError);
        throw typeError('ERR_ARGUMENT_TYPE', `verifyReduced: maxError must be a number or string, got ${got}`);
    }
    if (typeof maxAngle !== 'number' || !(maxAngle >= 0)) {
        throw new UsageError(`verifyReduced: maxAngle must be a number from 0 up, got ${describe(maxAngle)}`);
    }
    return {
        length: readLength('maxError', maxError, true),
        keepJoints: keepJoints === undefined ? null : readPattern(keepJoints),
        maxAngle,
    };
}

/** Without the flags g and y, which keep state between calls. */
function readPattern(given: unknown): RegExp {
    if (given instanceof RegExp) return new RegExp(given.source, given.flags.replace(/[gy]/g, ''));
    if (typeof given !== 'string') {
        const need = 'a string or a RegExp';
        throw typeError('ERR_ARGUMENT_TYPE', `verifyReduced: keepJoints must be ${need}, got ${describe(given)}`);
    }
    try {
        return new RegExp(given, 'u');
    } catch (cause) {
        throw new UsageError(`verifyReduced: keepJoints is not a regular expression: ${(cause as Error).message}`);
    }
}
