// SPDX-License-Identifier: MIT

import { usedChannels } from './channels';
import { type Columns, type GltfFile, type GltfJson, type GltfPrimitive, refuse } from './gltf';
import { instancesOf } from './instances';
import { transformed } from './matrix';

/** The vertices of a primitive that a skin moves, as stored, in the input space of palettes. */
export interface SkinVertices {
    readonly count: number;
    /** `count * 3` */
    readonly positions: Float64Array;
    /** Number of influences of each vertex. */
    readonly influences: number;
    /** `count * influences` */
    readonly joints: Int32Array;
    /** `count * influences`, at least 0. Each vertex has a positive one. */
    readonly weights: Float64Array;
    /** The weights as stored, including negative ones. Missing for attachments. */
    readonly signed?: Float64Array;
    readonly mesh: number;
    /**
     * Displacements by morph targets, `count * 3` each, if they are read (`readGltfFile`); null for a target without
     * any.
     */
    readonly targets: readonly (Float64Array | null)[];
    /** The transforms of an instanced mesh and, for each primitive, the displacements by its morph targets. */
    readonly drawn?: {
        readonly places: readonly Float64Array[];
        readonly targets: readonly (readonly (Float64Array | null)[])[];
    };
    /** Column of the attachment with these vertices. Missing for a skin's. */
    readonly attachment?: number;
    /** The skin, if it shares another skin's palette after a scale and a translation. The vertices have both. */
    readonly rescaled?: number;
}

/** A primitive that a skin moves, by its accessors. */
interface SkinnedPrimitive {
    readonly pointer: string;
    readonly mesh: number;
    readonly targets: NonNullable<GltfPrimitive['targets']>;
    readonly position: number;
    readonly sets: readonly (readonly [joints: number, weights: number])[];
}

/**
 * The primitives that a skin moves, each once: a skinned mesh ignores its node's transform, so its nodes are
 * equivalent.
 */
export function skinnedPrimitives(json: GltfJson, skin: number): SkinnedPrimitive[] {
    const nodes = (json.nodes ?? []).filter((node) => node.skin === skin && node.mesh !== undefined);
    return [...new Set(nodes.map(({ mesh }) => mesh!))].flatMap((mesh) =>
        (json.meshes![mesh]!.primitives ?? []).flatMap(({ attributes, targets = [] }, index) => {
            const sets = influenceSets(attributes);
            if (attributes.POSITION === undefined || sets.length === 0) return [];
            const pointer = `/meshes/${mesh}/primitives/${index}`;
            return [{ pointer, mesh, targets, position: attributes.POSITION, sets }];
        }),
    );
}

function influenceSets(attributes: GltfPrimitive['attributes']): (readonly [number, number])[] {
    const sets: (readonly [number, number])[] = [];
    for (let set = 0; attributes[`JOINTS_${set}`] !== undefined; set++) {
        const weights = attributes[`WEIGHTS_${set}`];
        if (weights !== undefined) sets.push([attributes[`JOINTS_${set}`]!, weights]);
    }
    return sets;
}

