// SPDX-License-Identifier: MIT

/** Checks the parts of a manifest that a table needs. docs/format.md describes the whole manifest. */

import { describe } from '../base/arguments';
import type { ClipEvent } from '../base/clip-events';
import { rangeError } from '../base/errors';
import { type ArrayName, LAYOUTS, type Layout } from './layouts';
import type { ManifestArray, ManifestAttachment, ManifestClip, ManifestJoint } from './manifest';
import { qtsRowFloats, TEXEL } from './qts';
import { ANOTHER_BIN } from './read-pair';

/** A joint of the skin, in the order of `skin.joints` of the file. */
export type TableJoint = ManifestJoint;

/** A mesh without a skin that moves. Its column of the palette comes after those of the joints. */
export type TableAttachment = ManifestAttachment;

/** The parts of a clip that a table needs, with its rows. */
export interface TableClip
    extends Omit<ManifestClip, 'start' | 'animated' | 'bounds' | 'error' | 'events'>,
        Partial<Pick<ManifestClip, 'bounds'>> {
    /** Events of the clip, in seconds from the first frame, ascending. See `table.events`. */
    readonly events: readonly ClipEvent[];
}

export interface CheckedArray extends ManifestArray {
    readonly name: ArrayName;
    readonly rules: Layout;
    /** `[column][4]`: lib/format/qts.ts. */
    readonly pivots?: Float32Array;
}

export interface CheckedManifest {
    readonly joints: readonly TableJoint[];
    readonly attachments: readonly TableAttachment[];
    readonly clips: readonly TableClip[];
    readonly arrays: readonly CheckedArray[];
    readonly jointBounds: ManifestArray | undefined;
    readonly rows: number;
    /** `recipe.fps`: frames per second as a fraction, for clips without a `rate`. */
    readonly rate: readonly [numerator: number, denominator: number];
}

type Json = Record<string, unknown>;

/** @param where JSON pointer into the manifest. */
export function refuse(where: string, rule: string, cause?: unknown): never {
    const error = rangeError('ERR_BAKE_INVALID', `BakedTable.open: ${where === '' ? 'the manifest' : where} ${rule}`);
    if (cause !== undefined) error.cause = cause;
    throw error;
}

function objectAt(value: unknown, where: string): Json {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
    return refuse(where, `must be an object, is ${describe(value)}`);
}

function listAt(value: unknown, where: string): readonly unknown[] {
    return Array.isArray(value) ? value : refuse(where, `must be a list, is ${describe(value)}`);
}

function integerAt(value: unknown, where: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
    const fits = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
    return fits ? (value as number) : refuse(where, `must be an integer ${range}, is ${describe(value)}`);
}

function numberAt(value: unknown, where: string): number {
    if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
    return refuse(where, `must be a number, finite and not below 0, is ${describe(value)}`);
}

function checkJoints(value: unknown): TableJoint[] {
    return listAt(value, '/skin/joints').map((entry, index, { length }) => {
        const where = `/skin/joints/${index}`;
        const { node, name, parent, extras } = objectAt(entry, where);
        return {
            node: integerAt(node, `${where}/node`, 0),
            name: String(name ?? ''),
            parent: integerAt(parent, `${where}/parent`, -1, length - 1),
            ...(extras === undefined ? {} : { extras }),
        };
    });
}

function checkAttachments(value: unknown, joints: number): TableAttachment[] {
    return listAt(value, '/attachments').map((entry, index, { length }) => {
        const where = `/attachments/${index}`;
        const { node, name, mesh, parent, column, extras } = objectAt(entry, where);
        return {
            node: integerAt(node, `${where}/node`, 0),
            name: String(name ?? ''),
            mesh: integerAt(mesh, `${where}/mesh`, 0),
            parent: integerAt(parent, `${where}/parent`, -1, joints + length - 1),
            column: integerAt(column, `${where}/column`, joints + index, joints + index),
            ...(extras === undefined ? {} : { extras }),
        };
    });
}

