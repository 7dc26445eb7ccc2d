// SPDX-License-Identifier: MIT

import type { SceneNode } from '../gltf/scene';
import { LOCAL_FLOATS } from './kernels/contract';
import type { RigSource } from './source/source';

/** The nodes that a rig evaluates, parents before their children: by depth, then by node index. */
export interface Skeleton {
    /** Node of each slot. */
    readonly nodes: Int32Array;
    /** Slot of the parent of each slot, always a lower index; -1 for a root. */
    readonly parents: Int32Array;
    /** Slot of each node, or -1. */
    readonly slotOfNode: Int32Array;
    /** `[slot][10]`: T 3, R 4, S 3; the identity for slots with a matrix. */
    readonly rest: Float32Array;
    /** Row of each slot in `matrices`, or -1. */
    readonly matrixOfSlot: Int32Array;
    /** `[matrix][12]`, row-major 3x4. Values of the file, which can have shear or a scale of 0. */
    readonly matrices: Float32Array;
}

const IDENTITY = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

/** @param nodes Their `parent`s must form a forest. */
export function buildSkeleton(nodes: readonly SceneNode[], wanted: Uint8Array): Skeleton {
    const order = parentsFirst(nodes, wanted);
    const slotOfNode = new Int32Array(nodes.length).fill(-1);
    const parents = new Int32Array(order.length);
    const rest = new Float32Array(order.length * LOCAL_FLOATS);
    const matrixOfSlot = new Int32Array(order.length).fill(-1);
    const matrixSlots: number[] = [];
    for (let slot = 0; slot < order.length; slot++) {
        const node = nodes[order[slot]!]!;
        slotOfNode[order[slot]!] = slot;
        parents[slot] = node.parent < 0 ? -1 : slotOfNode[node.parent]!;
        if (node.matrix === null) {
            rest.set(node.translation, slot * LOCAL_FLOATS);
            rest.set(node.rotation, slot * LOCAL_FLOATS + 3);
            rest.set(node.scale, slot * LOCAL_FLOATS + 7);
        } else {
            rest.set(IDENTITY, slot * LOCAL_FLOATS);
            matrixOfSlot[slot] = matrixSlots.push(slot) - 1;
        }
    }
    const matrices = new Float32Array(matrixSlots.length * 12);
    for (const [i, slot] of matrixSlots.entries()) {
        toMat3x4(matrices, i * 12, nodes[order[slot]!]!.matrix!, 0);
    }
    return { nodes: order, parents, slotOfNode, rest, matrixOfSlot, matrices };
}

/** Converts glTF's column-major 4x4 at `from[f]` to a row-major 3x4 at `to[t]`, without the last row 0 0 0 1. */
export function toMat3x4(to: Float32Array, t: number, from: Float32Array, f: number): void {
    for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) to[t + row * 4 + column] = from[f + column * 4 + row]!;
    }
}

/**
 * Selects the nodes that a caller can ask for: joints and animated nodes, nodes below them (sockets, meshes), nodes whose
 * mesh morphs, and the ancestors of all these. Ancestors are needed because they contribute to a joint's global transform (glTF 2.0, 3.7.3.1).
 */
export function nodesToEvaluate({ nodes, skins, animations }: RigSource): Uint8Array {
    const wanted = new Uint8Array(nodes.length);
    for (const { joints } of skins) for (const joint of joints) wanted[joint] = 1;
    for (const { channels } of animations) {
        for (const { node, path } of channels) if (path !== 'weights') wanted[node] = 1;
    }
    addDescendants(nodes, wanted);
    for (const { channels } of animations) {
        for (const { node, path } of channels) if (path === 'weights') wanted[node] = 1;
    }
    for (let start = 0; start < nodes.length; start++) {
        if (wanted[start] === 0) continue;
        for (let node = nodes[start]!.parent; node >= 0 && wanted[node] === 0; node = nodes[node]!.parent) {
            wanted[node] = 2; // marks an ancestor, so each chain is walked only once
        }
    }
    return wanted;
}

/** Uses no recursion, because chains of 10^6 nodes are legal. */
function addDescendants(nodes: readonly SceneNode[], wanted: Uint8Array): void {
    const known = wanted.slice(); // 1: it moves, by itself or with an ancestor; 2: it does not
    const chain: number[] = [];
    for (let start = 0; start < nodes.length; start++) {
        let node = start;
        while (node >= 0 && known[node] === 0) {
            chain.push(node);
            node = nodes[node]!.parent;
        }
        const below = node >= 0 && known[node] === 1;
        while (chain.length > 0) {
            const link = chain.pop()!;
            known[link] = below ? 1 : 2;
            if (below) wanted[link] = 1;
        }
    }
}

/** Sorts the wanted nodes by depth, then by index. All ancestors of a wanted node must be wanted too. */
export function parentsFirst(nodes: readonly Pick<SceneNode, 'parent'>[], wanted: Uint8Array): Int32Array {
    const depths = new Int32Array(nodes.length).fill(-1);
    const chain: number[] = [];
    const perDepth: number[] = [];
    let needed = 0;
    for (let start = 0; start < nodes.length; start++) {
        if (wanted[start] === 0) continue;
        let node = start;
        while (node >= 0 && depths[node]! < 0) {
            chain.push(node);
            node = nodes[node]!.parent;
        }
        let depth = node < 0 ? -1 : depths[node]!;
        while (chain.length > 0) {
            depth += 1;
            depths[chain.pop()!] = depth;
            perDepth[depth] = (perDepth[depth] ?? 0) + 1;
            needed += 1;
        }
    }
    const next = new Int32Array(perDepth.length);
    for (let depth = 1; depth < perDepth.length; depth++) next[depth] = next[depth - 1]! + perDepth[depth - 1]!;
    const order = new Int32Array(needed);
    for (let node = 0; node < nodes.length; node++) {
        const depth = depths[node]!;
        if (depth < 0) continue;
        order[next[depth]!] = node;
        next[depth]! += 1;
    }
    return order;
}
