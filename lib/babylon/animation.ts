// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { rangeError } from '../base/errors';
import type { BakedTable } from '../table';
import { checkPose, loopsOf, weightAt } from '../table/poses';
import { mixRows, ROW_MIX_FLOATS, writeRowMix } from '../table/row-mix';
import { checkAnimation, checkPlay } from './arguments';
import { instancesOf } from './instances';
import { partsOf } from './model';
import { createRows } from './rows';
import type { BabylonLike, BakedAnimation, BakedAnimationOptions } from './types';

/**
 * Plays a whole model from its bake with Babylon's baked vertex animation, without animation groups and skeletons.
 * Skinned meshes and rigid meshes that move become children of the file's root, without their own transform. Meshes
 * that nothing moves are unchanged and do not become thin instances. Shadows, picking, frustum culling and layers work
 * as for live meshes.
 *
 * @param babylon The module: `import * as BABYLON from '@babylonjs/core'`, or an object with the classes in {@link
 * BabylonLike}.
 * @param table A bake with a palette. For a file with several skins, the tables of all of them. With `space:
 * 'skin-root'`, pass a `root` at the position of the skin's root at rest.
 * @param meshes All meshes of the imported file, at rest. They are changed permanently; their animation groups are
 * stopped.
 * @param options `maxSize`: `engine.getCaps().maxTextureSize`; default 8192. If table and instances together have more
 * rows, only the instances' rows are on the GPU, and `pose` uploads them each time.
 * @returns The meshes, with methods that pose and place them. They start at the first row.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_MODEL_DIFFERS`: the table is not of this model (the message
 * names the difference); `ERR_AMBIGUOUS_NAME`: meshes have the same name; `ERR_INDEX_RANGE`: the bake has no palette;
 * `ERR_COUNT_RANGE`: there are no meshes, or the palette or `instances` is larger than textures can be;
 * `ERR_BAKE_INVALID`: its clips have no bounds.
 * @example
 * const { meshes } = await BABYLON.ImportMeshAsync('hero.glb', babylonScene);
 * const animation = createBakedAnimation(BABYLON, table, meshes);
 * animation.pose(table.clipNamed('Walk'), Float64Array.of(0.5)); // in each frame
 */
export function createBakedAnimation(
    babylon: BabylonLike,
    table: BakedTable | readonly BakedTable[],
    meshes: readonly BABYLON.AbstractMesh[],
    options?: BakedAnimationOptions,
): BakedAnimation {
    const tables = checkAnimation('createBakedAnimation', table, meshes, options);
    const { instances, maxSize, root } = options ?? {};
    const count = instances ?? 1;
    const found = partsOf(tables, meshes, 'bake');
    const bounds = tables.flatMap(({ clips }) => clips.map((clip) => clip.bounds!));
    const corner = (from: number, of: (...values: number[]) => number) =>
        new babylon.Vector3(...[0, 1, 2].map((axis) => of(...bounds.map((box) => box[from + axis]!))));
    const [min, max] = [corner(0, Math.min), corner(3, Math.max)];

    // Temporary rows of `pose` for one table at a time.
    const from = new Float32Array(count * 3);
    const to = new Float32Array(count * 3);
    const mixes = new Float32Array(count * ROW_MIX_FLOATS);
    const optionsOf = loopsOf(tables, count);
    const matrices = instances === undefined ? null : new Float32Array(count * 16);
    const scene = meshes[0]!.getScene();
    const allRows = tables.map((one) => createRows(babylon, one, scene, count, maxSize));
    const weights = tables.map(({ arrays }) => new Float32Array(arrays.morph?.rowFloats ?? 0));
    const bound = (mesh: BABYLON.Mesh) => {
        if (matrices !== null) mesh.rawBoundingInfo ??= mesh.buildBoundingInfo(min, max);
        mesh.buildBoundingInfo(min, max, mesh.getWorldMatrix());
        if (matrices !== null) mesh.thinInstanceRefreshBoundingInfo();
    };
    const moved = instancesOf(babylon, found, allRows, matrices, root, bound);
    const { own, tracks, show, update, setWeights, place, dispose } = moved;

    return {
        meshes: own,
        managers: tracks.map(({ manager }) => manager),
        textures: tracks.map(({ rows }) => rows.texture),
        pose(clips, times, poseOptions) {
            const fade = poseOptions?.to;
            const poses = checkPose(times, fade, count);
            for (let t = 0; t < tracks.length; t++) {
                const track = tracks[t]!;
                const { rows, shown } = track;
                const one = tables[t]!;
                if (fade) one.rowsAt(fade.clips, fade.times, to, optionsOf(fade.clips, poses, fade));
                one.rowsAt(clips, times, from, optionsOf(clips, poses, poseOptions));
                let mixed = false;
                for (let i = 0; i < poses; i++) {
                    const mix = i * ROW_MIX_FLOATS;
                    writeRowMix(mixes, mix, from, to, i * 3, weightAt(fade, i));
                    const isRow = rows.shared > 0 && mixes[mix + 2] === 0 && mixes[mix + 3] === 0;
                    shown[i] = isRow ? mixes[mix]! : one.rows + i;
                    const row = isRow ? shown[i]! : rows.shared + i;
                    show(track, i, row, row, 0, 0);
                    if (isRow) continue;
                    mixRows(rows, mixes, mix, rows.data, shown[i]! * rows.rowFloats);
                    mixed = true;
                }
                if (mixed) rows.upload();
                update(t);
                if (instances !== undefined || poses === 0 || one.arrays.morph === undefined) continue;
                mixRows(one.arrays.morph, mixes, 0, weights[t]!);
                setWeights(t, weights[t]!);
            }
        },
        play(clips, offsets, speed = 1) {
            checkPlay(tables[0]!, clips, offsets, speed, count);
            if (tracks.some(({ rows }) => rows.shared === 0)) {
                const needs = `${tables[0]!.rows + count} rows do not fit into options.maxSize`;
                throw rangeError('ERR_COUNT_RANGE', `play: ${needs}: use pose`);
            }
            for (let t = 0; t < tracks.length; t++) {
                const track = tracks[t]!;
                for (let i = 0; i < offsets.length; i++) {
                    const clip = tables[t]!.clips[typeof clips === 'number' ? clips : clips[i]!]!;
                    const { firstRow, frameCount, duration } = clip;
                    track.shown[i] = firstRow;
                    const rate = duration > 0 ? (frameCount / duration) * speed : 0;
                    show(track, i, firstRow, firstRow + frameCount - 1, offsets[i]!, rate);
                }
                update(t);
            }
        },
        place(given) {
            place(given);
            for (const mesh of own) bound(mesh);
        },
        dispose,
    };
}
