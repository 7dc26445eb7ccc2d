// SPDX-License-Identifier: MIT

import type { ManifestRoot } from '../format/manifest';
import type { DoubleEvaluator } from './evaluator';
import { compose, inverse, multiply } from './matrix';

/** Root motion from the first frame of a clip to a pose: docs/format.md, "Root motion". */
export interface RootMotion {
    /** Column-major 4x4, in the bake's space. */
    readonly matrix: Float64Array;
    /**
     * The matrix from the scene to the rows' space, without the motion if the rows are in place; null for the scene
     * itself.
     */
    readonly base: Float64Array | null;
    /** Distance that the joint has moved, and its first distance from the scene's origin. */
    readonly travel: number;
    readonly start: number;
    /** 1 if the joint is upright, 0 upside down. Errors of its rotation are divided by this. */
    readonly certainty: number;
}

/** The joint's axes and position, columns of 3, without its own scale. */
type Frame = readonly (readonly number[])[];

/** Below this certainty, the joint has no direction on the ground. */
const UPSIDE_DOWN = 1e-12;

/** Root motion by the recipe of a bake. */
export class MotionRule {
    readonly node: number;
    private readonly parent: number;
    private readonly above: Int32Array;
    private readonly starts = new Map<number, Frame>();
    private globals: Float64Array | undefined;

    /**
     * @param base The matrix from the scene to the bake's space; null for the scene.
     * @param start Start time of clips, seconds.
     */
    constructor(
        private readonly evaluator: DoubleEvaluator,
        private readonly recipe: ManifestRoot,
        private readonly base: Float64Array | null,
        private readonly start: number,
    ) {
        this.node = recipe.node;
        this.parent = evaluator.parents[recipe.node]!;
        this.above = evaluator.withAncestors([this.parent]);
    }

    /** Whether the motion is removed from the rows. */
    get inPlace(): boolean {
        return this.recipe.mode !== 'keep';
    }

    /** @param locals T, R and S of all nodes, in a pose of the animation. */
    at(animation: number, locals: Float64Array): RootMotion {
        let first = this.starts.get(animation);
        if (first === undefined) {
            const order = this.evaluator.withAncestors([this.node]);
            first = this.frameOf(this.evaluator.locals(animation, this.start, order));
            this.starts.set(animation, first);
        }
        const now = this.frameOf(locals);
        // R R0^-1, [column][row].
        let turn = [0, 1, 2].map((c) =>
            [0, 1, 2].map((row) => [0, 1, 2].reduce((sum, k) => sum + now[k]![row]! * first![k]![c]!, 0)),
        );
        let certainty = 1;
        const { motion } = this.recipe;
        const flat = motion !== 'xyz+rotation';
        if (flat) {
            const [sin, cos] = [turn[2]![0]! - turn[0]![2]!, turn[0]![0]! + turn[2]![2]!];
            const size = Math.hypot(sin, cos);
            certainty = Math.sqrt(size / 2);
            const [s, c] = size / 2 < UPSIDE_DOWN ? [0, 1] : [sin / size, cos / size];
            turn = [
                [c, 0, -s],
                [0, 1, 0],
                [s, 0, c],
            ];
        }
        const [p, p0] = [now[3]!, first[3]!];
        const turned = [0, 1, 2].map((row) => turn.reduce((sum, column, k) => sum + column[row]! * p0[k]!, 0));
        const shift = [p[0]! - turned[0]!, flat ? 0 : p[1]! - turned[1]!, p[2]! - turned[2]!];
        const place = motion === 'yaw' ? [0, 0, 0] : shift;
        const scene = Float64Array.from([...turn, place].flatMap((column, c) => [...column, c === 3 ? 1 : 0]));
        const back = inverse(scene)!;
        return {
            matrix: this.base === null ? scene : product(product(this.base, scene), inverse(this.base)!),
            base: this.recipe.mode === 'keep' ? this.base : this.base === null ? back : product(this.base, back),
            travel: Math.hypot(...shift),
            start: Math.hypot(...p0),
            certainty,
        };
    }

    private frameOf(locals: Float64Array): Frame {
        const { evaluator, node, parent } = this;
        const matrix = evaluator.matrixOf(node);
        let global: Float64Array = new Float64Array(16);
        if (matrix === null) {
            compose(global, 0, [...locals.subarray(node * 10, node * 10 + 7), 1, 1, 1], 0);
        } else {
            global.set(matrix);
        }
        if (parent >= 0) {
            this.globals = evaluator.globalsOf(locals, this.above, null, this.globals);
            global = product(this.globals.subarray(parent * 16, parent * 16 + 16), global);
        }
        const [a, b, place] = [0, 4, 12].map((c) => [...global.subarray(c, c + 3)]) as [number[], number[], number[]];
        const x = unit(a);
        const along = x.reduce((sum, value, c) => sum + value * b[c]!, 0);
        const y = unit(b.map((value, c) => value - along * x[c]!));
        const z = [x[1]! * y[2]! - x[2]! * y[1]!, x[2]! * y[0]! - x[0]! * y[2]!, x[0]! * y[1]! - x[1]! * y[0]!];
        if (Math.hypot(...z) > 0.5) return [x, y, z, place];
        return [[1, 0, 0], [0, 1, 0], [0, 0, 1], place];
    }
}

function unit(vector: readonly number[]): number[] {
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
}

function product(a: Float64Array, b: Float64Array): Float64Array {
    const out = new Float64Array(16);
    multiply(out, 0, a, 0, b, 0);
    return out;
}
