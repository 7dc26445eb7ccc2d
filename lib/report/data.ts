// SPDX-License-Identifier: MIT

/** What a report page is made of: `collect.ts` gathers it in Node, `page/` shows it in a browser, `html.ts` packs it. */

/** Index into the blobs that are packed beside the data. */
export type Blob = number;

/** A report, without its bytes. Plain JSON. */
export interface ReportData {
    /** Version of poselane that made it. */
    readonly poselane: string;
    readonly title: string;
    /** The glTF file first, then every file it refers to, as it does; empty for a diff without a model. */
    readonly files: readonly { readonly uri: string; readonly blob: Blob }[];
    /** SHA-256 of the model as manifests have it in `source.sha256`; null without a model. */
    readonly sha256: string | null;
    /** Bytes of all files. */
    readonly modelBytes: number;
    /** One bake; two in a diff; none beside a reduced file. */
    readonly bakes: readonly ReportBake[];
    /** The model with fewer keys; absent where there are bakes. */
    readonly reduced?: ReportReduced;
    /** The model baked at other rates; empty in a diff. */
    readonly rates: readonly ReportRate[];
}

/** The same model after its animations were reduced. Lengths are in model units, and finite: JSON has no others. */
export interface ReportReduced extends Pick<ReportData, 'files'> {
    /** Bytes of all files. */
    readonly bytes: number;
    readonly extent: number;
    readonly maxError: number;
    /** In what else the files differ: `ReducedVerification.problems`. */
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
    /** Seconds, ascending, and the error at each of them. */
    readonly times: readonly number[];
    readonly errors: readonly number[];
    /** Of this clip alone; what clips share counts for each. */
    readonly before: ReportKeys;
    readonly after: ReportKeys;
}

/** A bake of the model: one output for each palette. */
export interface ReportBake {
    /** As the page calls it: `Baked`, or in a diff the manifest's path as given. */
    readonly label: string;
    readonly outputs: readonly ReportOutput[];
}

export interface ReportOutput {
    readonly stem: string;
    /** The manifest's text. */
    readonly json: string;
    readonly bin: Blob;
    /** Bytes of the bin, and of the bin after gzip. */
    readonly bytes: number;
    readonly gzipBytes: number;
    /** In the order of the manifest's clips; empty where there is no model to compare with. */
    readonly errors: readonly ReportErrors[];
}

/** How far playback of one clip is off between its rows, model units: an element for each interval between two frames. */
export interface ReportErrors {
    /** Rows interpolated linearly. */
    readonly lerp: readonly number[];
    /** The nearest row. */
    readonly nearest: readonly number[];
    /** Greatest distance of a box corner between first and last row; the seam of a loop. */
    readonly seam: number;
}

/** What a bake of the whole model at another rate would be. */
export interface ReportRate {
    /** `24`, `30`, `60`, `keys`, `auto`. */
    readonly label: string;
    readonly rows: number;
    readonly bytes: number;
    /** Of all clips, model units and share of the extent. */
    readonly maxLerp: number;
    readonly maxLerpShare: number;
}
