// SPDX-License-Identifier: MIT
import { matrixOracle } from './oracle-process';

/** The palettes of Babylon's null engine. */
export const babylonPalettes = matrixOracle('babylon-oracle.mjs');
