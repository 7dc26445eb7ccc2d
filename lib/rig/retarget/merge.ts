// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions } from '../../base/errors';
import { significant } from '../../base/messages';
import { stemOf } from '../../base/names';
import { matchAll, type NamedNode } from '../../clips/match';
import type { ClipRecipe } from '../../clips/options';
import { movingNodes } from '../../gltf/hierarchy';
import { decodedLimit } from '../../gltf/limits';
import type { ReadOptions } from '../../gltf/read-scene';
import type { ClipFile, SceneAnimation, SceneChannel, SceneNode, Warning } from '../../gltf/scene';
import { humanoidOf, isHumanoid, sharedRoles } from '../../retarget';
import { type ClipFit, type ClipScene, fitOf, isClose, restText } from './fit';
import { takeHumanoid } from './humanoid';
import { type Retarget, retargetRotations } from './retarget';

/** The reader's options for a scene to bake: clips of other files can move any mesh. */
export function readFor(recipe: ClipRecipe | null): ReadOptions {
    return { rigid: recipe === null ? true : 'all', targets: true };
}

/** A file with clips, and its name as the caller gave it. */
export interface OtherFile {
    readonly scene: ClipScene;
    readonly file: string;
}

/**
 * Returns the scene with the clips of other files appended. Their channels move the nodes that {@link fitOf} finds.
 * Does not change its arguments. Another file with the same bytes as this one or an earlier one is skipped.
 *
 * @throws InputError `NODES_UNMATCHED` with nodes that have no counterpart, unless they may be left out;
 * `OUTPUT_TOO_LARGE`.
 */
export function withClips<Scene extends ClipScene>(
    scene: Scene,
    others: readonly OtherFile[],
    recipe: ClipRecipe,
): Scene {
    const animations = [...scene.animations];
    const warnings = [...scene.warnings];
    const clipFiles: ClipFile[] = [];
    const seen = new Set([scene.sha256]);
    const used = others.filter(({ scene: { sha256 } }) => {
        const isNew = sha256 === undefined || !seen.has(sha256);
        seen.add(sha256);
        return isNew;
    });
    for (const { scene: other, file: name } of used) {
        if (other.animations.length > 0) continue;
        throw new InputError('NO_ANIMATION', name, '/animations', 'there is no clip to take');
    }
    const names = namesOf(scene, used);
    const ownBytes = used.reduce(
        (sum, { scene: { ownBytes: own = NONE } }) => ({
            stored: sum.stored + own.stored,
            expanded: sum.expanded + own.expanded,
        }),
        scene.ownBytes ?? NONE,
    );
    const room = { left: decodedLimit(ownBytes) };
    for (const [index, other] of used.entries()) {
        const { clips, problem, told } = takeClips(scene, other, recipe, room, animations.length);
        if (problem !== null && recipe.unmatched === 'error') throw problem;
        warnings.push(...told);
        animations.push(...clips.map((clip, i) => ({ ...clip, name: names[index]![i]! })));
        const { name, sha256 = '' } = other.scene;
        clipFiles.push({ name, sha256, clips: clips.length });
    }
    const moving = movingNodes({ ...scene, animations });
    const rigidMeshes = scene.rigidMeshes?.map((mesh) => {
        const moves = moving[mesh.node] === 1;
        return { ...mesh, moves, primitives: moves ? mesh.primitives : [] };
    });
    return { ...scene, animations, warnings, ownBytes, ...(rigidMeshes && { rigidMeshes }), clipFiles };
}

const NONE = { stored: 0, expanded: 0 };

/**
 * Renames clips of another file whose name is taken to `stem:name`, or to the file's stem if unnamed. If that name is
 * taken too, the stem becomes `stem.2`, `stem.3` and so on, for all clips of the file.
 */
function namesOf(scene: ClipScene, others: readonly OtherFile[]): string[][] {
    const users = new Map<string, number>();
    for (const { animations } of [scene, ...others.map((other) => other.scene)]) {
        for (const name of new Set(animations.map((animation) => animation.name))) {
            users.set(name, (users.get(name) ?? 0) + 1);
        }
    }
    const taken = new Set(users.keys());
    return others.map(({ scene: { name: fileName, animations } }) => {
        const stem = stemOf(fileName);
        for (let number = 1; ; number++) {
            const label = number === 1 ? stem : `${stem}.${number}`;
            const isMade = (name: string) => name === '' || users.get(name)! > 1;
            const called = (name: string) => (name === '' ? label : `${label}:${name}`);
            const names = animations.map(({ name }) => (isMade(name) ? called(name) : name));
            const made = names.filter((_, i) => isMade(animations[i]!.name));
            if (made.some((name) => taken.has(name))) continue;
            for (const name of made) taken.add(name);
            return names;
        }
    });
}

