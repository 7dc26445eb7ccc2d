// SPDX-License-Identifier: MIT

import { extrasFault } from './extras';
import { invalid, type Report, warn } from './reading';

/** An object of the parsed JSON. Nothing in it has been checked. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A short text for any value, for messages. Stringifying a hostile value could overflow the stack. */
export function describe(value: unknown): string {
    if (value === undefined) return 'missing';
    if (Array.isArray(value)) return `an array of ${value.length}`;
    if (typeof value === 'object' && value !== null) return 'an object';
    if (typeof value !== 'string') return String(value);
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
}

export function objectAt(report: Report, value: unknown, pointer: string): JsonObject {
    if (!isObject(value)) invalid(report, pointer, `must be an object, is ${describe(value)}`);
    return value;
}

/** Returns the array at `pointer`. An absent one is empty. */
export function arrayAt(report: Report, value: unknown, pointer: string): readonly unknown[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) invalid(report, pointer, `must be an array, is ${describe(value)}`);
    return value;
}

/** Returns the integer at `pointer`, or rejects the file. `100.0` and `1e2` are integers too (glTF 2.0, 2.7). */
export function integerAt(
    report: Report,
    value: unknown,
    pointer: string,
    min = 0,
    max = Number.MAX_SAFE_INTEGER,
): number {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
        const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
        invalid(report, pointer, `must be an integer ${range}, is ${describe(value)}`);
    }
    return value;
}

/** Returns an index of one of `count` elements of `array` (glTF 2.0, 3.3: indices must point to existing elements). */
export function indexAt(report: Report, value: unknown, count: number, pointer: string, array: string): number {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= count) {
        invalid(report, pointer, `must be an index into ${array}, which has ${count}, is ${describe(value)} (3.3)`);
    }
    return value;
}

/** Reads exactly `into.length` numbers at `pointer`, finite in float32. Returns `into`. */
export function floatsAt(report: Report, value: unknown, into: Float32Array, pointer: string): Float32Array {
    const count = into.length;
    if (!Array.isArray(value) || value.length !== count) {
        invalid(report, pointer, `must be an array of ${count} numbers, is ${describe(value)}`);
    }
    for (let i = 0; i < count; i++) {
        const number = value[i];
        if (typeof number !== 'number') {
            invalid(report, `${pointer}/${i}`, `must be a number, is ${describe(number)}`);
        }
        into[i] = number;
        // JSON has no NaN, but 1e999 parses as Infinity, and 1e39 is infinite in float32.
        if (!Number.isFinite(into[i])) {
            invalid(report, `${pointer}/${i}`, `must be a finite float32, is ${describe(number)}`);
        }
    }
    return into;
}

/** A name. Names are for people, so a value that is not a string becomes an empty name. */
export function nameOf(value: unknown): string {
    return typeof value === 'string' ? value : '';
}

/** The `extras` of an object that manifests repeat, as a member to spread; none if they are too large (3.12). */
export function extrasIn(owner: JsonObject, pointer: string, report: Report): { readonly extras?: unknown } {
    const { extras } = owner;
    if (extras === undefined) return {};
    const fault = extrasFault(extras);
    if (fault === null) return { extras };
    warn(report, 'EXTRAS_LEFT_OUT', `${pointer}/extras`, `they ${fault}: left out`);
    return {};
}

/** The extension object `name` of `owner`; undefined if there is none. */
export function extensionOf(owner: JsonObject, name: string): JsonObject | undefined {
    const extensions = owner.extensions;
    if (!isObject(extensions)) return undefined;
    const extension = extensions[name];
    return isObject(extension) ? extension : undefined;
}

/** The last number of a JSON pointer: 7 for `/animations/0/channels/7`. */
export function numberAtEnd(pointer: string): number {
    return Number(pointer.slice(pointer.lastIndexOf('/') + 1));
}
