// SPDX-License-Identifier: MIT

import type { ManifestArray } from '../../format/manifest';
import type { Poses } from '../../rig/poses';

/** Some frames of a clip that have just been evaluated, for the arrays to take their rows from. */
export interface Batch {
    /** Animation index. */
    readonly animation: number;
    /** When all frames of the clip are. */
    readonly times: Float32Array;
    /** Frame within the clip, and row of the output, of the first one. */
    readonly frame: number;
    readonly row: number;
    readonly count: number;
    readonly poses: Poses;
    /** `[count][joint]`, column-major 4x4, in the space of the output. */
    readonly palette: Float32Array;
    /** The rows as players mix them: `palette` itself; of `qts16` `[count][column][8]`. */
    readonly mixed: Float32Array;
}

/** An array of an output, before it has any memory. */
export interface BakedArray {
    readonly name: 'palette' | 'hit' | 'local' | 'morph' | 'bounds' | 'root' | 'jointBounds';
    /** How many rows it has, where these are no frames; otherwise as many as the bake. */
    readonly rows?: number;
    /** What a row is. */
    readonly row: readonly number[];
    readonly dtype: ManifestArray['dtype'];
    readonly layout: ManifestArray['layout'];
    /** What else the manifest says of it. */
    readonly about?: object;
    /**
     * @param view The array's rows: Float32Array, for `f16` Uint16Array.
     * @returns What writes the rows of a batch.
     */
    open(view: Float32Array | Uint16Array): (batch: Batch) => void;
}

/** An array of float32 whose rows are written one batch at a time. */
export function floatArray(
    about: Pick<BakedArray, 'name' | 'layout' | 'about'> & { readonly row: readonly number[] },
    write: (rows: Float32Array, batch: Batch) => void,
): BakedArray {
    const width = numbersIn(about.row);
    return {
        ...about,
        dtype: 'f32',
        open: (view) => (batch) => {
            write((view as Float32Array).subarray(batch.row * width, (batch.row + batch.count) * width), batch);
        },
    };
}

export function numbersIn(row: readonly number[]): number {
    return row.reduce((product, length) => product * length, 1);
}
