// SPDX-License-Identifier: MIT

import { cached } from '../../base/cached';
import { arrayAt, describe, indexAt, integerAt, type JsonObject, objectAt } from '../json';
import { MAX_UNSTORED_VALUES } from '../limits';
import { invalid, REWRITE, type Report, warn } from '../reading';
import type { FileClaims } from './claims';
import type { View, ViewTable } from './views';

export const BYTE = 5120;
export const UNSIGNED_BYTE = 5121;
export const SHORT = 5122;
export const UNSIGNED_SHORT = 5123;
export const UNSIGNED_INT = 5125;
export const FLOAT = 5126;

export type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

export interface ComponentArray {
    readonly BYTES_PER_ELEMENT: number;
    new (length: number): TypedArray;
    new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
}

export interface Component {
    readonly name: string;
    readonly Components: ComponentArray;
    /** Name of Draco's decoder for the type. */
    readonly draco: string;
    /** The normalized integer that represents 1 (3.11). */
    readonly one?: number;
}

export const COMPONENTS: ReadonlyMap<number, Component> = new Map<number, Component>([
    [BYTE, { name: 'byte', Components: Int8Array, draco: 'DT_INT8', one: 127 }],
    [UNSIGNED_BYTE, { name: 'unsigned byte', Components: Uint8Array, draco: 'DT_UINT8', one: 255 }],
    [SHORT, { name: 'short', Components: Int16Array, draco: 'DT_INT16', one: 32767 }],
    [UNSIGNED_SHORT, { name: 'unsigned short', Components: Uint16Array, draco: 'DT_UINT16', one: 65535 }],
    [UNSIGNED_INT, { name: 'unsigned int', Components: Uint32Array, draco: 'DT_UINT32' }],
    [FLOAT, { name: 'float', Components: Float32Array, draco: 'DT_FLOAT32' }],
]);

function bytesOf(componentType: number): number {
    return COMPONENTS.get(componentType)!.Components.BYTES_PER_ELEMENT;
}

const WIDTHS: ReadonlyMap<unknown, number> = new Map([
    ['SCALAR', 1],
    ['VEC2', 2],
    ['VEC3', 3],
    ['VEC4', 4],
    ['MAT2', 4],
    ['MAT3', 9],
    ['MAT4', 16],
]);

/** An accessor whose elements are all known to be within its buffer view. */
export interface AccessorInfo {
    readonly index: number;
    readonly pointer: string;
    readonly componentType: number;
    readonly normalized: boolean;
    readonly type: string;
    /** Components of an element. */
    readonly width: number;
    readonly count: number;
    readonly view: View | null;
    readonly byteOffset: number;
    readonly sparse: SparseInfo | null;
}

/** glTF 2.0, 3.6.2.3. The index values can only be checked after decoding. */
export interface SparseInfo {
    readonly count: number;
    readonly indices: { readonly view: View; readonly byteOffset: number; readonly componentType: number };
    readonly values: { readonly view: View; readonly byteOffset: number };
}

/** Looks up and checks the accessor that the value at `pointer` refers to. */
export type AccessorTable = (value: unknown, pointer: string) => AccessorInfo;

/** A combination of type and component types that a use of an accessor allows. */
export interface Format {
    readonly type: string;
    readonly componentTypes: readonly number[];
    /** Whether integers must be normalized. Floats never are. */
    readonly normalized: boolean | 'either';
}

/** Rejects an accessor of another format. `clause` names the section with the allowed ones. */
export function expectFormat(
    report: Report,
    info: AccessorInfo,
    format: Format,
    pointer: string,
    clause: string,
): void {
    const { type, componentTypes, normalized } = format;
    const integer = info.componentType !== FLOAT;
    const fits = !integer || normalized === 'either' || normalized === info.normalized;
    if (info.type === type && componentTypes.includes(info.componentType) && fits) return;
    const flag = (is: boolean | 'either') => (is === true ? 'normalized ' : '');
    const name = (component: number) => `${component === FLOAT ? '' : flag(normalized)}${nameOfComponent(component)}`;
    const is = `${info.type} of ${integer ? flag(info.normalized) : ''}${nameOfComponent(info.componentType)}`;
    const need = `${type} of ${componentTypes.map(name).join(', ')}`;
    invalid(report, pointer, `accessor ${info.index} must be ${need}; it is ${is} (${clause})`);
}

/** Warns of a stride of keys and inverse bind matrices. Other readers use the bytes in between as data. */
export function warnStrided(report: Report, { index, componentType, width, view }: AccessorInfo): void {
    const size = bytesOf(componentType) * width;
    // A meshopt stream has a stride of its own.
    if (view === null || view.meshopt !== null || (view.byteStride ?? size) === size) return;
    const pointer = `${view.pointer}/byteStride`;
    if (report.warnings.some((warning) => warning.code === 'KEYS_STRIDED' && warning.pointer === pointer)) return;
    const rule = `byteStride is ${view.byteStride}, an element of accessor ${index} has ${size} bytes`;
    const use =
        'keys and inverse bind matrices must be tightly packed; other readers may play them wrongly, or never end';
    warn(report, 'KEYS_STRIDED', pointer, `${rule}: ${use} (5.11.4); ${REWRITE} packs them`);
}

function nameOfComponent(componentType: number): string {
    return COMPONENTS.get(componentType)!.name;
}

