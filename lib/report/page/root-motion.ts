// SPDX-License-Identifier: MIT

/** Root motion of a bake: where the array `root` leads. */

import * as THREE from 'three';
import type { BakedTable } from '../../table';

const now = new Float64Array(1);
const row = new Float32Array(7);

/**
 * Where the character stands at a moment of a clip. Only a bake whose palette has no root motion needs it (`recipe.root`: `extract`);
 * any other moves by itself.
 */
export function rootAt(table: BakedTable, clip: number, seconds: number, target: THREE.Matrix4): void {
    target.identity();
    if ((table.manifest.recipe as { root?: string }).root !== 'extract' || !table.arrays.root) return;
    now[0] = seconds;
    table.sample('root', clip, now, row);
    target.compose(
        new THREE.Vector3().fromArray(row),
        new THREE.Quaternion().fromArray(row, 3),
        new THREE.Vector3(1, 1, 1),
    );
}

/**
 * The path of the root through a clip, a point for each row; null where the bake has none.
 *
 * @param start Where the root joint is in the clip's first row. The array `root` goes on from there, in the joint's own frame.
 */
export function rootPath(table: BakedTable, clip: number, start: THREE.Matrix4): THREE.Vector3[] | null {
    if (!table.arrays.root) return null;
    const { frameCount } = table.clips[clip]!;
    const inScene = 'root' in table.manifest.recipe;
    return Array.from({ length: frameCount }, (_, frame) => {
        now[0] = table.frameTime(clip, frame);
        table.sample('root', clip, now, row);
        const point = new THREE.Vector3().fromArray(row);
        return inScene ? point : point.applyMatrix4(start);
    });
}
