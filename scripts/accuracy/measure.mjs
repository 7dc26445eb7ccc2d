// SPDX-License-Identifier: MIT

/** Runs every implementation on the sets and collects its errors. Unavailable implementations keep their rows, empty. */

export { measureBlends } from './measure/blends.mjs';
export { measureFunctions, measureNormalization, measurePolynomials } from './measure/functions.mjs';
export { CHAINS, measureChains, measureConversions } from './measure/matrices.mjs';
export { measureByAngle, measureByLength, measureOutside, TIMES_OUTSIDE } from './measure/slerps.mjs';
