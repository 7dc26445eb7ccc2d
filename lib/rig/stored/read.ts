// SPDX-License-Identifier: MIT

import type { ClipEvent } from '../../base/clip-events';
import { decodedLimit } from '../../gltf/limits';
import type { Cadence } from '../cadence';
import type { RigContents } from '../contents';
import {
    describeMeshes,
    describeRest,
    describeSkins,
    describeSlots,
    type NamedMesh,
    type RigClip,
} from '../describe-rig';
import { type ClipTables, GLOBAL_FLOATS, LOCAL_FLOATS, PATHS, type RigTables } from '../kernels/contract';
import { once } from '../once';
import { hashWords, layTracks } from '../pack/clip';
import { AS_REST, CONSTANT, KINDS, MOVING, type Movable, movableOf } from '../pack/movable';
import { packMeshes } from '../source/list-meshes';
import type { MeshGeometry, PrimitiveRange, TargetGeometry } from '../source/mesh-geometry';
import { invalidRig, Reader } from './bytes';
import { areShort, HASHED, HEADER, MAGIC, VERSION } from './layout';

const MAX = 0x7fffffff;
const IDENTITY = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

/**
 * Reads a rig file. Every index and every float is checked: kernels get no address without a check. The file does not
 * have numbers that follow from others.
 *
 * @throws RangeError `ERR_RIG_INVALID`.
 */
export function readRig(bytes: Uint8Array): RigContents {
    const from = open(bytes);
    const withoutVertices = from.flag('the flag for vertices');
    const { skeleton, names } = readSlots(from);
    const { parents, rest, matrixOfSlot, matrices } = skeleton;
    const slots = names.length;
    const skinNames: string[] = [];
    const skins = from.list('skins', () => {
        skinNames.push(from.text());
        const count = from.count('the number of joints');
        const joints = from.integers(count, 0, slots - 1, 'joint');
        if (count === 0 || new Set(joints).size < count) from.refuse('joints must be different slots, at least one');
        return { joints, inverseBinds: from.floats(count * GLOBAL_FLOATS) };
    });
    const meshes = readMeshes(from, skins);
    if (withoutVertices && meshes.some(({ geometry }) => geometry !== null && geometry.vertexCount > 0)) {
        from.refuse('a rig without vertices has some');
    }
    const morphing = meshes.filter(({ weightCount }) => weightCount > 0);
    const morphs = Int32Array.from(morphing.flatMap(({ firstWeight, weightCount }) => [firstWeight, weightCount]));
    const restWeights = from.floats(morphing.reduce((sum, { weightCount }) => sum + weightCount, 0));
    const rig = { slots, rest, restWeights, matrices, morphs, skins };
    const movable = movableOf(rig);
    /** 1 for the paths of slots with a matrix. */
    const fixed = Uint8Array.from(movable.firsts, (_, i) => Number((matrixOfSlot[Math.floor(i / PATHS)] ?? -1) >= 0));
    // A few bytes can say that a clip has the weights of the rest pose.
    let room = decodedLimit({ stored: bytes.length, expanded: 0 });
    const loops: boolean[] = [];
    const described: Omit<RigClip, 'loop'>[] = [];
    const clips = from.list('clips', () => {
        room -= restWeights.length;
        if (room < 0) from.refuse('the clips have more morph weights than the limit');
        const name = from.text();
        const duration = from.floats(1)[0]!;
        if (!(duration >= 0)) from.refuse(`the duration is ${duration}, must not be below 0`);
        loops.push(from.flag('loop'));
        const cadence = readCadence(from);
        const events = readEvents(from, duration);
        const { tables, moving } = readClip(from, rig, fixed, movable, duration);
        described.push({ name, duration, tracks: moving, cadence, events });
        return tables;
    });
    from.end();
    const shown = once(copied);
    return {
        tables: { ...rig, clips },
        meshTables: () => packMeshes(meshes),
        skeleton,
        slots: describeSlots(names, skeleton),
        skins: describeSkins(skinNames, skins, parents),
        meshes: describeMeshes(meshes.map((mesh) => ({ ...mesh, geometry: mesh.geometry && shown(mesh.geometry) }))),
        rest: describeRest(skeleton, restWeights),
        clips: described,
        loopsIn: () => loops,
        withoutVertices,
    };
}

