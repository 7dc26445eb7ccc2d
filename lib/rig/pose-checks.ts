// SPDX-License-Identifier: MIT

/**
 * Checks of arguments that depend on a rig and its poses. Each function throws a typed error if a rule is broken. It
 * writes nothing, and allocates nothing if the arguments are valid.
 */

import { wrongType } from '../base/arguments';
import { checkApart, checkIndex, checkOut } from '../base/call-arguments';
import { rangeError } from '../base/errors';
import type { RigSlot } from './describe-rig';
import {
    blockFloats,
    LANES,
    LOCAL_FLOATS,
    type MeshTables,
    type PaletteFormat,
    type RigTables,
    type SkinningTables,
} from './kernels/contract';
import { checkOthers, type PosesState } from './poses';

/**
 * Checks the list `out` for the palettes of `count` poses.
 *
 * @param poses Null if none are kept; the kernels then have all slots.
 */
export function checkPalettes(
    routine: string,
    tables: RigTables,
    poses: PosesState | null,
    count: number,
    skin: number,
    out: Float32Array,
    format: PaletteFormat,
): void {
    checkIndex(routine, 'skin', skin, tables.skins.length, 'skin');
    if (format !== 'mat4' && format !== 'mat3x4') throw wrongType(routine, 'format', "'mat4' or 'mat3x4'", format);
    const { joints } = tables.skins[skin]!;
    if (poses !== null && poses.slots.slots.length !== tables.slots) {
        for (let joint = 0; joint < joints.length; joint++) {
            if (poses.slots.places[joints[joint]!]! < 0) throw notThere(routine, `skin ${skin}`, joints[joint]!);
        }
    }
    const size = format === 'mat4' ? 16 : 12;
    checkOut(routine, 'out', out, count * joints.length * size, 'poses x joints x floats of a matrix');
    if (poses !== null) checkApart(routine, 'out', out, 'poses', poses.data);
}

/** Throws if poses or `out`, which `bakePalettes` writes, share memory with a list that it reads. */
export function checkBakedApart(
    routine: string,
    poses: PosesState | null,
    out: Float32Array,
    argument: string,
    list: ArrayBufferView,
): void {
    if (poses !== null) checkApart(routine, 'poses', poses.data, argument, list);
    checkApart(routine, 'out', out, argument, list);
}

/** Returns the mesh. The skin must move it, and the poses must have all of its joints. */
export function checkMesh(
    routine: string,
    tables: SkinningTables,
    { slots }: PosesState,
    skin: number,
    mesh: number,
    withoutVertices: boolean,
): MeshTables {
    checkIndex(routine, 'skin', skin, tables.skins.length, 'skin');
    checkIndex(routine, 'mesh', mesh, tables.meshes.length, 'mesh');
    if (withoutVertices) {
        const why = 'the rig was loaded with `meshes: false`';
        throw rangeError('ERR_INDEX_RANGE', `${routine}: mesh ${mesh} has no vertices: ${why}`);
    }
    const found = tables.meshes[mesh]!;
    if (found.skin !== skin) {
        const whose = found.skin < 0 ? 'is moved by no skin' : `is moved by skin ${found.skin}, not by ${skin}`;
        throw rangeError('ERR_INDEX_RANGE', `${routine}: mesh ${mesh} ${whose}`);
    }
    const { joints } = tables.skins[skin]!;
    for (let i = 0; i < found.joints.length; i++) {
        const slot = joints[found.joints[i]!]!;
        if (slots.places[slot]! < 0) throw notThere(routine, `mesh ${mesh}`, slot);
    }
    return found;
}

/**
 * Finds where the local transform of a slot of one pose starts. Refuses slots whose node has a matrix.
 *
 * @param shown The public list of slots, only for messages: the caller may have changed it.
 */
export function localAt(
    routine: string,
    tables: RigTables,
    shown: readonly RigSlot[],
    { count, slots, weights }: PosesState,
    pose: number,
    slot: number,
): number {
    checkIndex(routine, 'pose', pose, count, 'pose');
    checkIndex(routine, 'slot', slot, tables.slots, 'slot');
    const place = slots.places[slot]!;
    if (place < 0) throw notThere(routine, 'slot', slot);
    if (slots.matrices[place]! >= 0) throw hasMatrix(routine, shown, slot);
    return (pose >> 4) * blockFloats(slots.slots.length, weights) + place * LOCAL_FLOATS * LANES + (pose & 15);
}

