// SPDX-License-Identifier: MIT

/** A rig's tables in the memory of an instance, laid out as native/rig/rig.h has them for 32-bit pointers. */

import { bufferOf, byteLengthOf, byteOffsetOf } from '../../base/arguments';
import { allocate, type Heap } from '../../webassembly/heap';
import { GROUP_NUMBERS, LANES, type MeshTables, type RigTables, type SlotTables } from '../kernels/contract';

/** `sizeof(Located)`, and `kLocatedGroups`. */
const LOCATED_BYTES = 576;
const LOCATED_GROUPS = 16;
/** `kRowFloats`. */
const ROW_FLOATS = 688;
/** `sizeof(Clip)`. */
const CLIP_BYTES = 48;
/** `Skin::kMatrixFloats` of four lanes. */
const MATRIX_FLOATS = 12;
/** Influences of a set. */
const INFLUENCES = 4;
/** `kValuesPadding` and `kBasePadding` for vectors of four floats, in bytes. */
const PADDING = 16;

/** Addresses of a rig's tables. */
export interface LoadedRig {
    readonly heap: Heap;
    /** `RigView` */
    readonly view: number;
    readonly inverseBinds: readonly number[];
    readonly meshes: readonly LoadedMesh[];
    /** `SkinScratch` */
    readonly skinMatrices: number;
    readonly morphWeights: number;
    readonly clips: number;
    /** Maximum number of groups of a clip. */
    readonly groups: number;
}

export interface LoadedMesh {
    /** `MeshView` */
    readonly view: number;
    readonly vertices: number;
    /** Slots of its joints. */
    readonly slots: Int32Array;
}

/** Addresses of the tables of some poses' slots. */
export interface LoadedSlots {
    /** `SlotsView` */
    readonly view: number;
    /** `Workspace` */
    readonly workspace: number;
    /** The places of each skin's joints, and of each mesh's; 0 where the poses do not have them all. */
    readonly skinPlaces: readonly number[];
    readonly meshPlaces: readonly number[];
}

type Numbers = Float32Array | Int32Array | Uint32Array | Uint16Array;

export function loadRig(heap: Heap, tables: RigTables, meshTables: readonly MeshTables[]): LoadedRig {
    const clips = tables.clips.map((clip) => {
        const { values, groups, times, starts, tracks, morphTracks, base, baseWeights } = clip;
        const lists = [values, groups, times, starts, tracks, morphTracks, base, baseWeights];
        return lists.map((list) => put(heap, list, list === values || list === base ? PADDING : 0));
    });
    const clipViews = allocate(heap, clips.length * CLIP_BYTES);
    for (const [i, { duration, firstTime, cellsPerSecond, groups }] of tables.clips.entries()) {
        const at = (clipViews + i * CLIP_BYTES) >>> 2;
        heap.floats.set([duration, firstTime, cellsPerSecond], at);
        heap.ints.set([groups.length / GROUP_NUMBERS, ...clips[i]!], at + 3);
    }
    const { rest, restWeights, matrices, morphs, skins } = tables;
    const view = struct(heap, [
        ...[restWeights.length, morphs.length / 2],
        ...[rest, restWeights, matrices, morphs].map((list) => put(heap, list)),
        clipViews,
    ]);
    const meshes = meshTables.map((mesh) => ({ mesh, ...loadMesh(heap, mesh, tables) }));
    const max = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), 0);
    const joints = max(meshes.map(({ mesh }) => mesh.joints.length + 1));
    return {
        heap,
        view,
        inverseBinds: skins.map(({ inverseBinds }) => put(heap, inverseBinds)),
        meshes,
        skinMatrices: allocate(heap, joints * LANES * MATRIX_FLOATS * 4),
        morphWeights: allocate(heap, max(meshes.map(({ mesh }) => mesh.targetCount)) * 4),
        clips: tables.clips.length,
        groups: max(tables.clips.map(({ groups }) => groups.length / GROUP_NUMBERS)),
    };
}

