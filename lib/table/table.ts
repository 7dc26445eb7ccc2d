// SPDX-License-Identifier: MIT

import { checkFloat32Array, describe, lengthOf, wrongType } from '../base/arguments';
import {
    checkApart,
    checkClips,
    checkIndex,
    checkLoop,
    checkLoops,
    checkOptions,
    checkOut,
    checkTime,
    checkTimes,
    type Wrap,
} from '../base/call-arguments';
import { type ClipEvent, crossedEvents } from '../base/clip-events';
import { rangeError, typeError } from '../base/errors';
import { indexNamed } from '../base/names';
import { fetchBytes, type ReadFile } from '../files/fetch-bytes';
import {
    type CheckedManifest,
    checkManifest,
    refuse,
    type TableAttachment,
    type TableClip,
    type TableJoint,
} from '../format/check-manifest';
import { halfFloats } from '../format/half';
import type { ArrayName } from '../format/layouts';
import type { Manifest } from '../format/manifest';
import { loadPair } from './load';
import { writeMatrices } from './matrices';
import {
    bytesOf,
    isBytes,
    numbersOf,
    type OpenArray,
    openArray,
    parseManifest,
    splitGlb,
    type TableArray,
} from './open-array';
import { Rounds } from './rounds';
import { TimeLine } from './row-at';
import { checkBetween, type SampleOptions } from './sample-options';

export type { ReadFile } from '../files/fetch-bytes';
export type { TableAttachment, TableClip, TableJoint } from '../format/check-manifest';
export type { ArrayName } from '../format/layouts';
export type { TableArray } from './open-array';
export type { SampleOptions } from './sample-options';

const WRAP: SampleOptions = { loop: 'wrap' };

/** Half floats of two rows, as floats. */
interface Scratch {
    readonly a: Float32Array;
    readonly b: Float32Array;
}

const NAMES = "'palette', 'hit', 'local', 'morph', 'bounds' or 'root'";

/**
 * A bake, read back: its arrays, and their values at any time. Plain JavaScript without the addon, for Node and
 * browsers. The same arguments give the same bytes on every machine.
 *
 * @example
 * const table = await BakedTable.load('hero.bake.json');
 * const walk = table.clipNamed('Walk');
 */
export class BakedTable {
    /** In the order of the rows. */
    readonly clips: readonly TableClip[];
    /** In the order of the file's `skin.joints`, which JOINTS_0 refers to. Empty without a skin. */
    readonly joints: readonly TableJoint[];
    /** Meshes without a skin that move, by node. */
    readonly attachments: readonly TableAttachment[];
    /** Number of matrices in a row of the palette: one for each joint, then one for each attachment. */
    readonly columns: number;
    /** The arrays that the bake has, by name. */
    readonly arrays: Readonly<Partial<Record<ArrayName, TableArray>>>;
    /**
     * `[column][6]`, if the bake has them: the box of the vertices that each joint or attachment moves, in its own
     * space, minimum x y z, then maximum x y z. For a column that moves nothing, Infinity and -Infinity.
     */
    readonly jointBounds: Float32Array | undefined;
    /** Number of rows in every array: the frames of all clips. */
    readonly rows: number;
    /**
     * The whole manifest as given, including unknown keys. Only the parts that a table needs have been checked: format,
     * binary, joints, attachments, clips, arrays and frame rate.
     */
    readonly manifest: Manifest;

    readonly #arrays: Readonly<Partial<Record<ArrayName, OpenArray>>>;
    readonly #timeLine: TimeLine;
    readonly #scratch: Scratch;
    readonly #rounds = new Rounds();

