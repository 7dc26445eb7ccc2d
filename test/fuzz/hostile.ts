// SPDX-License-Identifier: MIT

/**
 * Arguments as somebody without scruples would pass them. What fast-check draws and shrinks is a description in plain data, of
 * which the same arguments can be made twice: for what is tested and for its twin.
 */

import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { random } from '../support/random';

/** What an argument should be. */
export type Kind =
    | {
          readonly kind: 'floats' | 'doubles' | 'ints' | 'shorts';
          readonly length: number;
          readonly values?: readonly number[];
      }
    | { readonly kind: 'number'; readonly good: readonly number[] }
    | { readonly kind: 'value'; readonly good: readonly unknown[] }
    | { readonly kind: 'options'; readonly good: Readonly<Record<string, Kind>> }
    | { readonly kind: 'made'; readonly make: string };

type ViewKind = Extract<Kind, { readonly length: number }>;

const VIEWS = { floats: Float32Array, doubles: Float64Array, ints: Int32Array, shorts: Uint16Array };
type View = Float32Array | Float64Array | Int32Array | Uint16Array;

/** Thrown by the caller's own getters: it may come out as it is. */
export class Sentinel extends Error {}

type Resizable = ArrayBuffer & { resize(bytes: number): void };
const ResizableBuffer = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => Resizable;
type Growable = SharedArrayBuffer & { grow(bytes: number): void };
const GrowableBuffer = SharedArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => Growable;

const GUARD_BYTES = 256;
const GUARD = 0xa5;

/** Where a view lies, asked before anybody could change its mind. */
export interface Range {
    readonly buffer: ArrayBufferLike;
    readonly start: number;
    readonly end: number;
}

/** Everything that a call's arguments are made of. */
export class Making {
    readonly buffers: ArrayBufferLike[] = [];
    /** Of good views, by argument: others may be put over them. */
    readonly ranges: (Range | undefined)[] = [];
    /** Whether the caller's own code has run in the middle of a call. */
    disturbed = false;
    private readonly resizables: Resizable[] = [];
    private readonly plain: ArrayBuffer[] = [];

    constructor(
        private readonly next: () => number,
        /** Poses, rigs and the like, by name. */
        private readonly made: (name: string) => unknown,
    ) {}

