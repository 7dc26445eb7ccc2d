// SPDX-License-Identifier: MIT

/** Small files with clips to reduce, with their content as plain numbers for judges. */

import { GltfBuilder, type LooseJson } from '../gltf/support/builder';
import { randomRotation, randomVector } from '../support/random';

/** A channel of a clip. */
export interface Keys {
    readonly node: number;
    readonly path: 'translation' | 'rotation' | 'scale' | 'weights';
    readonly interpolation?: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
    readonly times: readonly number[];
    readonly values: readonly number[];
}

/** Vertices that a skin or a node moves. */
export interface Mesh {
    readonly node: number;
    /** -1 for a mesh without a skin. */
    readonly skin: number;
    /** x y z for each vertex. */
    readonly positions: ArrayLike<number>;
    /** Four for each vertex; empty without a skin. */
    readonly joints: Uint8Array;
    readonly weights: Float32Array;
    /** Displacements of the vertices by each morph target. */
    readonly targets: readonly Float32Array[];
    /** Whether its node has several instances (EXT_mesh_gpu_instancing). */
    readonly instanced?: boolean;
}

export interface Rig {
    readonly builder: GltfBuilder;
    readonly meshes: readonly Mesh[];
    readonly clips: readonly (readonly Keys[])[];
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Builds a file. */
export class RigBuilder {
    readonly builder = new GltfBuilder();
    readonly meshes: Mesh[] = [];
    readonly clips: Keys[][] = [];

    /** @param node As in the file, without its parent. */
    node(parent = -1, node: LooseJson = {}): number {
        const { nodes } = this.builder.json;
        const index = nodes.push({ ...node }) - 1;
        if (parent >= 0) nodes[parent].children = [...(nodes[parent].children ?? []), index];
        return index;
    }

    skin(joints: readonly number[], inverseBinds: readonly number[] = joints.flatMap(() => IDENTITY)): number {
        const inverseBindMatrices = this.builder.accessor(Float32Array.from(inverseBinds), 'MAT4');
        return this.builder.json.skins.push({ joints, inverseBindMatrices }) - 1;
    }

    /** Gives a node vertices: its own, or those of a skin, with four `joints` and `weights` for each. */
    mesh(
        node: number,
        positions: readonly number[],
        skin: { skin: number; joints: readonly number[]; weights: readonly number[] } | null = null,
        targets: readonly (readonly number[])[] = [],
        morphs: readonly number[] = targets.map(() => 0),
    ): void {
        const { json } = this.builder;
        const own = Float32Array.from(positions);
        const mesh: Mesh & { targets: Float32Array[] } = {
            node,
            skin: skin?.skin ?? -1,
            positions: own,
            joints: Uint8Array.from(skin?.joints ?? []),
            weights: Float32Array.from(skin?.weights ?? []),
            targets: targets.map((moves) => Float32Array.from(moves)),
        };
        const place = (values: Float32Array) => this.builder.accessor(values, 'VEC3', boundsOf(values, 3));
        const attributes: LooseJson = { POSITION: place(own) };
        if (skin !== null) {
            attributes.JOINTS_0 = this.builder.accessor(mesh.joints, 'VEC4');
            attributes.WEIGHTS_0 = this.builder.accessor(mesh.weights, 'VEC4');
            json.nodes[node].skin = skin.skin;
        }
        // Points, which allow any number of vertices.
        const primitive: LooseJson = { attributes, mode: 0 };
        if (targets.length > 0) primitive.targets = mesh.targets.map((moves) => ({ POSITION: place(moves) }));
        const weights = targets.length > 0 ? { weights: morphs } : {};
        json.nodes[node].mesh = json.meshes.push({ primitives: [primitive], ...weights }) - 1;
        this.meshes.push(mesh);
    }

