// SPDX-License-Identifier: MIT

import { nameOf } from '../gltf';
import { compose, multiply } from '../matrix';
import { displacement, farthestOf } from '../metric';
import { readElements } from '../read-bake';
import { armOf } from '../rounding';
import { ArrayFault, type Maker, needFloat32, needShape, ofLengths, worstOf } from './check';
import { columnsOf, pointsAround, pointsAtColumn } from './matrices';

/**
 * Judges the global matrices that a reader makes of the rows' translations, rotations and scales, slot by slot. Joints
 * are judged as in `hit`, other slots by points at the distance of the extent.
 */
export const checkLocal: Maker = (judged, array, name) => {
    const { files, subject, metric } = judged;
    const slots = array.slots ?? [];
    needShape(array, [slots.length, 10], ['trs']);
    needFloat32(array);
    for (const [slot, { node, name: slotName, parent, matrix }] of slots.entries()) {
        const above = subject.evaluator.parents[node];
        const where = `slot ${slot} (node ${node})`;
        if (above === undefined) throw new ArrayFault(`${where}: the file has no such node`);
        if (parent >= slot || (parent < 0 ? -1 : slots[parent]!.node) !== above) {
            throw new ArrayFault(`${where}: its parent is not the slot of node ${above}, or does not come before it`);
        }
        if (slotName !== nameOf(subject.evaluator.nodes[node])) throw new ArrayFault(`${where}: not its name`);
        const own = subject.evaluator.matrixOf(node);
        if ((own === null) !== (matrix === undefined)) throw new ArrayFault(`${where}: a matrix too many or too few`);
        if (own === null) continue;
        const stated = columnsOf(matrix!, 0);
        if (matrix!.length !== 12 || !own.every((x, i) => Math.fround(x) === stated[i])) {
            throw new ArrayFault(`${where}: the matrix is not the file's`);
        }
    }
    const trs = new Float64Array(slots.length * 10);
    const globals = new Float64Array(slots.length * 16);
    const local = new Float64Array(16);
    const jointOf = new Map([...subject.nodes.entries()].reverse().map(([column, node]) => [node, column]));
    const points = slots.map(({ node }) => {
        const joint = jointOf.get(node);
        return joint === undefined ? null : pointsAtColumn(judged, joint);
    });
    // Root motion is removed from slots whose ancestors all have a matrix. A slot that itself has a matrix cannot be
    // moved.
    const inPlace = subject.motion !== null && files.manifest.recipe.root?.mode !== 'keep';
    const atTop: boolean[] = [];
    for (const { parent } of slots) atTop.push(parent < 0 || (slots[parent]!.matrix !== undefined && atTop[parent]!));
    const topOf: number[] = [];
    for (const [slot, { parent }] of slots.entries()) topOf.push(atTop[slot]! ? slot : topOf[parent]!);
    // For other slots, points at the distance of the extent.
    const reach = points.map((own) => (own === null ? 0 : farthestOf(own)));
    const base = ofLengths(judged, name);
    return {
        ...base,
        worst(row, pose) {
            readElements(files.bin, array, row * trs.length, trs);
            for (const [slot, { parent, matrix }] of slots.entries()) {
                if (matrix === undefined) compose(local, 0, trs, slot * 10);
                else local.set(columnsOf(matrix, 0));
                if (parent >= 0) multiply(globals, slot * 16, globals, parent * 16, local, 0);
                else if (subject.base !== null) multiply(globals, slot * 16, subject.base, 0, local, 0);
                else globals.set(local, slot * 16);
            }
            const errorOf = (slot: number) => {
                const at = slots[slot]!.node * 16;
                if (slots[slot]!.matrix !== undefined && !isIdentity(trs, slot * 10)) return Infinity;
                if (inPlace && atTop[slot]! && slots[slot]!.matrix !== undefined) return 0;
                const own = points[slot] ?? pointsAround(pose.globals, at, metric.extent);
                const moved = displacement(globals, slot * 16, pose.globals, at, own);
                if (slots[slot]!.matrix !== undefined) return moved;
                // A quaternion can have faults that its matrix hides but that affect blending.
                const errorOfQuaternion = inPlace && atTop[slot]! ? lengthError : quaternionError;
                const turned = errorOfQuaternion(trs, slot * 10 + 3, pose.locals, slots[slot]!.node * 10 + 3);
                return Math.max(moved, turned * metric.extent);
            };
            // In place, rounding turns everything below a top slot. Times six, because a matrix has a larger error than
            // its quaternion.
            const turned = (slot: number) => {
                return inPlace ? pose.rounding.once(6 * armOf(globals, slot, topOf[slot]!)) : 0;
            };
            return worstOf(slots.length, errorOf, base.tolerance * base.scale, (slot) => {
                const { node } = slots[slot]!;
                const { rounding } = pose;
                return rounding.global(node, reach[slot]!) + rounding.unsure(node, metric.extent) + turned(slot);
            });
        },
        nameOf(item) {
            const { node, name: slotName } = slots[item]!;
            return { joint: jointOf.get(node) ?? -1, what: `slot ${item} '${slotName}' (node ${node})` };
        },
    };
};

/** The distance of two quaternions, regardless of sign. */
function quaternionError(a: Float64Array, aAt: number, b: Float64Array, bAt: number): number {
    const distance = (sign: number) => Math.hypot(...[0, 1, 2, 3].map((c) => a[aAt + c]! - sign * b[bAt + c]!));
    return Math.min(distance(1), distance(-1));
}

function lengthError(a: Float64Array, aAt: number, b: Float64Array, bAt: number): number {
    return Math.abs(Math.hypot(...a.subarray(aAt, aAt + 4)) - Math.hypot(...b.subarray(bAt, bAt + 4)));
}

function isIdentity(trs: Float64Array, at: number): boolean {
    return [0, 0, 0, 0, 0, 0, 1, 1, 1, 1].every((x, i) => trs[at + i] === x);
}
