// SPDX-License-Identifier: MIT

import type { ClipEvent } from '../../base/clip-events';
import { InputError, inputName, namingOptions, UsageError } from '../../base/errors';
import { significant, sizeOf } from '../../base/messages';
import type { FrameRate } from '../../format/manifest';
import type { GltfScene, Warning } from '../../gltf/scene';
import type { Character } from '../../rig/measure/characters';
import { durationOf } from '../../rig/measure/extent';
import { addedEvents, bakedEvents } from './events';
import { rateOfKeys } from './fps';
import { type Timeline, timelineOf } from './frames';
import { COLUMN_NUMBERS, type Recipe } from './options';

/** The frames of all rows, the same for every skin. */
export interface BakePlan {
    readonly scene: GltfScene;
    /** As `InputError` has it. */
    readonly file: string;
    readonly recipe: Recipe;
    /** Rate of clips without a rate of their own. With `fps: 'auto'`, the highest rate of a clip. */
    readonly rate: FrameRate;
    readonly warnings: readonly Warning[];
    /** One for each output. */
    readonly characters: readonly Character[];
    /** In file order. */
    readonly clips: readonly PlannedClip[];
    /** Number of rows: frames of all clips. */
    readonly rows: number;
}

export interface PlannedClip {
    /** Animation index. */
    readonly animation: number;
    readonly firstRow: number;
    readonly rate: FrameRate;
    readonly timeline: Timeline;
    /** Seconds from the first frame. */
    readonly events: readonly ClipEvent[];
}

/** Maximum size of a `.bin`, bytes. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

/** The selection to bake, without a frame rate. */
export interface Selection extends Pick<BakePlan, 'scene' | 'file' | 'recipe' | 'characters'> {
    /** Animation indices, ascending. */
    readonly animations: readonly number[];
}

export interface FoundRates {
    /** In the order of `animations`. */
    readonly rates: readonly FrameRate[];
    readonly warnings: readonly Warning[];
}

/** The given rate, or the rate of `fps: 'keys'`. */
export function sharedRate({ scene, recipe, animations }: Selection): FrameRate {
    const { rate } = recipe;
    return typeof rate === 'object' ? rate : rateOfKeys(animations.map((animation) => scene.animations[animation]!));
}

/**
 * @param found Rates of clips, if each has its own; `rate` is their maximum.
 * @throws UsageError for a clip that ends before the part to bake; InputError `OUTPUT_TOO_LARGE` for too many rows.
 */
export function planBake(selection: Selection, rate: FrameRate, found?: FoundRates): BakePlan {
    const { scene, file, recipe, characters, animations } = selection;
    const { window } = recipe;
    const added = addedEvents(scene, recipe, file);
    let rows = 0;
    const clips = animations.map((animation, index) => {
        const duration = durationOf(scene.animations[animation]!);
        if (duration < window.from) {
            const ends = `${clipName(scene, animation)} ends at ${significant(duration)} s`;
            const rule = `${window.from} s: leave it out, or begin sooner`;
            throw namingOptions(
                (name) => new UsageError(`${inputName(file)}: ${ends}, before ${name('from')}, ${rule}`),
            );
        }
        const own = found?.rates[index] ?? rate;
        const timeline = timelineOf(scene.animations[animation]!, own, window);
        const events = bakedEvents(scene, animation, added, timeline);
        const clip = { animation, firstRow: rows, rate: own, timeline, events };
        rows += timeline.frameCount;
        return clip;
    });
    const plan = { scene, file, recipe, rate, warnings: found?.warnings ?? [], characters, clips, rows };
    refuseTooManyRows(plan);
    return plan;
}

/** @throws InputError `OUTPUT_TOO_LARGE` for more rows than `maxRows`. */
export function refuseTooManyRows({
    file,
    recipe: { maxRows },
    rows,
}: Pick<BakePlan, 'file' | 'recipe' | 'rows'>): void {
    if (rows <= maxRows) return;
    throw namingOptions((name) => {
        const rule = `${rows} rows, more than the ${maxRows} of ${name('maxRows')}`;
        return new InputError('OUTPUT_TOO_LARGE', file, '', `${rule}: ${SMALLER}`);
    });
}

/** Number of columns of all palettes, and their bytes per row. */
export function palettesOf({ recipe, characters }: BakePlan): { columns: number; rowBytes: number } {
    const columns = characters.reduce((sum, { nodes }) => sum + nodes.length, 0);
    return { columns, rowBytes: columns * COLUMN_NUMBERS[recipe.layout] * (recipe.dtype === 'f16' ? 2 : 4) };
}

export const SMALLER = 'bake fewer clips, or fewer frames per second';

/**
 * Refuses a bin that is too large, before it is allocated.
 *
 * @param columns Number of columns, for the message.
 * @param rowBytes Bytes of a row, in all arrays.
 * @param held Bytes of earlier outputs, which stay in memory.
 * @throws InputError `OUTPUT_TOO_LARGE`.
 */
export function refuseTooLarge(
    { file, rows }: Pick<BakePlan, 'file' | 'rows'>,
    columns: number,
    rowBytes: number,
    held = 0,
): void {
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

/** Name of a clip in messages, because names may be empty or repeat. */
export function clipName(scene: GltfScene, animation: number): string {
    return `clip #${animation} '${scene.animations[animation]!.name}'`;
}

export function longestClip({ clips }: Pick<BakePlan, 'clips'>): number {
    return clips.reduce((max, { timeline }) => Math.max(max, timeline.frameCount), 1);
}
