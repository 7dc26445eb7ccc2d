// SPDX-License-Identifier: MIT

/** Packs errors for another thread. Otherwise they would lose their class, code and other properties. */

import { InputError, ToleranceError, UsageError } from '../base/errors';

export interface PackedError {
    readonly name: string;
    readonly message: string;
    readonly stack: string | undefined;
    /** Further properties: code, path, pointer. */
    readonly fields: Readonly<Record<string, unknown>>;
}

const BUILT_IN: Readonly<Record<string, new (message: string) => Error>> = { RangeError, TypeError };
const OWN: Readonly<Record<string, { readonly prototype: Error }>> = { InputError, ToleranceError, UsageError };

/** The cause is left out. */
export function packError(error: unknown): PackedError {
    if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined, fields: {} };
    const { name, message, stack } = error;
    const plain = Object.entries(error).filter(([, value]) => ['string', 'number'].includes(typeof value));
    return { name, message, stack, fields: Object.fromEntries(plain) };
}

export function unpackError({ name, message, stack, fields }: PackedError): Error {
    const error = Object.hasOwn(BUILT_IN, name) ? new BUILT_IN[name]!(message) : new Error(message);
    if (Object.hasOwn(OWN, name)) Object.setPrototypeOf(error, OWN[name]!.prototype);
    Object.assign(error, fields);
    if (stack !== undefined) error.stack = stack;
    return error;
}
