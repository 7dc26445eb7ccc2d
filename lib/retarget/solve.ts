// SPDX-License-Identifier: MIT

import { type Role, SIDES, type Side, sided } from '../clips/roles';
import type { SceneAnimation } from '../gltf/scene';
import { type Frame, frameOf, level } from './frame';
import {
    add,
    between,
    compose,
    dot,
    IDENTITY,
    inverse,
    length,
    mix,
    normalized,
    type Quat,
    rotated,
    scaled,
    slerp,
    sub,
    unit,
    type Vec,
    ZERO,
} from './math';
import type { Place } from './model';
import type { Humanoid } from './roles';
import { posesOf, timesOf } from './sample';

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

const LEG = ['upperLeg', 'lowerLeg', 'foot'] as const;

/** A foot stands below this share of the leg above its lowest place, or slower than this share of it in a second. */
const LOW = 0.04;
const SLOW = 0.06;
/** Legs are not stretched further than this share of their length: straight knees have no plane. */
const REACH = 0.9995;
/** Legs whose feet stand point as the source's within this slope: 4 degrees. */
const LEG_SLOPE = 0.07;
/** How long a foot that no longer stands keeps its leg from its direction. */
const LIFTS = 0.003;
/** How fast a foot that begins to stand limits the hips: both limits widen by this when its weight is 0.5. */
const FREE = 0.15;
/** Seconds. */
const FADE = 0.12;
/** Up to this slope of the line through both hip joints, its sine, feet near the ground stand on it. */
const LEANS = 0.6;

/** The parts of a source's clips that the target follows, and how: prepared once for two files. */
export interface Pair {
    readonly source: Humanoid;
    readonly target: Humanoid;
    readonly from: Frame;
    readonly to: Frame;
    /** Length of the legs of the target over the source's. */
    readonly ratio: number;
    readonly joints: readonly Follower[];
}

/** A joint of the target, parents before their children. */
interface Follower {
    readonly node: number;
    /** The nearest joint above that has a role; -1 for the hips. */
    readonly parent: number;
    /** Two joints of the source and the share of the second: spines may have other numbers of joints. */
    readonly follows: readonly [number, number, number];
    /** From the target's bind pose to the source's. */
    readonly align: Quat;
}

export function pairOf(source: Humanoid, target: Humanoid): Pair {
    const [from, to] = [frameOf(source), frameOf(target)];
    const aligns = new Map<Role, Quat>();
    const direction = (humanoid: Humanoid, frame: Frame, a: Role, b: Role): Vec | null => {
        const [p, q] = [humanoid.joints.get(a), humanoid.joints.get(b)];
        return p === undefined || q === undefined ? null : sub(frame.at(q), frame.at(p));
    };
    for (const side of SIDES) {
        for (const [limb, next] of [
            ['upperArm', 'lowerArm'],
            ['lowerArm', 'hand'],
            ['upperLeg', 'lowerLeg'],
            ['lowerLeg', 'foot'],
        ] as const) {
            const [a, b] = [sided(side, limb), sided(side, next)];
            const [own, theirs] = [direction(target, to, a, b), direction(source, from, a, b)];
            if (own !== null && theirs !== null) aligns.set(a, between(own, theirs));
        }
    }
    const joints: Follower[] = [];
    const known = new Set<number>();
    const { nodes } = target.model;
    const put = (node: number | undefined, follows: Follower['follows'] | null, align: Quat, parent?: number) => {
        if (node === undefined || follows === null || known.has(node)) return;
        let above = nodes[node]!.parent;
        while (above >= 0 && !known.has(above)) above = nodes[above]!.parent;
        known.add(node);
        joints.push({ node, parent: parent ?? (above < 0 ? hips : above), follows, align });
    };
    const hips = target.joints.get('hips')!;
    const role = (name: Role): Follower['follows'] | null => {
        const node = source.joints.get(name);
        return node === undefined ? null : [node, node, 0];
    };
    put(hips, role('hips'), IDENTITY, -1);
    const chain = (own: readonly number[], theirs: readonly number[]) => {
        for (const [i, node] of own.entries()) {
            if (theirs.length === 0) return;
            const place = own.length === 1 ? theirs.length - 1 : (i * (theirs.length - 1)) / (own.length - 1);
            const low = Math.floor(place);
            const high = Math.min(low + 1, theirs.length - 1);
            put(node, [theirs[low]!, theirs[high]!, place - low], IDENTITY);
        }
    };
    chain(target.torso, source.torso);
    chain(target.neck, source.neck);
    put(target.joints.get('head'), role('head'), IDENTITY);
    for (const side of SIDES) {
        for (const limb of ['shoulder', 'upperArm', 'lowerArm', 'hand'] as const) {
            const name = sided(side, limb);
            // A hand, and its fingers, take the alignment of the lower arm.
            const align = aligns.get(limb === 'hand' ? sided(side, 'lowerArm') : name) ?? IDENTITY;
            put(target.joints.get(name), role(name), align);
        }
        for (const limb of LEG) {
            const name = sided(side, limb);
            const above = limb === 'upperLeg' ? 'hips' : sided(side, limb === 'foot' ? 'lowerLeg' : 'upperLeg');
            const align = limb === 'foot' ? IDENTITY : (aligns.get(name) ?? IDENTITY);
            put(target.joints.get(name), role(name), align, target.joints.get(above as Role));
        }
        const toes = sided(side, 'toes');
        put(target.joints.get(toes), role(toes), IDENTITY, target.joints.get(sided(side, 'foot')));
    }
    for (const [name, node] of target.joints) {
        if (!/[123]$/.test(name)) continue;
        const side: Side = name.startsWith('left') ? 'left' : 'right';
        put(node, role(name), aligns.get(sided(side, 'lowerArm')) ?? IDENTITY);
    }
    return { source, target, from, to, ratio: to.leg / from.leg, joints };
}

