// SPDX-License-Identifier: MIT

import { cached } from '../../base/cached';
import type { BufferData } from '../buffers';
import { arrayAt, describe, extensionOf, indexAt, integerAt, type JsonObject, objectAt } from '../json';
import { MAX_EXPANSION } from '../limits';
import { invalid, type Report } from '../reading';
import type { FileClaims } from './claims';

/** A buffer view whose bytes are known to exist. */
export interface View {
    readonly index: number;
    readonly pointer: string;
    /** The buffer with the bytes as stored: the compressed data if `meshopt` is not null. */
    readonly buffer: number;
    readonly byteOffset: number;
    readonly storedLength: number;
    /** Length after decompression, as accessors see it. */
    readonly byteLength: number;
    readonly byteStride: number | undefined;
    readonly meshopt: Meshopt | null;
}

/** A key that is the same for views of the same bytes with the same compression. */
export function whereStored({ buffer, byteOffset, storedLength, meshopt }: View): string {
    return JSON.stringify([buffer, byteOffset, storedLength, meshopt]);
}

/** The properties of EXT_ and KHR_meshopt_compression in a buffer view. Both extensions have the same ones. */
export interface Meshopt {
    readonly byteStride: number;
    readonly count: number;
    readonly mode: string;
    readonly filter: string;
}

/** Looks up and checks the buffer view that the value at `pointer` refers to. */
export type ViewTable = (value: unknown, pointer: string) => View;

const EXTENSIONS = ['KHR_meshopt_compression', 'EXT_meshopt_compression'];

/** The strides that each filter accepts. Those of the modes are checked first. */
const FILTER_STRIDES: ReadonlyMap<string, readonly number[] | null> = new Map([
    ['NONE', null],
    ['OCTAHEDRAL', [4, 8]],
    ['QUATERNION', [8]],
    ['EXPONENTIAL', null],
    ['COLOR', [4, 8]],
]);

/** "For the extension object to be valid, the following must hold": the decoder relies on all of it. */
function checkMeshopt(extension: JsonObject, pointer: string, report: Report): Meshopt {
    const byteStride = integerAt(report, extension.byteStride, `${pointer}/byteStride`, 1, 256);
    const count = integerAt(report, extension.count, `${pointer}/count`, 1);
    const { mode, filter = 'NONE' } = extension;
    if (mode !== 'ATTRIBUTES' && mode !== 'TRIANGLES' && mode !== 'INDICES') {
        invalid(report, `${pointer}/mode`, `must be ATTRIBUTES, TRIANGLES or INDICES, is ${describe(mode)}`);
    }
    if (typeof filter !== 'string' || !FILTER_STRIDES.has(filter)) {
        invalid(report, `${pointer}/filter`, `unknown filter ${describe(filter)}`);
    }
    if (mode === 'ATTRIBUTES' ? byteStride % 4 !== 0 : byteStride !== 2 && byteStride !== 4) {
        const need = mode === 'ATTRIBUTES' ? 'a multiple of 4' : '2 or 4';
        invalid(report, `${pointer}/byteStride`, `must be ${need} with mode ${mode}, is ${byteStride}`);
    }
    if (mode === 'TRIANGLES' && count % 3 !== 0) {
        invalid(report, `${pointer}/count`, `must be a multiple of 3 with mode TRIANGLES, is ${count}`);
    }
    if (mode !== 'ATTRIBUTES' && filter !== 'NONE') {
        invalid(report, `${pointer}/filter`, `must be NONE with mode ${mode}, is ${filter}`);
    }
    const strides = FILTER_STRIDES.get(filter);
    if (strides && !strides.includes(byteStride)) {
        const need = strides.join(' or ');
        invalid(report, `${pointer}/byteStride`, `must be ${need} with filter ${filter}, is ${byteStride}`);
    }
    return { byteStride, count, mode, filter };
}

