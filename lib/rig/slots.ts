// SPDX-License-Identifier: MIT

import type { SceneNode } from '../gltf/scene';

/**
 * The nodes that must be evaluated to place a skin's joints: the joints themselves and every node above them, a joint
 * or not, animated or not (glTF 2.0 section 3.7.3.1: a joint's global transform is that of the whole chain of nodes).
 * Parents come before their children, as the joint lists need.
 */
export interface SlotTable {
    /** Node index of each slot. */
    readonly nodes: Int32Array;
    /** Slot of each slot's parent, always a lower number; -1 for a root. */
    readonly parents: Int32Array;
    /** Slot of each node of the scene, -1 where it has none. */
    readonly slotOfNode: Int32Array;
    /** Rest pose as JointQuats, `slots * 8`: x y z w, tx ty tz 0. The identity for slots with a matrix. */
    readonly restQuats: Float32Array;
    /** Rest scale, `slots * 3`: not a part of JointQuats. */
    readonly restScales: Float32Array;
    /** The slots whose node has a `matrix` instead of translation, rotation and scale. */
    readonly matrixSlots: Int32Array;
    /** Their local transforms as they are in the file (shear, zero scale), `matrixSlots.length * 12` JointMats. */
    readonly matrices: Float32Array;
}

/**
 * Builds the slots of one skin.
 *
 * @param nodes All nodes of the scene; their `parent`s form a forest.
 * @param joints Node indices, in any order, repeats allowed.
 * @throws RangeError where the parents run in a cycle (a validated scene has none).
 */
export function buildSlots(nodes: readonly SceneNode[], joints: readonly number[]): SlotTable {
    const order = parentsFirst(nodes, joints);
    const slotOfNode = new Int32Array(nodes.length).fill(-1);
    const parents = new Int32Array(order.length);
    const restQuats = new Float32Array(order.length * 8);
    const restScales = new Float32Array(order.length * 3);
    const matrixSlots: number[] = [];
    for (let slot = 0; slot < order.length; slot++) {
        const node = nodes[order[slot]!]!;
        slotOfNode[order[slot]!] = slot;
        parents[slot] = node.parent < 0 ? -1 : slotOfNode[node.parent]!;
        if (node.matrix === null) {
            restQuats.set(node.rotation, slot * 8);
            restQuats.set(node.translation, slot * 8 + 4);
            restScales.set(node.scale, slot * 3);
        } else {
            restQuats[slot * 8 + 3] = 1;
            restScales.fill(1, slot * 3, slot * 3 + 3);
            matrixSlots.push(slot);
        }
    }
    const matrices = new Float32Array(matrixSlots.length * 12);
    matrixSlots.forEach((slot, i) => {
        columnMajorToJointMat(matrices, i * 12, nodes[order[slot]!]!.matrix!, 0);
    });
    return {
        nodes: order,
        parents,
        slotOfNode,
        restQuats,
        restScales,
        matrixSlots: Int32Array.from(matrixSlots),
        matrices,
    };
}

/** glTF's column-major 4x4 at `from[f]` to a row-major 3x4 at `to[t]`; the last row, 0 0 0 1, goes without saying. */
export function columnMajorToJointMat(to: Float32Array, t: number, from: Float32Array, f: number): void {
    for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) to[t + row * 4 + column] = from[f + column * 4 + row]!;
    }
}

/** The nodes needed, sorted by depth and then by node index. No recursion: chains of 10^6 nodes are legal. */
function parentsFirst(nodes: readonly SceneNode[], joints: readonly number[]): Int32Array {
    const depths = new Int32Array(nodes.length).fill(-1);
    const chain: number[] = [];
    const perDepth: number[] = [];
    let needed = 0;
    for (const joint of joints) {
        let node = joint;
        while (node >= 0 && depths[node] === -1) {
            depths[node] = -2; // on the chain: meeting it again would be a cycle
            chain.push(node);
            node = nodes[node]!.parent;
        }
        if (node >= 0 && depths[node] === -2) throw new RangeError(`the parents of node ${joint} run in a cycle`);
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
