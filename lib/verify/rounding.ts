// SPDX-License-Identifier: MIT

import { inverse, longestColumn, transformed } from './matrix';
import { farthestOf, type Metric, scaleOf } from './metric';
import { type Pose, poseAt, type Subject } from './pose';
import { matrixSize, termsAt, unsureAt } from './sampler';
import type { SkinVertices } from './vertices';

/**
 * Rounding errors of float32 in a pose far from the origin. They are lengths in units of the bake's space, and 0 near
 * the origin. The counts of roundings below are those of the Rig's operations (docs/tables/rig-orders.md) in the worst
 * case.
 */
export interface Rounding {
    /** Error of a node's own sampled transform, at points within `reach` of its origin. */
    sampled(node: number, reach: number): number;
    /** Error of a node's global matrix, at points within `reach` of the node's origin. */
    global(node: number, reach: number): number;
    /** Error of a joint's matrix in the palette, at the corners of the vertices' box. */
    palette(column: number): number;
    /**
     * Additional error at points at a distance from a node's origin, if rounding turns it or an ancestor by more than
     * usual.
     */
    unsure(node: number, distance: number): number;
    /** Error of the root motion, at points at the distance of the extent. */
    readonly motion: number;
    /** Maximum of `palette` over all columns that move a vertex, or over all columns without vertices. */
    readonly worst: number;
    /** Error of one rounding of a number of this size. */
    once(size: number): number;
}

/** Maximum relative error of one rounding. */
const ROUNDOFF = 2 ** -24;

/** Numbers up to this many extents are near the origin: the tolerance itself covers their rounding. */
const NEAR = 4;

/**
 * Number of roundings in an interpolation, relative to the maximum of its terms.
 * LINEAR, relative to the larger key: 1 for the fraction between the keys (half of a difference that can be twice the
 * key), 1 for two products, 1 for their difference, 1 for the sum. Slerp has no more: 3.0, and the fraction.
 * CUBIC, relative to both keys and both tangents times the interval: 25 for the keys' coefficients, 11 for the
 * tangents', 4 for products and sums.
 * A value at a key, a STEP value and the rest pose have none.
 */
const LINEAR = 4;
const CUBIC = 40;
/**
 * Error of a rotation matrix as a multiple of its quaternion's error. It can turn by twice that, and lengthen by four
 * times.
 */
const TURN = 4;
/**
 * Roundings of three operations, relative to the lengths involved.
 * COMPOSE: a matrix from rotation and scale.
 * POINT: a matrix times a point, 3 √3 rounded up.
 * PRODUCT: a matrix times a matrix. Three for each element, times 3, because for both matrices the sum of absolute
 * values can be √3 times the length.
 */
const COMPOSE = 8;
const POINT = 6;
const PRODUCT = 9;

/** Maximum displacement by a wrong rotation, relative to the distance from its origin. */
const OPPOSITE = 2;
/** Smallest step of float32. Numbers below 2^-126 are rounded to it. */
const STEP = 2 ** -149;
const STEPS = 64;

/**
 * Share of a joint's direction on the ground below which it is uncertain. The roundings of the direction are then
 * divided by this share.
 */
const UNSURE = 0.1;
const DIRECTION = 64;

/** A sampled value: its number of roundings, and the terms of its sum. */
interface Sample {
    readonly count: number;
    readonly terms: readonly number[];
    /** `unsureAt` for a rotation; 1 for others. */
    readonly unsure: number;
}

const STILL: Sample = { count: 0, terms: [], unsure: 1 };

/** The roundings of a node, including those of its ancestors. */
interface Link {
    /** Roundings of the node's own rotation, and of its global linear part. */
    readonly turned: number;
    linear: number;
    /** Maximum factor by which the global linear part lengthens a vector, in units of the bake's space. */
    readonly size: number;
    /** Roundings of the node's rotation, and `unsureAt`. */
    readonly rotated: number;
    readonly unsure: number;
    /** Roundings times the length that they apply to: of the node's sampled translation, and of its global position. */
    readonly sampled: number;
    place: number;
}

