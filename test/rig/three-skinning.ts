// SPDX-License-Identifier: MIT

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface SkinningRequest {
    readonly file: string;
    /** Nodes with a skinned mesh. */
    readonly nodes: readonly number[];
    readonly animation: number;
    readonly times: readonly number[];
}

/** three.js's vertices in the space of the scene: [time][vertex of all nodes][3]. */
export function threeVertices(request: SkinningRequest): Float64Array {
    const bytes = execFileSync(process.execPath, [join(__dirname, 'three-skinning.mjs')], {
        input: JSON.stringify(request),
        maxBuffer: 2 ** 30,
        stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