    /** Adds a node with vertices that share one list of weights for up to four joints of a skin. */
    skinned(
        positions: readonly number[],
        joints: readonly number[],
        weights: readonly number[],
        targets: readonly (readonly number[])[] = [],
    ): void {
        const all = (list: readonly number[]) => Array.from({ length: positions.length / 3 }).flatMap(() => list);
        const slots = [0, 1, 2, 3].map((slot) => (slot < joints.length ? slot : 0));
        this.mesh(
            this.node(),
            positions,
            { skin: this.skin(joints), joints: all(slots), weights: all(weights) },
            targets,
        );
    }

    /** Draws the last mesh, which has no skin, in several instances with translation, rotation and scale. */
    instances(places: readonly (readonly number[])[]): void {
        const { json } = this.builder;
        const mesh = this.meshes.pop()!;
        const column = (type: string, from: number, to: number) =>
            this.builder.accessor(Float32Array.from(places.flatMap((place) => place.slice(from, to))), type);
        const attributes = {
            TRANSLATION: column('VEC3', 0, 3),
            ROTATION: column('VEC4', 3, 7),
            SCALE: column('VEC3', 7, 10),
        };
        json.nodes[mesh.node].extensions = { EXT_mesh_gpu_instancing: { attributes } };
        json.extensionsUsed = ['EXT_mesh_gpu_instancing'];
        this.meshes.push({ ...mesh, instanced: true });
    }

    clip(channels: readonly Keys[], name = `clip ${this.clips.length}`): void {
        const samplers = channels.map(({ path, times, values, interpolation = 'LINEAR' }) => {
            const seconds = Float32Array.from(times);
            const type = path === 'rotation' ? 'VEC4' : path === 'weights' ? 'SCALAR' : 'VEC3';
            return {
                input: this.builder.accessor(seconds, 'SCALAR', boundsOf(seconds, 1)),
                output: this.builder.accessor(Float32Array.from(values), type),
                interpolation,
            };
        });
        const targets = channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } }));
        this.builder.json.animations.push({ name, channels: targets, samplers });
        this.clips.push([...channels]);
    }

    done(): this {
        const { json } = this.builder;
        const below = new Set(json.nodes.flatMap((node: LooseJson) => node.children ?? []));
        json.scenes = [{ nodes: json.nodes.flatMap((_: LooseJson, node: number) => (below.has(node) ? [] : [node])) }];
        json.scene = 0;
        for (const list of ['skins', 'meshes', 'animations']) if (json[list]?.length === 0) delete json[list];
        return this;
    }
}

function boundsOf(values: Float32Array, width: number): { min: number[]; max: number[] } {
    const column = (c: number) => values.filter((_, i) => i % width === c);
    const each = (of: (...list: number[]) => number) => Array.from({ length: width }, (_, c) => of(...column(c)));
    return { min: each(Math.min), max: each(Math.max) };
}

/** Corners of a box. */
export const BOX = [-1, 1].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.25, 0.25].flatMap((z) => [x, y, z])));

export const frames = (count: number, fps = 30) => Array.from({ length: count }, (_, i) => i / fps);

/** A rotation about an axis, in radians. */
export function turn(axis: 0 | 1 | 2, angle: number): number[] {
    const q = [0, 0, 0, Math.cos(angle / 2)];
    q[axis] = Math.sin(angle / 2);
    return q;
}

/** Keys with values that are a function of their times. */
export const keyed = (
    node: number,
    path: Keys['path'],
    times: readonly number[],
    valueAt: (time: number, key: number) => number[],
    interpolation: Keys['interpolation'] = 'LINEAR',
): Keys => ({ node, path, interpolation, times, values: times.flatMap(valueAt) });

export const swing = (node: number, count = 40, axis: 0 | 1 | 2 = 2, size = 0.5) =>
    keyed(node, 'rotation', frames(count), (t) => turn(axis, size * Math.sin(4 * t + node)));

export const slide = (node: number, count = 40, x = 0) =>
    keyed(node, 'translation', frames(count), (t) => [x + Math.sin(3 * t + node), 0.2 * t, 0]);

