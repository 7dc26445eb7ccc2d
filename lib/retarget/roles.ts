// SPDX-License-Identifier: MIT

import { InputError, namingOptions } from '../base/errors';
import { ROLES, type Role, SIDES, sided } from '../clips/roles';
import { bindPoseOf, type Model, type Place, parentsFirst } from './model';
import { meaningsOfName, vrmBonesOf, wordsOf } from './names';
import { shapeRolesOf } from './shape';

/**
 * How a role was found: by the caller's option, a VRM extension, the joint's name, the shape of the skeleton, or (spine and
 * chest) the joint's place between hips and neck.
 */
export type FoundBy = 'option' | 'extension' | 'name' | 'shape' | 'place';

/** The joints of a file by role. */
export interface Humanoid {
    readonly model: Model;
    readonly bind: readonly Place[];
    readonly joints: ReadonlyMap<Role, number>;
    readonly how: ReadonlyMap<Role, FoundBy>;
    /** Joints that a role could be, where names leave several. */
    readonly ambiguous: ReadonlyMap<Role, readonly number[]>;
    /** Joints from the first one above the hips to the last one below neck and arms. */
    readonly torso: readonly number[];
    /** Joints from the neck to the one below the head. */
    readonly neck: readonly number[];
}

/** Names of joints by role, as the caller's option gives them. */
export type GivenRoles = Readonly<Record<string, string>>;

/** Roles without which nothing can be retargeted. */
export const NEEDED: readonly Role[] = [
    'hips',
    ...SIDES.flatMap((side) => (['upperLeg', 'lowerLeg', 'foot'] as const).map((limb) => sided(side, limb))),
];

/** Finds the joints of roles, without complaining: see {@link checkHumanoid}. */
export function humanoidOf(model: Model, given: GivenRoles = {}): Humanoid {
    const joints = new Map<Role, number>();
    const how = new Map<Role, FoundBy>();
    const ambiguous = new Map<Role, readonly number[]>();
    if (model.nodes.length > MAX_NODES) return { model, bind: [], joints, how, ambiguous, torso: [], neck: [] };
    const bind = bindPoseOf(model);
    const take = (role: Role, node: number, by: FoundBy) => {
        if (joints.has(role) || [...joints.values()].includes(node)) return;
        joints.set(role, node);
        how.set(role, by);
    };
    for (const [role, name] of Object.entries(given) as [Role, string][]) {
        const found = model.nodes.flatMap((node, index) => (node.name === name ? index : []));
        const skinned = found.filter((node) => model.skins.some((skin) => skin.joints.includes(node)));
        const node = skinned[0] ?? found[0];
        if (node !== undefined) take(role, node, 'option');
    }
    const { humanoid = {} } = model;
    const isNew = 'leftThumbMetacarpal' in humanoid || 'rightThumbMetacarpal' in humanoid;
    for (const role of ROLES) {
        const bone = vrmBonesOf(role, isNew).find((name) => humanoid[name] !== undefined);
        if (bone !== undefined) take(role, humanoid[bone]!, 'extension');
    }
    const roots: number[] = [];
    const isRoot = (role: Role, nodes: readonly number[]) => {
        const found = nodes.filter((node) => role === 'hips' && /root$/i.test(model.nodes[node]!.name));
        roots.push(...found);
        return found.length > 0;
    };
    if (humanoid.hips === undefined) {
        const named = rolesByName(model);
        for (const [role, nodes] of named) {
            const free = nodes.filter((node) => ![...joints.values()].includes(node));
            if (joints.has(role) || free.length === 0 || isRoot(role, free)) continue;
            if (free.length === 1) take(role, free[0]!, 'name');
            else ambiguous.set(role, free);
        }
    }
    if (ambiguous.size === 0) for (const [role, node] of shapeRolesOf(model, bind, joints)) take(role, node, 'shape');
    // A joint called root is rarely the hips, but may be.
    for (const node of roots) take('hips', node, 'name');
    const torso = chainOf(model, joints, 'torso');
    const neck = chainOf(model, joints, 'neck');
    const byPlace = (role: Role, node: number | undefined) => {
        if (node !== undefined) take(role, node, 'place');
    };
    byPlace('spine', torso[0]);
    byPlace('chest', torso.length > 1 ? torso.at(-1) : undefined);
    return { model, bind, joints, how, ambiguous, torso, neck };
}

/** Files with more nodes, or deeper ones, are not searched: no character is so large, and searching takes long. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 200;
/** Max number of nodes that are compared for one role. */
const MAX_SAME = 64;

