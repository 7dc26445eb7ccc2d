// SPDX-License-Identifier: MIT

/** Floats of each instance: by its number, and in the order in which instances are drawn. */
export interface Lane {
    readonly floats: number;
    readonly own: Float32Array;
    /** What the renderer reads: of `array`. */
    readonly drawn: { needsUpdate: boolean };
    readonly array: Float32Array;
}

/** A lane whose drawn floats are those of a buffer or a texture, which has room for all instances. */
export function createLane<T extends Lane['drawn']>(
    floats: number,
    count: number,
    drawn: T,
    array: ArrayLike<number>,
): Lane & { readonly drawn: T } {
    return { floats, own: new Float32Array(count * floats), drawn, array: array as Float32Array };
}

/** Copies what the first `count` instances of `order` have to where it is drawn. */
export function drawLane({ floats, own, drawn, array }: Lane, order: Uint32Array, count: number): void {
    for (let slot = 0; slot < count; slot++) {
        const instance = order[slot]! * floats;
        for (let i = 0; i < floats; i++) array[slot * floats + i] = own[instance + i]!;
    }
    drawn.needsUpdate = true;
}

/** Sets what an instance has, and where it is drawn, if it is. */
export function writeLane(lane: Lane, instance: number, slot: number, values: ArrayLike<number>): void {
    const { floats, own, drawn, array } = lane;
    for (let i = 0; i < floats; i++) {
        own[instance * floats + i] = values[i]!;
        if (slot >= 0) array[slot * floats + i] = values[i]!;
    }
    drawn.needsUpdate = true;
}
