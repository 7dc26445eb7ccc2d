// SPDX-License-Identifier: MIT

import { type Role, SIDES, type Side, sided } from '../clips/roles';
import { cross, dot, length, scaled, sub, unit, type Vec, ZERO } from './math';
import { type Model, type Place, parentsFirst } from './model';

/** Larger or deeper skeletons are not searched. */
const MAX_JOINTS = 500;

/**
 * Roles by the shape of the skeleton, for joints whose names mean nothing. Legs: two chains that branch off one joint
 * and reach the ground on both sides. Arms: two chains that branch off the rest and end far from the middle. Head: the
 * highest joint of that branch. The character stands along y or z. It faces where its toes point; without toes, along z,
 * or against y if z is up.
 */
export function shapeRolesOf(
    model: Pick<Model, 'nodes' | 'skins'>,
    bind: readonly Place[],
    known: ReadonlyMap<Role, number>,
): Map<Role, number> {
    const { found, front: ahead } = rolesBySide(model, bind, known);
    const front = (node: number) => dot(bind[node]!.at, ahead);
    let pointing = 0;
    for (const side of SIDES) {
        const [foot, toes] = [found.get(sided(side, 'foot')), found.get(sided(side, 'toes'))];
        if (foot !== undefined && toes !== undefined) pointing += front(toes) - front(foot);
    }
    if (pointing >= 0) return found;
    const other = (role: Role) => role.replace(/^left|^right/, (side) => (side === 'left' ? 'right' : 'left')) as Role;
    return new Map([...found].map(([role, node]) => [other(role), node]));
}

/** As if the left side were where x is greater, along the line of the hip joints. */
function rolesBySide(
    model: Pick<Model, 'nodes' | 'skins'>,
    bind: readonly Place[],
    known: ReadonlyMap<Role, number>,
): { found: Map<Role, number>; front: Vec } {
    const found = new Map<Role, number>();
    const none = { found, front: ZERO };
    if (
        known.size > 0 &&
        (['hips', 'leftFoot', 'rightFoot', 'leftHand', 'rightHand'] as const).every((role) => known.has(role))
    )
        return none;
    const skeleton = skeletonOf(model, bind);
    if (skeleton === null) return none;
    const standing = standingOf(skeleton);
    if (standing === undefined) return none;
    const { children, below, at } = skeleton;
    const { up, heightOf, low, tall, lowest, isLeg, hips } = standing;
    const branches = children[hips]!.filter(isLeg);
    const [first, second] = branches.map((leg) => at(lowest(leg))) as [Vec, Vec];
    const across = sub(first, second);
    const flat = unit(sub(across, scaled(up, dot(across, up))));
    const left = scaled(flat, flat[0] < 0 ? -1 : 1);
    const front = cross(left, up);
    const side = (node: number) => dot(at(node), left);
    const legs = branches.sort((a, b) => side(lowest(b)) - side(lowest(a)));
    for (const [index, leg] of legs.entries()) addLeg(found, SIDES[index]!, leg, skeleton, standing);
    const trunk = children[hips]!.filter((node) => !legs.includes(node));
    const torso = trunk.reduce<number | undefined>(
        (a, b) => (a === undefined || below(b).length > below(a).length ? b : a),
        undefined,
    );
    // Legs may hang below the root: the hips are then where the rest begins.
    const isRoot = heightOf(hips) < low + 0.1 * tall;
    if (!isRoot || torso !== undefined) found.set('hips', isRoot ? torso! : hips);
    if (torso === undefined) return { found, front };
    const farthest = (node: number, sign: number) =>
        below(node).reduce((a, b) => (sign * side(b) > sign * side(a) ? b : a));
    const middle = side(hips);
    const width = Math.max(...below(torso).map((node) => Math.abs(side(node) - middle)));
    const isArm = (node: number, sign: number) => sign * (side(farthest(node, sign)) - middle) > 0.6 * width;
    const armOf = (node: number, sign: number) =>
        children[node]!.find((child) => isArm(child, sign) && !isArm(child, -sign));
    const chest = below(torso).find((node) => [1, -1].every((sign) => armOf(node, sign) !== undefined));
    if (chest === undefined) return { found, front };
    const arms = [1, -1].map((sign) => armOf(chest, sign)!);
    for (const [index, arm] of arms.entries())
        addArm(found, SIDES[index]!, skeleton.pathTo(arm, farthest(arm, index === 0 ? 1 : -1)), skeleton);
    const rest = children[chest]!.filter((child) => !arms.includes(child)).flatMap(below);
    if (rest.length > 0) {
        const top = rest.reduce((a, b) => (heightOf(b) > heightOf(a) ? b : a));
        const path = skeleton.pathTo(chest, top).slice(1);
        const head = path[1] ?? path[0]!;
        found.set('head', head);
        if (path.length > 1) found.set('neck', path[0]!);
    }
    return { found, front };
}

type Skeleton = NonNullable<ReturnType<typeof skeletonOf>>;

