// SPDX-License-Identifier: MIT

import { Command } from 'commander';
import { type Forecast, forecastOf } from '../bake/forecast';
import { fpsMeetingAllKeys } from '../bake/plan/fps';
import { leftOutWarnings } from '../bake/warnings';
import { InputError, UsageError } from '../base/errors';
import { roughSizeOf } from '../base/messages';
import type { Rename } from '../clips/match';
import { checkRoles, clipRecipeOf } from '../clips/options';
import { ROLES } from '../clips/roles';
import { readGltf } from '../gltf/read';
import type { GltfScene, SkinnedPrimitive, Warning } from '../gltf/scene';
import {
    differencesOf,
    type FoundBy,
    type GivenRoles,
    type Humanoid,
    humanoidOf,
    isHumanoid,
    sharedRoles,
} from '../retarget';
import { type Cadence, cadenceOf } from '../rig/cadence';
import { fitOf, isClose, restText } from '../rig/retarget/fit';
import { openClips, type ReadClips, readClips } from '../rig/retarget/read';
import { addExclude, addOne, INPUTS } from './batch/options';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs, findInputs } from './inputs';
import {
    bold,
    type Io,
    threeDigits,
    writeBatchWarnings,
    writeError,
    writeJson,
    writeLine,
    writeWarnings,
    yellow,
} from './io';
import { addRename, addRoles } from './library-options';

export interface Inspection {
    readonly file: string;
    /** Format, units and axes of an FBX or BVH file. */
    readonly source?: string;
    readonly sha256: string;
    readonly nodes: number;
    readonly skins: readonly InspectedSkin[];
    /** Moving meshes without a skin. Their palette columns come after those of joints. */
    readonly attachments: readonly { readonly node: number; readonly name: string; readonly vertices: number }[];
    readonly clips: readonly InspectedClip[];
    /** The lowest whole rate from 24 to 240 with a frame at every key of every clip; null if there is none. */
    readonly suggestedFps: number | null;
    /**
     * A bake with default options. Null if it would fail or take long to find. Absent in short output, and with clips of
     * other files.
     */
    readonly bake?: Forecast | null;
    /** Joints of a humanoid by role, with `--roles`. */
    readonly roles?: InspectedRoles;
    /** How well clips of other files fit, if any were named. */
    readonly animations?: readonly InspectedFit[];
    readonly warnings: readonly Warning[];
}

interface InspectedRoles {
    readonly found: readonly {
        readonly role: string;
        readonly node: number;
        readonly name: string;
        readonly how: FoundBy;
    }[];
    /** Roles of limbs, torso and head without a joint. Fingers are not listed. */
    readonly missing: readonly string[];
    /** Several joints whose names mean the same role. */
    readonly ambiguous: readonly { readonly role: string; readonly nodes: readonly number[] }[];
    /** Whether `--retarget humanoid` can use the file. */
    readonly isHumanoid: boolean;
}

/** A file with clips for this model. Nodes are those of that file unless stated otherwise. */
interface InspectedFit {
    readonly file: string;
    readonly clips: number;
    /** The number of nodes that its clips move, and of those that match a node here. */
    readonly moved: number;
    readonly matched: number;
    readonly missing: readonly string[];
    readonly ambiguous: readonly { readonly from: readonly number[]; readonly to: readonly number[] }[];
    /** The prefixes by which names differ: there, and here. */
    readonly namespace: readonly [from: string, to: string] | null;
    /** Maximum difference of local rotations at rest, degrees, and the node; null without matching nodes. */
    readonly rotation: { readonly degrees: number; readonly node: string } | null;
    /** Maximum difference of distances from parents, as a share of the longer one. */
    readonly length: { readonly share: number; readonly node: string } | null;
    /** Both as text. */
    readonly rest: string;
    /** The best value of `--retarget`. */
    readonly retarget: 'none' | 'rotation' | 'humanoid';
    /** Differences of two humanoids that `--retarget humanoid` cannot hide. Absent unless both are humanoids. */
    readonly differences?: readonly string[];
    /** As text. Without `--unmatched`, a bake fails if nodes are missing or ambiguous. */
    readonly advice: string;
}

interface InspectedSkin {
    readonly name: string;
    readonly joints: readonly { readonly node: number; readonly name: string }[];
    readonly meshes: readonly number[];
    readonly vertices: number;
}

interface InspectedClip {
    readonly name: string;
    readonly duration: number;
    readonly channels: number;
    readonly cadence: Cadence;
}

interface Options {
    readonly json?: boolean;
    readonly verbose?: boolean;
    readonly exclude?: readonly string[];
    readonly animations?: readonly string[];
    readonly rename?: Readonly<Record<string, string>>;
    /** True without given roles. */
    readonly roles?: true | GivenRoles;
}