/**
 * Nodes that can have a role, parents first: with skins, joints and nodes above and below them. Nodes beside the
 * skeleton are meshes, lights and cameras.
 */
function candidatesOf(nodes: Model['nodes'], skinned: ReadonlySet<number>): number[] {
    const isNear = new Uint8Array(nodes.length);
    for (const joint of skinned)
        for (let at = joint; at >= 0 && isNear[at] === 0; at = nodes[at]!.parent) isNear[at] = skinned.has(at) ? 2 : 1;
    const depths = new Int32Array(nodes.length);
    return parentsFirst(nodes).filter((node) => {
        const { parent } = nodes[node]!;
        depths[node] = parent < 0 ? 0 : depths[parent]! + 1;
        // Below a joint: as a joint.
        if (isNear[node] !== 2 && parent >= 0 && isNear[parent] === 2) isNear[node] = 2;
        return depths[node]! <= MAX_DEPTH && (skinned.size === 0 || isNear[node]! > 0);
    });
}

/** Candidates by role. Joints of skins outrank other nodes; of several in one chain, the topmost is meant. */
function rolesByName({ nodes, skins }: Model): Map<Role, number[]> {
    const skinned = new Set(skins.flatMap(({ joints }) => joints));
    const found = new Map<Role, Map<number, number[]>>();
    const above = (node: number, other: number): boolean => {
        for (let at = nodes[other]!.parent; at >= 0; at = nodes[at]!.parent) if (at === node) return true;
        return false;
    };
    const order = candidatesOf(nodes, skinned);
    const isCandidate = new Set(order);
    const carriers = new Set(nodes.map(({ parent }) => parent));
    const renamed = rigifyNames(nodes.map(({ name }, node) => (isCandidate.has(node) ? name : '')));
    for (const node of order) {
        for (const { role, rank } of meaningsOfName(renamed[node]!)) {
            const ranks = found.get(role) ?? new Map<number, number[]>();
            // A mesh may have the name of its joint: it has no joints below it.
            const isEnd = !carriers.has(node) && !/(Head|Hand|Foot|Toes|[123])$/i.test(role);
            const full = rank * 2 + (skinned.size === 0 || skinned.has(node) ? 0 : 1) + (isEnd ? 100 : 0);
            const same = ranks.get(full) ?? [];
            if (same.length < MAX_SAME) same.push(node);
            ranks.set(full, same);
            found.set(role, ranks);
        }
    }
    const chosen = new Map<Role, number[]>();
    const used = new Set<number>();
    const best = [...found].flatMap(([role, ranks]) => [...ranks].map(([rank, list]) => ({ role, rank, list })));
    best.sort((a, b) => a.rank - b.rank || ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
    for (const { role, list } of best) {
        if (chosen.has(role)) continue;
        const free = list.filter((node) => !used.has(node));
        const top = free.filter((node) => !free.some((other) => above(other, node)));
        if (top.length === 0) continue;
        chosen.set(role, top);
        // LeftShoulder below LeftCollar is the upper arm.
        for (const node of free) if (top.includes(node) || meaningsOfName(renamed[node]!).length === 1) used.add(node);
    }
    // A shoulder above the upper arm's weaker names, a hip above the leg: the chain decides.
    for (const side of SIDES) shiftLimb(chosen, side, above);
    const legs = SIDES.flatMap((side) => chosen.get(sided(side, 'upperLeg')) ?? []);
    const hips = [...(found.get('hips') ?? [])].sort(([a], [b]) => a - b).flatMap(([, list]) => list);
    const common = hips.filter((node) => legs.every((leg) => above(node, leg)));
    const strong = common.filter((node) => !/root$/i.test(nodes[node]!.name));
    const named = chosen.get('hips');
    // Body, which carries Hips and legs (RobotExpressive): the deepest one above both legs, unless that is a root.
    if (strong.length > 0 && legs.length === 2) {
        const deepest = strong.filter((node) => !strong.some((other) => above(node, other)));
        chosen.set('hips', deepest.length === 1 ? deepest : (named ?? deepest));
    }
    return chosen;
}

/** `LeftLeg` without a name for the shin is the thigh's only where another joint is the shin; else names are as they are. */
function shiftLimb(
    chosen: Map<Role, number[]>,
    side: 'left' | 'right',
    above: (a: number, b: number) => boolean,
): void {
    const one = (limb: 'upperLeg' | 'lowerLeg') => {
        const list = chosen.get(sided(side, limb));
        return list?.length === 1 ? list[0]! : undefined;
    };
    const [upper, lower] = [one('upperLeg'), one('lowerLeg')];
    if (upper !== undefined && lower !== undefined && above(lower, upper)) {
        chosen.set(sided(side, 'upperLeg'), [lower]);
        chosen.set(sided(side, 'lowerLeg'), [upper]);
    }
}

/** Rigify: spine, spine.001 and so on up to spine.006 are hips, torso, neck and head. */
function rigifyNames(names: readonly string[]): string[] {
    const numberOf = (name: string) => {
        const read = wordsOf(name);
        if (read === null || read.side !== null || read.words[0] !== 'spine') return -1;
        return read.words.length === 1 ? 0 : read.words.length === 2 ? Number(read.words[1]) : -1;
    };
    const numbers = names.map(numberOf);
    const isNamed = names.some((name) => /^(hips?|pelvis|head)$/.test(wordsOf(name)?.words.join('') ?? ''));
    if (isNamed || !numbers.includes(0) || !numbers.includes(6)) return [...names];
    const meant = new Map([
        [0, 'hips'],
        [4, 'neck'],
        [6, 'head'],
    ]);
    return names.map((name, i) => meant.get(numbers[i]!) ?? name);
}

/** The joints between hips and neck (torso), or from the neck to below the head. */
function chainOf({ nodes }: Model, joints: ReadonlyMap<Role, number>, part: 'torso' | 'neck'): number[] {
    const pathTo = (node: number | undefined): number[] => {
        const path: number[] = [];
        for (let at = node ?? -1; at >= 0; at = nodes[at]!.parent) path.unshift(at);
        return path;
    };
    const neck = joints.get('neck');
    const head = joints.get('head');
    if (part === 'neck') {
        if (neck === undefined) return [];
        const path = pathTo(head);
        const from = path.indexOf(neck);
        return from < 0 ? [neck] : path.slice(from, -1);
    }
    const tops = [
        neck ?? head,
        ...SIDES.map((side) => joints.get(sided(side, 'shoulder')) ?? joints.get(sided(side, 'upperArm'))),
    ];
    const paths = tops.flatMap((top) => (top === undefined ? [] : [pathTo(top).slice(0, -1)]));
    if (paths.length === 0) return [];
    // Up to the last joint that carries all of them; without arms on the same branch, up to the head.
    const longest = paths[0]!;
    const given = new Set([...joints].flatMap(([role, node]) => (role === 'spine' || role === 'chest' ? [] : [node])));
    const hips = joints.get('hips') ?? -1;
    const from = longest.indexOf(hips);
    const legs = SIDES.map((side) => new Set(pathTo(joints.get(sided(side, 'upperLeg')))));
    // Hips beside the spine: below the last joint that also carries a leg.
    const shared = longest.findLastIndex((node) => legs.some((leg) => leg.has(node)));
    const after = from >= 0 ? from : shared;
    const chain = longest.slice(after + 1).filter((node) => !given.has(node));
    return chain.filter((node) => {
        const read = wordsOf(nodes[node]!.name);
        return read !== null && !meaningsOfName(nodes[node]!.name).some(({ role }) => role === 'hips');
    });
}

/**
 * @throws InputError `ROLES_MISSING`, `ROLES_AMBIGUOUS` for hips and legs, with the roles and how to name them.
 */
export function checkHumanoid({ model, joints, ambiguous }: Humanoid, file: string): void {
    const quoted = (node: number) => `'${model.nodes[node]!.name}'`;
    for (const role of NEEDED) {
        const nodes = ambiguous.get(role);
        if (nodes === undefined || joints.has(role)) continue;
        const which = nodes
            .slice(0, 4)
            .map((node) => `${quoted(node)} (node ${node})`)
            .join(' or ');
        throw roleError('ROLES_AMBIGUOUS', file, `${role} can be ${which}`, role);
    }
    const missing = NEEDED.filter((role) => !joints.has(role));
    if (missing.length === 0) return;
    const found = [...joints.keys()].length;
    const which = found === 0 ? 'no joint of a humanoid was found' : `no joint was found for ${missing.join(', ')}`;
    throw roleError('ROLES_MISSING', file, which, missing[0]!);
}

function roleError(code: 'ROLES_MISSING' | 'ROLES_AMBIGUOUS', file: string, what: string, role: Role): InputError {
    return namingOptions(
        (name) => new InputError(code, file, '', `${what}: name it by ${name('roles')}, such as '${role}=<joint>'`),
    );
}
