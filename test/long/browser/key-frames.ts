// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import type { Manifest } from '../../support/baked';

/** Times of all keys of each animation of a GLB with plain accessors, in seconds, read here and not by lib/. */
function keyTimes(path: string): number[][] {
    const file = readFileSync(path);
    const jsonLength = file.readUInt32LE(12);
    const { animations, accessors, bufferViews } = JSON.parse(file.subarray(20, 20 + jsonLength).toString());
    const bin = 28 + jsonLength;
    return animations.map(({ samplers }: { samplers: { input: number }[] }) =>
        samplers.flatMap(({ input }) => {
            const { bufferView, byteOffset = 0, count } = accessors[input];
            const start = bin + (bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
            return Array.from({ length: count }, (_, key) => file.readFloatLE(start + key * 4));
        }),
    );
}

/**
 * The frames of each clip that are at a key of any of its channels, to a thousandth of a frame: only those show what the
 * file itself says. Other keys fall between frames. And its first and last frame, and those where STEP keys jump.
 */
export function keyFrames(path: string, { clips }: Pick<Manifest, 'clips'>): { keys: number[]; jumps: number[] }[] {
    const times = keyTimes(path);
    return clips.map(({ animation, frameCount, fps, discontinuities }) => {
        const keys = new Set([0, frameCount - 1]);
        for (const time of times[animation]!) {
            const frame = Math.round(time * fps!);
            if (Math.abs(time * fps! - frame) < 1e-3 && frame < frameCount) keys.add(frame);
        }
        return { keys: [...keys].sort((a, b) => a - b), jumps: discontinuities as number[] };
    });
}