/** @param first Index that its first clip gets. */
function takeClips(
    scene: ClipScene,
    other: OtherFile,
    recipe: ClipRecipe,
    room: { left: number },
    first: number,
): { clips: SceneAnimation[]; problem: InputError | null; told: Warning[] } {
    const { nodes } = scene;
    const { rename, retarget } = recipe;
    const clipWarnings = () =>
        other.scene.warnings
            .filter(({ pointer }) => ANIMATION.test(pointer))
            .map(({ code, pointer, message }) => ({
                code,
                pointer: shifted(pointer, first),
                message: `${other.scene.name}: ${message}`,
            }));
    if (retarget === 'humanoid') {
        const taken = takeHumanoid(scene, other, recipe, room);
        const clips = taken.clips.map(({ channels, ...clip }) => ({
            ...clip,
            channels: channels.map((channel) => ({ ...channel, pointer: shifted(channel.pointer, first) })),
        }));
        const told = clipWarnings();
        if (taken.leftWeights.length > 0) {
            const which = listed(taken.leftWeights.map((node) => nameOf(other.scene.nodes, node)));
            const here = inputName(scene.name);
            const rule = taken.isSame
                ? `no node of ${here} with the same name has as many morph targets`
                : `no mesh of ${here} has morph targets of the same names (extras.targetNames)`;
            const message = `${other.scene.name}: the morph weights of ${which} are left out: ${rule}`;
            told.push({ code: 'WEIGHTS_LEFT_OUT', pointer: '', message });
        }
        return { clips, problem: null, told };
    }
    const fit = fitOf(nodes, other.scene, rename);
    const matched = fit.match.nodes;
    const keysOf: Retarget =
        retarget === 'rotation'
            ? retargetRotations(nodes, fit.others, matchAll(nodes, fit.others, matched, rename))
            : ({ values }) => values;
    /** For each node, how far its dropped translations would have moved it. */
    const stayed = new Map<number, number>();
    const refusals = new Set<string>();
    const take = (channel: SceneChannel, shift: number): SceneChannel[] => {
        const node = matched.get(channel.node);
        if (node === undefined) return [];
        const why = refusalOf(channel, nodes[node]!);
        if (why !== null) {
            refusals.add(why);
            return [];
        }
        const values = keysOf(channel, node);
        if (values === null) {
            const way = wayFromRest(channel, fit.others[channel.node]!);
            if (way > FLOAT_NOISE * fit.longest) stayed.set(channel.node, Math.max(way, stayed.get(channel.node) ?? 0));
            return [];
        }
        if (values !== channel.values) room.left -= values.length;
        if (room.left < 0) {
            const rule = 'its channels share too many keys: copies for other rest poses would take too much memory';
            throw new InputError('OUTPUT_TOO_LARGE', other.file, '/animations', rule);
        }
        return [{ ...channel, node, values, pointer: shifted(channel.pointer, shift) }];
    };
    const clips = other.scene.animations.map(({ name, channels, ...fault }) => ({
        name,
        ...fault,
        channels: channels.flatMap((channel) => take(channel, first)),
    }));
    // Without the path, so that the manifest does not depend on the folder.
    const here = inputName(scene.name);
    const told = clipWarnings();
    const unmatched = unmatchedIn(here, scene, fit, [...refusals]);
    const problem =
        unmatched === '' ? null : unmatchedError(other.file, unmatched, humanoidAdvice(scene, other.scene, fit));
    if (problem !== null) {
        const message = `${other.scene.name}: ${unmatched}: left out`;
        told.push({ code: 'NODES_UNMATCHED', pointer: '', message });
    }
    if (retarget === 'none' && !isClose(fit)) {
        const message = `${other.scene.name}: the rest poses differ, ${restText(fit)}: retarget 'rotation' takes what its clips add to the rest pose`;
        told.push({ code: 'REST_POSES_DIFFER', pointer: '', message });
    }
    if (stayed.size > 0) {
        const [node, way] = [...stayed].reduce((a, b) => (b[1] > a[1] ? b : a));
        const which = stayed.size === 1 ? 'a node that is' : `${stayed.size} nodes that are`;
        const what = `translations of ${which} not the hips`;
        const message = `${other.scene.name}: retarget 'rotation' leaves out ${what}, up to ${significant(way, 3)} from the rest pose (${nameOf(fit.others, node)})`;
        told.push({ code: 'TRANSLATIONS_LEFT_OUT', pointer: '', message });
    }
    return { clips, problem, told };
}

/** Relative to the longest bone: keys at most this far from the rest pose are treated as the rest pose. */
const FLOAT_NOISE = 1e-5;

