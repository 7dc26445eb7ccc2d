// SPDX-License-Identifier: MIT

import type { GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { padded } from '../../base/glb';
import { TYPES, WIDTHS } from '../../gltf/append-animations';
import { COMPONENTS, FLOAT, type TypedArray } from '../../gltf/validate/accessors';
import type { ReducedChannel } from '../types';

/** Keys in the form of a file. */
export interface PackedKeys {
    /** Their `bufferView` is an index into `views`. */
    readonly accessors: readonly GLTF.IAccessor[];
    readonly views: readonly KeyView[];
    /** Indices into `accessors`, in the order of the channels. */
    readonly samplers: readonly { readonly input: number; readonly output: number }[];
}

/** A buffer view for accessors of one kind, each at a multiple of 4. */
export interface KeyView {
    readonly bytes: Uint8Array;
    /** Bytes of an element, for the compressor. Elements smaller than 4 bytes are grouped to at least 4. */
    readonly stride: number;
}

/** By name, because another realm has other classes. */
const COMPONENT_TYPES = new Map(
    [...COMPONENTS].map(([componentType, { Components }]) => [Components.name, componentType]),
);

/**
 * Lays out keys: one view for the times, then one for each type of values. Times are sorted by their numbers, values by
 * channel. Equal lists are stored once.
 */
export function packKeys(channels: readonly Pick<ReducedChannel, 'path' | 'times' | 'values'>[]): PackedKeys {
    const samplers = channels.map(() => ({ input: -1, output: -1 }));
    const kinds = new Map<string, { sampler: number; use: 'input' | 'output'; array: TypedArray }[]>();
    for (const [sampler, { path, times, values }] of channels.entries()) {
        for (const [use, type, array] of [
            ['input', 'SCALAR', times],
            ['output', TYPES[path], values],
        ] as const) {
            const kind = `${use} ${type} ${COMPONENT_TYPES.get(array.constructor.name)}`;
            const lists = kinds.get(kind) ?? [];
            lists.push({ sampler, use, array });
            kinds.set(kind, lists);
        }
    }
    const accessors: GLTF.IAccessor[] = [];
    const views: KeyView[] = [];
    for (const kind of [...kinds.keys()].sort()) {
        const [use, type, componentType] = kind.split(' ') as ['input' | 'output', GLTF.AccessorType, string];
        const known = new Map<string, number>();
        const same = new Map<TypedArray, number>();
        const parts: Uint8Array[] = [];
        let byteOffset = 0;
        const lists = kinds.get(kind)!;
        if (use === 'input') lists.sort((a, b) => compareNumbers(a.array, b.array));
        for (const { sampler, array } of lists) {
            const first = same.get(array);
            if (first !== undefined) {
                samplers[sampler]![use] = first;
                continue;
            }
            const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
            const text = bytes.toString('latin1');
            let index = known.get(text);
            if (index === undefined) {
                index =
                    accessors.push({
                        bufferView: views.length,
                        ...(byteOffset > 0 ? { byteOffset } : {}),
                        componentType: Number(componentType) as GLTF.AccessorComponentType,
                        ...(Number(componentType) === FLOAT ? {} : { normalized: true }),
                        count: array.length / WIDTHS[type]!,
                        type,
                        ...(use === 'input' ? { min: [array[0]!], max: [array[array.length - 1]!] } : {}),
                    }) - 1;
                known.set(text, index);
                parts.push(bytes);
                byteOffset += padded(bytes.length);
            }
            same.set(array, index);
            samplers[sampler]![use] = index;
        }
        const stride = padded(WIDTHS[type]! * COMPONENTS.get(Number(componentType))!.Components.BYTES_PER_ELEMENT);
        views.push({ bytes: joined(parts), stride });
    }
    return { accessors, views, samplers };
}

function compareNumbers(a: TypedArray, b: TypedArray): number {
    const length = Math.min(a.length, b.length);
    for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
    return a.length - b.length;
}

/** Concatenates parts, each at a multiple of 4. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
    const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + padded(length), 0));
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += padded(part.length);
    }
    return bytes;
}
