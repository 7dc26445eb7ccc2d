// SPDX-License-Identifier: MIT

/** Types and arguments of entries of these lists. */

import type * as poselane from '../../../../lib';
import type { Kind } from '../hostile';

export type Poselane = typeof poselane;

/** An instance of the package: its exports, and objects made by them. */
export interface Instance {
    readonly poselane: Poselane;
    readonly rig: poselane.Rig;
    readonly otherRig: poselane.Rig;
    readonly table: poselane.BakedTable;
    readonly bakes: { readonly file: string; readonly json: string; readonly vat: string; readonly folder: string };
    readonly document: object;
    readonly bake: poselane.BakeResult;
    readonly bin: Uint8Array;
    /** The model's file. */
    readonly bytes: Uint8Array;
}

export interface Callable {
    readonly args: readonly Kind[];
    /** Arguments that may be written. */
    readonly writes: readonly number[];
    /** The first of its poses are written, too. */
    readonly writesPoses?: boolean;
    /** Makes the call. */
    call(instance: Instance, values: readonly unknown[]): unknown;
    /** An implementation of the papers, whose native results differ a little: test/lists/twins.test.ts. */
    readonly near?: true;
    /** The fallback answers otherwise. */
    readonly alone?: true;
    /** Nothing is wrong for it. */
    readonly anything?: true;
    /** Calls take longer than most. */
    readonly slow?: true;
    /** Functions that are bound: what `run` takes. */
    readonly run?: 'lerp' | 't' | 'nothing';
}

export type Entry = 'constant' | 'class' | Callable;

export const floats = (length: number): Kind => ({ kind: 'floats', length });
export const number = (...good: number[]): Kind => ({ kind: 'number', good });
export const value = (...good: unknown[]): Kind => ({ kind: 'value', good });
export const ints = (...values: number[]): Kind => ({ kind: 'ints', length: values.length, values });
export const shorts = (...values: number[]): Kind => ({ kind: 'shorts', length: values.length, values });
export const made = (make: string): Kind => ({ kind: 'made', make });
export const options = (good: Record<string, Kind>): Kind => ({ kind: 'options', good });
