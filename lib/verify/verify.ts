// SPDX-License-Identifier: MIT

import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkHooks } from '../checks/hooks';
import { describe } from '../checks/views';
import { typeError, UsageError } from '../errors';
import { type ArrayCheck, ArrayFault, boxOf, CHECKS, type Judged, scaleOf } from './arrays';
import { readBake } from './bake-file';
import {
    checkClips,
    checkFiles,
    checkSkin,
    type JudgedClip,
    nearlyEqual,
    STATED,
    type VerifyProblem,
    type VerifyProblemCode,
} from './check-manifest';
import { DoubleEvaluator } from './evaluator';
import { Playback, type PlaybackBoxes, playbackBoxesOf } from './playback';
import { createSubject, type Pose, poseAt } from './pose';
import { loadThree, type ThreeJudge, threeDifferences } from './three';
import { verticesOf, yardstickOf } from './yardstick';

/** Options of {@link verifyBake}. */
export interface VerifyOptions {
    /**
     * Greatest error, as a share of the extent (of morph weights: of 1). Default 1e-5, for arrays in f16 the error that
     * the manifest states.
     */
    tolerance?: number;
    /** Who judges: the evaluator in double precision (the default), or three.js, of palettes and hit matrices. */
    oracle?: 'double' | 'three';
    /** Ends the verification: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
    /**
     * Called now and then.
     *
     * @param done Rows judged so far.
     * @param total All of them.
     */
    onProgress?(done: number, total: number): void;
}

/** The worst value of one array in one clip. */
export interface ArrayVerdict {
    /** `palette`, `hit`, ... */
    readonly array: string;
    /** Whether `share` is within `tolerance`. */
    readonly ok: boolean;
    /** Index into the manifest's `skin.joints`; -1 where what is wrong most is no joint. */
    readonly joint: number;
    /** In words: a joint, slot, weight or side of a box. */
    readonly what: string;
    /** Within the clip. */
    readonly frame: number;
    /** Seconds within the input's clip: a float32. */
    readonly time: number;
    /** Greatest displacement in model units; of morph weights the greatest difference. */
    readonly error: number;
    /** `error` as a share of the extent. */
    readonly share: number;
    /** Greatest `share` that is ok. */
    readonly tolerance: number;
    /** Who judged. */
    readonly oracle: 'double' | 'three';
    /** Where three.js is no judge of this clip, why, and how far off it is; then `oracle` is `'double'`. */
    readonly note?: string;
}

/** How right a clip is. */
export interface ClipVerdict {
    /** Of the clip; may repeat or be empty. */
    readonly name: string;
    /** Animation index in the input. */
    readonly animation: number;
    /** All of `arrays` are. */
    readonly ok: boolean;
    /** One for each array of the bake. */
    readonly arrays: readonly ArrayVerdict[];
}

/** What {@link verifyBake} found. */
export interface Verification {
    /** No problem, and every value of every array within tolerance. */
    readonly ok: boolean;
    /** What is wrong besides values. */
    readonly problems: readonly VerifyProblem[];
    /** In the order of the bake. */
    readonly clips: readonly ClipVerdict[];
    /** The worst share of all; null where nothing could be judged. */
    readonly worst: (ArrayVerdict & { readonly clip: string; readonly animation: number }) | null;
    /** Model units: what shares are shares of. */
    readonly extent: number;
    /** Rows judged. */
    readonly rows: number;
}

const TOLERANCE = 1e-5;
const TURN_MILLISECONDS = 40;
const OPTIONS: readonly string[] = ['tolerance', 'oracle', 'signal', 'onProgress'];

/**
 * Proves a bake: evaluates the input again, in double precision and with code that the baker does not share, and compares
 * every row of every array with what the bake holds. Manifest and bin are checked as well: hashes, places of the arrays, the skin's
 * joints, the clips' rows and times.
 *
 * @param input Path of the `.glb` or `.gltf` that was baked.
 * @param manifest Path of the `.bake.json`; its bin lies beside it.
 * @param options How strict, by whose judgement.
 * @returns What is wrong, and how far the worst value of each array is off.
 * @throws InputError for files that cannot be read, UsageError for wrong options, the signal's reason. A bake that is
 * wrong is no error: `ok` is false.
 */
