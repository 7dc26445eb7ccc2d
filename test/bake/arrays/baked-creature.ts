// SPDX-License-Identifier: MIT

/** A creature that is baked, and its poses from a rig that is asked for one at a time. */

import type { BakeOptions, BakeOutput } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import type { GltfScene } from '../../../lib/gltf/scene';
import { typescriptRig } from '../../../lib/rig/kernels';
import type { Poses } from '../../../lib/rig/poses';
import { Rig } from '../../../lib/rig/rig';
import { frameTimes } from '../../support/frame-times';
import { creature } from '../baked-scenes';

export const FPS = 24;
export const CREATURE = creature(5);

/** All nodes are slots. */
export const rig = new Rig(CREATURE, new Uint8Array(CREATURE.nodes.length).fill(1), typescriptRig);

export async function bakeOne(options: BakeOptions, of: GltfScene = CREATURE): Promise<BakeOutput> {
    return (await bakeScene(of, { fps: FPS, ...options })).outputs[0]!;
}

/** Every row with its clip and time. */
export function* rowsIn({ manifest }: BakeOutput): Generator<{ row: number; clip: number; time: number }> {
    for (const { animation, firstRow, duration } of manifest.clips) {
        for (const [frame, time] of frameTimes(duration, FPS).entries()) {
            yield { row: firstRow + frame, clip: animation, time };
        }
    }
}

export function poseAt(clip: number, time: number): Poses {
    const poses = rig.createPoses(1);
    rig.evaluate(poses, clip, Float32Array.of(time));
    rig.toGlobal(poses);
    return poses;
}
