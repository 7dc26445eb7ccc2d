// SPDX-License-Identifier: MIT

import { InputError, type InputErrorCode } from '../base/errors';
import { MAX_WARNINGS } from './limits';
import type { Warning } from './scene';

/** The name of the file for messages, and the warnings of one reading so far. */
export interface Report {
    /** The file as the caller named it. */
    readonly file: string;
    readonly warnings: Warning[];
    /** The number of warnings of each code, listed or not. */
    readonly counts: Map<ReadWarningCode, number>;
}

export function createReport(file: string): Report {
    return { file, warnings: [], counts: new Map() };
}

/** Stops the reading with an {@link InputError}. */
export function fail(report: Report, code: InputErrorCode, pointer: string, rule: string, cause?: unknown): never {
    throw new InputError(code, report.file, pointer, rule, cause === undefined ? undefined : { cause });
}

/** Stops the reading: the glTF breaks `rule` at `pointer`. */
export function invalid(report: Report, pointer: string, rule: string, cause?: unknown): never {
    fail(report, 'GLTF_INVALID', pointer, rule, cause);
}

/**
 * Calls `read`, and catches a fault.
 *
 * @param pointer Of what is read: warnings within it go with the fault.
 * @param failed Makes the result of the fault.
 */
export function catching<T>(report: Report, pointer: string, read: () => T, failed: (fault: InputError) => T): T {
    const { warnings, counts } = report;
    const [length, before] = [warnings.length, new Map(counts)];
    try {
        return read();
    } catch (fault) {
        if (!(fault instanceof InputError)) throw fault;
        const others = warnings.splice(length).filter((warning) => !warning.pointer.startsWith(`${pointer}/`));
        warnings.push(...others);
        counts.clear();
        for (const [code, count] of before) counts.set(code, count);
        for (const { code } of others as { code: ReadWarningCode }[]) counts.set(code, (counts.get(code) ?? 0) + 1);
        return failed(fault);
    }
}

/** The stable `code` of every {@link Warning} that reading can raise. */
export type ReadWarningCode =
    /** A channel by KHR_animation_pointer whose pointer is not a node's translation, rotation, scale or weights. */
    | 'ANIMATION_POINTER_IGNORED'
    /** A channel that glTF says to ignore: no target node, an unknown path, weights where there is nothing to morph. */
    | 'CHANNEL_IGNORED'
    /** Two keys of a sampler at the same time: the last one wins. */
    | 'DUPLICATE_KEY_TIMES'
    /** The JSON of a GLB file ends with NUL characters in place of spaces. */
    | 'GLB_JSON_PADDING'
    /** A GLB file goes on after the length that its header states. */
    | 'GLB_TRAILING_BYTES'
    /** The last chunk of a GLB file does not end on a 4-byte boundary. */
    | 'GLB_UNALIGNED'
    /** Keys or inverse bind matrices that are not tightly packed: `byteStride` is for vertices. */
    | 'KEYS_STRIDED'
    /** A node has `matrix` as well as translation, rotation or scale: `matrix` counts, as in the common viewers. */
    | 'MATRIX_AND_TRS'
    /** A node with `matrix` is the target of a weights channel. */
    | 'MATRIX_NODE_ANIMATED'
    /** A vertex weight below zero. */
    | 'NEGATIVE_WEIGHT'
    /** A rotation whose length is not 1; evaluation takes it as it is. */
    | 'NON_UNIT_ROTATION'
    /** A primitive of a skinned mesh that has no POSITION, or no JOINTS_0 and WEIGHTS_0: left out. */
    | 'PRIMITIVE_NOT_SKINNED'
    /** A node with a skin and no mesh: nothing to skin there. */
    | 'SKIN_WITHOUT_MESH'
    /** Data that does not start on a multiple of its component size. */
    | 'UNALIGNED_ACCESSOR'
    /** A vertex weight that is NaN or infinite: it counts as 0. */
    | 'WEIGHTS_NOT_FINITE'
    /** The weights of a vertex do not add up to 1, whatever its component type could tell: they are divided by their sum. */
    | 'WEIGHTS_NOT_NORMALIZED';

/** Records a warning, and goes on. */
export function warn(report: Report, code: ReadWarningCode, pointer: string, message: string): void {
    const count = (report.counts.get(code) ?? 0) + 1;
    report.counts.set(code, count);
    if (count <= MAX_WARNINGS) report.warnings.push({ code, pointer, message });
}

/** All warnings. Where a code has too many, one warning says how many more there are. */
export function warningsOf({ warnings, counts }: Report): readonly Warning[] {
    const more = [...counts].filter(([, count]) => count > MAX_WARNINGS);
    if (more.length === 0) return warnings;
    const message = (count: number) => `${count - MAX_WARNINGS} more of these are not listed`;
    return [...warnings, ...more.map(([code, count]) => ({ code, pointer: '', message: message(count) }))];
}
