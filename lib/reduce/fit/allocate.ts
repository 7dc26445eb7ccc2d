// SPDX-License-Identifier: MIT

import type { Fitter } from './fitter';

/** Divides a clip's bound among its tracks and times. */

/** Up to six rounds were tried. More than two saved no bytes. */
const ROUNDS = 2;
/** Steps of the bisection. */
const HALVINGS = 3;

/**
 * Sets tolerances by multiplicative weights. A track's tolerance at a time grows if all nodes that it moves are within
 * the bound around that time, and shrinks otherwise. The result is the round with the fewest numbers among those within
 * the bound. A bisection of a common factor follows.
 */
export function* allocate<Saved>(fitter: Fitter<Saved>): Generator<void, void> {
    let best: Saved | null = null;
    let fewest = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
        const keeps = yield* fitter.fitAll(1);
        const numbers = fitter.size();
        if (keeps && numbers < fewest) {
            best = fitter.save();
            fewest = numbers;
        }
        fitter.adapt();
    }
    const scaled = (yield* byBisection(fitter, 0.4, 1.1)) ?? (yield* byBisection(fitter, 1 / 64, 0.4));
    if (scaled !== null && fitter.size() < fewest) best = scaled;
    if (best === null) {
        // Nothing fits: keep every key.
        fitter.keepAll();
        best = fitter.save();
    }
    fitter.restore(best);
}

/** Finds the largest common factor of all tolerances that keeps the bound; null if none between the two does. */
function* byBisection<Saved>(fitter: Fitter<Saved>, low: number, high: number): Generator<void, Saved | null> {
    let best: Saved | null = null;
    for (let round = 0; round < HALVINGS; round++) {
        const factor = round === 0 ? high : Math.sqrt(low * high);
        if (yield* fitter.fitAll(factor)) {
            best = fitter.save();
            if (round === 0) break;
            low = factor;
        } else high = factor;
    }
    return best;
}
