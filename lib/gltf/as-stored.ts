// SPDX-License-Identifier: MIT

import type { ChannelPath } from './scene';
import { COMPONENTS } from './validate/accessors';

/** Values of a channel in the types that a file can have. */
export type StoredValues = Float32Array | Int16Array | Int8Array | Uint16Array | Uint8Array;

/** The types of normalized integers, the smallest first. */
const INTEGERS = [...COMPONENTS.values()].flatMap(({ one, Components }) =>
    one === undefined ? [] : [{ one, Components, cell: new Components(1) }],
);

/** Rotations and weights as normalized integers, which the file probably had, if that changes no value (3.11). */
export function asStored<T extends { readonly path: ChannelPath; readonly values: StoredValues }>(channel: T): T {
    const { path, values } = channel;
    if ((path !== 'rotation' && path !== 'weights') || !(values instanceof Float32Array)) return channel;
    for (const { one, Components, cell } of INTEGERS) {
        let fits = true;
        for (let i = 0; fits && i < values.length; i++) {
            cell[0] = Math.round(values[i]! * one);
            fits = Math.fround(cell[0]! / one) === values[i];
        }
        if (!fits) continue;
        const stored = new Components(values.length) as Int16Array;
        for (let i = 0; i < values.length; i++) stored[i] = Math.round(values[i]! * one);
        return { ...channel, values: stored };
    }
    return channel;
}

/** The values as readers decode them (3.11): rounded to float32 once. */
export function decoded(values: StoredValues): ArrayLike<number> {
    const type = INTEGERS.find(({ Components }) => values instanceof Components);
    if (type === undefined) return values;
    // Not Float32Array.from, which iterates.
    const floats = new Float32Array(values.length);
    for (let i = 0; i < values.length; i++) floats[i] = values[i]! / type.one;
    return floats;
}

const COMPONENT_TYPES = new Map(
    [...COMPONENTS].map(([componentType, { Components }]) => [Components.name, componentType]),
);

/** glTF's component type of a list. By the name of its class, because another realm has other classes. */
export function componentTypeOf(values: StoredValues): number {
    return COMPONENT_TYPES.get(values.constructor.name)!;
}
