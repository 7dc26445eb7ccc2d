// SPDX-License-Identifier: MIT

/**
 * Root motion of a bake, as docs/format.md defines it. The file's pose is motion × in-place row, in the space of the
 * bake.
 */

import * as THREE from 'three';
import type { BakedTable } from '../../table';

const now = new Float64Array(1);
const row = new Float32Array(7);
const ONE = new THREE.Vector3(1, 1, 1);

/** `keep`, `extract` or `in-place`; undefined for a bake without root motion. */
export function rootModeOf({ manifest }: BakedTable): string | undefined {
    return (manifest.recipe as { root?: { mode: string } }).root?.mode;
}

export const hasRootMotion = (table: BakedTable): boolean =>
    table.arrays.root !== undefined && rootModeOf(table) !== undefined;

function motionAt(table: BakedTable, clip: number, seconds: number, target: THREE.Matrix4): THREE.Matrix4 {
    now[0] = seconds;
    table.sample('root', clip, now, row, { loop: 'clamp' });
    return target.compose(new THREE.Vector3().fromArray(row), new THREE.Quaternion().fromArray(row, 3), ONE);
}

/** The transform that moves in-place rows to the file's position. */
export function moveRows(table: BakedTable, clip: number, seconds: number, target: THREE.Matrix4): THREE.Matrix4 {
    if (rootModeOf(table) !== 'extract' || !hasRootMotion(table)) return target.identity();
    return motionAt(table, clip, seconds, target);
}

/**
 * Path of the joint that carries the motion, a point for each frame.
 *
 * @param start Position of the joint in the first frame.
 */
export function rootPath(table: BakedTable, clip: number, start: THREE.Vector3): THREE.Vector3[] {
    const motion = new THREE.Matrix4();
    return Array.from({ length: table.clips[clip]!.frameCount }, (_, frame) =>
        start.clone().applyMatrix4(motionAt(table, clip, table.frameTime(clip, frame), motion)),
    );
}
