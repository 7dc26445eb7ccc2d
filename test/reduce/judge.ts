// SPDX-License-Identifier: MIT

/** Compares vertices of reduced keys with the source, by the double evaluator, which lib/reduce does not use. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReduceOptions, type ReduceResult, reduceFile } from '../../lib/reduce';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { instancesOf } from '../../lib/verify/instances';
import { longestColumn, transformed } from '../../lib/verify/matrix';
import { paletteOf } from '../../lib/verify/pose';
import type { LooseJson } from '../gltf/support/builder';
import type { Mesh, Rig } from './rigs';

/** Max errors of a clip. */
export interface Displacement {
    /** Error of vertices as drawn. */
    readonly vertices: number;
    /** Error of vertices moved by a single joint, and of nodes with their mesh: at least the error above. */
    readonly carried: number;
    /** Max angle between source and reduced by node, in radians. */
    readonly angles: Float64Array;
}

/** The bytes of a file, read by the evaluator. */
export async function evaluatorOf(bytes: Uint8Array): Promise<DoubleEvaluator> {
    const folder = mkdtempSync(join(tmpdir(), 'poselane-reduce-'));
    try {
        const path = join(folder, 'rig.glb');
        writeFileSync(path, bytes);
        return await DoubleEvaluator.load(path);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** The reduced file of a rig. */
export interface Judged {
    readonly result: ReduceResult;
    /** The file before and after. */
    readonly evaluators: readonly [DoubleEvaluator, DoubleEvaluator];
    /** Errors by clip of the result, at `times`. */
    readonly off: readonly Displacement[];
    readonly times: readonly Float64Array[];
    /** Faults of the clips, other than positions of vertices. */
    readonly faults: readonly string[];
}

/** Reduces a rig's file, and judges every clip at 16 times between every two keys. */
export async function judged(rig: Rig, options: ReduceOptions): Promise<Judged> {
    const bytes = rig.builder.toGlb();
    const result = await reduceFile({ bytes, name: 'rig.glb' }, options);
    const evaluators = [await evaluatorOf(bytes), await evaluatorOf(result.bytes)] as const;
    const times = result.clips.map(({ animation }) => denseTimes(evaluators, animation, 16));
    const off = result.clips.map(({ animation }, i) => displacementOf(rig, evaluators, animation, times[i]!));
    const faults: string[] = [];
    for (const [i, { animation, error, kept }] of result.clips.entries()) {
        const check = (holds: boolean, fault: string) => {
            if (!holds) faults.push(`clip ${animation} ${fault}`);
        };
        const [exact, loose] = evaluators.map((one) => channelsOffUnitLength(one, animation)) as [string[], string[]];
        const fresh = loose.filter((channel) => !exact.includes(channel));
        check(fresh.length === 0, `is off unit length where the source is not: ${fresh}`);
        check(!kept || off[i]!.vertices === 0, `was kept, and is off by ${off[i]!.vertices}`);
        check(error <= result.maxError, `names an error of ${error}, allowed is ${result.maxError}`);
        const [before, after] = evaluators.map((one) => rangeOf(one, animation)) as [string, string];
        check(before === after, `lasted ${before}, lasts ${after}`);
        for (const { sampler } of evaluators[1].channelsOf(animation)) {
            check([...sampler.times, ...sampler.values].every(Number.isFinite), 'has numbers that are not finite');
            const ascend = sampler.times.every((time, k) => k === 0 || time > sampler.times[k - 1]! || kept);
            check(ascend, 'has times that do not ascend');
        }
    }
    return { result, evaluators, off, times, faults };
}

/** Start and end of an animation. */
function rangeOf(evaluator: DoubleEvaluator, animation: number): string {
    const times = evaluator.channelsOf(animation).flatMap(({ sampler }) => Array.from(sampler.times));
    return `${Math.min(...times)} to ${Math.max(...times)} s`;
}

/**
 * Every key time of both files, `samples` times between neighbors, and the last double before each key, which is on the other side of jumps.
 */
export function denseTimes(evaluators: readonly DoubleEvaluator[], clip: number, samples: number): Float64Array {
    const keys = new Set<number>();
    for (const evaluator of evaluators)
        for (const { sampler } of evaluator.channelsOf(clip)) for (const time of sampler.times) keys.add(time);
    const sorted = Float64Array.from(keys).sort();
    const times: number[] = [];
    for (const [k, time] of sorted.entries()) {
        times.push(time);
        const after = sorted[k + 1];
        if (after === undefined) break;
        for (let i = 1; i <= samples; i++) times.push(time + ((after - time) * i) / (samples + 1));
        times.push(after * (1 - 2 ** -52));
    }
    return Float64Array.from(times);
}

export function displacementOf(
    rig: Pick<Rig, 'meshes'>,
    [source, reduced]: readonly [DoubleEvaluator, DoubleEvaluator],
    clip: number,
    times: Float64Array,
): Displacement {
    const found = { vertices: 0, carried: 0, angles: new Float64Array(source.nodes.length) };
    const most = (x: number, y: number) => (x >= y ? x : Number.isNaN(y) || Number.isNaN(x) ? Infinity : y);
    const [own, sum] = [[new Float64Array(3), new Float64Array(3)] as const, new Float64Array(3)];
    // The evaluator reads positions of moving meshes.
    const places = rig.meshes.map(({ node, instanced }) => (instanced && instancesOf(source.file, node)) || [null]);
    for (const time of times) {
        const globals = [source, reduced].map((one) => one.globals(clip, time)) as [Float64Array, Float64Array];
        for (const [m, mesh] of rig.meshes.entries()) {
            const { node, skin } = mesh;
            const binds = skin < 0 ? [] : source.inverseBindsOf(skin);
            // The effect of each joint's slot, or of the node, on the vertices.
            const matrices = globals.map((all) =>
                skin < 0
                    ? all.subarray(node * 16, node * 16 + 16)
                    : paletteOf({ nodes: source.joints(skin), binds }, { globals: all }),
            ) as [Float64Array, Float64Array];
            const morphs = [source, reduced].map((one) => one.weights(mesh.node, clip, time)) as [number[], number[]];
            for (const place of places[m]!) {
                for (let v = 0; v < mesh.positions.length / 3; v++) {
                    morphed(mesh, v, morphs[0], place, own[0]);
                    morphed(mesh, v, morphs[1], place, own[1]);
                    const influences = mesh.skin < 0 ? 1 : 4;
                    let total = 0;
                    sum.fill(0);
                    for (let i = 0; i < influences; i++) {
                        const weight = influences === 1 ? 1 : mesh.weights[v * 4 + i]!;
                        if (weight === 0) continue;
                        const slot = influences === 1 ? 0 : mesh.joints[v * 4 + i]! * 16;
                        let squared = 0;
                        for (let c = 0; c < 3; c++) {
                            const off =
                                coordinate(matrices[1], slot + c, own[1]) - coordinate(matrices[0], slot + c, own[0]);
                            sum[c] = sum[c]! + weight * off;
                            squared += off * off;
                        }
                        found.carried = most(Math.sqrt(squared), found.carried);
                        total += Math.abs(weight);
                    }
                    const length = Math.sqrt(sum[0]! * sum[0]! + sum[1]! * sum[1]! + sum[2]! * sum[2]!);
                    // Some players do not divide by a sum above 1.
                    const off = length / (total > 1 + 1e-6 ? 1 : total);
                    found.vertices = most(off, found.vertices);
                }
            }
        }
        for (let node = 0; node < found.angles.length; node++) {
            found.angles[node] = Math.max(found.angles[node]!, angleBetween(globals[0], globals[1], node * 16));
        }
    }
    return found;
}

/** One coordinate of a point multiplied by a matrix; `at` is the index of the first number of that row. */
function coordinate(m: Float64Array, at: number, p: Float64Array): number {
    return m[at]! * p[0]! + m[at + 4]! * p[1]! + m[at + 8]! * p[2]! + m[at + 12]!;
}

/** Max error of the length of a rotation by component type (glTF 2.0, 3.11): half a step in each of four components. */
const OFF_LENGTH: Readonly<Record<number, number>> = { 5120: 1 / 127, 5121: 1 / 255, 5122: 1 / 32767, 5123: 1 / 65535 };

/** Node and path of the channels with a rotation that is off unit length by more than rounding. */
function channelsOffUnitLength(evaluator: DoubleEvaluator, clip: number): string[] {
    const { json } = evaluator.file;
    const { channels, samplers } = json.animations![clip] as LooseJson;
    return evaluator.channelsOf(clip).flatMap(({ node, path, sampler: { values, rotation, interpolation } }) => {
        const { sampler } = channels.find(({ target }: LooseJson) => target.node === node && target.path === path);
        const { componentType } = (json as LooseJson).accessors[samplers[sampler].output];
        const tolerance = 1e-5 + (OFF_LENGTH[componentType] ?? 0);
        const [first, next] = interpolation === 'CUBICSPLINE' ? [4, 12] : [0, 4];
        for (let q = first; rotation && q < values.length; q += next)
            if (!(Math.abs(Math.hypot(...values.subarray(q, q + 4)) - 1) <= tolerance)) return [`${node} ${path}`];
        return [];
    });
}

/** Writes the position of a vertex in the space of its node. */
function morphed(
    { positions, targets }: Mesh,
    v: number,
    weights: readonly number[],
    place: Float64Array | null,
    out: Float64Array,
): void {
    for (let c = 0; c < 3; c++) {
        out[c] = positions[v * 3 + c]!;
        for (const [n, moves] of targets.entries()) out[c] = out[c]! + weights[n]! * moves[v * 3 + c]!;
    }
    if (place !== null) out.set(transformed(place, 0, out[0]!, out[1]!, out[2]!));
}

/** For matrices without shear; 0 if one has a scale of 0. */
function angleBetween(a: Float64Array, b: Float64Array, at: number): number {
    if (longestColumn(a, at) === 0 || longestColumn(b, at) === 0) return 0;
    let trace = 0;
    for (const c of [0, 4, 8]) {
        let [dot, aa, bb] = [0, 0, 0];
        for (let r = at + c; r < at + c + 3; r++) {
            dot += a[r]! * b[r]!;
            aa += a[r]! * a[r]!;
            bb += b[r]! * b[r]!;
        }
        trace += aa > 0 && bb > 0 ? dot / Math.sqrt(aa * bb) : 1;
    }
    return Math.acos(Math.max(-1, Math.min(1, (trace - 1) / 2)));
}
