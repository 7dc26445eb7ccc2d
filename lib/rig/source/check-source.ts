// SPDX-License-Identifier: MIT

import { significant } from '../../base/messages';
import type { SceneChannel, SceneNode, SceneSkin } from '../../gltf/scene';
import { checkMeshes } from './check-meshes';
import type { Refuse, RigSource } from './source';

const WIDTHS = { translation: 3, rotation: 4, scale: 3 } as const;

/** Tolerance for the last row of a matrix, 0 0 0 1. */
const ROW_TOLERANCE = 1e-5;

/** Checks the parts of a rig. Scenes from glTF files skip this check, because the reader has checked the same rules. */
export function checkSource(source: RigSource, refuse: Refuse): void {
    const { nodes, skins, animations } = source;
    checkParents(nodes, refuse);
    for (const [index, node] of nodes.entries()) checkRest(node, index, refuse);
    for (const [index, skin] of skins.entries()) checkSkin(skin, index, nodes.length, refuse);
    for (const [index, { channels }] of animations.entries()) {
        const targets = new Map<string, number>();
        for (const [number, channel] of channels.entries()) {
            const where = ['animations', index, 'channels', number];
            checkChannel(channel, nodes, where, refuse);
            const target = `${channel.node} ${channel.path}`;
            const other = targets.get(target);
            if (other !== undefined) {
                const same = `the ${channel.path} of node ${channel.node}, like channel ${other}`;
                refuse(where, `moves ${same}: each target at most once`);
            }
            targets.set(target, number);
        }
    }
    checkMeshes(source, refuse);
}

function checkParents(nodes: readonly SceneNode[], refuse: Refuse): void {
    for (const [index, { parent }] of nodes.entries()) {
        if (Number.isInteger(parent) && parent >= -1 && parent < nodes.length) continue;
        const range = nodes.length === 1 ? '' : ` or a node, 0 to ${nodes.length - 1}`;
        refuse(['nodes', index, 'parent'], `is ${parent}, must be -1 (a root)${range}`);
    }
    // Finds cycles by walking from each node to its root. Visits each node once.
    const walks = new Int32Array(nodes.length);
    for (let start = 0; start < nodes.length; start++) {
        let node = start;
        while (node !== -1 && walks[node] === 0) {
            walks[node] = start + 1;
            node = nodes[node]!.parent;
        }
        if (node !== -1 && walks[node] === start + 1) {
            refuse(['nodes', node, 'parent'], `node ${node} is its own ancestor: parents must not run in a cycle`);
        }
    }
}

const REST_LENGTHS = { translation: 3, rotation: 4, scale: 3 } as const;

function checkRest(node: SceneNode, index: number, refuse: Refuse): void {
    for (const property of ['translation', 'rotation', 'scale'] as const) {
        const { length } = node[property];
        const wanted = REST_LENGTHS[property];
        if (length !== wanted) refuse(['nodes', index, property], `has ${length} numbers, must have ${wanted}`);
    }
    for (const property of ['translation', 'rotation', 'scale', 'weights'] as const) {
        checkFinite(node[property], ['nodes', index, property], refuse);
    }
    if (node.matrix !== null) checkMatrices(node.matrix, ['nodes', index, 'matrix'], refuse);
}

function checkSkin({ joints, inverseBindMatrices }: SceneSkin, index: number, nodes: number, refuse: Refuse): void {
    if (joints.length === 0) refuse(['skins', index, 'joints'], 'must name at least one node');
    const seen = new Map<number, number>();
    for (const [i, joint] of joints.entries()) {
        const where = ['skins', index, 'joints', i];
        if (!Number.isInteger(joint) || joint < 0 || joint >= nodes) {
            refuse(where, `is ${joint}, must be a node, 0 to ${nodes - 1}`);
        }
        const first = seen.get(joint);
        if (first !== undefined) refuse(where, `node ${joint} is already joint ${first}: joints are unique`);
        seen.set(joint, i);
    }
    const where = ['skins', index, 'inverseBindMatrices'];
    if (inverseBindMatrices.length !== joints.length * 16) {
        const need = `${joints.length} joints x 16 = ${joints.length * 16}`;
        refuse(where, `has ${inverseBindMatrices.length} numbers, must have ${need}`);
    }
    checkMatrices(inverseBindMatrices, where, refuse);
}

function checkChannel(
    channel: SceneChannel,
    nodes: readonly SceneNode[],
    where: readonly (string | number)[],
    refuse: Refuse,
): void {
    const { node, path, interpolation, times, values } = channel;
    if (!Number.isInteger(node) || node < 0 || node >= nodes.length) {
        refuse([...where, 'node'], `is ${node}, must be a node, 0 to ${nodes.length - 1}`);
    }
    const target = nodes[node]!;
    const width = path === 'weights' ? target.weights.length : WIDTHS[path];
    if (width === 0) refuse(where, `node ${node} has no morph targets that weights could move`);
    if (target.matrix !== null && path !== 'weights') {
        refuse(where, `node ${node} has a matrix, which a node that is animated must not have`);
    }
    if (times.length === 0) refuse([...where, 'times'], `the ${path} of node ${node} has no key`);
    const whose = ` (${path} of node ${node})`;
    checkFinite(times, [...where, 'times'], refuse, whose);
    if (times[0]! < 0) refuse([...where, 'times', 0], `is ${significant(times[0]!)}, times must be 0 or more${whose}`);
    for (let i = 1; i < times.length; i++) {
        if (times[i]! >= times[i - 1]!) continue;
        const less = `${significant(times[i]!)}, ${significant(times[i - 1]! - times[i]!)} less than the one before`;
        refuse([...where, 'times', i], `is ${less}; times must ascend${whose}`);
    }
    const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
    if (values.length !== times.length * width * parts) {
        const keys = `${times.length} keys x ${width * parts} for ${path} with ${interpolation}`;
        const need = `${keys} = ${times.length * width * parts}`;
        refuse([...where, 'values'], `has ${values.length} numbers, must have ${need} (node ${node})`);
    }
    checkFinite(values, [...where, 'values'], refuse, whose);
}

function checkFinite(values: Float32Array, where: readonly (string | number)[], refuse: Refuse, whose = ''): void {
    for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        if (value - value !== 0) refuse([...where, i], `is ${value}, must be finite${whose}`);
    }
}

function checkMatrices(values: Float32Array, where: readonly (string | number)[], refuse: Refuse): void {
    checkFinite(values, where, refuse);
    for (let i = 3; i < values.length; i += 4) {
        const miss = values[i]! - (i % 16 === 15 ? 1 : 0);
        if (miss > ROW_TOLERANCE || miss < -ROW_TOLERANCE) {
            refuse([...where, i], `is ${significant(values[i]!)}, the fourth row of a matrix must be 0 0 0 1`);
        }
    }
}
