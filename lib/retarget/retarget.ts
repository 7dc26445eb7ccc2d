// SPDX-License-Identifier: MIT

import { InputError, namingOptions } from '../base/errors';
import { matchNodes } from '../clips/match';
import type { Role } from '../clips/roles';
import type { SceneAnimation, SceneChannel } from '../gltf/scene';
import { isHumanoid } from './compare';
import { channelsOf } from './keys';
import { column, length, sub } from './math';
import { type Model, vecOf } from './model';
import { pairOf } from './pair';
import { checkHumanoid, type GivenRoles, type Humanoid, humanoidOf } from './roles';
import { timesOf } from './sample';
import { floorsOf } from './seen';
import { type Style, solveClip } from './solve';
import { hasWeight, weightsOf } from './weights';

export interface RetargetStyle extends Style {
    readonly roles: GivenRoles;
}

export interface Retargeted {
    readonly clips: readonly SceneAnimation[];
    readonly source: Humanoid;
    readonly target: Humanoid;
    /** Whether both rigs are the same, so that channels were copied. */
    readonly isSame: boolean;
    /** Nodes of the source whose morph weights no mesh of the target follows. */
    readonly leftWeights: readonly number[];
}

/** Max number of times of a clip, times joints: an hour of 50 joints, 15 times a second. */
const MOST_POSES = 3_000_000;
/** Max number of morph weights in all channels. */
const MOST_WEIGHTS = 30_000_000;
/** Max number of times of all clips, times nodes of the target: more would take minutes. */
const MOST_VISITS = 100_000_000;

/**
 * Retargets the clips of a humanoid to another one.
 *
 * @param file Names of both files, for messages.
 * @returns Clips for the target's nodes.
 * @throws InputError `ROLES_MISSING`, `ROLES_AMBIGUOUS`, `MATRIX_NOT_TRS`, `NOT_FINITE`, `OUTPUT_TOO_LARGE`.
 */
export function retargetClips(
    target: Model,
    source: Model,
    style: RetargetStyle,
    files: { target: string; source: string },
): Retargeted {
    const [own, theirs] = [humanoidOf(target, style.roles), humanoidOf(source, style.roles)];
    const tooLarge = (pointer: string, rule: string) => new InputError('OUTPUT_TOO_LARGE', files.source, pointer, rule);
    const leftWeights = new Set<number>();
    let weights = 0;
    const withWeights = (clip: SceneAnimation, index: number): SceneAnimation => {
        const from = source.animations[index]!;
        const { channels, left } = weightsOf(target, source, from, (values) => {
            weights += values;
            if (weights <= MOST_WEIGHTS) return;
            throw tooLarge(`/animations/${index}`, 'its morph weights would take too much memory on the meshes here');
        });
        for (const node of left) leftWeights.add(node);
        const first = clip.channels.length;
        const pointed = channels.map((channel, i) => {
            return { ...channel, pointer: `/animations/${index}/channels/${first + i}` };
        });
        return { ...clip, channels: [...clip.channels, ...pointed] };
    };
    const done = (clips: readonly SceneAnimation[], isSame: boolean): Retargeted => {
        return { clips, source: theirs, target: own, isSame, leftWeights: [...leftWeights] };
    };
    if (isSameRig(own, theirs)) return done(copiedClips(target, source, leftWeights), true);
    checkHumanoid(own, files.target);
    checkHumanoid(theirs, files.source);
    for (const [role, node] of own.joints) refuseMatrix(own, role, node, files.target);
    const pair = pairOf(theirs, own);
    for (const [leg, file] of [
        [pair.from.leg, files.source],
        [pair.to.leg, files.target],
    ] as const) {
        if (leg > 0 && leg < Infinity) continue;
        throw namingOptions((name) => {
            const rule = `the length of the legs is ${leg} in the bind pose; check the joints named by ${name('roles')}`;
            return new InputError('NOT_FINITE', file, '', rule);
        });
    }
    let visits = 0;
    const allTimes = source.animations.map((clip, index) => {
        const times = timesOf(clip);
        if (times.length * pair.joints.length > MOST_POSES) {
            const rule = 'its keys have too many different times: retargeting them would take too much memory';
            throw tooLarge(`/animations/${index}`, rule);
        }
        visits += times.length * target.nodes.length;
        if (visits > MOST_VISITS)
            throw tooLarge('/animations', 'its clips are too long together to be retargeted; divide them among files');
        return times;
    });
    const floors = floorsOf(theirs, pair.from);
    const clips = source.animations.map((clip, index): SceneAnimation => {
        const times = allTimes[index]!;
        // Only morph weights, or nothing.
        if (times.length === 0) return { ...clip, channels: [] };
        const solved = solveClip(pair, clip, times, style, floors);
        return { name: clip.name, channels: channelsOf(own, solved, pair, `/animations/${index}`) };
    });
    return done(clips.map(withWeights), false);
}

