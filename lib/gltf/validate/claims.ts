// SPDX-License-Identifier: MIT

import { decodedLimit, expandedLimit, MAX_ADDRESSED_VALUES, type OwnBytes } from '../limits';
import { invalid, type Report } from '../reading';

const DECODED = 'all accessors need';

/** A sum, and the places at which it first passed each larger value. */
interface Claims {
    sum: number;
    readonly sums: { readonly sum: number; readonly pointer: string }[];
}

/**
 * Counts the memory that a file asks for while its JSON is checked. Compressed views raise the limit on numbers, and
 * the order of look-ups must not matter. So {@link check} compares the numbers with the limit after all look-ups,
 * before anything of that size is allocated.
 */
export class FileClaims {
    private expanded = 0;
    private readonly decoded: Claims = { sum: 0, sums: [] };
    private readonly interleaved: Claims = { sum: 0, sums: [] };
    private readonly streams = new Set<string>();
    private streamed = 0;

    /** @param stored Existing bytes of all its buffers. */
    constructor(
        private readonly stored: number,
        private readonly report: Report,
    ) {}

    /** The file's bytes, for the views that have been looked up. */
    get ownBytes(): OwnBytes {
        return { stored: this.stored, expanded: this.expanded };
    }

    /** Counts the bytes of a view that meshopt expands. */
    expand(bytes: number, pointer: string): void {
        const limit = expandedLimit({ stored: this.stored });
        if (this.expanded + bytes <= limit) {
            this.expanded += bytes;
            return;
        }
        invalid(this.report, pointer, `compressed buffer views expand to more than ${limit} bytes, the limit here`);
    }

    /** Counts a Draco stream once for its bytes, `where`. All together exceed the file only if they overlap. */
    decodeStream(where: string, bytes: number, pointer: string): void {
        if (this.streams.has(where)) return;
        this.streams.add(where);
        this.streamed += bytes;
        if (this.streamed <= this.stored) return;
        const rule = `the compressed data of all primitives has more than ${this.stored} bytes, as many as are stored`;
        invalid(this.report, pointer, `${rule}: it overlaps`);
    }

    /** Rejects an accessor that would exceed the limit for any file. */
    expect(values: number, pointer: string): void {
        if (this.decoded.sum + values > MAX_ADDRESSED_VALUES) this.refuse(pointer, DECODED, MAX_ADDRESSED_VALUES);
    }

    /** Counts the values of an accessor. */
    decode(values: number, pointer: string): void {
        this.expect(values, pointer);
        claim(this.decoded, values, pointer);
    }

    /** Counts the values of joints and weights that are interleaved. */
    interleave(values: number, pointer: string): void {
        claim(this.interleaved, values, pointer);
    }

    /** Rejects a file that asks for too many values, at the first place that exceeds the limit. */
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
