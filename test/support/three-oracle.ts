// SPDX-License-Identifier: MIT
import { matrixOracle } from './oracle-process';

/** three.js's palettes, or global matrices of nodes. */
export const threePalettes = matrixOracle('three-oracle.mjs');
