// SPDX-License-Identifier: MIT

/** Checks values of untrusted entries. Each function returns a value of its type, or throws. */

import type { Warning } from '../gltf/scene';

function no(what: string): never {
    throw new Error(`needs ${what}`);
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return no('an object');
}

export function listOf<T>(value: unknown, of: (item: unknown) => T): T[] {
    return Array.isArray(value) ? value.map(of) : no('a list');
}

export function textOf(value: unknown): string {
    return typeof value === 'string' ? value : no('a text');
}

export function hashText(value: unknown): string {
    const text = textOf(value);
    return /^[0-9a-f]{64}$/.test(text) ? text : no('a hash');
}

/** A finite number of at least 0. */
export function amountOf(value: unknown): number {
    return typeof value === 'number' && value >= 0 && value < Infinity ? value : no('a number');
}

/** A whole number of at least 0. */
export function countOf(value: unknown): number {
    return Number.isSafeInteger(value) ? amountOf(value) : no('a whole number');
}

export function flagOf(value: unknown): boolean {
    return typeof value === 'boolean' ? value : no('true or false');
}

export function orNull<T>(value: unknown, of: (value: unknown) => T): T | null {
    return value === null ? null : of(value);
}

export function warningsOf(value: unknown, isStrict: boolean): Warning[] {
    const warnings = listOf(value, (item) => {
        const { code, pointer, message } = objectOf(item);
        if (!/^[A-Z]+(_[A-Z0-9]+)*$/.test(textOf(code)) || !/^(\/|$)/.test(textOf(pointer))) no('a warning');
        return { code: textOf(code), pointer: textOf(pointer), message: textOf(message) } as Warning;
    });
    // If warnings are errors, no result with warnings is stored.
    return isStrict && warnings.length > 0 ? no('no warning') : warnings;
}
