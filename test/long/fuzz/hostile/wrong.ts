// SPDX-License-Identifier: MIT

/** Values of a wrong kind. */

import { ResizableBuffer } from './buffers';
import { type Draft, type Kind, VIEWS, type ViewKind } from './kinds';

/** How many there are. */
export const WRONG = 28;

/** One of them; `disturb` runs as the caller's own code during a call. */
export function wrongValue(which: number, kind: Kind, { more }: Draft, disturb: () => void): unknown {
    const View = VIEWS[kind.kind as ViewKind['kind']] ?? Float32Array;
    const length = 'length' in kind ? kind.length : 8;
    const numbers = [
        ...[0, -0, -1, 1.5, 7, 65536, 2 ** 31, 2 ** 32, 2 ** 53],
        ...[1e300, 1e-45, Number.NaN, Infinity, -Infinity],
    ];
    const made: (() => unknown)[] = [
        () => undefined,
        () => null,
        () => true,
        () => numbers[more % numbers.length],
        () => numbers[(more >> 4) % numbers.length],
        () => ['', 'x', 'clamp', '__proto__', 'x'.repeat(1000), '\ud800', '0'][more % 7],
        () => [10n, Symbol('s'), () => 0, new Date(0), /x/][more % 5],
        () => ({}),
        () => [],
        () => [1, 2, 3],
        () => new Array(100_000),
        () => ({ length }),
        () => ({
            get length() {
                disturb();
                return length;
            },
        }),
        () => ({ valueOf: disturb, toString: disturb, [Symbol.toPrimitive]: disturb }),
        () => new Proxy(new View(length), {}),
        () => {
            const trap = (answer: unknown) => () => {
                disturb();
                return answer as never;
            };
            // A trap that breaks the rules of proxies throws the engine's own errors.
            return new Proxy(
                {},
                { get: trap(undefined), has: trap(false), ownKeys: trap([]), getPrototypeOf: trap(null) },
            );
        },
        () => new DataView(new ArrayBuffer(length * 8)),
        () => new ArrayBuffer(length * 8),
        () => new SharedArrayBuffer(length * 8),
        () => Object.setPrototypeOf(new Int8Array(length * 8), View.prototype),
        () => Object.create(new View(length)),
        () =>
            new [Int8Array, Uint8ClampedArray, Uint32Array, Float64Array, Int16Array, Float32Array][more % 6]!(length),
        () => new BigInt64Array(length),
        () => new View(0),
        () => new View(Math.max(0, length - 1 - (more % 3))),
        () => {
            const view = new View(length);
            structuredClone(view.buffer, { transfer: [view.buffer] });
            return view;
        },
        () => {
            const buffer = new ResizableBuffer(length * 8 + 8, { maxByteLength: length * 8 + 8 });
            const view = new View(buffer, 8, length);
            buffer.resize(8 * (more % 2));
            return view;
        },
        () => {
            const buffer = new ResizableBuffer(length * 8 + 8, { maxByteLength: length * 8 + 8 });
            const view = new View(buffer);
            buffer.resize(View.BYTES_PER_ELEMENT * (more % 4));
            return view;
        },
    ];
    return made[which % made.length]!();
}
