// SPDX-License-Identifier: MIT

/** Data of a report page: `collect.ts` collects it in Node, `html.ts` packs it, `page/` shows it in a browser. */

import type { FolderFacts } from '../format/folder-facts';
import type { Warning } from '../gltf/scene';

/** Index into the list of blobs that are packed beside the data. */
export type Blob = number;

/** A report without its bytes. Plain JSON. */
export interface ReportData {
    /** Version of poselane that made it. */
    readonly poselane: string;
    readonly title: string;
    /** URL of the index of all pages of a batch, relative to the page. Absent without one. */
    readonly index?: string;
    /** The glTF file first, then every file it refers to, by its URI. Empty for a diff without a model. */
    readonly files: readonly { readonly uri: string; readonly blob: Blob }[];
    /** SHA-256 of the model, as in a manifest's `source.sha256`; null without a model. */
    readonly sha256: string | null;
    /** Total bytes of the files. */
    readonly modelBytes: number;
    /** One bake; two for a diff; none for a reduced file. */
    readonly bakes: readonly ReportBake[];
    /** The model with fewer keys. Absent if there are bakes. */
    readonly reduced?: ReportReduced;
    /** Bakes of the model at other rates. Empty for a diff. */
    readonly rates: readonly ReportRate[];
    /** Options with which the bake takes fewer bytes at the same error. Empty for a diff. */
    readonly smaller: readonly ReportSmaller[];
}

/**
 * The same model after its animations were reduced. Lengths are in model units. They are finite, because JSON has no
 * infinity.
 */
export interface ReportReduced extends Pick<ReportData, 'files'> {
    /** Total bytes of the files. */
    readonly bytes: number;
    readonly extent: number;
    readonly maxError: number;
    /** Other differences of the files: `ReducedVerification.problems`. */
    readonly problems: readonly { readonly code: string; readonly pointer: string; readonly message: string }[];
    readonly before: ReportKeys;
    readonly after: ReportKeys;
    readonly clips: readonly ReportReducedClip[];
}

/** As `AnimationBytes`. */
export interface ReportKeys {
    readonly keys: number;
    readonly bytes: number;
    readonly gzip: number;
}

/** As `ReducedVerdict`. */
export interface ReportReducedClip {
    readonly name: string;
    readonly animation: number;
    readonly error: number;
    readonly share: number;
    readonly time: number;
    readonly what: string;
    readonly turn: { readonly angle: number; readonly time: number; readonly what: string } | null;
    readonly seam: number | null;
    readonly ok: boolean;
    /** Seconds, ascending, and the error at each time. */
    readonly times: readonly number[];
    readonly errors: readonly number[];
    /** Sizes of this clip. Data that clips share counts for each. */
    readonly before: ReportKeys;
    readonly after: ReportKeys;
}

/** A bake of the model: one output for each palette. */
export interface ReportBake {
    /** Name on the page: `Baked`, or in a diff the manifest's path as given. */
    readonly label: string;
    /** The maximum error that is good, as a share of the extent: the bake's own bound, or 1%. */
    readonly bound: number;
    /** As the command prints them. */
    readonly warnings: readonly Warning[];
    readonly outputs: readonly ReportOutput[];
    /** Absent without folders for engines. */
    readonly folders?: readonly FolderFacts[];
    /** Clips that were retargeted from other skeletons. Absent if there are none. */
    readonly retargeted?: readonly ReportRetargeted[];
}

/** A clip from another skeleton. */
export interface ReportRetargeted {
    readonly animation: number;
    /** Name of the file that it comes from. */
    readonly file: string;
    readonly measures: readonly {
        readonly name: string;
        /** A share of the body height or of a bone, or degrees. */
        readonly value: number;
        readonly limit: number;
    }[];
    readonly trace: ReportTrace;
}

/** The poses of both skeletons in a clip, for pictures. */
export interface ReportTrace {
    /** Seconds, ascending. */
    readonly times: readonly number[];
    /** Pairs of numbers of joints. */
    readonly bones: readonly (readonly [number, number])[];
    /** Numbers of both ankles. */
    readonly feet: readonly [number, number];
    /**
     * For each time, x y z of each joint: seen from the front, y up, in body heights of the target. The source is scaled
     * by the length of the legs.
     */
    readonly source: readonly (readonly number[])[];
    readonly target: readonly (readonly number[])[];
    /** For each foot and time: 1 if the source's foot stands, 2 if the target's slides meanwhile. */
    readonly marks: readonly (readonly number[])[];
}

export interface ReportOutput {
    readonly stem: string;
    /** Text of the manifest. */
    readonly json: string;
    readonly bin: Blob;
    /** Bytes of the bin, and of the bin after gzip. */
    readonly bytes: number;
    readonly gzipBytes: number;
    /** In the order of the manifest's clips. Empty without a model. */
    readonly errors: readonly ReportErrors[];
}

/** Playback errors of one clip, model units: one element for each interval between two frames. */
export interface ReportErrors {
    /** Errors of linear interpolation. */
    readonly lerp: readonly number[];
    /** Errors of the nearest row. */
    readonly nearest: readonly number[];
    /** Maximum distance of a box corner between the first and the last row: the seam of a loop. */
    readonly seam: number;
}

/** A bake of the whole model at another rate. */
export interface ReportRate {
    /** `24`, `30`, `60`, `keys`, `auto`. */
    readonly label: string;
    readonly rows: number;
    readonly bytes: number;
    /** Maximum over all clips, in model units and as a share of the extent. */
    readonly maxLerp: number;
    readonly maxLerpShare: number;
}

/** As `Smaller`. */
export interface ReportSmaller {
    readonly options: { readonly fps?: 'auto'; readonly layout?: 'qts16' };
    readonly byteLength: number;
    readonly bound: string;
}

/** Data of the index of a batch. */
export interface IndexData extends Pick<ReportData, 'poselane' | 'title'> {
    readonly entries: readonly IndexEntry[];
}

/** A file of a batch. */
export interface IndexEntry {
    /** The path as given, with slashes. */
    readonly input: string;
    /** URL of the page, relative to the index; null if there is none. */
    readonly href: string | null;
    /** PNG, base64. */
    readonly thumbnail: string | null;
    readonly clips: number;
    readonly rows: number;
    /** Minimum and maximum frames per second of the clips; null if no clip has a duration. */
    readonly fps: readonly [number, number] | null;
    /** Total bytes of the bake's files. */
    readonly bytes: number;
    /** Maximum over all clips; null if no clip has an error. */
    readonly error: { readonly share: number; readonly distance: number; readonly clip: string } | null;
    /** As {@link ReportBake.bound}. */
    readonly bound: number;
    readonly warnings: readonly Warning[];
    /** Why there is no bake. */
    readonly failure: string | null;
}
