// SPDX-License-Identifier: MIT

import type { RigClip, RigMesh, RigSkin, RigSlot } from '../describe-rig';
import { type ClipTables, GROUP_NUMBERS, type RigTables, TRACK_NUMBERS } from '../kernels/contract';
import { hashWords } from '../pack/clip';
import { AS_REST, CONSTANT, KINDS, MOVING, type Movable, movableOf } from '../pack/movable';
import { Writer } from './bytes';
import { areShort, HASHED, HEADER, MAGIC, VERSION } from './layout';

/** The public properties of a rig. */
export interface Described {
    readonly slots: readonly RigSlot[];
    readonly skins: readonly RigSkin[];
    readonly meshes: readonly RigMesh[];
    readonly clips: readonly RigClip[];
}

/** The bytes of a rig file: docs/format.md. */
export function writeRig(
    tables: RigTables,
    { slots, skins, meshes, clips }: Described,
    withoutVertices: boolean,
): Uint8Array<ArrayBuffer> {
    const to = new Writer();
    to.integers(Number(withoutVertices), slots.length);
    to.put(Int32Array.from(slots, ({ node }) => node));
    to.put(Int32Array.from(slots, ({ parent }) => parent));
    to.put(Int32Array.from(slots, ({ hasMatrix }) => Number(hasMatrix)));
    for (const { name } of slots) to.text(name);
    to.floats(tables.rest);
    to.floats(tables.matrices);
    to.integers(skins.length);
    for (const [i, { name }] of skins.entries()) {
        const { joints, inverseBinds } = tables.skins[i]!;
        to.text(name);
        to.integers(joints.length);
        to.put(joints);
        to.floats(inverseBinds);
    }
    writeMeshes(to, meshes);
    to.floats(tables.restWeights);
    to.integers(clips.length);
    const movable = movableOf(tables);
    for (const [i, clip] of clips.entries()) writeClip(to, tables, movable, tables.clips[i]!, clip);
    const { bytes, floatsAt } = to.join(HEADER);
    const words = new Int32Array(bytes.buffer);
    words.set([MAGIC, VERSION, bytes.length, 0, floatsAt]);
    words[3] = hashWords(words.subarray(HASHED));
    return bytes;
}

function writeMeshes(to: Writer, meshes: readonly RigMesh[]): void {
    // Nodes that share a mesh share its lists.
    const geometries = [...new Map(meshes.map((mesh) => [mesh.positions, mesh])).values()];
    to.integers(geometries.length);
    for (const { primitives, positions, normals, influences, joints, weights, targets } of geometries) {
        to.integers(primitives.length);
        for (const { index, vertexCount } of primitives) to.integers(index, vertexCount);
        to.integers(influences, Number(normals !== null), targets.length);
        to.floats(positions);
        if (normals !== null) to.floats(normals);
        to.put(joints);
        to.floats(weights);
        for (const target of targets) {
            for (const list of [target.positions, target.normals]) {
                to.integers(Number(list !== null));
                if (list !== null) to.floats(list);
            }
        }
    }
    const places = new Map(geometries.map(({ positions }, place) => [positions, place]));
    to.integers(meshes.length);
    for (const { name, node, skin, weightCount, positions } of meshes) {
        to.text(name);
        to.integers(node, skin, weightCount, places.get(positions)!);
    }
}

function writeClip(
    to: Writer,
    rig: RigTables,
    { firsts, widths, paths }: Movable,
    tables: ClipTables,
    clip: RigClip,
): void {
    const { groups, times, tracks, morphTracks, base, baseWeights, values } = tables;
    const { keys, shortest, longest, rate } = clip.cadence;
    to.text(clip.name);
    to.floats(Float32Array.of(tables.duration));
    to.integers(Number(clip.loop), keys);
    to.doubles(shortest, longest, rate ?? 0);
    to.integers(clip.events.length);
    for (const { name, time } of clip.events) {
        to.text(name);
        to.doubles(time);
    }
    to.integers(groups.length / GROUP_NUMBERS);
    for (let g = 0; g < groups.length; g += GROUP_NUMBERS) {
        const [first, count] = [groups[g]!, groups[g + 1]!];
        to.integers(count);
        to.floats(times.subarray(first, first + count));
    }
    const constants: Float32Array[] = [];
    const codes = firsts.map((first, i) => {
        const [table, entry] = i < paths ? [tracks, i] : [morphTracks, i - paths];
        const group = table[entry * TRACK_NUMBERS]!;
        if (group >= 0) return MOVING + group * KINDS + table[entry * TRACK_NUMBERS + 1]!;
        const [own, rest] = i < paths ? [base, rig.rest] : [baseWeights, rig.restWeights];
        const value = own.subarray(first, first + widths[i]!);
        if (value.every((part, c) => Object.is(part, rest[first + c]))) return AS_REST;
        constants.push(value);
        return CONSTANT;
    });
    to.put(areShort(groups.length / GROUP_NUMBERS) ? Uint8Array.from(codes) : codes);
    for (const own of constants) to.floats(own);
    to.floats(values);
}