/** Max distance between the translations of a channel and the translation at rest. */
function wayFromRest({ interpolation, values }: SceneChannel, { translation: [x, y, z] }: SceneNode): number {
    const [first, step] = interpolation === 'CUBICSPLINE' ? [3, 9] : [0, 3];
    let greatest = 0;
    for (let at = first!; at < values.length; at += step!) {
        const [dx, dy, dz] = [values[at]! - x!, values[at + 1]! - y!, values[at + 2]! - z!];
        greatest = Math.max(greatest, dx * dx + dy * dy + dz * dz);
    }
    return Math.sqrt(greatest);
}

const ANIMATION = /^\/animations\/(\d+)/;

/** A JSON pointer into the animations of a file, with the index increased by `shift`. */
function shifted(pointer: string, shift: number): string {
    return pointer.replace(ANIMATION, (_, index) => `/animations/${Number(index) + shift}`);
}

/** The reason why a node cannot have the keys of a channel; null if it can. */
function refusalOf({ path, interpolation, times, values }: SceneChannel, { name, matrix, weights }: SceneNode) {
    if (path !== 'weights') return matrix === null ? null : `'${name}' has a matrix, which no clip can move`;
    const targets = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
    const own = `${weights.length} morph target${weights.length === 1 ? '' : 's'}`;
    return targets === weights.length ? null : `'${name}' has ${own}, and not ${targets}`;
}

/** Describes the unmatched nodes of both files; empty if all are matched. */
function unmatchedIn(
    here: string,
    { nodes, skins }: ClipScene,
    { match, others, moved }: ClipFit,
    refusals: readonly string[],
): string {
    const { missing, ambiguous } = match;
    const parts: string[] = [];
    if (missing.length > 0) {
        const names = missing.map((node) => nameOf(others, node));
        const are = missing.length === 1 ? 'is' : 'are';
        parts.push(
            `${missing.length} of the ${moved} nodes that its clips move ${are} not in ${here}: ${listed(names)}`,
        );
        const taken = new Set(match.nodes.values());
        const first = skins.flatMap(({ joints }) => joints).sort((a, b) => a - b);
        const left = [...new Set([...first, ...nodes.keys()])].filter(
            (node) => !taken.has(node) && nodes[node]!.name !== '',
        );
        if (left.length > 0) parts.push(`${here} has ${listed(left.map((node) => nameOf(nodes, node)))} besides`);
    }
    for (const { from, to } of ambiguous.slice(0, LISTED)) {
        const [ours, theirs] = [to.slice(0, LISTED).join(', '), from.slice(0, LISTED).join(', ')];
        const which = from.length === 1 ? nameOf(others, from[0]!) : `each of its nodes ${theirs}`;
        if (to.length > 1) parts.push(`${which} can be any of the nodes ${ours} of ${here}`);
        else parts.push(`its nodes ${theirs} can all be the node ${ours}, ${nameOf(nodes, to[0]!)}, of ${here}`);
    }
    if (ambiguous.length > LISTED) parts.push(`and ${ambiguous.length - LISTED} more that are ambiguous`);
    parts.push(...refusals.slice(0, LISTED).map((why) => `in ${here} ${why}`));
    return parts.join('; ');
}

/** For humanoids whose joints have other names: the roles that both have. */
function humanoidAdvice(scene: ClipScene, other: ClipScene, { match }: ClipFit): string {
    if (match.missing.length === 0) return '';
    const [own, theirs] = [humanoidOf(scene), humanoidOf(other)];
    if (
        !isHumanoid(own) ||
        !isHumanoid(theirs) ||
        ![...theirs.joints.values()].some((node) => match.missing.includes(node))
    )
        return '';
    const both = sharedRoles(own, theirs);
    return `the joints do not match by name, but both files have ${both.slice(0, LISTED).join(', ')}${
        both.length > LISTED ? ` and ${both.length - LISTED} more roles` : ''
    }: `;
}

/** @param roles Empty unless both files are humanoids. */
function unmatchedError(file: string, unmatched: string, roles: string): InputError {
    return namingOptions((name) => {
        const advice = `name them by ${name('rename')}, or leave them out by ${name('unmatched')} 'warn'`;
        const rule =
            roles === ''
                ? `${unmatched}: ${advice}`
                : `${roles}use ${name('retarget')} humanoid, or ${advice} (${unmatched})`;
        return new InputError('NODES_UNMATCHED', file, '', rule);
    });
}

/** Max number of names in a message. */
const LISTED = 8;

function nameOf(nodes: readonly NamedNode[], node: number): string {
    const { name } = nodes[node]!;
    return name === '' ? `#${node}` : `'${name}'`;
}

function listed(names: readonly string[]): string {
    const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
    return names.slice(0, LISTED).join(', ') + more;
}
