// SPDX-License-Identifier: MIT
// Twin: native/rig/two_bone_ik.h

import { poseOffsets, type RigTables, type SlotTables } from './contract';
import {
    anyAcross,
    copy,
    cross,
    dot,
    FORWARD,
    FREE,
    intoParent,
    loadOrigin,
    loadQuat,
    loadRows,
    loadVector,
    normalize,
    POLE,
    rotate,
    SAME_DIRECTION,
    storeTurned,
    TARGET,
    TURN,
    TWIST,
    takePart,
    transform,
    turn,
    turnAbout,
    turned,
    UP,
    v,
    weightAt,
} from './turn';

const f = Math.fround;

/** Maximum distance of an end from its target, in lengths of the limb, squared. */
const REACHED = f(1e-8);
const SHORTEST = f(1e-10);

const [INTO_START, INTO_MID, MID_PARENT] = [FREE, FREE + 9, FREE + 18] as const;
const [START, MID, END] = [FREE + 27, FREE + 30, FREE + 33] as const;
const [UPPER, LOWER, WAY] = [FREE + 36, FREE + 39, FREE + 42] as const;
const [MODEL_POLE, AXIS, OTHER] = [FREE + 45, FREE + 48, FREE + 51] as const;
const [BEND, START_TURNED, MID_TURNED] = [FREE + 54, FREE + 58, FREE + 62] as const;

/** Places of the joints of a limb, and settings: softness, cosine and sine of the twist, hinged (0, 1), axis 3. */
export function createTwoBoneIk(tables: RigTables, slots: SlotTables) {
    const { localAt, globalAt } = poseOffsets(slots, tables.restWeights.length);
    return (
        data: Float32Array,
        count: number,
        chain: Int32Array,
        settings: Float32Array,
        targets: Float32Array,
        poles: Float32Array | null,
        weights: number | Float32Array,
        reached: Uint8Array | null,
    ): void => {
        const [start, mid, end] = [chain[0]!, chain[1]!, chain[2]!];
        const above = slots.parents[start]!;
        for (let pose = 0; pose < count; pose++) {
            intoParent(data, above < 0 ? -1 : globalAt(pose, above), INTO_START);
            intoParent(data, globalAt(pose, slots.parents[mid]!), INTO_MID);
            loadRows(data, globalAt(pose, slots.parents[mid]!), MID_PARENT);
            loadOrigin(data, globalAt(pose, start), START);
            loadOrigin(data, globalAt(pose, mid), MID);
            loadOrigin(data, globalAt(pose, end), END);
            subtract(END, MID);
            subtract(MID, START);
            transform(INTO_MID, MID, UPPER);
            transform(INTO_MID, END, LOWER);
            transform(INTO_START, MID, WAY);
            const aa = dot(UPPER, UPPER);
            const bb = dot(LOWER, LOWER);
            const a = f(Math.sqrt(aa));
            const reach = f(a + f(Math.sqrt(bb)));
            const unit = f(a / f(Math.sqrt(dot(WAY, WAY))));
            loadVector(targets, pose * 3, WAY);
            subtract(WAY, START);
            transform(INTO_START, WAY, TARGET);
            if (poles === null) v.fill(0, MODEL_POLE, MODEL_POLE + 3);
            else loadVector(poles, pose * 3, MODEL_POLE);
            transform(INTO_START, MODEL_POLE, POLE);

            findAxis(settings, data, localAt(pose, mid), aa, bb);
            const distance = f(f(Math.sqrt(dot(TARGET, TARGET))) * unit);
            bend(soften(distance, reach, settings[0]!), aa, bb);

            rotate(BEND, LOWER, OTHER);
            for (let i = 0; i < 3; i++) v[FORWARD + i] = v[UPPER + i]! + v[OTHER + i]!;
            const shortest = f(SHORTEST * f(reach * reach));
            if (!(dot(FORWARD, FORWARD) > shortest)) cross(UPPER, AXIS, FORWARD);
            cross(AXIS, FORWARD, UP);
            fromMid(FORWARD);
            fromMid(UP);
            copy(TARGET, WAY);
            if (!(f(dot(WAY, WAY) * f(unit * unit)) > shortest)) copy(FORWARD, TARGET);
            v[TWIST] = settings[1]!;
            v[TWIST + 1] = settings[2]!;
            turn();

            const amount = weightAt(weights, pose);
            takePart(TURN, amount);
            takePart(BEND, amount);
            const square = turned(TURN, data, localAt(pose, start), START_TURNED);
            const squares = f(square + turned(BEND, data, localAt(pose, mid), MID_TURNED));
            const ok = amount > 0 && squares < Infinity;
            if (ok) {
                storeTurned(data, localAt(pose, start), START_TURNED);
                storeTurned(data, localAt(pose, mid), MID_TURNED);
            }
            if (reached !== null) reached[pose] = ok && isThere(reach, unit) ? 1 : 0;
        }
    };
}

