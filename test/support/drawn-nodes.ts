// SPDX-License-Identifier: MIT

import type { Document } from '@gltf-transform/core';
import type { DoubleEvaluator } from '../../lib/verify/evaluator';
import { geometryOf, skinDouble } from '../rig/double-skinning';

/** The meshes that a vertex animation has, in its order: first those with a skin, then those that a clip moves. */
export function drawnNodes(document: Document, evaluator: DoubleEvaluator) {
    const [nodes, skins] = [document.getRoot().listNodes(), document.getRoot().listSkins()];
    const moved = new Set<unknown>(skins.flatMap((skin) => skin.listJoints()));
    for (let animation = 0; animation < evaluator.animationCount; animation++) {
        for (const { node } of evaluator.channelsOf(animation)) moved.add(nodes[node]);
    }
    const moves = (node: (typeof nodes)[0] | null): boolean =>
        node !== null && (moved.has(node) || moves(node.getParentNode()));
    return nodes
        .flatMap((node, index) => {
            const mesh = node.getMesh();
            const skin = node.getSkin() === null ? -1 : skins.indexOf(node.getSkin()!);
            if (mesh === null || !(skin >= 0 || moves(node))) return [];
            const geometry = geometryOf(document, index);
            /** Positions and normals at a time, in double precision. */
            const at = (animation: number, time: number) => {
                const palette =
                    skin < 0 ? evaluator.globals(animation, time) : evaluator.palette(skin, animation, time);
                const places = skin < 0 ? [index] : evaluator.joints(skin).map((_, i) => i);
                const matrices = places.map((i) => [...palette.subarray(i * 16, i * 16 + 16)]);
                return skinDouble(geometry, matrices, evaluator.weights(index, animation, time));
            };
            return [{ index, skin, mesh, geometry, at }];
        })
        .sort((a, b) => Number(a.skin < 0) - Number(b.skin < 0));
}
