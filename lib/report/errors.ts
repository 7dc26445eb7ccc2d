// SPDX-License-Identifier: MIT

import { charactersOf } from '../bake/plan/character';
import { timelineOf } from '../bake/plan/frames';
import { type BakeOptions, recipeOf } from '../bake/plan/options';
import { renormalized } from '../bake/plan/renormalize';
import { withSharedSkins } from '../bake/plan/shared-skins';
import { ROUNDING_SHARE } from '../bake/plan/tolerance';
import { framesOf, PlaybackJudge } from '../bake/playback/playback';
import { modelOfCharacter, type SkinModel } from '../bake/rows/skin-model';
import { InputError } from '../base/errors';
import type { Manifest } from '../format/manifest';
import { squaredDistance } from '../rig/measure/displacement';
import { BakedTable } from '../table';
import { writeMatrices } from '../table/matrices';
import type { ReportErrors } from './data';
import type { ReportModel } from './model';

/** Largest float32, used because JSON has no infinity. */
export const MAX_FLOAT = 3.4028234e38;

/**
 * The maximum error of a bake, model units, as its manifest states it. Undefined without one, and for the default of half
 * floats, which does not bound playback.
 */
export function statedError({ recipe: { maxError }, extent }: Pick<Manifest, 'recipe' | 'extent'>): number | undefined {
    if (maxError === undefined) return undefined;
    const share = maxError / (extent * ROUNDING_SHARE);
    return share > 0.999 && share < 1.001 ? undefined : maxError;
}

/** The options of a bake that its manifest records. The rate is that of its clips. */
export function optionsOf({ recipe, skin, clips, arrays, attachments: own }: Manifest): BakeOptions {
    const { from, to, end, space, attachments, renormalize, root } = recipe;
    const { palette } = arrays;
    return {
        clips: clips.map(({ animation }) => `#${animation}`),
        emit: Object.keys(arrays) as (keyof typeof arrays)[],
        ...(skin === null ? {} : { skin: skin.index }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        ...(attachments === undefined ? {} : { attachments: own.length === 0 ? 'none' : namesOf(own) }),
        ...(palette === undefined ? {} : { layout: palette.layout as BakeOptions['layout'], dtype: palette.dtype }),
        ...(root === undefined ? {} : { root: root.mode, rootMotion: root.motion }),
        end,
        space,
        renormalize: renormalize ?? false,
    };
}

/** Matches the names of attachments, as the pattern that chose them. */
function namesOf(attachments: Manifest['attachments']): RegExp {
    const names = attachments.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^(?:${names.join('|')})$`, 'u');
}

/**
 * Playback errors of each clip, between its stored rows and at them. Rows of another bake, or damaged ones, have errors
 * at the frames themselves.
 *
 * @param path Path of the bake, for messages.
 * @param turn Called after each clip.
 * @throws InputError `BAKE_INVALID` if the rows are not those of model and recipe; errors of `BakedTable.open`.
 */
export async function errorsOf(
    { path: file, scene: read }: ReportModel,
    { json, bin }: { readonly json: string; readonly bin: Uint8Array },
    path: string,
    turn: () => Promise<void>,
): Promise<ReportErrors[]> {
    const table = BakedTable.open(json, bin);
    const { manifest } = table;
    const recipe = recipeOf('report', optionsOf(manifest));
    const keys = recipe.renormalize ? renormalized(read) : read;
    const scene = manifest.skin?.rescaled === undefined ? keys : withSharedSkins(keys);
    const fits = (fit: boolean, pointer: string) => {
        if (!fit) throw new InputError('BAKE_INVALID', path, pointer, `not what ${file} and the recipe give`);
    };
    const [own] = charactersOf(scene, recipe, file);
    // By number, because names can repeat.
    const character = { ...own!, root: manifest.recipe.root?.node ?? own!.root };
    fits(character.nodes.length === table.columns, '/skin/joints');
    const clips = manifest.clips.map((clip, index) => {
        const animation = scene.animations[clip.animation];
        fits(animation !== undefined, `/clips/${index}/animation`);
        const timeline = timelineOf(animation!, clip.rate ?? manifest.recipe.fps, recipe.window);
        fits(timeline.frameCount === clip.frameCount, `/clips/${index}/frameCount`);
        return { animation: clip.animation, timeline };
    });
    const longest = clips.reduce((max, { timeline }) => Math.max(max, timeline.frameCount), 1);
    const model = modelOfCharacter({ scene, file, recipe, clips }, character, longest);
    const { palette } = table.arrays;
    const pivots = palette?.pivots ?? null;
    const mixedFloats = pivots === null ? model.rowFloats : palette!.rowFloats;
    const judge = new PlaybackJudge(model, { pivots, mixedFloats });
    const errors: ReportErrors[] = [];
    for (const [index, { animation, timeline }] of clips.entries()) {
        const frames = framesOf(animation, timeline, model.channels.get(animation)!);
        const exact = new Float32Array(frames.times.length * model.rowFloats);
        for (let first = 0; first < frames.times.length; first += model.poses.capacity) {
            const times = frames.times.subarray(first, first + model.poses.capacity);
            const at = first * model.rowFloats;
            model.evaluate(animation, times, exact.subarray(at, at + times.length * model.rowFloats));
        }
        const stored = palette === undefined ? exact : paletteRows(table, index);
        const rows = new Float32Array(exact.length);
        writeMatrices(rows, stored, palette ?? { layout: 'mat4' }, stored.length);
        const off = distances(model, rows, exact);
        const lerp: number[] = [];
        const nearest: number[] = [];
        judge.judgeEach(frames, pivots === null ? rows : stored, (frame, squared) => {
            const least = Math.max(off[frame]!, off[frame + 1]!);
            lerp.push(distanceOf(Math.max(squared[0]!, least)));
            nearest.push(distanceOf(Math.max(squared[1]!, least)));
        });
        const [first, last] = [rows.subarray(0, model.rowFloats), rows.subarray(-model.rowFloats)];
        errors.push({ lerp, nearest, seam: distanceOf(squaredDistance(model.wholeBoxes, first, last)) });
        await turn();
    }
    return errors;
}

/** Squared error of each row. */
function distances({ rowFloats, jointBoxes }: SkinModel, rows: Float32Array, exact: Float32Array): number[] {
    return Array.from({ length: rows.length / rowFloats }, (_, row) => {
        const [at, end] = [row * rowFloats, (row + 1) * rowFloats];
        return squaredDistance(jointBoxes, rows.subarray(at, end), exact.subarray(at, end));
    });
}

/** A float32 with nine digits, which identify it, as in manifests. */
function distanceOf(squared: number): number {
    return Number(Math.min(Math.fround(Math.sqrt(squared)), MAX_FLOAT).toPrecision(9));
}

/** The rows of a clip as stored in the bin. */
function paletteRows(table: BakedTable, clip: number): Float32Array {
    const times = Float64Array.from({ length: table.clips[clip]!.frameCount }, (_, i) => table.frameTime(clip, i));
    const palette = new Float32Array(times.length * table.arrays.palette!.rowFloats);
    return table.sample('palette', clip, times, palette, { loop: 'clamp' });
}
