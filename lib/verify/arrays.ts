// SPDX-License-Identifier: MIT

import { type BakeArray, type BakeFiles, readElements } from './bake-file';
import { compose, multiply } from './matrix';
import { type Pose, paletteOf, type Subject } from './pose';
import { addPoint, addSkinned, displacement, emptyBox, placed, type SkinVertices, type Yardstick } from './yardstick';

/** The greatest error of one row, and of which of its items. */
export interface Found {
    readonly error: number;
    readonly item: number;
}

/** What an item of a row is. */
export interface ItemName {
    /** Index into `skin.joints`, -1 where it is no joint. */
    readonly joint: number;
    readonly what: string;
}

/** How one array of a bake is judged, row by row. */
export interface ArrayCheck {
    readonly array: string;
    /** Whether three.js can be the judge: of what is made of the joints' global matrices alone. */
    readonly byThree: boolean;
    /** What errors are a share of: the extent; 1 for morph weights. */
    readonly scale: number;
    /** @param first The clip's first frame. */
    worst(row: number, pose: Pose, first: Pose): Found;
    nameOf(item: number): ItemName;
}

/** Everything that checks are made of. */
export interface Judged {
    readonly files: BakeFiles;
    readonly subject: Subject;
    readonly vertices: SkinVertices | null;
    readonly yard: Yardstick;
}

/** What a check cannot be made of: told to the reader of the result. */
export class ArrayFault extends Error {}

type Maker = (judged: Judged, array: BakeArray, name: string) => ArrayCheck;

/** By the names that arrays have in the manifest. */
export const CHECKS: Readonly<Record<string, Maker>> = {
    palette: checkPalette,
    hit: checkHit,
    local: checkLocal,
    morph: checkMorph,
    bounds: checkBounds,
    root: checkRoot,
};

/** What errors are shares of. A model that is a single point at rest has no size: there they are absolute. */
export function scaleOf({ extent }: Yardstick): number {
    return extent > 0 ? extent : 1;
}

/** Refuses an array whose rows do not have the shape that its layout needs. */
function needShape({ shape, layout }: BakeArray, wanted: readonly number[], layouts: readonly string[]): void {
    if (!layouts.includes(layout)) throw new ArrayFault(`layout is ${layout}, needs ${layouts.join(' or ')}`);
    if (JSON.stringify(shape.slice(1)) !== JSON.stringify(wanted)) {
        throw new ArrayFault(`shape is ${JSON.stringify(shape)}, needs [rows, ${wanted.join(', ')}]`);
    }
}

/** Matrices of a row, column-major 4x4. */
export function matrixReader({ files: { bin } }: Judged, array: BakeArray, count: number) {
    const floats = array.layout === 'mat4' ? 16 : 12;
    const stored = new Float64Array(count * floats);
    const columns = new Float64Array(count * 16);
    return (row: number): Float64Array => {
        readElements(bin, array, row * stored.length, stored);
        if (floats === 16) return stored;
        for (let m = 0; m < count; m++) columns.set(columnsOf(stored, m * 12), m * 16);
        return columns;
    };
}

/** Column-major 4x4 of a row-major 3x4. */
export function columnsOf(m: ArrayLike<number>, at: number): number[] {
    return Array.from({ length: 16 }, (_, i) => {
        const [row, column] = [i % 4, Math.floor(i / 4)];
        return row < 3 ? m[at + row * 4 + column]! : column === 3 ? 1 : 0;
    });
}

/** Section 3.5.3 and 3.7.3.1: the fourth row is 0 0 0 1; anything else is as wrong as can be. */
function lastRowIsRight(m: ArrayLike<number>, at: number): boolean {
    return m[at + 3] === 0 && m[at + 7] === 0 && m[at + 11] === 0 && m[at + 15] === 1;
}

function worstOf(count: number, errorOf: (item: number) => number): Found {
    let found: Found = { error: 0, item: 0 };
    for (let item = 0; item < count; item++) {
        const error = errorOf(item);
        if (!(error <= found.error)) found = { error: error >= 0 ? error : Infinity, item };
    }
    return found;
}

function jointName({ files: { manifest } }: Judged, joint: number): ItemName {
    return { joint, what: `joint ${joint} '${manifest.skin.joints[joint]?.name ?? ''}'` };
}

function checkPalette(judged: Judged, array: BakeArray, name: string): ArrayCheck {
    const { subject, yard } = judged;
    const count = subject.joints.length;
    needShape(array, [count, array.layout === 'mat4' ? 16 : 12], ['mat4', 'mat3x4']);
    if (array.dtype !== 'f32' && array.dtype !== 'f16') throw new ArrayFault(`dtype is ${array.dtype}`);
    const read = matrixReader(judged, array, count);
    return {
        array: name,
        byThree: true,
        scale: scaleOf(yard),
        worst(row, pose) {
            const baked = read(row);
            const expected = paletteOf(subject, pose);
            return worstOf(count, (joint) =>
                lastRowIsRight(baked, joint * 16)
                    ? displacement(baked, joint * 16, expected, joint * 16, yard.corners)
                    : Infinity,
            );
        },
        nameOf: (item) => jointName(judged, item),
    };
}

