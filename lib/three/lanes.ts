// SPDX-License-Identifier: MIT

/** Data of all instances: in the order of their numbers, and in the order in which they are drawn. */
export interface Lane {
    readonly floats: number;
    readonly own: Float32Array;
    /** The renderer's object over `array`. */
    readonly drawn: { needsUpdate: boolean };
    readonly array: Float32Array;
}

/** Creates a lane whose drawn data is in a buffer or texture with room for all instances. */
export function createLane<T extends Lane['drawn']>(
    floats: number,
    count: number,
    drawn: T,
    array: ArrayLike<number>,
): Lane & { readonly drawn: T } {
    return { floats, own: new Float32Array(count * floats), drawn, array: array as Float32Array };
}

/** Copies the data of the first `count` instances of `order` to the drawn data. */
export function drawLane({ floats, own, drawn, array }: Lane, order: Uint32Array, count: number): void {
    for (let slot = 0; slot < count; slot++) {
        const instance = order[slot]! * floats;
        for (let i = 0; i < floats; i++) array[slot * floats + i] = own[instance + i]!;
    }
    drawn.needsUpdate = true;
}

/** Sets the data of an instance, and its drawn data if it is drawn. */
export function writeLane(lane: Lane, instance: number, slot: number, values: ArrayLike<number>): void {
    const { floats, own, drawn, array } = lane;
    for (let i = 0; i < floats; i++) {
        own[instance * floats + i] = values[i]!;
        if (slot >= 0) array[slot * floats + i] = values[i]!;
    }
    drawn.needsUpdate = true;
}
