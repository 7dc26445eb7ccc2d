// SPDX-License-Identifier: MIT

/** The poses of a Rig as tables, so that live crowds draw them as baked ones do: row i is pose i. */

import { wrongType } from '../base/arguments';
import { rangeError } from '../base/errors';
import { LANES } from '../rig/kernels/contract';
import type { Poses } from '../rig/poses';
import type { RigBase } from '../rig/rig-base';
import { writeMatrices } from './matrices';
import type { TableArray } from './open-array';
import type { Palettes } from './palettes';
import { linesOf } from './texture';

/** The members of a Rig that crowds use. */
export type RigLike = Pick<
    RigBase,
    'slots' | 'skins' | 'meshes' | 'rest' | 'createPoses' | 'toGlobal' | 'joints' | 'palettes'
>;

/** Layout of the rows: 4x4 or 3x4 matrices. */
type Layout = 'mat4' | 'mat3x4';

/** Tables whose rows are the poses of a Rig. */
export interface LivePalettes {
    /** One for each palette, then one for nodes with a mesh of their own. */
    readonly tables: readonly Palettes[];
    /** The column of a part that was found in {@link restPalettes}. */
    columnOf(part: Attached): number;
    /** Writes the rows of the poses, the first `poses.count`. Does not allocate. */
    update(poses: Poses): void;
}

/** A part of a model: its table, and the column that moves it; -1 if it has joints or does not move. */
export interface Attached {
    readonly table: number;
    readonly column: number;
}

/**
 * Accepts a Rig of this or of another copy of the package.
 *
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: it moves nothing.
 */
export function checkRig(routine: string, rig: unknown): void {
    const { slots, skins, meshes } = (rig ?? {}) as Partial<RigLike>;
    if (![slots, skins, meshes].every(Array.isArray)) throw wrongType(routine, 'rig', 'a Rig', rig);
    if (slots!.length === 0) throw rangeError('ERR_MODEL_DIFFERS', `${routine}: rig has no slots: it moves nothing`);
}

/** A table of one row, the rest pose, for each palette; then one in which every slot is an attachment. */
export function restPalettes(rig: RigLike, layout: Layout): readonly Palettes[] {
    return palettesOf(rig, Int32Array.from(rig.slots.keys()), 1, layout, 1).tables;
}

/**
 * Tables with room for `count` poses. At first, every row is the rest pose.
 *
 * @param parts The parts that were found in {@link restPalettes}.
 * @param maxSize Max height of a texture: data is padded to whole layers.
 */
export function livePalettes(
    rig: RigLike,
    parts: readonly Attached[],
    count: number,
    layout: Layout,
    maxSize: number,
): LivePalettes {
    const slots = parts.map(({ column }) => column).filter((column) => column >= 0);
    // A texture needs a column, even if nothing moves.
    if (slots.length === 0 && skinsOf(rig).length === 0) slots.push(0);
    const attached = Int32Array.from(new Set(slots));
    const columnOf = ({ column }: Attached) => attached.indexOf(column);
    return { ...palettesOf(rig, attached, count, layout, maxSize), columnOf };
}

