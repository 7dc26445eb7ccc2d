// SPDX-License-Identifier: MIT

/** Two hundred of a bake, each at its own clip and time. */

import * as THREE from 'three';
import type { BakedCrowd } from '../../three';
import type { Bake, Entry } from './bakes';

export const CROWD = 200;

/**
 * @param boxes Of each clip.
 * @param space Of the bake.
 * @param across How many stand in a row.
 * @returns The box around them.
 */
export function placeCrowd(
    crowd: BakedCrowd,
    boxes: readonly THREE.Box3[],
    space: THREE.Matrix4,
    across: number,
): THREE.Box3 {
    const widths = boxes.map((box) => Math.max(box.max.x - box.min.x, box.max.z - box.min.z)).sort((a, b) => a - b);
    // As wide as many clips need; blades may cross.
    const apart = 1.1 * widths[widths.length >> 2]!;
    const all = new THREE.Box3();
    const matrix = new THREE.Matrix4();
    for (let i = 0; i < CROWD; i++) {
        const x = ((i % across) - (across - 1) / 2) * apart;
        const z = (Math.floor(i / across) - (CROWD / across - 1) / 2) * apart;
        crowd.setMatrixAt(i, matrix.makeTranslation(x, 0, z).multiply(space));
        all.expandByPoint(new THREE.Vector3(x, 0, z));
    }
    const height = boxes[0]!.max.y - boxes[0]!.min.y;
    all.min.y = boxes[0]!.min.y;
    all.max.y = all.min.y + height;
    return all.expandByVector(new THREE.Vector3(apart / 2, 0, apart / 2));
}

/** Poses them: the chosen clip in the middle of the first row, others around it. */
export function createCrowdPose(crowd: BakedCrowd, bake: Bake, index: number, entries: readonly Entry[]) {
    const playable = entries.map(({ clips }) => clips[index]!).filter((clip) => clip >= 0);
    const clips = Uint16Array.from({ length: CROWD }, (_, i) => playable[(i * 7) % playable.length]!);
    // Spread by the golden ratio: neighbours are never in step.
    const offsets = Float64Array.from(
        { length: CROWD },
        (_, i) => ((i * 0.618034) % 1) * bake.clips[clips[i]!]!.duration,
    );
    const times = new Float64Array(CROWD);
    return (seconds: number, nearest: boolean): void => {
        for (let i = 0; i < CROWD; i++) times[i] = offsets[i]! + seconds;
        crowd.pose(clips, times, { loop: 'wrap', between: nearest ? 'nearest' : 'linear' });
    };
}