/** Checks the header. Copies the bytes, so that nobody can change them later. */
function open(given: Uint8Array): Reader {
    const bytes = new Uint8Array(given.length);
    bytes.set(given);
    const isRig = bytes.length >= HEADER && bytes.length % 4 === 0;
    const words = new Int32Array(bytes.buffer, 0, isRig ? bytes.length / 4 : 0);
    if (!isRig || words[0] !== MAGIC) throw invalidRig('the bytes', 'are not a rig file');
    if (words[1] !== VERSION) {
        throw invalidRig('the file', `has version ${words[1]}, must have ${VERSION}: write it again with this release`);
    }
    if (words[2] !== bytes.length) throw invalidRig('the file', `has ${bytes.length} bytes, must have ${words[2]}`);
    if (words[3] !== hashWords(words.subarray(HASHED))) {
        throw invalidRig('the file', 'is damaged: its hash does not match');
    }
    const floatsAt = words[4]!;
    if (floatsAt < HEADER || floatsAt > bytes.length || floatsAt % 4 !== 0) {
        throw invalidRig('the file', `has floats from byte ${floatsAt} on, must have them between integers and end`);
    }
    return new Reader(bytes, HEADER, floatsAt);
}

function readSlots(from: Reader) {
    const slots = from.count('the number of slots');
    const nodes = from.integers(slots, 0, MAX, 'node');
    if (new Set(nodes).size < slots) from.refuse('nodes must differ');
    const parents = from.integers(slots, -1, slots - 1, 'parent');
    const bad = parents.findIndex((parent, slot) => parent >= slot);
    if (bad >= 0) from.refuse(`the parent of slot ${bad} is ${parents[bad]}, must come before it`);
    const matrixOfSlot = from.integers(slots, 0, 1, 'the matrix of slot').slice();
    let count = 0;
    for (let slot = 0; slot < slots; slot++) matrixOfSlot[slot] = matrixOfSlot[slot] === 1 ? count++ : -1;
    const names = Array.from(nodes, () => from.text());
    const rest = from.floats(slots * LOCAL_FLOATS);
    for (let slot = 0; slot < slots; slot++) if (matrixOfSlot[slot]! >= 0) rest.set(IDENTITY, slot * LOCAL_FLOATS);
    const matrices = from.floats(count * GLOBAL_FLOATS);
    return { skeleton: { nodes, parents, rest, matrixOfSlot, matrices }, names };
}

/** Their lists are views of the file's bytes. */
function readMeshes(from: Reader, skins: RigTables['skins']): NamedMesh[] {
    const geometries = from.list('geometries', () => readGeometry(from));
    let firstWeight = 0;
    return from.list('meshes', () => {
        const name = from.text();
        const node = from.integer(0, MAX, 'the node of a mesh');
        const skin = from.integer(-1, skins.length - 1, 'the skin of a mesh');
        const weightCount = from.count('the number of weights');
        const { geometry, lastJoint } = geometries[from.integer(0, geometries.length - 1, 'the geometry of a mesh')]!;
        const { vertexCount, primitives, targets } = geometry;
        if (skin < 0 && vertexCount > 0) from.refuse('a mesh without a skin must have no vertices');
        if (skin >= 0) {
            if (primitives.length + targets.length > 0 && targets.length !== weightCount) {
                from.refuse(`a mesh has ${weightCount} weights, must have ${targets.length}, one for each target`);
            }
            const { length } = skins[skin]!.joints;
            if (lastJoint >= length) from.refuse(`a vertex has joint ${lastJoint}, skin ${skin} has ${length} joints`);
        }
        const first = weightCount > 0 ? firstWeight : 0;
        firstWeight += weightCount;
        return { name, node, skin, geometry: skin < 0 ? null : geometry, firstWeight: first, weightCount };
    });
}

function readGeometry(from: Reader) {
    let vertexCount = 0;
    const primitives = from.list('primitives', (): PrimitiveRange => {
        const range = {
            index: from.count('a primitive'),
            firstVertex: vertexCount,
            vertexCount: from.count('vertices'),
        };
        vertexCount += range.vertexCount;
        return range;
    });
    const influences = from.count('the number of influences');
    if (influences % 4 !== 0 || (influences === 0 && vertexCount > 0)) {
        from.refuse(`has ${influences} influences for each vertex, must be a multiple of 4`);
    }
    const hasNormals = from.flag('the flag for normals');
    const targetCount = from.count('the number of targets');
    const vectors = () => from.floats(vertexCount * 3);
    const positions = vectors();
    const normals = hasNormals ? vectors() : null;
    const joints = from.take(Uint16Array, vertexCount * influences);
    const weights = from.floats(vertexCount * influences);
    const optional = () => (from.flag('the flag of a target') ? vectors() : null);
    const targets: TargetGeometry[] = [];
    for (let t = 0; t < targetCount; t++) targets.push({ positions: optional(), normals: optional() });
    const geometry = { vertexCount, primitives, positions, normals, influences, joints, weights, targets };
    return { geometry, lastJoint: lastJointOf(from, geometry) };
}

