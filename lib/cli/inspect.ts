// SPDX-License-Identifier: MIT

import { Command } from 'commander';
import { suggestFps } from '../bake/fps';
import { leftOutWarnings } from '../bake/warnings';
import { InputError } from '../errors';
import { readGltf } from '../gltf/read';
import type { GltfScene, SkinnedPrimitive, Warning } from '../gltf/scene';
import { type Cadence, cadenceOf } from '../rig/cadence';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs } from './inputs';
import { bold, type Io, threeDigits, writeError, writeLine, writeWarnings } from './io';

/** The output of `poselane inspect --json` for a file. */
export interface Inspection {
    readonly file: string;
    readonly sha256: string;
    readonly nodes: number;
    readonly skins: readonly InspectedSkin[];
    /** Meshes without a skin that move: columns of the palette after the joints'. */
    readonly attachments: readonly { readonly node: number; readonly name: string; readonly vertices: number }[];
    readonly clips: readonly InspectedClip[];
    /** The lowest rate for `--fps`, from 24 up, that meets every key of every clip; null where no whole rate up to 240 does. */
    readonly suggestedFps: number | null;
    readonly warnings: readonly Warning[];
}

interface InspectedSkin {
    readonly name: string;
    readonly joints: readonly { readonly node: number; readonly name: string }[];
    /** Nodes with a mesh that this skin moves. */
    readonly meshes: readonly number[];
    readonly vertices: number;
}

interface InspectedClip {
    readonly name: string;
    readonly duration: number;
    readonly channels: number;
    readonly cadence: Cadence;
}

/** `poselane inspect` */
export function inspectCommand(io: Io): Command {
    return new Command('inspect')
        .description('show skins, joints, clips and their key cadence, a rate to bake at, and warnings')
        .argument('<inputs...>', '.glb or .gltf files, or patterns such as "models/**/*.glb"')
        .option('--json', 'as a JSON list with one entry for each file')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane inspect hero.glb
  $ poselane inspect 'models/**/*.glb' --json | jq '.[].clips[].name'`,
        )
        .action((inputs: string[], { json = false }: { json?: boolean }) => inspect(inputs, json, io));
}

async function inspect(names: readonly string[], json: boolean, io: Io): Promise<void> {
    const inputs = await expandInputs(names);
    const found: (Inspection | { file: string; error: object })[] = [];
    let failed = 0;
    for (const file of inputs) {
        io.signal?.throwIfAborted();
        try {
            const inspection = inspectionOf(file, await readGltf(file, { rigid: true }));
            found.push(inspection);
            if (!json) describeFile(inspection, io);
        } catch (error) {
            if (inputs.length === 1 || !(error instanceof InputError)) throw error;
            const { message, code, pointer, rule } = error;
            found.push({ file, error: { code, pointer, rule } });
            writeError(io, message);
            failed++;
        }
    }
    if (json) io.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    if (failed > 0) throw new ExitError(EXIT.someFailed, `${failed} of ${inputs.length} files could not be read`);
}

function inspectionOf(file: string, scene: GltfScene): Inspection {
    const { nodes, skins, animations, skinnedMeshes, rigidMeshes = [], sha256 } = scene;
    const clips = animations.map((animation) => ({
        name: animation.name,
        duration: animation.channels.reduce((max, { times }) => Math.max(max, times[times.length - 1] ?? 0), 0),
        channels: animation.channels.length,
        cadence: cadenceOf(animation),
    }));
    return {
        file,
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
        suggestedFps: suggestFps(clips.map(({ cadence }) => cadence)),
        warnings: [...scene.warnings, ...leftOutWarnings(scene)],
    };
}

function verticesOf(primitives: readonly SkinnedPrimitive[]): number {
    return primitives.reduce((sum, { positions }) => sum + positions.length / 3, 0);
}

function describeFile({ file, nodes, skins, attachments, clips, suggestedFps, warnings }: Inspection, io: Io): void {
    writeLine(
        io.stdout,
        bold(file),
        `: ${count(nodes, 'node')}, ${count(skins.length, 'skin')}, ${count(clips.length, 'clip')}`,
    );
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
    if (suggestedFps !== null) writeLine(io.stdout, `  --fps ${suggestedFps} meets every key`);
    else if (clips.length > 0)
        writeLine(io.stdout, '  no whole rate meets every key: --fps auto finds one for each clip');
    writeWarnings(io, file, warnings, '--json lists them');
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
