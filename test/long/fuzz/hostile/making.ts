// SPDX-License-Identifier: MIT

/** Makes the arguments of a drafted call, and their buffers. */

import { random } from '../../../support/random';
import { GrowableBuffer, OTHER_REALM, type Resizable, ResizableBuffer, subclassOf } from './buffers';
import type { CallDraft } from './drafts';
import { type Draft, type Kind, Sentinel, VIEWS, type View, type ViewKind } from './kinds';
import { WRONG, wrongValue } from './wrong';

const GUARD_BYTES = 256;
const GUARD = 0xa5;

/** The range of a view, read before other code can change it. */
export interface Range {
    readonly buffer: ArrayBufferLike;
    readonly start: number;
    readonly end: number;
}

/** Everything that a call's arguments are made of. */
export class Making {
    readonly buffers: ArrayBufferLike[] = [];
    /** Ranges of good views, by argument: others can overlap them. */
    readonly ranges: (Range | undefined)[] = [];
    /** Whether the caller's own code has run in the middle of a call. */
    disturbed = false;
    private readonly resizables: Resizable[] = [];
    private readonly plain: ArrayBuffer[] = [];

    constructor(
        private readonly next: () => number,
        /** Makes poses, rigs and similar objects, by name. */
        private readonly made: (name: string) => unknown,
    ) {}

    /** Runs as the caller's own code, during a call. */
    disturb(how: number): void {
        this.disturbed = true;
        for (const buffer of this.resizables) if (how % 3 === 0) buffer.resize(GUARD_BYTES);
        if (how % 3 === 1) {
            for (const buffer of this.plain) if (buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer] });
        }
        if (how % 3 === 2) throw new Sentinel('thrown by a getter');
    }

    make(kind: Kind, draft: Draft, place: number): unknown {
        if (draft.wrong !== null) return wrongValue(draft.wrong, kind, draft, () => this.disturb(draft.more));
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

    /** The same view, hard to recognize. */
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
}

/** The arguments of a call, and their buffers. */
export function makeCall(kinds: readonly Kind[], { seed, args, given }: CallDraft, made: (name: string) => unknown) {
    const making = new Making(random(seed), made);
    const values = kinds.map((kind, i) => making.make(kind, args[i]!, i)).slice(0, given);
    return { making, values };
}
