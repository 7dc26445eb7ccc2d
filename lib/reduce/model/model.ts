// SPDX-License-Identifier: MIT

import { unitsOf } from '../../base/length';
import { movingNodes } from '../../gltf/hierarchy';
import type { GltfScene, SkinnedPrimitive, SkinnedSurface } from '../../gltf/scene';
import { addPoint, emptyBox } from '../../rig/measure/geometry';
import type { ReduceRecipe } from '../options';
import { affineOf, compose, globalsOf, lengthOfAxis, place, TRS } from './affine';
import { type Extent, extentOf } from './extent';
import { type Cloud, coveringPoints } from './points';
import type { Skeleton } from './skeleton';

/**
 * The judged part of a file: nodes whose points must stay in place, and their ancestors. Plain data, in double
 * precision.
 */
export interface Model extends Skeleton, Extent {
    readonly children: readonly (readonly number[])[];
    /** x y z each, in the node's space. Those of node n are `starts[n]` to `starts[n + 1] - 1`. */
    readonly points: Float64Array;
    readonly starts: Int32Array;
    /** By node, 1 if it or a node below it has vertices. Other nodes get points from `withAxes`. */
    readonly carries: Uint8Array;
    /**
     * Distance of these points from their node's origin, in the scene. At that distance, `maxAngle` moves them by the
     * bound.
     */
    readonly arm: number;
    /** By node, the corners of the box of its points, x y z each. Empty without points. */
    readonly corners: readonly Float64Array[];
    /** Maximum distance of the node's vertices from the convex hull of its points. */
    readonly slack: Float64Array;
    /** Maximum displacement of a vertex, as a multiple of the points'. 1 if its weights add up to 1. */
    readonly factors: Float64Array;
    /** By node of the file: nodes whose mesh has morph targets. */
    readonly morphs: ReadonlyMap<number, MorphedNode>;
    /** Model units. */
    readonly maxError: number;
    readonly maxSlide: number;
    /** Whether channels equal to the rest pose are removed. */
    readonly dropRest: boolean;
}

/** A node whose mesh has morph targets. */
export interface MorphedNode {
    /** Weights at rest. */
    readonly weights: Float32Array;
    /** Maximum displacement of a vertex by each target at weight 1, in the space of a node that carries it. */
    readonly reaches: Float64Array;
    /** Nodes that carry its vertices. */
    readonly carriers: readonly number[];
}

export function modelOf(scene: GltfScene, recipe: ReduceRecipe): Model {
    const clouds: Cloud[] = scene.nodes.map(() => ({ points: [] }));
    const factors = new Float64Array(scene.nodes.length).fill(1);
    const morphs = addMeshes(scene, clouds, factors);
    const judged = judgedNodes(scene, clouds, recipe);
    const nodes = parentsFirst(scene, judged);
    const indexOf = new Int32Array(scene.nodes.length).fill(-1);
    for (const [index, node] of nodes.entries()) indexOf[node] = index;
    const parents = nodes.map((node) => (scene.nodes[node]!.parent < 0 ? -1 : indexOf[scene.nodes[node]!.parent]!));
    const children: number[][] = Array.from(nodes, () => []);
    for (const [index, parent] of parents.entries()) if (parent >= 0) children[parent]!.push(index);
    const rest = new Float64Array(nodes.length * TRS);
    for (const [index, node] of nodes.entries()) {
        const { translation, rotation, scale } = scene.nodes[node]!;
        rest.set(translation, index * TRS);
        rest.set(rotation, index * TRS + 3);
        rest.set(scale, index * TRS + 7);
    }
    const matrices = Array.from(nodes, (node) => {
        const { matrix } = scene.nodes[node]!;
        return matrix === null ? null : affineOf(matrix);
    });
    const globals = globalsOf({ parents, matrices }, rest, new Float64Array(nodes.length * 12));
    const { extent, beyond } = extentOf(scene, { nodes, indexOf, parents, rest, matrices });
    const maxError = unitsOf(recipe.maxError, extent);
    const maxSlide = recipe.maxSlide === null ? maxError / 4 : unitsOf(recipe.maxSlide, extent);

    const carries = Uint8Array.from(nodes, (node) => (clouds[node]!.points.length > 0 ? 1 : 0));
    for (let index = nodes.length - 1; index >= 0; index--)
        if (carries[index] === 1 && parents[index]! >= 0) carries[parents[index]!] = 1;
    const starts = new Int32Array(nodes.length + 1);
    const slack = new Float64Array(nodes.length);
    const points: number[] = [];
    for (const [index, node] of nodes.entries()) {
        const cloud = clouds[node]!.points;
        if (carries[index] === 0) cloud.push(...new Float64Array(AXES * 3));
        else if (recipe.keepJoints?.test(scene.nodes[node]!.name)) cloud.push(0, 0, 0);
        const covering = coveringPoints(clouds[node]!);
        slack[index] = covering.slack;
        for (const x of covering.points) points.push(x);
        starts[index + 1] = points.length / 3;
    }
    const morphed = new Map(
        scene.nodes.flatMap(({ weights }, node): [number, MorphedNode][] => {
            if (weights.length === 0) return [];
            const { reaches, carriers } = morphs.get(node) ?? {
                reaches: new Float64Array(weights.length),
                carriers: [],
            };
            return [[node, { weights, reaches, carriers: carriers.map((carrier) => indexOf[carrier]!) }]];
        }),
    );
    const model = {
        nodes,
        indexOf,
        parents,
        children,
        rest,
        matrices,
        points: Float64Array.from(points),
        starts,
        carries,
        arm: maxError / wayOf(recipe.maxAngle),
        // The corners of the other nodes are created with their points.
        corners: Array.from(nodes, (_, index) =>
            carries[index] === 1 ? cornersOf(points, starts[index]! * 3, starts[index + 1]! * 3) : NO_CORNERS,
        ),
        slack,
        factors: Float64Array.from(nodes, (node) => factors[node]!),
        morphs: morphed,
        extent,
        beyond,
        maxError,
        maxSlide,
        dropRest: recipe.dropRest,
    };
    return withAxes(
        model,
        Float64Array.from({ length: nodes.length * 3 }, (_, i) => lengthOfAxis(globals, Math.floor(i / 3) * 12, i % 3)),
    );
}