    private constructor(manifest: unknown, checked: CheckedManifest, bytes: Uint8Array) {
        if (checked === undefined)
            throw typeError('ERR_ARGUMENT_TYPE', 'new BakedTable: a table must be made by BakedTable.open');
        this.manifest = manifest as Manifest;
        this.clips = checked.clips;
        this.joints = checked.joints;
        this.attachments = checked.attachments;
        this.columns = checked.joints.length + checked.attachments.length;
        this.rows = checked.rows;
        const arrays = checked.arrays.map((array) => openArray(array, bytes));
        const { jointBounds } = checked;
        this.jointBounds = jointBounds && (numbersOf(jointBounds, bytes) as Float32Array);
        this.#arrays = Object.fromEntries(arrays.map((array) => [array.name, array]));
        this.arrays = this.#arrays;
        this.#timeLine = new TimeLine(checked);
        const halves = arrays.filter(({ dtype }) => dtype === 'f16').map(({ rowFloats }) => rowFloats);
        const max = Math.max(0, ...halves);
        this.#scratch = { a: new Float32Array(max), b: new Float32Array(max) };
    }

    /**
     * Reads `<stem>.bake.json` and the bin that it names, or `<stem>.bake.glb` with both. Checks the bin's length and
     * SHA-256. Over plain HTTP, browsers cannot calculate hashes, so only the length is checked. If the two do not
     * match, a new bake may be replacing them, so they are read again for an eighth of a second.
     *
     * @param url URL of the manifest, with the bin beside it, or of the GLB.
     * @param read Returns the bytes of a URL. In Node, `readFile` of `node:fs/promises` reads `file:` URLs.
     * @returns The table.
     * @throws RangeError `ERR_BINARY_DIFFERS`: the bin does not match the manifest; errors of {@link open}; errors of
     * `read`, by default InputError `FILE_UNREADABLE`.
     * @example
     * const table = await BakedTable.load(pathToFileURL('out/hero.bake.json'), readFile);
     */
    static async load(url: string | URL, read: ReadFile = fetchBytes): Promise<BakedTable> {
        const { json, bytes } = await loadPair(url, read);
        return BakedTable.open(json, bytes);
    }

    /**
     * Opens `<stem>.bake.glb`. Checks the bin's length but not its hash: {@link load} does that.
     *
     * @param glb All bytes of the file. They are kept, not copied, and must not change.
     * @returns The table, over these bytes.
     * @throws RangeError `ERR_BAKE_INVALID`: the GLB is not a bake, but a model for instance; errors of {@link open}
     * for a manifest and its bin.
     * @example
     * const table = BakedTable.open(await readFile('out/hero.bake.glb'));
     */
    static open(glb: ArrayBuffer | Uint8Array): BakedTable;
    /**
     * Opens `<stem>.bake.json` and `<stem>.bake.bin`. Checks the bin's length but not its hash: {@link load} does that.
     *
     * @param json The manifest, as text or parsed.
     * @param bin The whole binary. It is kept and must not change. It is copied only if it is not aligned in memory.
     * @returns The table, over the bytes of `bin`.
     * @throws RangeError `ERR_BAKE_INVALID`: not a manifest of this format, or the binary does not fit it;
     * `ERR_BINARY_DIFFERS`: the binary has another length, as between the two steps of a new bake. TypeError
     * `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`.
     * @example
     * const { outputs } = await bakeFile('hero.glb');
     * const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
     */
    static open(json: string | object, bin: ArrayBuffer | Uint8Array): BakedTable;
    static open(json: string | object, bin?: ArrayBuffer | Uint8Array): BakedTable {
        if (bin === undefined && isBytes(json)) {
            const parts = splitGlb(bytesOf(json));
            if (parts === null) return refuse('the bytes', 'are not a GLB; with a manifest, pass the bin too');
            return BakedTable.open(parts.json, parts.bin);
        }
        const bytes = bytesOf(bin);
        const manifest = typeof json === 'string' ? parseManifest(json) : json;
        if (typeof manifest !== 'object' || manifest === null) {
            throw wrongType('BakedTable.open', 'json', 'text or an object', manifest);
        }
        const checked = checkManifest(manifest, bytes.byteLength);
        return new BakedTable(manifest, checked, bytes);
    }

