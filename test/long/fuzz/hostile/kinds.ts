// SPDX-License-Identifier: MIT

/** Kinds of arguments, and drafts of them. */

/** The right kind of an argument. */
export type Kind =
    | {
          readonly kind: 'floats' | 'doubles' | 'ints' | 'shorts' | 'bytes';
          readonly length: number;
          readonly values?: readonly number[];
      }
    | { readonly kind: 'number'; readonly good: readonly number[] }
    | { readonly kind: 'value'; readonly good: readonly unknown[] }
    | { readonly kind: 'options'; readonly good: Readonly<Record<string, Kind>> }
    | { readonly kind: 'made'; readonly make: string };

export type ViewKind = Extract<Kind, { readonly length: number }>;

export const VIEWS = {
    floats: Float32Array,
    doubles: Float64Array,
    ints: Int32Array,
    shorts: Uint16Array,
    bytes: Uint8Array,
};
export type View = Float32Array | Float64Array | Int32Array | Uint16Array | Uint8Array;

/** Thrown by the caller's own getters; a call can throw it unchanged. */
export class Sentinel extends Error {}

/** How one argument is made. */
export interface Draft {
    /** Which wrong value it is; null for a good one. */
    readonly wrong: number | null;
    readonly pick: number;
    readonly backing: number;
    readonly disguise: number;
    /** Elements more, or fewer, than a good one has. */
    readonly longer: number;
    /** The argument whose memory it shares, and the distance in elements. */
    readonly alias: number | null;
    readonly shift: number;
    readonly special: boolean;
    /** Source of all other decisions. */
    readonly more: number;
}
