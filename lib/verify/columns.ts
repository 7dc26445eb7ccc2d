// SPDX-License-Identifier: MIT

import type { DoubleEvaluator } from './evaluator';
import type { Columns } from './gltf';
import { movedNodes } from './vertices';

/**
 * @param skin The first of the skins; null if the input has none.
 * @param attachments Nodes, if the bake has only some.
 */
export function columnsOfBake(
    evaluator: DoubleEvaluator,
    skin: number | null,
    attachments: 'none' | undefined | ReadonlySet<number>,
): Columns {
    const skins = skin === null ? [] : skinsLike(evaluator, skin);
    const joints = skin === null ? [] : evaluator.joints(skin);
    const all = attachments === 'none' ? [] : attachmentsOf(evaluator, skins);
    const own = typeof attachments === 'object' ? all.filter((node) => attachments.has(node)) : all;
    const nodes = [...joints, ...own];
    const binds = Float64Array.from({ length: nodes.length * 16 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0));
    if (skin !== null) binds.set(evaluator.inverseBindsOf(skin));
    return { skins, rescaled: [], nodes, joints: joints.length, binds };
}

function skinsLike(evaluator: DoubleEvaluator, skin: number): number[] {
    const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
        a.length === b.length && Array.from(a).every((x, i) => Object.is(x, b[i]));
    return Array.from({ length: evaluator.skinCount }, (_, other) => other).filter(
        (other) =>
            same(evaluator.joints(other), evaluator.joints(skin)) &&
            same(evaluator.inverseBindsOf(other), evaluator.inverseBindsOf(skin)),
    );
}

/**
 * Finds the attachments: nodes with a mesh and no skin that are at or below a joint of any skin, or a node that an
 * animation moves. An attachment below a joint belongs to the first skin with the nearest such joint. Others belong to
 * the file's first skin.
 */
function attachmentsOf(evaluator: DoubleEvaluator, skins: readonly number[]): number[] {
    const { nodes, parents, order } = evaluator;
    const firstSkin = new Map<number, number>();
    for (let skin = evaluator.skinCount - 1; skin >= 0; skin--) {
        for (const joint of evaluator.joints(skin)) firstSkin.set(joint, skin);
    }
    const moves = movedNodes(evaluator.file.json);
    const own = new Set(skins);
    const owner = new Int32Array(nodes.length).fill(-1);
    for (const node of order) {
        owner[node] = firstSkin.get(node) ?? owner[parents[node]!] ?? -1;
    }
    return [...nodes.keys()].filter((node) => {
        const { mesh, skin } = nodes[node]!;
        if (mesh === undefined || skin !== undefined || moves[node] === 0) return false;
        return own.size === 0 || own.has(Math.max(owner[node]!, 0));
    });
}