    /** What the caller's own code does in the middle of a call. */
    disturb(how: number): void {
        this.disturbed = true;
        for (const buffer of this.resizables) if (how % 3 === 0) buffer.resize(GUARD_BYTES);
        if (how % 3 === 1) {
            for (const buffer of this.plain) if (buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer] });
        }
        if (how % 3 === 2) throw new Sentinel('thrown by a getter');
    }

    make(kind: Kind, draft: Draft, place: number): unknown {
        if (draft.wrong !== null) return this.wrong(draft.wrong, kind, draft);
        switch (kind.kind) {
            case 'number':
                return kind.good[draft.pick % kind.good.length];
            case 'value':
                return kind.good[draft.pick % kind.good.length];
            case 'made':
                return this.made(kind.make);
            case 'options':
                return this.options(kind.good, draft);
            default:
                return this.view(kind, draft, place);
        }
    }

    private options(good: Readonly<Record<string, Kind>>, draft: Draft): object {
        const options: Record<string, unknown> = {};
        for (const [i, [name, kind]] of Object.entries(good).entries()) {
            // Some of them; every now and then one is wrong.
            if ((draft.pick >> (i % 16)) % 2 === 1) continue;
            const wrong = draft.more % 5 === 0 && i === draft.pick % 7 ? draft.more % WRONG : null;
            const value = this.make(kind, { ...draft, wrong }, 100 + i);
            if (draft.shift % 9 !== 1) options[name] = value;
            else {
                Object.defineProperty(options, name, {
                    enumerable: true,
                    get: () => {
                        this.disturb(draft.more);
                        return value;
                    },
                });
            }
        }
        return draft.shift % 11 === 2 ? Object.setPrototypeOf(options, null) : options;
    }

    private fill(view: View, { values }: ViewKind, special: boolean): void {
        const odd = [0, -0, 1, -1, Number.NaN, Infinity, -Infinity, 1e-45, 3e38, 0.5];
        for (let i = 0; i < view.length; i++) {
            if (values !== undefined) view[i] = values[i % values.length]!;
            else
                view[i] =
                    special && this.next() < 0.2 ? odd[Math.floor(this.next() * odd.length)]! : this.next() * 2 - 1;
        }
    }

    private view(kind: ViewKind, draft: Draft, place: number): View {
        const View = VIEWS[kind.kind];
        const size = View.BYTES_PER_ELEMENT;
        const length = Math.max(0, kind.length + draft.longer);
        const bytes = length * size;
        const other = draft.alias === null ? undefined : this.ranges[draft.alias];
        if (other !== undefined) {
            // Over the memory of another argument, exactly or beside it.
            const start = Math.max(0, other.start + draft.shift * size);
            if (start % size === 0 && start + bytes <= other.buffer.byteLength) {
                this.ranges[place] = { buffer: other.buffer, start, end: start + bytes };
                return new View(other.buffer as ArrayBuffer, start, length) as View;
            }
        }
        const all = bytes + 2 * GUARD_BYTES;
        // Only alignments that the type allows.
        const start = GUARD_BYTES - (draft.shift & 3) * size;
        let buffer: ArrayBufferLike;
        if (draft.backing === 1) buffer = new SharedArrayBuffer(all);
        else if (draft.backing === 2 || draft.backing === 3) {
            const resizable = new ResizableBuffer(all, { maxByteLength: 2 * all });
            this.resizables.push(resizable);
            buffer = resizable;
        } else if (draft.backing === 4) {
            const growable = new GrowableBuffer(all, { maxByteLength: 2 * all });
            growable.grow(all + 64);
            buffer = growable;
        } else {
            buffer = draft.backing === 5 ? OTHER_REALM.buffer(all) : new ArrayBuffer(all);
            this.plain.push(buffer as ArrayBuffer);
        }
        new Uint8Array(buffer).fill(GUARD);
        const View2 =
            draft.backing === 5
                ? (OTHER_REALM[kind.kind] as typeof View)
                : draft.backing === 6
                  ? subclassOf(View)
                  : View;
        const tracking = draft.backing === 3 && draft.longer === 0;
        if (tracking) (buffer as Resizable).resize(start + bytes);
        const view = (
            tracking ? new View2(buffer as ArrayBuffer, start) : new View2(buffer as ArrayBuffer, start, length)
        ) as View;
        this.fill(view, kind, draft.special);
        this.buffers.push(buffer);
        this.ranges[place] = { buffer, start, end: start + bytes };
        return this.disguised(view, draft);
    }

    /** The same view, hard to recognise. */
    private disguised(view: View, { disguise, more }: Draft): View {
        if (disguise === 1) Object.setPrototypeOf(view, null);
        if (disguise === 2) Object.setPrototypeOf(view, Uint8Array.prototype);
        if (disguise === 3) {
            for (const name of ['length', 'byteLength', 'byteOffset', 'buffer', 'constructor']) {
                Object.defineProperty(view, name, {
                    get: () => {
                        this.disturb(more);
                        return 1e9;
                    },
                });
            }
        }
        if (disguise === 4) {
            Object.defineProperty(view, 'length', { value: 1e9 });
            Object.defineProperty(view, Symbol.toStringTag, { value: 'Float64Array' });
            Object.defineProperty(view, Symbol.iterator, { value: () => this.disturb(more) });
        }
        return view;
    }

    private wrong(which: number, kind: Kind, { more }: Draft): unknown {
        const View = VIEWS[kind.kind as ViewKind['kind']] ?? Float32Array;
        const length = 'length' in kind ? kind.length : 8;
        const disturb = () => this.disturb(more);
        const numbers = [
            0,
            -0,
            -1,
            1.5,
            2 ** 31,
            2 ** 32,
            2 ** 53,
            1e300,
            Number.NaN,
            Infinity,
            -Infinity,
            1e-45,
            7,
            65536,
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
                // What breaks the rules of proxies ends in the engine's own errors.
                return new Proxy(
                    {},
                    { get: trap(undefined), has: trap(false), ownKeys: trap([]), getPrototypeOf: trap(null) },
                );
            },
            () => new DataView(new ArrayBuffer(length * 8)),
            () => new ArrayBuffer(length * 8),
            () => new SharedArrayBuffer(length * 8),
            () => Object.setPrototypeOf(new Uint8Array(length * 8), View.prototype),
            () => Object.create(new View(length)),
            () =>
                new [Int8Array, Uint8ClampedArray, Uint32Array, Float64Array, Int16Array, Float32Array][more % 6]!(
                    length,
                ),
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
}

