// SPDX-License-Identifier: MIT

import type { SceneChannel, SceneNode } from '../../gltf/scene';
import { createRigid, type Rigid, rotate, turn } from '../rigid';
import { heightOf, type RestPose, restPoseOf, scaleBelow } from './rest';

/** A file's nodes. */
type Nodes = readonly SceneNode[];

/**
 * A joint below this share of the height of its descendants counts as on the ground. Soles and toes are not exactly at
 * height 0.
 */
const GROUND = 0.1;

/** Changes the keys of a channel; null drops the channel. */
export type Retarget = (channel: SceneChannel, to: number) => Float32Array | null;

/**
 * Retargets keys to a skeleton with another rest pose. In scene space, both skeletons rotate equally relative to their
 * own rest poses. With global rotations at rest of the node (`C` in the other file, `H` here) and its parent (`Cp`,
 * `Hp`) a rotation q becomes
 *
 *     (Hp^-1 Cp) q (C^-1 H)
 *
 * which is linear in the four numbers of q, so that tangents of CUBICSPLINE are transformed exactly by the same
 * product. A translation t of the hips and the joints above them, at rest tc there and th here, becomes
 *
 *     th + k (Hp^-1 Cp) (t - tc)
 *
 * with k the height of the hips here over their height there, times the scale of the parents there over that here.
 * Other joints keep this file's translations. Scales are multiplied by this file's scale at rest over the other's.
 *
 * @param matched From nodes of the other file to nodes of this one: all that have a counterpart, moved or not.
 */
export function retargetRotations(nodes: Nodes, others: Nodes, matched: ReadonlyMap<number, number>): Retarget {
    const [here, there] = [restPoseOf(nodes), restPoseOf(others)];
    const { carriers, ratio } = findHips(nodes, here, there, matched);
    const scratch = createRigid();
    return ({ node, path, interpolation, values }, to) => {
        const [from, own] = [others[node]!, nodes[to]!];
        const before = difference(turnOf(here, own.parent), turnOf(there, from.parent));
        const cubic = interpolation === 'CUBICSPLINE';
        if (path === 'rotation') {
            const after = difference(there.turns[node]!, here.turns[to]!);
            return isIdentity(before) && isIdentity(after) ? values : turned(values, before, after, scratch);
        }
        if (path === 'scale') return scaled(values, from.scale, own.scale);
        if (path === 'weights') return values;
        if (!carriers.has(to)) return null;
        const factor = (ratio * scaleBelow(there, from.parent)) / scaleBelow(here, own.parent);
        return moved(values, cubic, from.translation, own.translation, before, factor);
    };
}

/**
 * The hips: from the top of the skeleton downwards, always to the child with the most matched nodes at or below it, the
 * first matched node that stands above the ground in both files. The ground is the height of the lowest matched node at
 * rest.
 *
 * @returns The matched nodes of this file from the top to the hips, and the ratio of the hips' heights above the
 * ground. Where nothing stands above the ground: the topmost of them, and 1.
 */
function findHips(nodes: Nodes, here: RestPose, there: RestPose, matched: ReadonlyMap<number, number>) {
    const otherOf = new Map(Array.from(matched, ([other, node]) => [node, other]));
    const below = new Int32Array(nodes.length);
    for (let i = here.order.length - 1; i >= 0; i--) {
        const node = here.order[i]!;
        if (otherOf.has(node)) below[node]!++;
        const { parent } = nodes[node]!;
        if (parent >= 0) below[parent]! += below[node]!;
    }
    const largest = new Int32Array(nodes.length + 1).fill(-1); // the last entry is for the roots
    for (const node of nodes.keys()) {
        const at = nodes[node]!.parent < 0 ? nodes.length : nodes[node]!.parent;
        if (largest[at]! < 0 || below[node]! > below[largest[at]!]!) largest[at] = node;
    }
    const own = aboveGround(nodes, here.order, (node) => (otherOf.has(node) ? heightOf(here, node) : null));
    const theirs = aboveGround(nodes, here.order, (node) =>
        otherOf.has(node) ? heightOf(there, otherOf.get(node)!) : null,
    );
    const carriers = new Set<number>();
    for (let node = largest[nodes.length]!; node >= 0; node = largest[node]!) {
        if (!otherOf.has(node)) continue;
        carriers.add(node);
        const [height, otherHeight] = [own(node), theirs(node)];
        if (height > 0 && otherHeight > 0) return { carriers, ratio: height / otherHeight };
    }
    return { carriers: new Set([...carriers].slice(0, 1)), ratio: 1 };
}