/** One node with a box, and its clip. */
export function lone(channels: readonly Keys[] = [], place: LooseJson = {}): RigBuilder {
    const rig = new RigBuilder();
    rig.node(-1, place);
    rig.mesh(0, BOX);
    if (channels.length > 0) rig.clip(channels);
    return rig.done();
}

/** A chain of joints with a box on each; `channels` moves them. */
export function limb(
    count: number,
    channels: (node: number) => readonly Keys[],
    place: (node: number) => LooseJson = () => ({}),
): RigBuilder {
    const rig = new RigBuilder();
    for (let node = 0; node < count; node++)
        rig.node(node - 1, { translation: [0, node === 0 ? 0 : 1, 0], ...place(node) });
    const joints = Array.from({ length: count }, (_, node) => node);
    const binds = joints.flatMap((node) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -node, 0, 1]);
    const skin = rig.skin(joints, binds);
    const own = joints.flatMap((node) => BOX.map((x, i) => (i % 3 === 1 ? x + node : x)));
    const corners = joints.flatMap((node) => Array.from({ length: 8 }, () => node));
    const influences = corners.flatMap((node) => [node, Math.max(0, node - 1), 0, 0]);
    const weights = corners.flatMap(() => [0.75, 0.25, 0, 0]);
    rig.mesh(rig.node(), own, { skin, joints: influences, weights });
    rig.clip(joints.flatMap(channels));
    return rig.done();
}

/** Limits of a random rig. */
export interface Wildness {
    /** Max number of nodes, and of keys in a channel. */
    readonly nodes?: number;
    readonly keys?: number;
    /** Max error of the length of rotations. */
    readonly offUnit?: number;
}

/** A hierarchy of all kinds of nodes, skinned and rigid meshes, morph targets; one or two clips with all kinds of channels. */
export function randomRig(next: () => number, { nodes = 9, keys = 40, offUnit = 0 }: Wildness = {}): Rig {
    const rig = new RigBuilder();
    const below = (n: number) => Math.floor(next() * n);
    const count = 1 + below(nodes);
    const far = next() < 0.1 ? 1e5 : 1;
    const chain = next() < 0.2;
    for (let node = 0; node < count; node++) {
        const parent = node === 0 || next() < 0.1 ? -1 : chain ? node - 1 : below(node);
        rig.node(parent, randomPlace(next, node === 0 ? far : 1));
    }
    const all = Array.from({ length: count }, (_, node) => node);
    for (const node of all) {
        if (next() >= 0.3) continue;
        addMesh(rig, next, node, 1 + below(30));
        const place = () => [...randomVector(next, 2), ...randomRotation(next), 1, 0.5 + next(), -1].map(Math.fround);
        if (next() < 0.15) rig.instances(Array.from({ length: 1 + below(3) }, place));
    }
    for (let skins = below(3); skins > 0; skins--) addSkin(rig, next, all);
    for (let clips = 1 + below(2); clips > 0; clips--) {
        const channels = randomChannels(rig, next, keys, offUnit);
        if (channels.length > 0) rig.clip(channels);
    }
    if (rig.clips.length === 0)
        rig.clip([{ ...randomKeys(next, 'LINEAR', 'translation', 3, keys, 0), node: rig.node() }]);
    return rig.done();
}

/** Rest values, mostly as in real files, sometimes invalid. */
function randomPlace(next: () => number, far: number): LooseJson {
    const kind = next();
    if (kind < 0.06) {
        const [x, y, z] = randomVector(next, 1);
        return { matrix: [1, 0.25, 0, 0, 0.5, 1, 0, 0, 0, -0.5, 0.75, 0, x, y, z, 1] };
    }
    const scales = [
        [1.5, 0.25, 1],
        [1, -1, 1],
        [0, 0, 0],
        [1, 0, 2],
        [-0.5, -2, -1],
        [2, 2, 2],
        [0.01, 0.01, 0.01],
        [100, 100, 100],
    ];
    const place = { translation: randomVector(next, far), rotation: randomRotation(next) };
    return kind < 0.3 ? { ...place, scale: scales[Math.floor(((kind - 0.06) / 0.24) * scales.length)] } : place;
}