/** Points of a node that carries nothing: its origin, and two on each axis. */
const AXES = 7;

/**
 * Adds points to nodes that carry nothing, so that their position and rotation are judged. The points are on both sides
 * of each axis, so that a move of the origin cannot cancel a rotation. An axis with scale 0 has its points at the
 * origin.
 *
 * @param scales By node, the lengths of its three axes in the scene.
 */
export function withAxes(model: Model, scales: Float64Array): Model {
    const points = model.points.slice();
    const corners = model.corners.slice();
    for (const [node, carries] of model.carries.entries()) {
        if (carries === 1) continue;
        const first = model.starts[node]! * 3;
        for (let p = 1; p < AXES; p++) {
            const axis = (p - 1) % 3;
            const scale = scales[node * 3 + axis]!;
            points[first + p * 3 + axis] = scale === 0 ? 0 : (p <= 3 ? model.arm : -model.arm) / scale;
        }
        corners[node] = cornersOf(points, first, first + AXES * 3);
    }
    return { ...model, points, corners };
}

/**
 * Adds the vertices of moving meshes to the nodes that carry them. A skinned vertex is a weighted mean of its positions
 * under its joints. So its displacement is at most the maximum over these joints times the sum of the weights.
 */
function addMeshes(
    scene: GltfScene,
    clouds: Cloud[],
    factors: Float64Array,
): Map<number, { reaches: Float64Array; carriers: number[] }> {
    const weights = weightRanges(scene);
    const morphs = new Map<number, { reaches: Float64Array; carriers: number[] }>();
    const note = (node: number, surfaces: readonly SkinnedSurface[], carriers: Iterable<number>, factor: number) => {
        const reaches = targetReaches(surfaces, scene.nodes[node]!.weights.length).map((reach) => reach * factor);
        if (reaches.some((reach) => reach > 0)) morphs.set(node, { reaches, carriers: [...carriers] });
    };
    for (const { node, skin, primitives, surfaces = [] } of scene.skinnedMeshes) {
        const { joints, inverseBindMatrices } = scene.skins[skin]!;
        const binds = joints.map((_, slot) => affineOf(inverseBindMatrices, slot * 16));
        const carriers = new Set<number>();
        const sum = Math.max(1, ...primitives.map(({ weightSum = 1 }) => weightSum));
        for (const [i, primitive] of primitives.entries()) {
            eachVertex(primitive, surfaces[i], weights.get(node), (vertex, x, y, z) => {
                for (const slot of influencesOf(primitive, vertex, joints.length)) {
                    carriers.add(joints[slot]!);
                    addPlaced(clouds[joints[slot]!]!, binds[slot]!, x, y, z);
                }
            });
        }
        for (const carrier of carriers) factors[carrier] = Math.max(factors[carrier]!, sum);
        note(node, surfaces, carriers, sum * Math.max(0, ...binds.map(normOf)));
    }
    for (const { node, moves, primitives, surfaces = [], instances } of scene.rigidMeshes ?? []) {
        if (!moves) continue;
        const own: number[] = [];
        for (const [i, primitive] of primitives.entries()) {
            eachVertex(primitive, surfaces[i], weights.get(node), (_, x, y, z) => own.push(x, y, z));
        }
        const places = placesOf(instances);
        // Several instances use the corners of the box, because instances times vertices can be very many.
        const corners = instances === undefined ? own : cornersOf(own, 0, own.length);
        for (const matrix of places) {
            for (let p = 0; p < corners.length; p += 3) {
                addPlaced(clouds[node]!, matrix, corners[p]!, corners[p + 1]!, corners[p + 2]!);
            }
        }
        const most = places.reduce((norm, matrix) => Math.max(norm, normOf(matrix)), 0);
        note(node, surfaces, [node], instances === undefined ? 1 : most);
    }
    return morphs;
}