    /**
     * Finds a clip by name.
     *
     * @param name Name in the file.
     * @returns Index into `clips`, for `sample` and `rowsAt`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_UNKNOWN_NAME`: no clip has the name (the message lists
     * similar ones); `ERR_AMBIGUOUS_NAME`: several have it (the message lists their numbers).
     * @example
     * table.sample('palette', table.clipNamed('Walk'), times, out, { loop: 'wrap' });
     */
    clipNamed(name: string): number {
        return indexNamed('clipNamed', 'clip', this.clips, name);
    }

    /**
     * The time of a clip's frame. {@link sample} at exactly that time returns the frame's row unchanged.
     *
     * @param clip Index into `clips`.
     * @param frame From 0 to the clip's `frameCount - 1`.
     * @returns Seconds from the clip's first frame.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_INDEX_RANGE`.
     */
    frameTime(clip: number, frame: number): number {
        checkIndex('frameTime', 'clip', clip, this.clips.length, 'clip');
        checkIndex('frameTime', 'frame', frame, this.clips[clip]!.frameCount, 'frame');
        return this.#timeLine.times[this.clips[clip]!.firstRow + frame]!;
    }

    /**
     * Finds the events of a clip that happen from `t0`, included, to `t1`, not included. Consecutive calls have each
     * event exactly once, also over the end of a clip that repeats. If `t1` is before `t0`, the clip runs backward.
     *
     * @param clip Index into `clips`.
     * @param t0 Seconds from the clip's first frame.
     * @param t1 The end, in the same seconds. The next call starts here.
     * @param options `loop`: `'wrap'` if the clip repeats, else `'clamp'`. Default: as its manifest says.
     * @returns The events in the order in which they happen. Allocates only if there are some.
     * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`, `ERR_COUNT_RANGE`: more
     * than 65536 events.
     * @example
     * const crossed = table.events(table.clipNamed('Walk'), time, time + 0.016);
     * for (const { name } of crossed) if (name === 'step') playSound();
     */
    events(
        clip: number,
        t0: number,
        t1: number,
        options?: { readonly loop?: 'clamp' | 'wrap' | undefined },
    ): readonly ClipEvent[] {
        const { loop } = checkOptions('events', options);
        const own = this.clips[checkIndex('events', 'clip', clip, this.clips.length, 'clip')]!;
        checkTime('events', 't0', t0);
        checkTime('events', 't1', t1);
        const wrap = loop === undefined ? own.loop : checkLoop('events', loop);
        return crossedEvents('events', own.events, own.duration, t0, t1, wrap);
    }

    /**
     * Samples an array at any time of its clips: `[pose][rowFloats]`. Does not allocate.
     * Between two rows, matrices and weights are interpolated linearly, element by element. For `local`, `root` and
     * palettes of layout `qts16`, rotations are interpolated linearly on the shorter arc and normalized, the rest
     * linearly. `bounds` is the box around both rows. A frame in `discontinuities` is not interpolated to: the row
     * before is held. At a frame's own time the result is its row, unchanged.
     *
     * @param array Name of the array, one of `table.arrays`.
     * @param clips One clip for all poses, or one for each.
     * @param times Seconds from the clip's first frame, one for each pose: any finite numbers, rounded to float32.
     * @param out At least `times.length * rowFloats` floats.
     * @param options Rules for times outside of clips and between rows.
     * @returns `out`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`,
     * `ERR_BUFFER_OVERLAP`. Nothing has been written then.
     * @example
     * const palette = new Float32Array(2 * table.arrays.palette!.rowFloats);
     * table.sample('palette', 0, Float64Array.of(0.25, 0.5), palette, { loop: 'wrap' }); // two poses of clip 0
     */
    sample(
        array: ArrayName,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        out: Float32Array,
        options?: SampleOptions,
    ): Float32Array {
        const { loop, between } = checkOptions('sample', options);
        const wrap = checkWrap('sample', loop, times);
        const nearest = checkBetween('sample', between);
        const source = this.#arrayOf('sample', array);
        if (lengthOf(source.data) < this.rows * source.rowFloats) {
            const what = 'the bytes that the table was opened with were detached or shrunk';
            throw typeError('ERR_DETACHED_BUFFER', `sample: ${what}, needs them live`);
        }
        const poses = this.#checkPoses('sample', clips, times, out, source.rowFloats, wrap);
        checkApart('sample', 'out', out, 'the table', source.data);
        const { rowFloats } = source;
        for (let pose = 0; pose < poses; pose++) {
            const clip = typeof clips === 'number' ? clips : clips[pose]!;
            this.#timeLine.find(clip, times, pose, wrap, nearest, array !== 'root');
            this.#readRow(source, out, pose * rowFloats);
        }
        return out;
    }

