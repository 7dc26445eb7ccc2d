// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { LARGE_SHARE } from '../bake/warnings';
import type { ArrayVerdict, Verification } from '../verify';
import { addOne } from './bake-options';
import { EXIT, ExitError } from './exit-codes';
import { expandInputs, refuseEmpty } from './inputs';
import { green, groupDigits, type Io, oneLine, red, threeDigits, writeLine, yellow } from './io';
import { createProgress } from './progress';

interface Options {
    readonly tol?: number;
    readonly oracle: 'double' | 'three';
    readonly json?: boolean;
    readonly animations?: readonly string[];
}

/** The maximum of problems that are shown: a manifest may have one for nearly every joint. */
const SHOWN = 20;

/** `poselane verify` */
export function verifyCommand(io: Io): Command {
    return new Command('verify')
        .description(
            'prove the rows of a bake (evaluate the input again, in double precision and by other code), and judge playback',
        )
        .argument('<input>', 'the .glb or .gltf file that was baked')
        .argument('<bake>', 'its .bake.json, beside which the .bake.bin lies, or its .bake.glb')
        .option(
            '--tol <share>',
            'greatest error, as a share of the extent (default: 1e-5; f16: as the bake states)',
            share,
        )
        .addOption(new Option('--oracle <who>', 'who judges').choices(['double', 'three']).default('double'))
        .option(
            '--animations <files>',
            'files whose clips the bake has, where they are not beside the input; may repeat',
            addOne,
        )
        .option('--json', 'the whole result as JSON')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane verify hero.glb out/hero.bake.json
  $ poselane verify hero.glb out/hero.bake.json --oracle three --tol 1e-4
  $ poselane verify hero.glb out/hero.bake.json --animations 'clips/*.glb'

Exit codes: 0 within tolerance, 2 wrong use, 3 a file is missing or invalid, 4 beyond tolerance or not that input's bake.`,
        )
        .action((input: string, bake: string, options: Options) => verify(input, bake, options, io));
}

function share(value: string): number {
    const number = Number(value);
    if (!/^[\d.]/.test(value) || !(number > 0 && number < Infinity))
        throw new InvalidArgumentError('Needs a number above 0.');
    return number;
}

async function verify(input: string, bake: string, { tol, oracle, json, ...given }: Options, io: Io): Promise<void> {
    refuseEmpty('input', input);
    refuseEmpty('bake', bake);
    // Loaded here: other commands start faster without it.
    const { verifyBake } = require('../verify') as typeof import('../verify');
    const animations = given.animations && (await expandInputs(given.animations));
    const progress = createProgress(io.stderr, oneLine(basename(bake)), 1);
    let result: Verification;
    try {
        result = await verifyBake(input, bake, {
            ...(tol === undefined ? {} : { tolerance: tol }),
            oracle,
            ...(animations && { animations }),
            signal: io.signal,
            onProgress: (done, total) => progress.update(done, total > 0 ? done / total : 0),
        });
    } finally {
        progress.stop();
    }
    if (json) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else tell(bake, result, io);
    if (!result.ok) throw new ExitError(EXIT.tolerance, `${bake}: not the bake that ${input} and its recipe give`);
}

/** Each problem, then the worst of each array, then every clip that is beyond tolerance. */
function tell(bake: string, { ok, problems, clips, worst, extent, rows }: Verification, io: Io): void {
    for (const { code, pointer, message } of problems.slice(0, SHOWN))
        writeLine(io.stdout, `${code} ${bake}#${pointer}: ${message}`);
    if (problems.length > SHOWN) writeLine(io.stdout, `and ${groupDigits(problems.length - SHOWN)} more problems`);
    for (const { name, animation, arrays } of clips) {
        for (const verdict of arrays) {
            if (!verdict.ok) writeLine(io.stdout, `clip #${animation} '${name}' ${textOf(verdict)}`);
            else if (verdict.note !== undefined)
                writeLine(io.stdout, `clip #${animation} '${name}' ${verdict.array}: ${verdict.note}`);
        }
    }
    const size = `${groupDigits(rows)} rows, extent ${threeDigits(extent)}`;
    const found =
        worst === null
            ? 'nothing was compared'
            : `${size}; worst: clip #${worst.animation} '${worst.clip}' ${textOf(worst)}`;
    writeLine(io.stdout, `${bake}: `, ok ? green('rows proved') : red('WRONG'), `: ${found}`);
    if (ok) tellPlayback(bake, clips, io);
}

/** Rows can be right and too few. */
function tellPlayback(bake: string, clips: Verification['clips'], io: Io): void {
    const all = clips.flatMap(({ name, animation, playback }) =>
        playback === null ? [] : [{ name, animation, playback }],
    );
    if (all.length === 0) return;
    const worst = all.reduce((a, b) => (b.playback.share > a.playback.share ? b : a));
    const { joint, what, time, error, share } = worst.playback;
    const off = `between rows off by at most ${threeDigits(share * 100)}% of the extent (${threeDigits(error)})`;
    const where = joint < 0 ? '' : `: clip #${worst.animation} '${worst.name}', ${what}, at ${threeDigits(time)} s`;
    const poor = share > LARGE_SHARE;
    const advice = poor ? '; bake it at a rate that suits it better, such as --fps auto finds' : '';
    writeLine(io.stdout, `${bake}: `, poor ? yellow('playback POOR') : 'playback', `: ${off}${where}${advice}`);
}

function textOf({ array, what, frame, time, error, share, tolerance }: ArrayVerdict): string {
    return (
        `${array}, ${what}, frame ${frame} (${threeDigits(time)} s): error ${threeDigits(error)}, ` +
        `${threeDigits(share)} of the extent (${threeDigits(tolerance)} allowed)`
    );
}
