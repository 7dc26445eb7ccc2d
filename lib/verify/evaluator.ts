// SPDX-License-Identifier: MIT

import { type Channel, type EvaluatorOptions, morphTargetsOf, PLACE, readChannels } from './channels';
import type { GltfFile, GltfNode } from './gltf';
import { readGltfFile } from './gltf-file';
import { compose, multiply } from './matrix';
import { sampleAt } from './sampler';

/**
 * The reference for bakes: a double-precision evaluator, written directly from the glTF 2.0 specification, slow and
 * simple. Matrices are column-major, 16 doubles each.
 */
export class DoubleEvaluator {
    readonly parents: Int32Array;
    /** All nodes, parents before their children. */
    readonly order: Int32Array;
    /** T 3, R 4, S 3 of each node. */
    private readonly rest: Float64Array;
    private readonly inverseBinds = new Map<number, Float64Array>();
    private readonly channels = new Map<number, Channel[]>();

    constructor(
        readonly file: GltfFile,
        private readonly options: EvaluatorOptions = {},
    ) {
        const nodes = file.json.nodes ?? [];
        this.parents = parentsOf(nodes);
        this.order = parentsFirst(nodes, this.parents);
        this.rest = new Float64Array(nodes.length * 10);
        for (const [index, node] of nodes.entries()) {
            const { translation, rotation, scale } = node.matrix === undefined ? node : {};
            this.rest.set(translation ?? [0, 0, 0], index * 10);
            this.rest.set(rotation ?? [0, 0, 0, 1], index * 10 + 3);
            this.rest.set(scale ?? [1, 1, 1], index * 10 + 7);
        }
    }

    static async load(path: string, options?: EvaluatorOptions): Promise<DoubleEvaluator> {
        return new DoubleEvaluator(await readGltfFile(path), options);
    }

    get nodes(): readonly GltfNode[] {
        return this.file.json.nodes ?? [];
    }

    get animationCount(): number {
        return this.file.json.animations?.length ?? 0;
    }

    get skinCount(): number {
        return this.file.json.skins?.length ?? 0;
    }

    joints(skin: number): readonly number[] {
        return this.file.json.skins![skin]!.joints;
    }

    /** Time of the animation's last key, over all of its channels. */
    duration(animation: number): number {
        let duration = 0;
        for (const { sampler } of this.channelsOf(animation)) {
            duration = Math.max(duration, sampler.times[sampler.times.length - 1]!);
        }
        return duration;
    }

    /** The given nodes and all their ancestors, parents before children. */
    withAncestors(nodes: Iterable<number>): Int32Array {
        const wanted = new Uint8Array(this.parents.length);
        for (const start of nodes) {
            for (let node = start; node >= 0 && wanted[node] === 0; node = this.parents[node]!) wanted[node] = 1;
        }
        return this.order.filter((node) => wanted[node] === 1);
    }

    /**
     * T 3, R 4, S 3 of all nodes, or of those in `order`. Nodes with a matrix have meaningless numbers.
     *
     * @param animation Null for the rest pose.
     * @param locals A list from an earlier call with the same `order`, to reuse.
     */
    locals(
        animation: number | null,
        time: number,
        order: Int32Array = this.order,
        locals: Float64Array = new Float64Array(this.rest.length),
    ): Float64Array {
        for (const node of order) {
            for (let c = node * 10; c < node * 10 + 10; c++) locals[c] = this.rest[c]!;
        }
        if (animation === null) return locals;
        for (const { node, path, sampler } of this.channelsOf(animation)) {
            const place = PLACE[path];
            if (place !== undefined) locals.set(sampleAt(sampler, time), node * 10 + place);
        }
        return locals;
    }

    /** Global matrices of all nodes, `nodes * 16`, or of those in `order`; zeros for the others. */
    globals(animation: number | null, time: number, order: Int32Array = this.order): Float64Array {
        return this.globalsOf(this.locals(animation, time, order), order);
    }

    /**
     * Global matrices from given locals.
     *
     * @param base The matrix from the scene to the wanted space; null for the scene.
     * @param globals A list from an earlier call with the same `order`, to reuse.
     */
    globalsOf(
        locals: ArrayLike<number>,
        order: Int32Array = this.order,
        base: Float64Array | null = null,
        globals: Float64Array = new Float64Array(this.parents.length * 16),
    ): Float64Array {
        const local = new Float64Array(16);
        for (const node of order) {
            const matrix = this.matrixOf(node);
            if (matrix === null) compose(local, 0, locals, node * 10);
            else local.set(matrix);
            const parent = this.parents[node]!;
            if (parent >= 0) multiply(globals, node * 16, globals, parent * 16, local, 0);
            else if (base !== null) multiply(globals, node * 16, base, 0, local, 0);
            else globals.set(local, node * 16);
        }
        return globals;
    }

