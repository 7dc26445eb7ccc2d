// SPDX-License-Identifier: MIT

/** Moves hips and bends legs until feet are where they are held. */

import { SIDES, sided } from '../clips/roles';
import { type Ball, type Cone, intoCone, nearestWithin, upright } from './balls';
import {
    add,
    between,
    compose,
    dot,
    length,
    normalized,
    type Quat,
    rotated,
    scaled,
    sub,
    unit,
    type Vec,
    ZERO,
} from './math';
import { LEG, type Pair } from './pair';
import type { Seen } from './seen';

/** Legs are not stretched further than this share of their length: straight knees have no plane. */
const REACH = 0.9995;
/** Legs whose feet stand point as the source's within this slope: 4 degrees. */
const LEG_SLOPE = 0.07;
/** How long a foot that no longer stands keeps its leg from its direction. */
const LIFTS = 0.003;
/** How fast a foot that begins to stand limits the hips: both limits widen by this when its weight is 0.5. */
const FREE = 0.15;

/** Places joints by their bind offsets from the joints above, and their shifts. The hips have a place already. */
export function placeAll(
    { joints, to }: Pair,
    turns: ReadonlyMap<number, Quat>,
    places: Map<number, Vec>,
    shifts: ReadonlyMap<number, Vec>,
): void {
    for (const { node, parent } of joints) {
        if (parent < 0) continue;
        const offset = sub(to.at(node), to.at(parent));
        const at = add(places.get(parent)!, rotated(turns.get(parent)!, offset));
        places.set(node, add(at, shifts.get(node) ?? ZERO));
    }
}

export interface Goal {
    readonly at: Vec;
    /** How much the ankle has to be there: 1 for a foot that stands. */
    readonly weight: number;
    /** How much of that is on the ground: there, the leg keeps its direction. */
    readonly ground: number;
    /** Height of an ankle that stands on the ground. */
    readonly floor: number;
}

/** Thighs and shins of the target. */
function legsOf({ target, to }: Pair) {
    return SIDES.map((side) => {
        const [hip, knee, ankle] = LEG.map((limb) => target.joints.get(sided(side, limb))!) as [number, number, number];
        const [thigh, shin] = [sub(to.at(knee), to.at(hip)), sub(to.at(ankle), to.at(knee))];
        return { side, hip, knee, ankle, thigh, shin, a: length(thigh), b: length(shin) };
    });
}

/** How far the hips have to move until ankles that stand reach their goals, with legs that point as the source's. */
export function shiftOf(
    pair: Pair,
    places: ReadonlyMap<number, Vec>,
    goals: readonly Goal[],
    { legs: directions }: Seen,
): Vec {
    const wanted = places.get(pair.target.joints.get('hips')!)!;
    const [first, second] = legsOf(pair).map(({ hip, side, a, b }, i): Ball & Cone => {
        const { at, ground } = goals[i]!;
        const way = sub(places.get(hip)!, at);
        const reach = REACH * (a + b);
        return {
            center: sub(at, sub(places.get(hip)!, wanted)),
            radius: reach + (1 - ground) * Math.max(length(way) - reach, 0) + FREE * reach * (1 / ground - 1),
            axis: unit(scaled(directions[side], -1)),
            slope: LEG_SLOPE + FREE * (1 / ground - 1),
        };
    }) as [Ball & Cone, Ball & Cone];
    return sub(nearestWithin(upright(wanted, first, second), first, second), wanted);
}

/**
 * Moves the hips, then bends both legs in the planes that they have.
 *
 * @param gone How far the goals go with the hips.
 */
export function reachGoals(
    pair: Pair,
    turns: Map<number, Quat>,
    places: Map<number, Vec>,
    shifts: ReadonlyMap<number, Vec>,
    goals: readonly Goal[],
    { turns: seen, legs: directions }: Seen,
    shift: Vec,
    gone: readonly Vec[],
): void {
    const { target, source } = pair;
    const legs = legsOf(pair);
    const hips = target.joints.get('hips')!;
    places.set(hips, add(places.get(hips)!, shift));
    // Not below the ground.
    const ends = goals.map(({ at, weight, floor }, i): Vec => {
        const { hip, side } = legs[i]!;
        const leg = { center: add(places.get(hip)!, shift), axis: unit(directions[side]) };
        const square = weight * weight;
        const slope = LEG_SLOPE + (LIFTS * square * square) / (1 - weight);
        const [x, y, z] = intoCone(add(at, gone[i]!), { ...leg, slope });
        return [x, Math.max(y, Math.min(at[1], floor)), z];
    });
    placeAll(pair, turns, places, shifts);
    for (const [i, { side, hip, knee, ankle, thigh, shin, a, b }] of legs.entries()) {
        const [upper, lower] = [turns.get(hip)!, turns.get(knee)!];
        const [bent, straight] = [rotated(upper, thigh), rotated(lower, shin)];
        const from = places.get(hip)!;
        const way = sub(ends[i]!, from);
        const far = Math.min(Math.max(length(way), Math.abs(a - b) * 1.001), REACH * (a + b));
        const line = unit(way);
        // The side to which the knee bends; of an almost straight leg, to the front.
        const front = rotated(seen.get(source.joints.get(sided(side, 'upperLeg'))!)!, [0, 0, 1]);
        const knees = add(unit(bent), scaled(front, 0.02));
        // The knee's plane turns with the leg.
        const turned = rotated(between(add(bent, straight), line), knees);
        const pole = unit(sub(turned, scaled(line, dot(turned, line))));
        const along = (a * a - b * b + far * far) / (2 * far);
        const aside = Math.sqrt(Math.max(a * a - along * along, 0));
        const toKnee = add(scaled(line, along), scaled(pole, aside));
        const toAnkle = sub(scaled(line, far), toKnee);
        turns.set(hip, normalized(compose(between(bent, toKnee), upper)));
        turns.set(knee, normalized(compose(between(straight, toAnkle), lower)));
        places.set(knee, add(from, toKnee));
        places.set(ankle, add(from, scaled(line, far)));
    }
    // Toes follow their feet, which keep their turn.
    placeAll(pair, turns, places, shifts);
}
