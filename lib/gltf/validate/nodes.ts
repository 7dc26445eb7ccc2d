// SPDX-License-Identifier: MIT

import { arrayAt, floatsAt, indexAt, type JsonObject, nameOf, objectAt } from '../json';
import { invalid, type Report, warn } from '../report';
import type { SceneNode } from '../scene';
import { checkLastRow } from './matrix';
import { FLOAT_TOLERANCE, lengthError } from './rotation';

/** The nodes, with what else of them matters: mesh and skin by node index, -1 for none. */
export interface CheckedNodes {
    readonly nodes: readonly SceneNode[];
    readonly meshes: Int32Array;
    readonly skins: Int32Array;
}

// Shared by all nodes that leave a property out, so that a million of them stay cheap.
const ORIGIN = new Float32Array(3);
const NO_ROTATION = new Float32Array([0, 0, 0, 1]);
const UNIT_SCALE = new Float32Array([1, 1, 1]);

/**
 * Hands out small arrays from few large ones. Three million arrays with a buffer each take twice the memory, and
 * the garbage collector 6 s to walk over.
 */
function createPool(nodeCount: number): (length: number) => Float32Array {
    let chunk = new Float32Array(0);
    let used = 0;
    return (length) => {
        if (used + length > chunk.length) {
            chunk = new Float32Array(Math.min(nodeCount * 16, 2 ** 14));
            used = 0;
        }
        used += length;
        return chunk.subarray(used - length, used);
    };
}

/** Every node's parent, -1 for roots. glTF 2.0, 3.5.2: disjoint strict trees, so one parent at most and no cycles. */
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
    // With one parent each, a cycle is a walk upwards that meets itself. Each node is walked over once.
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

/** glTF 2.0, 3.5.3. `matrix` is kept as it is: shear and zero scale are well defined for evaluation. */
function checkTransform(node: JsonObject, pool: (length: number) => Float32Array, pointer: string, report: Report) {
    const { matrix, translation, rotation, scale } = node;
    if (matrix !== undefined) {
        const values = floatsAt(report, matrix, pool(16), `${pointer}/matrix`);
        checkLastRow(values, 0, `${pointer}/matrix`, '3.5.3', report);
        if (translation !== undefined || rotation !== undefined || scale !== undefined) {
            warn(
                report,
                'MATRIX_AND_TRS',
                pointer,
                'translation, rotation and scale are ignored beside matrix (3.5.3)',
            );
        }
        return { matrix: values, translation: ORIGIN, rotation: NO_ROTATION, scale: UNIT_SCALE };
    }
    let quaternion: Float32Array = NO_ROTATION;
    if (rotation !== undefined) {
        quaternion = floatsAt(report, rotation, pool(4), `${pointer}/rotation`);
        const error = lengthError(quaternion, 0);
        if (error > FLOAT_TOLERANCE) {
            const message = `length differs from 1 by ${error.toPrecision(2)}; it is used as it is (3.5.3)`;
            warn(report, 'NON_UNIT_ROTATION', `${pointer}/rotation`, message);
        }
    }
    return {
        matrix: null,
        translation:
            translation === undefined ? ORIGIN : floatsAt(report, translation, pool(3), `${pointer}/translation`),
        rotation: quaternion,
        scale: scale === undefined ? UNIT_SCALE : floatsAt(report, scale, pool(3), `${pointer}/scale`),
    };
}

/**
 * Checks every node and the hierarchy, without recursion: a chain of a million nodes is legal.
 *
 * @param restWeights The morph weights of a node that has the mesh at `mesh`, at rest.
 */
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
    const pool = createPool(values.length);
    const nodes = values.map((value, index): SceneNode => {
        const node = value as JsonObject;
        const pointer = `/nodes/${index}`;
        if (node.mesh !== undefined) {
            meshes[index] = indexAt(report, node.mesh, meshCount, `${pointer}/mesh`, 'meshes');
        }
        if (node.skin !== undefined) {
            skins[index] = indexAt(report, node.skin, skinCount, `${pointer}/skin`, 'skins');
            if (node.mesh === undefined) {
                warn(
                    report,
                    'SKIN_WITHOUT_MESH',
                    `${pointer}/skin`,
                    'a skin has no effect on a node without mesh (3.7.4)',
                );
            }
        }
        return {
            name: nameOf(node.name),
            parent: parents[index]!,
            ...checkTransform(node, pool, pointer, report),
            weights: meshes[index] === -1 ? noWeights : restWeights(node, meshes[index]!, pointer),
        };
    });
    return { nodes, meshes, skins };
}
