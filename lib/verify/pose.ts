// SPDX-License-Identifier: MIT

import type { Manifest } from '../format/manifest';
import type { DoubleEvaluator } from './evaluator';
import { type Columns, refuse } from './gltf';
import { inverse, multiply } from './matrix';
import { MotionRule, type RootMotion } from './motion';

/** A clip's pose at one time, from either judge. */
export interface Pose {
    readonly animation: number | null;
    readonly time: number;
    /** T 3, R 4, S 3 of all nodes in use. */
    readonly locals: Float64Array;
    /** Column-major 4x4 of all nodes in use, in the bake's space. */
    readonly globals: Float64Array;
    /** Null at rest, and for a bake without root motion. */
    readonly motion: RootMotion | null;
    /** The matrix from the scene to the pose's space, which is in place if the bake's rows are; null for the scene. */
    readonly base: Float64Array | null;
}

/** The judged skin and attachments, and the nodes that place them. */
export interface Subject extends Columns {
    readonly evaluator: DoubleEvaluator;
    /** Columns, slots, and their ancestors, parents first. */
    readonly chain: Int32Array;
    /** The lowest common ancestor of all joints, or of all attachments without a skin; -1 if there is none. */
    readonly root: number;
    /** The matrix from the scene to the bake's space; null for the scene. */
    readonly base: Float64Array | null;
    /** Null if root motion is neither removed nor baked. */
    readonly motion: MotionRule | null;
}

export function createSubject(
    evaluator: DoubleEvaluator,
    columns: Columns,
    slots: readonly number[],
    { space = 'scene', root: recipe, from = 0 }: Partial<Pick<Manifest['recipe'], 'space' | 'root' | 'from'>>,
): Subject {
    const { nodes, joints } = columns;
    const root = lowestCommonAncestor(evaluator, joints > 0 ? nodes.slice(0, joints) : nodes);
    const chain = evaluator.withAncestors([...nodes, ...slots, ...(recipe === undefined ? [] : [recipe.node])]);
    let base: Float64Array | null = null;
    if (space === 'skin-root' && root >= 0) {
        base = inverse(evaluator.globals(null, 0, chain).subarray(root * 16, root * 16 + 16));
        if (base === null) {
            refuse(evaluator.file.path, `/nodes/${root}`, "the rest pose of the skin's root cannot be inverted");
        }
    }
    const motion = recipe === undefined ? null : new MotionRule(evaluator, recipe, base, Math.fround(from));
    return { ...columns, evaluator, chain, root, base, motion };
}

/**
 * @param animation Null for the rest pose.
 * @param old A pose of the same subject that is no longer needed. Its lists are reused.
 */
export function poseAt(subject: Subject, animation: number | null, time: number, old?: Pose): Pose {
    const { evaluator, chain } = subject;
    const locals = evaluator.locals(animation, time, chain, old?.locals);
    const motion = animation === null ? null : (subject.motion?.at(animation, locals) ?? null);
    const base = motion === null ? subject.base : motion.base;
    return { animation, time, locals, globals: evaluator.globalsOf(locals, chain, base, old?.globals), motion, base };
}

/** Global x inverse bind of every column. */
export function paletteOf(
    { nodes, binds }: { readonly nodes: readonly number[]; readonly binds: ArrayLike<number> },
    { globals }: Pick<Pose, 'globals'>,
): Float64Array {
    const out = new Float64Array(nodes.length * 16);
    for (const [column, node] of nodes.entries()) multiply(out, column * 16, globals, node * 16, binds, column * 16);
    return out;
}

/** Counts the joints below each node, from the leaves up. The first node with all of them is the lowest. */
function lowestCommonAncestor({ parents, order }: DoubleEvaluator, joints: readonly number[]): number {
    const distinct = new Set(joints);
    const below = new Int32Array(parents.length);
    for (const joint of distinct) below[joint] = 1;
    for (let i = order.length - 1; i >= 0; i--) {
        const node = order[i]!;
        if (below[node] === distinct.size) return node;
        if (parents[node]! >= 0) below[parents[node]!]! += below[node]!;
    }
    return -1;
}