/** Global matrices are judged by where they take the vertices' box, once the inverse bind has taken it to the joint. */
function checkHit(judged: Judged, array: BakeArray, name: string): ArrayCheck {
    const { subject, yard } = judged;
    const chosen = array.joints ?? [];
    const count = chosen.length;
    needShape(array, [count, 12], ['mat3x4']);
    needFloat32(array);
    if (!chosen.every((joint) => Number.isInteger(joint) && joint >= 0 && joint < subject.joints.length)) {
        throw new ArrayFault('its joints are not indices into skin.joints');
    }
    const read = matrixReader(judged, array, count);
    const points = chosen.map((joint) => pointsAtJoint(judged, joint));
    return {
        array: name,
        byThree: true,
        scale: scaleOf(yard),
        worst(row, { globals }) {
            const baked = read(row);
            return worstOf(count, (k) =>
                displacement(baked, k * 16, globals, subject.joints[chosen[k]!]! * 16, points[k]!),
            );
        },
        nameOf: (item) => jointName(judged, chosen[item]!),
    };
}

function pointsAtJoint({ subject: { evaluator, skin }, yard }: Judged, joint: number): Float64Array {
    return placed(yard.corners, evaluator.inverseBindsOf(skin), joint * 16);
}

function needFloat32({ dtype }: BakeArray): void {
    if (dtype !== 'f32') throw new ArrayFault(`dtype is ${dtype}, needs f32`);
}

/**
 * The rows' translations, rotations and scales are put together, from slot to slot, to global matrices: what a reader makes of them
 * is what counts. Joints are judged like those of `hit`, other slots by points at the extent's distance.
 */
function checkLocal(judged: Judged, array: BakeArray, name: string): ArrayCheck {
    const { files, subject, yard } = judged;
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
        if (slotName !== (subject.evaluator.nodes[node]!.name ?? '')) throw new ArrayFault(`${where}: not its name`);
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
    const jointOf = new Map(subject.joints.map((node, joint) => [node, joint]));
    const points = slots.map(({ node }) => {
        const joint = jointOf.get(node);
        return joint === undefined ? null : pointsAtJoint(judged, joint);
    });
    return {
        array: name,
        byThree: false,
        scale: scaleOf(yard),
        worst(row, pose) {
            readElements(files.bin, array, row * trs.length, trs);
            for (const [slot, { parent, matrix }] of slots.entries()) {
                if (matrix === undefined) compose(local, 0, trs, slot * 10);
                else local.set(columnsOf(matrix, 0));
                if (parent >= 0) multiply(globals, slot * 16, globals, parent * 16, local, 0);
                else if (subject.base !== null) multiply(globals, slot * 16, subject.base, 0, local, 0);
                else globals.set(local, slot * 16);
            }
            return worstOf(slots.length, (slot) => {
                const at = slots[slot]!.node * 16;
                if (slots[slot]!.matrix !== undefined && !isIdentity(trs, slot * 10)) return Infinity;
                const own = points[slot] ?? pointsAround(pose.globals, at, yard.extent);
                const moved = displacement(globals, slot * 16, pose.globals, at, own);
                if (slots[slot]!.matrix !== undefined) return moved;
                // A quaternion can be wrong in ways that its matrix does not show: readers may blend it.
                const turned = quaternionError(trs, slot * 10 + 3, pose.locals, slots[slot]!.node * 10 + 3);
                return Math.max(moved, turned * yard.extent);
            });
        },
        nameOf(item) {
            const { node, name: slotName } = slots[item]!;
            return { joint: jointOf.get(node) ?? -1, what: `slot ${item} '${slotName}' (node ${node})` };
        },
    };
}

/** The distance of two quaternions, either of which may have the other sign. */
function quaternionError(a: Float64Array, aAt: number, b: Float64Array, bAt: number): number {
    const distance = (sign: number) => Math.hypot(...[0, 1, 2, 3].map((c) => a[aAt + c]! - sign * b[bAt + c]!));
    return Math.min(distance(1), distance(-1));
}

function isIdentity(trs: Float64Array, at: number): boolean {
    return [0, 0, 0, 0, 0, 0, 1, 1, 1, 1].every((x, i) => trs[at + i] === x);
}

/** The origin, and points on the axes that the matrix takes as far as `extent` away, the longest of them. */
function pointsAround(m: Float64Array, at: number, extent: number): Float64Array {
    let longest = 0;
    for (let c = 0; c < 12; c += 4) longest = Math.max(longest, Math.hypot(m[at + c]!, m[at + c + 1]!, m[at + c + 2]!));
    const reach = longest > 0 ? extent / longest : 0;
    const points = new Float64Array(21);
    for (let axis = 0; axis < 3; axis++) {
        points[3 + axis * 6 + axis] = reach;
        points[6 + axis * 6 + axis] = -reach;
    }
    return points;
}

