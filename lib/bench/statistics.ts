// SPDX-License-Identifier: MIT

/** Statistics of samples. All functions take samples in any order and do not change the list. */

export interface Statistics {
    readonly min: number;
    readonly lowerQuartile: number;
    readonly median: number;
    readonly upperQuartile: number;
}

/** The value that a fraction of the sorted samples does not exceed, interpolated between two of them. */
function quantile(sorted: ArrayLike<number>, fraction: number): number {
    const at = (sorted.length - 1) * fraction;
    const below = Math.floor(at);
    const low = sorted[below]!;
    const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
    return low + (high - low) * (at - below);
}

/** Minimum and quartiles. */
export function statisticsOf(samples: readonly number[]): Statistics {
    const sorted = Float64Array.from(samples).sort();
    return {
        min: sorted[0]!,
        lowerQuartile: quantile(sorted, 0.25),
        median: quantile(sorted, 0.5),
        upperQuartile: quantile(sorted, 0.75),
    };
}

export function medianOf(samples: readonly number[]): number {
    return quantile(Float64Array.from(samples).sort(), 0.5);
}

/** The first decile: a tenth of the samples is below it. */
export function lowestTenth(samples: readonly number[]): number {
    return quantile(Float64Array.from(samples).sort(), 0.1);
}

/** The mean of the lower half: nearly as stable as the minimum, but not a multiple of the timer's step. */
export function lowMean(samples: readonly number[]): number {
    const sorted = Float64Array.from(samples).sort();
    const half = Math.ceil(sorted.length / 2);
    let sum = 0;
    for (let i = 0; i < half; i++) sum += sorted[i]!;
    return sum / half;
}

/** Half the distance between the quartiles, as a fraction of the median. */
export function spreadOf({ lowerQuartile, median, upperQuartile }: Statistics): number {
    return median > 0 ? (upperQuartile - lowerQuartile) / 2 / median : 0;
}

/** The smallest distance between two different samples: the step of the timer; 0 if all are equal. */
export function stepOf(samples: readonly number[]): number {
    const sorted = Float64Array.from(samples).sort();
    let step = Number.POSITIVE_INFINITY;
    for (let i = 1; i < sorted.length; i++) {
        const apart = sorted[i]! - sorted[i - 1]!;
        if (apart > 1e-9 * sorted[i]! && apart < step) step = apart;
    }
    return Number.isFinite(step) ? step : 0;
}