/** All vertices that skins and attachments move, one entry for each primitive. Empty without a mesh. */
export function verticesOf(file: GltfFile, columns: Columns): SkinVertices[] {
    const { path, json, numbers, maxNumbers } = file;
    const { skins, rescaled, nodes, joints: jointCount } = columns;
    let total = 0;
    const primitives = new Map(skins.flatMap((skin) => skinnedPrimitives(json, skin)).map((one) => [one.pointer, one]));
    const displacements = (targets: NonNullable<GltfPrimitive['targets']>, scale = 1) =>
        targets.map(({ POSITION = -1 }) => {
            const displaced = numbers.get(POSITION);
            return displaced === undefined ? null : scale === 1 ? displaced : displaced.map((x) => scale * x);
        });
    const moved = [
        ...[...primitives.values()].map((primitive) => ({ primitive, by: undefined })),
        ...rescaled.flatMap((by) => skinnedPrimitives(json, by.skin).map((primitive) => ({ primitive, by }))),
    ];
    const skinned = moved.map(({ primitive: { pointer, mesh, targets, position, sets }, by }) => {
        const stored = numbers.get(position)!;
        const positions = by === undefined ? stored : stored.map((x, i) => by.scale * x + by.translation[i % 3]!);
        const count = positions.length / 3;
        // Primitives can share accessors in any combination.
        total += count * sets.length * 4;
        if (total > maxNumbers) {
            refuse(path, pointer, `the vertices have more than ${maxNumbers} influences, the limit here`);
        }
        const own = influencesOf(count, sets, numbers, jointCount);
        const vertices = { count, positions, mesh, targets: displacements(targets, by?.scale), ...own };
        return by === undefined ? vertices : { ...vertices, rescaled: by.skin };
    });
    const rigid = nodes.slice(jointCount).flatMap((node, index) => {
        const places = instancesOf(file, node);
        const mesh = json.nodes![node]!.mesh!;
        const drawn = placedPrimitives(json, mesh).map(({ attributes, targets = [] }) => ({
            positions: numbers.get(attributes.POSITION!)!,
            targets: displacements(targets),
        }));
        // Vertices times instances may be too many, so bakes use the corners of the mesh's box for each instance.
        const lists = drawn.map(({ positions }) => positions);
        const corners = places === null ? drawn : [{ positions: cornersIn(places, lists), targets: [] }];
        const instanced = places === null ? {} : { drawn: { places, targets: drawn.map(({ targets }) => targets) } };
        return corners.map(({ positions, targets }): SkinVertices => {
            const count = positions.length / 3;
            const attachment = jointCount + index;
            total += count;
            if (total > maxNumbers) refuse(path, `/nodes/${node}`, `more than ${maxNumbers} vertices, the limit here`);
            const joints = new Int32Array(count).fill(attachment);
            const weights = new Float64Array(count).fill(1);
            return { count, positions, mesh, targets, influences: 1, joints, weights, attachment, ...instanced };
        });
    });
    return [...skinned, ...rigid];
}

/** Nodes at or below a joint or a node that an animation moves, and targets of morph weights: 1 for each. */
export function movedNodes(json: GltfJson): Uint8Array {
    const { nodes = [], skins = [], animations = [] } = json;
    const moves = new Uint8Array(nodes.length);
    const left = skins.flatMap(({ joints }) => joints);
    const morphed: number[] = [];
    for (const animation of animations.keys()) {
        for (const { to } of usedChannels(json, animation)) {
            (to.path === 'weights' ? morphed : left).push(to.node);
        }
    }
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
        if (moves[node] === 1) continue;
        moves[node] = 1;
        for (const child of nodes[node]!.children ?? []) left.push(child);
    }
    for (const node of morphed) moves[node] = 1;
    return moves;
}

/** The corners of the vertices' box under each instance. */
function cornersIn(places: readonly Float64Array[], lists: readonly Float64Array[]): Float64Array {
    const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    for (const positions of lists) {
        for (let i = 0; i < positions.length; i++) {
            const [x, axis] = [positions[i]!, i % 3];
            box[axis] = Math.min(box[axis]!, x);
            box[axis + 3] = Math.max(box[axis + 3]!, x);
        }
    }
    if (box[0]! > box[3]!) return new Float64Array(0);
    const corners = Array.from({ length: 8 }, (_, k) => [
        box[(k & 1) * 3]!,
        box[1 + (k & 2) * 1.5]!,
        box[2 + (k & 4) * 0.75]!,
    ]);
    return Float64Array.from(places.flatMap((m) => corners.flatMap(([x, y, z]) => [...transformed(m, 0, x!, y!, z!)])));
}