export function inspectCommand(io: Io): Command {
    const command = new Command('inspect')
        .description('show skins, joints, clips and their key cadence, rates and size of a bake, and warnings')
        .argument('<inputs...>', INPUTS)
        .option(
            '--animations <files>',
            'show how well the clips of other files fit: a file or a pattern; may repeat',
            addOne,
        )
        .option('--rename <from=to>', 'names of nodes in --animations, as for poselane bake; may repeat', addRename)
        .option(
            '--roles [role=joint]',
            'show the joints of a humanoid by role, and those that you name, as for poselane bake; may repeat',
            addRoles,
        );
    return addExclude(command)
        .option('-v, --verbose', 'print every detail of several files, not one line each')
        .option('--json', 'print a JSON list with an entry per file')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane inspect hero.glb
  $ poselane inspect hero.glb --animations 'clips/*.glb'
  $ poselane inspect hero.glb --roles
  $ poselane inspect models/ --exclude '*_lod?.glb'
  $ poselane inspect 'models/**/*.glb' --json | jq '.[].clips[].name'

Exit codes: 0 done, 2 wrong use, 3 an input is missing or invalid, 5 of several inputs some failed, or all.`,
        )
        .action((inputs: string[], options: Options) => inspect(inputs, options, io));
}

async function inspect(names: readonly string[], { json = false, ...given }: Options, io: Io): Promise<void> {
    const inputs = (await findInputs(names, given)).map(({ path }) => path);
    const batch = inputs.length > 1;
    const animations = given.animations && (await expandInputs(given.animations));
    const recipe = clipRecipeOf({ animations, rename: given.rename });
    const clips = await readClips(openClips('poselane inspect', animations));
    const found: (Inspection | { file: string; error: object })[] = [];
    const isShort = batch && !given.verbose && recipe === null && given.roles === undefined;
    const roles = given.roles === true ? {} : given.roles;
    if (roles) checkRoles(roles);
    let failed = 0;
    for (const file of inputs) {
        io.signal?.throwIfAborted();
        try {
            const scene = await readGltf(file, { rigid: true });
            const fits = recipe && {
                animations: clips.map((other) => inspectedFit(scene, other, recipe.rename, roles)),
            };
            const bake =
                isShort || recipe !== null || (batch && json) ? {} : { bake: await forecastOf(scene, file, io.signal) };
            const shown = roles && { roles: inspectedRoles(humanoidOf(scene, roles)) };
            if (!batch)
                refuseUnknown(roles, [scene, ...clips.map((other) => other.scene)], [file, ...(animations ?? [])]);
            const inspection = { ...inspectionOf(file, scene), ...bake, ...shown, ...fits };
            found.push(inspection);
            if (json) continue;
            if (isShort) describeShortly(inspection, io);
            else describeFile(inspection, io);
        } catch (error) {
            if (!batch || !(error instanceof InputError)) throw error;
            const { message, code, pointer, rule } = error;
            found.push({ file, error: { code, pointer, rule } });
            writeError(io, message);
            failed++;
        }
    }
    if (json) writeJson(io.stdout, found);
    else if (batch) {
        const read = found.flatMap((one) => ('error' in one ? [] : one));
        if (isShort) writeBatchWarnings(io, read, '-v and --json list them');
        writeLine(io.stdout, totalsOf(read, failed));
    }
    if (failed > 0) throw new ExitError(EXIT.someFailed, `${failed} of ${inputs.length} files could not be read`);
}

function inspectionOf(file: string, scene: GltfScene): Inspection {
    const { nodes, skins, animations, skinnedMeshes, rigidMeshes = [], sha256, source } = scene;
    const clips = animations.map((animation) => ({
        name: animation.name,
        duration: animation.channels.reduce((max, { times }) => Math.max(max, times[times.length - 1] ?? 0), 0),
        channels: animation.channels.length,
        cadence: cadenceOf(animation),
    }));
    return {
        file,
        ...(source !== undefined && { source }),
        sha256,
        nodes: nodes.length,
        skins: skins.map(({ name, joints }, skin) => {
            const meshes = skinnedMeshes.filter((mesh) => mesh.skin === skin);
            return {
                name,
                joints: joints.map((node) => ({ node, name: nodes[node]!.name })),
                meshes: meshes.map(({ node }) => node),
                vertices: verticesOf(meshes.flatMap(({ primitives }) => primitives)),
            };
        }),
        attachments: rigidMeshes
            .filter(({ moves }) => moves)
            .map(({ node, primitives }) => ({ node, name: nodes[node]!.name, vertices: verticesOf(primitives) })),
        clips,
        suggestedFps: fpsMeetingAllKeys(clips.map(({ cadence }) => cadence)),
        warnings: [...scene.warnings, ...leftOutWarnings(scene)],
    };
}

function refuseUnknown(
    roles: GivenRoles = {},
    scenes: readonly Pick<GltfScene, 'nodes'>[],
    files: readonly string[],
): void {
    for (const [role, joint] of Object.entries(roles)) {
        if (scenes.some(({ nodes }) => nodes.some(({ name }) => name === joint))) continue;
        const where = files.length > 1 ? `none of ${files.join(', ')} has '${joint}'` : `${files[0]} has no '${joint}'`;
        throw new UsageError(`--roles has '${role}=${joint}', but ${where}`);
    }
}

function inspectedRoles(humanoid: Humanoid): InspectedRoles {
    const { model, joints, how, ambiguous } = humanoid;
    return {
        found: ROLES.flatMap((role) => {
            const node = joints.get(role);
            return node === undefined ? [] : [{ role, node, name: model.nodes[node]!.name, how: how.get(role)! }];
        }),
        missing: ROLES.filter((role) => !joints.has(role) && !ambiguous.has(role) && !/[123]$/.test(role)),
        ambiguous: Array.from(ambiguous, ([role, nodes]) => ({ role, nodes })),
        isHumanoid: isHumanoid(humanoid),
    };
}

function inspectedFit(
    scene: GltfScene,
    other: ReadClips,
    rename: readonly Rename[],
    roles: GivenRoles | undefined,
): InspectedFit {
    const fit = fitOf(scene.nodes, other.scene, rename);
    const [own, theirs] = [humanoidOf(scene, roles), humanoidOf(other.scene, roles)];
    const areHumanoids = isHumanoid(own) && isHumanoid(theirs);
    const isOther = areHumanoids && [...theirs.joints.values()].some((node) => fit.match.missing.includes(node));
    const { match, moved, rotation, length } = fit;
    const { missing, ambiguous, namespace, nodes } = match;
    const nameOf = (node: number) => other.scene.nodes[node]!.name;
    const retarget = isOther ? 'humanoid' : isClose(fit) ? 'none' : 'rotation';
    const how = retarget === 'none' ? 'take the clips as they are' : `--retarget ${retarget}`;
    const fits = missing.length + ambiguous.length === 0;
    return {
        file: other.file,
        clips: other.scene.animations.length,
        moved,
        matched: nodes.size,
        missing: missing.map(nameOf),
        ambiguous,
        namespace,
        rotation: rotation.node < 0 ? null : { degrees: rotation.degrees, node: nameOf(rotation.node) },
        length: length.node < 0 ? null : { share: length.share, node: nameOf(length.node) },
        rest: restText(fit),
        retarget,
        ...(areHumanoids && { differences: differencesOf(own, theirs) }),
        advice: isOther
            ? `${how}: both are humanoids, with ${sharedRoles(own, theirs).length} roles in both; if only names differ: --rename`
            : nodes.size === 0
              ? 'these are other skeletons, or names: --rename'
              : fits
                ? how
                : `${how}, and --rename, or --unmatched warn to leave nodes out`,
    };
}

function verticesOf(primitives: readonly SkinnedPrimitive[]): number {
    return primitives.reduce((sum, { positions }) => sum + positions.length / 3, 0);
}

const SHOWN = 8;

function describeShortly({ file, nodes, skins, clips, suggestedFps }: Inspection, io: Io): void {
    const counts = [count(nodes, 'node'), count(skins.length, 'skin'), count(clips.length, 'clip')].join(', ');
    const rate = suggestedFps === null ? '' : `; --fps ${suggestedFps} meets every key`;
    writeLine(io.stdout, bold(file), `: ${counts}${rate}`);
}

function totalsOf(read: readonly Inspection[], failed: number): string {
    const clips = read.flatMap((one) => one.clips);
    const seconds = threeDigits(clips.reduce((sum, { duration }) => sum + duration, 0));
    const skins = read.reduce((sum, one) => sum + one.skins.length, 0);
    const others = failed === 0 ? '' : `; ${failed} failed`;
    const what = `${count(skins, 'skin')}, ${count(clips.length, 'clip')} of ${seconds} s together`;
    return `${count(read.length + failed, 'file')}: ${what}${others}`;
}

function describeFile(
    {
        file,
        source,
        nodes,
        skins,
        attachments,
        clips,
        suggestedFps,
        bake,
        warnings,
        roles,
        animations = [],
    }: Inspection,
    io: Io,
): void {
    writeLine(
        io.stdout,
        bold(file),
        `: ${count(nodes, 'node')}, ${count(skins.length, 'skin')}, ${count(clips.length, 'clip')}`,
    );
    if (source !== undefined) writeLine(io.stdout, `  from ${source}`);
    for (const [index, { name, joints, meshes, vertices }] of skins.entries()) {
        const what = `${count(joints.length, 'joint')}, ${count(meshes.length, 'mesh', 'meshes')}, ${count(vertices, 'vertex', 'vertices')}`;
        writeLine(io.stdout, '  ', bold(`skin ${index}`), ` '${name}': ${what}`);
    }
    if (attachments.length > 0) {
        const vertices = attachments.reduce((sum, attachment) => sum + attachment.vertices, 0);
        const meshes = count(attachments.length, 'mesh', 'meshes');
        writeLine(
            io.stdout,
            '  ',
            bold('attachments'),
            `: ${meshes} without a skin, ${count(vertices, 'vertex', 'vertices')}`,
        );
    }
    for (const [index, { name, duration, channels, cadence }] of clips.entries()) {
        const keys = `${count(channels, 'channel')}, up to ${count(cadence.keys, 'key')}`;
        const text = `${threeDigits(duration)} s, ${keys}${cadenceText(cadence)}`;
        writeLine(io.stdout, '  ', bold(`clip #${index}`), ` '${name}': ${text}`);
    }
    if (roles !== undefined) describeRoles(roles, io);
    for (const fit of animations) describeFit(fit, io);
    if (bake) writeLine(io.stdout, '  ', bold('bake'), `: ${forecastText(bake)}`);
    if (suggestedFps !== null) writeLine(io.stdout, `  --fps ${suggestedFps} meets every key`);
    else if (clips.length > 0) writeLine(io.stdout, '  no whole rate meets every key');
    writeWarnings(io, file, warnings, '--json lists them');
}