    /**
     * Converts rows of the palette, such as the result of {@link sample}, from any layout to column-major 4x4 matrices.
     * Does not allocate.
     *
     * @param rows `[pose][rowFloats]`.
     * @param out At least `[pose][column][16]` floats: for joints, global x inverse bind; for attachments, their
     * globals.
     * @returns `out`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_INDEX_RANGE`: the bake has no palette;
     * `ERR_BUFFER_LENGTH`: `rows` is not whole rows, or `out` is too short; `ERR_BUFFER_OVERLAP`. Nothing has been
     * written then.
     * @example
     * const row = table.sample('palette', 0, Float64Array.of(0.25), new Float32Array(table.arrays.palette!.rowFloats));
     * const matrices = table.toMatrices(row, new Float32Array(table.columns * 16));
     */
    toMatrices(rows: Float32Array, out: Float32Array): Float32Array {
        const palette = this.#arrayOf('toMatrices', 'palette');
        const { rowFloats } = palette;
        checkFloat32Array('toMatrices', 'rows', rows);
        const floats = lengthOf(rows);
        if (floats % rowFloats !== 0) {
            const needs = `a multiple of ${rowFloats}, the floats of a row`;
            throw rangeError('ERR_BUFFER_LENGTH', `toMatrices: rows holds ${floats} elements, needs ${needs}`);
        }
        const to = checkOut('toMatrices', 'out', out, (floats / rowFloats) * this.columns * 16, 'rows x columns x 16');
        checkApart('toMatrices', 'out', to, 'rows', rows);
        checkApart('toMatrices', 'out', to, 'the table', palette.data);
        writeMatrices(out, rows, palette, floats);
        return out;
    }

    /**
     * Root motion since time 0 of clips that repeat, counting every round: `[pose][7]`, T 3, R 4 (x y z w).
     * `sample('root', ...)` with `'wrap'` starts again in each round; this continues. An object at `place` at time 0 is
     * at `place x motion`. Does not allocate.
     *
     * @param clips One clip for all poses, or one for each.
     * @param times Seconds since the clip was started, one for each pose: any finite numbers. Rounds beyond 2^53 are
     * not counted.
     * @param out At least `times.length * 7` floats.
     * @returns `out`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE` (also if the bake has no
     * array `root`), `ERR_NOT_FINITE`, `ERR_BUFFER_OVERLAP`. Nothing has been written then.
     * @example
     * const clip = table.clipNamed('Walk');
     * table.sample('palette', clip, times, out, { loop: 'wrap' });
     * const motions = table.rootMotion(clip, times, new Float32Array(times.length * 7));
     */
    rootMotion(clips: number | Uint16Array, times: Float32Array | Float64Array, out: Float32Array): Float32Array {
        this.#arrayOf('rootMotion', 'root');
        this.#checkPoses('rootMotion', clips, times, out, 7);
        this.sample('root', clips, times, out, WRAP);
        const { root } = this.#arrays;
        const poses = lengthOf(times);
        for (let pose = 0; pose < poses; pose++) {
            const clip = typeof clips === 'number' ? clips : clips[pose]!;
            const { firstRow, frameCount } = this.clips[clip]!;
            const end = (firstRow + frameCount - 1) * 7;
            this.#rounds.append(out, pose * 7, root!.data, end, this.#timeLine.rounds(clip, times, pose));
        }
        return out;
    }