/** The primitives of a mesh that have vertices. */
function placedPrimitives({ meshes = [] }: GltfJson, mesh: number): GltfPrimitive[] {
    return (meshes[mesh]!.primitives ?? []).filter(({ attributes }) => attributes.POSITION !== undefined);
}

/** The accessors of morph targets' displacements, for meshes whose weights a clip animates, or for all. */
export function targetPositions(json: GltfJson, all: boolean): number[] {
    const { animations = [], nodes = [], meshes = [] } = json;
    const channels = [...animations.keys()].flatMap((animation) => usedChannels(json, animation));
    const moved = channels.flatMap(({ to }) => (to.path === 'weights' ? (nodes[to.node]!.mesh ?? []) : []));
    return [...(all ? meshes.keys() : new Set(moved))].flatMap((mesh) =>
        (meshes[mesh]!.primitives ?? []).flatMap(({ targets = [] }) =>
            targets.flatMap(({ POSITION = [] }) => POSITION),
        ),
    );
}

/** The accessors of all normals, and of their displacements by morph targets. */
export function normalsOf({ meshes = [] }: GltfJson): number[] {
    return meshes.flatMap(({ primitives = [] }) =>
        primitives.flatMap(({ attributes, targets = [] }) =>
            [attributes, ...targets].flatMap(({ NORMAL = [] as never }) => NORMAL),
        ),
    );
}

/** The accessors of the vertices of moving meshes without a skin, or of all without a skin. */
export function rigidPositions(json: GltfJson, all: boolean): number[] {
    const moves = movedNodes(json);
    const rigid = (json.nodes ?? []).flatMap(({ mesh, skin }, node) =>
        mesh === undefined || skin !== undefined || !(all || moves[node] === 1) ? [] : [mesh],
    );
    return [...new Set(rigid)].flatMap((mesh) =>
        placedPrimitives(json, mesh).map(({ attributes }) => attributes.POSITION!),
    );
}

/** The accessors of the instance transforms of moving meshes, or of all. */
export function instancingOf(json: GltfJson, all: boolean): number[] {
    const moved = movedNodes(json);
    return (json.nodes ?? []).flatMap(({ mesh, skin, extensions }, node) => {
        if (mesh === undefined || skin !== undefined || !(all || moved[node] === 1)) return [];
        const { TRANSLATION, ROTATION, SCALE } = extensions?.EXT_mesh_gpu_instancing?.attributes ?? {};
        return [TRANSLATION, ROTATION, SCALE].flatMap((accessor) => accessor ?? []);
    });
}

/**
 * Negative weights, NaN and infinity count as 0. A vertex without weights follows its first joint, or the skin's first
 * joint if that does not exist.
 */
function influencesOf(
    count: number,
    sets: SkinnedPrimitive['sets'],
    numbers: GltfFile['numbers'],
    jointCount: number,
): Pick<SkinVertices, 'influences' | 'joints' | 'weights' | 'signed'> {
    const influences = sets.length * 4;
    const joints = new Int32Array(count * influences);
    const weights = new Float64Array(count * influences);
    const signed = new Float64Array(count * influences);
    for (const [set, accessors] of sets.entries()) {
        const [joint, weight] = accessors.map((accessor) => numbers.get(accessor)!);
        for (let k = 0; k < count * 4; k++) {
            const at = Math.floor(k / 4) * influences + set * 4 + (k % 4);
            joints[at] = joint![k]!;
            if (Number.isFinite(weight![k]!)) signed[at] = weight![k]!;
            if (signed[at]! > 0) weights[at] = signed[at]!;
        }
    }
    for (let at = 0; at < weights.length; at += influences) {
        if (weights.subarray(at, at + influences).some((weight) => weight > 0)) continue;
        if (joints[at]! >= jointCount) joints[at] = 0;
        weights[at] = 1;
        signed.set(weights.subarray(at, at + influences), at);
    }
    return { influences, joints, weights, signed };
}
