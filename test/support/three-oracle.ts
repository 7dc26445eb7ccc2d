// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import { askForMatrices, type MatrixRequest } from './oracle-process';

const SCRIPT = join(__dirname, 'three-oracle.mjs');

/** three.js's palettes, or global matrices of nodes: see `askForMatrices`. */
export function threePalettes(
    requests: readonly MatrixRequest[],
    counts: readonly number[],
    options?: { patience?: number },
): Float64Array[][] {
    return askForMatrices(SCRIPT, requests, counts, options);
}
