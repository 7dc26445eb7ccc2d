// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions, UsageError } from '../errors';
import type { GltfScene } from '../gltf/scene';
import { significant, sizeOf } from '../messages';
import type { Character } from './character';
import type { FrameRate } from './fps';
import type { Recipe } from './options';
import { durationOf, type Timeline, timelineOf } from './timeline';

/** Which rows of the outputs are which frames: the same for every skin. */
export interface BakePlan {
    readonly scene: GltfScene;
    /** As `InputError` has it. */
    readonly file: string;
    readonly recipe: Recipe;
    readonly rate: FrameRate;
    /** One for each output. */
    readonly characters: readonly Character[];
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

/** What is to be baked, before there is a frame rate. */
export interface Selection extends Pick<BakePlan, 'scene' | 'file' | 'recipe' | 'characters'> {
    /** Animation indices, ascending. */
    readonly animations: readonly number[];
}

/**
 * @throws UsageError for a clip that ends before the part to bake; InputError `OUTPUT_TOO_LARGE` for too many rows.
 */
export function planBake(selection: Selection, rate: FrameRate): BakePlan {
    const { scene, file, recipe, characters, animations } = selection;
    const { window, maxRows } = recipe;
    let rows = 0;
    const clips = animations.map((animation) => {
        const duration = durationOf(scene.animations[animation]!);
        if (duration < window.from) {
            const ends = `${clipName(scene, animation)} ends at ${significant(duration)} s`;
            const rule = `${window.from} s: leave it out, or begin sooner`;
            throw namingOptions(
                (name) => new UsageError(`${inputName(file)}: ${ends}, before ${name('from')}, ${rule}`),
            );
        }
        const timeline = timelineOf(scene.animations[animation]!, rate, window);
        const clip = { animation, firstRow: rows, timeline };
        rows += timeline.frameCount;
        return clip;
    });
    if (rows > maxRows) {
        throw namingOptions((name) => {
            const rule = `${rows} rows, more than the ${maxRows} of ${name('maxRows')}`;
            return new InputError('OUTPUT_TOO_LARGE', file, '', `${rule}: ${SMALLER}`);
        });
    }
    return { scene, file, recipe, rate, characters, clips, rows };
}

/** Columns of all palettes, and how many bytes these have for a row. */
export function palettesOf({ recipe, characters }: BakePlan): { columns: number; rowBytes: number } {
    const columns = characters.reduce((sum, { nodes }) => sum + nodes.length, 0);
    return { columns, rowBytes: columns * (recipe.layout === 'mat4' ? 16 : 12) * (recipe.dtype === 'f16' ? 2 : 4) };
}

/** Advice where the output is large. */
export const SMALLER = 'bake fewer clips, or fewer frames per second';

/**
 * Before anything of that size is allocated.
 *
 * @param columns Of all palettes that are counted, for the message.
 * @param rowBytes Bytes of a row, in all arrays that are counted.
 * @param held Bytes of the outputs that are there already, and are held until all are.
 * @throws InputError `OUTPUT_TOO_LARGE`.
 */
export function refuseTooLarge({ file, rows }: BakePlan, columns: number, rowBytes: number, held = 0): void {
    const bytes = held + rows * rowBytes;
    if (bytes <= MAX_BYTES) return;
    const all = held > 0 ? `${sizeOf(bytes)} with the skins before` : sizeOf(bytes);
    throw new InputError(
        'OUTPUT_TOO_LARGE',
        file,
        '',
        `${rows} rows of ${columns} matrices would take ${all}, more than 2 GiB: ${SMALLER}`,
    );
}

/** How messages name a clip: names may be empty or repeat. */
export function clipName(scene: GltfScene, animation: number): string {
    return `clip #${animation} '${scene.animations[animation]!.name}'`;
}

/** The maximum number of frames that a clip has. */
export function longestClip({ clips }: Pick<BakePlan, 'clips'>): number {
    return clips.reduce((max, { timeline }) => Math.max(max, timeline.frameCount), 1);
}
