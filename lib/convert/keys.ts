// SPDX-License-Identifier: MIT

/** Chooses few keys of sampled properties. */

import { greedyKnots } from '../base/knots';
import { between, prepareBetween } from '../strict/between';
import type { Keys } from './document';

/** Values of a property at ascending times. */
export interface Samples {
    readonly times: readonly number[];
    readonly values: readonly (readonly number[])[];
    /** Whether a value stays until the next time. Missing: none does. */
    readonly held?: readonly boolean[];
}

/**
 * Keys whose interpolation is within a tolerance of all samples. Times are rounded to float32, as files store them. One
 * key is enough for a property that does not change.
 *
 * @param tolerance Maximum length of the difference of two values.
 */
export function fewKeys(samples: Samples, tolerance: number): Keys {
    const width = samples.values[0]!.length;
    const { times, values, held } = storable(samples);
    const flat = Float64Array.from(values.flat());
    const near = (at: number, value: ArrayLike<number>, within: number) => {
        let sum = 0;
        for (let c = 0; c < width; c++) {
            const off = flat[at * width + c]! - value[c]!;
            sum += off * off;
        }
        return sum <= within * within;
    };
    if (times.every((_, i) => near(i, flat, tolerance))) return { times: [times[0]!], values: values[0]! };
    const last = times.length - 1;
    const keys = (knots: readonly number[], step: boolean): Keys => ({
        times: knots.map((knot) => times[knot]!),
        values: knots.flatMap((knot) => values[knot]!),
        step,
    });
    if (held.every((is, i) => is || i === last)) {
        const changes = times.map((_, i) => i).filter((i) => i === 0 || i === last || !near(i, values[i - 1]!, 0));
        return keys(changes, true);
    }
    const value = new Float64Array(width);
    const knots = greedyKnots(last, (from, to) => {
        prepareBetween(width, flat, from * width, to * width);
        for (let i = from + 1; i < to; i++) {
            between(value, 0, (times[i]! - times[from]!) / (times[to]! - times[from]!));
            if (!near(i, value, tolerance)) return false;
        }
        return true;
    });
    return keys(knots, false);
}

/**
 * With times in float32, each once. After a held value the time is rounded down, so that a player has the new value at
 * the given time. If other values are interpolated, a held one gets a sample at its end.
 */
function storable({ times, values, held = [] }: Samples): Required<Samples> {
    const mixed = held.some((is) => is) && !times.every((_, i) => held[i] || i === times.length - 1);
    const found: { time: number; value: readonly number[]; held: boolean }[] = [];
    for (const [i, given] of times.entries()) {
        const value = values[i]!;
        const before = found.at(-1);
        const jumps = before?.held === true && before.value.some((x, c) => x !== value[c]);
        const near = Math.fround(given);
        const time = Math.max(before?.time ?? -Infinity, jumps && near > given ? below(near) : near);
        if (before !== undefined && time === before.time) found.pop();
        else if (mixed && jumps && below(time) > before.time)
            found.push({ time: below(time), value: before.value, held: false });
        found.push({ time, value, held: held[i] === true });
    }
    return {
        times: found.map(({ time }) => time),
        values: found.map(({ value }) => value),
        held: found.map((one) => one.held),
    };
}

/** The float32 below a number. */
export function below(time: number): number {
    const words = new Int32Array(Float32Array.of(time).buffer);
    words[0] = time === 0 ? -0x7fffffff : words[0]! + (time > 0 ? -1 : 1);
    return new Float32Array(words.buffer)[0]!;
}