function forecastText({ rows, fps, byteLength, smaller }: Forecast): string {
    const [low, high] = fps ?? [0, 0];
    const rates = fps === null ? '' : ` at ${low === high ? '' : `${low} to `}${high} fps`;
    const others = smaller.map(({ options: { layout }, byteLength: bytes }) => {
        return `; with --layout ${layout} about ${roughSizeOf(bytes)}`;
    });
    return `${count(rows, 'row')}${rates}, ${roughSizeOf(byteLength)}, off by at most 1%${others.join('')}`;
}

function describeFit(fit: InspectedFit, io: Io): void {
    const { file, clips, moved, matched, missing, ambiguous, namespace, rest, advice, differences = [] } = fit;
    const line = (text: string) => writeLine(io.stdout, `    ${text}`);
    const found = `${matched} of the ${count(moved, 'node')} that they move are here`;
    writeLine(io.stdout, '  ', bold(file), `: ${count(clips, 'clip')}, ${found}`);
    if (namespace !== null) line(`'${namespace[0]}' in names there is '${namespace[1]}' here`);
    const names = missing.slice(0, SHOWN).map((name) => `'${name}'`);
    const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
    if (missing.length > 0) line(`missing: ${names.join(', ')}${more}`);
    for (const { from, to } of ambiguous.slice(0, SHOWN))
        line(`ambiguous: ${nodesOf(from)} there, ${nodesOf(to)} here`);
    if (matched > 0) line(`rest poses: ${rest}`);
    line(advice);
    for (const difference of differences) writeLine(io.stdout, '    ', yellow('different'), `: ${difference}`);
}

