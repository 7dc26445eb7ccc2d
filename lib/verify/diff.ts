// SPDX-License-Identifier: MIT

import { checkPaths } from './options';
import { type BakeArray, type BakeClip, type BakeFiles, bytesOf, readElements, readWholeBake } from './read-bake';
import { memberOf } from './shape';

/** The differences of two bakes. */
export interface BakeDifference {
    /** Whether manifest and bin are the same bytes. */
    readonly equal: boolean;
    /** Whether all numbers of all arrays are the same, whether or not the manifests are. */
    readonly sameValues: boolean;
    /** JSON pointers (RFC 6901) to differences of the manifests, except hashes and lengths, in code-unit order. */
    readonly manifest: readonly ManifestDifference[];
    /** Clips that only one bake has, and those whose frames differ. */
    readonly clips: {
        /** Clips that only the first bake has, as `#animation 'name'`. */
        readonly onlyInA: readonly string[];
        readonly onlyInB: readonly string[];
        /** Clips of both with another rate or number of frames. If the number differs, rows are not compared. */
        readonly retimed: readonly RetimedClip[];
    };
    /** Every array that either bake has, by name, in code-unit order. */
    readonly arrays: readonly ArrayDifference[];
}

/** A clip whose frames differ between two bakes. */
export interface RetimedClip {
    /** `#animation 'name'`. */
    readonly clip: string;
    /** Frames in the first bake. */
    readonly a: ClipFrames;
    /** Frames in the second bake. */
    readonly b: ClipFrames;
}

/** The frames of a clip. */
export interface ClipFrames {
    /** Number of rows. */
    readonly frameCount: number;
    /** Frames per second; null for a clip without duration. */
    readonly fps: number | null;
}

/** A difference between the manifests. */
export interface ManifestDifference {
    /** JSON pointer (RFC 6901). */
    readonly pointer: string;
    /** Value in the first manifest, as JSON; undefined if it is absent. */
    readonly a: string | undefined;
    /** Value in the second manifest. */
    readonly b: string | undefined;
}

/** Difference of one array. */
export interface ArrayDifference {
    /** Name of the array. */
    readonly array: string;
    /**
     * `equal`: the same numbers. `values`: different numbers in the same shape. `shape`: rows have different shapes, or
     * no clip has the same number of frames in both. `only-a`, `only-b`: one bake does not have it.
     */
    readonly kind: 'equal' | 'values' | 'shape' | 'only-a' | 'only-b';
    /** How many numbers differ, in clips with the same number of frames in both. */
    readonly count: number;
    /** Maximum difference and its place; null unless `kind` is `values`. */
    readonly greatest: GreatestDifference | null;
}

/** The maximum difference of an array. */
export interface GreatestDifference {
    /** |a - b|; Infinity if one of them is NaN. */
    readonly difference: number;
    /** Number in the first bake. */
    readonly a: number;
    /** Number in the second bake. */
    readonly b: number;
    /** Name of the clip; empty for `jointBounds`. */
    readonly clip: string;
    /** Animation index of the clip in the source; -1 for `jointBounds`, which belongs to no clip. */
    readonly animation: number;
    /** Frame within the clip. */
    readonly frame: number;
    /** Position within the row, one index for each axis: `[joint, element]` for a palette. */
    readonly at: readonly number[];
}

/**
 * Compares manifests and arrays of two bakes. Clips are matched by animation index and name, even if their rows differ.
 *
 * @param a Path of a `.bake.json` with its bin beside it, or of a `.bake.glb`.
 * @param b Path of the other bake.
 * @returns The differences. None if `equal`.
 * @throws InputError for files that cannot be read, `BINARY_DIFFERS` for a bin that does not match its manifest;
 * TypeError `ERR_ARGUMENT_TYPE` if an argument is not a path.
 * @example
 * const { equal, arrays } = await diffBakes('before/hero.bake.json', 'after/hero.bake.json');
 */
export async function diffBakes(a: string, b: string): Promise<BakeDifference> {
    checkPaths('diffBakes', { a, b });
    const [first, second] = [await readWholeBake(a), await readWholeBake(b)];
    const manifest = manifestDifferences(first, second);
    const pairs = pairClips(first, second);
    const names = [...new Set([...Object.keys(first.manifest.arrays), ...Object.keys(second.manifest.arrays)])].sort();
    const arrays = names.map((name) => compareArray(name, first, second, pairs.both));
    const { both, onlyInA, onlyInB } = pairs;
    const alike = both.every(hasSameFrames);
    const framesOf = ({ frameCount, fps }: BakeClip): ClipFrames => ({ frameCount, fps });
    const retimed = both
        .filter(([clip, other]) => clip.frameCount !== other.frameCount || clip.fps !== other.fps)
        .map(([clip, other]) => ({ clip: nameOf(clip), a: framesOf(clip), b: framesOf(other) }));
    return {
        equal: first.json === second.json && first.bin.equals(second.bin),
        sameValues:
            alike && onlyInA.length === 0 && onlyInB.length === 0 && arrays.every(({ kind }) => kind === 'equal'),
        manifest,
        clips: { onlyInA, onlyInB, retimed },
        arrays,
    };
}