/** @returns A function that calculates the rounding errors of a pose of the subject. */
export function roundingFor(
    subject: Subject,
    vertices: readonly SkinVertices[],
    metric: Metric,
): (pose: Pose) => Rounding {
    const { evaluator, nodes, binds, chain, root, base } = subject;
    const near = NEAR * scaleOf(metric);
    // A number that is not finite adds no tolerance.
    const beyond = (size: number) => (size > near && size < Infinity ? size - near : 0);
    const beyondAll = (size: number) => (size > near ? size - near : 0);
    // Factor from the scene's lengths to units of the bake's space.
    const unit = base === null ? 1 : longestColumn(base, 0);
    const sceneOf = ({ base: own }: Pose) => {
        const toScene = own === null ? null : inverse(own);
        return (point: number[]) =>
            toScene === null ? lengthOf(point) : unit * lengthOf(transformed(toScene, 0, ...(point as Point)));
    };
    // Error of the root motion near the joint.
    const shakenBy = ({ motion }: Pose) => {
        if (motion === null) return 0;
        const { travel, start, certainty } = motion;
        const loose = certainty < UNSURE ? (DIRECTION / certainty) * scaleOf(metric) : 0;
        return beyond(unit * travel) + 2 * beyond(unit * start) + loose;
    };
    const farthest = metric.corners.map(farthestOf);
    const moved = new Set<number>();
    for (const { joints: own, weights } of vertices) {
        for (const [i, joint] of own.entries()) if (weights[i]! > 0) moved.add(joint);
    }
    const moving = [...nodes.keys()].filter((joint) => vertices.length === 0 || moved.has(joint));

    function linksOf({ animation, time, locals, globals }: Pose, fromOrigin: (point: number[]) => number): Link[] {
        const samples: Record<string, Sample>[] = [];
        for (const { node, path, sampler } of animation === null ? [] : evaluator.channelsOf(animation)) {
            const terms = path === 'weights' ? [] : termsAt(sampler, time);
            if (terms.length === 0) continue;
            samples[node] ??= {};
            const unsure = path === 'rotation' ? unsureAt(sampler, time) : 1;
            samples[node][path] = { count: sampler.interpolation === 'CUBICSPLINE' ? CUBIC : LINEAR, terms, unsure };
        }
        const links: Link[] = [];
        for (const node of chain) {
            const { translation = STILL, rotation = STILL, scale = STILL } = samples[node] ?? {};
            const parent = links[evaluator.parents[node]!];
            const above = parent?.size ?? unit;
            const matrix = evaluator.matrixOf(node);
            const own = matrix === null ? sizeOf(locals, node * 10, scale.terms) : longestColumn(matrix, 0);
            const sampled = translation.count * beyond(above * lengthOf(translation.terms));
            const turned = TURN * rotation.count;
            const made = turned + scale.count + COMPOSE;
            const { count: rotated, unsure } = rotation;
            links[node] = { turned, rotated, unsure, sampled, size: above * own, linear: made, place: sampled };
            if (parent === undefined) continue;
            const arm = above * lengthOf(matrix === null ? vectorAt(locals, node * 10) : vectorAt(matrix, 12));
            const sum = fromOrigin(vectorAt(globals, node * 16 + 12));
            links[node].linear = parent.linear + made + PRODUCT;
            links[node].place += parent.place + (parent.linear + POINT) * beyond(arm) + beyond(sum);
        }
        return links;
    }

    // The bake's own space is that of the root at rest, in float32.
    const atRest = poseAt(subject, null, 0);
    const rest = base === null ? undefined : linksOf(atRest, sceneOf(atRest))[root];

    /** Error of the joint's position and, at the distance where the clip begins, of its rotation. */
    function motionOf(motion: Pose['motion'], links: Link[], shaken: number): number {
        if (motion === null) return 0;
        const { place, linear } = links[subject.motion!.node]!;
        return ROUNDOFF * (place + shaken + linear * beyond(unit * motion.start));
    }

    /**
     * Displacement of points at a distance from a node by each rotation at or above it that is less certain than usual.
     * Here too, numbers up to 4 extents are near the origin.
     */
    function unsureOf(links: Link[], { globals }: Pose, node: number, distance: number): number {
        let sum = 0;
        for (let at = node; at >= 0; at = evaluator.parents[at]!) {
            const { rotated = 0, unsure = 1 } = links[at] ?? {};
            if (!(unsure > 1)) continue;
            const above = evaluator.parents[at]!;
            const far =
                (armOf(globals, node, at) + distance) *
                (above < 0 ? 1 : stretchOf(globals.subarray(above * 16, above * 16 + 16)));
            const turned = ROUNDOFF * TURN * rotated * (beyondAll(unsure * far) - beyond(far));
            sum += Math.min(OPPOSITE * far, turned);
        }
        return sum;
    }

    return (pose) => {
        const fromOrigin = sceneOf(pose);
        const links = linksOf(pose, fromOrigin);
        const isUnsure = links.some((link) => link.unsure > 1);
        const unsure = (node: number, distance: number) => {
            if (!isUnsure) return 0;
            const own = unsureOf(links, pose, node, distance);
            if (pose.base === base) return own;
            const joint = subject.motion!.node;
            return own + unsureOf(links, pose, joint, armOf(pose.globals, joint, node) + distance);
        };
        const shaken = shakenBy(pose);
        // In-place poses were turned about the joint, with the precision of its rotation.
        const turnedBack = (node: number) => {
            if (pose.base === base) return 0;
            const joint = subject.motion!.node;
            return shaken + (links[joint]!.linear + POINT) * beyond(armOf(pose.globals, node, joint));
        };
        const place = (node: number) => {
            const own = links[node]!.place + turnedBack(node);
            if (rest === undefined) return own;
            const away = beyond(lengthOf(vectorAt(pose.globals, node * 16 + 12)));
            return own + rest.place + (rest.linear + 1) * away;
        };
        const palette = (joint: number) => {
            const node = nodes[joint]!;
            const { linear, size } = links[node]!;
            const bind = vectorAt(binds, joint * 16 + 12);
            const arm = beyond(size * lengthOf(bind));
            const sum = beyond(fromOrigin(transformed(pose.globals, node * 16, ...(bind as Point))));
            const length = size * longestColumn(binds, joint * 16) * farthest[joint]!;
            const reach = beyond(length);
            const rounded = ROUNDOFF * (place(node) + (linear + POINT) * arm + sum + (linear + PRODUCT) * reach);
            return rounded + unsure(node, size * lengthOf(bind) + length) + STEPS * STEP;
        };
        return {
            sampled(node, reach) {
                const { sampled, turned } = links[node]!;
                return ROUNDOFF * (sampled + turned * beyond(reach));
            },
            global(node, reach) {
                const { linear, size } = links[node]!;
                const rounded = ROUNDOFF * (place(node) + linear * beyond(size * reach));
                return rounded + unsure(node, size * reach) + STEPS * STEP;
            },
            unsure,
            palette,
            motion:
                motionOf(pose.motion, links, shaken) +
                (pose.motion === null ? 0 : unsureOf(links, pose, subject.motion!.node, scaleOf(metric))) +
                STEPS * STEP,
            worst: moving.reduce((worst, joint) => Math.max(worst, palette(joint)), 0),
            once: (size) => ROUNDOFF * beyond(size) + STEP,
        };
    };
}

type Point = [x: number, y: number, z: number];

/** Maximum factor by which a local transform lengthens a vector. */
function sizeOf(locals: Float64Array, at: number, terms: readonly number[]): number {
    const [x, y, z, w, ...scale] = locals.subarray(at + 3, at + 10);
    return matrixSize(Math.hypot(x!, y!, z!, w!)) * Math.max(...scale.map(Math.abs), ...terms);
}

/** Ratio of the maximum and minimum stretch of a linear part. */
function stretchOf(m: Float64Array): number {
    const back = inverse(m);
    return back === null ? 1 : longestColumn(m, 0) * longestColumn(back, 0);
}

function vectorAt(list: ArrayLike<number>, at: number): number[] {
    return [list[at]!, list[at + 1]!, list[at + 2]!];
}

/** The distance of two nodes. */
export function armOf(globals: Float64Array, a: number, b: number): number {
    return lengthOf(vectorAt(globals, a * 16 + 12).map((x, c) => x - globals[b * 16 + 12 + c]!));
}

function lengthOf(vector: readonly number[]): number {
    return Math.hypot(...vector);
}
