// SPDX-License-Identifier: MIT

import { InputError, inputName, namingOptions, UsageError } from '../../base/errors';
import { significant, sizeOf } from '../../base/messages';
import type { FrameRate } from '../../format/manifest';
import type { GltfScene, Warning } from '../../gltf/scene';
import type { Character } from './character';
import { rateOfKeys } from './fps';
import { durationOf, type Timeline, timelineOf } from './frames';
import { COLUMN_NUMBERS, type Recipe } from './options';

/** Which rows of the outputs are which frames: the same for every skin. */
export interface BakePlan {
    readonly scene: GltfScene;
    /** As `InputError` has it. */
    readonly file: string;
    readonly recipe: Recipe;
    /** Of clips that have no other; with `fps: 'auto'` the highest that was found. */
    readonly rate: FrameRate;
    /** Of `fps: 'auto'`. */
    readonly warnings: readonly Warning[];
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
    readonly rate: FrameRate;
    readonly timeline: Timeline;
}

/** Largest `.bin`, bytes. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

/** What is to be baked, before there is a frame rate. */
export interface Selection extends Pick<BakePlan, 'scene' | 'file' | 'recipe' | 'characters'> {
    /** Animation indices, ascending. */
    readonly animations: readonly number[];
}

/** A rate for each clip, and what is to be said of them. */
export interface FoundRates {
    /** In the order of `animations`. */
    readonly rates: readonly FrameRate[];
    readonly warnings: readonly Warning[];
}

/** The rate for all clips: the requested one, or that of `fps: 'keys'`. */
export function sharedRate({ scene, recipe, animations }: Selection): FrameRate {
    const { rate } = recipe;
    return typeof rate === 'object' ? rate : rateOfKeys(animations.map((animation) => scene.animations[animation]!));
}

/**
 * @param found Where each clip has its own rate, of which `rate` is the highest.
 * @throws UsageError for a clip that ends before the part to bake; InputError `OUTPUT_TOO_LARGE` for too many rows.
 */
export function planBake(selection: Selection, rate: FrameRate, found?: FoundRates): BakePlan {
    const { scene, file, recipe, characters, animations } = selection;
    const { window } = recipe;
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
        const clip = { animation, firstRow: rows, rate: own, timeline };
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

/** Columns of all palettes, and how many bytes these have for a row. */
export function palettesOf({ recipe, characters }: BakePlan): { columns: number; rowBytes: number } {
    const columns = characters.reduce((sum, { nodes }) => sum + nodes.length, 0);
    return { columns, rowBytes: columns * COLUMN_NUMBERS[recipe.layout] * (recipe.dtype === 'f16' ? 2 : 4) };
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

/** How messages name a clip: names may be empty or repeat. */
export function clipName(scene: GltfScene, animation: number): string {
    return `clip #${animation} '${scene.animations[animation]!.name}'`;
}

/** The maximum number of frames that a clip has. */
export function longestClip({ clips }: Pick<BakePlan, 'clips'>): number {
    return clips.reduce((max, { timeline }) => Math.max(max, timeline.frameCount), 1);
}
