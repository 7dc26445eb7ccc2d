// SPDX-License-Identifier: MIT

import { SIDES, type Side, sided } from '../clips/roles';
import type { SceneAnimation } from '../gltf/scene';
import { easeOf, type Hold, holdsOf } from './holds';
import { type Goal, placeAll, reachGoals, shiftOf } from './legs';
import { add, compose, inverse, normalized, type Quat, rotated, scaled, slerp, sub, type Vec, ZERO } from './math';
import type { Pair } from './pair';
import { posesOf } from './sample';
import { type Floors, type Seen, seenAt } from './seen';

/** How to retarget: what feet and the way over the ground do. */
export interface Style {
    /** `hold`: feet that stand in the source also stand in the target. `free`: rotations only. */
    readonly feet: 'hold' | 'free';
    /** Whether ways are scaled by the length of the legs, or the way over the ground is kept. */
    readonly travel: 'scale' | 'keep';
}

/** A pose of the target: turns since bind of joints with a role, and their places, in the scene. */
export interface SolvedPose {
    readonly turns: ReadonlyMap<number, Quat>;
    readonly places: ReadonlyMap<number, Vec>;
}

export interface Solved {
    readonly times: Float32Array;
    /** In the order of the times, each once. */
    readonly poses: Iterable<SolvedPose>;
}

/** @param times At least one: see `timesOf`. */
export function solveClip(pair: Pair, clip: SceneAnimation, times: Float32Array, style: Style, floors: Floors): Solved {
    const { source, to, joints } = pair;
    const followed = [...new Set(joints.flatMap(({ follows }) => [follows[0], follows[1]]))];
    const poseAt = posesOf(source.model.nodes, clip, [...source.joints.values(), ...followed]);
    const seen: Seen[] = [];
    for (const time of times) seen.push(seenAt(pair, poseAt(time), followed, seen.at(-1)?.level));
    const holds = holdsOf(pair, seen, times);
    const back = inverse(to.toCommon);
    const start = seen[0]!.middle;
    const begin = (index: number) => {
        const held = { left: holds.left[index]!, right: holds.right[index]! };
        return beginPose(pair, seen[index]!, start, held, style, floors);
    };
    const shiftsAt = new Map<number, Vec>();
    const shiftAt = (index: number): Vec => {
        const shift = shiftsAt.get(index) ?? begin(index).shift;
        shiftsAt.set(index, shift);
        return shift;
    };
    const poseOf = (one: Seen, index: number): SolvedPose => {
        const { turns, places, shifts, goals, shift } = begin(index);
        if (style.feet === 'hold') {
            // A foot in the air goes with the hips. While it is held, it goes where they are in the middle of that time.
            const gone = SIDES.map((side) => {
                const { weight, ground, middle } = holds[side][index]!;
                const own = scaled(shift, 1 - weight);
                return weight > ground ? add(own, scaled(shiftAt(middle), weight - ground)) : own;
            });
            reachGoals(pair, turns, places, shifts, goals, one, shift, gone);
        }
        return {
            turns: new Map([...turns].map(([node, turn]) => [node, compose(compose(back, turn), to.toCommon)])),
            places: new Map([...places].map(([node, at]) => [node, rotated(back, at)])),
        };
    };
    const poses = function* () {
        for (const [index, one] of seen.entries()) yield poseOf(one, index);
    };
    return { times, poses: poses() };
}

/**
 * A pose whose legs are as the source's, and how far its hips have to move.
 *
 * @param start The middle of the first pose.
 */
function beginPose(
    pair: Pair,
    one: Seen,
    start: Vec,
    held: Readonly<Record<Side, Hold>>,
    style: Style,
    floors: Floors,
) {
    const { target, from, to, ratio, joints } = pair;
    // The way over the ground that scaling would take away.
    const kept = scaled(
        [one.middle[0] - start[0], 0, one.middle[2] - start[2]],
        style.travel === 'keep' ? 1 - ratio : 0,
    );
    const own = heightsOf(to.ankles);
    const theirs = heightsOf(floors);
    const moved = (at: Vec, floor: number, ground: number): Vec =>
        add([ratio * at[0], ground + ratio * (at[1] - floor), ratio * at[2]], kept);
    const turns = new Map<number, Quat>();
    for (const { node, follows, align } of joints) {
        const [a, b, share] = follows;
        const turn = share === 0 ? one.turns.get(a)! : slerp(one.turns.get(a)!, one.turns.get(b)!, share);
        turns.set(node, normalized(compose(turn, align)));
    }
    const hips = target.joints.get('hips')!;
    const middle = moved(one.middle, theirs, own);
    if (style.feet === 'hold') {
        const ease = easeOf(one, [held.left, held.right], pair);
        turns.set(hips, compose(ease, turns.get(hips)!));
    }
    const places = new Map<number, Vec>();
    places.set(hips, add(middle, rotated(turns.get(hips)!, sub(to.at(hips), to.middle))));
    const shifts = new Map(
        SIDES.map((side) => [target.joints.get(sided(side, 'upperLeg'))!, scaled(one.shifts[side], ratio)]),
    );
    placeAll(pair, turns, places, shifts);
    const goals = SIDES.map((side): Goal => {
        const { beside, weight, ground, nearer } = held[side];
        const width = (side === 'left' ? 1 : -1) * (to.halfWidth - ratio * from.halfWidth);
        const ankle = moved(add(one.ankles[side], nearer), floors[side], to.ankles[side]);
        const [x, y, z] = add(ankle, scaled(beside, width));
        // Not below the ground, unless the source's is.
        const at: Vec = [x, Math.max(y, Math.min(ankle[1], to.ankles[side])), z];
        return { at, weight, ground, floor: to.ankles[side] };
    });
    const shift = style.feet === 'hold' ? shiftOf(pair, places, goals, one) : ZERO;
    return { turns, places, shifts, goals, shift };
}

const heightsOf = ({ left, right }: Readonly<Record<Side, number>>) => (left + right) / 2;