const cloud = (next: () => number, count: number) => Array.from({ length: count }, () => randomVector(next, 1)).flat();

function addMesh(
    rig: RigBuilder,
    next: () => number,
    node: number,
    vertices: number,
    skin?: Parameters<RigBuilder['mesh']>[2],
): void {
    const targets = Array.from({ length: next() < 0.3 ? 1 + Math.floor(next() * 2) : 0 }, () => cloud(next, vertices));
    rig.mesh(node, cloud(next, vertices), skin, targets, targets.map(next));
}

function addSkin(rig: RigBuilder, next: () => number, all: readonly number[]): void {
    const joints = all.filter(() => next() < 0.7);
    if (joints.length === 0) joints.push(all[0]!);
    const binds = joints.flatMap(() => {
        const [a, b] = [next() - 0.5, 0.5 + next()];
        return [b, a, 0, 0, -a, b, 0, 0, 0, 0, b, 0, ...randomVector(next, 1), 1];
    });
    const own = { skin: rig.skin(joints, binds), joints: [] as number[], weights: [] as number[] };
    const count = 1 + Math.floor(next() * 80);
    for (let v = 0; v < count; v++) {
        const weights = [1, next(), next() < 0.3 ? next() : 0, 0];
        const sum = weights.reduce((a, b) => a + b);
        own.joints.push(...weights.map(() => Math.floor(next() * joints.length)));
        own.weights.push(...weights.map((weight) => weight / sum));
    }
    addMesh(rig, next, rig.node(), count, own);
}

/** Mostly straight: clips that straight keys cannot fit stay unchanged, which leaves nothing to judge. */
const KINDS = [...Array.from({ length: 10 }, () => 'LINEAR' as const), 'STEP', 'CUBICSPLINE'] as const;

function randomChannels(rig: RigBuilder, next: () => number, most: number, offUnit: number): Keys[] {
    const channels: Keys[] = [];
    // In some clips every channel can be dropped.
    const drifts = next() < 0.3;
    const add = (node: number, path: Keys['path'], width: number) => {
        const kind = KINDS[Math.floor(next() * KINDS.length)]!;
        const keys =
            drifts || next() < 0.3
                ? randomDrift(next, kind, path, restOf(rig, node, path, width))
                : randomKeys(next, kind, path, width, most, offUnit);
        channels.push({ ...keys, node });
    };
    for (const [node, { matrix, mesh }] of rig.builder.json.nodes.entries()) {
        if (matrix !== undefined || (drifts && next() < 0.6)) continue;
        if (next() < 0.2) add(node, 'translation', 3);
        if (next() < 0.5) add(node, 'rotation', 4);
        if (next() < 0.15) add(node, 'scale', 3);
        const targets = mesh === undefined ? 0 : rig.meshes[mesh]!.targets.length;
        if (targets > 0 && next() < 0.8) add(node, 'weights', targets);
    }
    return channels;
}

function restOf({ builder }: RigBuilder, node: number, path: Keys['path'], width: number): readonly number[] {
    const { mesh, [path]: own } = builder.json.nodes[node];
    if (path === 'weights') return builder.json.meshes[mesh].weights;
    return own ?? Array.from({ length: width }, (_, c) => (path === 'scale' || c === 3 ? 1 : 0));
}

/** The next float32, or one a few steps later. */
function soonAfter(next: () => number, time: number): number {
    return Math.fround(Math.max(time, 2 ** -10) * (1 + 2 ** -23 * Math.floor(1 + 3 * next())));
}

