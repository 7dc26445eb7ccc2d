// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import { fillFromAbove } from '../../gltf/hierarchy';
import { decodedLimit } from '../../gltf/limits';
import type { GltfScene, RigidMesh } from '../../gltf/scene';
import type { MovedPrimitive } from './geometry';
import { cornersAt } from './instances';

/** The parts of a scene that characters are made of. */
export type CharacterScene = Pick<GltfScene, 'nodes' | 'skins' | 'skinnedMeshes' | 'rigidMeshes' | 'ownBytes'>;

/**
 * Maximum number of nodes that one character may need: its joints, attachments, and all their ancestors. Each needs 1.4
 * KB for a block of poses, and baking has up to four blocks: 370 MB at this limit, 6 GB for the million nodes of a
 * legal chain. Vertices have 16 bits for a joint, so they cannot use more than 65,536.
 */
export const MAX_SLOTS = 65536;

/** Nodes with a palette column in one output. */
export interface Character {
    /** Skins that share the palette, ascending. Empty if the file has no skin. */
    readonly skins: readonly number[];
    /** Number of joints, which are the first columns. */
    readonly joints: number;
    /** Nodes of moving meshes without a skin, which are the next columns. */
    readonly attachments: readonly RigidMesh[];
    /** Node of each column. */
    readonly nodes: readonly number[];
    /** `nodes.length * 16` floats, column-major. Identities for attachments. */
    readonly inverseBindMatrices: Float32Array;
    /** Node with root motion, the same for all outputs of a file; -1 without root motion. */
    readonly root: number;
}

/**
 * All characters of a scene, in file order: one for each skin with a palette of its own. A scene without skins has one for the attachments,
 * or none if nothing moves. An attachment belongs to the skin of its nearest ancestor joint, else to the first skin.
 */
export function everyCharacter(
    scene: CharacterScene,
    isTaken: (node: number) => boolean = () => true,
): readonly Character[] {
    const { nodes, skins } = scene;
    const moving = (scene.rigidMeshes ?? []).filter(({ node, moves }) => moves && isTaken(node));
    const groups = sameSkins(scene);
    if (groups.length === 0) return moving.length > 0 ? [character(scene, [], moving)] : [];
    const owners = new Int32Array(nodes.length).fill(-1);
    for (const [group, [first]] of [...groups.entries()].reverse()) {
        for (const joint of skins[first!]!.joints) owners[joint] = group;
    }
    fillFromAbove(nodes, owners);
    const ofGroup: RigidMesh[][] = groups.map(() => []);
    for (const mesh of moving) ofGroup[Math.max(owners[mesh.node]!, 0)]!.push(mesh);
    return groups.map((group, index) => character(scene, group, ofGroup[index]!));
}

/** Groups of skins with equal palettes, in the order of their first skin. */
export function sameSkins({ skins }: Pick<GltfScene, 'skins'>): number[][] {
    const bits = skins.map(({ inverseBindMatrices: { buffer, byteOffset, length } }) => {
        return new Uint32Array(buffer, byteOffset, length);
    });
    const compare = (a: number, b: number) =>
        compareLists(skins[a]!.joints, skins[b]!.joints) || compareLists(bits[a]!, bits[b]!);
    const groups: number[][] = [];
    // The sort is stable, so each group begins with its lowest skin.
    for (const index of [...skins.keys()].sort(compare)) {
        const group = groups.at(-1);
        if (group !== undefined && compare(group[0]!, index) === 0) group.push(index);
        else groups.push([index]);
    }
    return groups.sort(([a], [b]) => a! - b!);
}

/** Orders two lists of integers; 0 if equal. */
function compareLists(a: ArrayLike<number>, b: ArrayLike<number>): number {
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    return a.length - b.length || (at < a.length ? a[at]! - b[at]! : 0);
}

function character({ skins }: CharacterScene, group: readonly number[], attachments: readonly RigidMesh[]): Character {
    const { joints, inverseBindMatrices } = skins[group[0]!] ?? {
        joints: [],
        inverseBindMatrices: new Float32Array(0),
    };
    const nodes = [...joints, ...attachments.map(({ node }) => node)];
    const matrices = new Float32Array(nodes.length * 16);
    for (let i = joints.length * 16; i < matrices.length; i++) if ((i % 16) % 5 === 0) matrices[i] = 1;
    matrices.set(inverseBindMatrices);
    return { skins: group, joints: joints.length, attachments, nodes, inverseBindMatrices: matrices, root: -1 };
}

/** @throws InputError `GLTF_INVALID` for too many vertices: nodes can share a mesh any number of times. */
export function primitivesOf(
    scene: CharacterScene,
    file: string,
    { skins, joints, attachments }: Character,
): Record<'skinned' | 'rigid', MovedPrimitive[]> {
    const own = new Set(skins);
    // A skinned mesh ignores its node's transform, so its nodes are interchangeable.
    const meshes = new Map(
        scene.skinnedMeshes
            .filter(({ skin }) => own.has(skin))
            .map((mesh) => [`${mesh.mesh} ${scene.skins[mesh.skin]!.rescaling ? mesh.skin : ''}`, mesh]),
    );
    const skinned = [...meshes.values()].flatMap(({ primitives }) => primitives);
    const rigid = attachments.flatMap(({ primitives, instances }, i) =>
        (instances === undefined ? primitives : cornersAt(primitives, instances)).map((primitive) => ({
            ...primitive,
            column: joints + i,
        })),
    );
    const numbers = rigid.reduce((sum, { positions }) => sum + positions.length, 0);
    const limit = decodedLimit(scene.ownBytes ?? { stored: 0, expanded: 0 });
    if (numbers > limit) {
        const rule = `the meshes of all attachments have ${numbers} numbers, more than ${limit}, the limit here`;
        throw new InputError('GLTF_INVALID', file, '/meshes', rule);
    }
    return { skinned, rigid };
}
