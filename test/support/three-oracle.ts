// SPDX-License-Identifier: MIT
import { matrixOracle } from './oracle-process';

/** three.js's palettes. */
export const threePalettes = matrixOracle('three-oracle.mjs');
