// SPDX-License-Identifier: MIT

import type { ManifestArray } from '../../format/manifest';
import type { Poses } from '../../rig/poses';

/** Consecutive frames of a clip, evaluated together. Arrays take their rows from it. */
export interface Batch {
    /** Animation index. */
    readonly animation: number;
    /** Seconds in the clip, for all its frames. */
    readonly times: Float32Array;
    /** First frame of the batch, counted within the clip, and its row in the output. */
    readonly frame: number;
    readonly row: number;
    readonly count: number;
    readonly poses: Poses;
    /** `[count][joint]`, column-major 4x4, in the space of the output. */
    readonly palette: Float32Array;
    /** The rows in the form that players interpolate: `palette` itself, or rows of `qts16`. */
    readonly mixed: Float32Array;
}

/** An array of an output, before its memory is allocated. */
export interface BakedArray {
    readonly name: 'palette' | 'hit' | 'local' | 'morph' | 'bounds' | 'root' | 'jointBounds';
    /** Number of rows. Default: one for each frame of the bake. */
    readonly rows?: number;
    readonly row: readonly number[];
    readonly dtype: ManifestArray['dtype'];
    readonly layout: ManifestArray['layout'];
    /** Further properties of the array for the manifest. */
    readonly about?: object;
    /**
     * @param view The array's rows: Float32Array, or Uint16Array for `f16`.
     * @returns A function that writes the rows of a batch.
     */
    open(view: Float32Array | Uint16Array): (batch: Batch) => void;
}

/** A float32 array whose rows are written one batch at a time. */
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
