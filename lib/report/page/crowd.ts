// SPDX-License-Identifier: MIT

/** Two hundred instances of a bake, each with its own clip and time. */

import * as THREE from 'three';
import type { BakedCrowd } from '../../three';
import type { Bake, Entry } from './bakes';

export const CROWD = 200;

/**
 * @param boxes Box of each clip.
 * @param space From the bake's space to the scene.
 * @param across Instances in a row.
 * @returns The box around them.
 */
export function placeCrowd(
    crowd: BakedCrowd,
    boxes: readonly THREE.Box3[],
    space: THREE.Matrix4,
    across: number,
): THREE.Box3 {
    const widths = boxes.map((box) => Math.max(box.max.x - box.min.x, box.max.z - box.min.z)).sort((a, b) => a - b);
    // Wide enough for most clips. Outstretched parts may cross.
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

/**
 * Poses the crowd. The instance in the middle of the first row plays the chosen clip. The others play clips around it,
 * each at its own time.
 *
 * @param across Instances in a row.
 */
export function createCrowdPose(
    crowd: BakedCrowd,
    bake: Bake,
    index: number,
    entries: readonly Entry[],
    across: number,
) {
    const playable = entries.map(({ clips }) => clips[index]!).filter((clip) => clip >= 0);
    const clips = new Uint16Array(CROWD);
    const times = new Float64Array(CROWD);
    const lastRow = across * Math.floor((CROWD - 1) / across);
    const middle = lastRow + Math.min(across >> 1, CROWD - 1 - lastRow);
    /**
     * @param entry The chosen clip.
     * @param seconds Time in that clip.
     * @param passed Time since the crowd began to play.
     */
    return (entry: Entry, seconds: number, passed: number, nearest: boolean): void => {
        const chosen = Math.max(0, playable.indexOf(entry.clips[index]!));
        for (let i = 0; i < CROWD; i++) {
            const steps = (i - middle + CROWD * playable.length) % playable.length;
            clips[i] = playable[(chosen + steps) % playable.length]!;
            // Spread by the golden ratio, so that neighbors are never in step.
            const offset = ((i * 0.618034) % 1) * bake.clips[clips[i]!]!.duration;
            times[i] = i === middle ? seconds : offset + passed;
        }
        crowd.pose(clips, times, { loop: 'wrap', between: nearest ? 'nearest' : 'linear' });
    };
}
