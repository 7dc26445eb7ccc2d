// SPDX-License-Identifier: MIT

import { InputError, type InputErrorCode } from '../base/errors';
import { MAX_WARNINGS } from './limits';
import type { Warning } from './scene';

/** State of one reading: the file's name for messages, and the warnings so far. */
export interface Report {
    readonly file: string;
    readonly warnings: Warning[];
    /** Number of warnings of each code, including those not listed. */
    readonly counts: Map<ReadWarningCode, number>;
}

export function createReport(file: string): Report {
    return { file, warnings: [], counts: new Map() };
}

export function fail(report: Report, code: InputErrorCode, pointer: string, rule: string, cause?: unknown): never {
    throw new InputError(code, report.file, pointer, rule, cause === undefined ? undefined : { cause });
}

/** Stops the reading: the glTF breaks `rule` at `pointer`. */
export function invalid(report: Report, pointer: string, rule: string, cause?: unknown): never {
    fail(report, 'GLTF_INVALID', pointer, rule, cause);
}

/** Calls `read`. A fault removes the warnings of `pointer`, and `failed` makes the result. */
export function catching<T>(report: Report, pointer: string, read: () => T, failed: (fault: InputError) => T): T {
    const { warnings, counts } = report;
    const [length, before] = [warnings.length, [...counts]];
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

/** The command that writes a file again, without these faults of its form. */
export const REWRITE = 'gltf-transform copy';

/** The stable `code` of every {@link Warning} of a reading. */
export type ReadWarningCode =
    /** A channel of KHR_animation_pointer whose pointer is not a node's translation, rotation, scale or weights. */
    | 'ANIMATION_POINTER_IGNORED'
    /** A channel that glTF says to ignore: no target node, an unknown path, or weights without morph targets. */
    | 'CHANNEL_IGNORED'
    /** Two keys of a sampler have the same time. The last one wins. */
    | 'DUPLICATE_KEY_TIMES'
    /** An entry of `extras.events` or `extras.markers` of an animation is not an event of this clip. */
    | 'EVENT_IGNORED'
    /** The `extras` of an animation, node or skin are too large for a manifest. They are left out. */
    | 'EXTRAS_LEFT_OUT'
    /** The JSON of a GLB file is padded with NUL characters instead of spaces. */
    | 'GLB_JSON_PADDING'
    /** A GLB file is longer than its header states. */
    | 'GLB_TRAILING_BYTES'
    /** The last chunk of a GLB file does not end at a multiple of 4 bytes. */
    | 'GLB_UNALIGNED'
    /** Keys or inverse bind matrices are not tightly packed. `byteStride` is only for vertices. */
    | 'KEYS_STRIDED'
    /** A node has `matrix` and also translation, rotation or scale. `matrix` is used, as in common viewers. */
    | 'MATRIX_AND_TRS'
    /** A node with `matrix` is the target of a weights channel. */
    | 'MATRIX_NODE_ANIMATED'
    /** A vertex weight is negative. */
    | 'NEGATIVE_WEIGHT'
    /** A rotation is not of unit length. Evaluation uses it unchanged. */
    | 'NON_UNIT_ROTATION'
    /** A primitive of a skinned mesh has no POSITION, or no JOINTS_0 and WEIGHTS_0. It is left out. */
    | 'PRIMITIVE_NOT_SKINNED'
    /** A node has a skin but no mesh. */
    | 'SKIN_WITHOUT_MESH'
    /** An FBX file has a feature that its converted GLB only approximates. */
    | 'SOURCE_APPROXIMATED'
    /** The converted GLB does not have a part of its FBX file, such as a texture that was not found. */
    | 'SOURCE_LEFT_OUT'
    /** Data does not start at a multiple of its component size. */
    | 'UNALIGNED_ACCESSOR'
    /** A vertex weight is NaN or infinite. It counts as 0. */
    | 'WEIGHTS_NOT_FINITE'
    /** The weights of a vertex do not add up to 1 within the precision of their type. They are divided by their sum. */
    | 'WEIGHTS_NOT_NORMALIZED';

export function warn(report: Report, code: ReadWarningCode, pointer: string, message: string): void {
    const count = (report.counts.get(code) ?? 0) + 1;
    report.counts.set(code, count);
    if (count <= MAX_WARNINGS) report.warnings.push({ code, pointer, message });
}

/** All warnings. If a code has too many, one warning gives the number of further ones. */
export function warningsOf({ warnings, counts }: Report): readonly Warning[] {
    const more = [...counts].filter(([, count]) => count > MAX_WARNINGS);
    if (more.length === 0) return warnings;
    const message = (count: number) => `${count - MAX_WARNINGS} more of these are not listed`;
    return [...warnings, ...more.map(([code, count]) => ({ code, pointer: '', message: message(count) }))];
}