/** A copy for callers, who can change it. */
function copied(geometry: MeshGeometry): MeshGeometry {
    const { positions, normals, joints, weights, targets } = geometry;
    const copy = (list: Float32Array | null) => (list === null ? null : list.slice());
    return {
        ...geometry,
        positions: positions.slice(),
        normals: copy(normals),
        joints: joints.slice(),
        weights: weights.slice(),
        targets: targets.map((target) => ({ positions: copy(target.positions), normals: copy(target.normals) })),
    };
}

/** Reading floats takes memory until V8 has compiled the loop; reading integers does not. */
const bitsOf = ({ buffer, byteOffset, length }: Float32Array) => new Int32Array(buffer, byteOffset, length);

/** Checks weights. Returns the highest joint that moves a vertex, -1 without vertices. */
function lastJointOf(from: Reader, { influences, joints, weights }: MeshGeometry): number {
    const bits = bitsOf(weights);
    const minusZero = -0x80000000;
    let last = -1;
    for (let first = 0; first < bits.length; first += influences) {
        let follows = true;
        for (let i = first; i < first + influences; i++) {
            const weight = bits[i]!;
            if (weight === 0 || weight === minusZero) continue;
            if (weight < 0)
                from.refuse(`a weight of vertex ${first / influences} is ${weights[i]}, must not be negative`);
            follows = false;
            if (joints[i]! > last) last = joints[i]!;
        }
        // A vertex whose weights are all 0 follows its first joint.
        if (follows && joints[first]! > last) last = joints[first]!;
    }
    return last;
}

function readCadence(from: Reader): Cadence {
    const keys = from.count('the number of keys');
    const [shortest, longest, rate] = ['shortest', 'longest', 'rate'].map((what) =>
        from.double(Number.MAX_VALUE, what),
    );
    return { keys, shortest: shortest!, longest: longest!, rate: rate === 0 ? null : rate! };
}

function readEvents(from: Reader, duration: number): ClipEvent[] {
    let last = 0;
    return from.list('events', () => {
        const event = { name: from.text(), time: from.double(duration, 'the time of an event') };
        if (event.time < last) from.refuse(`an event is at ${event.time} s after one at ${last} s, must ascend`);
        last = event.time;
        return event;
    });
}

function readClip(
    from: Reader,
    { rest, restWeights }: Pick<RigTables, 'rest' | 'restWeights'>,
    fixed: Uint8Array,
    movable: Movable,
    duration: number,
): { tables: ClipTables; moving: number } {
    const { firsts, widths, paths } = movable;
    const lists = from.list('groups', () => readTimes(from, duration));
    const limit = MOVING + lists.length * KINDS;
    const count = firsts.length;
    const codes = areShort(lists.length) ? from.take(Uint8Array, count) : from.take(Int32Array, count);
    const constants: number[] = [];
    const moving: number[] = [];
    let floats = 0;
    for (let i = 0; i < count; i++) {
        const code = codes[i]!;
        if (code === AS_REST) continue;
        if (code < 0 || code >= limit) from.refuse(`track ${i} is ${code}, must be from 0 to ${limit - 1}`);
        if (fixed[i] === 1) from.refuse(`track ${i}: its slot has a matrix`);
        if (code !== CONSTANT) moving.push(i);
        else {
            constants.push(i);
            floats += widths[i]!;
        }
    }
    const base = rest.slice();
    const baseWeights = restWeights.slice();
    const stored = bitsOf(from.floats(floats));
    const [ownBase, ownWeights] = [bitsOf(base), bitsOf(baseWeights)];
    for (let k = 0, next = 0; k < constants.length; k++) {
        const i = constants[k]!;
        const own = i < paths ? ownBase : ownWeights;
        for (let c = 0; c < widths[i]!; c++) own[firsts[i]! + c] = stored[next++]!;
    }
    const laid = layTracks(lists, moving, codes, movable);
    const tables = { duration, ...laid.tables, values: from.floats(laid.floats), base, baseWeights };
    return { tables, moving: moving.length };
}

function readTimes(from: Reader, duration: number): Float32Array {
    const times = from.floats(from.count('the number of keys'));
    if (times.length < 2) from.refuse(`a group has ${times.length} keys, must have at least 2`);
    let last = 0;
    for (let i = 0; i < times.length; i++) {
        const time = times[i]!;
        if (time < last) from.refuse(`a key is at ${time} s after one at ${last} s, keys must ascend from 0`);
        last = time;
    }
    if (last > duration) from.refuse(`a key is at ${last} s, after the end of its clip at ${duration} s`);
    return times;
}
