// SPDX-License-Identifier: MIT

import { stemOf } from '../base/names';
import { matchAll, matchNodes, type NamedNode } from '../clips/match';
import { type ClipRecipe, clipRecipeOf } from '../clips/options';
import { humanoidOf } from '../gltf/humanoid';
import type { JsonObject } from '../gltf/json';
import type { ChannelPath, Interpolation, SceneAnimation, SceneNode } from '../gltf/scene';
import { targetNamesOf } from '../gltf/target-names';
import { type Model, retargetClips } from '../retarget';
import { morphTargetsOf, usedChannels } from './channels';
import { DoubleEvaluator } from './evaluator';
import { type GltfAnimation, type GltfFile, nameOf, type Retargeted } from './gltf';
import { readGltfFile } from './gltf-file';
import { compose, multiply } from './matrix';
import type { BakeManifest } from './read-bake';
import { inRecordedOrder, recordedClips } from './recorded-clips';

/**
 * Takes clips of other files, as docs/format.md defines it. The baker's code matches nodes by name, and retargets
 * humanoids: `retargeted.ts` judges the result. Other changes of keys are implemented here independently, with matrices
 * instead of quaternions.
 */

/**
 * Reads an input with the clips of other files that its bake has.
 *
 * @param animations Paths of these files. Default: beside the input.
 * @param vertices Whether to read normals, and morph targets whose weights no clip animates.
 * @returns The file as if all clips were its own, and the indices in the manifest's list of files that were not found.
 */
export async function readWithClips(
    input: string,
    manifest: BakeManifest,
    animations?: readonly string[],
    vertices = false,
): Promise<{ file: GltfFile; absent: number[] }> {
    const options = recordedClips(manifest, input, animations);
    const recipe = clipRecipeOf(options);
    const file = await readGltfFile(input, false, vertices || recipe !== null, vertices);
    if (recipe === null) return { file, absent: [] };
    const read: GltfFile[] = [];
    for (const path of options.animations!) read.push(await readGltfFile(path, true));
    const found = inRecordedOrder(read, ({ sha256 }) => sha256, manifest.source);
    const absent = [...found.keys()].filter((index) => found[index] === null);
    if (absent.length > 0) return { file, absent };
    const others = found as GltfFile[];
    const names = manifest.source.animations!.map(({ name }) => name);
    return { file: withClips(file, others, names, recipe), absent };
}

function withClips(
    file: GltfFile,
    others: readonly GltfFile[],
    names: readonly string[],
    recipe: ClipRecipe,
): GltfFile {
    const here = new DoubleEvaluator(file);
    const accessors = [...(file.json.accessors ?? [])];
    const numbers = new Map(file.numbers);
    const faults = new Map(file.faults);
    const animations = [...(file.json.animations ?? [])];
    const newNames = renamed([file, ...others], names);
    const retargeted: Retargeted[] = [];
    const add = (values: Float64Array): number => {
        numbers.set(accessors.length, values);
        return accessors.push({ componentType: 5126 }) - 1;
    };
    for (const [index, other] of others.entries()) {
        const there = new DoubleEvaluator(other);
        if (recipe.retarget === 'humanoid') {
            const made = retargetClips(modelOf(here), modelOf(there), recipe, {
                target: file.path,
                source: other.path,
            });
            const pairs = new Map(
                [...made.source.joints].flatMap(([role, from]) => {
                    const to = made.target.joints.get(role);
                    return to === undefined ? [] : [[role, [from, to] as const]];
                }),
            );
            for (const [number, { channels }] of made.clips.entries()) {
                const fault = other.faults.get(number);
                if (fault !== undefined) faults.set(animations.length, fault);
                else retargeted.push({ animation: animations.length, source: other, from: number, pairs });
                animations.push({
                    name: newNames[index]![number]!,
                    channels: channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
                    samplers: channels.map(({ times, values, interpolation }) => ({
                        input: add(Float64Array.from(times)),
                        output: add(Float64Array.from(values)),
                        interpolation,
                    })),
                });
            }
            continue;
        }
        const keysOf = transfer(here, there, recipe.rename, recipe.retarget === 'rotation');
        for (const number of (other.json.animations ?? []).keys()) {
            const fault = other.faults.get(number);
            if (fault !== undefined) faults.set(animations.length, fault);
            const channels: NonNullable<GltfAnimation['channels']>[number][] = [];
            const samplers: NonNullable<GltfAnimation['samplers']>[number][] = [];
            for (const { to, sampler } of usedChannels(other.json, number, true)) {
                const values = other.numbers.get(sampler.output)!;
                const times = other.numbers.get(sampler.input)!;
                const cubic = sampler.interpolation === 'CUBICSPLINE';
                const moved = keysOf(to.node, to.path, values, times.length, cubic);
                if (moved === null) continue;
                samplers.push({ ...sampler, input: add(times), output: add(moved.values) });
                channels.push({ sampler: samplers.length - 1, target: { node: moved.node, path: to.path } });
            }
            animations.push({ name: newNames[index]![number]!, channels, samplers });
        }
    }
    const taken = animations.length - (file.json.animations ?? []).length;
    return { ...file, json: { ...file.json, accessors, animations }, numbers, faults, taken, retargeted };
}

