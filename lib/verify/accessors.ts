// SPDX-License-Identifier: MIT

import { type GltfFile, refuse } from './gltf-file';
import { memberOf } from './shape';

const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

interface ComponentReader {
    readonly bytes: number;
    /** The normalised value is max(c / greatest, -1), section 3.11. */
    readonly greatest: number;
    read(buffer: Buffer, offset: number): number;
}

const READERS: Readonly<Record<number, ComponentReader>> = {
    5120: { bytes: 1, greatest: 127, read: (buffer, offset) => buffer.readInt8(offset) },
    5121: { bytes: 1, greatest: 255, read: (buffer, offset) => buffer.readUInt8(offset) },
    5122: { bytes: 2, greatest: 32767, read: (buffer, offset) => buffer.readInt16LE(offset) },
    5123: { bytes: 2, greatest: 65535, read: (buffer, offset) => buffer.readUInt16LE(offset) },
    5125: { bytes: 4, greatest: 1, read: (buffer, offset) => buffer.readUInt32LE(offset) },
    5126: { bytes: 4, greatest: 1, read: (buffer, offset) => buffer.readFloatLE(offset) },
};

/** A gigabyte of doubles. */
const MOST_NUMBERS = 134217728;

/**
 * All elements of an accessor as doubles, tightly packed: integers normalised where it says so, sparse applied.
 *
 * @throws InputError `GLTF_INVALID` where it does not lie within its buffer.
 */
export function decodeAccessor(file: GltfFile, index: number): Float64Array {
    const pointer = `/accessors/${index}`;
    const accessor = file.json.accessors?.[index];
    if (accessor === undefined) refuse(file.path, pointer, 'there is no such accessor (3.3)');
    const width = memberOf(COMPONENTS, accessor.type);
    const reader = READERS[accessor.componentType];
    if (width === undefined || reader === undefined || !(accessor.count > 0)) {
        refuse(file.path, pointer, `no accessor that can be read: ${accessor.type}, ${accessor.componentType} (3.6.2)`);
    }
    if (accessor.count * width > MOST_NUMBERS)
        refuse(file.path, `${pointer}/count`, `more than ${MOST_NUMBERS} numbers`);
    file.take(accessor.count * width * 8, pointer);
    const values = file.decoded.accessors.get(index)?.slice() ?? new Float64Array(accessor.count * width);
    if (!file.decoded.accessors.has(index) && accessor.bufferView !== undefined) {
        const at = { view: accessor.bufferView, byteOffset: accessor.byteOffset ?? 0, pointer };
        readElements(file, at, reader, accessor.count, width, values);
    }
    if (accessor.sparse !== undefined) {
        const { count, indices, values: replaced } = accessor.sparse;
        if (count > accessor.count) refuse(file.path, `${pointer}/sparse/count`, 'more than there are (3.6.2.3)');
        file.take(count * (1 + width) * 8, pointer);
        const where = new Float64Array(count);
        const what = new Float64Array(count * width);
        const indexReader = READERS[indices.componentType];
        if (indexReader === undefined) refuse(file.path, `${pointer}/sparse/indices`, 'not integers (3.6.2.3)');
        const places = { view: indices.bufferView, byteOffset: indices.byteOffset ?? 0, pointer };
        readElements(file, places, indexReader, count, 1, where);
        const others = { view: replaced.bufferView, byteOffset: replaced.byteOffset ?? 0, pointer };
        readElements(file, others, reader, count, width, what);
        for (let k = 0; k < count; k++) {
            if (where[k]! >= accessor.count) refuse(file.path, `${pointer}/sparse/indices`, 'out of range (3.6.2.3)');
            values.set(what.subarray(k * width, (k + 1) * width), where[k]! * width);
        }
    }
    if (accessor.normalized) {
        for (let k = 0; k < values.length; k++) values[k] = Math.max(values[k]! / reader.greatest, -1);
    }
    return values;
}

interface Place {
    readonly view: number;
    readonly byteOffset: number;
    readonly pointer: string;
}

function readElements(
    file: GltfFile,
    { view: viewIndex, byteOffset, pointer }: Place,
    reader: ComponentReader,
    count: number,
    width: number,
    into: Float64Array,
): void {
    const view = file.json.bufferViews?.[viewIndex];
    if (view === undefined) refuse(file.path, pointer, `there is no buffer view ${viewIndex} (3.3)`);
    const decoded = file.decoded.expand(viewIndex);
    const buffer = decoded ?? file.buffers[view.buffer];
    if (buffer === null || buffer === undefined) refuse(file.path, pointer, `buffer ${view.buffer} has no data`);
    const first = (decoded === undefined ? (view.byteOffset ?? 0) : 0) + byteOffset;
    const stride = view.byteStride ?? reader.bytes * width;
    if (first + (count - 1) * stride + reader.bytes * width > buffer.length) {
        refuse(file.path, pointer, `its ${count} elements go beyond its buffer (3.6.2.4)`);
    }
    for (let element = 0; element < count; element++) {
        const start = first + element * stride;
        for (let c = 0; c < width; c++) into[element * width + c] = reader.read(buffer, start + c * reader.bytes);
    }
}