/** A table of the JSON's accessors. Each is checked on first use. */
export function createAccessorTable(
    json: JsonObject,
    views: ViewTable,
    claims: FileClaims,
    report: Report,
): AccessorTable {
    const values = arrayAt(report, json.accessors, '/accessors');
    const checked = new Map<number, AccessorInfo>();
    let unstored = 0;

    function component(value: unknown, pointer: string, allowed: readonly number[] | null): number {
        if (typeof value !== 'number' || !COMPONENTS.has(value) || (allowed && !allowed.includes(value))) {
            const need = (allowed ?? [...COMPONENTS.keys()]).join(', ');
            invalid(report, pointer, `must be one of ${need}, is ${describe(value)} (3.6.2.2)`);
        }
        return value;
    }

    /** glTF 2.0, 3.6.2.4: offset + stride x (count - 1) + element size must not exceed the view. */
    function requireRoom(
        view: View,
        offset: number,
        count: number,
        componentSize: number,
        width: number,
        pointer: string,
    ) {
        const size = componentSize * width;
        const stride = view.byteStride ?? size;
        if (stride < size) {
            const rule = `must be at least the size of an element, ${size} for ${pointer}, is ${stride} (3.6.2.4)`;
            invalid(report, `${view.pointer}/byteStride`, rule);
        }
        const end = offset + stride * (count - 1) + size;
        if (end > view.byteLength) {
            const rule = `ends at byte ${end} of buffer view ${view.index}, which has ${view.byteLength} (3.6.2.4)`;
            invalid(report, `${pointer}/count`, `${count} elements of ${stride} bytes from ${offset}: ${rule}`);
        }
        // Viewers that map typed arrays onto the file reject this. Nothing here depends on it.
        if ((offset | (view.meshopt === null ? view.byteOffset : 0) | stride) % componentSize !== 0) {
            const rule = `offsets and stride should be multiples of the component size, ${componentSize} (3.6.2.4); ${REWRITE} moves them`;
            warn(report, 'UNALIGNED_ACCESSOR', pointer, rule);
        }
    }

    function checkSparse(value: unknown, pointer: string, base: { count: number; bytes: number; width: number }) {
        const sparse = objectAt(report, value, pointer);
        const count = integerAt(report, sparse.count, `${pointer}/count`, 1, base.count);
        const at = `${pointer}/indices`;
        const indices = objectAt(report, sparse.indices, at);
        const allowed = [UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT];
        const componentType = component(indices.componentType, `${at}/componentType`, allowed);
        const indexView = views(indices.bufferView, `${at}/bufferView`);
        const indexOffset = integerAt(report, indices.byteOffset ?? 0, `${at}/byteOffset`);
        requireRoom(indexView, indexOffset, count, bytesOf(componentType), 1, at);
        const to = `${pointer}/values`;
        const stored = objectAt(report, sparse.values, to);
        const valueView = views(stored.bufferView, `${to}/bufferView`);
        const valueOffset = integerAt(report, stored.byteOffset ?? 0, `${to}/byteOffset`);
        requireRoom(valueView, valueOffset, count, base.bytes, base.width, to);
        return {
            count,
            indices: { view: indexView, byteOffset: indexOffset, componentType },
            values: { view: valueView, byteOffset: valueOffset },
        };
    }

    function check(index: number): AccessorInfo {
        const pointer = `/accessors/${index}`;
        const accessor = objectAt(report, values[index], pointer);
        const componentType = component(accessor.componentType, `${pointer}/componentType`, null);
        const bytes = bytesOf(componentType);
        const { type, normalized = false } = accessor;
        const width = WIDTHS.get(type);
        if (typeof type !== 'string' || width === undefined) {
            invalid(report, `${pointer}/type`, `must be one of ${[...WIDTHS.keys()]}, is ${describe(type)} (3.6.2.2)`);
        }
        if (typeof normalized !== 'boolean') {
            invalid(report, `${pointer}/normalized`, `must be true or false, is ${describe(normalized)}`);
        }
        if (normalized && componentType === UNSIGNED_INT) {
            invalid(report, `${pointer}/normalized`, 'must not be true for unsigned int (5.1.4)');
        }
        const count = integerAt(report, accessor.count, `${pointer}/count`, 1);
        const byteOffset = integerAt(report, accessor.byteOffset ?? 0, `${pointer}/byteOffset`);
        const view = accessor.bufferView === undefined ? null : views(accessor.bufferView, `${pointer}/bufferView`);
        claims.expect(count * width, `${pointer}/count`);
        if (view !== null) requireRoom(view, byteOffset, count, bytes, width, pointer);
        else if (unstored + count * width > MAX_UNSTORED_VALUES) {
            const rule = `accessors without bufferView need more than ${MAX_UNSTORED_VALUES} values, the limit here`;
            invalid(report, `${pointer}/count`, rule);
        }
        const sparse =
            accessor.sparse === undefined
                ? null
                : checkSparse(accessor.sparse, `${pointer}/sparse`, { count, bytes, width });
        // Faulty accessors claim nothing: they may belong to a clip that is not wanted.
        claims.decode(count * width, `${pointer}/count`);
        if (view === null) unstored += count * width;
        return { index, pointer, componentType, normalized, type, width, count, view, byteOffset, sparse };
    }

    return (value, pointer) => {
        const index = indexAt(report, value, values.length, pointer, 'accessors');
        return cached(checked, index, () => check(index));
    };
}
