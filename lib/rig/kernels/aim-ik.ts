// SPDX-License-Identifier: MIT
// Twin: native/rig/aim_ik.h

import { poseOffsets, type RigTables, type SlotTables } from './contract';
import { createGlobalLanes } from './to-global';
import {
    addScaled,
    dot,
    FORWARD,
    FREE,
    intoParent,
    loadOrigin,
    loadRows,
    loadVector,
    normalize,
    POLE,
    storeTurned,
    TARGET,
    TURN,
    TWIST,
    takePart,
    transform,
    turn,
    turned,
    UP,
    v,
    weightAt,
} from './turn';

const f = Math.fround;

const [INTO, ROWS] = [FREE, FREE + 9] as const;
const [PIVOT, OFFSET, AHEAD, OTHER, MODEL] = [FREE + 18, FREE + 21, FREE + 24, FREE + 27, FREE + 30] as const;
const RESULT = FREE + 33;

/** `path`, `until`: see `Aim` in native/rig/kernels.h. `settings`: forward 3, up 3, offset 3, pole 3. */
export function createAimIk(tables: RigTables, slots: SlotTables) {
    const { localAt, globalAt } = poseOffsets(slots, tables.restWeights.length);
    const globalLanes = createGlobalLanes(tables, slots);
    return (
        data: Float32Array,
        count: number,
        path: Int32Array,
        until: Float32Array,
        length: number,
        settings: Float32Array,
        targets: Float32Array,
        weights: number | Float32Array,
    ): void => {
        const last = path[length - 1]!;
        for (let pose = 0; pose < count; pose++) {
            const weight = weightAt(weights, pose);
            let before = 0;
            let stale = length;
            for (let i = 0; i < length; i++) {
                const part = until[i]!;
                if (!(part > before)) continue;
                for (; stale < length; stale++) globalLanes(data, pose, path[stale]!, 1);
                const place = path[i]!;
                const above = slots.parents[place]!;
                intoParent(data, above < 0 ? -1 : globalAt(pose, above), INTO);
                loadOrigin(data, globalAt(pose, place), PIVOT);
                aim(data, globalAt(pose, last), settings, targets, pose * 3);
                // The part of the turn that the joints above have left.
                const amount = f(f(weight * f(part - before)) / f(1 - f(weight * before)));
                takePart(TURN, amount);
                const local = localAt(pose, place);
                if (turned(TURN, data, local, RESULT) < Infinity && amount > 0) storeTurned(data, local, RESULT);
                before = part;
                stale = i;
            }
        }
    };
}

/** The turn of a joint by which the last joint, whose global is at `end`, aims. */
function aim(data: Float32Array, end: number, settings: Float32Array, targets: Float32Array, target: number): void {
    loadRows(data, end, ROWS);
    fromEnd(settings, 0, AHEAD);
    fromEnd(settings, 3, UP);
    fromEnd(settings, 6, OFFSET);
    loadOrigin(data, end, MODEL);
    fromPivot(OTHER);
    for (let i = 0; i < 3; i++) v[OFFSET + i] = v[OFFSET + i]! + v[OTHER + i]!;
    loadVector(targets, target, MODEL);
    fromPivot(TARGET);
    loadVector(settings, 9, MODEL);
    transform(INTO, MODEL, POLE);

    // The point of the ray from the offset that is as far from the joint as the target, if the target is far enough.
    normalize(AHEAD);
    const along = dot(OFFSET, AHEAD);
    const nearest = f(dot(OFFSET, OFFSET) - f(along * along));
    const half = f(Math.sqrt(f(dot(TARGET, TARGET) - nearest)));
    addScaled(OFFSET, AHEAD, f(half - along), FORWARD);
    v[TWIST] = 1;
    v[TWIST + 1] = 0;
    turn();
}

/** A direction in the space of the last joint, in that in which the joint turns. */
function fromEnd(settings: Float32Array, at: number, out: number): void {
    loadVector(settings, at, OTHER);
    transform(ROWS, OTHER, MODEL);
    transform(INTO, MODEL, out);
}

/** The point at `MODEL`, from the joint's place, in the space in which it turns. */
function fromPivot(out: number): void {
    for (let i = 0; i < 3; i++) v[MODEL + i] = v[MODEL + i]! - v[PIVOT + i]!;
    transform(INTO, MODEL, out);
}
