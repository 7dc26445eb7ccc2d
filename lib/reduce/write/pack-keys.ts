// SPDX-License-Identifier: MIT

import type { GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { cached } from '../../base/cached';
import { padded } from '../../base/glb';
import { TYPES, WIDTHS } from '../../gltf/append-animations';
import { componentTypeOf, type StoredValues } from '../../gltf/as-stored';
import { COMPONENTS, FLOAT } from '../../gltf/validate/accessors';
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

/** Lists for one view. */
interface Kind {
    readonly use: 'input' | 'output';
    readonly type: GLTF.AccessorType;
    readonly componentType: number;
    readonly lists: { readonly sampler: number; readonly array: StoredValues }[];
}

/**
 * Lays out keys: one view for the times, then one for each type of values. Times are sorted by their numbers, values by
 * channel. Equal lists are stored once.
 */
export function packKeys(channels: readonly Pick<ReducedChannel, 'path' | 'times' | 'values'>[]): PackedKeys {
    const samplers = channels.map(() => ({ input: -1, output: -1 }));
    const uses = {
        input: new Map<number, Kind>(),
        VEC3: new Map<number, Kind>(),
        VEC4: new Map<number, Kind>(),
        SCALAR: new Map<number, Kind>(),
    };
    const add = (
        sampler: number,
        use: Kind['use'],
        type: keyof typeof uses & GLTF.AccessorType,
        array: StoredValues,
    ) => {
        const componentType = componentTypeOf(array);
        const kinds = uses[use === 'input' ? use : type];
        cached(kinds, componentType, (): Kind => ({ use, type, componentType, lists: [] })).lists.push({
            sampler,
            array,
        });
    };
    for (const [sampler, { path, times, values }] of channels.entries()) {
        add(sampler, 'input', 'SCALAR', times);
        add(sampler, 'output', TYPES[path], values);
    }
    const named = Object.values(uses).flatMap((kinds) =>
        [...kinds.values()].map((kind) => ({ kind, name: `${kind.use} ${kind.type} ${kind.componentType}` })),
    );
    named.sort((a, b) => (a.name < b.name ? -1 : 1));
    const accessors: GLTF.IAccessor[] = [];
    const views: KeyView[] = [];
    for (const {
        kind: { use, type, componentType, lists },
    } of named) {
        const { Components } = COMPONENTS.get(componentType)!;
        const size = Components.BYTES_PER_ELEMENT;
        // Copies, because V8 allocates a buffer for each small list whose buffer is read.
        const copy = new Components(lists.reduce((max, { array }) => Math.max(max, array.length), 0));
        const copied = Buffer.from(copy.buffer);
        const known = new Map<string, number>();
        const parts: { readonly array: StoredValues; readonly byteOffset: number }[] = [];
        let byteLength = 0;
        let last: StoredValues | undefined;
        let index: number | undefined;
        if (use === 'input') lists.sort((a, b) => compareNumbers(a.array, b.array));
        for (const { sampler, array } of lists) {
            if (array !== last) {
                last = array;
                copy.set(array);
                const text = copied.toString('latin1', 0, array.length * size);
                index = known.get(text);
                if (index === undefined) {
                    index =
                        accessors.push({
                            bufferView: views.length,
                            ...(byteLength > 0 ? { byteOffset: byteLength } : {}),
                            componentType: componentType as GLTF.AccessorComponentType,
                            ...(componentType === FLOAT ? {} : { normalized: true }),
                            count: array.length / WIDTHS[type]!,
                            type,
                            ...(use === 'input' ? { min: [array[0]!], max: [array[array.length - 1]!] } : {}),
                        }) - 1;
                    known.set(text, index);
                    parts.push({ array, byteOffset: byteLength });
                    byteLength += padded(array.length * size);
                }
            }
            samplers[sampler]![use] = index!;
        }
        const all = new Components(byteLength / size);
        for (const { array, byteOffset } of parts) all.set(array, byteOffset / size);
        views.push({ bytes: new Uint8Array(all.buffer), stride: padded(WIDTHS[type]! * size) });
    }
    return { accessors, views, samplers };
}

function compareNumbers(a: StoredValues, b: StoredValues): number {
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