    /**
     * The node's `matrix`, with the fourth row 0 0 0 1 that section 3.5.3 requires; null for a node with T, R and S.
     */
    matrixOf(node: number): readonly number[] | null {
        const { matrix } = this.nodes[node]!;
        return matrix === undefined ? null : matrix.map((x, i) => (i % 4 < 3 ? x : i === 15 ? 1 : 0));
    }

    /** Global matrices of the skin's joints, in the order of the file. */
    jointGlobals(skin: number, animation: number | null, time: number): Float64Array {
        const joints = this.joints(skin);
        const globals = this.globals(animation, time, this.withAncestors(joints));
        const out = new Float64Array(joints.length * 16);
        for (const [slot, node] of joints.entries()) {
            out.set(globals.subarray(node * 16, node * 16 + 16), slot * 16);
        }
        return out;
    }

    /** `joints * 16`; identities if the file has none. */
    inverseBindsOf(skin: number): Float64Array {
        let binds = this.inverseBinds.get(skin);
        if (binds === undefined) {
            const { joints, inverseBindMatrices } = this.file.json.skins![skin]!;
            const length = joints.length * 16;
            if (inverseBindMatrices === undefined) {
                binds = Float64Array.from({ length }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0));
            } else {
                binds = this.file.numbers.get(inverseBindMatrices)!.slice(0, length);
                for (let i = 3; i < length; i += 4) binds[i] = i % 16 === 15 ? 1 : 0;
            }
            this.inverseBinds.set(skin, binds);
        }
        return binds;
    }

    /**
     * `globalJoint * inverseBind` in scene space. The transform of the skinned mesh's own node has no effect (section
     * 3.7.3.3).
     */
    palette(skin: number, animation: number | null, time: number): Float64Array {
        const globals = this.jointGlobals(skin, animation, time);
        const binds = this.inverseBindsOf(skin);
        const out = new Float64Array(globals.length);
        for (let at = 0; at < out.length; at += 16) multiply(out, at, globals, at, binds, at);
        return out;
    }

    /** Palettes of several times, one row after another. */
    palettes(skin: number, animation: number, times: ArrayLike<number>): Float64Array {
        const width = this.joints(skin).length * 16;
        const out = new Float64Array(times.length * width);
        for (let i = 0; i < times.length; i++) out.set(this.palette(skin, animation, times[i]!), i * width);
        return out;
    }

    /** A node's morph weights: from the clip, otherwise from the node, its mesh, or zeros (3.7.4). */
    weights(node: number, animation: number | null, time: number): number[] {
        const count = this.morphTargetsOf(node);
        if (animation !== null) {
            const channel = this.channelsOf(animation).findLast(
                (other) => other.node === node && other.path === 'weights',
            );
            if (channel !== undefined) return sampleAt(channel.sampler, time);
        }
        const { mesh, weights } = this.nodes[node]!;
        const rest = weights ?? (mesh === undefined ? undefined : this.file.json.meshes?.[mesh]?.weights);
        return Array.from({ length: count }, (_, i) => rest?.[i] ?? 0);
    }

    morphTargetsOf(node: number): number {
        return morphTargetsOf(this.file.json, node);
    }

    /** The animation's channels, except those that glTF says to ignore (3.11). */
    channelsOf(animation: number): readonly Channel[] {
        let channels = this.channels.get(animation);
        if (channels === undefined) {
            channels = readChannels(this.file, animation, this.options);
            this.channels.set(animation, channels);
        }
        return channels;
    }
}

/** The parent of each node, -1 for a root. */
function parentsOf(nodes: readonly GltfNode[]): Int32Array {
    const parents = new Int32Array(nodes.length).fill(-1);
    for (const [index, { children = [] }] of nodes.entries()) {
        for (const child of children) parents[child] = index;
    }
    return parents;
}

/** All nodes, parents before children. Without recursion, because a chain of a million nodes is legal. */
function parentsFirst(nodes: readonly GltfNode[], parents: Int32Array): Int32Array {
    const order = new Int32Array(parents.length);
    let filled = 0;
    for (let node = 0; node < parents.length; node++) if (parents[node] === -1) order[filled++] = node;
    for (let done = 0; done < filled; done++) {
        for (const child of nodes[order[done]!]!.children ?? []) order[filled++] = child;
    }
    return order;
}
