// SPDX-License-Identifier: MIT

import type { ReduceOptions } from '../../lib/reduce';
import { DoubleEvaluator } from '../../lib/verify/evaluator';
import { random } from '../support/random';
import { displacementOf, judged } from './judge';
import { randomRig } from './rigs';

/** The result of a random rig. */
export interface Outcome {
    /** The max displacement as a share of the bound, and of the reported error. */
    readonly share: number;
    readonly named: number;
    /** Other faults. */
    readonly faults: readonly string[];
    readonly clips: number;
    /** Number of clips that could not be reduced. */
    readonly kept: number;
    readonly keysBefore: number;
    readonly keysAfter: number;
}

/**
 * Reduces the rig of a seed, and judges the file.
 *
 * @param maxError Replaces the seed's.
 */
export async function judgeSeed(seed: number, maxError?: number): Promise<Outcome> {
    const next = random(seed);
    const rig = randomRig(next, { offUnit: next() < 0.2 ? 0.01 : 0 });
    const bounds = ['0.1%', '1%', '0.01%', '5%'];
    const options: ReduceOptions = {
        maxError: maxError ?? bounds[Math.floor(next() * bounds.length)]!,
        quantize: next() < 0.7,
        compress: next() < 0.1 ? 'meshopt' : 'none',
        dropRest: next() < 0.3,
    };
    const { result, evaluators, off, times, faults } = await judged(rig, options);
    // Some players normalize rotations.
    const [before, after] = evaluators.map(({ file }) => new DoubleEvaluator(file, { renormalize: true }));
    const normalizing = [before!, after!] as const;
    let [share, named] = [0, 0];
    for (const [i, { animation, error, kept }] of result.clips.entries()) {
        const unit = displacementOf(rig, normalizing, animation, times[i]!);
        // Rest values are float32 in the product.
        const rounding =
            1e-7 * Math.max(result.extent, ...evaluators[0].globals(animation, times[i]![0]!).map(Math.abs));
        for (const { vertices } of [off[i]!, unit]) {
            share = Math.max(share, vertices / result.maxError);
            if (kept ? vertices > 0 : vertices > rounding) named = Math.max(named, (vertices - rounding) / error);
        }
    }
    const sum = (of: 'keysBefore' | 'keysAfter') => result.clips.reduce((total, clip) => total + clip[of], 0);
    const kept = result.clips.filter((clip) => clip.kept).length;
    const keys = { keysBefore: sum('keysBefore'), keysAfter: sum('keysAfter') };
    return { share, named, faults, clips: result.clips.length, kept, ...keys };
}

/**
 * Judges the rig of a seed, and throws an error with the seed for any fault. If the rig is too far away for its bound, uses the
 * smallest bound that the message names.
 */
export async function expectSound(seed: number): Promise<Outcome> {
    const outcome = await judgeSeed(seed)
        .catch((error) => {
            const [, least] = /where clip .* from the origin: needs (\S+) or more$/.exec(error.message) ?? [];
            if (error.code !== 'ERR_TOLERANCE' || least === undefined) throw error;
            return judgeSeed(seed, 1.1 * Number(least));
        })
        .catch((error) => {
            throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
        });
    const { share, named, faults } = outcome;
    if (!(share <= 1 + 1e-6)) throw new Error(`seed ${seed}: off by ${share} of the bound`);
    if (!(named <= 1 + 1e-5)) throw new Error(`seed ${seed}: off by ${named} of the error that the result names`);
    if (faults.length > 0) throw new Error(`seed ${seed}: ${faults.join('; ')}`);
    return outcome;
}