/** A file as retargeting reads it. Values are rounded to float32, as readers give them. */
function modelOf(evaluator: DoubleEvaluator): Model {
    const { file, parents } = evaluator;
    const trs = evaluator.locals(null, 0);
    const nodes = evaluator.nodes.map((node, index): SceneNode => {
        const matrix = evaluator.matrixOf(index);
        return {
            name: nameOf(node),
            parent: parents[index]!,
            matrix: matrix && Float32Array.from(matrix),
            translation: Float32Array.from(trs.subarray(index * 10, index * 10 + 3)),
            rotation: Float32Array.from(trs.subarray(index * 10 + 3, index * 10 + 7)),
            scale: Float32Array.from(trs.subarray(index * 10 + 7, index * 10 + 10)),
            weights: Float32Array.from(evaluator.weights(index, null, 0)),
        };
    });
    const skins = Array.from({ length: evaluator.skinCount }, (_, skin) => ({
        name: '',
        joints: evaluator.joints(skin),
        inverseBindMatrices: Float32Array.from(evaluator.inverseBindsOf(skin)),
    }));
    const animations = Array.from({ length: evaluator.animationCount }, (_, number): SceneAnimation => {
        const channels = usedChannels(file.json, number, true).map(({ to, sampler }) => ({
            pointer: '',
            node: to.node,
            path: to.path as ChannelPath,
            interpolation: (sampler.interpolation ?? 'LINEAR') as Interpolation,
            times: Float32Array.from(file.numbers.get(sampler.input)!),
            values: Float32Array.from(file.numbers.get(sampler.output)!),
        }));
        return { name: '', channels };
    });
    const json = file.json as unknown as JsonObject;
    return {
        name: file.path,
        nodes,
        skins,
        animations,
        humanoid: humanoidOf(json),
        targetNames: targetNamesOf(json),
    };
}

/** Names of the clips of the further files. A name that another clip has gets its file's name. */
function renamed(files: readonly GltfFile[], names: readonly string[]): string[][] {
    const lists = files.map(({ json }) => (json.animations ?? []).map(nameOf));
    const given: string[] = lists.flat();
    return lists.slice(1).map((list, index) => {
        const unclear = list.map((own) => own === '' || lists.filter((other) => other.includes(own)).length > 1);
        const under = (file: string) =>
            list.map((own, i) => (unclear[i] ? [file, own].filter((part) => part !== '').join(':') : own));
        const stem = stemOf(names[index]!);
        let named = under(stem);
        for (let n = 2; named.some((name, i) => unclear[i] && given.includes(name)); n++) named = under(`${stem}.${n}`);
        given.push(...named);
        return named;
    });
}

/** Returns a function that maps a channel of the other file to a target and values here; null if it is left out. */
function transfer(
    here: DoubleEvaluator,
    there: DoubleEvaluator,
    rename: Parameters<typeof matchNodes>[3],
    retarget: boolean,
) {
    const [own, theirs] = [here, there].map(({ nodes, parents }) =>
        nodes.map((node, index) => ({ name: nameOf(node), parent: parents[index]! })),
    ) as [NamedNode[], NamedNode[]];
    const moved = new Set<number>();
    for (let i = 0; i < there.animationCount; i++)
        for (const { to } of usedChannels(there.file.json, i, true)) moved.add(to.node);
    const ascending = [...moved].sort((a, b) => a - b);
    const matched = matchNodes(own, theirs, ascending, rename).nodes;
    const change = retarget ? retargeting(here, there, matchAll(own, theirs, matched, rename)) : null;
    return (from: number, path: string, values: Float64Array, keys: number, cubic: boolean) => {
        const node = matched.get(from);
        if (node === undefined) return null;
        if (path === 'weights') {
            const fits = values.length === keys * (cubic ? 3 : 1) * morphTargetsOf(here.file.json, node);
            return fits ? { node, values } : null;
        }
        if (here.matrixOf(node) !== null) return null;
        const changed = change === null ? values : change(from, node, path, values, cubic);
        return changed === null ? null : { node, values: changed };
    };
}

