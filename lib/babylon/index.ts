// SPDX-License-Identifier: MIT

/** Baked palettes in Babylon.js: `poselane/babylon`. Babylon itself is handed in, never imported. */

import type * as BABYLON from '@babylonjs/core' with { 'resolution-mode': 'import' };
import { describe } from '../checks/views';
import { rangeError, typeError } from '../errors';
import { checkIndex, checkOptions, checkOut, checkTime, checkTimes } from '../rig/arguments';
import type { BakedTable, SampleOptions } from '../table';
import { checkTable } from '../table/check-table';
import { checkTextureOptions, type PaletteTextureOptions, paletteTexture } from '../table/texture';
import { readFromLayers } from './layers';

/** What is used of the module `@babylonjs/core`, or of the global `BABYLON`. */
export type BabylonLike = Pick<
    typeof BABYLON,
    'BakedVertexAnimationManager' | 'Constants' | 'MaterialPluginBase' | 'RawTexture' | 'RawTexture2DArray'
>;

export interface BakedAnimationOptions extends Pick<PaletteTextureOptions, 'maxSize'> {
    /** Under which node the palette's space is. Default: the mesh's ancestor `__root__`, which the glTF loader makes. */
    root?: BABYLON.Node | null;
}

export interface BakedAnimation {
    readonly manager: BABYLON.BakedVertexAnimationManager;
    readonly texture: BABYLON.RawTexture | BABYLON.RawTexture2DArray;
    /** Shows one moment: the row that is nearest, by the rules of `BakedTable.sample`. Not for thin instances. */
    show(clip: number, time: number, options?: Pick<SampleOptions, 'loop'>): void;
    /** Takes the manager off the meshes and frees the texture. */
    dispose(): void;
}

/** Name of the attribute of thin instances that says what each of them shows. */
export const SETTINGS_ATTRIBUTE = 'bakedVertexAnimationSettingsInstanced';

/**
 * Plays meshes from a table by Babylon's baked vertex animation: no animation group runs.
 *
 * Palettes place vertices in the scene of the file, so the meshes are put under the file's root, without a transform of
 * their own; Babylon's loader leaves them under the joints' lowest common ancestor. Their skeleton must stay, since
 * Babylon needs it to have the joints' indices and weights in the shader, but nothing of it is read: it may have more bones
 * than the skin has joints.
 *
 * @param babylon The module: `import * as BABYLON from '@babylonjs/core'`, or an object of the classes in {@link BabylonLike}.
 * @param meshes The skinned meshes of the skin that was baked.
 * @param options `maxSize`: `engine.getCaps().maxTextureSize`; default 8192. Where the table is taller, the rows go into the
 * layers of an array texture, and the meshes' materials get a plugin that reads from it (WebGL 2 only).
 */
