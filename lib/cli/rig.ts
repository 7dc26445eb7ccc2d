// SPDX-License-Identifier: MIT

import { Command } from 'commander';
import { selectAnimations } from '../bake/plan/select';
import { roughSizeOf } from '../base/messages';
import type { OptionTable } from '../base/option-table';
import { CLIP_OPTIONS, type ClipOptions, clipRecipeOf } from '../clips/options';
import { readGltf } from '../gltf/read';
import type { GltfScene } from '../gltf/scene';
import { reducedScene } from '../reduce/reduced-scene';
import { readFor, withClips } from '../rig/retarget/merge';
import { openClips, openSource, readClips } from '../rig/retarget/read';
import { Rig } from '../rig/rig';
import { checkedScene } from '../rig/source/checked-scene';
import { expandInputs, refuseName } from './inputs';
import { groupDigits, type Io, plural, threeDigits, writeLine, writeWarnings } from './io';
import { addLibraryOptions, libraryOptions } from './library-options';
import { refuseFile, refuseInput, writeWhole } from './output-file';
import { lengthOf } from './reduce-lines';

const OPTIONS = {
    clips: { kind: 'texts', value: '<names>', help: 'store only these clips: a,b or #3 by number; may repeat' },
    maxError: {
        kind: 'length',
        value: '<length>',
        help: 'first remove keys, as poselane reduce does: maximum displacement of any vertex at any time',
    },
    meshes: { kind: 'switch', default: true, help: 'store no vertices' },
    ...CLIP_OPTIONS,
} as const satisfies OptionTable;

interface Arguments extends Omit<ClipOptions<string>, 'animations'> {
    readonly out: string;
    readonly clips?: readonly string[];
    readonly maxError?: number | string;
    readonly meshes: boolean;
    readonly animations?: readonly string[];
    readonly quiet?: boolean;
}

export function rigCommand(io: Io): Command {
    const command = new Command('rig')
        .description('store a rig, which Rig.deserialize reads many times as fast as a glTF file')
        .argument('<input>', 'a .glb, .gltf or .vrm file')
        .requiredOption('-o, --out <file>', 'file for the rig');
    return addLibraryOptions(command, OPTIONS)
        .option('-q, --quiet', 'print nothing but errors')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane rig hero.glb -o hero.rig
  $ poselane rig hero.glb -o hero.rig --clips Walk,Run --max-error 0.5mm
  $ poselane rig hero.glb -o server.rig --no-meshes --animations 'clips/*.glb'

Exit codes: 0 done, 1 system error such as a full disk, 2 wrong use, 3 input missing or invalid,
4 --max-error too small for float32, 130 interrupted.`,
        )
        .action((input: string, given: Arguments) => storeRig(input, given, io));
}

async function storeRig(input: string, given: Arguments, io: Io): Promise<void> {
    const started = performance.now();
    const { out, maxError, clips, meshes } = given;
    refuseName('input', input);
    const animations = given.animations && (await expandInputs(given.animations));
    const clipRecipe = clipRecipeOf({ ...libraryOptions(CLIP_OPTIONS, given), animations });
    await refuseFile('--out', out, null);
    await refuseInput('--out', out, [input, ...(animations ?? [])]);
    const { files } = openSource('poselane rig', input, 'input', io.signal);
    const wanted = { surfaces: true, vertices: meshes || maxError !== undefined, ...readFor(clipRecipe) };
    const own = await readGltf(files.file, wanted, files);
    const others = await readClips(openClips('poselane rig', animations, { signal: io.signal ?? undefined }));
    let scene = clipRecipe === null ? own : withClips(own, others, clipRecipe);
    if (clips !== undefined) {
        const chosen = selectAnimations(scene, clips, input).map((index) => scene.animations[index]!);
        scene = { ...scene, animations: chosen };
    }
    const reduced =
        maxError === undefined ? null : await reducedScene(scene, maxError, { file: input, signal: io.signal });
    scene = reduced?.scene ?? scene;
    if (!meshes) scene = withoutVertices(scene);
    const rig = new Rig({ ...checkedScene(scene, input), withoutVertices: !meshes });
    const bytes = rig.serialize();
    io.signal?.throwIfAborted();
    await writeWhole('--out', out, bytes, io.signal);
    if (given.quiet) return;
    writeWarnings(io, input, scene.warnings, '');
    const parts = [
        `${input} -> ${out}: ${plural(groupDigits(rig.clips.length), 'clip')}, ${plural(groupDigits(rig.slots.length), 'slot')}`,
        ...(reduced === null
            ? []
            : [
                  `${plural(groupDigits(reduced.before), 'key')} to ${groupDigits(reduced.after)}, off by at most ${lengthOf(reduced.error)}`,
              ]),
        roughSizeOf(bytes.length),
        `${threeDigits((performance.now() - started) / 1000)} s`,
    ];
    writeLine(io.stdout, parts.join('; '));
}

function withoutVertices(scene: GltfScene): GltfScene {
    return { ...scene, skinnedMeshes: scene.skinnedMeshes.map((mesh) => ({ ...mesh, primitives: [], surfaces: [] })) };
}