export function loadSlots(
    { heap, view, clips, groups, meshes }: LoadedRig,
    tables: RigTables,
    slots: SlotTables,
): LoadedSlots {
    const lists = [slots.slots, slots.parents, slots.matrices].map((list) => put(heap, list));
    const placesOf = (of: Int32Array) => {
        const places = of.map((slot) => slots.places[slot]!);
        return places.includes(-1) ? 0 : put(heap, places);
    };
    const listed = struct(heap, [slots.slots.length, ...lists, 0]);
    const list = (to: number) => heap.functions.listTracks!(view, listed, clips, to) as number;
    const tracks = allocate(heap, list(0) * 4);
    list(tracks);
    heap.ints[(listed >>> 2) + 1 + lists.length] = tracks;
    return {
        view: listed,
        workspace: struct(heap, [
            // Skinning evaluates no clips.
            ...(clips === 0 ? [0, 0] : [Math.max(LOCATED_GROUPS, groups) * LOCATED_BYTES, LANES * ROW_FLOATS * 4]).map(
                (bytes) => allocate(heap, bytes),
            ),
            ...[0, 0, 0, 0],
        ]),
        skinPlaces: tables.skins.map(({ joints }) => placesOf(joints)),
        meshPlaces: meshes.map((mesh) => placesOf(mesh.slots)),
    };
}

/** Repacks a mesh for kernels that have vertices in lanes, as native/addon/mesh_tables.cpp does. */
function loadMesh(heap: Heap, mesh: MeshTables, { skins }: RigTables): LoadedMesh {
    const { vertexCount: vertices, sets, joints } = mesh;
    const blocks = Math.ceil(vertices / LANES);
    /** Places after the last vertex repeat it. */
    const vertexAt = (place: number) => Math.min(place, vertices - 1);
    const vectors = (from: Float32Array) => {
        const to = new Float32Array(from.length === 0 ? 0 : blocks * LANES * 3);
        for (let i = 0; i < to.length; i++) {
            const [block, axis, lane] = [Math.floor(i / 48), Math.floor(i / LANES) % 3, i % LANES];
            to[i] = from[vertexAt(block * LANES + lane) * 3 + axis]!;
        }
        return to;
    };
    const influences = blocks * LANES * sets * INFLUENCES;
    // Matrix 0 is all zeros. With weight 1 it pads sets.
    const matrices = new Uint32Array(influences);
    const weights = new Float32Array(influences).fill(1);
    for (let at = 0; at < influences; at++) {
        const lane = Math.floor(at / INFLUENCES) % LANES;
        const set = Math.floor(at / (INFLUENCES * LANES)) % sets;
        const block = Math.floor(at / (INFLUENCES * LANES * sets));
        const row = vertexAt(block * LANES + lane) * sets + set;
        const influence = mesh.starts[row]! + (at % INFLUENCES);
        if (influence >= mesh.starts[row + 1]!) continue;
        matrices[at] = (1 + mesh.influenceJoints[influence]!) * MATRIX_FLOATS;
        weights[at] = mesh.influenceWeights[influence]!;
    }
    const skin = skins[mesh.skin];
    const inverseBinds = new Float32Array(joints.length * 12);
    for (const [i, joint] of joints.entries()) {
        inverseBinds.set(skin!.inverseBinds.subarray(joint * 12, joint * 12 + 12), i * 12);
    }
    const normals = vectors(mesh.normals);
    const lists = [
        ...[vectors(mesh.positions), normals, matrices, weights, inverseBinds],
        ...[mesh.morphStarts, mesh.morphTargets, mesh.morphPositions, mesh.morphNormals],
    ].map((list) => (list === normals && normals.length === 0 ? 0 : put(heap, list)));
    return {
        view: struct(heap, [vertices, joints.length, sets, mesh.firstWeight, mesh.targetCount, ...lists]),
        vertices,
        slots: joints.map((joint) => skin!.joints[joint]!),
    };
}

function put(heap: Heap, list: Numbers, padding = 0): number {
    const at = allocate(heap, byteLengthOf(list) + padding);
    heap.bytes.set(new Uint8Array(bufferOf(list) as ArrayBuffer, byteOffsetOf(list), byteLengthOf(list)), at);
    return at;
}

/** Integers and pointers, one after another. */
function struct(heap: Heap, members: readonly number[]): number {
    const at = allocate(heap, members.length * 4);
    heap.ints.set(members, at >>> 2);
    return at;
}
