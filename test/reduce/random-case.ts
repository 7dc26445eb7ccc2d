// SPDX-License-Identifier: MIT

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReduceOptions, reduceFile } from '../../lib/reduce';
import { random } from '../support/random';
import { bringToUnitLength, channelsOffUnitLength, denseTimes, displacementOf, evaluatorOf } from './judge';
import { randomRig } from './rigs';

/** What became of a random rig. */
export interface Outcome {
    /** The greatest displacement as a share of the bound, and of the error that the result names. */
    readonly share: number;
    readonly named: number;
    /** What is wrong with it otherwise. */
    readonly faults: readonly string[];
    readonly clips: number;
    /** Clips that could not be reduced. */
    readonly kept: number;
    readonly keysBefore: number;
    readonly keysAfter: number;
}

/** Times between any two keys at which the vertices are judged. */
const SAMPLES = 16;

/**
 * Reduces the rig of a seed, and judges the file that comes of it at 16 times between any two keys.
 *
 * @param maxError Instead of the seed's.
 */
export async function judgeSeed(seed: number, maxError?: number, samples = SAMPLES): Promise<Outcome> {
    const next = random(seed);
    const rig = randomRig(next, { offUnit: next() < 0.2 ? 0.01 : 0 });
    const bytes = rig.builder.toGlb();
    const bounds = ['0.1%', '1%', '0.01%', '5%'];
    const options: ReduceOptions = {
        maxError: maxError ?? bounds[Math.floor(next() * bounds.length)]!,
        quantize: next() < 0.7,
        compress: next() < 0.1 ? 'meshopt' : 'none',
        dropRest: next() < 0.3,
    };
    const folder = mkdtempSync(join(tmpdir(), 'poselane-reduce-'));
    try {
        const reduced = await reduceFile({ bytes, name: 'rig.glb' }, options);
        const evaluators = [
            await evaluatorOf(join(folder, 'source.glb'), bytes),
            await evaluatorOf(join(folder, 'reduced.glb'), reduced.bytes),
        ] as const;
        let [share, named] = [0, 0];
        const faults: string[] = [];
        for (const { animation, error, kept } of reduced.clips) {
            const [exact, off] = evaluators.map((one) => channelsOffUnitLength(one, animation)) as [string[], string[]];
            const fresh = off.filter((channel) => !exact.includes(channel));
            if (fresh.length > 0) faults.push(`clip ${animation} is off unit length where the source is not: ${fresh}`);
            const times = denseTimes(evaluators, animation, samples);
            // Rest values are float32 in the product.
            const rounding =
                1e-7 * Math.max(reduced.extent, ...evaluators[0].globals(animation, times[0]!).map(Math.abs));
            for (const unit of [false, true]) {
                if (unit) for (const evaluator of evaluators) bringToUnitLength(evaluator, animation);
                const { vertices } = displacementOf(rig, evaluators, animation, times);
                share = Math.max(share, vertices / reduced.maxError);
                if (!kept && vertices > rounding) named = Math.max(named, (vertices - rounding) / error);
                if (kept && vertices > 0) faults.push(`clip ${animation} was kept, and is off by ${vertices}`);
            }
            if (!(error <= reduced.maxError))
                faults.push(`clip ${animation} names an error of ${error}, allowed is ${reduced.maxError}`);
            const [before, after] = evaluators.map((one) => rangeOf(one.channelsOf(animation))) as [string, string];
            if (before !== after) faults.push(`clip ${animation} lasted ${before}, lasts ${after}`);
            for (const { sampler } of evaluators[1].channelsOf(animation)) {
                if (!sampler.values.every(Number.isFinite))
                    faults.push(`clip ${animation} has values that are not finite`);
                if (!sampler.times.every((time, k) => k === 0 || time >= sampler.times[k - 1]!))
                    faults.push(`clip ${animation} has times that do not ascend`);
            }
        }
        const sum = (of: 'keysBefore' | 'keysAfter') => reduced.clips.reduce((total, clip) => total + clip[of], 0);
        const kept = reduced.clips.filter((clip) => clip.kept).length;
        const clips = reduced.clips.length;
        const keys = { keysBefore: sum('keysBefore'), keysAfter: sum('keysAfter') };
        return { share, named, faults, clips, kept, ...keys };
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

function rangeOf(channels: readonly { readonly sampler: { readonly times: Float64Array } }[]): string {
    const times = channels.flatMap(({ sampler }) => [sampler.times[0]!, sampler.times[sampler.times.length - 1]!]);
    return `${Math.min(...times)} to ${Math.max(...times)} s`;
}

/**
 * Judges the rig of a seed, and throws with the seed what is wrong with it. One that goes too far for its bound is refused, and has the
 * least bound that the message names.
 */
export async function expectSound(seed: number, samples = SAMPLES): Promise<Outcome> {
    const outcome = await judgeSeed(seed, undefined, samples)
        .catch((error) => {
            const [, least] = /where clip .* from the origin: needs (\S+) or more$/.exec(error.message) ?? [];
            if (error.code !== 'ERR_TOLERANCE' || least === undefined) throw error;
            return judgeSeed(seed, 1.1 * Number(least), samples);
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