/**
 * The channels of nodes with the same names, unchanged.
 *
 * @param leftWeights Gets the nodes of the source whose morph weights fit no node.
 */
function copiedClips(target: Model, source: Model, leftWeights: Set<number>): SceneAnimation[] {
    const moved = new Set(source.animations.flatMap(({ channels }) => channels.map(({ node }) => node)));
    const ascending = [...moved].sort((a, b) => a - b);
    const { nodes } = matchNodes(target.nodes, source.nodes, ascending, []);
    return source.animations.map((clip) => ({
        ...clip,
        channels: clip.channels.flatMap((channel) => {
            const node = nodes.get(channel.node);
            const own = node === undefined ? undefined : target.nodes[node]!;
            const fits =
                channel.path === 'weights'
                    ? own !== undefined && own.weights.length > 0 && own.weights.length === countOf(channel)
                    : own?.matrix === null;
            if (node !== undefined && fits) return [{ ...channel, node }];
            if (hasWeight(channel)) leftWeights.add(channel.node);
            return [];
        }),
    }));
}

function countOf({ values, times, interpolation }: SceneChannel): number {
    return values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
}

function refuseMatrix({ model }: Humanoid, role: Role, node: number, file: string): void {
    const { name, matrix } = model.nodes[node]!;
    if (matrix === null) return;
    const rule = `'${name}' (${role}) has a matrix, which no clip can move; export translation, rotation and scale`;
    throw new InputError('MATRIX_NOT_TRS', file, `/nodes/${node}`, rule);
}

/** Bind poses that differ by less are equal: of the length of a leg, and of a rotation's parts. */
const SAME = 1e-4;

/**
 * Whether joints with a role have the same names, parents' names and bind poses. A file without skins only has a rest
 * pose, which may be any pose: then places of joints under their parents decide.
 */
function isSameRig(own: Humanoid, theirs: Humanoid): boolean {
    if (own.joints.size !== theirs.joints.size || !isHumanoid(own)) return false;
    const nameOf = ({ model }: Humanoid, node: number) => (node < 0 ? '' : model.nodes[node]!.name);
    const places = [...own.joints.values()].map((node) => own.bind[node]!.at);
    const size = Math.max(...places.map((at) => length(sub(at, places[0]!))));
    const areBound = own.model.skins.length > 0 && theirs.model.skins.length > 0;
    return [...own.joints].every(([role, node]) => {
        const other = theirs.joints.get(role);
        if (other === undefined || nameOf(own, node) !== nameOf(theirs, other)) return false;
        const [here, there] = [own.model.nodes[node]!, theirs.model.nodes[other]!];
        if (nameOf(own, here.parent) !== nameOf(theirs, there.parent)) return false;
        const [a, b] = [own.bind[node]!, theirs.bind[other]!];
        if (!areBound) {
            // The hips move in any pose.
            const unit = here.parent < 0 ? 1 : length(column(own.bind[here.parent]!.linear, 0));
            const way = length(sub(vecOf(here.translation), vecOf(there.translation))) * unit;
            return role === 'hips' || way <= SAME * size;
        }
        const turned = a.rotation.reduce((sum, value, c) => sum + value * b.rotation[c]!, 0);
        return length(sub(a.at, b.at)) <= SAME * size && Math.abs(turned) >= 1 - SAME * SAME;
    });
}