export function createBakedAnimation(
    babylon: BabylonLike,
    table: BakedTable,
    meshes: readonly BABYLON.Mesh[],
    options?: BakedAnimationOptions,
): BakedAnimation {
    const routine = 'createBakedAnimation';
    const { maxSize } = checkTextureOptions(routine, options);
    const root = options?.root;
    if (root !== undefined && typeof root !== 'object') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options.root must be a node or null, got ${describe(root)}`);
    }
    if (!Array.isArray(meshes)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: meshes must be a list, got ${describe(meshes)}`);
    }
    if (meshes[0] === undefined) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: meshes is empty, needs one mesh at least`);
    }
    const { data, width, height, layers } = paletteTexture(table, { maxSize, mat4: true });
    const scene = meshes[0].getScene();
    const { TEXTURE_NEAREST_SAMPLINGMODE, TEXTUREFORMAT_RGBA, TEXTURETYPE_FLOAT } = babylon.Constants;
    const flags = [scene, false, false, TEXTURE_NEAREST_SAMPLINGMODE, TEXTURETYPE_FLOAT] as const;
    const texture =
        layers === 1
            ? new babylon.RawTexture(data, width, height, TEXTUREFORMAT_RGBA, ...flags)
            : new babylon.RawTexture2DArray(data, width, height, layers, TEXTUREFORMAT_RGBA, ...flags);
    const manager = new babylon.BakedVertexAnimationManager(scene);
    manager.texture = texture;
    manager.setAnimationParameters(0, 0, 0, 0);
    for (const mesh of meshes) {
        mesh.parent = root === undefined ? rootOf(mesh) : root;
        mesh.position.setAll(0);
        mesh.rotationQuaternion = null;
        mesh.rotation.setAll(0);
        mesh.scaling.setAll(1);
        // Its bounds are those of the bind pose.
        mesh.alwaysSelectAsActiveMesh = true;
        if (layers > 1 && mesh.material) readFromLayers(babylon, mesh.material);
        mesh.bakedVertexAnimationManager = manager;
    }
    const settings = new Float32Array(4);
    const times = new Float64Array(1);
    return {
        manager,
        texture,
        show(clip, time, sampleOptions) {
            times[0] = time;
            stillSettings(table, clip, times, settings, sampleOptions);
            manager.setAnimationParameters(settings[0]!, settings[1]!, settings[2]!, settings[3]!);
        },
        dispose() {
            for (const mesh of meshes) {
                if (mesh.bakedVertexAnimationManager === manager) mesh.bakedVertexAnimationManager = null;
            }
            manager.dispose(true);
        },
    };
}

function rootOf(mesh: BABYLON.Node): BABYLON.Node | null {
    let node = mesh.parent;
    while (node !== null && node.name !== '__root__') node = node.parent;
    return node;
}

/**
 * What thin instances show at a moment, `[instance][4]`: the nearest row of each. Write it into a buffer of
 * {@link SETTINGS_ATTRIBUTE} whenever the time has moved on: exact, whatever the clips.
 *
 * @param clips One clip for all, or one for each.
 * @param times Seconds.
 * @param out `times.length * 4` floats or more.
 */
export function stillSettings(
    table: BakedTable,
    clips: number | Uint16Array,
    times: Float32Array | Float64Array,
    out: Float32Array,
    options?: Pick<SampleOptions, 'loop'>,
): Float32Array {
    checkTable('stillSettings', table);
    const { loop } = checkOptions('stillSettings', options) as Pick<SampleOptions, 'loop'>;
    checkTimes('stillSettings', times, 0);
    // `rowsAt` needs only three numbers for each.
    checkOut('stillSettings', 'out', out, times.length * 4, 'instances x 4');
    table.rowsAt(clips, times, out, { loop, between: 'nearest' });
    // From the back, so that nothing is overwritten before it was read.
    for (let i = times.length - 1; i >= 0; i--) {
        const row = out[i * 3]!;
        out[i * 4] = row;
        out[i * 4 + 1] = row;
        out[i * 4 + 2] = 0;
        out[i * 4 + 3] = 0;
    }
    return out;
}

/**
 * What makes an instance play a clip over and over by Babylon's own clock, `manager.time` in seconds: first row, last row,
 * frames to be ahead, rows a second. Babylon's shader takes the first row for the last one's double and leaves it out from
 * the second time round; the rate is chosen for each round to take the clip's duration. It can be a frame ahead of
 * {@link stillSettings}.
 *
 * @param out 4 floats at `at`.
 * @param offset Frames to be ahead.
 * @param speed 1: as fast as in the file.
 */
export function playSettings(
    table: BakedTable,
    clip: number,
    out: Float32Array,
    at = 0,
    offset = 0,
    speed = 1,
): Float32Array {
    checkTable('playSettings', table);
    checkIndex('playSettings', 'clip', clip, table.clips.length, 'clip');
    checkIndex('playSettings', 'at', at, Number.MAX_SAFE_INTEGER, 'place in `out`');
    checkOut('playSettings', 'out', out, at + 4, '4 from `at` on');
    checkTime('playSettings', 'offset', offset);
    checkTime('playSettings', 'speed', speed);
    const { firstRow, frameCount, duration } = table.clips[clip]!;
    out[at] = firstRow;
    out[at + 1] = firstRow + frameCount - 1;
    out[at + 2] = offset;
    out[at + 3] = duration > 0 ? (frameCount / duration) * speed : 0;
    return out;
}