type Matrix = Float64Array;

function retargeting(here: DoubleEvaluator, there: DoubleEvaluator, matched: ReadonlyMap<number, number>) {
    const [turnsHere, turnsThere] = [restTurns(here), restTurns(there)];
    const [restHere, restThere] = [here.globals(null, 0), there.globals(null, 0)];
    const [localsHere, localsThere] = [here.locals(null, 0), there.locals(null, 0)];
    const { carriers, ratio } = hipsOf(here, restHere, restThere, matched);
    return (from: number, to: number, path: string, values: Float64Array, cubic: boolean): Float64Array | null => {
        const [above, aboveThere] = [here.parents[to]!, there.parents[from]!];
        const before = between(turnOf(turnsHere, above), turnOf(turnsThere, aboveThere));
        const out = values.slice();
        if (path === 'rotation') {
            const after = between(turnOf(turnsThere, from), turnOf(turnsHere, to));
            const [a, b] = [quaternionOf(before), quaternionOf(after)];
            for (let at = 0; at < out.length; at += 4) out.set(product(product(a, out.subarray(at, at + 4)), b), at);
            return out;
        }
        const place = path === 'scale' ? 7 : 0;
        const own = localsHere.subarray(to * 10 + place, to * 10 + place + 3);
        const theirs = localsThere.subarray(from * 10 + place, from * 10 + place + 3);
        if (path === 'scale') return out.map((x, i) => (theirs[i % 3] === 0 ? x : (x * own[i % 3]!) / theirs[i % 3]!));
        if (!carriers.has(to)) return null;
        const factor = (ratio * sizeOf(restThere, aboveThere)) / sizeOf(restHere, above);
        for (let at = 0; at < out.length; at += 3) {
            const point = cubic && (at / 3) % 3 !== 1 ? 0 : 1;
            const way = [0, 1, 2].map((c) => values[at + c]! - point * theirs[c]!);
            for (let row = 0; row < 3; row++) {
                const turned = way.reduce((sum, x, c) => sum + before[c * 4 + row]! * x, 0);
                out[at + row] = factor * turned + point * own[row]!;
            }
        }
        return out;
    };
}

/** For each node, the product of its rotation and those of its ancestors, as a matrix. */
function restTurns(evaluator: DoubleEvaluator): Matrix {
    const turns = new Float64Array(evaluator.parents.length * 16);
    const locals = evaluator.locals(null, 0);
    const local = new Float64Array(16);
    for (const node of evaluator.order) {
        const matrix = evaluator.matrixOf(node);
        if (matrix === null) {
            const [x, y, z, w] = locals.subarray(node * 10 + 3, node * 10 + 7) as unknown as number[];
            const length = Math.hypot(x!, y!, z!, w!) || 1;
            compose(local, 0, [0, 0, 0, x! / length, y! / length, z! / length, w! / length, 1, 1, 1], 0);
        } else local.set(orthonormal(matrix));
        const parent = evaluator.parents[node]!;
        if (parent < 0) turns.set(local, node * 16);
        else multiply(turns, node * 16, turns, parent * 16, local, 0);
    }
    return turns;
}