/** A table of buffer views. All are checked against the sizes of `buffers` at once, the rest on first use. */
export function createViewTable(
    json: JsonObject,
    buffers: readonly BufferData[],
    claims: FileClaims,
    report: Report,
): ViewTable {
    const values = arrayAt(report, json.bufferViews, '/bufferViews');
    const checked = new Map<number, View>();

    /** Reads the place of a buffer view or of a meshopt extension. */
    function placeOf(object: JsonObject, pointer: string, min: number) {
        const buffer = indexAt(report, object.buffer, buffers.length, `${pointer}/buffer`, 'buffers');
        const byteOffset = integerAt(report, object.byteOffset ?? 0, `${pointer}/byteOffset`);
        const storedLength = integerAt(report, object.byteLength, `${pointer}/byteLength`, min);
        return { buffer, byteOffset, storedLength };
    }

    /** As `placeOf`, but the place must be within the data of its buffer, if that has data. */
    function range(object: JsonObject, pointer: string, min: number) {
        const place = placeOf(object, pointer, min);
        const end = place.byteOffset + place.storedLength;
        const { length } = buffers[place.buffer] ?? { length: end };
        if (end > length) {
            invalid(report, pointer, `ends at byte ${end} of buffer ${place.buffer}, which has ${length} (3.6.1.1)`);
        }
        return place;
    }

    /** As `range`, but the buffer must have data. */
    function stored(object: JsonObject, pointer: string) {
        const found = range(object, pointer, 1);
        if (buffers[found.buffer] === null) {
            const rule = `buffer ${found.buffer} has no data: neither a uri, nor a BIN chunk that it stands for (3.6.1.2)`;
            invalid(report, `${pointer}/buffer`, rule);
        }
        return found;
    }

    // Unused views too, because writing the file again copies their bytes.
    for (const [index, value] of values.entries()) {
        const pointer = `/bufferViews/${index}`;
        const view = objectAt(report, value, pointer);
        const compressed =
            view.extensions === undefined ? [] : EXTENSIONS.filter((name) => extensionOf(view, name) !== undefined);
        // The uncompressed bytes beside compressed ones are not read.
        if (compressed.length === 0) range(view, pointer, 0);
        else placeOf(view, pointer, 0);
        for (const name of compressed) range(extensionOf(view, name)!, `${pointer}/extensions/${name}`, 0);
    }

    function check(index: number): View {
        const pointer = `/bufferViews/${index}`;
        const view = objectAt(report, values[index], pointer);
        const byteLength = integerAt(report, view.byteLength, `${pointer}/byteLength`, 1);
        const byteStride =
            view.byteStride === undefined ? undefined : integerAt(report, view.byteStride, `${pointer}/byteStride`, 1);
        const name = EXTENSIONS.find((candidate) => extensionOf(view, candidate) !== undefined);
        if (name === undefined) {
            return { index, pointer, ...stored(view, pointer), byteLength, byteStride, meshopt: null };
        }
        const at = `${pointer}/extensions/${name}`;
        const extension = extensionOf(view, name)!;
        const meshopt = checkMeshopt(extension, at, report);
        if (meshopt.count * meshopt.byteStride !== byteLength) {
            const rule = `byteStride x count is ${meshopt.count * meshopt.byteStride}, byteLength is ${byteLength}`;
            invalid(report, at, `${rule} (${name})`);
        }
        claims.expand(byteLength, at);
        const place = stored(extension, at);
        if (byteLength > place.storedLength * MAX_EXPANSION) {
            const held = `${place.storedLength} bytes of a stream hold ${place.storedLength * MAX_EXPANSION} at most`;
            invalid(report, at, `${held}, not ${byteLength} (${name})`);
        }
        return { index, pointer, ...place, byteLength, byteStride, meshopt };
    }

    return (value, pointer) => {
        const index = indexAt(report, value, values.length, pointer, 'bufferViews');
        return cached(checked, index, () => check(index));
    };
}