/** @param slot Slot whose node has a matrix. */
export function hasMatrix(routine: string, shown: readonly RigSlot[], slot: number): Error {
    const { node, name } = shown[slot]!;
    const why = `its node (${node}, '${name}') has a matrix, which is constant`;
    return rangeError('ERR_MATRIX_SLOT', `${routine}: slot ${slot} has no translation, rotation and scale: ${why}`);
}

/**
 * Returns the place of the slot that `toGlobal` starts from; -1 if `from` is undefined. All other slots must be up to
 * date.
 */
export function checkFrom(routine: string, state: PosesState, from: unknown, limit: number): number {
    if (from === undefined) return -1;
    const slot = checkIndex(routine, 'options.from', from, limit, 'slot');
    const place = state.slots.places[slot]!;
    if (place < 0) throw notThere(routine, 'options.from', slot);
    checkOthers(routine, state, place);
    return place;
}

/** Checks that `blend` can mix these poses into `out`. */
export function checkAlike(argument: string, out: PosesState, poses: PosesState): void {
    if (poses.count !== out.count) {
        const counts = `${argument} has ${poses.count} poses, out ${out.count}`;
        throw rangeError('ERR_COUNT_RANGE', `blend: ${counts}: needs the same count`);
    }
    checkSameSlots(argument, out, poses);
}

/** Checks the poses that an additive blend takes the difference from. */
export function checkReference(out: PosesState, reference: PosesState): void {
    const { count } = reference;
    if (count !== 1 && count !== out.count) {
        const rule = `options.reference has ${count} poses, needs 1 or as many as out, ${out.count}`;
        throw rangeError('ERR_COUNT_RANGE', `blend: ${rule}`);
    }
    checkSameSlots('options.reference', out, reference);
    checkApart('blend', 'out', out.data, 'options.reference', reference.data, count === out.count);
}

function checkSameSlots(argument: string, out: PosesState, poses: PosesState): void {
    const [a, b] = [poses.slots.slots, out.slots.slots];
    if (a !== b && !(a.length === b.length && a.every((slot, place) => slot === b[place]))) {
        throw rangeError('ERR_INDEX_RANGE', `blend: ${argument} has other slots than out: needs the same \`only\``);
    }
}

/** @param argument Name of the argument that needs the slot. */
export function notThere(routine: string, argument: string, slot: number): Error {
    const why = 'the poses were created with `only` and do not have it';
    return rangeError('ERR_INDEX_RANGE', `${routine}: ${argument} needs slot ${slot}, but ${why}`);
}

/** Checks the arguments of `extractRoot`, except the index of the slot and the matrices of the rig. */
export function checkExtractRoot(
    routine: string,
    poses: PosesState,
    from: PosesState,
    out: Float32Array,
    slot: number,
    motion: unknown,
    inPlace: unknown,
): void {
    if (poses.slots.places[slot]! < 0) throw notThere(routine, 'options.slot', slot);
    if (from.slots.places[slot]! < 0) {
        const rule = `options.from needs slot ${slot}, but it was created with \`only\` and does not have it`;
        throw rangeError('ERR_INDEX_RANGE', `${routine}: ${rule}`);
    }
    if (from.count !== 1 && from.count !== poses.count) {
        const counts = `options.from has ${from.count} poses`;
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${counts}, needs 1 or as many as poses, ${poses.count}`);
    }
    if (motion !== undefined && motion !== 'xz+yaw' && motion !== 'xyz+rotation' && motion !== 'yaw') {
        throw wrongType(routine, 'options.motion', "'xz+yaw', 'xyz+rotation' or 'yaw'", motion);
    }
    if (typeof inPlace !== 'boolean') throw wrongType(routine, 'options.inPlace', 'true or false', inPlace);
    checkOut(routine, 'out', out, poses.count * 7, 'poses x 7');
    checkApart(routine, 'out', out, 'poses', poses.data);
    checkApart(routine, 'out', out, 'options.from', from.data);
    if (inPlace) checkApart(routine, 'poses', poses.data, 'options.from', from.data);
}

/** @param slot Slot whose matrix prevents moving the slots below it. */
export function notMovable(shown: readonly RigSlot[], slot: number): Error {
    const { node, name } = shown[slot]!;
    const what = `the matrix of slot ${slot} (node ${node}, '${name}') is constant`;
    const rule = 'above joints it may only rotate and scale uniformly, and a joint at the top may have none';
    return rangeError('ERR_MATRIX_SLOT', `extractRoot: ${what}: ${rule}`);
}
