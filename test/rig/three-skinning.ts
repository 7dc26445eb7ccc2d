// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { askOracle } from '../support/oracle-process';

export interface SkinningRequest {
    readonly file: string;
    /** Nodes with a skinned mesh. */
    readonly nodes: readonly number[];
    readonly animation: number;
    readonly times: readonly number[];
}

/** Vertices by three.js in scene space: [time][vertex of all nodes][3]. */
export function threeVertices(request: SkinningRequest): Float64Array {
    return askOracle(join(__dirname, 'three-skinning.mjs'), request);
}
