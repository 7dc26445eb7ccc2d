// SPDX-License-Identifier: MIT

import type { GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { padded } from '../../base/glb';
import { isObject } from '../../gltf/json';
import type { WholeFile } from '../../gltf/read-whole';
import { type AccessorInfo, COMPONENTS } from '../../gltf/validate/accessors';
import { compact, type Span } from './compact';
import { placesOf } from './indices';

/** An object that refers to a range of a buffer: a buffer view, or its extension with the compressed bytes. */
interface Holder {
    buffer: number;
    byteOffset?: number;
    byteLength: number;
}

/** An accessor's use of a buffer view. */
interface Use {
    readonly accessor: number;
    readonly view: number;
    /** The object of the JSON that names the view. */
    readonly owner: { byteOffset?: number };
    readonly start: number;
    readonly end: number;
}

/** Users of the buffer views of a file. */
export interface ViewUses {
    readonly byAccessors: readonly Use[];
    /** Views that others use. */
    readonly byOthers: readonly number[];
}

export function viewUsesOf({ json, accessors }: WholeFile): ViewUses {
    const byAccessors = accessors.flatMap((info) => usesOf(info, (json.accessors as GLTF.IAccessor[])[info.index]!));
    const owners = new Set<object>(byAccessors.map(({ owner }) => owner));
    const others = placesOf(json, 'bufferViews').filter(([owner]) => !owners.has(owner));
    return { byAccessors, byOthers: others.map(([owner, key]) => owner[key]!) };
}

/**
 * Removes the bytes that only some accessors use. A buffer view that nothing else uses is removed. One shared with
 * other accessors is cut down to their parts.
 *
 * @param json Kept views, and accessors of cut ones, get their new offsets. All data is in buffer 0; buffers without
 * data come after it. Removed entries are still there.
 * @param gone Accessors to remove.
 * @param unknown Integers that can also be the index of a view.
 * @returns The bytes of buffer 0, the removed views, and the buffers without data.
 */
export function keepViews(
    json: GLTF.IGLTF,
    { buffers }: WholeFile,
    { byAccessors, byOthers }: ViewUses,
    gone: ReadonlySet<number>,
    unknown: ReadonlySet<number>,
): { bytes: Uint8Array; goneViews: Set<number>; empty: GLTF.IBuffer[] } {
    const whole = new Set([...unknown, ...byOthers]);
    /** Views that lose accessors, with their remaining users. */
    const changed = new Map<number, Use[]>();
    for (const { accessor, view } of byAccessors) if (gone.has(accessor) && !whole.has(view)) changed.set(view, []);
    for (const use of byAccessors) if (!gone.has(use.accessor)) changed.get(use.view)?.push(use);
    const goneViews = new Set([...changed.keys()].filter((view) => changed.get(view)!.length === 0));

    const parts: { holder: Holder; kept: { span: Span; use: Use | null }[] }[] = [];
    const emptyHolders: Holder[] = [];
    for (const [index, view] of (json.bufferViews ?? []).entries()) {
        if (goneViews.has(index)) continue;
        const compressed = Object.values(view.extensions ?? {}).filter(isHolder);
        const cut = compressed.length > 0 ? undefined : changed.get(index);
        for (const holder of [view, ...compressed]) {
            const { buffer, byteOffset = 0, byteLength } = holder;
            const data = buffers[buffer];
            if (!data) {
                emptyHolders.push(holder);
                continue;
            }
            const spanOf = (start: number, end: number): Span => ({
                buffer,
                start: Math.min(byteOffset + start, data.length),
                end: Math.min(byteOffset + end, data.length),
            });
            const kept = cut?.map((use) => ({ use, span: spanOf(use.start - (use.start % 4), use.end) }));
            parts.push({ holder, kept: kept ?? [{ use: null, span: spanOf(0, byteLength) }] });
        }
    }

    const { bytes, starts } = compact(
        buffers,
        parts.flatMap(({ kept }) => kept.map(({ span }) => span)),
    );
    for (const { holder, kept } of parts) {
        const from = kept.reduce((min, { span }) => Math.min(min, starts.get(span)!), Infinity);
        const to = kept.reduce((max, { span }) => Math.max(max, starts.get(span)! + span.end - span.start), 0);
        Object.assign(holder, { buffer: 0, byteLength: to - from });
        setOffset(holder, from);
        for (const { use, span } of kept) if (use) setOffset(use.owner, starts.get(span)! - from + (use.start % 4));
    }
    const empty = [...new Set(emptyHolders.map(({ buffer }) => buffer))].sort((a, b) => a - b);
    for (const holder of emptyHolders) holder.buffer = 1 + empty.indexOf(holder.buffer);
    return { bytes, goneViews, empty: empty.map((buffer) => json.buffers![buffer]!) };
}

function isHolder(extension: unknown): extension is Holder {
    return isObject(extension) && Number.isInteger(extension.buffer) && Number.isInteger(extension.byteLength);
}

function setOffset(owner: { byteOffset?: number }, byteOffset: number): void {
    if ((owner.byteOffset ?? 0) !== byteOffset) owner.byteOffset = byteOffset;
}

function usesOf(
    { index, view, type, width, componentType, count, sparse, byteOffset }: AccessorInfo,
    accessor: GLTF.IAccessor,
): Use[] {
    const bytesOf = (component: number) => COMPONENTS.get(component)!.Components.BYTES_PER_ELEMENT;
    // glTF 2.0, 3.6.2.4: columns of a matrix begin at multiples of 4.
    const rows = type.startsWith('MAT') ? Math.sqrt(width) : 0;
    const size = rows > 0 ? rows * padded(rows * bytesOf(componentType)) : width * bytesOf(componentType);
    const uses: Use[] = [];
    const add = (place: { view: { index: number }; byteOffset: number }, owner: Use['owner'], bytes: number) => {
        const start = place.byteOffset;
        uses.push({ accessor: index, view: place.view.index, owner, start, end: start + bytes });
    };
    if (view !== null) add({ view, byteOffset }, accessor, (view.byteStride ?? size) * (count - 1) + size);
    if (sparse !== null) {
        const { indices, values } = accessor.sparse!;
        add(sparse.indices, indices, sparse.count * bytesOf(sparse.indices.componentType));
        add(sparse.values, values, sparse.count * size);
    }
    return uses;
}