export async function verifyBake(input: string, manifest: string, options: VerifyOptions = {}): Promise<Verification> {
    checkArguments(input, manifest, options);
    const { oracle = 'double', signal } = options;
    signal?.throwIfAborted();
    const files = readBake(manifest);
    const { recipe, skin, arrays } = files.manifest;
    const evaluator = await DoubleEvaluator.load(input, { renormalize: recipe.renormalize === true });
    const problems: VerifyProblem[] = [];
    const tell = (code: VerifyProblemCode, pointer: string, message: string): void => {
        problems.push({ code, pointer, message });
    };
    checkFiles(files, evaluator.file.sha256, tell);
    if (skin.index < 0 || skin.index >= evaluator.skinCount) {
        tell('SKIN_DIFFERS', '/skin/index', `the input has ${evaluator.skinCount} skins, none of number ${skin.index}`);
        return { ok: false, problems, clips: [], worst: null, extent: NaN, rows: 0 };
    }
    const slots = Object.values(arrays).flatMap((array) => (array.slots ?? []).map(({ node }) => node));
    const known = slots.filter((node) => evaluator.parents[node] !== undefined);
    const subject = createSubject(evaluator, skin.index, known, recipe.space ?? 'scene');
    checkSkin(files, evaluator, subject.root, tell);
    const clips = checkClips(files, evaluator, tell);
    const vertices = verticesOf(evaluator, skin.index);
    const yard = yardstickOf(subject, vertices);
    const { extent } = files.manifest;
    if (extent !== undefined && !nearlyEqual(extent, yard.extent)) {
        tell('EXTENT_DIFFERS', '/extent', `${extent}, the input's is ${yard.extent}`);
    }
    const judged: Judged = { files, subject, vertices, yard };
    const boxes = playbackBoxesOf(subject, vertices);
    const checks = checksOf(judged, tell);
    const three = oracle === 'three' ? await loadThree(evaluator, skin.index) : null;
    const turns = new Turns(
        options,
        clips.reduce((sum, { times }) => sum + times.length, 0),
    );
    const verdicts: ClipVerdict[] = [];
    for (const clip of clips) verdicts.push(await judgeClip(judged, boxes, checks, clip, three, options, turns, tell));
    return {
        ok: problems.length === 0 && verdicts.every(({ ok }) => ok),
        problems,
        clips: verdicts,
        worst: worstOfAll(verdicts),
        extent: yard.extent,
        rows: turns.done,
    };
}

/** What TypeScript would refuse, for those who do without it. */
function checkArguments(input: unknown, manifest: unknown, options: VerifyOptions): void {
    for (const [name, path] of Object.entries({ input, manifest })) {
        if (typeof path !== 'string') {
            throw typeError('ERR_ARGUMENT_TYPE', `verifyBake: ${name} must be a path, got ${describe(path)}`);
        }
    }
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `verifyBake: options must be an object, got ${describe(options)}`);
    }
    const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
    if (unknown !== undefined) {
        throw new UsageError(`verifyBake: there is no option ${unknown}, only ${OPTIONS.join(', ')}`);
    }
    checkHooks('verifyBake', options);
    const { tolerance, oracle } = options as { tolerance: unknown; oracle: unknown };
    if (tolerance !== undefined && !(typeof tolerance === 'number' && tolerance > 0 && tolerance < Infinity)) {
        throw new UsageError(`verifyBake: tolerance must be a number above 0, got ${describe(tolerance)}`);
    }
    if (oracle !== undefined && oracle !== 'double' && oracle !== 'three') {
        throw new UsageError(`verifyBake: oracle must be 'double' or 'three', got ${describe(oracle)}`);
    }
}

/** Signals and timers get their turn, and whoever watches hears of the progress. */
class Turns {
    done = 0;
    private last = performance.now();

    constructor(
        private readonly options: VerifyOptions,
        private readonly total: number,
    ) {}

    async rowDone(): Promise<void> {
        this.done++;
        if (this.done < this.total && performance.now() - this.last < TURN_MILLISECONDS) return;
        this.options.onProgress?.(this.done, this.total);
        await nextTurn();
        this.options.signal?.throwIfAborted();
        this.last = performance.now();
    }
}

type TellProblem = (code: VerifyProblemCode, pointer: string, message: string) => void;

/** Arrays that cannot be judged are problems. */
function checksOf(judged: Judged, tell: TellProblem): ArrayCheck[] {
    const { manifest, bin } = judged.files;
    return Object.entries(manifest.arrays).flatMap(([name, array]) => {
        const make = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
        if (make === undefined) {
            tell('ARRAY_INVALID', `/arrays/${name}`, 'is not known to this version');
            return [];
        }
        if (array.byteOffset + array.byteLength > bin.length) return []; // told already
        try {
            return [make(judged, array, name)];
        } catch (error) {
            if (!(error instanceof ArrayFault)) throw error;
            tell('ARRAY_INVALID', `/arrays/${name}`, error.message);
            return [];
        }
    });
}

/** The worst so far. */
interface Worst {
    error: number;
    item: number;
    frame: number;
}

