// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import { askForMatrices, type MatrixRequest } from './oracle-process';

const SCRIPT = join(__dirname, 'babylon-oracle.mjs');

/** The palettes of Babylon's null engine, or global matrices of nodes: see `askForMatrices`. */
export function babylonPalettes(
    requests: readonly MatrixRequest[],
    counts: readonly number[],
    options?: { patience?: number },
): Float64Array[][] {
    return askForMatrices(SCRIPT, requests, counts, options);
}
