// SPDX-License-Identifier: MIT

/** Memory of every kind that JavaScript has, and views as other code makes them. */

import { runInNewContext } from 'node:vm';
import type { VIEWS } from './kinds';

export type Resizable = ArrayBuffer & { resize(bytes: number): void };
export const ResizableBuffer = ArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => Resizable;
type Growable = SharedArrayBuffer & { grow(bytes: number): void };
export const GrowableBuffer = SharedArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => Growable;

export const OTHER_REALM = runInNewContext(
    '({ floats: Float32Array, doubles: Float64Array, ints: Int32Array, shorts: Uint16Array, bytes: Uint8Array, buffer: (n) => new ArrayBuffer(n) })',
) as typeof VIEWS & { buffer(bytes: number): ArrayBuffer };

export function subclassOf<T extends new (...args: never[]) => object>(View: T): T {
    return class extends (View as new (...args: never[]) => object) {
        get length() {
            return 3;
        }
    } as unknown as T;
}

/** The current bytes of a buffer; none if it is detached. */
export function bytesNow(buffer: ArrayBufferLike): Uint8Array<ArrayBuffer> {
    return buffer.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(buffer).slice();
}
