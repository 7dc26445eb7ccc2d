// SPDX-License-Identifier: MIT

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
} from './math';
import { type Place, parentsFirst } from './model';
import { type Role, SIDES, type Side, sided } from './names';
import type { Humanoid } from './roles';
import { posesOf, timesOf } from './sample';

/** How to retarget: what feet and the way over the ground do. */
export interface Style {
    /** `hold`: feet that stand in the source stand here. `free`: rotations only. */
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
    readonly poses: readonly SolvedPose[];
}

const LEG = ['upperLeg', 'lowerLeg', 'foot'] as const;

/** A foot stands below this share of the leg above its lowest place, or slower than this share of it in a second. */
const LOW = 0.04;
const SLOW = 0.06;
/** Legs are not stretched further than this share of their length: straight knees have no plane. */
const REACH = 0.9995;

/** What of a source's clips the target follows, and how: prepared once for two files. */
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
    const at = new Map<number, number>();
    const { nodes } = target.model;
    const put = (node: number | undefined, follows: Follower['follows'] | null, align: Quat, parent?: number) => {
        if (node === undefined || follows === null || at.has(node)) return;
        let above = nodes[node]!.parent;
        while (above >= 0 && !at.has(above)) above = nodes[above]!.parent;
        at.set(node, joints.push({ node, parent: parent ?? (above < 0 ? hips : above), follows, align }) - 1);
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

/** What the target has to know of the source at a time, in the common space. */
interface Seen {
    readonly turns: ReadonlyMap<number, Quat>;
    readonly middle: Vec;
    readonly ankles: Readonly<Record<Side, Vec>>;
    /** Where the hips' left side points, level. */
    readonly left: Vec;
}

export function solveClip(pair: Pair, clip: SceneAnimation, style: Style, floors: Floors): Solved {
    const { source, target, from, to, ratio, joints } = pair;
    const times = timesOf(clip);
    const poseAt = posesOf(source.model.nodes, clip, parentsFirst(source.model.nodes));
    const followed = [...new Set(joints.flatMap(({ follows }) => [follows[0], follows[1]]))];
    const seen: Seen[] = [];
    for (const time of times) seen.push(seenAt(pair, poseAt(time), followed, seen.at(-1)?.left));
    const headings = headingsOf(pair, seen, times);
    const back = inverse(to.toCommon);
    const start = seen[0]!.middle;
    const poses = seen.map((one, index): SolvedPose => {
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
        const places = new Map<number, Vec>();
        places.set(hips, add(middle, rotated(turns.get(hips)!, sub(to.at(hips), to.middle))));
        placeAll(pair, turns, places);
        if (style.feet === 'hold') {
            const goals = SIDES.map((side): Vec => {
                const width = (side === 'left' ? 1 : -1) * (to.halfWidth - ratio * from.halfWidth);
                const goal = moved(one.ankles[side], floors[side], to.ankles[side]);
                return add(goal, scaled(headings[side][index]!, width));
            });
            reachGoals(pair, turns, places, goals, one);
        }
        return {
            turns: new Map([...turns].map(([node, turn]) => [node, compose(compose(back, turn), to.toCommon)])),
            places: new Map([...places].map(([node, at]) => [node, rotated(back, at)])),
        };
    });
    return { times, poses };
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
    return {
        turns: new Map(followed.map((node) => [node, turnOf(node)])),
        middle: mix(place('leftUpperLeg'), place('rightUpperLeg'), 0.5),
        ankles: { left: place('leftFoot'), right: place('rightFoot') },
        left: level(rotated(hips, [1, 0, 0])) ?? before ?? [1, 0, 0],
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
    const order = parentsFirst(model.nodes);
    let lowest = Infinity;
    for (const clip of model.animations) {
        const poseAt = posesOf(model.nodes, clip, order);
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

/** For each foot and time, where the hips' left side points: fixed while the foot stands, and blended between. */
function headingsOf({ from }: Pair, seen: readonly Seen[], at: Float32Array): Record<Side, Vec[]> {
    const of = (side: Side): Vec[] => {
        const lowest = seen.reduce((min, { ankles }) => Math.min(min, ankles[side][1]), Infinity);
        const low = Math.max(lowest, from.ankles[side]) + LOW * from.leg;
        const speed = (i: number) => {
            const [a, b] = [Math.max(i, 1) - 1, Math.max(i, 1)];
            if (b >= seen.length) return 0;
            return length(sub(seen[b]!.ankles[side], seen[a]!.ankles[side])) / (at[b]! - at[a]!);
        };
        const slow = (i: number) =>
            speed(i) < SLOW * from.leg || (i + 1 < seen.length && speed(i + 1) < SLOW * from.leg);
        const stands = seen.map(({ ankles }, i) => ankles[side][1] < low || slow(i));
        const headings: (Vec | null)[] = seen.map(() => null);
        for (let i = 0; i < seen.length; i++) {
            if (!stands[i]) continue;
            let end = i;
            while (end + 1 < seen.length && stands[end + 1]) end++;
            const frozen = seen[(i + end) >> 1]!.left;
            for (; i <= end; i++) headings[i] = frozen;
        }
        return seen.map(({ left }, i) => {
            if (headings[i] !== null) return headings[i]!;
            const before = headings.findLastIndex((heading, k) => k < i && heading !== null);
            const after = headings.findIndex((heading, k) => k > i && heading !== null);
            // The part of the hips' own turn that standing feet did not take is blended in and out.
            const offset = (k: number): Quat => (k < 0 ? IDENTITY : between(seen[k]!.left, headings[k]!));
            if (before < 0 && after < 0) return left;
            const [a, b] = [before < 0 ? after : before, after < 0 ? before : after];
            const share = a === b ? 0 : (at[i]! - at[a]!) / (at[b]! - at[a]!);
            return rotated(slerp(offset(a), offset(b), share), left);
        });
    };
    return { left: of('left'), right: of('right') };
}

/** Places joints by their bind offsets from the joints above. The hips have a place already. */
function placeAll({ joints, to }: Pair, turns: ReadonlyMap<number, Quat>, places: Map<number, Vec>): void {
    for (const { node, parent } of joints) {
        if (parent < 0) continue;
        const offset = sub(to.at(node), to.at(parent));
        places.set(node, add(places.get(parent)!, rotated(turns.get(parent)!, offset)));
    }
}

/** Lowers the hips until both ankles reach their goals, then bends both legs in the planes that they have. */
function reachGoals(
    pair: Pair,
    turns: Map<number, Quat>,
    places: Map<number, Vec>,
    goals: readonly Vec[],
    { turns: seen }: Seen,
): void {
    const { target, source, to } = pair;
    const legs = SIDES.map((side) => {
        const [hip, knee, ankle] = LEG.map((limb) => target.joints.get(sided(side, limb))!) as [number, number, number];
        const [thigh, shin] = [sub(to.at(knee), to.at(hip)), sub(to.at(ankle), to.at(knee))];
        return { side, hip, knee, ankle, thigh, shin, a: length(thigh), b: length(shin) };
    });
    const hips = target.joints.get('hips')!;
    let lowered = 0;
    for (const [i, { hip, a, b }] of legs.entries()) {
        const way = sub(goals[i]!, places.get(hip)!);
        const reach = REACH * (a + b);
        const aside = way[0] * way[0] + way[2] * way[2];
        // Too far to the side to be reached: as near as it can be without falling over.
        const needed = -way[1] - Math.sqrt(Math.max(reach * reach - aside, 0));
        if (dot(way, way) > reach * reach) lowered = Math.max(lowered, Math.min(needed, -way[1]));
    }
    if (lowered > 0) {
        places.set(hips, sub(places.get(hips)!, [0, lowered, 0]));
        placeAll(pair, turns, places);
    }
    for (const [i, { side, hip, knee, ankle, thigh, shin, a, b }] of legs.entries()) {
        const [upper, lower] = [turns.get(hip)!, turns.get(knee)!];
        const [bent, straight] = [rotated(upper, thigh), rotated(lower, shin)];
        const from = places.get(hip)!;
        const way = sub(goals[i]!, from);
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
    placeAll(pair, turns, places);
}
