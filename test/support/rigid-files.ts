// SPDX-License-Identifier: MIT

/** Small files with meshes that no skin moves. */

import { GltfBuilder, keyed, type NodeSpec } from './gltf-builder';

const BOX = [
    [0.25, 0, 0],
    [0, 0.5, 0],
    [0, 0, -0.75],
    [-1, 0.25, 3],
];
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const SHIFTED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, 0.5, 1];

const turn = (node: number) =>
    keyed(node, 'rotation', [0, 0.4, 0.8], [0, 0, 0, 1], [0.6, 0, 0, 0.8], [0, 0.28, 0, 0.96]);

/**
 * 0 root - 1 hips* - 2 - 3 hand* (with a mesh of its own) - 4 sword - 5 gem
 *        - 6 door (moved) - 7 handle (morphs)
 *        - 8 wall (still)
 *        - 9 tail* - 10 ribbon      11 camera (moved, empty)       *: joints
 *
 * Skins: 0 and 1 hips and hand, the same; 2 tail and hand.
 */
export function knightFile(folder: string): string {
    const nodes: NodeSpec[] = [
        { name: 'root', children: [1, 6, 8, 9], scale: [2, 2, 2] },
        { name: 'hips', children: [2], translation: [0, 1, 0] },
        { name: 'between', children: [3], scale: [1, 3, 1] },
        { name: 'hand', children: [4], translation: [0.5, 0, 0] },
        { name: 'sword', children: [5], rotation: [0, 0, 0.6, 0.8] },
        { name: 'gem', translation: [0, 2, 0] },
        { name: 'door', children: [7], translation: [-3, 0, 0] },
        { name: 'handle', translation: [0, 0, 1] },
        { name: 'wall' },
        { name: 'tail', children: [10] },
        { name: 'ribbon', translation: [0, -1, 0] },
        { name: 'camera' },
    ];
    const builder = new GltfBuilder(nodes);
    const mesh = builder.rigidMesh(BOX);
    for (const node of [3, 4, 5, 6, 8, 10]) nodes[node]!.mesh = mesh;
    nodes[7]!.mesh = builder.rigidMesh(BOX, [0.5, 0]);
    for (const joints of [
        [1, 3],
        [1, 3],
        [9, 3],
    ]) {
        builder.skinnedMesh(builder.skin(joints, { inverseBindMatrices: [SHIFTED, IDENTITY] }));
    }
    const vanish = { ...keyed(4, 'scale', [0, 0.5], [1, 1, 1], [0, 0, 0]), interpolation: 'STEP' as const };
    builder.animation('Swing', [turn(1), turn(3), vanish, turn(11)]);
    const weights = keyed(7, 'weights', [0, 0.8], [0, 1], [1, 0]);
    builder.animation('Open', [turn(6), turn(9), weights]);
    return builder.write(folder, 'knight');
}

/** A frame with a door that a clip moves, and a wall that nothing moves. No skin. */
export function doorFile(folder: string): string {
    const nodes: NodeSpec[] = [{ name: 'frame', children: [1, 2] }, { name: 'door' }, { name: 'wall' }];
    const builder = new GltfBuilder(nodes);
    nodes[1]!.mesh = builder.rigidMesh(BOX);
    nodes[2]!.mesh = nodes[1]!.mesh;
    return builder.animation('Open', [turn(1)]).write(folder, 'door');
}
