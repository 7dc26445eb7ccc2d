// SPDX-License-Identifier: MIT

/** What is measured, cheapest first. */

import { optimalKnots } from './fit.mjs';

const thin = { values: 'float', fit: false, allocate: 'uniform', order: 'clip' };
const both = { values: 'int16', noise: 0.15, allocate: 'adaptive', fit: true, order: 'node' };
export const METHODS = {
    'a thin': { ...thin, scalarReach: true },
    'a thin, int16': { ...thin, scalarReach: true, values: 'int16', noise: 0.02 },
    'a thin, arms': { ...thin, values: 'int16', noise: 0.02 },
    'c optimal subset': { ...thin, values: 'int16', noise: 0.02, pick: optimalKnots },
    'c fitted': { ...thin, values: 'int16', noise: 0.02, fit: true },
    'b adaptive': { ...thin, values: 'int16', noise: 0.02, allocate: 'adaptive' },
    bc: { ...thin, values: 'int16', noise: 0.02, allocate: 'adaptive', fit: true },
    bcg: { ...both },
    bcdg: { ...both, compensate: true },
    'bcg, polish': { ...both, polish: true },
    'bcg, polish, coarsen': { ...both, polish: true, coarsen: true },
    'bcg, polish, coarsen, noise .3': { ...both, polish: true, coarsen: true, noise: 0.3 },
    'bcg, weigh, polish, coarsen': { ...both, polish: true, coarsen: true, weigh: true },
    'bcdg, polish, coarsen': { ...both, compensate: true, polish: true, coarsen: true },
    'bcdg, polish, coarsen, noise .3': { ...both, compensate: true, polish: true, coarsen: true, noise: 0.3 },
};
