// SPDX-License-Identifier: MIT

/**
 * Checks of arguments for all parts of the library. Types are tested in ways that user code cannot fake. The accessors
 * of %TypedArray%.prototype read internal slots, so the answer is right for subclasses, changed prototypes, own
 * `length` properties, and arrays of other realms.
 */

import { typeError } from './errors';

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;

const getter = (name: PropertyKey) => Object.getOwnPropertyDescriptor(typedArrayPrototype, name)!.get!;

// Each accessor has its own call site, so that the compiler can inline it.
const getTag = getter(Symbol.toStringTag);
const getLength = getter('length');
const getByteOffset = getter('byteOffset');
const getByteLength = getter('byteLength');
const getBuffer = getter('buffer');
const getArrayBufferByteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')!.get!;
const keys = Reflect.get(typedArrayPrototype, 'keys') as () => unknown;

/** The name of a typed array's class; undefined for another value. */
export function tagOf(value: unknown): string | undefined {
    return getTag.call(value) as string | undefined;
}

/** Length in elements; 0 for a detached or out-of-bounds view. Throws for a value that is not a typed array. */
export function lengthOf(view: unknown): number {
    return getLength.call(view) as number;
}

/** Offset of the view in its buffer. Throws for a value that is not a typed array. */
export function byteOffsetOf(view: unknown): number {
    return getByteOffset.call(view) as number;
}

/** Bytes of the view. Throws for a value that is not a typed array. */
export function byteLengthOf(view: unknown): number {
    return getByteLength.call(view) as number;
}

/** The view's buffer. For a short array, the engine creates it on the first call, which takes time. */
export function bufferOf(view: unknown): ArrayBufferLike {
    return getBuffer.call(view) as ArrayBufferLike;
}

/** Whether other threads may write to it. Reads an internal slot that only an ArrayBuffer has. */
export function isSharedBuffer(buffer: ArrayBufferLike): buffer is SharedArrayBuffer {
    try {
        getArrayBufferByteLength.call(buffer);
        return false;
    } catch {
        return true;
    }
}

export function isFloat32Array(value: unknown): value is Float32Array {
    return tagOf(value) === 'Float32Array';
}

export function isInt32Array(value: unknown): value is Int32Array {
    return tagOf(value) === 'Int32Array';
}

export function isUint8Array(value: unknown): value is Uint8Array {
    return tagOf(value) === 'Uint8Array';
}

/** Whether the view's buffer was detached, or shrunk so that the view is outside. */
export function isGone(view: ArrayBufferView): boolean {
    try {
        // Every %TypedArray%.prototype method validates its receiver; this one does nothing else.
        keys.call(view);
        return false;
    } catch {
        return true;
    }
}

/** As `Array.isArray`, which throws for a revoked proxy. */
export function isArray(value: unknown): value is unknown[] {
    try {
        return Array.isArray(value);
    } catch {
        return false;
    }
}

/** A short description of any value for an error message. Runs no user code. */
export function describe(value: unknown): string {
    const tag = tagOf(value);
    if (tag !== undefined) return `${tag}(${lengthOf(value)})`;
    switch (typeof value) {
        case 'string':
            return value.length > 40 ? 'a string' : JSON.stringify(value);
        case 'number':
            return Object.is(value, -0) ? '-0' : String(value);
        case 'bigint':
            return `${value}n`;
        case 'undefined':
        case 'boolean':
            return String(value);
        case 'object':
            return value === null ? 'null' : isArray(value) ? 'an Array' : 'an object';
        default:
            return `a ${typeof value}`;
    }
}

/** The error for a value of another type than `needs`. */
export function wrongType(routine: string, argument: string, needs: string, value: unknown) {
    return typeError('ERR_ARGUMENT_TYPE', `${routine}: ${argument} must be ${needs}, got ${describe(value)}`);
}

/** The error for a view whose buffer is gone. */
export function detached(routine: string, argument: string) {
    const what = `${argument} is a view of a detached or shrunk buffer`;
    return typeError('ERR_DETACHED_BUFFER', `${routine}: ${what}, needs a live one`);
}

export function checkNumber(routine: string, argument: string, value: unknown): asserts value is number {
    if (typeof value !== 'number') throw wrongType(routine, argument, 'a number', value);
}

/** Throws the reason. A separate function, so that V8 inlines the checks, which nearly always pass. */
function refuseView(routine: string, argument: string, value: unknown, needed: string): never {
    if (tagOf(value) === needed) throw detached(routine, argument);
    throw wrongType(routine, argument, `${needed === 'Int32Array' ? 'an' : 'a'} ${needed}`, value);
}

export function checkFloat32Array(routine: string, argument: string, value: unknown): asserts value is Float32Array {
    if (isFloat32Array(value) && (lengthOf(value) > 0 || !isGone(value))) return;
    refuseView(routine, argument, value, 'Float32Array');
}

export function checkInt32Array(routine: string, argument: string, value: unknown): asserts value is Int32Array {
    if (isInt32Array(value) && (lengthOf(value) > 0 || !isGone(value))) return;
    refuseView(routine, argument, value, 'Int32Array');
}

interface Hooks {
    readonly signal?: AbortSignal;
    onProgress?(done: number, total: number): void;
    onTrial?(rate: number): void;
}

/** Checks hooks before any work, not when they are first needed. Throws TypeError `ERR_ARGUMENT_TYPE`. */
export function checkHooks(routine: string, hooks: Hooks): void {
    if (typeof hooks !== 'object' || hooks === null) throw wrongType(routine, 'hooks', 'an object', hooks);
    const { signal, onProgress, onTrial } = hooks;
    checkCallback(routine, 'onProgress', onProgress);
    checkCallback(routine, 'onTrial', onTrial);
    checkSignal(routine, signal);
}

export function checkCallback(routine: string, argument: string, value: unknown): void {
    if (value === undefined || typeof value === 'function') return;
    throw wrongType(routine, argument, 'a function', value);
}

/** Throws unless `signal` is an AbortSignal, also of another realm or library, or undefined. */
export function checkSignal(routine: string, signal: unknown): void {
    if (signal === undefined) return;
    if (typeof (signal as AbortSignal | null)?.throwIfAborted === 'function') return;
    throw wrongType(routine, 'signal', 'an AbortSignal', signal);
}
