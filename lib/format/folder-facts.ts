// SPDX-License-Identifier: MIT

/** Facts that a folder for an engine states. */
export interface FolderFacts {
    /** Name of the folder. */
    readonly folder: string;
    readonly frames: number;
    /** Total of its files. */
    readonly bytes: number;
    /** Maximum error of a vertex in a frame, and between frames; model units. */
    readonly error: { readonly frames: number; readonly between: number };
    readonly extent: number;
}