/** Values that follow from other data: hashes, lengths, offsets. They are not reported separately. */
const FOLLOWS = /^\/binary\/|^\/arrays\/[^/]*\/byte(Offset|Length)$/;

function manifestDifferences(a: BakeFiles, b: BakeFiles): ManifestDifference[] {
    const found: ManifestDifference[] = [];
    const compare = (pointer: string, x: unknown, y: unknown): void => {
        if (isNested(x) && isNested(y) && Array.isArray(x) === Array.isArray(y)) {
            const keys = new Set([...Object.keys(x), ...Object.keys(y)]);
            for (const key of keys) {
                const escaped = key.replace(/~/g, '~0').replace(/\//g, '~1');
                compare(`${pointer}/${escaped}`, memberOf(x, key), memberOf(y, key));
            }
            return;
        }
        const [left, right] = [JSON.stringify(x), JSON.stringify(y)];
        if (left !== right && !FOLLOWS.test(pointer)) found.push({ pointer, a: left, b: right });
    };
    compare('', a.manifest, b.manifest);
    return found.sort((x, y) => (x.pointer < y.pointer ? -1 : 1));
}

function isNested(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null;
}

type Pair = readonly [BakeClip, BakeClip];

const nameOf = ({ animation, name }: BakeClip) => `#${animation} '${name}'`;

const hasSameFrames = ([clip, other]: Pair) => clip.frameCount === other.frameCount;

function pairClips({ manifest: a }: BakeFiles, { manifest: b }: BakeFiles) {
    const inB = new Map(b.clips.map((clip) => [nameOf(clip), clip]));
    const both: Pair[] = [];
    const onlyInA: string[] = [];
    for (const clip of a.clips) {
        const other = inB.get(nameOf(clip));
        if (other === undefined) onlyInA.push(nameOf(clip));
        else both.push([clip, other]);
        inB.delete(nameOf(clip));
    }
    return { both, onlyInA, onlyInB: [...inB.keys()] };
}

/** For data that all clips share. */
const NO_CLIP = { name: '', animation: -1, firstRow: 0, frameCount: 1 };

function compareArray(name: string, a: BakeFiles, b: BakeFiles, pairs: readonly Pair[]): ArrayDifference {
    const [first, second] = [memberOf(a.manifest.arrays, name), memberOf(b.manifest.arrays, name)];
    if (first === undefined) return { array: name, kind: 'only-b', count: 0, greatest: null };
    if (second === undefined) return { array: name, kind: 'only-a', count: 0, greatest: null };
    // All of `jointBounds` is one row, which belongs to no clip.
    const isRow = name === 'jointBounds';
    const rowOf = ({ shape }: BakeArray) => (isRow ? shape : shape.slice(1));
    const row = rowOf(first);
    const width = row.reduce((product, n) => product * n, 1);
    const fits = (files: BakeFiles, array: BakeArray) =>
        bytesOf(array.dtype) !== undefined && array.byteOffset + array.byteLength <= files.bin.length;
    const alike = JSON.stringify(rowOf(second)) === JSON.stringify(row) && first.layout === second.layout;
    const compared = isRow ? [[NO_CLIP, NO_CLIP] as const] : pairs.filter(hasSameFrames);
    const none = compared.length === 0 && a.manifest.clips.length + b.manifest.clips.length > 0;
    if (!alike || none || !fits(a, first) || !fits(b, second)) {
        return { array: name, kind: 'shape', count: 0, greatest: null };
    }
    let count = 0;
    let max: GreatestDifference | null = null;
    const [left, right] = [new Float64Array(width), new Float64Array(width)];
    for (const [clip, other] of compared) {
        for (let frame = 0; frame < clip.frameCount; frame++) {
            if (!hasRow(first, clip.firstRow + frame, width) || !hasRow(second, other.firstRow + frame, width)) break;
            readElements(a.bin, first, (clip.firstRow + frame) * width, left);
            readElements(b.bin, second, (other.firstRow + frame) * width, right);
            for (let k = 0; k < width; k++) {
                if (Object.is(left[k], right[k])) continue;
                count++;
                const distance = Math.abs(left[k]! - right[k]!);
                const difference = Number.isNaN(distance) ? Infinity : distance;
                if (max !== null && difference <= max.difference) continue;
                const { name: clipName, animation } = clip;
                const values = { a: left[k]!, b: right[k]! };
                max = { difference, ...values, clip: clipName, animation, frame, at: placeOf(k, row) };
            }
        }
    }
    return { array: name, kind: count === 0 ? 'equal' : 'values', count, greatest: max };
}

function hasRow({ byteLength, dtype }: BakeArray, row: number, width: number): boolean {
    return (row + 1) * width * bytesOf(dtype)! <= byteLength;
}

function placeOf(element: number, row: readonly number[]): number[] {
    const at: number[] = [];
    let rest = element;
    for (const length of [...row].reverse()) {
        at.unshift(rest % length);
        rest = Math.floor(rest / length);
    }
    return at;
}
