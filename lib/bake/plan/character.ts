// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions, UsageError } from '../../base/errors';
import { nearNames } from '../../base/names';
import { fillFromAbove } from '../../gltf/hierarchy';
import type { GltfScene, RigidMesh } from '../../gltf/scene';
import type { Recipe } from './options';
import { range } from './select';

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

/** @throws InputError `NO_SKIN` if nothing moves; UsageError for a missing skin or root joint. */
export function charactersOf(
    scene: GltfScene,
    recipe: Pick<Recipe, 'skin' | 'attachments' | 'space' | 'root'>,
    file: string,
): readonly Character[] {
    const { skin, attachments, space } = recipe;
    const { skins } = scene;
    if (skin !== undefined && skin >= skins.length) {
        throw new UsageError(`${inputName(file)}: no skin ${skin}, has ${range('', skins.length)}`);
    }
    const all = everyCharacter(scene, attachments);
    if (skins.length === 0 && space === 'skin-root') {
        const rule = "'skin-root' needs a skin, and there is none";
        throw namingOptions((name) => new UsageError(`${inputName(file)}: ${name('space')}: ${rule}`));
    }
    if (all.length === 0) {
        throw namingOptions((name) => {
            const none = attachments === 'none' ? `, and ${name('attachments')} leaves out what else may move` : '';
            const rule = `there is nothing to bake: no skin${none || ', and no mesh that joints or clips move'}`;
            return new InputError('NO_SKIN', file, '/skins', rule);
        });
    }
    return withRoot(scene, all, recipe, file).filter((one) => skin === undefined || one.skins.includes(skin));
}

/**
 * All characters of a scene, in file order: one for each skin with a palette of its own. A scene without skins has one for the attachments,
 * or none if nothing moves. An attachment belongs to the skin of its nearest ancestor joint, else to the first skin.
 */
export function everyCharacter(scene: GltfScene, attachments: Recipe['attachments'] = 'all'): readonly Character[] {
    const { nodes, skins } = scene;
    const moving = attachments === 'none' ? [] : (scene.rigidMeshes ?? []).filter(({ moves }) => moves);
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

/** All characters share one root, even when baked separately: players place all parts of a model together. */
function withRoot(
    scene: GltfScene,
    characters: readonly Character[],
    { root }: Pick<Recipe, 'root'>,
    file: string,
): readonly Character[] {
    if (root === null) return characters;
    const node = rootNodeOf(scene, characters, root.joint, file);
    return characters.map((character) => ({ ...character, root: node }));
}

/** The node of a joint (without a skin, of an attachment) by name; by default the first without a parent joint. */
function rootNodeOf(scene: GltfScene, characters: readonly Character[], name: string | null, file: string): number {
    const nodes = [...new Set(characters.flatMap(({ joints, nodes }) => nodes.slice(0, joints || nodes.length)))];
    if (name === null) {
        const [{ joints, nodes: columns }] = characters as [Character];
        const own = columns.slice(0, joints || columns.length);
        const among = new Set(own);
        return own.find((node) => {
            let above = scene.nodes[node]!.parent;
            while (above >= 0 && !among.has(above)) above = scene.nodes[above]!.parent;
            return above < 0;
        })!;
    }
    const named = nodes.filter((node) => scene.nodes[node]!.name === name);
    if (named.length === 1) return named[0]!;
    const what = characters.some(({ joints }) => joints > 0) ? 'joint' : 'attachment';
    const known = nodes.map((node) => scene.nodes[node]!);
    const rule =
        named.length > 1
            ? `the nodes ${named[0]} and ${named[1]} are both called '${name}'`
            : `no ${what} '${name}', ${nearNames(name, known)}`;
    throw namingOptions((option) => new UsageError(`${inputName(file)}: ${option('rootJoint')}: ${rule}`));
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

function character({ skins }: GltfScene, group: readonly number[], attachments: readonly RigidMesh[]): Character {
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

export function characterName({ skins }: Character): string {
    return skins.length === 0 ? 'the attachments' : `skin ${skins[0]}`;
}

/** Name of a column in messages, because names may be empty or repeat. */
export function columnName({ nodes }: GltfScene, { joints, nodes: columns }: Character, column: number): string {
    const node = columns[column]!;
    const { name } = nodes[node]!;
    return column < joints ? `joint ${column} '${name}' (node ${node})` : `mesh '${name}' (node ${node})`;
}

/** Names that `hitJoints` matches, by column: joints, or attachments without a skin. */
export function hitNames({ nodes }: GltfScene, { joints, nodes: columns }: Character): string[] {
    return columns.slice(0, joints || columns.length).map((node) => nodes[node]!.name);
}