function checkMorph(judged: Judged, array: BakeArray, name: string): ArrayCheck {
    const { files, subject } = judged;
    const meshes = array.meshes ?? [];
    const width = meshes.reduce((sum, { count }) => sum + count, 0);
    needShape(array, [width], ['weights']);
    needFloat32(array);
    let first = 0;
    for (const mesh of meshes) {
        const inFile = subject.evaluator.nodes[mesh.node] && subject.evaluator.morphTargetsOf(mesh.node);
        if (mesh.first !== first || mesh.count !== inFile) {
            throw new ArrayFault(
                `node ${mesh.node}: ${mesh.count} weights from ${mesh.first} on, needs ${inFile} from ${first}`,
            );
        }
        first += mesh.count;
    }
    const baked = new Float64Array(width);
    return {
        array: name,
        byThree: false,
        scale: 1,
        worst(row, { animation, time }) {
            readElements(files.bin, array, row * width, baked);
            const expected = meshes.flatMap(({ node }) => subject.evaluator.weights(node, animation, time));
            // Of weights above 1 a share, so that large ones are not judged by more digits than a float32 has.
            return worstOf(width, (k) => Math.abs(baked[k]! - expected[k]!) / Math.max(1, Math.abs(expected[k]!)));
        },
        nameOf(item) {
            const mesh = meshes.findLast(({ first: start }) => start <= item)!;
            return { joint: -1, what: `weight ${item - mesh.first} of node ${mesh.node} '${mesh.name}'` };
        },
    };
}

const SIDES = ['least x', 'least y', 'least z', 'greatest x', 'greatest y', 'greatest z'];

/** Boxes around the skinned vertices, or the joints' origins where there are none: as the manifest's of whole clips. */
function checkBounds(judged: Judged, array: BakeArray, name: string): ArrayCheck {
    const { files, yard } = judged;
    needShape(array, [6], ['minmax']);
    needFloat32(array);
    const baked = new Float64Array(6);
    return {
        array: name,
        byThree: false,
        scale: scaleOf(yard),
        worst(row, pose) {
            readElements(files.bin, array, row * 6, baked);
            const box = boxOf(judged, pose);
            return worstOf(6, (side) => Math.abs(baked[side]! - box[side]!));
        },
        nameOf: (item) => ({ joint: -1, what: SIDES[item]! }),
    };
}

export function boxOf({ subject, vertices }: Judged, pose: Pose): Float64Array {
    const box = emptyBox();
    if (vertices !== null) addSkinned(box, vertices, paletteOf(subject, pose));
    else for (const node of subject.joints) addPoint(box, pose.globals.subarray(node * 16 + 12, node * 16 + 15));
    return box;
}

/** The motion of one joint since the clip's first frame, in its own frame there: translation and rotation, without scale. */
function checkRoot(judged: Judged, array: BakeArray, name: string): ArrayCheck {
    const { files, subject, yard } = judged;
    needShape(array, [7], ['tr']);
    needFloat32(array);
    const joint = array.joint ?? -1;
    const node = subject.joints[joint];
    if (node === undefined) throw new ArrayFault('its joint is no index into skin.joints');
    if (files.manifest.skin.joints.findIndex(({ parent }) => parent === -1) !== joint) {
        throw new ArrayFault(`joint ${joint} is not the first without a parent`);
    }
    const tr = new Float64Array(7);
    const baked = new Float64Array(16);
    return {
        array: name,
        byThree: false,
        scale: scaleOf(yard),
        worst(row, pose, first) {
            readElements(files.bin, array, row * 7, tr);
            compose(baked, 0, [...tr, 1, 1, 1], 0);
            const start = rigid(first.locals, node * 10);
            const now = rigid(pose.locals, node * 10);
            const expected = new Float64Array(16);
            multiply(expected, 0, rigidInverse(start), 0, now, 0);
            // Its translation is in units of the parent's space; the error is told in those of the bake's.
            const parent = subject.evaluator.parents[node]!;
            const unit = parent < 0 ? 1 : longestColumn(pose.globals, parent * 16);
            const points = pointsAround(expected, 0, unit > 0 ? yard.extent / unit : 0);
            return { error: displacement(baked, 0, expected, 0, points) * unit, item: 0 };
        },
        nameOf: () => jointName(judged, joint),
    };
}

function longestColumn(m: Float64Array, at: number): number {
    return Math.max(...[0, 4, 8].map((c) => Math.hypot(m[at + c]!, m[at + c + 1]!, m[at + c + 2]!)));
}

/** Rotation, brought to unit length, and translation of a local transform. */
function rigid(locals: Float64Array, at: number): Float64Array {
    const q = Array.from(locals.subarray(at + 3, at + 7));
    const length = Math.hypot(...q) || 1;
    const trs = [...locals.subarray(at, at + 3), ...q.map((x) => x / length), 1, 1, 1];
    const out = new Float64Array(16);
    compose(out, 0, trs, 0);
    return out;
}

function rigidInverse(m: Float64Array): Float64Array {
    const out = new Float64Array(16);
    for (let row = 0; row < 3; row++) {
        for (let c = 0; c < 3; c++) out[c * 4 + row] = m[row * 4 + c]!;
        out[12 + row] = -(m[row * 4]! * m[12]! + m[row * 4 + 1]! * m[13]! + m[row * 4 + 2]! * m[14]!);
    }
    out[15] = 1;
    return out;
}
