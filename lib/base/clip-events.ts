// SPDX-License-Identifier: MIT

/** Something that happens at a time of a clip, such as a footstep. */
export interface ClipEvent {
    /** Name, for the program that handles it. Events can share a name. */
    readonly name: string;
    /** Seconds from the start of the clip, at most its duration. */
    readonly time: number;
}