async function judgeClip(
    judged: Judged,
    boxes: PlaybackBoxes,
    checks: readonly ArrayCheck[],
    clip: JudgedClip,
    three: ThreeJudge | null,
    options: VerifyOptions,
    turns: Turns,
    tell: TellProblem,
): Promise<ClipVerdict> {
    const { subject, files } = judged;
    const { animation, firstRow, times } = clip;
    const { manifest, bin } = files;
    const fits = ({ array }: ArrayCheck) => {
        const { byteLength, shape } = manifest.arrays[array]!;
        return (firstRow + times.length) * (byteLength / Math.max(1, shape[0]!)) <= byteLength;
    };
    const usable = bin.length === 0 ? [] : checks.filter(fits);
    const byDouble = usable.map((): Worst => ({ error: 0, item: 0, frame: 0 }));
    const byThree = usable.map((): Worst => ({ error: 0, item: 0, frame: 0 }));
    const described = manifest.clips[clip.index]!;
    const stated = described.bounds;
    const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    // Rows that are no palette of this skin cannot be played.
    const hasRows = manifest.arrays.palette === undefined || usable.some(({ array }) => array === 'palette');
    const playback = hasRows ? new Playback(judged, boxes, clip) : null;
    three?.start(animation);
    let first: Pose | null = null;
    for (const [frame, time] of times.entries()) {
        const pose = poseAt(subject, animation, time);
        first ??= pose;
        const row = firstRow + frame;
        let shown: Pose | null = null;
        if (three !== null) {
            shown = { ...pose, globals: pose.globals.slice() };
            three.pose(time, shown.globals, subject.base);
        }
        for (const [i, check] of usable.entries()) {
            keepWorst(byDouble[i]!, check.worst(row, pose, first), frame);
            if (shown !== null && check.byThree) keepWorst(byThree[i]!, check.worst(row, shown, first), frame);
        }
        if (stated !== undefined) growBox(box, boxOf(judged, pose));
        playback?.add(frame, pose);
        await turns.rowDone();
    }
    if (stated !== undefined) checkStatedBounds(judged, clip, stated, box, tell);
    const arrays = usable.map((check, i) => {
        const tolerance = toleranceOf(judged, check, options);
        const limit = (found: Worst) => found.error / check.scale <= tolerance;
        const verdict = (found: Worst, oracle: 'double' | 'three', note?: string): ArrayVerdict => ({
            array: check.array,
            ok: limit(found),
            ...check.nameOf(found.item),
            frame: found.frame,
            time: times[found.frame]!,
            error: found.error,
            share: found.error / check.scale,
            tolerance,
            oracle,
            ...(note === undefined ? {} : { note }),
        });
        if (three === null || !check.byThree) return verdict(byDouble[i]!, 'double');
        const reasons = limit(byThree[i]!) ? [] : threeDifferences(subject.evaluator, subject.chain, animation);
        if (reasons.length === 0) return verdict(byThree[i]!, 'three');
        const share = (byThree[i]!.error / check.scale).toExponential(1);
        const note = `three.js differs by design: ${reasons.join('; ')} (it is off by ${share} x extent)`;
        return verdict(byDouble[i]!, 'double', note);
    });
    // Figures of rows that are wrong say nothing.
    if (!arrays.some(({ array, ok }) => array === 'palette' && !ok)) playback?.check(described, tell);
    return { name: described.name, animation, ok: arrays.every(({ ok }) => ok), arrays };
}

function keepWorst(worst: Worst, { error, item }: { error: number; item: number }, frame: number): void {
    if (error <= worst.error) return;
    worst.error = error;
    worst.item = item;
    worst.frame = frame;
}

function growBox(box: Float64Array, other: Float64Array): void {
    for (let c = 0; c < 3; c++) {
        if (other[c]! < box[c]!) box[c] = other[c]!;
        if (other[c + 3]! > box[c + 3]!) box[c + 3] = other[c + 3]!;
    }
}

/** The clip's own box in the manifest, which is over all of its rows. */
function checkStatedBounds(
    judged: Judged,
    { index }: JudgedClip,
    stated: readonly number[],
    box: Float64Array,
    tell: TellProblem,
): void {
    for (let side = 0; side < 6; side++) {
        const allowed = (ofHalves(judged) || STATED) * Math.max(scaleOf(judged.yard), Math.abs(box[side]!));
        if (Math.abs(stated[side]! - box[side]!) <= allowed) continue;
        tell('CLIP_DIFFERS', `/clips/${index}/bounds/${side}`, `${stated[side]}, must be ${box[side]}`);
    }
}

/** Of half floats what the manifest promises. Boxes are those of the rows as they are baked. */
function toleranceOf(judged: Judged, { array }: ArrayCheck, { tolerance }: VerifyOptions): number {
    const halves = array === 'palette' || array === 'bounds' ? ofHalves(judged) : 0;
    return tolerance ?? (halves || TOLERANCE);
}

/** The share of the extent that half floats may be off by: `maxError`, or a thousandth; 0 where the palette has none. */
function ofHalves({ files: { manifest }, yard }: Judged): number {
    if (manifest.arrays.palette?.dtype !== 'f16') return 0;
    const { maxError } = manifest.recipe;
    return maxError === undefined ? 1e-3 : maxError / scaleOf(yard);
}

function worstOfAll(clips: readonly ClipVerdict[]): Verification['worst'] {
    let worst: Verification['worst'] = null;
    for (const { name, animation, arrays } of clips) {
        for (const verdict of arrays) {
            const [own, other] = [verdict.share / verdict.tolerance, worst && worst.share / worst.tolerance];
            if (other === null || !(own <= other)) worst = { ...verdict, clip: name, animation };
        }
    }
    return worst;
}