/** Orthonormalizes: x keeps its direction, y becomes orthogonal to it, and z to both. */
function orthonormal(m: readonly number[]): number[] {
    const unit = (v: readonly number[]) => v.map((c) => c / Math.hypot(...v));
    const x = unit(m.slice(0, 3));
    const dot = x.reduce((sum, c, i) => sum + c * m[4 + i]!, 0);
    const y = unit(x.map((c, i) => m[4 + i]! - dot * c));
    const z = [x[1]! * y[2]! - x[2]! * y[1]!, x[2]! * y[0]! - x[0]! * y[2]!, x[0]! * y[1]! - x[1]! * y[0]!];
    const all = [...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1];
    return all.every(Number.isFinite) ? all : [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
}

function turnOf(turns: Matrix, node: number): Matrix {
    if (node >= 0) return turns.subarray(node * 16, node * 16 + 16);
    return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** a^-1 b, for rotations. */
function between(a: Matrix, b: Matrix): Matrix {
    const transposed = a.map((_, i) => a[(i % 4) * 4 + (i >> 2)]!);
    const out = new Float64Array(16);
    multiply(out, 0, transposed, 0, b, 0);
    return out;
}

/** The quaternion of a rotation matrix, by its largest component. */
function quaternionOf(m: Matrix): number[] {
    const at = (row: number, column: number) => m[column * 4 + row]!;
    const squares = [
        1 + at(0, 0) - at(1, 1) - at(2, 2),
        1 - at(0, 0) + at(1, 1) - at(2, 2),
        1 - at(0, 0) - at(1, 1) + at(2, 2),
        1 + at(0, 0) + at(1, 1) + at(2, 2),
    ];
    const [yz, zx, xy] = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)];
    const [sxy, szx, syz] = [at(0, 1) + at(1, 0), at(0, 2) + at(2, 0), at(1, 2) + at(2, 1)];
    const rows = [
        [squares[0]!, sxy, szx, yz],
        [sxy, squares[1]!, syz, zx],
        [szx, syz, squares[2]!, xy],
        [yz, zx, xy, squares[3]!],
    ];
    const row = rows[squares.indexOf(Math.max(...squares))]!;
    return row.map((c) => c / Math.hypot(...row));
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
    const [ax, ay, az, aw] = [a[0]!, a[1]!, a[2]!, a[3]!];
    const [bx, by, bz, bw] = [b[0]!, b[1]!, b[2]!, b[3]!];
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ];
}

/** The scale of the space below a node: the root mean square of its three columns' lengths. */
function sizeOf(globals: Matrix, node: number): number {
    if (node < 0) return 1;
    return Math.hypot(...[0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => globals[node * 16 + i]!)) / Math.sqrt(3);
}

/** Finds the joints from the top to the hips, and the ratio of the hips' heights. */
function hipsOf(here: DoubleEvaluator, restHere: Matrix, restThere: Matrix, matched: ReadonlyMap<number, number>) {
    const pairs = [...matched];
    const height = (globals: Matrix, node: number) => globals[node * 16 + 13]!;
    const fromOf = new Map(pairs.map(([from, to]) => [to, from]));
    const counts = here.nodes.map((_, node) => (fromOf.has(node) ? 1 : 0));
    for (const node of [...here.order].reverse()) {
        const parent = here.parents[node]!;
        if (parent >= 0) counts[parent]! += counts[node]!;
    }
    /**
     * For each file, heights above the lowest pair of nodes. Ignored if they are at most a tenth of the highest pair's.
     */
    const heights = [0, 1].map((file) => {
        const heightOf = (to: number, from: number) => (file === 0 ? height(restHere, to) : height(restThere, from));
        const low = pairs.reduce((min, [from, to]) => Math.min(min, heightOf(to, from)), Infinity);
        const high = here.nodes.map((_, node) => (fromOf.has(node) ? heightOf(node, fromOf.get(node)!) : -Infinity));
        for (const node of [...here.order].reverse()) {
            const parent = here.parents[node]!;
            if (parent >= 0) high[parent] = Math.max(high[parent]!, high[node]!);
        }
        return (to: number, from: number) => {
            const own = heightOf(to, from) - low;
            return own > 0.1 * (high[to]! - low) ? own : null;
        };
    });
    const carriers: number[] = [];
    let candidates = [...here.parents.keys()].filter((node) => here.parents[node] === -1);
    while (candidates.length > 0) {
        const node = candidates.reduce((a, b) => (counts[b]! > counts[a]! ? b : a));
        const from = fromOf.get(node);
        if (from !== undefined) {
            carriers.push(node);
            const [a, b] = heights.map((above) => above(node, from)) as [number | null, number | null];
            if (a !== null && b !== null) return { carriers: new Set(carriers), ratio: a / b };
        }
        candidates = [...(here.nodes[node]!.children ?? [])].sort((a, b) => a - b);
    }
    return { carriers: new Set(carriers.slice(0, 1)), ratio: 1 };
}
