// SPDX-License-Identifier: MIT

import { decodedLimit, expandedLimit, MAX_ADDRESSED_VALUES, type OwnBytes } from '../limits';
import { invalid, type Report } from '../reading';

const DECODED = 'all accessors need';

/** A sum, and where it first passed each greater value. */
interface Claims {
    sum: number;
    readonly sums: { readonly sum: number; readonly pointer: string }[];
}

/**
 * Counts what a file asks for while its JSON is checked. What compressed views expand to raises the limit on numbers, and the
 * order in which things are looked up must not matter: so the numbers are held against it when everything has been
 * looked up, by {@link check}, before anything of that size is allocated.
 */
export class FileClaims {
    private expanded = 0;
    private readonly decoded: Claims = { sum: 0, sums: [] };
    private readonly interleaved: Claims = { sum: 0, sums: [] };
    private readonly streams = new Set<string>();
    private streamed = 0;

    /** @param stored Bytes of all its buffers: those that are there. */
    constructor(
        private readonly stored: number,
        private readonly report: Report,
    ) {}

    /** The file's bytes, as far as its views have been looked up. */
    get ownBytes(): OwnBytes {
        return { stored: this.stored, expanded: this.expanded };
    }

    /** The bytes of a view that meshopt expands. */
    expand(bytes: number, pointer: string): void {
        const limit = expandedLimit({ stored: this.stored });
        if (this.expanded + bytes <= limit) {
            this.expanded += bytes;
            return;
        }
        invalid(this.report, pointer, `compressed buffer views expand to more than ${limit} bytes, the limit here`);
    }

    /**
     * A stream of Draco's. It is decoded as a whole, and once, so all streams together have more bytes than the file only where they
     * overlap.
     *
     * @param where The same for the same bytes.
     */
    decodeStream(where: string, bytes: number, pointer: string): void {
        if (this.streams.has(where)) return;
        this.streams.add(where);
        this.streamed += bytes;
        if (this.streamed <= this.stored) return;
        const rule = `the compressed data of all primitives has more than ${this.stored} bytes, as many as are stored`;
        invalid(this.report, pointer, `${rule}: it overlaps`);
    }

    /** Refuses an accessor with which there are more numbers than any file may have. */
    expect(values: number, pointer: string): void {
        if (this.decoded.sum + values > MAX_ADDRESSED_VALUES) this.refuse(pointer, DECODED, MAX_ADDRESSED_VALUES);
    }

    /** The numbers of an accessor. */
    decode(values: number, pointer: string): void {
        this.expect(values, pointer);
        claim(this.decoded, values, pointer);
    }

    /** The numbers of joints and weights that are copied side by side. */
    interleave(values: number, pointer: string): void {
        claim(this.interleaved, values, pointer);
    }

    /** Refuses a file that asks for too many numbers, at the first place where there were too many. */
    check(): void {
        const limit = decodedLimit(this.ownBytes);
        for (const [{ sums }, what] of [
            [this.decoded, DECODED],
            [this.interleaved, 'joints and weights need'],
        ] as const) {
            const over = sums.find(({ sum }) => sum > limit);
            if (over !== undefined) this.refuse(over.pointer, what, limit);
        }
    }

    private refuse(pointer: string, what: string, limit: number): never {
        return invalid(this.report, pointer, `${what} more than ${limit} values, the limit here`);
    }
}

function claim(claims: Claims, values: number, pointer: string): void {
    claims.sum += values;
    claims.sums.push({ sum: claims.sum, pointer });
}