/** @param attached Slots, the attachments of the last table. */
function palettesOf(
    rig: RigLike,
    attached: Int32Array,
    count: number,
    layout: Layout,
    maxSize: number,
): Pick<LivePalettes, 'tables' | 'update'> {
    const floats = layout === 'mat4' ? 16 : 12;
    const rows = Math.max(count, 1); // a texture has a line
    const { height, layers } = linesOf(rows, maxSize);
    const array = (name: 'palette' | 'morph', columns: number, size: number): TableArray => ({
        name,
        data: new Float32Array(height * layers * columns * size),
        rowFloats: columns * size,
        shape: name === 'morph' ? [rows, columns] : [rows, columns, size],
        layout: name === 'morph' ? 'weights' : layout,
        dtype: 'f32',
        byteOffset: 0,
        byteLength: height * layers * columns * size * 4,
    });
    const weights = array('morph', rig.rest.weights.length, 1);
    const table = (
        columns: number,
        skins: readonly number[],
        rest: Pick<Palettes, 'joints' | 'attachments'>,
    ): Palettes => {
        const meshes = rig.meshes
            .filter((mesh) => mesh.weightCount > 0 && skins.includes(mesh.skin))
            .map(({ node, name, firstWeight: first, weightCount }) => ({ node, name, first, count: weightCount }));
        const morph = meshes.length > 0 ? { morph: weights } : {};
        return {
            ...rest,
            columns,
            rows,
            arrays: { palette: array('palette', columns, floats), ...morph },
            manifest: {
                skin: rest.joints.length > 0 ? { index: skins[0]!, indices: skins, root: -1 } : null,
                recipe: { space: 'scene' },
                arrays: meshes.length > 0 ? { morph: { meshes } } : {},
            },
        };
    };
    const named = (slot: number) => ({ node: rig.slots[slot]!.node, name: rig.slots[slot]!.name });
    const skinned = skinsOf(rig).map((alike) => {
        const { joints, parents } = rig.skins[alike[0]!]!;
        const entries = Array.from(joints, (slot, i) => ({ ...named(slot), parent: parents[i]! }));
        return table(joints.length, alike, { joints: entries, attachments: [] });
    });
    const attachments = Array.from(attached, (slot, column) => ({ ...named(slot), parent: -1, column }));
    const loose = table(attached.length, [-1], { joints: [], attachments });
    const own = loose.arrays.palette!.data as Float32Array;
    const globals = layout === 'mat4' ? new Float32Array(rows * attached.length * 12) : null;

    /** Poses that have all slots, so that none of the calls below fails after the first. */
    const known = new WeakSet<Poses>();
    function checkSlots(poses: Poses): void {
        const slots = (poses as Poses | undefined)?.slots;
        if (slots === undefined) throw wrongType('update', 'poses', 'Poses of the rig', poses);
        const needed = [
            ...attached,
            ...skinned.flatMap(({ manifest }) => [...rig.skins[manifest.skin!.index]!.joints]),
        ];
        const missing = needed.find((slot) => !slots.includes(slot));
        if (missing !== undefined) {
            const lack = `poses lack slot ${missing} ('${rig.slots[missing]!.name}'), which the model needs`;
            throw rangeError('ERR_INDEX_RANGE', `update: ${lack}`);
        }
        known.add(poses);
    }

    function update(poses: Poses): void {
        if (!known.has(poses)) checkSlots(poses);
        if (poses.count > rows) {
            const holds = `poses holds ${poses.count} poses, the crowd has ${count} instances`;
            throw rangeError('ERR_BUFFER_LENGTH', `update: ${holds}`);
        }
        rig.joints(poses, attached, globals ?? own);
        for (const { arrays, manifest } of skinned) {
            rig.palettes(poses, manifest.skin!.index, arrays.palette!.data as Float32Array, layout);
        }
        if (globals !== null) writeMatrices(own, globals, { layout: 'mat3x4' }, poses.count * attached.length * 12);
        copyWeights(weights.data as Float32Array, weights.rowFloats, poses);
    }

    const rest = rig.createPoses(1);
    rig.toGlobal(rest);
    update(rest);
    const tables = attached.length > 0 ? [...skinned, loose] : skinned;
    for (const { data, rowFloats } of [...tables.map(({ arrays }) => arrays.palette!), weights]) {
        for (let row = 1; row < rows; row++) data.copyWithin(row * rowFloats, 0, rowFloats);
    }
    return { tables, update };
}

/** The skins that move meshes; those with the same palette together. */
function skinsOf({ skins, meshes }: RigLike): readonly (readonly number[])[] {
    const alike = new Map<string, number[]>();
    for (const skin of new Set(meshes.map((mesh) => mesh.skin).filter((index) => index >= 0))) {
        const key = `${skins[skin]!.joints} ${skins[skin]!.inverseBinds}`;
        alike.set(key, [...(alike.get(key) ?? []), skin]);
    }
    return [...alike.values()];
}

/** Copies the morph weights of poses: `[pose][weight]`. */
function copyWeights(
    out: Float32Array,
    count: number,
    { data, blockFloats, weightsOffset, count: poses }: Poses,
): void {
    for (let pose = 0; pose < poses; pose++) {
        const from = Math.floor(pose / LANES) * blockFloats + weightsOffset + (pose % LANES);
        for (let i = 0; i < count; i++) out[pose * count + i] = data[from + i * LANES]!;
    }
}