/** a = a - b */
function subtract(a: number, b: number): void {
    for (let i = 0; i < 3; i++) v[a + i] = v[a + i]! - v[b + i]!;
}

/** From the space in which the middle joint turns into that of the start. */
function fromMid(at: number): void {
    transform(MID_PARENT, at, OTHER);
    transform(INTO_START, OTHER, at);
}

/** The axis about which the middle joint opens, in the space in which it turns. */
function findAxis(settings: Float32Array, data: Float32Array, mid: number, aa: number, bb: number): void {
    if (settings[3] !== 0) {
        loadQuat(data, mid, BEND);
        loadVector(settings, 4, OTHER);
        rotate(BEND, OTHER, AXIS);
    } else {
        const limit = f(SAME_DIRECTION * aa);
        cross(LOWER, UPPER, AXIS);
        if (!(dot(AXIS, AXIS) > f(limit * bb))) {
            transform(INTO_MID, MODEL_POLE, OTHER);
            cross(UPPER, OTHER, AXIS);
            if (!(dot(AXIS, AXIS) > f(limit * dot(OTHER, OTHER)))) anyAcross(UPPER, AXIS);
        }
    }
    normalize(AXIS);
}

/** The length of the limb where it falls behind a target at the distance `d`: ozz-animation's. */
function soften(d: number, reach: number, softness: number): number {
    const from = f(reach * softness);
    const range = f(reach - from);
    const over = f(d - from);
    if (!(range > 0 && over > 0)) return d;
    const ratio = f(3 / f(f(over / range) + 3));
    const square = f(ratio * ratio);
    return f(reach - f(range * f(square * square)));
}

/**
 * The turn of the middle joint: the law of cosines, across the axis, for the angle from the upper to the lower bone, less
 * the present one.
 */
function bend(length: number, aa: number, bb: number): void {
    const both = f(dot(UPPER, AXIS) * dot(LOWER, AXIS));
    cross(UPPER, LOWER, OTHER);
    const along = f(dot(UPPER, LOWER) - both);
    const aside = dot(OTHER, AXIS);
    const size = f(Math.sqrt(f(f(along * along) + f(aside * aside))));
    const square = f(f(f(length * length) - aa) - bb);
    const wanted = f(f(f(0.5 * square) - both) / size);
    const cosine = Math.min(Math.max(wanted, -1), 1);
    const sine = 0 - f(Math.sqrt(f(1 - f(cosine * cosine))));
    const c = f(along / size);
    const s = f(aside / size);
    turnAbout(AXIS, f(f(cosine * c) + f(sine * s)), f(f(sine * c) - f(cosine * s)), BEND);
}

/** Whether the limb, turned as it is, ends at the target. */
function isThere(reach: number, unit: number): boolean {
    rotate(BEND, LOWER, END);
    for (let i = 0; i < 3; i++) v[END + i] = v[UPPER + i]! + v[END + i]!;
    fromMid(END);
    rotate(TURN, END, OTHER);
    for (let i = 0; i < 3; i++) v[OTHER + i] = f(v[OTHER + i]! - v[WAY + i]!) * unit;
    return f(REACHED * f(reach * reach)) > dot(OTHER, OTHER);
}