/** Matrices of a mesh's instances. */
function placesOf(instances: ArrayLike<number> = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]): Float64Array[] {
    const numbers = Float64Array.from(instances);
    return Array.from({ length: numbers.length / TRS }, (_, i) => {
        const matrix = new Float64Array(12);
        compose(matrix, 0, 1, numbers, i * TRS);
        return matrix;
    });
}

/** Frobenius norm of the linear part. */
export function normOf(matrix: Float64Array): number {
    let sum = 0;
    for (let e = 0; e < 12; e++) if (e % 4 < 3) sum += matrix[e]! * matrix[e]!;
    return Math.sqrt(sum);
}

/**
 * Calls `use` with all positions of each vertex: its own, or the corners of the box of its morph targets'
 * displacements.
 */
function eachVertex(
    { positions }: SkinnedPrimitive,
    surface: SkinnedSurface | undefined,
    ranges: Float64Array | undefined,
    use: (vertex: number, x: number, y: number, z: number) => void,
): void {
    const targets = (surface?.targets ?? []).flatMap(({ positions }, n) =>
        positions === null || ranges === undefined || (ranges[n * 2] === 0 && ranges[n * 2 + 1] === 0)
            ? []
            : [{ positions, low: ranges[n * 2]!, high: ranges[n * 2 + 1]! }],
    );
    const [low, high] = [new Float64Array(3), new Float64Array(3)];
    for (let v = 0; v < positions.length; v += 3) {
        for (let c = 0; c < 3; c++) {
            low[c] = high[c] = positions[v + c]!;
            for (const target of targets) {
                const [a, b] = [target.low * target.positions[v + c]!, target.high * target.positions[v + c]!];
                low[c] = low[c]! + Math.min(a, b);
                high[c] = high[c]! + Math.max(a, b);
            }
        }
        const flat = low[0] === high[0] && low[1] === high[1] && low[2] === high[2];
        for (let corner = 0; corner < (flat ? 1 : 8); corner++) {
            const at = (c: number) => ((corner >> c) & 1 ? high : low)[c]!;
            use(v / 3, at(0), at(1), at(2));
        }
    }
}

/** By node, the minimum and maximum of each morph weight, at rest and in all clips. */
function weightRanges(scene: GltfScene): Map<number, Float64Array> {
    const ranges = new Map<number, Float64Array>();
    for (const [node, { weights }] of scene.nodes.entries()) {
        if (weights.length > 0)
            ranges.set(
                node,
                Float64Array.from({ length: weights.length * 2 }, (_, i) => weights[i >> 1]!),
            );
    }
    for (const { channels } of scene.animations) {
        for (const { node, path, values, times, interpolation } of channels) {
            const range = path === 'weights' ? ranges.get(node) : undefined;
            if (range === undefined) continue;
            const count = range.length / 2;
            const cubic = interpolation === 'CUBICSPLINE';
            const tangents = new Float64Array(count);
            for (let i = 0; i < values.length; i++) {
                const [n, value] = [i % count, values[i]!];
                if (cubic && Math.floor(i / count) % 3 !== 1) {
                    if (Math.abs(value) > tangents[n]!) tangents[n] = Math.abs(value);
                } else {
                    if (value < range[n * 2]!) range[n * 2] = value;
                    if (value > range[n * 2 + 1]!) range[n * 2 + 1] = value;
                }
            }
            // A spline overshoots its keys by at most 4/27 of each tangent times the interval.
            const overshoot = cubic ? longest(times) * 0.3 : 0;
            for (let n = 0; cubic && n < count; n++) {
                range[n * 2] = range[n * 2]! - overshoot * tangents[n]!;
                range[n * 2 + 1] = range[n * 2 + 1]! + overshoot * tangents[n]!;
            }
        }
    }
    return ranges;
}

