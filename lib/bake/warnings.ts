// SPDX-License-Identifier: MIT

import type { SceneChannel, Warning } from '../gltf/scene';
import { type BakePlan, clipName } from './plan';
import { countKeysOffGrid } from './timeline';

/** Rows that a texture can have nearly everywhere. */
const MAX_TEXTURE_ROWS = 8192;

/** What every skin's output warns of. */
export function planWarnings({ scene, clips, rows }: BakePlan): Warning[] {
    const warnings = [...scene.warnings];
    for (const { animation } of clips) {
        const weights = scene.animations[animation]!.channels.filter(({ path }) => path === 'weights');
        if (weights.length === 0) continue;
        warnings.push({
            code: 'MORPH_WEIGHTS_NOT_BAKED',
            pointer: weights[0]!.pointer,
            message:
                `${clipName(scene, animation)} animates morph weights (${plural(weights.length, 'channel')}), ` +
                'which are not baked',
        });
    }
    if (rows > MAX_TEXTURE_ROWS) {
        warnings.push({
            code: 'TEXTURE_TOO_TALL',
            pointer: '',
            message: `${rows} rows: as one texture the palette is higher than the ${MAX_TEXTURE_ROWS} texels that many devices allow`,
        });
    }
    return warnings;
}

/**
 * What one skin's output warns of about one clip.
 *
 * @param channels Those that move the skin.
 */
export function clipWarnings(
    { scene }: BakePlan,
    animation: number,
    skin: number,
    channels: readonly SceneChannel[],
    frameTimes: Float32Array,
): Warning[] {
    const warnings: Warning[] = [];
    const pointer = `/animations/${animation}`;
    const name = clipName(scene, animation);
    if (channels.length === 0) {
        warnings.push({
            code: 'CLIP_NOT_ANIMATED',
            pointer,
            message: `${name} moves no node of skin ${skin}: its rows are the rest pose`,
        });
    }
    const offGrid = countKeysOffGrid(channels, frameTimes);
    if (offGrid > 0) {
        warnings.push({
            code: 'KEY_OFF_GRID',
            pointer,
            message:
                `${name}: ${plural(offGrid, 'STEP key time')} 1 or 2 ulp above a frame's time, ` +
                'where the frame shows the key before',
        });
    }
    return warnings;
}

/** Each warning once, in the order of its first appearance. */
export function withoutRepeats(warnings: readonly Warning[]): Warning[] {
    const unique = new Map<string, Warning>();
    for (const warning of warnings) {
        const key = JSON.stringify([warning.code, warning.pointer, warning.message]);
        if (!unique.has(key)) unique.set(key, warning);
    }
    return [...unique.values()];
}

function plural(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
