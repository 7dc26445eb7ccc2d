// SPDX-License-Identifier: MIT

import type { ReducedVerdict, ReducedVerification, VerifyReducedOptions } from '../verify';
import { green, groupDigits, type Io, red, threeDigits, writeLine } from './io';

const SHOWN = 20;

export function judgeReduced(
    input: string,
    reduced: string,
    { maxError, maxAngle, keepJoints, signal, onProgress }: VerifyReducedOptions,
): Promise<ReducedVerification> {
    const { verifyReduced } = require('../verify') as typeof import('../verify');
    return verifyReduced(input, reduced, {
        ...(maxError !== undefined && { maxError }),
        ...(maxAngle !== undefined && { maxAngle }),
        ...(keepJoints !== undefined && { keepJoints }),
        signal,
        onProgress,
    });
}

export function failureOf(input: string, reduced: string, { clips }: ReducedVerification): string {
    const beyond = clips.some(({ ok }) => !ok);
    return `${reduced}: ${beyond ? 'error above the maximum' : `more than the keys of ${input} was changed`}`;
}

/** Prints problems, clips above the maximum error, and a summary. */
export function tellReduced(input: string, reduced: string, result: ReducedVerification, io: Io): void {
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

/** `0.1% of the extent (1.82 mm)`. A model unit is a meter (glTF 2.0, 3.4). */
function distance(length: number, { extent }: ReducedVerification): string {
    const [unit, name] = length < 1 ? [0.001, 'mm'] : [1, 'm'];
    const metric = `${threeDigits(length / unit)} ${name}`;
    return extent > 0 ? `${threeDigits((length / extent) * 100)}% of the extent (${metric})` : metric;
}