    /**
     * Finds the rows for times, for shaders and other code with its own interpolation: `[pose][3]`, row, row to
     * interpolate to, and fraction from 0 to 1. The rules are those of {@link sample}. Does not allocate.
     *
     * @param clips One clip for all poses, or one for each.
     * @param times Seconds from the clip's first frame, one for each pose: any finite numbers, rounded to float32.
     * @param out At least `times.length * 3` floats.
     * @param options Rules for times outside of clips and between rows.
     * @returns `out`.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_BUFFER_LENGTH`, `ERR_INDEX_RANGE`, `ERR_NOT_FINITE`,
     * `ERR_BUFFER_OVERLAP`. Nothing has been written then.
     * @example
     * const [row, next, fraction] = table.rowsAt(0, Float64Array.of(0.51), new Float32Array(3));
     */
    rowsAt(
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        out: Float32Array,
        options?: SampleOptions,
    ): Float32Array {
        const { loop, between } = checkOptions('rowsAt', options);
        const wrap = checkWrap('rowsAt', loop, times);
        const nearest = checkBetween('rowsAt', between);
        const poses = this.#checkPoses('rowsAt', clips, times, out, 3, wrap);
        for (let pose = 0; pose < poses; pose++) {
            this.#timeLine.find(typeof clips === 'number' ? clips : clips[pose]!, times, pose, wrap, nearest);
            out[pose * 3] = this.#timeLine.row;
            out[pose * 3 + 1] = this.#timeLine.next;
            out[pose * 3 + 2] = this.#timeLine.fraction[0]!;
        }
        return out;
    }

    #arrayOf(routine: string, name: unknown): OpenArray {
        if (typeof name !== 'string') throw wrongType(routine, 'array', NAMES, name);
        const array = Object.hasOwn(this.#arrays, name) ? this.#arrays[name as ArrayName] : undefined;
        if (array === undefined) {
            const have = Object.keys(this.#arrays).join(', ') || 'none';
            throw rangeError('ERR_INDEX_RANGE', `${routine}: the bake has no array ${describe(name)}, only ${have}`);
        }
        return array;
    }

    #checkPoses(
        routine: string,
        clips: unknown,
        times: unknown,
        out: unknown,
        floats: number,
        wrap: Wrap | null = null,
    ): number {
        const checkedTimes = checkTimes(routine, times, 0);
        const poses = lengthOf(checkedTimes);
        checkTimes(routine, checkedTimes, poses);
        const checkedClips = checkClips(routine, clips, poses, this.clips.length);
        const to = checkOut(routine, 'out', out, poses * floats, `poses x ${floats}`);
        checkApart(routine, 'out', to, 'times', checkedTimes);
        if (typeof checkedClips !== 'number') checkApart(routine, 'out', to, 'clips', checkedClips);
        if (typeof wrap === 'object' && wrap !== null) checkApart(routine, 'out', to, 'options.loop', wrap);
        return poses;
    }

    /** Interpolates the rows that the time line has found. */
    #readRow({ data, rowFloats, rules, pivots }: OpenArray, out: Float32Array, to: number): void {
        const { row, next, fraction } = this.#timeLine;
        if (data instanceof Uint16Array) {
            const { a, b } = this.#scratch;
            decode(data, row * rowFloats, rowFloats, a);
            if (next !== row) decode(data, next * rowFloats, rowFloats, b);
            if (next !== row) rules.mix(out, to, a, 0, b, 0, rowFloats, fraction, pivots);
            else for (let i = 0; i < rowFloats; i++) out[to + i] = a[i]!;
            return;
        }
        const at = row * rowFloats;
        if (next !== row) rules.mix(out, to, data, at, data, next * rowFloats, rowFloats, fraction);
        else for (let i = 0; i < rowFloats; i++) out[to + i] = data[at + i]!;
    }
}

/** Null where each clip follows its manifest. */
function checkWrap(routine: string, loop: unknown, times: unknown): Wrap | null {
    return loop === undefined ? null : checkLoops(routine, loop, lengthOf(checkTimes(routine, times, 0)));
}

function decode(halves: Uint16Array, at: number, count: number, out: Float32Array): void {
    const values = halfFloats();
    for (let i = 0; i < count; i++) out[i] = values[halves[at + i]!]!;
}
