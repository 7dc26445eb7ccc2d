// SPDX-License-Identifier: MIT

import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type BakeResult, bakeFile, writeBake } from '../bake';
import { UsageError } from '../errors';
import { evaluationBackend } from '../rig/implementations';
import { groupDigits, type Io, oneLine, writeLine } from './io';
import { createProgress } from './progress';

interface Options {
    readonly out: string;
    readonly fps: string;
    readonly clips?: readonly string[];
    readonly skin?: number;
}

/** `poselane bake` */
export function bakeCommand(io: Io): Command {
    return new Command('bake')
        .description('bake the clips of a glTF file to palettes of skinning matrices')
        .argument('<input>', 'a .glb or .gltf file')
        .requiredOption('-o, --out <folder>', 'where to write <name>.bake.json and <name>.bake.bin')
        .option('--fps <rate>', 'frames per second: 30, 29.97 or 30000/1001', '30')
        .option('--clips <names>', 'only these clips: a,b or #3 by number; may repeat', addClips)
        .option('--skin <number>', 'only this skin', skinNumber)
        .addHelpText(
            'after',
            `
Examples:
  $ poselane bake hero.glb -o out/
  $ poselane bake hero.glb -o out/ --fps 60 --clips Walk,Run
  $ poselane bake crowd.gltf -o out/ --skin 1 --clips '#0'`,
        )
        .action((input: string, options: Options) => bake(input, options, io));
}

function addClips(value: string, previous: readonly string[] = []): readonly string[] {
    return [...previous, ...value.split(',')];
}

function skinNumber(value: string): number {
    if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Needs the number of a skin, 0 or more.');
    return Number(value);
}

async function bake(input: string, { out, fps, clips, skin }: Options, io: Io): Promise<void> {
    const started = performance.now();
    await refuseFile(out);
    const progress = createProgress(io.stderr, oneLine(basename(input)));
    let result: BakeResult;
    try {
        result = await bakeFile(
            input,
            { fps, clips, skin },
            { signal: io.signal, onProgress: (done, total) => progress.update(done, total) },
        );
    } finally {
        progress.stop();
    }
    await writeBake(result.outputs, out, { signal: io.signal });
    for (const { code, pointer, message } of result.warnings) {
        writeLine(io.stderr, `poselane: warning ${code}: ${input}${pointer === '' ? '' : `#${pointer}`}: ${message}`);
    }
    writeLine(io.stdout, summaryOf(input, out, result, performance.now() - started));
}

/** Before any work, rather than after it. */
async function refuseFile(folder: string): Promise<void> {
    if (folder === '') throw new UsageError('--out: the name of the folder is empty');
    // The folder itself, or the nearest above it that exists.
    for (let at = resolve(folder); ; at = dirname(at)) {
        const found = await stat(at).catch(() => null);
        if (found?.isDirectory() || at === dirname(at)) return;
        if (found !== null) throw new UsageError(`--out: '${at}' is not a folder`);
    }
}

function summaryOf(input: string, out: string, result: BakeResult, milliseconds: number): string {
    const { outputs, stats } = result;
    const seconds = stats.evaluationMilliseconds / 1000;
    const stems = outputs.map(({ stem }) => stem);
    const last = stems[stems.length - 1]!;
    const path =
        outputs.length === 1
            ? join(out, `${last}.bake.{json,bin}`)
            : `${join(out, last).replace(/\d+$/, '')}{${outputs.map(({ skin }) => skin).join(',')}}.bake.{json,bin}`;
    return (
        `${input}: ${groupDigits(stats.clips)} clip${stats.clips === 1 ? '' : 's'}, ` +
        `${groupDigits(stats.frames)} frames x ${stats.joints.map(groupDigits).join(' + ')} joints -> ${path} ` +
        `in ${groupDigits(milliseconds)} ms (evaluation ${groupDigits(stats.evaluationMilliseconds)} ms: ` +
        `${groupDigits(seconds > 0 ? stats.jointFrames / seconds : 0)} joint-frames/s, backend ${evaluationBackend})`
    );
}