/** All that the target has to know of the source at a time, in the common space. */
interface Seen {
    readonly turns: ReadonlyMap<number, Quat>;
    readonly middle: Vec;
    readonly ankles: Readonly<Record<Side, Vec>>;
    /** From the hip joints to the ankles. */
    readonly legs: Readonly<Record<Side, Vec>>;
    /** How far keys move the hip joints from where the turn of the hips takes them. */
    readonly shifts: Readonly<Record<Side, Vec>>;
    /** Where the hips' left side points, and the same on the ground. */
    readonly left: Vec;
    readonly level: Vec;
}

/** @param times At least one: see `timesOf`. */
export function solveClip(pair: Pair, clip: SceneAnimation, times: Float32Array, style: Style, floors: Floors): Solved {
    const { source, target, from, to, ratio, joints } = pair;
    const followed = [...new Set(joints.flatMap(({ follows }) => [follows[0], follows[1]]))];
    const poseAt = posesOf(source.model.nodes, clip, [...source.joints.values(), ...followed]);
    const seen: Seen[] = [];
    for (const time of times) seen.push(seenAt(pair, poseAt(time), followed, seen.at(-1)?.level));
    const holds = holdsOf(pair, seen, times);
    const back = inverse(to.toCommon);
    const start = seen[0]!.middle;
    /** A pose whose legs are as the source's, and how far its hips have to move. */
    const begin = (index: number) => {
        const one = seen[index]!;
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
            const ease = easeOf(one, [holds.left[index]!, holds.right[index]!], pair);
            turns.set(hips, compose(ease, turns.get(hips)!));
        }
        const places = new Map<number, Vec>();
        places.set(hips, add(middle, rotated(turns.get(hips)!, sub(to.at(hips), to.middle))));
        const shifts = new Map(
            SIDES.map((side) => [target.joints.get(sided(side, 'upperLeg'))!, scaled(one.shifts[side], ratio)]),
        );
        placeAll(pair, turns, places, shifts);
        const goals = SIDES.map((side): Goal => {
            const { beside, weight, ground, nearer } = holds[side][index]!;
            const width = (side === 'left' ? 1 : -1) * (to.halfWidth - ratio * from.halfWidth);
            const ankle = moved(add(one.ankles[side], nearer), floors[side], to.ankles[side]);
            const [x, y, z] = add(ankle, scaled(beside, width));
            // Not below the ground, unless the source's is.
            const at: Vec = [x, Math.max(y, Math.min(ankle[1], to.ankles[side])), z];
            return { at, weight, ground, floor: to.ankles[side] };
        });
        const shift = style.feet === 'hold' ? shiftOf(pair, places, goals, one) : ZERO;
        return { turns, places, shifts, goals, shift };
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

const heightsOf = ({ left, right }: Readonly<Record<Side, number>>) => (left + right) / 2;

function seenAt(
    { source, from }: Pair,
    pose: readonly Place[],
    followed: readonly number[],
    before: Vec | undefined,
): Seen {
    const { toCommon } = from;
    const place = (role: Role) => rotated(toCommon, pose[source.joints.get(role)!]!.at);
    const turnOf = (node: number) => compose(compose(toCommon, pose[node]!.rotation), inverse(from.turn(node)));
    const hips = turnOf(source.joints.get('hips')!);
    const middle = mix(place('leftUpperLeg'), place('rightUpperLeg'), 0.5);
    const shift = (side: Side): Vec => {
        const role = sided(side, 'upperLeg');
        const offset = sub(from.at(source.joints.get(role)!), from.middle);
        return sub(sub(place(role), middle), rotated(hips, offset));
    };
    return {
        turns: new Map(followed.map((node) => [node, turnOf(node)])),
        middle,
        shifts: { left: shift('left'), right: shift('right') },
        ankles: { left: place('leftFoot'), right: place('rightFoot') },
        legs: {
            left: sub(place('leftFoot'), place('leftUpperLeg')),
            right: sub(place('rightFoot'), place('rightUpperLeg')),
        },
        left: rotated(hips, [1, 0, 0]),
        level: level(rotated(hips, [1, 0, 0])) ?? before ?? [1, 0, 0],
    };
}

/** Heights of ankles that stand on the ground, in the common space of the source. */
export type Floors = Readonly<Record<Side, number>>;

/**
 * The bind pose's ankles, unless clips never come near them: a pose of zero rotations may be anywhere. Then the lowest
 * place of an ankle in all clips.
 */
export function floorsOf({ model, joints, bind }: Humanoid, frame: Frame): Floors {
    if (SIDES.every((side) => frame.ankles[side] > -0.1 * frame.leg && frame.ankles[side] < 0.4 * frame.leg))
        return frame.ankles;
    let lowest = Infinity;
    for (const clip of model.animations) {
        const poseAt = posesOf(model.nodes, clip, joints.values());
        for (const time of timesOf(clip)) {
            const pose = poseAt(time);
            for (const side of SIDES) {
                const ankle = rotated(frame.toCommon, pose[joints.get(sided(side, 'foot'))!]!.at);
                lowest = Math.min(lowest, ankle[1]);
            }
        }
    }
    return Number.isFinite(lowest) && bind.length > 0 ? { left: lowest, right: lowest } : frame.ankles;
}

/** How a foot is held at a time. */
interface Hold {
    /** Where the ankle is beside the scaled place of the source's: as a share of the difference in hip width. */
    readonly beside: Vec;
    /** 1 while the foot stands; less for a while after and before. */
    readonly weight: number;
    /** How much of it is on the ground. */
    readonly ground: number;
    /** For a foot that is held in the air: shortens a leg that is stretched beyond the reach of the target's. */
    readonly nearer: Vec;
    /** Index of the middle of the time in which it is held. */
    readonly middle: number;
}

/**
 * The hips turn, but feet that stand must not: beside their scaled places, ankles are where the hips' left side points.
 * That direction is fixed while a foot stands. It follows the hips again within `FADE` seconds.
 */
function holdsOf({ from, to, ratio }: Pair, seen: readonly Seen[], at: Float32Array): Record<Side, Hold[]> {
    const areLow = (side: Side) => {
        const heights = seen.map(({ ankles }) => ankles[side][1]);
        const lowest = heights.reduce((min, height) => Math.min(min, height), Infinity);
        const isLow = heights.map((height) => height < Math.max(lowest, from.ankles[side]) + LOW * from.leg);
        const slow = seen.map(({ ankles }, i) => {
            const before = seen[i - 1]?.ankles[side];
            return before !== undefined && length(sub(ankles[side], before)) < SLOW * from.leg * (at[i]! - at[i - 1]!);
        });
        const stands = seen.map((_, i) => isLow[i]! || slow[i]! || slow[i + 1] === true || seen.length === 1);
        return { isLow, stands };
    };
    const feet = { left: areLow('left'), right: areLow('right') };
    const of = (side: Side): Hold[] => {
        const { isLow, stands } = feet[side];
        const { stands: other } = feet[side === 'left' ? 'right' : 'left'];
        const fixed: (Vec | null)[] = seen.map(() => null);
        const grounded = seen.map(() => 0);
        const nearer = seen.map(() => ZERO);
        const middles = seen.map((_, i) => i);
        for (let i = 0; i < seen.length; i++) {
            if (!stands[i]) continue;
            let end = i;
            while (stands[end + 1]) end++;
            // Hips above a single foot move until its leg is right.
            const both = seen.slice(i, end + 1).filter((_, k) => other[i + k]);
            const lefts = (both.length > 0 ? both : seen.slice(i, end + 1)).map(({ left }) => left);
            const center = unit(middleOf(lefts));
            // A foot that is held in the air need not stay at the height of the ground.
            const onGround = isLow.slice(i, end + 1).includes(true);
            // Feet of a character that lies on its side do not stand on the ground.
            const frozen = onGround && Math.abs(center[1]) < LEANS ? (level(center) ?? seen[i]!.level) : center;
            const legs = seen.slice(i, end + 1).map((one) => one.legs[side]);
            const longest = legs.reduce((a, b) => (length(b) > length(a) ? b : a));
            const excess = Math.max(length(longest) - (REACH * to.leg) / ratio, 0);
            const shorter = onGround ? ZERO : scaled(unit(longest), -excess);
            const middle = (i + end) >> 1;
            for (; i <= end; i++)
                [fixed[i], grounded[i], nearer[i], middles[i]] = [frozen, onGround ? 1 : 0, shorter, middle];
        }
        const before = nearest(fixed, 1);
        const after = nearest(fixed, -1);
        return seen.map(({ left }, i): Hold => {
            const middle = middles[i]!;
            if (fixed[i] !== null)
                return { beside: fixed[i]!, weight: 1, ground: grounded[i]!, nearer: nearer[i]!, middle };
            const parts = [before[i]!, after[i]!].flatMap((k) => {
                if (k < 0) return [];
                const gone = Math.max(1 - Math.abs(at[i]! - at[k]!) / FADE, 0);
                const share = gone * gone * (3 - 2 * gone);
                const ground = share * grounded[k]!;
                return [{ k, share, ground, nearer: nearer[k]!, off: sub(fixed[k]!, seen[k]!.left) }];
            });
            const sum = parts.reduce((total, { share }) => total + share, 0);
            const beside = parts.reduce((to, { share, off }) => add(to, scaled(off, share / Math.max(sum, 1))), left);
            const most = (of: 'share' | 'ground') => parts.reduce((max, part) => Math.max(max, part[of]), 0);
            const near = parts.reduce((to, part) => add(to, scaled(part.nearer, part.share / Math.max(sum, 1))), ZERO);
            const airborne = parts.filter(({ share, ground }) => share > ground).sort((a, b) => b.share - a.share);
            const center = airborne.length > 0 ? middles[airborne[0]!.k]! : i;
            return { beside, weight: most('share'), ground: most('ground'), nearer: near, middle: center };
        });
    };
    return { left: of('left'), right: of('right') };
}

/** Slope of legs that turned hips leave. */
const EASES = 0.05;
/** How far hips may turn: a chord of 13 degrees. */
const EASE = 0.23;

/** Turns hips above two standing feet, as far as legs would point elsewhere than the source's because of other widths. */
function easeOf({ left }: Seen, [a, b]: readonly Hold[], { from, to, ratio }: Pair): Quat {
    const wider = to.halfWidth - ratio * from.halfWidth;
    const line = unit(add(a!.beside, b!.beside));
    const error = Math.abs(wider) * length(sub(line, left));
    const wanted = Math.max(error - EASES * to.leg, 0) / to.halfWidth;
    if (!(wanted > 0)) return IDENTITY;
    // From here, both legs would be as the source's.
    const best = unit(add(scaled(left, ratio * from.halfWidth), scaled(line, wider)));
    const turn = Math.min(a!.ground, b!.ground) * Math.min(wanted, EASE);
    return slerp(IDENTITY, between(left, best), Math.min(turn / length(sub(best, left)), 1));
}

/** The center of the box around directions. */
function middleOf(directions: readonly Vec[]): Vec {
    const center = (c: number) => {
        const values = directions.map((direction) => direction[c]!);
        return values.reduce((a, b) => Math.min(a, b)) + values.reduce((a, b) => Math.max(a, b));
    };
    return [center(0), center(1), center(2)];
}

/** For each item, the index of the nearest one before (`step` 1) or after it (-1) that is not null; -1 if there is none. */
function nearest(items: readonly unknown[], step: 1 | -1): Int32Array {
    const found = new Int32Array(items.length);
    let last = -1;
    for (let n = 0; n < items.length; n++) {
        const i = step === 1 ? n : items.length - 1 - n;
        if (items[i] !== null) last = i;
        found[i] = last;
    }
    return found;
}

/** Places joints by their bind offsets from the joints above, and their shifts. The hips have a place already. */
function placeAll(
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

interface Goal {
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
function shiftOf(
    pair: Pair,
    places: ReadonlyMap<number, Vec>,
    goals: readonly Goal[],
    { legs: directions }: Seen,
): Vec {
    const wanted = places.get(pair.target.joints.get('hips')!)!;
    const [first, second] = legsOf(pair).map(({ hip, side, a, b }, i): Ball & Cone => {
        const { at, weight, ground } = goals[i]!;
        const way = sub(places.get(hip)!, at);
        const reach = REACH * (a + b);
        return {
            center: sub(at, sub(places.get(hip)!, wanted)),
            radius: reach + (1 - weight) * Math.max(length(way) - reach, 0) + FREE * reach * (1 / weight - 1),
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
function reachGoals(
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

interface Ball {
    readonly center: Vec;
    readonly radius: number;
}

/** A cone with its tip at the center. */
interface Cone {
    readonly center: Vec;
    readonly axis: Vec;
    /** Radius for each unit of height. */
    readonly slope: number;
}

const TURNS = 30;
/** How far to go to the mean of the nearest points. */
const RELAXED = 1.6;

/** A point from which both legs point as the source's, within both balls. */
function upright(point: Vec, first: Ball & Cone, second: Ball & Cone): Vec {
    // Across the legs only: lower hips would also bring them into line, with deeply bent knees.
    const along = unit(add(first.axis, second.axis));
    let at = point;
    for (let turn = 0; turn < TURNS; turn++) {
        const [a, b] = [intoCone(at, first), intoCone(at, second)];
        if (a === at && b === at) return at;
        const way = sub(mix(a, b, 0.5), at);
        const across = sub(way, scaled(along, dot(way, along)));
        at = nearestWithin(add(at, scaled(across, RELAXED)), first, second);
    }
    return at;
}

/** The point of a cone at the height of a point that is nearest to it: itself if it is inside. */
function intoCone(point: Vec, { center, axis, slope }: Cone): Vec {
    const way = sub(point, center);
    const along = dot(way, axis);
    const aside = sub(way, scaled(axis, along));
    const [far, radius] = [length(aside), slope * Math.max(along, 0)];
    return far <= radius * (1 + 1e-6) || slope === Infinity ? point : add(point, scaled(aside, radius / far - 1));
}

/** The point in both balls that is nearest to a point; between them if they have none in common. */
function nearestWithin(point: Vec, a: Ball, b: Ball): Vec {
    const into = ({ center, radius }: Ball): Vec => {
        const way = sub(point, center);
        const far = length(way);
        return far <= radius ? point : add(center, scaled(way, radius / far));
    };
    const isIn = (at: Vec, { center, radius }: Ball) => length(sub(at, center)) <= radius * (1 + 1e-9);
    const [intoA, intoB] = [into(a), into(b)];
    if (isIn(intoA, b)) return intoA;
    if (isIn(intoB, a)) return intoB;
    const way = sub(b.center, a.center);
    const far = length(way);
    const line = unit(way);
    const along =
        far >= a.radius + b.radius
            ? (far * a.radius) / (a.radius + b.radius)
            : (far * far + a.radius * a.radius - b.radius * b.radius) / (2 * far);
    const center = add(a.center, scaled(line, along));
    const off = sub(point, center);
    const aside = sub(off, scaled(line, dot(off, line)));
    return add(center, scaled(unit(aside), Math.sqrt(Math.max(a.radius * a.radius - along * along, 0))));
}
