// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneNode, SceneSkin } from '../gltf/scene';
import {
    add,
    applied,
    column,
    IDENTITY,
    inverted,
    length,
    type Mat,
    matrixOf,
    product,
    type Quat,
    rotationOf,
    sub,
    UNIT,
    type Vec,
    ZERO,
} from './math';

/** The parts of a file that retargeting reads. */
export interface Model {
    /** For messages. */
    readonly name: string;
    readonly nodes: readonly SceneNode[];
    readonly skins: readonly SceneSkin[];
    readonly animations: readonly SceneAnimation[];
    /** Nodes by humanoid bone, from the extensions VRM, VRMC_vrm and VRMC_vrm_animation. */
    readonly humanoid?: Readonly<Record<string, number>>;
    /** Names of the morph targets of nodes' meshes. */
    readonly targetNames?: ReadonlyMap<number, readonly string[]>;
}

/** A node in the scene: the matrix and its rotation. */
export interface Place {
    readonly at: Vec;
    readonly linear: Mat;
    readonly rotation: Quat;
}

const SCENE: Place = { at: [0, 0, 0], linear: UNIT, rotation: IDENTITY };

/** All nodes, parents before their children. */
export function parentsFirst(nodes: readonly Pick<SceneNode, 'parent'>[]): number[] {
    const children: number[][] = nodes.map(() => []);
    const order: number[] = [];
    for (const [node, { parent }] of nodes.entries()) (parent < 0 ? order : children[parent]!).push(node);
    for (let i = 0; i < order.length; i++) for (const child of children[order[i]!]!) order.push(child);
    return order;
}

export function placeOf(at: Vec, linear: Mat): Place {
    return { at, linear, rotation: rotationOf(linear) };
}

export function placed(parent: Place | undefined, at: Vec, linear: Mat): Place {
    const { at: from, linear: above } = parent ?? SCENE;
    return placeOf(add(from, applied(above, at)), product(above, linear));
}

/** A node's matrix in its parent's space, from the file. */
export function localOf({ matrix, translation, rotation, scale }: SceneNode): { at: Vec; linear: Mat } {
    if (matrix !== null) return partsOf(matrix, 0);
    const [x, y, z, w] = rotation as unknown as Quat;
    const square = x * x + y * y + z * z + w * w;
    const size = square === 0 ? 1 : Math.sqrt(square);
    return { at: vecOf(translation), linear: matrixOf([x / size, y / size, z / size, w / size], vecOf(scale)) };
}

export const vecOf = (values: ArrayLike<number>, at = 0): Vec => [values[at]!, values[at + 1]!, values[at + 2]!];

/** Rotations further apart than this are different poses: the distance of quaternions. */
const POSED = 0.02;
/** Other axes, such as those of a scene with Z up, are further away. */
const TURNED = 0.7;

function apart(a: Quat, b: Quat): number {
    const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    return Math.sqrt(Math.max(2 - 2 * Math.abs(cosine), 0));
}

/**
 * Where nodes rest in another pose than the bind pose, the topmost joint may be turned, too. Exporters write inverse bind
 * matrices with the axes of its parent or of the scene: those that are nearest, if they have the same scale.
 */
function unposed(own: Place, spaces: readonly Place[]): Place {
    const sizeOf = (linear: Mat) => length(column(linear, 0));
    const fitting = spaces.filter(({ linear, rotation }) => {
        const ratio = sizeOf(linear) / sizeOf(own.linear);
        return ratio > 0.99 && ratio < 1.01 && apart(rotation, own.rotation) < TURNED;
    });
    const [first = own, ...others] = fitting;
    return others.reduce((a, b) => (apart(b.rotation, own.rotation) < apart(a.rotation, own.rotation) ? b : a), first);
}

/** Position and 3x3 part of a column-major 4x4. */
function partsOf(m: ArrayLike<number>, i: number): { at: Vec; linear: Mat } {
    return {
        at: vecOf(m, i + 12),
        linear: [0, 1, 2].flatMap((row) => [m[i + row]!, m[i + 4 + row]!, m[i + 8 + row]!]),
    };
}

/**
 * The bind pose of all nodes in the scene: of joints by the inverse bind matrices, of nodes below them by their place
 * under the parent, of others as the nodes are at rest. A skin only says where its joints are relative to each other.
 * Its topmost joint, or one that an earlier skin has placed, places it in the scene.
 */
export function bindPoseOf({ nodes, skins }: Pick<Model, 'nodes' | 'skins'>): Place[] {
    const order = parentsFirst(nodes);
    const rank = new Map(order.map((node, index) => [node, index]));
    const rest: Place[] = [];
    const locals = nodes.map(localOf);
    for (const node of order) rest[node] = placed(rest[nodes[node]!.parent], locals[node]!.at, locals[node]!.linear);
    const bound = new Map<number, Place>();
    const largest = [...skins].sort((a, b) => b.joints.length - a.joints.length);
    for (const { joints, inverseBindMatrices } of largest) {
        if (inverseBindMatrices.every((value, i) => value === ((i % 16) % 5 === 0 ? 1 : 0))) continue;
        const binds = new Map<number, { at: Vec; linear: Mat }>();
        for (const [index, joint] of joints.entries()) {
            const { at, linear } = partsOf(inverseBindMatrices, index * 16);
            const inverse = inverted(linear);
            // A nearly singular matrix has an inverse that has none.
            if (inverse === null || inverted(inverse) === null) continue;
            binds.set(joint, { at: applied(inverse, sub([0, 0, 0], at)), linear: inverse });
        }
        const known = [...binds.keys()].find((joint) => bound.has(joint));
        const topmost = [...binds.keys()].sort((a, b) => rank.get(a)! - rank.get(b)!)[0];
        const anchor = known ?? topmost;
        if (anchor === undefined) continue;
        const { at, linear } = binds.get(anchor)!;
        const there = bound.get(anchor) ?? rest[anchor]!;
        const inverse = inverted(linear)!;
        const own = placeOf(ZERO, product(there.linear, inverse));
        const isPosed = [...binds].some(([joint, bind]) => {
            const above = binds.get(nodes[joint]!.parent);
            if (above === undefined) return false;
            const local = product(inverted(above.linear)!, bind.linear);
            return apart(rotationOf(local), rotationOf(locals[joint]!.linear)) > POSED;
        });
        const parent = rest[nodes[anchor]!.parent] ?? SCENE;
        const { linear: space } = isPosed && !bound.has(anchor) ? unposed(own, [parent, SCENE]) : own;
        const origin = sub(there.at, applied(space, at));
        for (const [joint, bind] of binds) {
            if (bound.has(joint)) continue;
            bound.set(joint, placeOf(add(origin, applied(space, bind.at)), product(space, bind.linear)));
        }
    }
    const pose: Place[] = [];
    for (const node of order) {
        const own = bound.get(node);
        pose[node] = own ?? placed(pose[nodes[node]!.parent], locals[node]!.at, locals[node]!.linear);
    }
    return pose;
}