function checkClip(value: unknown, where: string, firstRow: number): TableClip {
    const clip = objectAt(value, where);
    // Rows follow one another without gaps, so their number is known.
    integerAt(clip.firstRow, `${where}/firstRow`, firstRow, firstRow);
    const frameCount = integerAt(clip.frameCount, `${where}/frameCount`, 1);
    const duration = numberAt(clip.duration, `${where}/duration`);
    const fps = clip.fps === null ? null : numberAt(clip.fps, `${where}/fps`);
    if (frameCount > 1 && (fps === null || fps === 0)) refuse(`${where}/fps`, 'must be above 0 for more than one row');
    const last = clip.lastFrameTime === undefined ? undefined : numberAt(clip.lastFrameTime, `${where}/lastFrameTime`);
    // Frame times must increase.
    if (frameCount > 1 && (last ?? duration) * fps! <= frameCount - 2) {
        refuse(where, `has ${frameCount} frames, more than ${last ?? duration} s at ${fps} a second`);
    }
    const frames = listAt(clip.discontinuities ?? [], `${where}/discontinuities`);
    const bounds = clip.bounds === undefined ? undefined : listAt(clip.bounds, `${where}/bounds`);
    if (bounds !== undefined && !(bounds.length === 6 && bounds.every(Number.isFinite))) {
        refuse(`${where}/bounds`, 'must be 6 finite numbers');
    }
    return {
        name: String(clip.name ?? ''),
        animation: integerAt(clip.animation, `${where}/animation`, 0),
        firstRow,
        frameCount,
        duration,
        fps,
        ...(clip.rate === undefined ? {} : { rate: rateAt(clip.rate, `${where}/rate`) }),
        ...(last === undefined ? {} : { lastFrameTime: last }),
        loop: clip.loop === true,
        events: checkEvents(clip.events ?? [], `${where}/events`, duration),
        ...(clip.extras === undefined ? {} : { extras: clip.extras }),
        discontinuities: frames.map((frame, i) => integerAt(frame, `${where}/discontinuities/${i}`, 1, frameCount - 1)),
        ...(bounds === undefined ? {} : { bounds: bounds as number[] }),
    };
}

function checkEvents(value: unknown, where: string, duration: number): ClipEvent[] {
    let last = 0;
    return listAt(value, where).map((entry, i) => {
        const { name, time } = objectAt(entry, `${where}/${i}`);
        const at = numberAt(time, `${where}/${i}/time`);
        if (at < last || at > duration) {
            refuse(`${where}/${i}/time`, `must be from ${last} to ${duration}, by time within the clip, is ${at}`);
        }
        last = at;
        return { name: String(name ?? ''), time: at };
    });
}

const BYTES: Readonly<Record<string, number>> = { f32: 4, f16: 2 };

function checkArray(value: unknown, name: ArrayName, rows: number, columns: number, byteLength: number): CheckedArray {
    const where = `/arrays/${name}`;
    const array = objectAt(value, where);
    const layout = String(array.layout) as ManifestArray['layout'];
    const rules = Object.hasOwn(LAYOUTS[name], layout) ? LAYOUTS[name][layout] : undefined;
    if (rules === undefined) {
        const known = Object.keys(LAYOUTS[name]).join(' or ');
        return refuse(`${where}/layout`, `must be ${known}, is ${describe(array.layout)}`);
    }
    const isHalf = array.dtype === 'f16' && name === 'palette';
    const dtype = (array.dtype === 'f32' && layout !== 'qts16') || isHalf ? (array.dtype as 'f32' | 'f16') : null;
    if (dtype === null) return refuse(`${where}/dtype`, `is ${describe(array.dtype)}, which is not known here`);
    const shape = listAt(array.shape, `${where}/shape`).map((n, i) => integerAt(n, `${where}/shape/${i}`, 0));
    const pivots = layout === 'qts16' ? pivotsAt(array.pivots, `${where}/pivots`, columns) : undefined;
    const texels = pivots === undefined ? 0 : qtsRowFloats(pivots) / TEXEL;
    const isStretched = texels > 2 * columns;
    const floats = isStretched ? TEXEL : rules.floats;
    const last = shape[shape.length - 1];
    if (shape.length !== rules.dimensions || shape[0] !== rows || (floats !== 0 && last !== floats)) {
        const middle = rules.dimensions === 3 ? 'n, ' : '';
        refuse(`${where}/shape`, `must be [${rows}, ${middle}${floats || 'n'}] for '${layout}', is [${shape}]`);
    }
    if (name === 'palette' && shape[1] !== (isStretched ? texels : columns)) {
        const rule = isStretched ? `texels, ${texels}` : `joints and attachments, ${columns}`;
        refuse(`${where}/shape/1`, `must be the number of ${rule}, is ${shape[1]}`);
    }
    const place = placeAt(array, where, dtype, shape, byteLength);
    return { name, ...place, dtype, shape, layout, rules, ...(pivots && { pivots }) };
}

function placeAt(
    array: Json,
    where: string,
    dtype: 'f32' | 'f16',
    shape: readonly number[],
    byteLength: number,
): Pick<ManifestArray, 'byteOffset' | 'byteLength'> {
    const bytes = integerAt(array.byteLength, `${where}/byteLength`, 0);
    const need = shape.reduce((product, n) => product * n, BYTES[dtype]!);
    if (bytes !== need) refuse(`${where}/byteLength`, `must be ${need} for the shape, is ${bytes}`);
    const offset = integerAt(array.byteOffset, `${where}/byteOffset`, 0);
    if (offset % 256 !== 0) refuse(`${where}/byteOffset`, `must be a multiple of 256, is ${offset}`);
    if (offset + bytes > byteLength) {
        refuse(where, `ends at byte ${offset + bytes} of the binary, which has ${byteLength}`);
    }
    return { byteOffset: offset, byteLength: bytes };
}

