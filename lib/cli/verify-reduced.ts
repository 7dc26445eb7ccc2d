// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import type { ReducedVerdict, ReducedVerification, VerifyReducedOptions } from '../verify';
import { EXIT, ExitError } from './exit-codes';
import { green, groupDigits, type Io, oneLine, red, threeDigits, writeJson, writeLine } from './io';
import { createProgress } from './progress';

/** The maximum of problems and of clips that are shown. */
const SHOWN = 20;

/** `poselane verify` of a model with fewer keys. */
export async function verifyReducedFile(
    input: string,
    reduced: string,
    { maxError, maxAngle, keepJoints }: VerifyReducedOptions,
    json: boolean,
    io: Io,
): Promise<void> {
    const { verifyReduced } = require('../verify') as typeof import('../verify');
    const progress = createProgress(io.stderr, oneLine(basename(reduced)), 1);
    let result: ReducedVerification;
    try {
        result = await verifyReduced(input, reduced, {
            ...(maxError !== undefined && { maxError }),
            ...(maxAngle !== undefined && { maxAngle }),
            ...(keepJoints !== undefined && { keepJoints }),
            signal: io.signal,
            onProgress: (done, total) => progress.update(done, total > 0 ? done / total : 0),
        });
    } finally {
        progress.stop();
    }
    if (json) writeJson(io.stdout, result);
    else tell(input, reduced, result, io);
    if (result.ok) return;
    const beyond = result.clips.some(({ ok }) => !ok);
    throw new ExitError(
        EXIT.tolerance,
        `${reduced}: ${beyond ? 'further off than allowed' : `more than the keys of ${input} was changed`}`,
    );
}

/** Each problem, then each clip that is beyond what is allowed, then a line about all. */
function tell(input: string, reduced: string, result: ReducedVerification, io: Io): void {
    const { clips, problems, worst, ok } = result;
    for (const { code, pointer, message } of problems.slice(0, SHOWN)) {
        writeLine(io.stdout, `${code} ${reduced}#${pointer}: ${message}`);
    }
    if (problems.length > SHOWN) writeLine(io.stdout, `and ${groupDigits(problems.length - SHOWN)} more problems`);
    const beyond = clips.filter((clip) => !clip.ok);
    for (const clip of beyond.slice(0, SHOWN)) writeLine(io.stdout, textOf(clip, result));
    if (beyond.length > SHOWN) writeLine(io.stdout, `and ${groupDigits(beyond.length - SHOWN)} more clips`);
    const allowed = distance(result.maxError, result);
    const verdict = ok
        ? [green('within'), ` ${allowed}`]
        : beyond.length > 0
          ? [red('BEYOND'), ` ${allowed}`]
          : [red('DIFFERS'), ` from ${input} in more than its keys`];
    writeLine(
        io.stdout,
        `${reduced}: `,
        ...verdict,
        `: ${worst === null ? 'no clip was compared' : offOf(worst, result)}`,
    );
}

function offOf(worst: ReducedVerdict, result: ReducedVerification): string {
    if (worst.what === '') return `no vertex is off in any of ${groupDigits(result.clips.length)} clips`;
    return `off by at most ${distance(worst.error, result)}: ${placeOf(worst)}`;
}

function textOf(clip: ReducedVerdict, result: ReducedVerification): string {
    const { name, animation, turn, error } = clip;
    if (error > result.maxError || turn === null) return `off by ${distance(error, result)}: ${placeOf(clip)}`;
    const turned = `${turn.what} is turned by ${threeDigits(turn.angle)}° at ${threeDigits(turn.time)} s`;
    return `clip #${animation} '${name}': ${turned}, and carries no vertex`;
}

function placeOf({ name, animation, what, time }: ReducedVerdict): string {
    return `clip #${animation} '${name}', ${what} at ${threeDigits(time)} s`;
}

/** `0.1% of the extent (1.82 mm)`: a unit of a glTF model is a metre (3.4). */
function distance(length: number, { extent }: ReducedVerification): string {
    const [unit, name] = length < 1 ? [0.001, 'mm'] : [1, 'm'];
    const metric = `${threeDigits(length / unit)} ${name}`;
    return extent > 0 ? `${threeDigits((length / extent) * 100)}% of the extent (${metric})` : metric;
}
