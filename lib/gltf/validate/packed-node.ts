// SPDX-License-Identifier: MIT

import type { SceneNode } from '../scene';

// Shared by all nodes that omit a property, so that a million of them take little memory.
const ORIGIN = new Float32Array(3);
const NO_ROTATION = new Float32Array([0, 0, 0, 1]);
const UNIT_SCALE = new Float32Array([1, 1, 1]);

/** Flags for the properties of a node in the JSON. A matrix excludes the others. */
export const TRANSLATION = 1;
export const ROTATION = 2;
export const SCALE = 4;
export const MATRIX = 8;

/** A node in shared memory. Its arrays are views made on access: those of a million nodes would take 300 MB. */
class PackedNode implements SceneNode {
    /** Only nodes that have some get the property. */
    declare readonly extras?: unknown;

    constructor(
        readonly name: string,
        readonly parent: number,
        readonly weights: Float32Array,
        private readonly parts: number,
        private readonly floats: Float32Array,
        private readonly at: number,
        extras: unknown,
    ) {
        if (extras !== undefined) this.extras = extras;
    }

    get matrix(): Float32Array | null {
        return (this.parts & MATRIX) === 0 ? null : this.view(0, 16);
    }

    get translation(): Float32Array {
        return (this.parts & TRANSLATION) === 0 ? ORIGIN : this.view(0, 3);
    }

    get rotation(): Float32Array {
        return (this.parts & ROTATION) === 0 ? NO_ROTATION : this.view(floatsOf(this.parts & TRANSLATION), 4);
    }

    get scale(): Float32Array {
        return (this.parts & SCALE) === 0 ? UNIT_SCALE : this.view(floatsOf(this.parts & (TRANSLATION | ROTATION)), 3);
    }

    private view(from: number, length: number): Float32Array {
        return this.floats.subarray(this.at + from, this.at + from + length);
    }
}

function floatsOf(parts: number): number {
    return (
        (parts & TRANSLATION ? 3 : 0) + (parts & ROTATION ? 4 : 0) + (parts & SCALE ? 3 : 0) + (parts & MATRIX ? 16 : 0)
    );
}

export type NodeMaker = (
    name: string,
    parent: number,
    weights: Float32Array,
    parts: number,
    extras?: unknown,
) => SceneNode;

/** Makes nodes with room for the numbers of their `parts`. Callers write them through the views. */
export function createNodeMaker(nodeCount: number): NodeMaker {
    let chunk = new Float32Array(0);
    let used = 0;
    return (name, parent, weights, parts, extras) => {
        const length = floatsOf(parts);
        if (used + length > chunk.length) {
            chunk = new Float32Array(Math.min(nodeCount * 16, 16384));
            used = 0;
        }
        used += length;
        return new PackedNode(name, parent, weights, parts, chunk, used - length, extras);
    };
}