/** A channel near the rest value, or passing through it, so that some can be dropped: few keys, which start late or end early. */
export function randomDrift(
    next: () => number,
    interpolation: NonNullable<Keys['interpolation']>,
    path: Keys['path'],
    rest: readonly number[],
): Omit<Keys, 'node'> {
    const count = 1 + Math.floor(next() * 4);
    let time = next() < 0.5 ? 0 : Math.fround(next());
    const times = Array.from({ length: count }, (_, k) => {
        if (k > 0) time = next() < 0.15 ? soonAfter(next, time) : Math.fround(time + 0.01 + next() * next());
        return time;
    });
    const size = 10 ** (-1 - 4 * next());
    const away = rest.map(() => (next() < 0.5 ? 0 : 2 * next() - 1));
    const side = next() < 0.2;
    const values = times.flatMap((_, k) => {
        const by = next() < 0.5 ? (k % 2 === 0 ? 1 : -1) : 2 * next() - 1;
        const value = rest.map((x, c) => x + size * by * away[c]!);
        const placed = path === 'rotation' ? unit(value).map((x) => (side && k % 2 === 1 ? -x : x)) : value;
        const tangent = () => rest.map(() => (interpolation === 'CUBICSPLINE' ? size * (next() - 0.5) : 0));
        return interpolation === 'CUBICSPLINE' ? [...tangent(), ...placed, ...tangent()] : placed;
    });
    return { path, interpolation, times, values };
}

/** A channel with smooth motion, with or without noise, or with random keys. */
export function randomKeys(
    next: () => number,
    interpolation: NonNullable<Keys['interpolation']>,
    path: Keys['path'],
    width: number,
    most: number,
    offUnit: number,
): Omit<Keys, 'node'> {
    const cubic = interpolation === 'CUBICSPLINE';
    const flows = next() < 0.6;
    const count = 1 + Math.floor(next() * (cubic || !flows ? Math.min(most, 6) : most));
    const start = next() < 0.2 ? next() : 0;
    const regular = next() < 0.7;
    let time = start;
    const times = Array.from({ length: count }, (_, k) => {
        if (k > 0 && next() < 0.02) time = soonAfter(next, Math.fround(time));
        else if (k > 0) time += regular ? 1 / 30 : 0.001 + 0.1 * next();
        return Math.fround(time);
    });
    const noise = next() < 0.3 ? 0.003 : 0;
    const phase = Array.from({ length: 4 }, () => next() * 6);
    const size = next() < 0.2 ? 3 : 0.5;
    const flow = (t: number) => {
        const moves = phase.map((p) => size * Math.sin(3 * t + p) + noise * (next() - 0.5));
        if (path === 'rotation') return unit([moves[0]!, moves[1]!, moves[2]!, 1 + 0 * moves[3]!]);
        return moves.slice(0, width).map((x) => (path === 'scale' ? 1 + 0.5 * x : x));
    };
    const anywhere = () => {
        // Some are half turns, and some are constant.
        if (path === 'rotation')
            return next() < 0.2
                ? [next() < 0.5 ? 1 : 0, 0, 0, 0].map((x, c, q) => (c === 3 ? 1 - q[0]! : x))
                : randomRotation(next);
        const zero = path === 'scale' && next() < 0.1;
        return Array.from({ length: width }, () =>
            zero ? 0 : Math.fround((path === 'scale' ? 0.5 : 0) + 2 * next() - 0.7),
        );
    };
    const length = () => 1 + offUnit * (2 * next() - 1);
    const slope = flows ? 0.3 : 4;
    const tangent = () => Array.from({ length: width }, () => Math.fround(slope * (next() - 0.5)));
    const values = times.flatMap((t) => {
        const value = flows ? flow(t) : anywhere();
        const scaled = path === 'rotation' ? value.map((x) => x * length()) : value;
        return cubic ? [...tangent(), ...scaled, ...tangent()] : scaled;
    });
    // A loop ends with its first value.
    const part = values.length / count;
    if (next() < 0.15) for (let c = 0; c < part; c++) values[values.length - part + c] = values[c]!;
    return { path, interpolation, times, values };
}

function unit(q: readonly number[]): number[] {
    const length = Math.hypot(...q);
    return q.map((x) => x / length);
}