const HOW: Readonly<Record<FoundBy, string>> = {
    option: 'by --roles',
    extension: 'by the VRM extension',
    name: 'by name',
    shape: 'by the shape of the skeleton',
    place: 'between hips and neck',
};

function describeRoles({ found, missing, ambiguous, isHumanoid }: InspectedRoles, io: Io): void {
    const use = isHumanoid ? '' : '; --retarget humanoid needs hips and whole legs';
    writeLine(io.stdout, '  ', bold('roles'), `: ${count(found.length, 'joint')}${use}`);
    for (const { role, name, how } of found) writeLine(io.stdout, `    ${role}: '${name}' ${HOW[how]}`);
    for (const { role, nodes } of ambiguous) writeLine(io.stdout, `    ${role}: can be any of ${nodesOf(nodes)}`);
    if (missing.length > 0) writeLine(io.stdout, `    missing: ${missing.join(', ')}`);
}

function nodesOf(nodes: readonly number[]): string {
    return nodes.length === 1 ? `node ${nodes[0]}` : `nodes ${nodes.slice(0, SHOWN).join(', ')}`;
}

function cadenceText({ shortest, longest, rate }: Cadence): string {
    if (longest === 0) return '';
    if (rate !== null) return `, at ${rate} a second`;
    const [min, max] = [threeDigits(shortest), threeDigits(longest)];
    return `, ${min === max ? '' : `${min} to `}${max} s apart`;
}

function count(number: number, one: string, many = `${one}s`): string {
    return `${number} ${number === 1 ? one : many}`;
}