/** The boxes of columns, which are independent of rows. */
function checkJointBounds(value: unknown, columns: number, byteLength: number): ManifestArray {
    const where = '/arrays/jointBounds';
    const array = objectAt(value, where);
    const { dtype, layout } = array;
    if (dtype !== 'f32') return refuse(`${where}/dtype`, `must be f32, is ${describe(dtype)}`);
    if (layout !== 'minmax') return refuse(`${where}/layout`, `must be minmax, is ${describe(layout)}`);
    const shape = listAt(array.shape, `${where}/shape`).map((n, i) => integerAt(n, `${where}/shape/${i}`, 0));
    if (shape.join() !== `${columns},6`) refuse(`${where}/shape`, `must be [${columns}, 6], is [${shape}]`);
    return { ...placeAt(array, where, dtype, shape, byteLength), dtype, shape, layout };
}

function pivotsAt(value: unknown, where: string, columns: number): Float32Array {
    const list = listAt(value, where);
    if (list.length !== columns) refuse(where, `must be ${columns}, one for each column, are ${list.length}`);
    let third = 2 * columns;
    const pivots = list.flatMap((pivot, i) => {
        const [x, y, z, texel, ...more] = listAt(pivot, `${where}/${i}`) as number[];
        if (![x, y, z].every(Number.isFinite) || more.length > 0)
            return refuse(`${where}/${i}`, 'must be 3 finite numbers, or 4 for a stretched column');
        // Third rows follow the columns without gaps, so the length of a row is known.
        if (texel === undefined) return [x!, y!, z!, 0];
        integerAt(texel, `${where}/${i}/3`, third, third);
        third++;
        return [x!, y!, z!, texel];
    });
    return Float32Array.from(pivots);
}

function rateAt(value: unknown, where: string): readonly [number, number] {
    const [numerator, denominator] = listAt(value, where);
    return [integerAt(numerator, `${where}/0`, 1), integerAt(denominator, `${where}/1`, 1)];
}

function formatOf(value: unknown): Json {
    const manifest = objectAt(value, '');
    if (manifest.format !== 'poselane-bake') {
        refuse('/format', `must be 'poselane-bake', is ${describe(manifest.format)}`);
    }
    if (manifest.version !== 1)
        refuse('/version', `must be 1, the only one known here, is ${describe(manifest.version)}`);
    return manifest;
}

/** The name, length and hash of the binary in a manifest. Throws RangeError `ERR_BAKE_INVALID`. */
export function binaryOf(value: unknown): { uri: string; byteLength: number; sha256: string } {
    const { uri, byteLength, sha256 } = objectAt(formatOf(value).binary, '/binary');
    if (typeof uri !== 'string') return refuse('/binary/uri', `must be a string, is ${describe(uri)}`);
    return { uri, byteLength: integerAt(byteLength, '/binary/byteLength', 0), sha256: String(sha256) };
}

/** Maximum number of rows without bytes. They are possible if the binary has only `jointBounds`. */
const ROWS = 1 << 20;

/** Throws RangeError `ERR_BAKE_INVALID`, `ERR_BINARY_DIFFERS`. Leaves out unknown keys and arrays. */
export function checkManifest(value: unknown, byteLength: number): CheckedManifest {
    const manifest = formatOf(value);
    const stated = integerAt(objectAt(manifest.binary, '/binary').byteLength, '/binary/byteLength', 0);
    if (stated !== byteLength) {
        const rule = `is ${stated}, the binary has ${byteLength} bytes: ${ANOTHER_BIN}`;
        throw rangeError('ERR_BINARY_DIFFERS', `BakedTable.open: /binary/byteLength ${rule}`);
    }
    const joints = manifest.skin === null ? [] : checkJoints(objectAt(manifest.skin, '/skin').joints);
    const attachments = checkAttachments(manifest.attachments ?? [], joints.length);
    const columns = joints.length + attachments.length;
    let rows = 0;
    const clips = listAt(manifest.clips, '/clips').map((entry, index) => {
        const clip = checkClip(entry, `/clips/${index}`, rows);
        rows += clip.frameCount;
        return clip;
    });
    // Each row has bytes in each array, so no manifest can claim much more memory than its binary has.
    if (rows > Math.max(byteLength, ROWS))
        refuse('/clips', `have ${rows} rows, more than the binary has bytes, ${byteLength}`);
    if (clips.length === 0) refuse('/clips', 'must not be empty');
    if (clips.length > 65536) refuse('/clips', `are ${clips.length}, more than 65536`);
    const described = objectAt(manifest.arrays, '/arrays');
    const arrays = (Object.keys(LAYOUTS) as ArrayName[])
        .filter((name) => Object.hasOwn(described, name))
        .map((name) => checkArray(described[name], name, rows, columns, byteLength));
    return {
        joints,
        attachments,
        clips,
        arrays,
        jointBounds: Object.hasOwn(described, 'jointBounds')
            ? checkJointBounds(described.jointBounds, columns, byteLength)
            : undefined,
        rows,
        rate: rateAt(objectAt(manifest.recipe, '/recipe').fps, '/recipe/fps'),
    };
}
