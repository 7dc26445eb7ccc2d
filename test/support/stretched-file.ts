// SPDX-License-Identifier: MIT

/** Random rigs with unequal scale and shear, for the layout qts16. */

import { inverse } from '../../lib/verify/matrix';
import { GltfBuilder, keyed, type NodeSpec } from './gltf-builder';
import { random, randomRotation, randomVector } from './random';

/** Joints of the chain, from the top. */
const CHAIN = [1, 2, 3, 4];
const LEG = 5;
const BLADE = 6;
const TAIL = 8;

/**
 * A chain of four joints that turn, with a mesh on the last one; a joint beside them, which nothing stretches; and a joint below a matrix
 * with shear.
 *
 * @param depth The joint of the chain with unequal scale, from 0; -1 for none, and no shear.
 * @param moves Whether that scale has keys. Otherwise only rotations change.
 * @param binds Whether joints have inverse bind matrices, which undo the rest pose of the chain. They do not undo the shear.
 */
export function stretchedFile(folder: string, seed: number, depth: number, moves: boolean, binds: boolean): string {
    const next = random(seed);
    const shear = depth < 0 ? 0 : 0.4;
    const size = () => [0, 1, 2].map(() => Math.fround(0.5 + next()));
    const chain = CHAIN.map(
        (joint, i): NodeSpec => ({
            children: [i < 3 ? joint + 1 : BLADE],
            translation: randomVector(next, 1),
            ...(i === depth ? { scale: size() } : {}),
        }),
    );
    const nodes: NodeSpec[] = [
        { children: [1, LEG, 7] },
        ...chain,
        { name: 'leg', translation: randomVector(next, 1) },
        { name: 'blade' },
        { name: 'shear', matrix: [1, 0, 0, 0, shear, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], children: [TAIL] },
        { name: 'tail', translation: randomVector(next, 1) },
    ];
    const gltf = new GltfBuilder(nodes);
    const joints = [...CHAIN, LEG, TAIL];
    const skin = gltf.skin(joints, binds ? { inverseBindMatrices: joints.map((joint) => undo(nodes, joint)) } : {});
    gltf.vertices(
        skin,
        Array.from({ length: 60 }, (_, v) => ({
            at: randomVector(next, 1),
            joints: [v % 6, (v + 1) % 6, 0, 0],
            weights: v % 4 === 0 ? [0.75, 0.25, 0, 0] : [1, 0, 0, 0],
        })),
    );
    nodes[BLADE]!.mesh = gltf.rigidMesh([randomVector(next, 1), randomVector(next, 1), randomVector(next, 1)]);
    const times = [0, 0.4, 0.7, 1.3];
    const turns = joints.map((node) => keyed(node, 'rotation', times, ...times.map(() => randomRotation(next))));
    const scales = moves && depth >= 0 ? [keyed(CHAIN[depth]!, 'scale', times, ...times.map(size))] : [];
    gltf.animation('turns', turns).animation('stretches', [...turns.slice(2), ...scales]);
    return gltf.write(folder, `stretched-${seed}`);
}

/** The inverse of a node's global rest transform, of translations and scales. */
function undo(nodes: readonly NodeSpec[], joint: number): number[] {
    const [place, size] = [
        [0, 0, 0],
        [1, 1, 1],
    ];
    for (let node = joint; node > 0; node = nodes.findIndex(({ children }) => children?.includes(node))) {
        const { translation = [0, 0, 0], scale = [1, 1, 1] } = nodes[node]!;
        for (let axis = 0; axis < 3; axis++) {
            place[axis] = translation[axis]! + scale[axis]! * place[axis]!;
            size[axis]! *= scale[axis]!;
        }
    }
    const [x, y, z] = size as [number, number, number];
    return [...inverse([x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, ...place, 1])!];
}
