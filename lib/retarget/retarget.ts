// SPDX-License-Identifier: MIT

import { InputError } from '../base/errors';
import type { SceneAnimation } from '../gltf/scene';
import { channelsOf } from './keys';
import { length, sub } from './math';
import type { Model } from './model';
import type { Role } from './names';
import { checkHumanoid, type GivenRoles, type Humanoid, humanoidOf } from './roles';
import { floorsOf, pairOf, type Style, solveClip } from './solve';

export interface RetargetStyle extends Style {
    readonly roles: GivenRoles;
}

export interface Retargeted {
    readonly clips: readonly SceneAnimation[];
    readonly source: Humanoid;
    readonly target: Humanoid;
    /** Whether both rigs are the same. The clips are then null: the channels fit as they are. */
    readonly isSame: boolean;
}

/**
 * Retargets the clips of a humanoid to another one.
 *
 * @param file Names of both files, for messages.
 * @returns Clips for the target's nodes.
 * @throws InputError `ROLES_MISSING`, `ROLES_AMBIGUOUS`, `MATRIX_NOT_TRS`.
 */
export function retargetClips(
    target: Model,
    source: Model,
    style: RetargetStyle,
    files: { target: string; source: string },
): Retargeted {
    const [own, theirs] = [humanoidOf(target, style.roles), humanoidOf(source, style.roles)];
    if (isSameRig(own, theirs)) return { clips: source.animations, source: theirs, target: own, isSame: true };
    checkHumanoid(own, files.target);
    checkHumanoid(theirs, files.source);
    for (const [role, node] of own.joints) refuseMatrix(own, role, node, files.target);
    const pair = pairOf(theirs, own);
    const floors = floorsOf(theirs, pair.from);
    const clips = source.animations.map((clip, index): SceneAnimation => {
        if (clip.channels.length === 0) return clip;
        const solved = solveClip(pair, clip, style, floors);
        const channels = solved.times.length === 0 ? [] : channelsOf(own, solved, `/animations/${index}`, pair.to.leg);
        return { name: clip.name, channels };
    });
    return { clips, source: theirs, target: own, isSame: false };
}

function refuseMatrix({ model }: Humanoid, role: Role, node: number, file: string): void {
    const { name, matrix } = model.nodes[node]!;
    if (matrix === null) return;
    const rule = `'${name}' (${role}) has a matrix, which no clip can move; export translation, rotation and scale`;
    throw new InputError('MATRIX_NOT_TRS', file, `/nodes/${node}`, rule);
}

/** Bind poses that differ by less are equal: of the length of a leg, and of a rotation's parts. */
const SAME = 1e-4;

/** Whether joints with a role have the same names, parents' names and bind poses. */
function isSameRig(own: Humanoid, theirs: Humanoid): boolean {
    if (own.joints.size !== theirs.joints.size || own.joints.size === 0) return false;
    const nameOf = ({ model }: Humanoid, node: number) => (node < 0 ? '' : model.nodes[node]!.name);
    const places = [...own.joints.values()].map((node) => own.bind[node]!.at);
    const size = Math.max(...places.map((at) => length(sub(at, places[0]!))));
    return [...own.joints].every(([role, node]) => {
        const other = theirs.joints.get(role);
        if (other === undefined || nameOf(own, node) !== nameOf(theirs, other)) return false;
        const [here, there] = [own.model.nodes[node]!, theirs.model.nodes[other]!];
        if (nameOf(own, here.parent) !== nameOf(theirs, there.parent)) return false;
        const [a, b] = [own.bind[node]!, theirs.bind[other]!];
        const turned = a.rotation.reduce((sum, value, c) => sum + value * b.rotation[c]!, 0);
        return length(sub(a.at, b.at)) <= SAME * size && Math.abs(turned) >= 1 - SAME * SAME;
    });
}
