// SPDX-License-Identifier: MIT

import { type Role, SIDES, type Side, sided } from '../clips/roles';
import { type Frame, frameOf } from './frame';
import { between, IDENTITY, type Quat, sub, type Vec } from './math';
import type { Humanoid } from './roles';

export const LEG = ['upperLeg', 'lowerLeg', 'foot'] as const;

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
