// SPDX-License-Identifier: MIT

import { arrayAt, extrasIn, floatsAt, indexAt, type JsonObject, nameOf, objectAt } from '../json';
import { invalid, type Report, warn } from '../reading';
import type { SceneNode } from '../scene';
import { createNodeMaker, MATRIX, ROTATION, SCALE, TRANSLATION } from './packed-node';
import { checkLastRow, FLOAT_TOLERANCE, lengthError } from './transforms';

/** The nodes, with mesh and skin by node index; -1 for none. */
export interface CheckedNodes {
    readonly nodes: readonly SceneNode[];
    readonly meshes: Int32Array;
    readonly skins: Int32Array;
}

/** Every node's parent; -1 for roots. glTF 2.0, 3.5.2: disjoint strict trees, so at most one parent and no cycles. */
function checkHierarchy(values: readonly unknown[], report: Report): Int32Array {
    const parents = new Int32Array(values.length).fill(-1);
    for (const [index, value] of values.entries()) {
        const node = objectAt(report, value, `/nodes/${index}`);
        if (node.children === undefined) continue;
        const pointer = `/nodes/${index}/children`;
        for (const [i, entry] of arrayAt(report, node.children, pointer).entries()) {
            const child = indexAt(report, entry, values.length, `${pointer}/${i}`, 'nodes');
            if (parents[child] !== -1) {
                const rule = `node ${child} is already a child of node ${parents[child]}: one parent at most (3.5.2)`;
                invalid(report, `${pointer}/${i}`, rule);
            }
            parents[child] = index;
        }
    }
    // With one parent each, a cycle is a walk upwards that meets itself. Each node is visited once.
    const walks = new Int32Array(values.length);
    for (let start = 0; start < parents.length; start++) {
        let node = start;
        while (node !== -1 && walks[node] === 0) {
            walks[node] = start + 1;
            node = parents[node]!;
        }
        if (node !== -1 && walks[node] === start + 1) {
            const children = (values[parents[node]!] as { children: readonly unknown[] }).children;
            const pointer = `/nodes/${parents[node]}/children/${children.indexOf(node)}`;
            invalid(report, pointer, `node ${node} is its own ancestor: the hierarchy must not have cycles (3.5.2)`);
        }
    }
    return parents;
}

function partsOf({ matrix, translation, rotation, scale }: JsonObject): number {
    if (matrix !== undefined) return MATRIX;
    return (
        (translation === undefined ? 0 : TRANSLATION) +
        (rotation === undefined ? 0 : ROTATION) +
        (scale === undefined ? 0 : SCALE)
    );
}

/** glTF 2.0, 3.5.3. Writes to the views of `to`. `matrix` is not changed: evaluation supports shear and zero scale. */
function readTransform(to: SceneNode, node: JsonObject, pointer: string, report: Report): void {
    const { matrix, translation, rotation, scale } = node;
    if (matrix !== undefined) {
        const values = floatsAt(report, matrix, to.matrix!, `${pointer}/matrix`);
        checkLastRow(values, 0, `${pointer}/matrix`, '3.5.3', report);
        if (translation !== undefined || rotation !== undefined || scale !== undefined) {
            const message =
                'translation, rotation and scale are ignored beside matrix (3.5.3); remove one or the other';
            warn(report, 'MATRIX_AND_TRS', pointer, message);
        }
        return;
    }
    if (rotation !== undefined) {
        const error = lengthError(floatsAt(report, rotation, to.rotation, `${pointer}/rotation`), 0);
        if (error > FLOAT_TOLERANCE) {
            const message = `length differs from 1 by ${error.toPrecision(2)}; it is used as it is (3.5.3); export it with length 1`;
            warn(report, 'NON_UNIT_ROTATION', `${pointer}/rotation`, message);
        }
    }
    if (translation !== undefined) floatsAt(report, translation, to.translation, `${pointer}/translation`);
    if (scale !== undefined) floatsAt(report, scale, to.scale, `${pointer}/scale`);
}

/** Checks nodes and hierarchy without recursion, since a chain of a million is legal. `restWeights`: those at rest. */
export function checkNodes(
    json: JsonObject,
    restWeights: (node: JsonObject, mesh: number, pointer: string) => Float32Array,
    report: Report,
): CheckedNodes {
    const values = arrayAt(report, json.nodes, '/nodes');
    const meshCount = arrayAt(report, json.meshes, '/meshes').length;
    const skinCount = arrayAt(report, json.skins, '/skins').length;
    const parents = checkHierarchy(values, report);
    const meshes = new Int32Array(values.length).fill(-1);
    const skins = new Int32Array(values.length).fill(-1);
    const noWeights = new Float32Array(0);
    const makeNode = createNodeMaker(values.length);
    const nodes = values.map((value, index): SceneNode => {
        const node = value as JsonObject;
        const pointer = `/nodes/${index}`;
        if (node.mesh !== undefined) {
            meshes[index] = indexAt(report, node.mesh, meshCount, `${pointer}/mesh`, 'meshes');
        }
        if (node.skin !== undefined) {
            skins[index] = indexAt(report, node.skin, skinCount, `${pointer}/skin`, 'skins');
            if (node.mesh === undefined) {
                const message = 'a skin has no effect on a node without mesh (3.7.4); remove it, or add the mesh';
                warn(report, 'SKIN_WITHOUT_MESH', `${pointer}/skin`, message);
            }
        }
        const weights = meshes[index] === -1 ? noWeights : restWeights(node, meshes[index]!, pointer);
        const { extras } = extrasIn(node, pointer, report);
        const made = makeNode(nameOf(node.name), parents[index]!, weights, partsOf(node), extras);
        readTransform(made, node, pointer, report);
        return made;
    });
    return { nodes, meshes, skins };
}