/** Of `Making.wrong`. */
export const WRONG = 28;

const OTHER_REALM = runInNewContext(
    '({ floats: Float32Array, doubles: Float64Array, ints: Int32Array, shorts: Uint16Array, buffer: (n) => new ArrayBuffer(n) })',
) as typeof VIEWS & { buffer(bytes: number): ArrayBuffer };

function subclassOf<T extends new (...args: never[]) => object>(View: T): T {
    return class extends (View as new (...args: never[]) => object) {
        get length() {
            return 3;
        }
    } as unknown as T;
}

/** How one argument is made. */
export interface Draft {
    /** Which wrong value it is; null for a good one. */
    readonly wrong: number | null;
    readonly pick: number;
    readonly backing: number;
    readonly disguise: number;
    /** Elements more, or fewer, than a good one has. */
    readonly longer: number;
    /** Which argument's memory it shares, and so many elements beside it. */
    readonly alias: number | null;
    readonly shift: number;
    readonly special: boolean;
    /** Whatever else has to be decided. */
    readonly more: number;
}

const rarely = <T>(common: T, other: fc.Arbitrary<T>, weight: number) =>
    fc.oneof({ weight: 12 - weight, arbitrary: fc.constant(common) }, { weight, arbitrary: other });

const DRAFT: fc.Arbitrary<Draft> = fc.record({
    wrong: rarely<number | null>(null, fc.nat(WRONG - 1), 2),
    pick: fc.nat(65535),
    backing: fc.nat(6),
    disguise: rarely(0, fc.integer({ min: 1, max: 4 }), 3),
    longer: rarely(0, fc.integer({ min: -9, max: 9 }), 1),
    alias: rarely<number | null>(null, fc.nat(3), 2),
    shift: rarely(0, fc.integer({ min: -3, max: 3 }), 4),
    special: fc.boolean(),
    more: fc.nat(65535),
});

/** A call: a draft for each argument, and a seed for what the lists hold. */
export interface CallDraft {
    readonly seed: number;
    readonly args: readonly Draft[];
    /** How many of the arguments are passed. */
    readonly given: number;
    /** What happens between binding and running, or to the poses before the call. */
    readonly between: number;
}

export const callDrafts = (count: number): fc.Arbitrary<CallDraft> =>
    fc.record({
        seed: fc.nat(),
        args: fc.tuple(...Array.from({ length: count }, () => DRAFT)),
        given: rarely(count, fc.nat(count), 1),
        between: rarely(0, fc.nat(10), 4),
    });

/** The arguments of a call, and what they lie in. */
export function makeCall(kinds: readonly Kind[], { seed, args, given }: CallDraft, made: (name: string) => unknown) {
    const making = new Making(random(seed), made);
    const values = kinds.map((kind, i) => making.make(kind, args[i]!, i)).slice(0, given);
    return { making, values };
}

/** Bytes of a buffer as it is now; none where it is gone. */
export function bytesNow(buffer: ArrayBufferLike): Uint8Array<ArrayBuffer> {
    return buffer.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(buffer).slice();
}