/** The joints of the skins, or all nodes without skins. Null if there are too few or too many. */
function skeletonOf({ nodes, skins }: Pick<Model, 'nodes' | 'skins'>, bind: readonly Place[]) {
    const joints = new Set(skins.flatMap((skin) => skin.joints));
    const isJoint = (node: number) => joints.size === 0 || joints.has(node);
    const depths = new Int32Array(nodes.length);
    const order = parentsFirst(nodes).filter((node) => {
        const { parent } = nodes[node]!;
        depths[node] = parent < 0 ? 0 : depths[parent]! + 1;
        return isJoint(node);
    });
    if (order.length < 7 || order.length > MAX_JOINTS || order.some((node) => depths[node]! > MAX_JOINTS)) return null;
    const children = nodes.map((): number[] => []);
    for (const node of order) if (nodes[node]!.parent >= 0) children[nodes[node]!.parent]!.push(node);
    const at = (node: number) => bind[node]!.at;
    const below = (node: number): number[] => [node, ...children[node]!.flatMap(below)];
    const pathTo = (from: number, to: number): number[] => {
        const path = [to];
        while (path[0] !== from) path.unshift(nodes[path[0]!]!.parent);
        return path;
    };
    const bones = (path: readonly number[]) => path.slice(1).map((node, i) => length(sub(at(node), at(path[i]!))));
    return { order, children, at, below, pathTo, bones };
}

type Standing = NonNullable<ReturnType<typeof standingOf>>;

/** How the character stands: along the first axis with a joint, the deepest, with two branches that reach the ground. */
function standingOf({ order, children, at, below }: Skeleton) {
    const places = order.map(at);
    const spread = (c: number) =>
        Math.max(...places.map((place) => place[c]!)) - Math.min(...places.map((place) => place[c]!));
    const along = (up: Vec) => {
        const heightOf = (node: number) => dot(at(node), up);
        const low = Math.min(...order.map(heightOf));
        const tall = Math.max(...order.map(heightOf)) - low;
        const lowest = (node: number) => below(node).reduce((a, b) => (heightOf(b) < heightOf(a) ? b : a));
        const isLeg = (node: number) => heightOf(lowest(node)) < low + 0.1 * tall && heightOf(node) > low + 0.12 * tall;
        const hips = order.findLast((node) => children[node]!.filter(isLeg).length === 2);
        return hips === undefined ? [] : [{ up, heightOf, low, tall, lowest, isLeg, hips }];
    };
    const axes: Vec[] = [
        [0, 1, 0],
        [0, 0, 1],
    ];
    // Arms of a character that faces aside may extend farther than it is tall.
    return (spread(1) * 1.2 >= spread(2) ? axes : axes.reverse()).flatMap(along).at(0);
}

function addLeg(
    found: Map<Role, number>,
    side: Side,
    leg: number,
    { pathTo, bones }: Skeleton,
    { heightOf, low, lowest }: Standing,
): void {
    const path = pathTo(leg, lowest(leg));
    const reach = heightOf(leg) - low;
    const foot = path.findIndex((node) => heightOf(node) < low + 0.3 * reach);
    if (foot < 2) return;
    // The knee: the joint between that divides the leg most evenly.
    const whole = bones(path.slice(0, foot + 1));
    const half = whole.reduce((sum, bone) => sum + bone, 0) / 2;
    let walked = 0;
    let knee = 1;
    let best = Infinity;
    for (let i = 1; i < foot; i++) {
        walked += whole[i - 1]!;
        if (Math.abs(walked - half) < best) [best, knee] = [Math.abs(walked - half), i];
    }
    found.set(sided(side, 'upperLeg'), leg);
    found.set(sided(side, 'lowerLeg'), path[knee]!);
    found.set(sided(side, 'foot'), path[foot]!);
    if (path[foot + 1] !== undefined) found.set(sided(side, 'toes'), path[foot + 1]!);
}

/** @param path From below the chest to the joint farthest aside. */
function addArm(found: Map<Role, number>, side: Side, path: readonly number[], { children, bones }: Skeleton): void {
    // The hand: where fingers branch off, else after two long bones, with or without a shoulder above them.
    const branch = path.findIndex((node) => children[node]!.length > 2);
    const whole = bones(path);
    const even = (i: number) => Math.min(whole[i] ?? 0, whole[i + 1] ?? 0);
    const upperArm = even(1) > 0.8 * even(0) ? 1 : 0;
    const hand = branch > 1 ? branch : upperArm + 2;
    if (path[hand] === undefined) return;
    const limbs = path.slice(0, hand + 1).slice(-4);
    const [upper, lower, last] = limbs.slice(-3) as [number, number, number];
    if (limbs.length === 4) found.set(sided(side, 'shoulder'), limbs[0]!);
    found.set(sided(side, 'upperArm'), upper);
    found.set(sided(side, 'lowerArm'), lower);
    found.set(sided(side, 'hand'), last);
}
