// SPDX-License-Identifier: MIT

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { checkFloat32Array, lengthOf } from '../base/arguments';
import { rangeError } from '../base/errors';
import type { BakedTable } from '../table';
import { checkPose, loopsOf, weightAt } from '../table/poses';
import { mixRows, ROW_MIX_FLOATS, writeRowMix } from '../table/row-mix';
import { checkAnimation, checkPlay } from './arguments';
import { attach, ownMesh, pickAsDrawn, placeUnder } from './meshes';
import { partsOf } from './model';
import { createRows } from './rows';
import type { BabylonLike, BakedAnimation, BakedAnimationOptions } from './types';

/** Babylon's attribute name for each thin instance's rows. */
const SETTINGS = 'bakedVertexAnimationSettingsInstanced';

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
    const { parts, moving } = partsOf(tables, meshes);
    const scene = meshes[0]!.getScene();
    for (const group of scene.animationGroups) {
        if (group.targetedAnimations.some(({ target }) => moving.has(target))) group.stop();
    }
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
    for (let i = 0; matrices !== null && i < count; i++) babylon.Matrix.IdentityReadOnly.copyToArray(matrices, i * 16);

    const tracks = tables.map((one) => {
        const rows = createRows(babylon, one, scene, count, maxSize);
        const manager = new babylon.BakedVertexAnimationManager(scene);
        manager.texture = rows.texture;
        // Without bones. Its presence makes Babylon's shaders read joints and weights, and makes picking use `picked`.
        const skeleton = new babylon.Skeleton('baked', 'baked', scene);
        const picked = new Float32Array(rows.rowFloats);
        skeleton.getTransformMatrices = () => picked;
        const settings = new Float32Array(count * 4);
        const weights = new Float32Array(one.arrays.morph?.rowFloats ?? 0);
        /** For picking: the row in `rows.data` that an instance shows. */
        const shown = new Uint32Array(count);
        return { table: one, rows, manager, skeleton, picked, settings, weights, shown };
    });
    type Track = (typeof tracks)[number];

    /** Makes an instance show a row of the texture, or play from it. */
    function show({ settings }: Track, i: number, row: number, last: number, offset: number, rate: number): void {
        settings[i * 4] = row;
        settings[i * 4 + 1] = last;
        settings[i * 4 + 2] = offset;
        settings[i * 4 + 3] = rate;
    }
    function update({ manager, settings }: Track, track: number): void {
        if (instances === undefined) {
            manager.animationParameters.set(settings[0]!, settings[1]!, settings[2]!, settings[3]!);
            return;
        }
        for (let i = 0; i < own.length; i++) if (parts[i]!.table === track) own[i]!.thinInstanceBufferUpdated(SETTINGS);
    }

    const own = parts.map(ownMesh);
    for (const [i, part] of parts.entries()) {
        const mesh = own[i]!;
        const { rows, manager, skeleton, picked, settings, shown } = tracks[part.table]!;
        placeUnder(root, mesh, part.column < 0);
        if (part.column >= 0) attach(mesh, part);
        mesh.skeleton = skeleton;
        mesh.bakedVertexAnimationManager = manager;
        const bound = () => {
            mesh.buildBoundingInfo(min, max, mesh.getWorldMatrix());
            if (matrices !== null) mesh.thinInstanceRefreshBoundingInfo();
        };
        if (matrices !== null) {
            mesh.rawBoundingInfo = mesh.buildBoundingInfo(min, max);
            mesh.buildBoundingInfo(min, max);
            mesh.thinInstanceEnablePicking = true;
            mesh.thinInstanceSetBuffer('matrix', matrices, 16, false);
            mesh.thinInstanceSetBuffer(SETTINGS, settings, 4, false);
        }
        bound();
        const pose = (instance: number) => {
            const row = shown[instance]! * rows.rowFloats;
            picked.set(rows.data.subarray(row, row + rows.rowFloats));
        };
        pickAsDrawn(babylon.Matrix, mesh, matrices, pose, bound);
    }
    for (const [t, track] of tracks.entries()) {
        for (let i = 0; i < count; i++) {
            const row = track.rows.shared > 0 ? 0 : i;
            show(track, i, row, row, 0, 0);
        }
        update(track, t);
    }

    return {
        meshes: own,
        managers: tracks.map(({ manager }) => manager),
        textures: tracks.map(({ rows }) => rows.texture),
        pose(clips, times, poseOptions) {
            const fade = poseOptions?.to;
            const poses = checkPose(times, fade, count);
            for (let t = 0; t < tracks.length; t++) {
                const track = tracks[t]!;
                const { table: one, rows, weights, shown } = track;
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
                update(track, t);
                if (instances !== undefined || poses === 0 || one.arrays.morph === undefined) continue;
                mixRows(one.arrays.morph, mixes, 0, weights);
                for (let p = 0; p < parts.length; p++) {
                    const { table: of, firstWeight } = parts[p]!;
                    if (of !== t || firstWeight === null) continue;
                    const targets = own[p]!.morphTargetManager!;
                    for (let i = 0; i < targets.numTargets; i++) {
                        targets.getTarget(i).influence = weights[firstWeight + i]!;
                    }
                }
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
                    const clip = track.table.clips[typeof clips === 'number' ? clips : clips[i]!]!;
                    const { firstRow, frameCount, duration } = clip;
                    track.shown[i] = firstRow;
                    const rate = duration > 0 ? (frameCount / duration) * speed : 0;
                    show(track, i, firstRow, firstRow + frameCount - 1, offsets[i]!, rate);
                }
                update(track, t);
            }
        },
        place(given) {
            checkFloat32Array('place', 'matrices', given);
            const needs = matrices?.length ?? 0;
            if (lengthOf(given) !== needs) {
                const holds = `matrices holds ${lengthOf(given)} elements`;
                throw rangeError('ERR_BUFFER_LENGTH', `place: ${holds}, needs ${needs} (thin instances x 16)`);
            }
            matrices?.set(given);
            for (const mesh of own) {
                mesh.thinInstanceBufferUpdated('matrix');
                mesh.thinInstanceRefreshBoundingInfo();
            }
        },
        dispose() {
            for (const mesh of own) mesh.bakedVertexAnimationManager = null;
            for (const { manager, skeleton } of tracks) {
                manager.dispose(true);
                skeleton.dispose();
            }
        },
    };
}
