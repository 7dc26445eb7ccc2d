// SPDX-License-Identifier: MIT

import type { SceneNode } from './scene';

type Parents = readonly Pick<SceneNode, 'parent'>[];

/** Gives each node with value -1 the value of the nearest ancestor that has another one. */
export function fillFromAbove(nodes: Parents, values: Int32Array): Int32Array {
    // Each node is visited once, at any depth.
    const known = new Uint8Array(nodes.length);
    for (let start = 0; start < nodes.length; start++) {
        let top = start;
        while (known[top] === 0 && values[top] === -1 && nodes[top]!.parent >= 0) top = nodes[top]!.parent;
        const value = values[top]!;
        known[top] = 1;
        for (let node = start; node !== top; node = nodes[node]!.parent) {
            known[node] = 1;
            values[node] = value;
        }
    }
    return values;
}

/** The part of a decoded or undecoded scene that determines which nodes move. */
interface Movable {
    readonly nodes: Parents;
    readonly skins: readonly { readonly joints: readonly number[] }[];
    readonly animations: readonly { readonly channels: readonly { readonly node: number; readonly path: string }[] }[];
}

/** By node 1 or -1: joints, targets of animations and nodes below them move; morph weights only move their target. */
export function movingNodes({ nodes, skins, animations }: Movable): Int32Array {
    const moving = new Int32Array(nodes.length).fill(-1);
    for (const { joints } of skins) for (const joint of joints) moving[joint] = 1;
    const morphing: number[] = [];
    for (const { channels } of animations) {
        for (const { node, path } of channels) {
            if (path === 'weights') morphing.push(node);
            else moving[node] = 1;
        }
    }
    fillFromAbove(nodes, moving);
    for (const node of morphing) moving[node] = 1;
    return moving;
}
