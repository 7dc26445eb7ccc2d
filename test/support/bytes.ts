// SPDX-License-Identifier: MIT

/** Float buffers compared bit for bit, and buffers between guards that show any write outside. */

/**
 * The first index at which two lists differ, or -1. Compares bits, -0 and denormals included. All NaN are equal: their
 * payloads and signs differ between JavaScript and hardware.
 */
export function firstDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
    if (actual instanceof Float32Array && expected instanceof Float32Array && actual.length === expected.length) {
        const a = wordsOf(actual);
        const b = wordsOf(expected);
        for (let i = 0; i < a.length; i++) {
            if (a[i] !== b[i] && !(Number.isNaN(actual[i]) && Number.isNaN(expected[i]))) return i;
        }
        return -1;
    }
    const length = Math.max(actual.length, expected.length);
    for (let i = 0; i < length; i++) {
        if (!Object.is(actual[i], expected[i])) return i;
    }
    return -1;
}

const wordsOf = (floats: Float32Array) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);

/** Throws where two lists differ, in the words of `firstDifference`. */
export function expectSameBits(
    actual: ArrayLike<number>,
    expected: ArrayLike<number>,
    floatsPerJoint: number,
    what: () => string,
): void {
    const at = firstDifference(actual, expected);
    if (at < 0) return;
    const joint = Math.floor(at / floatsPerJoint);
    throw new Error(
        `${what()}: joint ${joint}, float ${at % floatsPerJoint}: ${show(actual[at])}, expected ${show(expected[at])}`,
    );
}

function show(value: number | undefined): string {
    if (value === undefined) return 'missing';
    const bits = new Uint32Array(new Float32Array([value]).buffer)[0]!;
    return `${Object.is(value, -0) ? '-0' : value} (0x${bits.toString(16).padStart(8, '0')})`;
}

/** A copy of the bytes of a view; empty if its buffer is detached. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
}

/** Whether two views have the same bytes, NaN payloads included; without a copy, for long lists. */
export function haveSameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
    const [x, y] = [a, b].map((view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return Buffer.compare(x!, y!) === 0;
}

/** Throws unless two lists of bytes are the same, NaN payloads included. */
export function expectSameBytes(actual: Uint8Array, expected: Uint8Array, what: () => string): void {
    if (Buffer.compare(actual, expected) === 0) return;
    const at = actual.findIndex((byte, i) => byte !== expected[i]);
    throw new Error(`${what()}: byte ${at} of ${actual.length}: ${actual[at]}, expected ${expected[at]}`);
}

/** Where a view starts relative to 16 bytes: 0, or one of the three ways to be misaligned. */
export const ALIGNMENTS = [0, 4, 8, 12] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

/** Enough to catch a whole group of four joints written before or after the view. */
const GUARD_WORDS = 64;
/** A NaN as a float, so that results of numbers read from a guard are NaN, too. */
const GUARD_PATTERN = 0x7fc0dead;

/** A list in the middle of a larger buffer. */
export interface Guarded<T> {
    readonly view: T;
    /** Throws if anything around the list was written. */
    check(): void;
}

function guarded<T extends Float32Array | Int32Array>(
    List: new (buffer: ArrayBuffer, byteOffset: number, length: number) => T,
    values: ArrayLike<number>,
    alignment: Alignment,
): Guarded<T> {
    const { length } = values;
    const before = GUARD_WORDS + alignment / 4;
    const words = before + length + GUARD_WORDS;
    const buffer = new ArrayBuffer(words * 4);
    const all = new Uint32Array(buffer).fill(GUARD_PATTERN);
    const check = () => {
        for (let i = 0; i < words; i++) {
            if (i === before) i += length;
            if (all[i] === GUARD_PATTERN) continue;
            const where = i < before ? `${before - i} before` : `${i - before - length} after`;
            throw new Error(`word ${where} the list was written`);
        }
    };
    const view = new List(buffer, before * 4, length);
    view.set(values);
    return { view, check };
}

/** Values between guards. */
export const guardedFloats = (values: ArrayLike<number>, alignment: Alignment = 0) =>
    guarded(Float32Array, values, alignment);
export const guardedInts = (values: ArrayLike<number>, alignment: Alignment = 0) =>
    guarded(Int32Array, values, alignment);
