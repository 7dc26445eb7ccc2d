// SPDX-License-Identifier: MIT

import { InputError, inputName, UsageError } from '../errors';
import { fillFromAbove } from '../gltf/hierarchy';
import type { GltfScene, RigidMesh } from '../gltf/scene';
import type { Recipe } from './options';
import { range } from './select';

/** What one output has a column of the palette for. */
export interface Character {
    /** Skins of the same joints and inverse bind matrices, ascending; none where the file has no skin. */
    readonly skins: readonly number[];
    /** Joints of the skins: the first columns. */
    readonly joints: number;
    /** Meshes without a skin that move, by node: the columns after them. */
    readonly attachments: readonly RigidMesh[];
    /** Node of each column. */
    readonly nodes: readonly number[];
    /** `nodes.length * 16` floats, column-major; of attachments, identities. */
    readonly inverseBindMatrices: Float32Array;
}

/**
 * What to bake. An attachment belongs to the skin whose joint is nearest above it; without any, to the file's first.
 *
 * @throws InputError `NO_SKIN` where nothing moves; UsageError for a skin that the file does not have.
 */
export function charactersOf(
    scene: GltfScene,
    { skin, attachments }: Pick<Recipe, 'skin' | 'attachments'>,
    file: string,
): Character[] {
    const { nodes, skins } = scene;
    if (skin !== undefined && skin >= skins.length) {
        throw new UsageError(`${inputName(file)}: no skin ${skin}, has ${range('', skins.length)}`);
    }
    const groups = sameSkins(scene);
    const owners = new Int32Array(nodes.length).fill(-1);
    for (const [group, [first]] of [...groups.entries()].reverse()) {
        for (const joint of skins[first!]!.joints) owners[joint] = group;
    }
    fillFromAbove(nodes, owners);
    const baked = groups.flatMap((group, index) => (skin === undefined || group.includes(skin) ? [index] : []));
    const moving = attachments === 'none' ? [] : (scene.rigidMeshes ?? []).filter(({ moves }) => moves);
    if (groups.length === 0) {
        if (moving.length > 0) return [character(scene, [], moving)];
        const rule = 'there is nothing to bake: no skin, and no mesh that joints or clips move';
        throw new InputError('NO_SKIN', file, '/skins', rule);
    }
    const ofGroup: RigidMesh[][] = groups.map(() => []);
    for (const mesh of moving) ofGroup[Math.max(owners[mesh.node]!, 0)]!.push(mesh);
    return baked.map((index) => character(scene, groups[index]!, ofGroup[index]!));
}

/** Skins that would have the same palette, together; in the order of their first. */
function sameSkins({ skins }: GltfScene): number[][] {
    const groups: number[][] = [];
    const byJoints = new Map<string, number[][]>();
    for (const [index, { joints, inverseBindMatrices }] of skins.entries()) {
        const key = joints.join();
        const alike = byJoints.get(key) ?? [];
        byJoints.set(key, alike);
        const found = alike.find(([first]) => sameBytes(skins[first!]!.inverseBindMatrices, inverseBindMatrices));
        if (found !== undefined) {
            found.push(index);
            continue;
        }
        const group = [index];
        alike.push(group);
        groups.push(group);
    }
    return groups;
}

function sameBytes(a: Float32Array, b: Float32Array): boolean {
    const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => Buffer.from(buffer, byteOffset, byteLength);
    return bytesOf(a).equals(bytesOf(b));
}

function character({ skins }: GltfScene, group: readonly number[], attachments: readonly RigidMesh[]): Character {
    const { joints, inverseBindMatrices } = skins[group[0]!] ?? {
        joints: [],
        inverseBindMatrices: new Float32Array(0),
    };
    const nodes = [...joints, ...attachments.map(({ node }) => node)];
    const matrices = new Float32Array(nodes.length * 16);
    for (let i = joints.length * 16; i < matrices.length; i++) if ((i % 16) % 5 === 0) matrices[i] = 1;
    matrices.set(inverseBindMatrices);
    return { skins: group, joints: joints.length, attachments, nodes, inverseBindMatrices: matrices };
}

/** How messages name a character. */
export function characterName({ skins }: Character): string {
    return skins.length === 0 ? 'the file' : `skin ${skins[0]}`;
}

/** How messages name a column: names may be empty or repeat. */
export function columnName({ nodes }: GltfScene, { joints, nodes: columns }: Character, column: number): string {
    const node = columns[column]!;
    const { name } = nodes[node]!;
    return column < joints ? `joint ${column} '${name}' (node ${node})` : `mesh '${name}' (node ${node})`;
}

/** Names of what `hit` chooses from, by column: joints, without a skin attachments. */
export function hitNames({ nodes }: GltfScene, { joints, nodes: columns }: Character): string[] {
    return columns.slice(0, joints || columns.length).map((node) => nodes[node]!.name);
}
