// SPDX-License-Identifier: MIT

/** Integers and texts of a rig file, one after another, in multiples of four bytes, then its floats: docs/format.md. */

import { rangeError } from '../../base/errors';

type ListType<T> = {
    readonly BYTES_PER_ELEMENT: number;
    new (buffer: ArrayBuffer, at: number, length: number): T;
};

/** The error of bytes that are not a valid rig. */
export function invalidRig(where: string, rule: string): RangeError {
    return rangeError('ERR_RIG_INVALID', `Rig.deserialize: ${where} ${rule}`);
}

const padded = (bytes: number) => Math.ceil(bytes / 4) * 4;

/** Writes integers, doubles and texts; all floats follow after them. */
export class Writer {
    readonly #parts: Uint8Array[] = [];
    readonly #floats: Uint8Array[] = [];

    put(list: Int32Array | Float64Array | Uint16Array | Uint8Array): void {
        this.#parts.push(bytesOf(list));
    }

    floats(list: Float32Array): void {
        this.#floats.push(bytesOf(list));
    }

    integers(...values: number[]): void {
        this.put(Int32Array.from(values));
    }

    doubles(...values: number[]): void {
        this.put(Float64Array.from(values));
    }

    /** By code units, because names can have half a surrogate pair. */
    text(text: string): void {
        this.integers(text.length);
        this.put(Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)));
    }

    /** All bytes after `header` empty ones, and where the floats begin. */
    join(header: number): { bytes: Uint8Array<ArrayBuffer>; floatsAt: number } {
        const sum = (parts: readonly Uint8Array[], from: number) =>
            parts.reduce((end, { length }) => end + padded(length), from);
        const floatsAt = sum(this.#parts, header);
        const length = sum(this.#floats, floatsAt);
        if (length > 0x7fffffff) {
            throw rangeError('ERR_COUNT_RANGE', `serialize: the rig needs ${length} bytes, more than 2147483647`);
        }
        const bytes = new Uint8Array(length);
        let at = header;
        for (const part of [...this.#parts, ...this.#floats]) {
            bytes.set(part, at);
            at += padded(part.length);
        }
        return { bytes, floatsAt };
    }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
    return new Uint8Array(buffer, byteOffset, byteLength);
}

export class Reader {
    readonly #view: DataView;
    readonly #floats: Float32Array;
    #nextFloat = 0;

    /**
     * @param bytes The whole buffer. Lists are views of it.
     * @param floatsAt Multiple of four, where the floats begin. All must be finite.
     */
    constructor(
        readonly bytes: Uint8Array<ArrayBuffer>,
        private at: number,
        private readonly floatsAt: number,
    ) {
        this.#view = new DataView(bytes.buffer);
        this.#floats = new Float32Array(bytes.buffer, floatsAt);
        // Functions of the engine, because a loop is slow until V8 has compiled it.
        for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
            if (!this.#floats.includes(bad)) continue;
            const at = floatsAt + this.#floats.findIndex((value) => Object.is(value, bad)) * 4;
            throw invalidRig(`byte ${at}:`, `is ${bad}, must be finite`);
        }
    }

    refuse(rule: string): never {
        throw invalidRig(`byte ${this.at}:`, rule);
    }

    end(): void {
        const left = (this.floatsAt - this.at) / 4 + this.#floats.length - this.#nextFloat;
        if (left > 0) this.refuse(`must be the end, but ${left} words follow`);
    }

    #skip(bytes: number): number {
        const from = this.at;
        const left = this.floatsAt - from;
        if (padded(bytes) > left) this.refuse(`needs ${bytes} bytes, but only ${left} follow`);
        this.at += padded(bytes);
        return from;
    }

    take<T extends Int32Array | Uint16Array | Uint8Array>(Type: ListType<T>, length: number): T {
        return new Type(this.bytes.buffer, this.#skip(length * Type.BYTES_PER_ELEMENT), length);
    }

    floats(length: number): Float32Array {
        const from = this.#nextFloat;
        const left = this.#floats.length - from;
        if (length > left) this.refuse(`needs ${length} floats, but only ${left} are left`);
        this.#nextFloat += length;
        return this.#floats.subarray(from, from + length);
    }

    /** An integer from `min` to `max`. */
    integer(min: number, max: number, what: string): number {
        const value = this.#view.getInt32(this.#skip(4), true);
        if (value < min || value > max) this.refuse(`${what} is ${value}, must be from ${min} to ${max}`);
        return value;
    }

    count(what: string): number {
        return this.integer(0, 0x7fffffff, what);
    }

    flag(what: string): boolean {
        return this.integer(0, 1, what) === 1;
    }

    /** A double from 0 to `max`. */
    double(max: number, what: string): number {
        const value = this.#view.getFloat64(this.#skip(8), true);
        if (!(value >= 0 && value <= max)) this.refuse(`${what} is ${value}, must be from 0 to ${max}`);
        return value;
    }

    /** Integers from `min` to `max`. */
    integers(length: number, min: number, max: number, what: string): Int32Array {
        const list = this.take(Int32Array, length);
        for (let i = 0; i < length; i++) {
            const value = list[i]!;
            if (value < min || value > max) this.refuse(`${what} ${i} is ${value}, must be from ${min} to ${max}`);
        }
        return list;
    }

    text(): string {
        const units = this.take(Uint16Array, this.count('the length of a name'));
        let text = '';
        for (let i = 0; i < units.length; i++) text += String.fromCharCode(units[i]!);
        return text;
    }

    list<T>(what: string, read: (index: number) => T): T[] {
        const count = this.count(`the number of ${what}`);
        const list: T[] = [];
        for (let i = 0; i < count; i++) list.push(read(i));
        return list;
    }
}