function longest(times: Float32Array): number {
    let max = 0;
    for (let k = 1; k < times.length; k++) if (times[k]! - times[k - 1]! > max) max = times[k]! - times[k - 1]!;
    return max;
}

function targetReaches(surfaces: readonly SkinnedSurface[], count: number): Float64Array {
    const reaches = new Float64Array(count);
    for (const { targets } of surfaces)
        for (const [n, { positions }] of targets.entries()) {
            for (let v = 0; positions !== null && v < positions.length; v += 3) {
                const [x, y, z] = [positions[v]!, positions[v + 1]!, positions[v + 2]!];
                const length = Math.sqrt(x * x + y * y + z * z);
                if (length > reaches[n]!) reaches[n] = length;
            }
        }
    return reaches;
}

/**
 * The joints that move a vertex, including those with negative weights, which players apply. A vertex without positive
 * weights follows its first joint, or the skin's first joint if that does not exist.
 */
function influencesOf(primitive: SkinnedPrimitive, vertex: number, count: number): number[] {
    const { influences, joints, weights } = primitive;
    const found: number[] = [];
    let positive = false;
    for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
        if (weights[i] !== 0) found.push(joints[i]!);
        positive ||= weights[i]! > 0;
    }
    const first = joints[vertex * influences] ?? 0;
    if (!positive) found.push(first < count ? first : 0);
    return found;
}

const placed = new Float64Array(3);

function addPlaced({ points }: Cloud, matrix: Float64Array, x: number, y: number, z: number): void {
    place(placed, 0, matrix, 0, x, y, z);
    points.push(placed[0]!, placed[1]!, placed[2]!);
}

const NO_CORNERS = new Float64Array(0);

function cornersOf(points: ArrayLike<number>, from: number, to: number): Float64Array {
    if (from === to) return NO_CORNERS;
    const box = emptyBox();
    for (let p = from; p < to; p += 3) addPoint(box, points[p]!, points[p + 1]!, points[p + 2]!);
    const corners = new Float64Array(24);
    for (let i = 0; i < 24; i++) corners[i] = box[(i % 3) + ((Math.floor(i / 3) >> (i % 3)) & 1) * 3]!;
    return corners;
}

/**
 * Nodes with vertices, and all that joints or clips move, including sockets without a mesh. Also all their ancestors.
 */
function judgedNodes(scene: GltfScene, clouds: readonly Cloud[], { keepJoints }: ReduceRecipe): Uint8Array {
    const { nodes } = scene;
    const moving = movingNodes(scene);
    const judged = new Uint8Array(nodes.length);
    for (const [first, { name }] of nodes.entries()) {
        const wanted = moving[first] === 1 || clouds[first]!.points.length > 0 || keepJoints?.test(name) === true;
        for (let node = wanted ? first : -1; node >= 0 && judged[node] === 0; node = nodes[node]!.parent)
            judged[node] = 1;
    }
    return judged;
}

function parentsFirst({ nodes }: GltfScene, judged: Uint8Array): Int32Array {
    const children: number[][] = nodes.map(() => []);
    const order: number[] = [];
    for (const [node, { parent }] of nodes.entries()) {
        if (judged[node] === 0) continue;
        if (parent < 0) order.push(node);
        else children[parent]!.push(node);
    }
    for (const node of order) for (const child of children[node]!) order.push(child);
    return Int32Array.from(order);
}

const subtrees = new WeakMap<Model, Map<number, Int32Array>>();

/**
 * A node and all below it, in the order of `nodes`. Each list is made on first use, because all lists of a long chain
 * would be too many.
 */
export function subtreeOf(model: Model, node: number): Int32Array {
    const known = subtrees.get(model) ?? new Map<number, Int32Array>();
    subtrees.set(model, known);
    let list = known.get(node);
    if (list === undefined) {
        const below = [node];
        for (const one of below) for (const child of model.children[one]!) below.push(child);
        list = Int32Array.from(below).sort();
        known.set(node, list);
    }
    return list;
}

/**
 * Minimum movement of one of three points at distance 1 on the axes when rotation R turns by an angle. The squared
 * lengths of the columns of R - 1 have the sum 2 (2 sin(angle / 2))². So the longest has at least the root of 2/3 of
 * that. The sine is rounded down.
 */
function wayOf(angle: number): number {
    return Math.sqrt(2 / 3) * (angle - (angle * angle * angle) / 24);
}
