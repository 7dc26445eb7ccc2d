// SPDX-License-Identifier: MIT

import type * as THREE from 'three' with { 'resolution-mode': 'import' };
import type { ThreeLike } from './types';

/** Floats of each instance: by its number, and in the order in which instances are drawn. */
export interface Lane {
    readonly floats: number;
    readonly own: Float32Array;
    /** What the renderer reads. */
    readonly drawn: THREE.InstancedBufferAttribute | THREE.InstancedInterleavedBuffer;
}

/** A lane that an attribute of its own hands to shaders, which `attribute` makes of the memory. */
export function createLane<T extends Lane['drawn']>(
    three: Pick<ThreeLike, 'DynamicDrawUsage'>,
    floats: number,
    count: number,
    attribute: (array: Float32Array, floats: number) => T,
): Lane & { readonly drawn: T } {
    const drawn = attribute(new Float32Array(count * floats), floats);
    drawn.setUsage(three.DynamicDrawUsage);
    return { floats, own: new Float32Array(count * floats), drawn };
}

/** Copies what the first `count` instances of `order` have to where it is drawn. */
export function drawLane({ floats, own, drawn }: Lane, order: Uint32Array, count: number): void {
    const array = drawn.array as Float32Array;
    for (let slot = 0; slot < count; slot++) {
        const instance = order[slot]! * floats;
        for (let i = 0; i < floats; i++) array[slot * floats + i] = own[instance + i]!;
    }
    drawn.needsUpdate = true;
}

/** Sets what an instance has, and where it is drawn, if it is. */
export function writeLane(lane: Lane, instance: number, slot: number, values: ArrayLike<number>): void {
    const { floats, own, drawn } = lane;
    for (let i = 0; i < floats; i++) {
        own[instance * floats + i] = values[i]!;
        if (slot >= 0) (drawn.array as Float32Array)[slot * floats + i] = values[i]!;
    }
    drawn.needsUpdate = true;
}