/**
 * A function that gives heights above the lowest matched node; 0 for what is on the ground.
 *
 * @param order All nodes, parents before their children.
 * @param heightAt Null for a node that is not matched.
 */
function aboveGround(
    nodes: Nodes,
    order: Int32Array,
    heightAt: (node: number) => number | null,
): (node: number) => number {
    let lowest = Infinity;
    /**
     * Max height of the matched nodes at or below each node. Only matched ones, so that a camera high above is ignored.
     */
    const highest = new Float64Array(nodes.length).fill(-Infinity);
    for (let i = order.length - 1; i >= 0; i--) {
        const node = order[i]!;
        const height = heightAt(node);
        const { parent } = nodes[node]!;
        if (height !== null) {
            lowest = Math.min(lowest, height);
            highest[node] = Math.max(highest[node]!, height);
        }
        if (parent >= 0) highest[parent] = Math.max(highest[parent]!, highest[node]!);
    }
    return (node) => {
        const height = heightAt(node)! - lowest;
        return height > GROUND * (highest[node]! - lowest) ? height : 0;
    };
}

const IDENTITY = createRigid();

function turnOf({ turns }: RestPose, node: number): Rigid {
    return node < 0 ? IDENTITY : turns[node]!;
}

/** a^-1 b for unit quaternions; exactly the identity if they are equal. */
function difference(a: Rigid, b: Rigid): Rigid {
    const out = createRigid();
    if (a.every((value, i) => value === b[i])) return out;
    turn(out, Float64Array.of(0, 0, 0, -a[3]!, -a[4]!, -a[5]!, a[6]!), b);
    return out;
}

function isIdentity(rotation: Rigid): boolean {
    return rotation.every((value, i) => value === IDENTITY[i]);
}

/** `before` x q x `after` for every quaternion. */
function turned(values: Float32Array, before: Rigid, after: Rigid, scratch: Rigid): Float32Array {
    const out = new Float32Array(values.length);
    const result = createRigid();
    for (let at = 0; at < out.length; at += 4) {
        for (let c = 0; c < 4; c++) result[3 + c] = values[at + c]!;
        turn(scratch, before, result);
        turn(result, scratch, after);
        for (let c = 0; c < 4; c++) out[at + c] = result[3 + c]!;
    }
    return out;
}

function scaled(values: Float32Array, from: Float32Array, to: Float32Array): Float32Array {
    const factors = [0, 1, 2].map((c) => (from[c] === to[c] || from[c] === 0 ? 1 : to[c]! / from[c]!));
    return factors.every((factor) => factor === 1) ? values : values.map((value, i) => value * factors[i % 3]!);
}

/** Moves translations. A CUBICSPLINE key is in-tangent, value, out-tangent: tangents are only rotated and scaled. */
function moved(
    values: Float32Array,
    cubic: boolean,
    from: Float32Array,
    to: Float32Array,
    before: Rigid,
    factor: number,
): Float32Array {
    if (factor === 1 && isIdentity(before) && from.every((value, c) => value === to[c])) return values;
    const out = new Float32Array(values.length);
    const way = createRigid();
    for (let at = 0; at < out.length; at += 3) {
        const isPlace = !cubic || (at / 3) % 3 === 1;
        for (let c = 0; c < 3; c++) way[c] = values[at + c]! - (isPlace ? from[c]! : 0);
        rotate(way, before, way, IDENTITY);
        for (let c = 0; c < 3; c++) out[at + c] = factor * way[c]! + (isPlace ? to[c]! : 0);
    }
    return out;
}
