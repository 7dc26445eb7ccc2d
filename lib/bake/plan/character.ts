// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions, UsageError } from '../../base/errors';
import { nearNames } from '../../base/names';
import type { GltfScene } from '../../gltf/scene';
import { type Character, everyCharacter } from '../../rig/measure/characters';
import type { Recipe } from './options';
import { range } from './select';

/** @throws InputError `NO_SKIN` if nothing moves; UsageError for a missing skin or root joint. */
export function charactersOf(
    scene: GltfScene,
    recipe: Pick<Recipe, 'skin' | 'attachments' | 'space' | 'root'>,
    file: string,
): readonly Character[] {
    const { skin, attachments, space } = recipe;
    const { skins, animations } = scene;
    if (skin !== undefined && skin >= skins.length) {
        throw new UsageError(`${inputName(file)}: no skin ${skin}, has ${range('', skins.length)}`);
    }
    const all = everyCharacter(scene, takenBy(scene, attachments, file));
    if (skins.length === 0 && space === 'skin-root') {
        const rule = "'skin-root' needs a skin, and there is none";
        throw namingOptions((name) => new UsageError(`${inputName(file)}: ${name('space')}: ${rule}`));
    }
    if (all.length === 0) {
        throw namingOptions((name) => {
            const none = attachments === 'none' ? `, and ${name('attachments')} leaves out what else may move` : '';
            const rule = `there is nothing to bake: no skin${none || ', and no mesh that joints or clips move'}`;
            const from = scene.source === undefined ? '' : ` (${scene.source})`;
            const next =
                scene.source !== undefined || animations.length > 0
                    ? `; export it with its mesh, or bake a model with this file in ${name('animations')}`
                    : '';
            return new InputError('NO_SKIN', file, '/skins', `${rule}${from}${next}`);
        });
    }
    return withRoot(scene, all, recipe, file).filter((one) => skin === undefined || one.skins.includes(skin));
}

/** @throws UsageError for a pattern that no attachment matches. */
function takenBy(scene: GltfScene, attachments: Recipe['attachments'], file: string): (node: number) => boolean {
    if (attachments === 'all') return () => true;
    if (attachments === 'none') return () => false;
    const isTaken = (node: number) => attachments.test(scene.nodes[node]!.name);
    const moving = (scene.rigidMeshes ?? []).filter(({ moves }) => moves);
    if (moving.some(({ node }) => isTaken(node))) return isTaken;
    const near = nearNames(
        attachments.source,
        moving.map(({ node }) => scene.nodes[node]!),
    );
    throw namingOptions((name) => {
        const rule = `no moving mesh without a skin matches ${attachments}, ${near}`;
        return new UsageError(`${inputName(file)}: ${name('attachments')}: ${rule}`);
    });
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
