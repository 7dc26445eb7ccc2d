// SPDX-License-Identifier: MIT

/** What is measured, cheapest first. Letters are those of README.md. */

import { optimalKnots } from './fit.mjs';

/** Key times every 2^k-th of the grid, and its end: sets that all tracks of a clip choose from, coarsest first. */
function dyadicGrids(n) {
    const sets = [];
    for (let stride = 1; stride / 2 < n; stride *= 2) {
        const set = [];
        for (let i = 0; i < n - 1; i += stride) set.push(i);
        if (n - 1 - set[set.length - 1] < stride / 2 && set.length > 1) set.pop();
        sets.unshift([...set, n - 1]);
    }
    return sets;
}

const thin = { values: 'float', fit: false, allocate: 'uniform', order: 'clip' };
const thin16 = { ...thin, values: 'int16', noise: 0.02, order: 'node' };
const adaptive = { values: 'int16', noise: 0.3, allocate: 'adaptive', fit: true, order: 'node' };
const all = { ...adaptive, polish: true, coarsen: true };
export const METHODS = {
    'a  thin, float32': { ...thin, scalarReach: true },
    'a  thin, rounded floats': { ...thin, values: 'round', noise: 0.15, scalarReach: true },
    'a  thin, int16': { ...thin16, scalarReach: true },
    'a2 thin by lever arms': thin16,
    'c1 optimal subset (DP)': { ...thin16, pick: optimalKnots },
    'c2 fitted values': { ...thin16, fit: true },
    'b  adaptive': { ...adaptive, fit: false, noise: 0.02 },
    'bc adaptive, fitted': { ...adaptive, noise: 0.02 },
    'bc, coarse steps .3': adaptive,
    'bc, coarse steps .6': { ...adaptive, noise: 0.6 },
    'bcd, compensated': { ...adaptive, compensate: true },
    'bce, shared times': { ...adaptive, grid: dyadicGrids },
    'bc + polish': { ...adaptive, polish: true },
    'bc + polish, coarsen': all,
    'bc + polish, coarsen .5': { ...all, noise: 0.5 },
    'bc + polish, coarsen .7': { ...all, noise: 0.7 },
    'bc + polish, coarsen, rounded floats': { ...all, values: 'round' },
    'bcd + polish, coarsen': { ...all, compensate: true },
    'bcd + polish, coarsen .5': { ...all, noise: 0.5, compensate: true },
    'bcd + polish, coarsen .5, weigh': { ...all, noise: 0.5, compensate: true, weigh: true },
    'bc + polish, coarsen .5, weigh': { ...all, noise: 0.5, weigh: true },
};
