// SPDX-License-Identifier: MIT

import { InputError } from '../errors';
import type { GltfScene } from '../gltf/scene';
import type { FrameRate } from './fps';
import { type Timeline, timelineOf } from './timeline';

/** Which rows of the outputs are which frames: the same for every skin. */
export interface BakePlan {
    readonly scene: GltfScene;
    /** The file as messages name it. */
    readonly file: string;
    readonly rate: FrameRate;
    /** In file order. */
    readonly clips: readonly PlannedClip[];
    /** Frames of all clips. */
    readonly rows: number;
}

export interface PlannedClip {
    /** Animation index. */
    readonly animation: number;
    readonly firstRow: number;
    readonly timeline: Timeline;
}

/** Largest `.bin`, bytes. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

/** @param animations Animation indices, ascending. */
export function planBake(scene: GltfScene, file: string, rate: FrameRate, animations: readonly number[]): BakePlan {
    let rows = 0;
    const clips = animations.map((animation) => {
        const timeline = timelineOf(scene.animations[animation]!, rate);
        const clip = { animation, firstRow: rows, timeline };
        rows += timeline.frameCount;
        return clip;
    });
    return { scene, file, rate, clips, rows };
}

/** @throws InputError `OUTPUT_TOO_LARGE`, before anything of that size is allocated. */
export function refuseTooLarge({ scene, file, rows }: BakePlan, skin: number): void {
    const joints = scene.skins[skin]!.joints.length;
    const bytes = rows * joints * 64;
    if (bytes <= MAX_BYTES) return;
    throw new InputError(
        'OUTPUT_TOO_LARGE',
        file,
        '',
        `${rows} rows of ${joints} joints would take ${bytes} bytes, more than 2 GiB: ` +
            'bake fewer clips, or fewer frames per second',
    );
}

/** How messages name a clip: names may be empty or repeat. */
export function clipName(scene: GltfScene, animation: number): string {
    return `clip #${animation} '${scene.animations[animation]!.name}'`;
}
